"""The plain engine: the formula in NumPy, float64 inside, one operation after the other.

Slow and obvious. Tests and `openaclnn doctor` ask whether the fast engines agree with it.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from openaclnn.arithmetic.folding import DIGIT, SPECIAL, Folding
from openaclnn.base.dtypes import INT4, POSITION, DType, integers
from openaclnn.base.layouts import unpacked
from openaclnn.engines.plain_routines import routine_results
from openaclnn.plan import Pass, Plan, RoutinePass
from openaclnn.spec.formula import Expr
from openaclnn.spec.op import Op


def _trunc_div(a: Any, b: Any) -> Any:
    return np.trunc(a / b) if _float(a, b) else _whole(b, a - np.fmod(a, b))


def _floor_div(a: Any, b: Any) -> Any:
    return np.floor_divide(a, b) if _float(a, b) else _whole(b, a - np.mod(a, b))


def _whole(b: Any, multiple: Any) -> Any:
    """How often b goes into a multiple of it; a/0 is 0."""
    return np.where(b == 0, 0, np.floor_divide(multiple, np.where(b == 0, 1, b)))


def _fmod(a: Any, b: Any) -> Any:
    return np.fmod(a, b) if _float(a, b) else np.where(b == 0, a, np.fmod(a, b))


def _remainder(a: Any, b: Any) -> Any:
    return np.mod(a, b) if _float(a, b) else np.where(b == 0, a, np.mod(a, b))


def _float(*numbers: Any) -> bool:
    return any(np.asarray(number).dtype.kind == "f" for number in numbers)


def _shifted(x: Any, places: Any, shift: Any, beyond: Any) -> Any:
    inside = (places >= 0) & (places < 64)
    return np.where(inside, shift(x, np.where(inside, places, 0)), beyond)


# NumPy's words for the vocabulary's; all others are the same, or below.
WORDS = {
    "sub": "subtract", "mul": "multiply", "div": "divide", "neg": "negative", "lt": "less",
    "le": "less_equal", "gt": "greater", "ge": "greater_equal", "and": "logical_and",
    "or": "logical_or", "xor": "logical_xor", "not": "logical_not", "clamp": "clip",
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "asinh": "arcsinh",
    "acosh": "arccosh", "atanh": "arctanh", "pow": "power", "round": "rint",
    "bit_and": "bitwise_and", "bit_or": "bitwise_or", "bit_xor": "bitwise_xor",
    "shift_left": "left_shift", "shift_right": "right_shift", "floor_div": "floor_divide",
}  # fmt: skip

# What NumPy has no word for, or another meaning: of integers most often.
_OPERATIONS: dict[str, Callable[..., Any]] = {
    "trunc_div": _trunc_div,
    "floor_div": _floor_div,
    "fmod": _fmod,
    "remainder": _remainder,
    "shift_left": lambda x, places: _shifted(x, places, np.left_shift, 0),
    "shift_right": lambda x, places: _shifted(x, places, np.right_shift, np.where(x < 0, -1, 0)),
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "pow": lambda x, y: power(x, y),
    "erf": np.vectorize(math.erf, otypes=[np.float64]),
    "erfc": np.vectorize(math.erfc, otypes=[np.float64]),
    "erfinv": lambda x: _erfinv(x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "known_as": lambda value: value,
    "among_integers": lambda value: value,
    "among_numbers": lambda value: value,
    "as_number": lambda value: value,
    "near": lambda x, value: value,
}


def _operation(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = _OPERATIONS.get(name) or getattr(np, WORDS.get(name, name))
    return found


def power(x: Any, y: Any) -> Any:
    """x^y; of integers it wraps, and a negative power is 0 unless it is whole."""
    if np.result_type(x, y).kind == "f":
        return np.power(x, y)
    of_one = np.where(np.equal(x, 1), 1, np.where(np.equal(x, -1), np.where(y % 2, x, 1), 0))
    return np.where(np.less(y, 0), of_one, np.power(x, np.maximum(y, 0)))


def _erfinv(x: Any) -> Any:
    """By bisection."""
    size = np.abs(np.asarray(x, np.float64))
    low, high = np.zeros_like(size), np.full_like(size, 6.0)
    for _ in range(60):
        middle = (low + high) / 2
        below = _OPERATIONS["erfc"](middle) > 1 - size
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    found = np.where(size == 1, np.inf, np.where(size < 1, high, np.nan))
    return np.copysign(np.where(size < 1e-8, size * (math.sqrt(math.pi) / 2), found), x)


_WORD = (1 << 32) - 1


def random_numbers(kind: str, half: int, position: Any, *stream: Any) -> Any:
    """Philox4x32-10 in NumPy: see `openaclnn.spec.random`."""
    place = np.asarray(position, np.float64 if np.asarray(position).dtype.kind == "f" else np.int64)
    place = place.astype(np.uint64)
    seed_low, seed_high, *offset = (np.uint64(int(np.ravel(word)[0])) for word in stream)
    mask, half_word = np.uint64(_WORD), np.uint64(32)
    c = [place & mask, place >> half_word, *(np.full_like(place, word) for word in offset)]
    key = [seed_low, seed_high]
    for _ in range(10):
        low, high = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [
            (high >> half_word) ^ c[1] ^ key[0],
            high & mask,
            (low >> half_word) ^ c[3] ^ key[1],
            low & mask,
        ]
        bumps = (0x9E3779B9, 0xBB67AE85)
        key = [np.uint64(int(k) + bump & _WORD) for k, bump in zip(key, bumps, strict=True)]
    bits = (c[2 * half] << half_word) | c[2 * half + 1]
    if kind == "integer":
        return (bits >> np.uint64(1)).astype(np.int64)
    kept = bits >> np.uint64(11)
    return (kept if kind == "unit" else kept | np.uint64(1)).astype(np.float64) * 2.0**-53


def evaluate(
    expr: Expr,
    inputs: dict[str, Any],
    uniforms: dict[str, float],
    done: dict[int, Any] | None = None,
) -> Any:
    """The value of a formula on float64 arrays; `done` are those of its parts that are known."""
    done = {} if done is None else done
    if id(expr) not in done:
        done[id(expr)] = _evaluated(expr, inputs, uniforms, done)
    return done[id(expr)]


def _evaluated(
    expr: Expr, inputs: dict[str, Any], uniforms: dict[str, float], done: dict[int, Any]
) -> Any:
    if expr.op == "peek":
        return looked_up(expr, inputs, uniforms, done)
    if expr.op == "floored":
        with np.errstate(all="ignore"):
            kind = np.float64 if expr.name else np.float32
            narrow = {name: np.asarray(x).astype(kind) for name, x in inputs.items()}
            single = {name: kind(number) for name, number in uniforms.items()}
            return np.floor(evaluate(expr.args[0], narrow, single)).astype(np.int64)
    if expr.op == "const":
        return expr.value
    if expr.op in ("input", "uniform"):
        return (inputs if expr.op == "input" else uniforms)[expr.name]
    arguments = [evaluate(arg, inputs, uniforms, done) for arg in expr.args]
    if expr.op == "random":
        return random_numbers(expr.name, int(expr.value), *arguments)
    if expr.op in ("add", "sub"):  # a condition is a number, 0 or 1
        arguments = [a.astype(int) if np.asarray(a).dtype == bool else a for a in arguments]
    with np.errstate(all="ignore"):
        return _operation(expr.op)(*arguments)


def looked_up(
    expr: Expr, inputs: dict[str, Any], uniforms: dict[str, float], done: dict[int, Any]
) -> Any:
    """Elements by their addresses, zeros where there are none."""
    address, there = (np.asarray(evaluate(arg, inputs, uniforms, done)) for arg in expr.args[:2])
    element = inputs[expr.name].dtype.metadata["element"]
    address, there = np.broadcast_arrays(address.astype(np.int64), there.astype(bool))
    found = np.zeros(address.shape, element.numpy)
    places = address[there]
    if places.size:
        low, size = int(places.min()), element.itemsize
        memory = (ctypes.c_char * (int(places.max()) - low + size)).from_address(low)
        offsets = (places - low)[:, None] + np.arange(size)
        found[there] = np.frombuffer(memory, np.uint8)[offsets].view(element.numpy)[:, 0]
    return found if found.dtype.kind in "iub" else found.astype(np.float64)


class PlainLauncher:
    """A plan, run by NumPy on the memory itself."""

    trying = False

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        return list(addresses), workspace

    def launch(self, packed: Any, stream: int | None) -> int | None:
        addresses, workspace = packed
        for one in self.plan.passes:
            if isinstance(one, RoutinePass):
                operands = [
                    _seen(place.address(addresses, workspace) + start, v.dtype, v.shape, v.strides)
                    for place, v, start in zip(one.places, one.views, one.starts, strict=True)
                ]
                inputs, outputs = operands[: one.inputs], operands[one.inputs :]
                results = routine_results(one.routine, inputs, outputs)
                for out, value in zip(outputs, results, strict=True):
                    out[...] = value
                continue
            arrays = [
                _positions(number, one, place.address(addresses, workspace))
                if one.dtypes[number] is POSITION or one.dtypes[number].element
                else _array(place.address(addresses, workspace), number, one)
                for number, place in enumerate(one.places)
            ]
            inputs, outputs = arrays[: one.written.start], arrays[one.written.start :]
            with np.errstate(all="ignore"):
                found = (
                    _values(self.plan.op, one, inputs) if one.fold is None else _folded(one, inputs)
                )
                targets = one.dtypes[one.written.start :]
                for out, value, target in zip(outputs, found, targets, strict=True):
                    out[...] = _cut(value, target)
        if self.plan.count is None:
            return None
        return ctypes.c_int64.from_address(workspace + self.plan.count).value

    def compiled(self, packed: Any) -> None:
        return None


def _values(op: Op, one: Pass, arrays: list[Any]) -> list[Any]:
    """What a pass computes, as its dtypes have it."""
    if one.formula is None:
        return arrays
    assert one.promoted is not None
    # what float32 has room for, float64 has for any input
    tree = op.traced_in("f32") if op.in_float32 else one.formula
    kind = np.int64 if one.promoted.kind in ("int", "bool") else np.float64
    wide = {
        name: array if dtype.element else array.astype(kind)
        for name, array, dtype in zip(tree.inputs, arrays, one.dtypes, strict=False)
    }
    uniforms = dict(zip(tree.uniforms, one.uniforms, strict=True))
    return [_rounded(evaluate(result, wide, uniforms), one.promoted) for result in tree.results]


def _folded(one: Pass, arrays: list[Any]) -> list[Any]:
    """What terms make together, row by row."""
    assert one.fold is not None
    assert one.formula is not None
    assert one.promoted is not None
    tree, fold = one.formula, one.fold
    kind = np.int64 if one.promoted.kind in ("int", "bool") else np.float64
    wide = {
        name: array if dtype.element else array.astype(kind)
        for name, array, dtype in zip(tree.inputs, arrays, one.dtypes, strict=False)
    }
    uniforms = dict(zip(tree.uniforms, one.uniforms, strict=True))
    terms = np.broadcast_to(
        evaluate(tree.results[0], wide, uniforms), (*one.loop.sizes, *fold.folded.sizes)
    )
    terms = terms.reshape(math.prod(one.loop.sizes), fold.count)
    if fold.how.kind == "digits":
        rows = np.array([_digits(row, fold.how) for row in terms], np.int64)
        return [rows.reshape(*one.loop.sizes, -1)]
    if fold.how.kind == "max":
        found = terms.max(axis=1)
    elif kind is np.int64:
        found = terms.sum(axis=1)
    else:
        found = np.array([_sum(row) for row in terms])
        found = found / fold.divisor if fold.how.kind == "mean" else found
    return [_rounded(found.reshape(one.loop.sizes), one.promoted)]


def _digits(row: Any, how: Folding) -> list[int]:
    """The exact sum as integers; the last has all above it."""
    special = float(row[~np.isfinite(row)].sum())
    counts = [int(math.isnan(special)), int(special == math.inf), int(special == -math.inf)]
    finite = row[np.isfinite(row)]
    total = int(sum(map(Fraction, finite), Fraction(0)) / Fraction(2) ** how.lowest)
    lower = [total >> DIGIT * k & (1 << DIGIT) - 1 for k in range(how.left - 1)]
    last = (total >> DIGIT * (how.left - 1)) + (1 << 63) & (1 << 64) - 1
    return [*counts, *lower, last - (1 << 63)]


def _sum(row: Any) -> float:
    return math.fsum(row) if np.isfinite(row).all() else float(row.sum())


def _rounded(value: Any, promoted: DType) -> Any:
    value = np.asarray(value)
    if value.dtype == bool:  # a comparison
        return value
    if value.dtype == np.float64:
        value = np.where(np.isnan(value), np.nan, value)  # whatever NaN it was
    return value.astype(promoted.numpy)


def _cut(value: Any, target: DType) -> Any:
    """Floats that become integers are cut towards 0 and saturated, NaN is 0; all else as it is."""
    if target.kind != "int" or value.dtype.kind in "iubc":
        return value
    wide, numbers = value.astype(np.float64), integers(target)
    inside = (wide >= numbers.start) & (wide < numbers.stop)
    found = np.where(inside, wide, 0).astype(target.numpy)
    found[wide >= numbers.stop] = numbers.stop - 1
    found[wide < numbers.start] = numbers.start
    return found


def _positions(operand: int, one: Pass, base: int) -> np.ndarray[Any, Any]:
    sizes, strides = _walked(operand, one)
    indices = np.indices(sizes, np.int64)
    along = np.array(strides, np.int64).reshape(-1, *[1] * len(sizes))
    found = np.asarray((indices * along).sum(axis=0) + one.loop.starts[operand] + base)
    element = one.dtypes[operand].element
    return found.astype(np.dtype(np.int64, metadata={"element": element})) if element else found


def _walked(operand: int, one: Pass) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """An operand's sizes and strides over the loop; what is read, over what is folded, too."""
    sizes, strides = one.loop.sizes, one.loop.strides[operand]
    if one.fold is None or operand >= one.written.start:
        return sizes, strides
    folded = one.fold.folded
    return (*sizes, *folded.sizes), (*strides, *folded.strides[operand])


def _array(address: int, operand: int, one: Pass) -> np.ndarray[Any, Any]:
    """An operand as NumPy sees it."""
    dtype, loop = one.dtypes[operand], one.loop
    size = dtype.itemsize
    sizes, strides = _walked(operand, one)
    written = operand >= one.written.start
    if written and one.fold is not None and one.fold.how.kind == "digits":
        sizes, strides = (*sizes, SPECIAL + one.fold.how.left), (*strides, 1)
    return _seen(address + loop.starts[operand] * size, dtype, sizes, strides)


def _seen(
    address: int, dtype: DType, sizes: Sequence[int], strides: Sequence[int]
) -> np.ndarray[Any, Any]:
    """Memory from an element on as an array; numbers of 4 bits as a copy of 8."""
    if dtype is INT4:
        steps = [(n - 1) * s for n, s in zip(sizes, strides, strict=True)]
        low = sum(step for step in steps if step < 0) // 2
        count = 0 if 0 in sizes else sum(step for step in steps if step > 0) // 2 + 1 - low
        bytes = (ctypes.c_char * count).from_address(address + low)
        memory = np.frombuffer(bytes, np.uint8)  # type: ignore[call-overload]
        found: np.ndarray[Any, Any] = unpacked(memory, tuple(sizes), tuple(strides), -2 * low)
        return found
    if 0 in sizes:
        return np.empty(sizes, dtype.numpy)
    spans = [(n - 1) * s for n, s in zip(sizes, strides, strict=True)]
    low = sum(span for span in spans if span < 0)
    count, size = sum(map(abs, spans)) + 1, dtype.itemsize
    memory = (ctypes.c_char * (count * size)).from_address(address + low * size)
    flat = np.frombuffer(memory, dtype.numpy)  # type: ignore[call-overload]
    return np.lib.stride_tricks.as_strided(
        flat[-low:], sizes, [stride * size for stride in strides]
    )


class PlainEngine:
    """Runs plans on host memory, obviously."""

    def prepare(self, plan: Plan) -> PlainLauncher:
        return PlainLauncher(plan)

    def workspace_size(self, plan: Plan) -> int:
        return plan.workspace_size

    def allocate(self, size: int, stream: int | None = None) -> tuple[int, object]:
        buffer = ctypes.create_string_buffer(size)
        return ctypes.addressof(buffer), buffer
