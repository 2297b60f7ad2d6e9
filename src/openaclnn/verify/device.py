"""Sweeps through all float32 numbers on a GPU: results and true values meet in its memory, and only
what is counted of every few of them comes back.

The truth is `trees`' own, told to symbols and printed as a kernel: pairs of float64, the same bits
as here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.arithmetic.nodes import Node, const, equal, make
from openaclnn.base import settings
from openaclnn.base.dtypes import FLOAT, DType
from openaclnn.base.records import dataclass
from openaclnn.calls.functions import call
from openaclnn.engines.cuda import ptx
from openaclnn.engines.cuda.body import INTERPRETER, printed
from openaclnn.engines.cuda.compile import Binary, Program, binary
from openaclnn.engines.cuda.kernel import HEAD
from openaclnn.ops import all_ops
from openaclnn.spec.op import Op
from openaclnn.spec.steps import elementwise
from openaclnn.truth import trees
from openaclnn.truth.double_double import Pair
from openaclnn.truth.reference import complete, meaning, numbers, reference
from openaclnn.truth.symbols import Symbol, Tables
from openaclnn.truth.ulp import format_of, special_errors
from openaclnn.verify import subjects
from openaclnn.verify.bounds import bound
from openaclnn.verify.tally import (
    PLACES,
    SUMS_IN_TRITON,
    THRESHOLDS,
    Tally,
    Worst,
    first_of,
    place_of,
)
from openaclnn.verify.tasks import TORCH, Task, quiet_nan, shown
from openaclnn.verify.trials import STRETCH, call_in, moves

BLOCK = 256  # inputs that one program judges, one to a thread
_WORST, _AT, _TRUE, _ABOVE = 0, 1, 2, 3
_ZEROS, _NANS, _SPECIALS, _FIRST, _ACTUAL, _LOW, _HIGH = (
    _ABOVE + len(THRESHOLDS) + place for place in range(7)
)
WORDS = 16  # of a program's row

_KERNEL = f"""
@triton.jit
def kernel(results, table, rows, start, first):
    j = tl.program_id(0)
    i = tl.arange(0, {BLOCK})
    place = j * {BLOCK} + i
    x0 = (start + place).to(tl.int32).to(tl.float32, bitcast=True)
    x1 = tl.load(results + place)
    x2, x3 = tl.load(table + 2 * place), tl.load(table + 2 * place + 1)
    error, true, zero, nan, special = judged(x0, x1, x2, x3, table)
    row = rows + j * {WORDS}
    worst = tl.max(error, 0)
    at = tl.min(tl.where(error == worst, i, {BLOCK}), 0)
    tl.store(row + {_WORST}, worst)
    tl.store(row + {_AT}, at.to(tl.float64))
    tl.store(row + {_TRUE}, tl.sum(tl.where(i == at, true, tl.zeros_like(true)), 0))
{{counts}}
    tl.store(row + {_ZEROS}, tl.sum(zero.to(tl.int32), 0).to(tl.float64))
    tl.store(row + {_NANS}, tl.sum(nan.to(tl.int32), 0).to(tl.float64))
    tl.store(row + {_SPECIALS}, tl.sum(special.to(tl.int32), 0).to(tl.float64))
    tl.store(row + {_FIRST}, tl.min(tl.where(special != 0, i, {BLOCK}), 0).to(tl.float64))
    tl.store(row + {_ACTUAL}, tl.sum(tl.where(i == at, x1, tl.zeros_like(x1)), 0).to(tl.float64))
    low, high = sums(x1, first + place)
    tl.store(row + {_LOW}, low.to(tl.float64, bitcast=True))
    tl.store(row + {_HIGH}, high.to(tl.float64, bitcast=True))
"""

_EVERY = f"""
@triton.jit
def kernel(results, table, rows, start, first):
    place = tl.program_id(0) * {BLOCK} + tl.arange(0, {BLOCK})
    tl.store(results + place, (start + place).to(tl.int32))
"""


@cache
def takes(op: Op, dtype: DType) -> bool:
    """Whether all values of an operator's one tensor can be judged there."""
    plain = op.steps is elementwise and len(op.outputs) == 1 and len(op.reads) == 1
    if not plain or dtype is not FLOAT or op.in_place or op.proof.values:
        return False
    promised = (bound(op, dtype, level) for level in settings.LEVELS)
    if any(one is not None and one.holds is not None for one in promised):
        return False
    made = call_in(op, dtype, (1,), op.proof.swept)
    dtypes = made[op.outputs[0].name].dtype, made.promoted
    if dtypes != (FLOAT, FLOAT) or moves(made, FLOAT):
        return False
    try:
        return truth(op, Symbol(make("load", "f64"), Tables())) is not None
    except (LookupError, TypeError):  # a fold, or a function that symbols have not
        return False


def kernels(tasks: Sequence[Task]) -> list[str]:
    """Of which operators some tasks need kernels: each is compiled once, side by side."""
    swept = {task.op: task.exhaustive for task in tasks if task.device == "cuda"}
    return [name for name, all_of in swept.items() if all_of and takes(all_ops()[name], FLOAT)]


@dataclass(frozen=True)
class KernelText:
    """A kernel's text and the numbers that it looks up."""

    text: str
    tables: NDArray[np.float64]
    arch: int


def judge_source(arch: int) -> str:
    """The kernel that judges results in float32 beside their true values."""
    tables = Tables()
    x: Any = Symbol(make("widen", "f64", make("load", "f32", value=0)), tables)
    halves: list[Any] = [Symbol(make("load", "f64", value=number), tables) for number in (2, 3)]
    found = _judged(x, make("load", "i32", value=1), Pair(*halves))
    counts = "\n".join(
        f"    tl.store(row + {_ABOVE + place}, "
        f"tl.sum((error > {threshold!r}).to(tl.int32), 0).to(tl.float64))"
        for place, threshold in enumerate(THRESHOLDS)
    )
    text = _function("judged", ("f32", "i32", "f64", "f64"), found, arch) + SUMS_IN_TRITON
    return text + _KERNEL.format(counts=counts)


_TRUTHS = f"""
@triton.jit
def kernel(results, table, rows, start, first):
    place = tl.program_id(0) * {BLOCK} + tl.arange(0, {BLOCK})
    high, low = truth(tl.load(results + place).to(tl.float32, bitcast=True), table)
    tl.store(rows + 2 * place, tl.broadcast_to(high, [{BLOCK}]))
    tl.store(rows + 2 * place + 1, tl.broadcast_to(low, [{BLOCK}]))
"""


@cache
def source(op: Op, arch: int) -> KernelText:
    """The kernel that writes true values of float32 numbers."""
    tables = Tables()
    true = truth(op, Symbol(make("widen", "f64", make("load", "f32", value=0)), tables))
    text = _function("truth", ("f32",), true, arch) + _TRUTHS
    return KernelText(text, tables.joined(), arch)


def truths(op: Op, x: NDArray[np.float32]) -> Pair:
    """The true values that a GPU has."""
    from openaclnn.engines.cuda.loaded_kernel import Launch
    from openaclnn.runtime.moving import Moving

    padded = np.resize(x, -(-x.size // BLOCK) * BLOCK)
    found = np.empty((padded.size, 2))
    function, tables = _loaded(op)
    with Moving() as moving:
        given, written = moving.there(padded), moving.there(found)
        words = [given.address, tables.address, written.address, 0, 0]
        Launch(function, padded.size // BLOCK, words).run(0)
        moving.back(written, found)
    return Pair(found[: x.size, 0], found[: x.size, 1])


def _function(name: str, loads: tuple[str, ...], results: Sequence[Symbol], arch: int) -> str:
    """A function of Triton's that returns what symbols stand for."""
    roots = tuple(one.node for one in results)
    if arch != INTERPRETER:
        return HEAD + ptx.straight_source(name, loads, roots) + "\n"
    lines, names = printed(roots, arch)
    lines.append(f"return {', '.join(names)}")
    arguments = ", ".join(f"x{number}" for number in range(len(loads)))
    head = f"@triton.jit\ndef {name}({arguments}, table):\n"
    return HEAD + head + "".join(f"    {line}\n" for line in lines) + "\n"


def truth(op: Op, x: Any) -> Any:
    """An operator's true values of a symbol, both halves symbols."""
    used = complete(op, op.proof.swept)
    (name,) = (a.name for a in op.reads)
    traced = op.traced(meaning(op), {name: True}, used)
    uniforms = numbers(op, traced.uniforms, used, 1, FLOAT)
    (found,) = trees.symbolic(traced, {name: Pair(x, np.float64(0.0))}, uniforms)
    high, low = (_symbol(half, x.tables) for half in found)
    return Pair(high, low)


def _symbol(value: Any, tables: Tables) -> Any:
    return value if isinstance(value, Symbol) else Symbol(const("f64", float(value)), tables)


def _judged(x: Any, result: Node, true: Any) -> tuple[Any, ...]:
    """What `measure`, `tasks` and `judging` say of results, of one: its error, the true value, and
    whether it is a zero of the wrong sign, a NaN that is not the type's, or wrong where x is no
    number."""
    form = format_of(FLOAT)
    value: Any = Symbol(make("widen", "f64", make("float", "f32", result)), x.tables)
    binade = (np.abs(true.high) * (1 - 2.0**-53)).view(np.int64) & (0x7FF << 52)
    step = np.clip(binade.view(np.float64), 2.0**form.lowest, 2.0**form.highest)
    step = step * 2.0 ** (1 - form.bits)
    off = np.abs((value - true.high) - true.low) / step
    both = np.isfinite(value) & np.isfinite(true.high)
    error = np.where(both, off, special_errors(value, true, step, form))
    special = np.isinf(error) & ~np.isfinite(x)
    error = np.where(special, 0.0, error)
    zero = (value == 0) & (np.signbit(value) ^ np.signbit(true.high)) & ~np.isnan(true.high)
    other = Symbol(~equal(result, int(np.int32(quiet_nan(FLOAT)))), x.tables)
    nan = np.isnan(value) & np.isnan(true.high) & other
    return error, true.high, zero, nan, special


class _Room:
    """Memory for one stretch of a sweep: inputs, results, true values and what is counted, and that
    here."""

    def __init__(self, size: int) -> None:
        from openaclnn.runtime.moving import Moving

        self.moving = Moving()
        self.x, self.y = (self.moving.there(np.zeros(size, np.float32)) for _ in range(2))
        self.truth = self.moving.there(np.empty((size, 2)))
        self.rows = np.zeros((size // BLOCK, WORDS))
        self.counted = self.moving.there(self.rows)

    def results(self) -> NDArray[np.float32]:
        found = np.empty(self.y.view.numel, np.float32)
        self.moving.back(self.y, found)
        return found


@cache
def _room(size: int) -> _Room:
    return _Room(size)


def program(text: str, arch: int) -> Program:
    addresses = (("results", "*i32"), ("table", "*fp64"), ("rows", "*fp64"))
    signature = (*addresses, ("start", "i64"), ("first", "i64"))
    return Program(text, signature, (16, 16, 16, 1, 1), BLOCK // 32, arch, 0)


def compile_for(op: Op) -> tuple[KernelText, Binary]:
    """The kernel of an operator's true values, compiled, which may take a minute, and kept on the
    disk."""
    import openaclnn.runtime.cuda as runtime

    runtime.set_device(0)
    found = source(op, runtime.architecture(0))
    return found, binary(program(found.text, found.arch))


@cache
def _loaded(op: Op) -> tuple[Any, Any]:
    """A kernel in the driver, and its tables in the device's memory."""
    from openaclnn.engines.cuda.loaded_kernel import function
    from openaclnn.runtime.moving import Moving

    found, code = compile_for(op)
    return function(code), Moving().there(found.tables)


@cache
def _for_all() -> tuple[Any, Any]:
    """The kernels that write a stretch of all float32 numbers, and that judge results."""
    import openaclnn.runtime.cuda as runtime
    from openaclnn.engines.cuda.loaded_kernel import function

    arch = runtime.architecture(0)
    every, judge = (program(text, arch) for text in (HEAD + _EVERY, judge_source(arch)))
    return function(binary(every)), function(binary(judge))


def judged(op: Op, task: Task, size: int) -> Iterator[tuple[str, Tally]]:
    """The tallies of everybody on so many inputs, from where the task begins; PyTorch's where it
    takes the call."""
    from openaclnn.engines.cuda.loaded_kernel import Launch

    made = call_in(op, FLOAT, (size,), op.proof.swept)
    (truths, tables), (every, judge), room = _loaded(op), _for_all(), _room(size)
    start = task.index * STRETCH

    def launch(kernel: Any, *tensors: Any) -> None:
        addresses = [tensor.address for tensor in tensors]
        Launch(kernel, len(room.rows), [*addresses, start, first_of(task.part, start)]).run(0)

    launch(every, room.x, tables, room.counted)
    launch(truths, room.x, tables, room.truth)
    for name in task.subjects:
        if name == TORCH:
            theirs = _torchs(op, numbers_from(start, size), made.attributes)
            if theirs is None:
                continue
            room.moving.to(room.y, theirs)
        else:
            with settings.using(math=name, product=made.product.name):
                call(op, {op.reads[0].name: room.x}, made.attributes, [room.y])
        launch(judge, room.y, room.truth, room.counted)
        room.moving.back(room.counted, room.rows)
        yield name, counted(op, task, name, room.rows, room.results)


def numbers_from(start: int, size: int, step: int = 1) -> NDArray[np.float32]:
    """The float32 of a stretch of patterns."""
    return np.arange(start, start + size, step, dtype=np.uint32).view(np.float32)


def _torchs(op: Op, x: NDArray[Any], attributes: Mapping[str, Any]) -> NDArray[Any] | None:
    given = {op.reads[0].name: x}
    try:
        (found,) = subjects.torch_called(op, "cuda", given, attributes, (FLOAT,))
    except Exception:  # whatever PyTorch does not like about the call
        return None
    return found


def counted(
    op: Op,
    task: Task,
    name: str,
    rows: NDArray[Any],
    results: Callable[[], NDArray[np.float32]],
) -> Tally:
    """A tally from what the kernel counted; the results are asked for where one is no number that
    should be."""
    size, start = len(rows) * BLOCK, task.index * STRETCH
    tally = Tally(size, rounded=True)
    if name != TORCH:
        low, high = (int(rows[:, k].copy().view(np.uint64).sum()) for k in (_LOW, _HIGH))
        tally.digest = low + (high << 64)
        tally.wrong_zeros, tally.wrong_nans = (int(rows[:, k].sum()) for k in (_ZEROS, _NANS))
    tally.above[:] = rows[:, _ABOVE : _ABOVE + len(THRESHOLDS)].sum(axis=0)
    tally.wrong_specials = int(rows[:, _SPECIALS].sum())

    def at(error: float, place: int, actual: float, true: float) -> Worst:
        (x,) = numbers_from(start + place, 1)
        order = task.part, task.index + place // STRETCH, place % STRETCH
        return Worst(error, order, (float(x),), shown(op.proof.swept), actual, true)

    block = int(rows[:, _WORST].argmax())
    row = rows[block]
    actual = np.int64(row[_ACTUAL]).astype(np.int32).view(np.float32)
    place = block * BLOCK + int(row[_AT])
    tally.worst = at(float(row[_WORST]), place, float(actual), float(row[_TRUE]))
    if tally.wrong_specials:
        block = int((rows[:, _SPECIALS] > 0).argmax())
        place = block * BLOCK + int(rows[block, _FIRST])
        true = reference(op, [numbers_from(start + place, 1)[0]], op.proof.swept)
        tally.special = at(np.inf, place, float(results()[place]), float(true.high))
    peaks = np.zeros(PLACES)
    largest = np.where(np.isfinite(rows[:, _WORST]), rows[:, _WORST], 0.0)
    firsts = numbers_from(start, size, BLOCK)
    np.maximum.at(peaks, place_of(firsts.astype(np.float64)), largest)
    kept = np.flatnonzero(peaks)
    tally.places, tally.peaks = kept.astype(np.uint16), peaks[kept]
    return tally
