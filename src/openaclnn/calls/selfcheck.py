"""The self-check of `openaclnn doctor`: an operator of each kind on small arrays, in some of its
dtypes."""

from __future__ import annotations

import doctest
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from openaclnn.base import products, settings
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT16, DType
from openaclnn.base.records import dataclass
from openaclnn.base.status import AclnnError, Status
from openaclnn.base.tensors import Tensor
from openaclnn.calls.functions import tensor_parameters
from openaclnn.calls.on_device import call_at
from openaclnn.ops import of_each_kind
from openaclnn.runtime import cuda_exists
from openaclnn.spec import describe
from openaclnn.spec.call import Call
from openaclnn.spec.op import Op
from openaclnn.spec.sample import sample_call
from openaclnn.spec.steps import elementwise

_LARGE = (2, 1 << 14)  # enough for threads to share
_SMALL = (4, 1 << 6)  # of operators whose work grows faster than their tensors
_DTYPES = 3  # of an operator that are tried, the first at both levels
_REFUSED = (Status.PARAM_INVALID, Status.RUNTIME_ERROR)
_SLACK = {settings.EXACT: 4, settings.FAST: 64}  # roundings; far less than anything broken gives
_UNPROMISED = 2.0**-7  # relative, at level fast where terms may cancel
_EPSILON = {FLOAT16: 2.0**-11, BF16: 2.0**-8, DOUBLE: 2.0**-50}  # half an ULP; float32's otherwise


@dataclass(frozen=True)
class Result:
    """One thing that was tried; `why` is empty where it went well."""

    name: str
    what: str
    why: str


def checked() -> list[Op]:
    """The operators that stand for all: few enough to be tried in seconds."""
    return list(of_each_kind(by_steps=False).values())


def self_check(some: Iterable[Op] | None = None) -> Iterator[Result]:
    """One result for each of some operators, by default of those that stand for all."""
    where = ["cpu", "cuda"] if cuda_exists() else ["cpu"]
    for op in checked() if some is None else some:
        names = " ".join(dtype.short for dtype in describe.dtypes(op)[:_DTYPES])
        try:
            with settings.using(product=products.DEFAULT.name):  # which has everything
                why = next(_faults(op, where), "")
        except Exception as error:  # whatever breaks, the rest is to be checked
            why = f"{type(error).__name__}: {error}"
        yield Result(op.name, f"{names} on {' and '.join(where)}", why)


def _faults(op: Op, where: list[str]) -> Iterator[str]:
    yield from _example(op)
    for number, dtype in enumerate(describe.dtypes(op)[:_DTYPES]):
        call = sample_call(op, (dtype,), _LARGE if op.steps is elementwise else _SMALL)
        for level in settings.LEVELS if number == 0 else settings.LEVELS[number % 2 :][:1]:
            expected = _plain(call, level)
            try:
                with settings.using(math=level):
                    results = [_run(call, place) for place in where]
            except AclnnError as error:
                if error.status not in _REFUSED:
                    raise
                break  # made-up numbers do not suit the operator; its example does
            for name, result, value in zip(_outputs(call), results[0], expected, strict=True):
                yield from _far(name, result, value, dtype, level, op)
            for other in results[1:]:
                if any(a.tobytes() != b.tobytes() for a, b in zip(results[0], other, strict=True)):
                    yield f"{dtype} at level {level}: other bits on {where[-1]} than on {where[0]}"


def _outputs(call: Call) -> list[str]:
    """The name of every output, of each member of a list."""
    return [each.argument.name for each in call.used if each.argument in call.op.outputs]


def _example(op: Op) -> Iterator[str]:
    """The operator's own example: known values, to the last digit printed."""
    test = doctest.DocTestParser().get_doctest(op.example, {}, op.name, None, None)
    said: list[str] = []
    with settings.using(math=settings.EXACT):
        failed = doctest.DocTestRunner(verbose=False).run(test, out=said.append).failed
    if failed:
        yield f"its example gives something else:{''.join(said)}"


def _arrays(call: Call) -> list[Any]:
    """Numbers for every tensor that is used, the same every time."""
    import numpy as np

    draw = np.random.default_rng(0)
    found = [
        draw.normal(0, 3, given.tensor.shape).astype(given.tensor.dtype.numpy)
        for given in call.used
    ]
    for step in call.op.steps(call):
        for limit in step.limits:  # of indices
            if limit.part.tensor < 0:  # what follows from others
                continue
            array = found[limit.part.tensor]
            if limit.low <= limit.high:
                array[...] = draw.integers(limit.low, limit.high + 1, array.shape)
    return found


def _plain(call: Call, level: str) -> list[Any]:
    """What the formula says, in NumPy."""
    from openaclnn.engines.plain import PlainEngine
    from openaclnn.plan import make_plan

    arrays, engine, plan = _arrays(call), PlainEngine(), make_plan(call, level)
    launcher, (workspace, _keep) = engine.prepare(plan), engine.allocate(plan.workspace_size)
    launcher.launch(launcher.pack([array.ctypes.data for array in arrays], workspace), None)
    return [
        array
        for array, given in zip(arrays, call.used, strict=True)
        if given.argument in call.op.outputs
    ]


def _run(call: Call, place: str) -> tuple[Any, ...]:
    import numpy as np

    op, arrays = call.op, iter(_arrays(call))
    given: dict[str, Any] = dict.fromkeys(a.name for a in tensor_parameters(op))
    for a in op.inputs:  # tensors of which only the shape counts
        if not a.read and isinstance(call[a.name], Tensor):
            given[a.name] = np.zeros(call[a.name].shape, call[a.name].dtype.numpy)
    for each in call.used:
        array, name = next(arrays), each.argument.name
        if name not in given:
            continue
        given[name] = [*(given[name] or ()), array] if isinstance(call[name], tuple) else array
    results = call_at(place, op, given, call.attributes)
    return tuple(chain(*(one if isinstance(one, (list, tuple)) else (one,) for one in results)))


def _far(name: str, result: Any, expected: Any, dtype: DType, level: str, op: Op) -> Iterator[str]:
    """A sentence where a value is further off than roundings explain."""
    import numpy as np

    result, expected = (values.ravel() for values in (result, expected))
    if op.sized is not None:  # the room of which results take a part
        expected = expected[: result.size]
    if not result.size:
        return
    tolerance = 0.0
    if result.dtype.kind not in "iub":
        tolerance = _SLACK[level] * _EPSILON.get(dtype, 2.0**-24)
        if level == settings.FAST and dtype not in op.proof.fast:
            tolerance = max(tolerance, _UNPROMISED)
    found, wide = (values.astype(np.float64) for values in (result, expected))
    compared = ~((found == wide) | (np.isnan(found) & np.isnan(wide)))
    usual = np.where(np.isfinite(wide), wide, 0.0)
    with np.errstate(invalid="ignore"):
        error = np.where(compared, np.abs(found - wide), 0.0)
    # where terms cancel, beside what is usual
    allowed = tolerance * np.maximum(np.abs(wide), np.sqrt(np.mean(usual * usual)))
    wrong = compared & ~(error <= allowed)
    worst = int(np.argmax(wrong))
    if wrong.any():
        yield (
            f"{dtype} at level {level}: {name}'s element {worst} is {float(result[worst])!r}; "
            f"expected {float(expected[worst])!r}"
        )
