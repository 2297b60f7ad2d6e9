"""Random operators as Python functions on NumPy's arrays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

import openaclnn
from random_operators.arguments import REQUIRED
from random_operators.calls import Call, converts
from random_operators.dtypes import ALL, KINDS, Array, short
from random_operators.layouts import LAYOUTS, Layout, contiguous, relaid, same
from random_operators.truths import truths


def run(call: Call, layout: Layout = contiguous, name: str = "", **more: Any) -> list[Array]:
    """All outputs of a call on copies of its arguments."""
    given = {n: relaid(v, layout) for n, v in call.arguments.items()}
    return listed(getattr(openaclnn, name or call.operator.name)(**{**given, **more}))


def listed(found: Any) -> list[Any]:
    return list(found) if isinstance(found, tuple) else [found]


def values(call: Call, rng: Random) -> Iterator[str]:
    """Both levels against the truth."""
    for level in ("exact", "fast"):
        with openaclnn.using(math=level):
            for truth, result in zip(truths(call, level), run(call), strict=True):
                complaint = truth.complaint(result)
                if complaint:
                    yield f"level {level}: {complaint}"


def layouts(call: Call, rng: Random) -> Iterator[str]:
    """The same bits wherever elements lie; the second time by the call cache."""
    expected = run(call)
    for layout in rng.sample(LAYOUTS, 2):
        for again in ("", ", again"):
            if not same(run(call, layout), expected):
                yield f"{layout.__name__}{again}: the results differ"


def outputs(call: Call, rng: Random) -> Iterator[str]:
    """Outputs that are given: of any layout, of another dtype."""
    expected = run(call)
    separate = [n for n, t in enumerate(call.operator.outputs) if t.role == "Out"]
    if not separate:
        return
    layout, dtype = rng.choice(LAYOUTS), rng.choice(ALL)
    outs = [layout(np.full_like(expected[n], 1)) for n in separate]
    found = run(call, rng.choice(LAYOUTS), out=_out(outs))
    if not same(found, expected):
        yield f"out is {layout.__name__}: the results differ"
    if not all(found[n] is out for n, out in zip(separate, outs, strict=True)):
        yield "out is not what is returned"
    if call.operator.casts:
        made = [dtype if converts(short(one.dtype), dtype) else short(one.dtype)
                for one in expected]  # fmt: skip
        outs = [np.empty(expected[n].shape, KINDS[made[n]].numpy) for n in separate]
        for truth, result, wanted in zip(
            truths(call), run(call, out=_out(outs)), made, strict=True
        ):
            complaint = truth.complaint(result, wanted)
            if complaint:
                yield f"out of {wanted}: {complaint}"


def _out(outs: list[Array]) -> Any:
    return outs[0] if len(outs) == 1 else tuple(outs)


def names(call: Call, rng: Random) -> Iterator[str]:
    """The friendly name; arguments by their places."""
    operator, expected = call.operator, run(call)
    if operator.name.startswith("inplace_"):
        friendly = operator.name.removeprefix("inplace_") + "_"
        if not same(run(call, name=friendly), expected):
            yield f"{friendly} differs"
    by_name = {a.name for a in operator.attributes if a.default is not REQUIRED}
    last = [t.name for t in operator.inputs if t.optional or (not t.read and t.role == "In")]
    outs = {t.name for t in operator.tensors if t.role == "Out"}
    first = [a.name for a in operator.arguments if a.name not in {*by_name, *last, *outs}]
    given = {n: relaid(v, contiguous) for n, v in call.arguments.items()}
    places = [given[name] for name in (*first, *last)]
    found = getattr(openaclnn, operator.name)(*places, **{name: given[name] for name in by_name})
    if not same(listed(found), expected):
        yield "arguments by their places: the results differ"


def refusals(call: Call, rng: Random) -> Iterator[str]:
    """What the rules refuse is refused, with the operator's and the argument's name."""
    for name, value in _wrong(call):
        try:
            run(call, **{name: value})
        except openaclnn.AclnnError as error:
            words = set(re.findall(r"\w+", error.message))
            known = error.status in (161001, 161002)
            if not known or not {call.operator.c_name, name} <= words:
                yield f"wrong {name}: {error}"
        else:
            yield f"{name}={value!r} is not refused"


def _wrong(call: Call) -> Iterator[tuple[str, Any]]:
    for tensor in call.operator.reads:
        given = call.arguments[tensor.name]
        if isinstance(given, list):
            yield tensor.name, [*given, given[0].astype(np.complex128)]
        elif given is not None:
            yield tensor.name, given.astype(np.complex64)
            yield tensor.name, np.zeros((1,) * 9, given.dtype)
    for attribute in call.operator.attributes:
        if attribute.not_negative:
            yield attribute.name, -1
        if attribute.host == "choice":
            yield attribute.name, 7
        if attribute.host != "text":
            yield attribute.name, "no such value"


CHECKS = (values, layouts, outputs, names, refusals)
