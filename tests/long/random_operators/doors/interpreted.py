"""Random operators' CUDA kernels under Triton's interpreter, which needs no GPU: the CPU's bits.

The process must have been started with TRITON_INTERPRET=1.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from unittest.mock import patch

import every_operator
from host_engines import InterpretedEngine
from openaclnn import ops
from openaclnn.calls import executor, two_phase
from openaclnn.calls.functions import attribute
from openaclnn.calls.functions import call as called
from random_operators.calls import Call
from random_operators.doors.functions import run
from random_operators.layouts import LAYOUTS, relaid, same

_ENGINE = InterpretedEngine()


def bits(call: Call, rng: Random) -> Iterator[str]:
    """Without the call cache, which would remember the CPU's engine, as prepared calls do."""
    op, layout = ops.find(call.operator.name), rng.choice(LAYOUTS)
    given = {t.name: relaid(call.arguments[t.name], layout) for t in call.operator.inputs}
    attributes = {a.name: attribute(op, a, call.arguments[a.name]) for a in op.attributes}
    expected = run(call)
    two_phase._ready.clear()
    with patch.object(executor, "engine_for", lambda device: _ENGINE):
        found = called(op, given, attributes, [None] * len(op.outputs))[0]
    two_phase._ready.clear()
    if not same(list(found), expected):
        yield f"{layout.__name__}: the bits differ from the CPU's"


def any_bits(call: Call, rng: Random) -> Iterator[str]:
    """NaN, infinities, subnormals, whatever bytes are there."""
    yield from every_operator.differing(_ENGINE, ops.find(call.operator.name), few=True)


CHECKS = (bits, any_bits)
