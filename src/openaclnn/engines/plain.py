"""The plain engine: the formula in NumPy, float64 inside, one operation after the other.

Slow and obvious. Nobody runs it but the tests, which ask whether the fast engines agree with it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from openaclnn.base.dtypes import DType
from openaclnn.plan import Plan
from openaclnn.spec.formula import Expr

_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "abs": np.abs,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "where": np.where,
    "ge": np.greater_equal,
    "clamp": np.clip,
    "exp": np.exp,
    "known_as": lambda value: value,
    "near": lambda x, value: value,
}


def evaluate(expr: Expr, inputs: dict[str, Any], uniforms: dict[str, float]) -> Any:
    """The value of a formula on float64 arrays."""
    if expr.op == "const":
        return expr.value
    if expr.op in ("input", "uniform"):
        return (inputs if expr.op == "input" else uniforms)[expr.name]
    arguments = [evaluate(arg, inputs, uniforms) for arg in expr.args]
    with np.errstate(all="ignore"):
        return _OPERATIONS[expr.op](*arguments)


class PlainLauncher:
    """A plan, run by NumPy on the memory itself."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        return list(addresses)

    def launch(self, packed: Any, stream: int | None) -> None:
        plan = self.plan
        *arrays, out = [
            _array(address, number, dtype, plan)
            for number, (address, dtype) in enumerate(
                zip(packed, (*plan.inputs, plan.out), strict=True)
            )
        ]
        names = [argument.name for argument in plan.op.read_inputs]
        uniforms = dict(zip(plan.op.uniform_names, plan.uniforms, strict=True))
        with np.errstate(all="ignore"):
            inputs = {n: a.astype(np.float64) for n, a in zip(names, arrays, strict=True)}
            # what float32 has room for, float64 has for any input
            value = evaluate(plan.op.expression_in("f32"), inputs, uniforms)
            value = np.where(np.isnan(value), np.nan, value)  # whatever NaN it was
            out[...] = value.astype(plan.promoted.numpy)


def _array(address: int, operand: int, dtype: DType, plan: Plan) -> np.ndarray[Any, Any]:
    """An operand as NumPy sees it, over all of the loop."""
    size = dtype.itemsize
    loop = plan.loop
    strides = loop.strides[operand]
    spans = [(n - 1) * s for n, s in zip(loop.sizes, strides, strict=True)]
    low = sum(span for span in spans if span < 0)
    count = sum(map(abs, spans)) + 1
    start = address + (loop.starts[operand] + low) * size
    memory = (ctypes.c_char * (count * size)).from_address(start)
    flat = np.frombuffer(memory, dtype.numpy)  # type: ignore[call-overload]
    return np.lib.stride_tricks.as_strided(
        flat[-low:], loop.sizes, [stride * size for stride in strides]
    )


class PlainEngine:
    """Runs plans on host memory, obviously."""

    def prepare(self, plan: Plan) -> PlainLauncher:
        return PlainLauncher(plan)

    def allocate(self, size: int) -> tuple[int, object]:
        buffer = ctypes.create_string_buffer(size)
        return ctypes.addressof(buffer), buffer
