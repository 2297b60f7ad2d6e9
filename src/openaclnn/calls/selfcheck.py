"""Does it work on this machine? Every operator on small arrays, for all of its dtypes."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from openaclnn.base import products, settings
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT16, DType
from openaclnn.calls.functions import attribute, tensor_parameters
from openaclnn.calls.placed import call_at
from openaclnn.ops import all_ops
from openaclnn.runtime import cuda_exists
from openaclnn.spec import describe
from openaclnn.spec.op import Op

_SIZE = 1 << 16  # enough for threads to share
_SLACK = {settings.EXACT: 4, settings.FAST: 64}  # roundings; far less than anything broken gives
_EPSILON = {FLOAT16: 2.0**-11, BF16: 2.0**-8, DOUBLE: 2.0**-50}  # half an ULP; float32's otherwise


@dataclass(frozen=True)
class Result:
    """One thing that was tried; `why` is empty where it went well."""

    name: str
    what: str
    why: str


def self_check() -> Iterator[Result]:
    """One result per operator."""
    where = ["cpu", "cuda"] if cuda_exists() else ["cpu"]
    for op in all_ops().values():
        names = " ".join(dtype.short for dtype in describe.dtypes(op))
        try:
            with settings.using(product=products.DEFAULT.name):  # which has everything
                why = next(_faults(op, where), "")
        except Exception as error:  # whatever breaks, the rest is to be checked
            why = f"{type(error).__name__}: {error}"
        yield Result(op.name, f"{names} on {' and '.join(where)}", why)


def _faults(op: Op, where: list[str]) -> Iterator[str]:
    yield from _example(op)
    for dtype in describe.dtypes(op):
        inputs, expected = _numbers(op, dtype)
        for level in settings.LEVELS:
            with settings.using(math=level):
                results = [_run(op, inputs, place) for place in where]
            yield from _far(results[0], expected, dtype, level)
            if any(result.tobytes() != results[0].tobytes() for result in results):
                yield f"{dtype} at level {level} has other bits on {where[-1]} than on {where[0]}"


def _example(op: Op) -> Iterator[str]:
    """The operator's own example: known values, to the last digit printed."""
    test = doctest.DocTestParser().get_doctest(op.example, {}, op.name, None, None)
    said: list[str] = []
    with settings.using(math=settings.EXACT):
        failed = doctest.DocTestRunner(verbose=False).run(test, out=said.append).failed
    if failed:
        yield f"its example gives something else:{''.join(said)}"


def _numbers(op: Op, dtype: DType) -> tuple[dict[str, Any], Any]:
    """Inputs of a dtype, and the formula's values in float64."""
    import numpy as np

    from openaclnn.engines.plain import evaluate

    draw = np.random.default_rng(0)
    inputs = {a.name: draw.normal(0, 3, _SIZE).astype(dtype.numpy) for a in op.reads}
    attributes = {a.name: attribute(op, a, a.default) for a in op.attributes}
    names = op.traced_in("f64").uniforms
    uniforms = dict(zip(names, op.numbers(names, attributes, _SIZE, dtype), strict=True))
    wide = {name: array.astype(np.float64) for name, array in inputs.items()}
    return inputs, evaluate(op.traced_in("f64").results[0], wide, uniforms)


def _run(op: Op, inputs: dict[str, Any], place: str) -> Any:
    given = {a.name: inputs.get(a.name) for a in tensor_parameters(op)}
    attributes = {a.name: attribute(op, a, a.default) for a in op.attributes}
    return call_at(place, op, given, attributes)[0]


def _far(result: Any, expected: Any, dtype: DType, level: str) -> Iterator[str]:
    """A sentence where a value is further off than roundings explain."""
    import numpy as np

    tolerance = _SLACK[level] * _EPSILON.get(dtype, 2.0**-24)
    error = np.abs(result.astype(np.float64) - expected)
    allowed = tolerance * np.maximum(np.abs(expected), tolerance)  # beside a root: absolutely
    worst = int(np.argmax(error - allowed))
    if not (error <= allowed).all():
        yield (
            f"{dtype} at level {level}: element {worst} is {float(result[worst])!r}; "
            f"expected {float(expected[worst])!r}"
        )
