"""A plan on the CPU: which kernel, over which tiles, on how many threads."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache, partial
from itertools import zip_longest
from operator import add, mul
from typing import TYPE_CHECKING, Any, NamedTuple

from openaclnn.arithmetic.lower import Body
from openaclnn.arithmetic.simplify import (
    fewer_choices,
    kinds_of,
    simplified,
    unguarded_where_finite,
    unguarded_where_numbers,
)
from openaclnn.base.floating import plain_arithmetic
from openaclnn.base.status import AclnnError, Status
from openaclnn.base.trace import (
    WordTable,
    all_of,
    any_of,
    is_traced,
    least,
    less,
    most,
    pick,
)
from openaclnn.engines import Compiled, Launched, Shared
from openaclnn.engines.cpu import compile, threads
from openaclnn.engines.cpu.fastest import Fastest
from openaclnn.engines.cpu.kernel import (
    COLUMN,
    ELEMENT,
    IN_ROW,
    IN_VECTORS,
    NAME,
    NAME_OF_ALL,
    Step,
    kernel_ir,
    step,
    step_in_vectors,
    step_of_row,
)
from openaclnn.engines.cpu.large_tiling import FarTiling, RowTiling, TurnedTiling
from openaclnn.engines.cpu.processor import last_cache
from openaclnn.engines.cpu.routines import KernelRunner, Runner, runner_of
from openaclnn.engines.cpu.rows import (
    ALL_UNITS,
    IN_TURN,
    SHARED,
    SOME_UNITS,
    in_turn_ir,
    units_ir,
)
from openaclnn.engines.cpu.tiling import IN_LINE, UnitTiling, patterns_of
from openaclnn.plan import WORKSPACE, Pass, Place, Plan, RoutinePass
from openaclnn.plan.loop import Loop
from openaclnn.spec.steps import POSITIONS

if TYPE_CHECKING:
    from openaclnn.arithmetic.folding import Folding
    from openaclnn.engines.cpu.fold import FoldUnits
    from openaclnn.engines.cpu.row_units import RowUnits
    from openaclnn.plan.folds import Rows

_SERIAL_BELOW = 32768  # elements for which waking a thread takes longer than the work
_HOLDING_BELOW = 4096  # elements for which giving Python's lock away takes longer than the work

# Caches full of operands from which on an output is better written past them. Time that way against
# the usual on two threads beside a cache of 32 MiB, where loads and stores decide (leaky ReLU,
# smooth L1, hardsigmoid; float32, float16), alone | with one after it that reads the output:
#   at 0.75   0.9 to 1.4 | 1.1 to 1.6        at 1.5   0.7 to 0.9 | 0.9 to 1.0
#   at 1      0.8 to 1.2 | 0.8 to 1.2        at 2     0.6 to 0.8 | 0.9 to 1.0
#   at 1.25   0.7 to 1.1 | 1.0 to 1.1        at 3     0.6 to 0.9 | 0.9 to 1.0
# On one thread 1.25 is ahead in both, 0.8 to 0.9 | 0.9 to 1.0; exponentials do not care
_BEYOND_CACHE = 1.25
# The same of outputs for which nothing is read: 2 caches full are filled in 0.9 of the time the
# usual way, 4 past them
_BEYOND_CACHE_ALONE = 3.0
# Bytes: of shorter rows the ends cost more than is gained, 0.6 to 0.9 of the time. Where rows begin
# anywhere in a line, past the caches takes 1.4 to 1.7 times as long for 2 KiB, 1.0 to 1.2 for 5,
# 0.9 to 1.0 for 8, 0.7 to 0.9 for 16
_LONG_ROW, _LONG_UNEVEN_ROW = 2048, 8192
# The same where tiles of whole lines are asked for ahead: 566 transposes of 240 x 157 float32 take
# 0.75 of the time past the caches
_LONG_ROW_OF_TILES = 256

_MOST_WORDS = 512  # of a launch that needs no Python: calls/replay/launch.h

_HOLDING = ctypes.PYFUNCTYPE(None, ctypes.c_char_p)
_RELEASING = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
_SHARING = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int32)


class _Kernel(NamedTuple):
    """A kernel's address, that of the function that runs it on all units, and that function with
    Python's lock and without."""

    address: int
    of_all: int
    holding: Any
    releasing: Any


class _Steps:
    """What kernels of a body take at once, by the bits of a row's length; long ones are alike."""

    def __init__(self, body: Body, alone: bool = False) -> None:
        self.steps = [step(body, 1 << bits, compile.has("avx512f"), alone) for bits in range(7)]
        # whether an element is little work: numbers of 16 bits are taken apart and put together
        self.light = self.steps[-1].bits == 256 and max(body.sizes) > 2

    @staticmethod
    def bits(columns: int) -> int:
        """By what the steps are told apart."""
        found: int = least(most(columns - 1, 0), 63).bit_length()
        return found

    def of(self, columns: int) -> Step:
        return self.steps[self.bits(columns)]

    def of_row(self, columns: int) -> Step:
        """The same where all rows have so few."""
        return step_of_row(self.of(columns), columns, self.light)


class _BodyKernels:
    """The kernels of a body for numbers of certain kinds. Sizes, strides and the numbers themselves
    are a kernel's to take: a new layout finds its kernel by a short key, and none is printed."""

    def __init__(self, body: Body, kinds: tuple[float, ...]) -> None:
        short = unguarded_where_finite(fewer_choices(simplified(body, kinds)))
        self.body = unguarded_where_numbers(short)
        self.steps = _Steps(self.body)
        self.made: dict[tuple[str, Step, bool, bool], _Kernel] = {}
        self.of_units, self.of_all = WordTable(), WordTable()

    def looked_up(self, tiling: UnitTiling) -> tuple[int, int]:
        """The usual kernel of a tiling, and the one that runs all units, as a trace looks them
        up."""
        bits = self.steps.bits(tiling.columns)
        operands = len(tiling.axes[0][1])

        def kernel(key: int) -> _Kernel:
            patterns = patterns_of(key >> 3, operands)
            return self.kernel(patterns, self.steps.steps[key & 7], streaming=False)

        key = 8 * tiling.code + bits
        of_units = self.of_units.find(key, lambda key: kernel(key).address)
        return of_units, self.of_all.find(key, lambda key: kernel(key).of_all)

    def kernel(self, patterns: str, at_once: Step, streaming: bool, far: bool = False) -> _Kernel:
        # there is nothing to transpose in positions, which lie nowhere
        patterns = "".join(
            "s" if pattern == "t" and load == "position" else pattern
            for pattern, load in zip_longest(patterns, self.body.loads)
        )
        key = patterns, at_once, streaming, far
        found = self.made.get(key)
        if found is None:
            found = self.made[key] = self._make(patterns, at_once, streaming, far)
        return found

    @plain_arithmetic()
    def source(
        self, patterns: str, at_once: Step, streaming: bool = False, far: bool = False
    ) -> str:
        return kernel_ir(self.body, patterns, at_once, streaming, far, compile.architecture())

    def _make(self, patterns: str, at_once: Step, streaming: bool, far: bool) -> _Kernel:
        ir = self.source(patterns, at_once, streaming, far)
        serial = compile.function(ir, NAME_OF_ALL)
        return _Kernel(compile.function(ir, NAME), serial, _HOLDING(serial), _RELEASING(serial))


class _FoldKernels:
    """The same of a fold: the kernel, and functions that run it on all units: alone, on threads."""

    def __init__(
        self,
        body: Body,
        kinds: tuple[float, ...],
        how: Folding,
        finish: Body,
    ) -> None:
        # what never folds does not wait for it
        from openaclnn.engines.cpu.sums import accumulator as sums

        self.body = simplified(body, kinds)
        from openaclnn.plan.folds import Fold

        self.fold = Fold(how, finish, Loop((), (), ()))
        self.steps = _Steps(self.body, alone=True)
        self.made: dict[tuple[str, str | None, int], list[int]] = {}
        self.tables = [WordTable() for _ in range(3)]
        helpers = sums.functions(how, compile.architecture())
        names = sums.NAMES + sums.TOGETHER * how.sums_floats
        self.functions = [compile.function(helpers, name) for name in names]

    def addresses(self, tiling: FoldUnits) -> list[int]:
        """Of traced columns a trace looks them up."""

        def found(key: int) -> list[int]:
            patterns, at_once = tiling.patterns_of(key >> 3), self.steps.steps[key & 7]
            across = tiling.across_of(key >> 3)
            known = self.made.get((patterns, across, at_once.columns))
            if known is None:
                known = self._make(patterns, across, at_once)
                self.made[patterns, across, at_once.columns] = known
            return known

        key = 8 * tiling.code + self.steps.bits(tiling.column[0])
        return [
            table.find(key, lambda key, k=k: found(key)[k])  # type: ignore[misc]
            for k, table in enumerate(self.tables)
        ]

    @plain_arithmetic()
    def _make(self, patterns: str, across: str | None, at_once: Step) -> list[int]:
        from openaclnn.engines.cpu import fold

        machine = compile.architecture()
        ir = fold.FoldKernel(
            self.body, self.fold, patterns, at_once, machine, across, self.steps.steps[-1]
        ).text()
        return [compile.function(ir, name) for name in (fold.NAME, fold.ALL, fold.SHARED)]


_kernels_of_body = lru_cache(maxsize=1024)(plain_arithmetic()(_BodyKernels))
_kernels_of_fold = lru_cache(maxsize=1024)(plain_arithmetic()(_FoldKernels))


def source_of(one: Pass | RoutinePass) -> str:
    """The kernel of a pass as LLVM IR; of one that folds, of its terms."""
    if isinstance(one, RoutinePass):
        return runner_of(one).text
    kernels = _kernels_of_body(one.body, kinds_of(one.uniforms))
    if one.fold is not None:
        return kernels.source("1" * len(one.body.sizes), kernels.steps.of(1 << 20))
    tiling = UnitTiling(one.loop, one.body.sizes, len(one.written))
    return kernels.source(tiling.patterns, kernels.steps.of(tiling.columns))


class _Elementwise:
    """One kernel over one loop. It may be told by which tiles the loop is cut, and what the kernel
    takes at once."""

    def __init__(
        self,
        one: Pass,
        tiling: UnitTiling | None = None,
        at_once: Step | None = None,
    ) -> None:
        loop, sizes, outputs = one.loop, one.body.sizes, len(one.written)
        self.kernels = _kernels_of_body(one.body, kinds_of(one.uniforms))
        self.sizes, self.out_size = sizes, sizes[-1]
        self.large = beyond = math.prod(loop.sizes) * sum(sizes) > _in_caches(sizes)
        self.beyond_caches = beyond and _distinct(loop, sizes) > _in_caches(sizes)
        if tiling is None and self.beyond_caches:
            tiling = FarTiling(loop, sizes, outputs)
        self.tiling = tiling or UnitTiling(loop, sizes, outputs)
        self.units = self.tiling.units
        self.threaded = _worth_threads(self.tiling.numel, self.units)
        if is_traced(self.tiling.numel) and at_once is None and not beyond:
            self.streaming = False
            self.address, self.function = self.kernels.looked_up(self.tiling)
        else:
            if at_once is None and not beyond:
                self.kernels.looked_up(self.tiling)  # so that what is replayed finds them
            self.at_once = at_once or self.usual_step()
            alone = len(one.written) == 1 and not one.in_place
            past = alone and self.beyond_caches and not self.at_once.row
            self.streaming = past and self._has_long_rows()
            self.found = self.kernel(self.streaming)
            self.address, self.function = self.found.address, self.found.of_all
        self.starts = [*map(mul, loop.starts, sizes)]
        self.pointers = _pointers(len(sizes))
        self.words = [*one.number_words, *self.tiling.words(sizes)]

    def _has_long_rows(self) -> bool:
        """Whether rows may be written past the caches: parts of lines are better put together
        there."""
        tiling = self.tiling
        row = tiling.columns * self.out_size
        if tiling.even(self.out_size):
            return bool(row >= (_LONG_ROW_OF_TILES if tiling.far else _LONG_ROW))
        return bool(row >= _LONG_UNEVEN_ROW) and not tiling.crossing

    @cached_property
    def shifted(self) -> bool:
        return any(self.starts)

    @cached_property
    def rest(self) -> bytes:
        return _pointers(len(self.words)).pack(*self.words)

    def kernel(self, streaming: bool) -> _Kernel:
        tiling = self.tiling
        return self.kernels.kernel(tiling.patterns, self.at_once, streaming, tiling.far)

    def on_one_thread(self, kernel: _Kernel) -> Any:
        """The function that runs a kernel on all units."""
        return kernel.holding if self.tiling.numel < _HOLDING_BELOW else kernel.releasing

    @cached_property
    def serial(self) -> Any:
        return self.on_one_thread(self.found)

    def usual_step(self) -> Step:
        tiling, steps = self.tiling, self.kernels.steps
        columns = tiling.columns
        turns = "t" in tiling.patterns
        if self.large and columns <= min(IN_ROW, tiling.tile[COLUMN]) and not turns:
            return steps.of_row(columns)
        return steps.of(columns)

    @property
    def usual(self) -> tuple[int, Any]:
        kernel = self.kernel(streaming=False)
        return kernel.address, self.on_one_thread(kernel)

    on_all = 0

    @property
    def numel(self) -> int:
        return self.tiling.numel

    def chosen_for(self, block: Sequence[int]) -> int:
        """The kernel of some units for these addresses."""
        return (
            self.chosen(self.pointers.pack(*block[: len(self.sizes)]))[0]
            if self.streaming
            else self.address
        )

    def function_for(self, block: Sequence[int]) -> int:
        """The one of all units."""
        if self.streaming and self.chosen_for(block) != self.address:
            return self.kernel(streaming=False).of_all
        return self.function

    def block(self, addresses: Sequence[int], workspace: int = 0) -> list[int]:
        """The words that the kernel takes; those of a trace are traced."""
        return [*map(add, addresses, self.starts), *self.words]

    def pack(self, addresses: Sequence[int], workspace: int = 0) -> bytes:
        """The same as bytes."""
        if self.shifted:
            addresses = [*map(add, addresses, self.starts)]
        return self.pointers.pack(*addresses) + self.rest

    def chosen(self, block: bytes) -> tuple[int, Any]:
        """The kernel for these addresses: streaming demands aligned elements. What is read where it
        is written is in a cache already: 2^24 float32 in place take 0.75 of the time there."""
        if self.streaming:
            *read, written = self.pointers.unpack_from(block)
            if written % self.out_size or written in read:
                return self.usual
        return self.address, self.serial

    def run(self, block: bytes, stream: int | None = None) -> None:
        address, serial = self.chosen(block) if self.streaming else (self.address, self.serial)
        count = threads.get_num_threads() if self.threaded else 1
        if count > 1:
            threads.sharer()(address, block, self.units, min(count, self.units))
        else:
            serial(block)


class _Folding:
    """The kernel of a pass that folds."""

    streaming = False

    def __init__(self, one: Pass) -> None:
        from openaclnn.engines.cpu.fold import FoldUnits

        assert one.fold is not None
        fold, sizes = one.fold, one.sizes
        self.place, self.count, self.most = one.places[-1], fold.count, fold.most
        self.tiling = tiling = FoldUnits(one.loop, fold, one.body)
        numel = math.prod(one.loop.sizes) * fold.count
        self.units = tiling.units * tiling.parts  # at most
        self.threaded = _worth_threads(numel, self.units)
        self.kernels = kernels = _kernels_of_fold(
            one.body, kinds_of(one.uniforms), fold.how, fold.finish
        )
        self.address, self.alone, self.shared = kernels.addresses(tiling)
        self.function, self.numel, self.on_all = self.alone, numel, self.shared
        self.starts = [start * size for start, size in zip(one.loop.starts, sizes, strict=True)]
        self.pointers = _pointers(len(sizes))
        self.words = [*one.number_words, *tiling.words(sizes, kernels.functions)]

    @cached_property
    def rest(self) -> bytes:
        return _pointers(len(self.words)).pack(*self.words)

    @cached_property
    def serial(self) -> Any:
        return (_HOLDING if self.numel < _HOLDING_BELOW else _RELEASING)(self.alone)

    @cached_property
    def on_threads(self) -> Any:
        return _SHARING(self.shared)

    def function_for(self, block: Sequence[int]) -> int:
        return self.function

    def block(self, addresses: Sequence[int], workspace: int = 0) -> list[int]:
        return [*map(add, addresses, self.starts), *self.words]

    def pack(self, addresses: Sequence[int], workspace: int = 0) -> bytes:
        return self.pointers.pack(*map(add, addresses, self.starts)) + self.rest

    def run(self, block: bytes, stream: int | None = None) -> None:
        count = threads.get_num_threads() if self.threaded else 1
        if count > 1:
            self.on_threads(threads.sharer_for_c(), block, self.units, min(count, self.units))
        else:
            self.serial(block)


class _WholeRows:
    """The kernel of passes over whole rows."""

    streaming, on_all = False, 0

    def __init__(self, rows: Rows, units: RowUnits) -> None:
        sizes = rows.sizes
        from openaclnn.engines.cpu import row_units

        self.kernels = row_units.kernels_of(rows)
        self.address, self.function = self.kernels.addresses(units)
        self.units, self.numel = units.units, units.numel
        self.threaded = _worth_threads(self.numel, self.units)
        self.starts = [start * size for start, size in zip(rows.loop.starts, sizes, strict=True)]
        self.pointers = _pointers(len(sizes))
        numbers = [word for one in rows.passes for word in one.number_words]
        divisors = [one.fold.divisor for one in rows.passes if one.fold]
        folds = [*zip(divisors, self.kernels.functions, strict=True)]
        self.words = [*numbers, *units.words(len(sizes) + len(numbers), folds)]

    @cached_property
    def rest(self) -> bytes:
        return _pointers(len(self.words)).pack(*self.words)

    @cached_property
    def serial(self) -> Any:
        return (_HOLDING if self.numel < _HOLDING_BELOW else _RELEASING)(self.function)

    def function_for(self, block: Sequence[int]) -> int:
        return self.function

    def block(self, addresses: Sequence[int], workspace: int = 0) -> list[int]:
        return [*map(add, addresses, self.starts), *self.words]

    def pack(self, addresses: Sequence[int], workspace: int = 0) -> bytes:
        return self.pointers.pack(*map(add, addresses, self.starts)) + self.rest

    def run(self, block: bytes, stream: int | None = None) -> None:
        count = threads.get_num_threads() if self.threaded else 1
        if count > 1:
            threads.sharer()(self.address, block, self.units, min(count, self.units))
        else:
            self.serial(block)


def _worth_threads(numel: int, units: int) -> int:
    """1 where threads are worth waking."""
    found: int = all_of(less(_SERIAL_BELOW - 1, numel), less(1, units))
    return found


def _kernels_of(one: Pass) -> _Elementwise | _Folding:
    return _Elementwise(one) if one.fold is None else _Folding(one)


def _in_caches(itemsizes: Sequence[int]) -> int:
    """The most bytes of operands for which an output is better written through the caches."""
    caches = _BEYOND_CACHE_ALONE if len(itemsizes) == 1 else _BEYOND_CACHE
    return int(caches * last_cache())


def _distinct(loop: Loop, itemsizes: Sequence[int]) -> int:
    """The bytes of the operands, each element counted once."""
    distinct = [
        math.prod(size for size, stride in zip(loop.sizes, strides, strict=True) if stride)
        for strides in loop.strides
    ]
    return sum(map(mul, distinct, itemsizes))


@cache
def _pointers(count: int) -> struct.Struct:
    return struct.Struct(f"{count}q")


class _Together:
    """Several kernels, one after the other, as one, whose blocks stand in one."""

    trying = False

    def __init__(
        self,
        parts: Sequence[_Elementwise | _Folding | _WholeRows | _KernelOfRoutine],
        places: Sequence[Sequence[Place]],
    ) -> None:
        self.parts, self.places = parts, places
        self.streaming = any(one.streaming for one in parts)
        routines = any(isinstance(one, _KernelOfRoutine) for one in parts)
        self.by_addresses = self.streaming or routines  # which kernels, or which other words
        self.threaded = any_of(*(one.threaded for one in parts))
        ir = in_turn_ir()
        self.function, self.on_threads = (compile.function(ir, f) for f in (IN_TURN, SHARED))
        self.address, self.units = parts[0].address, 0
        for one in parts:  # the one of most units
            units = one.threaded * one.units
            self.address = pick(less(self.units, units), (self.address, one.address))
            self.units = most(self.units, units)
        self.numel = parts[0].numel
        for one in parts[1:]:
            self.numel = most(self.numel, one.numel)

    def block(self, addresses: Sequence[int], workspace: int) -> list[int]:
        """The words that the function takes; those of a trace are traced."""
        words: list[int] = []
        for one, places in zip(self.parts, self.places, strict=True):
            own = [place.address(addresses, workspace) for place in places]
            block = one.block(own, workspace)
            words += one.function_for(block), len(block)
            words += [one.threaded * word for word in (one.address, one.units, one.on_all)]
            words += block
        return [*words, 0]

    @cached_property
    def pointers(self) -> tuple[tuple[int, int], ...]:
        """Which words are addresses, and the tensor's each is, or the workspace's."""
        found: list[tuple[int, int]] = []
        at = 5
        for one, places in zip(self.parts, self.places, strict=True):
            if isinstance(one, _KernelOfRoutine):
                found += [(at + k, tensor) for k, tensor in one.pointers_in(places)]
                at += one.size
            else:
                found += [(at + k, place.tensor) for k, place in enumerate(places)]
                at += len(places) + len(one.words)
            at += 5
        return tuple(found)

    @cached_property
    def serial(self) -> Any:
        return (_HOLDING if self.numel < _HOLDING_BELOW else _RELEASING)(self.function)

    @cached_property
    def sharing(self) -> Any:
        return _SHARING(self.on_threads)

    @cached_property
    def at_zero(self) -> list[int]:
        """Its words where all tensors and the workspace lie at 0."""
        most_tensors = 1 + max(place.tensor for places in self.places for place in places)
        return self.block([0] * most_tensors, 0)

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        if self.by_addresses:
            words = self.block(addresses, workspace)
        else:
            words = list(self.at_zero)
            for at, tensor in self.pointers:
                if tensor != POSITIONS:
                    words[at] += workspace if tensor == WORKSPACE else addresses[tensor]
        return _pointers(len(words)).pack(*words)

    def launch(self, packed: Any, stream: int | None) -> None:
        count = min(threads.get_num_threads(), self.units) if self.threaded else 1
        if count == 1:
            self.serial(packed)
        else:
            self.sharing(threads.sharer_for_c(), packed, self.units, count)

    def compiled(self, packed: Any) -> Compiled | None:
        if self.streaming or len(packed) > 8 * _MOST_WORDS:
            return None
        shared = _shared(self) if self.threaded else None
        if self.threaded and shared is None:
            return None
        holding = self.numel < _HOLDING_BELOW
        return Compiled(self.function, packed, self.pointers, holding, shared=shared)


def _shared(one: _Elementwise | _Folding | _WholeRows | _Together) -> Shared | None:
    """How threads share it; None where that is Python's to do."""
    share = threads.sharer_in_c()
    if share is None:
        return None
    on_threads = one.on_threads if isinstance(one, _Together) else one.on_all or None
    units = one.threaded * one.units
    return Shared(one.address, units, share, threads.get_num_threads, on_threads)


class _OneKernel:
    """A plan of one pass whose operands are the call's tensors as they come: the shortest way."""

    trying = False

    def __init__(self, one: _Elementwise | _Folding | _WholeRows) -> None:
        self.one = one
        self.pack: Callable[[Sequence[int], int], object] = one.pack
        self.launch: Callable[[Any, int | None], None] = one.run
        if not (is_traced(one.threaded) or one.threaded or one.streaming):
            self.launch = self._launch_alone

    def _launch_alone(self, packed: Any, stream: int | None) -> None:
        self.one.serial(packed)

    def compiled(self, packed: bytes) -> Compiled | None:
        one = self.one
        shared = _shared(one) if one.threaded else None
        if one.streaming or (one.threaded and shared is None):
            return None
        pointers = tuple((k, k) for k in range(len(one.starts)))
        holding = isinstance(one.serial, _HOLDING)
        return Compiled(one.function, packed, pointers, holding, shared=shared)


class _InSomeWay:
    """The same of a large pass that can be walked in several ways: see `_other_ways`."""

    def __init__(self, first: _Elementwise, others: Sequence[Callable[[], _Elementwise]]) -> None:
        self.first, self.fastest = first, Fastest(first, *others)

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        return tuple(addresses)

    def launch(self, packed: Any, stream: int | None) -> None:
        self.fastest.run(packed)

    @property
    def trying(self) -> bool:
        return self.fastest.left is None

    def compiled(self, packed: Any) -> Compiled | None:
        way = self.fastest.left
        return None if way is None else _OneKernel(way).compiled(way.pack(packed))


def _other_ways(one: Pass, usual: _Elementwise) -> list[Callable[[], _Elementwise]]:
    """In what other ways a large pass can be walked, where no rule tells which one is the fastest.

    Rows as the output has them rather than blocks and tiles: of 60 random layouts of 2^22 to 2^24
    float32 with tiles of 200 to 400 elements the one took 0.2 to 2 times as long as the other.
    Tiles where rows are usual, or for other operands: 40 of 296 layouts have such, 11 of which take
    0.45 to 0.95 of the time, others up to 8 times as long. Short rows element after element, which
    a processor foresees in another way than those that it meets by one instruction each: 2521 x 23
    x 48 x 3 of which operands have the 48 furthest apart take 0.7 of the time, most others 1.2 to 2
    times as long. Rows of up to 64 columns without a mask: 3 x 863 x 116 x 29 bfloat16 take 0.4 of
    the time, of 364 layouts of 17 to 63 columns 128 less than 0.95, others up to twice as long.
    """
    rows = RowTiling(one.loop, usual.sizes, len(one.written))
    ways: list[Callable[[], _Elementwise]] = []
    if not rows.is_like(usual.tiling):
        ways.append(partial(_Elementwise, one, tiling=rows))
    turned = TurnedTiling(one.loop, usual.sizes, len(one.written))
    if "t" in turned.patterns and not turned.is_like(usual.tiling):
        ways.append(partial(_Elementwise, one, tiling=turned))
    apart = "s" in rows.patterns[: rows.inputs]
    if rows.columns <= IN_LINE and apart and usual.kernels.steps.light:
        ways.append(partial(_Elementwise, one, tiling=rows, at_once=ELEMENT))
    tiling, size = usual.tiling, max(usual.sizes)
    whole = IN_ROW < tiling.columns <= min(IN_VECTORS, tiling.tile[COLUMN])
    if whole and {*tiling.patterns} <= {"0", "1"} and size <= 8 and tiling.columns * size % 32:
        at_once = step_in_vectors(usual.at_once, tiling.columns, size)
        ways.append(partial(_Elementwise, one, tiling=tiling, at_once=at_once))
    return ways


class _Routine:
    """A pass that runs a routine, by way of Python."""

    def __init__(self, one: RoutinePass, runner: Runner) -> None:
        self.starts, self.state, self.runner = one.starts, one.state, runner

    def pack(self, addresses: Sequence[int], workspace: int) -> Any:
        return self.runner.pack([*map(add, addresses, self.starts)], workspace + self.state)

    def run(self, packed: Any) -> None:
        self.runner.run(packed)


class _KernelOfRoutine:
    """A pass whose routine is a kernel."""

    streaming, on_all = False, 0

    def __init__(self, one: RoutinePass, runner: KernelRunner) -> None:
        self.starts, self.state, self.runner = one.starts, one.state, runner
        self.units, self.threaded = runner.units, runner.threaded
        self.numel = sum(view.numel for view in one.views)
        self.size = 2 + len(runner.places) + len(runner.words)
        self.address, self.function = _units_of()

    def function_for(self, block: Sequence[int]) -> int:
        return self.function

    def block(self, addresses: Sequence[int], workspace: int) -> list[int]:
        own = self.runner.block([*map(add, addresses, self.starts)], workspace + self.state)
        return [self.runner.address, self.units, *own]

    def pointers_in(self, places: Sequence[Place]) -> list[tuple[int, int]]:
        """The words of its block that are addresses, and the tensor's each is, or the
        workspace's."""
        return [
            (2 + at, WORKSPACE if k == WORKSPACE else places[k].tensor)
            for at, k in enumerate(self.runner.places)
            if k is not None
        ]


@cache
def _units_of() -> tuple[int, int]:
    """The functions that run some of a kernel's units, and all of them."""
    ir = units_ir()
    return compile.function(ir, SOME_UNITS), compile.function(ir, ALL_UNITS)


class _Mixed:
    """A plan with routines that are no kernels: its passes one after the other, always by way of
    Python."""

    trying = False

    def __init__(
        self,
        passes: Sequence[_Elementwise | _Folding | _Routine],
        places: Sequence[Sequence[Place]],
    ) -> None:
        self.passes, self.places = passes, places

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        return [
            one.pack([place.address(addresses, workspace) for place in places], workspace)
            for one, places in zip(self.passes, self.places, strict=True)
        ]

    def launch(self, packed: Any, stream: int | None) -> None:
        for one, block in zip(self.passes, packed, strict=True):
            one.run(block)

    def compiled(self, packed: Any) -> None:
        return None


def _whole_rows(plan: Plan) -> RowUnits | None:
    """The units of a plan that one kernel runs, row by row."""
    if plan.whole is None or any(one.empty for one in plan.formulas):
        return None
    from openaclnn.engines.cpu import row_units

    return row_units.units_of(plan.whole)


class _WhereApart:
    """A plan some of whose kernels may not read what they write: which way it is run, the addresses
    decide."""

    trying = False

    def __init__(self, together: _Together, mixed: _Mixed, passes: Sequence[RoutinePass]) -> None:
        self.together, self.mixed = together, mixed
        self.pairs = [
            (one.places[k], one.views[k], one.places[out], one.views[out])
            for one in passes
            for out in one.written
            for k in range(one.inputs)
            if one.places[k] != one.places[out] or one.views[k] is not one.views[out]
        ]

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        for place, view, target, written in self.pairs:
            own, other = (one.address(addresses, workspace) for one in (place, target))
            before = own + view.end_byte <= other + written.first_byte
            if not before and own + view.first_byte < other + written.end_byte:
                return self.mixed, self.mixed.pack(addresses, workspace)
        return self.together, self.together.pack(addresses, workspace)

    def launch(self, packed: Any, stream: int | None) -> None:
        way, block = packed
        way.launch(block, stream)

    def compiled(self, packed: Any) -> Compiled | None:
        way, block = packed
        found: Compiled | None = way.compiled(block)
        return found


def _with_routines(passes: Sequence[Pass | RoutinePass]) -> _Mixed | _Together | _WhereApart:
    """What runs passes of which some are routines."""
    places = [one.places for one in passes]
    mixed: list[Any] = []
    parts: list[Any] = []
    apart: list[RoutinePass] = []
    for one in passes:
        if not isinstance(one, RoutinePass):
            parts.append(_kernels_of(one))
            mixed.append(parts[-1])
            continue
        runner = runner_of(one)
        if isinstance(runner, KernelRunner):
            parts.append(_KernelOfRoutine(one, runner))
            if runner.otherwise is not None:
                apart.append(one)
        mixed.append(_Routine(one, runner.otherwise or runner))
    if not parts or len(parts) < len(passes):
        return _Mixed(mixed, places)
    together = _Together(parts, places)
    return _WhereApart(together, _Mixed(mixed, places), apart) if apart else together


class _WithinLimits:
    """A plan that reads indices, of which it finds the extremes: where they are outside their
    limits, the work is done but for what they would have named, and the call fails."""

    trying = False

    def __init__(self, plan: Plan, inner: Any) -> None:
        self.plan, self.inner = plan, inner

    def pack(self, addresses: Sequence[int], workspace: int = 0) -> object:
        return self.inner.pack(addresses, workspace), workspace

    def launch(self, packed: Any, stream: int | None) -> None:
        own, workspace = packed
        self.inner.launch(own, stream)
        self.judge(workspace)

    def judge(self, workspace: int) -> None:
        """Refuse the indices of which a workspace has the extremes."""
        for one in self.plan.limits:
            words = (ctypes.c_int64 * 2).from_address(workspace + one.offset)
            fault = one.fault(*words)
            if fault is not None:
                raise AclnnError(Status.RUNTIME_ERROR, f"{self.plan.op.c_name}: {fault}")

    def compiled(self, packed: Any) -> Compiled | None:
        own, _ = packed
        found: Compiled | None = self.inner.compiled(own)
        limits = tuple((one.offset, one.low, one.high) for one in self.plan.limits)
        return None if found is None else replace(found, limits=limits)


class _Counted:
    """A plan that counts what it finds."""

    trying = False

    def __init__(self, inner: Any, count: int) -> None:
        self.inner, self.count = inner, count

    def pack(self, addresses: Sequence[int], workspace: int = 0) -> object:
        return self.inner.pack(addresses, workspace), workspace + self.count

    def launch(self, packed: Any, stream: int | None) -> int:
        own, count = packed
        self.inner.launch(own, stream)
        return ctypes.c_int64.from_address(count).value

    def compiled(self, packed: Any) -> None:
        return None


class CpuEngine:
    """Runs plans on host memory."""

    def prepare(
        self, plan: Plan
    ) -> _OneKernel | _InSomeWay | _Mixed | _Together | _WhereApart | _WithinLimits | _Counted:
        if plan.routines:
            passes = [one for one in plan.passes if not one.empty]
            found: _OneKernel | _InSomeWay | _Mixed | _Together | _WhereApart
            found = _with_routines(passes)
        else:
            found = self._prepared(plan)
        limited = _WithinLimits(plan, found) if plan.limits else found
        return limited if plan.count is None else _Counted(limited, plan.count)

    def _prepared(self, plan: Plan) -> _OneKernel | _InSomeWay | _Together:
        passes = [one for one in plan.formulas if not one.empty]
        places = [one.places for one in passes]
        units = _whole_rows(plan)
        if plan.whole is not None and units is not None:
            whole = _WholeRows(plan.whole, units)
            if plan.is_all(plan.whole):
                return _OneKernel(whole)
            return _Together([whole], [plan.whole.places])
        if len(passes) == 1 and plan.is_all(passes[0]):
            only = _kernels_of(passes[0])
            if isinstance(only, _Elementwise) and only.large:
                others = _other_ways(passes[0], only)
                if others:
                    return _InSomeWay(only, others)
            return _OneKernel(only)
        return _Together([*map(_kernels_of, passes)], places)

    def launched(
        self, plan: Plan, addresses: Sequence[int], workspace: int
    ) -> list[Launched] | None:
        """What runs a plan on these addresses without Python; None where that is not certain yet.
        Sizes, strides, numbers and addresses may be traced."""
        if plan.empty or plan.limits:
            return None
        if plan.routines:
            found: Any = _with_routines([one for one in plan.passes if not one.empty])
        else:
            found = self._prepared(plan)
        if not isinstance(found, _OneKernel | _Together):
            return None
        one = found.one if isinstance(found, _OneKernel) else found
        shared = _shared(one)
        if one.streaming or (shared is None and one.threaded):
            return None
        words = one.block(addresses, workspace)
        if len(words) > _MOST_WORDS:
            return None
        return [Launched(one.function, words, shared, less(one.numel, _HOLDING_BELOW))]

    def workspace_size(self, plan: Plan) -> int:
        if _whole_rows(plan) is not None:  # results of folds are in registers
            return 0
        return plan.workspace_size

    def allocate(self, size: int, stream: int | None = None) -> tuple[int, object]:
        buffer = ctypes.create_string_buffer(size)
        return ctypes.addressof(buffer), buffer
