"""A plan on a GPU: which kernel, with which arguments, on how many programs."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from operator import add, mul
from typing import Any

import openaclnn.runtime.cuda as runtime
from openaclnn.arithmetic.lower import Body
from openaclnn.base.floating import plain_arithmetic
from openaclnn.base.status import AclnnError, Status
from openaclnn.base.tensors import product_of
from openaclnn.base.trace import most
from openaclnn.engines import Compiled, Launched
from openaclnn.engines.cuda import memory
from openaclnn.engines.cuda.choose_tiling import tiling_of
from openaclnn.engines.cuda.compile import Program, binary, cached_at, program_of
from openaclnn.engines.cuda.fastest import FastestKernel
from openaclnn.engines.cuda.fold import folds_at_once
from openaclnn.engines.cuda.kernel import Kernel, kernel_of
from openaclnn.engines.cuda.loaded_kernel import Function, Launch, LaunchOn, function, launch_kernel
from openaclnn.engines.cuda.passes import (
    at_once,
    kernels_of,
    other_tilings,
    passes_of,
    refuse_too_large,
    tiling_for,
    tiling_for_odd_addresses,
    workspace_of,
    worth_trying_others,
)
from openaclnn.engines.cuda.tile_table import weight
from openaclnn.engines.cuda.tiling import AnyTiling, Tiling, any_tiling, few_dims
from openaclnn.plan import Pass, Plan, RoutinePass
from openaclnn.plan.folds import Rows
from openaclnn.plan.plan import Extremes
from openaclnn.runtime.cuda import findings
from openaclnn.runtime.interface import AclError

# Elements beyond which a kernel cut for the layout is worth Python's time
_WORTH_CUTTING = 1 << 23
_WORTH_COMPILING = 64  # times that the kernel of any layout was wanted


class _PassKernels:
    """The kernel over one loop, the kernels of a fold, or the one of rows."""

    def __init__(self, one: Pass | RoutinePass | Rows, called: str) -> None:
        self.one, self.called = one, called  # the operator, for complaints
        if isinstance(one, RoutinePass):
            self.starts = [*one.starts]
        else:
            self.starts = [*map(mul, one.loop.starts, one.sizes)]
        self.uniforms = struct.unpack(f"{len(one.words) // 8}Q", one.words)
        self.ready: dict[int, list[_OnDevice]] = {}
        # where no rule tells which kernel is the fastest: the usual one and, later, others
        self.has_rivals = False
        self.fastest: FastestKernel | None = None
        self.ways: list[_OnDevice] = []

    def pointers(self, addresses: Sequence[int], workspace: int) -> list[int]:
        """What the kernels take: where the first element of each operand is, and the parts."""
        found = [*map(add, addresses, self.starts), workspace + self.one.state]
        self.refuse_crooked(found)
        return found

    def pack(self, addresses: Sequence[int], workspace: int) -> list[Launch | LaunchOn | _Ways]:
        pointers = self.pointers(addresses, workspace)
        device = runtime.device_of(addresses[-1])
        ready = self.ready.get(device)
        if ready is None:
            ready = self.ready[device] = self.prepared(runtime.architecture(device))
            if self.has_rivals and runtime.get_device_count() == 1:
                self.fastest, self.ways = FastestKernel(), [*ready]
        launches = [one.launch(pointers) for one in ready]
        if runtime.get_device_count() > 1:
            return [LaunchOn(device, launch) for launch in launches]
        if self.fastest is None:
            return [*launches]
        return [_Ways(self, self.fastest, pointers, launches[0])]

    def prepared(self, arch: int) -> list[_OnDevice]:
        """The kernels for this loop: one that is known by the tiling's form, or others anew."""
        one, self.arch = self.one, arch
        if isinstance(one, Pass) and one.fold is None:
            tiling = tiling_for(one)
            refuse_too_large(one, tiling.programs)
            self.has_rivals = worth_trying_others(one, tiling)
            return [self.cut_as(tiling, partial(tiling_for_odd_addresses, one, tiling))]
        return [
            _OnDevice(
                _Loaded(kernel),
                operands,
                kernel.programs,
                self.uniforms[: kernel.uniforms],
                [parameter.number for parameter in kernel.parameters],
            )
            for kernel, operands in kernels_of(one, arch)
        ]

    def programs(self, addresses: Sequence[int], arch: int) -> list[Program]:
        """What calls on such addresses compile, other ways included; needs no device."""
        pointers = self.pointers(addresses, 0)
        ways = self.prepared(arch)
        if self.has_rivals:
            assert isinstance(self.one, Pass)
            ways += [self.cut_as(tiling) for tiling in other_tilings(self.one)]
        return [way.program(pointers) for way in ways]

    def make_others(self, pointers: Sequence[int]) -> int:
        """Make the other ways ready for these addresses. Gives how many ways there are."""
        assert isinstance(self.one, Pass)
        for tiling in other_tilings(self.one):
            way = self.cut_as(tiling)
            try:
                way.launch(pointers)
            except Exception:  # whatever Triton says to it, the call has its usual way
                continue
            self.ways.append(way)
        return len(self.ways)

    def cut_as(
        self, tiling: Tiling, odd: Callable[[bool, bool], Tiling | None] = lambda *_: None
    ) -> _OnDevice:
        """The kernel for a tiling, and the tiling for `odd` addresses."""
        one = self.one
        assert isinstance(one, Pass)
        loaded = _kernels_of_body(one.body, self.arch).of(tiling)

        def other(most: bool, alike: bool) -> _OnDevice | None:
            found = odd(most, alike)
            return None if found is None else self.cut_as(found)

        numbers = loaded.kernel.numbers(tiling)
        operands = range(len(one.places))
        return _OnDevice(loaded, operands, tiling.programs, self.uniforms, numbers, other)

    def refuse_crooked(self, pointers: Sequence[int]) -> None:
        """A GPU reads and writes an element only where its size divides the address."""
        for pointer, size in zip(pointers, self.one.sizes, strict=False):
            if size and pointer % min(size, 8):  # 0: two share a byte
                raise AclnnError(
                    Status.PARAM_INVALID,
                    f"{self.called}: a tensor whose elements have {size} bytes begins at "
                    f"{pointer:#x}; on cuda expected a multiple of {min(size, 8)}",
                )


@lru_cache(maxsize=1024)
def _function_of(program: Program) -> Function:
    """Sums and softmax of a new shape mostly take a program that is compiled already."""
    return function(binary(program))


class _Loaded:
    """A kernel for all tilings of one form, loaded for each choice of operands that are aligned."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.functions: dict[tuple[bool, ...], Function] = {}

    def function(self, aligned: tuple[bool, ...]) -> Function:
        chosen = self.functions.get(aligned)
        if chosen is None:
            chosen = self.functions[aligned] = _function_of(program_of(self.kernel, aligned))
        return chosen


class _Kernels:
    """The kernels of a body on an architecture, by the forms of tilings."""

    def __init__(self, body: Body, arch: int) -> None:
        self.body, self.arch = body, arch
        self.made: dict[tuple[Any, ...], _Loaded] = {}
        self.wanted = 0  # how often a layout could have had the kernel of any

    def of(self, tiling: Tiling) -> _Loaded:
        form = tiling.form(self.body.sizes)
        found = self.made.get(form)
        if found is None:
            with plain_arithmetic():
                found = self.made[form] = _Loaded(kernel_of(self.body, tiling, self.arch))
        return found

    def has_any(self, tiling: AnyTiling) -> bool:
        """Whether there is the kernel of any layout: on the disk, or where it was wanted often it
        is made. Compiling it takes Triton as long as hundreds of layouts take to be cut."""
        loaded = self.of(tiling)
        self.wanted += 1
        if loaded.functions or self.wanted >= _WORTH_COMPILING:
            return True
        return cached_at(program_of(loaded.kernel, loaded.kernel.alignable)).exists()


_kernels_of_body = lru_cache(maxsize=1024)(_Kernels)


class _OnDevice:
    """A kernel on the devices of one architecture, with all its arguments but the pointers."""

    def __init__(
        self,
        loaded: _Loaded,
        operands: Sequence[int],
        programs: int,
        uniforms: Sequence[int],
        numbers: Sequence[int],
        for_odd_addresses: Callable[[bool, bool], _OnDevice | None] = lambda *_: None,
    ) -> None:
        self.loaded, self.operands, self.programs = loaded, operands, programs
        self.for_odd_addresses = for_odd_addresses
        self.words = [*uniforms, *[number & 0xFFFF_FFFF_FFFF_FFFF for number in numbers]]

    def launch(self, places: Sequence[int]) -> Launch:
        one, pointers, aligned = self.chosen(places)
        function = one.loaded.function(aligned)
        return Launch(function, one.programs, pointers + one.words, one.operands)

    def program(self, places: Sequence[int]) -> Program:
        """What `launch` compiles for these operands."""
        one, _, aligned = self.chosen(places)
        return program_of(one.loaded.kernel, aligned)

    def chosen(self, places: Sequence[int]) -> tuple[_OnDevice, list[int], tuple[bool, ...]]:
        """This kernel, or the one for odd addresses; the pointers that it takes, and which of them
        are aligned."""
        pointers = [places[operand] for operand in self.operands]
        aligned = alignable = self.loaded.kernel.alignable
        together = 0
        for pointer in pointers:
            together |= pointer
        if together % 16:
            aligned = tuple(
                can and pointer % 16 == 0 for can, pointer in zip(aligned, pointers, strict=True)
            )
            # one of three moves element by element as fast as memory
            most = sum(aligned) <= sum(alignable) // 2
            late = {at % 16 for at, can in zip(pointers, alignable, strict=True) if can}
            other = self.for_odd_addresses(most, len(late) == 1)
            if other is not None:
                return other.chosen(places)
        return self, pointers, aligned


class _Ways:
    """A pass with its arguments by any of its kernels, in turns until the fastest is known."""

    __slots__ = ("fastest", "kernels", "launches", "pointers")

    def __init__(
        self, kernels: _PassKernels, fastest: FastestKernel, pointers: Sequence[int], usual: Launch
    ) -> None:
        self.kernels, self.fastest, self.pointers = kernels, fastest, pointers
        self.launches = {0: usual}

    def launch(self, way: int) -> Launch:
        found = self.launches.get(way)
        if found is None:
            found = self.launches[way] = self.kernels.ways[way].launch(self.pointers)
        return found

    def run(self, stream: int) -> None:
        try:
            self.fastest.run(self, stream)
        except AclError as error:
            raise AclnnError(Status.RUNTIME_ERROR, error.message) from error

    def compiled(self) -> Compiled | None:
        best = self.fastest.best
        return None if best is None else self.launch(best).compiled()

    def make_all(self) -> int:
        return self.kernels.make_others(self.pointers)

    def run_one(self, way: int, stream: int) -> None:
        self.launch(way).run(stream)


class _Passes:
    """A plan's passes, one after the other on a stream."""

    trying = False

    def __init__(self, plan: Plan) -> None:
        self.passes = [(_PassKernels(one, plan.op.c_name), one.places) for one in passes_of(plan)]

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        return [
            launch
            for one, places in self.passes
            for launch in _packed(
                one, [place.address(addresses, workspace) for place in places], workspace
            )
        ]

    def launch(self, packed: Any, stream: int | None) -> None:
        for launch in packed:
            launch.run(stream or 0)

    def compiled(self, packed: Any) -> None:
        return None


class _Direct:
    """A plan of one kernel over the call's tensors as they come: the shortest way."""

    def __init__(self, one: Pass | Rows, called: str) -> None:
        self.one = _PassKernels(one, called)

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        (launch,) = _packed(self.one, addresses, workspace)
        return launch

    @property
    def trying(self) -> bool:
        return self.one.fastest is not None and self.one.fastest.best is None

    def launch(self, packed: Any, stream: int | None) -> None:
        packed.run(stream or 0)

    def compiled(self, packed: Launch | LaunchOn | _Ways) -> Compiled | None:
        return None if isinstance(packed, LaunchOn) else packed.compiled()


@plain_arithmetic()
def programs(plan: Plan, addresses: Sequence[int], arch: int) -> list[Program]:
    """What a call of a plan on such addresses compiles, in a workspace from aclrtMalloc."""
    return [
        program
        for one in passes_of(plan)
        for program in _PassKernels(one, plan.op.c_name).programs(
            [place.address(addresses, 0) for place in one.places], arch
        )
    ]


def _packed(
    one: _PassKernels, addresses: Sequence[int], workspace: int
) -> list[Launch | LaunchOn | _Ways]:
    try:
        return one.pack(addresses, workspace)
    except AclError as error:  # inside an operator a failing device is 361001
        raise AclnnError(Status.RUNTIME_ERROR, error.message) from error


class _Limited:
    """A plan that reads indices: where one is outside its limits, whoever waits for the stream next
    is told (`runtime.cuda.findings`)."""

    trying = False

    def __init__(self, plan: Plan, inner: _Passes | _Direct) -> None:
        self.plan, self.inner = plan, inner

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        return self.inner.pack(addresses, workspace), workspace

    def launch(self, packed: Any, stream: int | None) -> None:
        own, workspace = packed
        self.inner.launch(own, stream)
        if memory.capturing():  # a graph is replayed without us
            return
        for one in self.plan.limits:
            findings.expect(stream or 0, workspace + one.offset, 2, partial(self.fault, one))

    def fault(self, one: Extremes, words: Sequence[int]) -> str | None:
        found = one.fault(*words)
        return None if found is None else f"{self.plan.op.c_name}: {found}"

    def compiled(self, packed: Any) -> None:
        return None


class _Counted:
    """A plan that counts what it finds: it is waited for, since results have no shape before."""

    trying = False

    def __init__(self, plan: Plan, inner: Any, count: int) -> None:
        self.plan, self.inner, self.count = plan, inner, count

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        return self.inner.pack(addresses, workspace), workspace + self.count

    def launch(self, packed: Any, stream: int | None) -> int:
        if memory.capturing():
            raise AclnnError(
                Status.RUNTIME_ERROR,
                f"{self.plan.op.c_name}: its result's shape depends on data, which a graph that is "
                "captured does not know; call it outside of the capture",
            )
        own, count = packed
        self.inner.launch(own, stream)
        return memory.word(count, stream or 0)

    def compiled(self, packed: Any) -> None:
        return None


def _launched(one: Pass | Rows, pointers: Sequence[int], arch: int) -> Launched | None:
    """A pass by a kernel that serves other layouts, too."""
    crooked: Any = 0
    late: Any = 0
    for pointer, size in zip(pointers, one.sizes, strict=True):
        crooked, late = most(crooked, pointer % min(size, 8)), most(late, pointer % 16)
    if crooked:
        return None
    count = len(pointers)
    if isinstance(one, Pass) and one.fold is None:
        loop = one.loop.compact()
        flat = len(loop.sizes) == 1 and all(strides == (1,) for strides in loop.strides)
        known = _kernels_of_body(one.body, arch)
        if not flat or late:
            served = any_tiling(one.loop, weight(one.body), True, few=False)
            many = product_of(one.loop.sizes) > _WORTH_CUTTING
            if served is None or many or not known.has_any(served):
                return None
            tiling: Tiling = served
            aligned = (False,) * count
        else:
            tiling = tiling_of(one.loop, one.body.sizes, weight(one.body), len(one.body.results))
            if tiling.axes[0].whole or not tiling.short(count):
                return None
            aligned = known.of(tiling).kernel.alignable
        loaded, programs = known.of(tiling), tiling.programs
        numbers, words = loaded.kernel.numbers(tiling), one.number_words
    else:
        folded = one.folded if isinstance(one, Rows) else one.fold.folded  # type: ignore[union-attr]
        if few_dims(one.loop, folded) is None:
            return None
        ((kernel, operands),) = kernels_of(one, arch)
        loaded, programs, aligned = _Loaded(kernel), kernel.programs, (False,) * len(operands)
        pointers = [pointers[operand] for operand in operands]
        numbers = [parameter.number for parameter in kernel.parameters]
        words = [word for part in _passes(one) for word in part.number_words][: kernel.uniforms]
    function = loaded.function(aligned)
    shape = programs, function.threads, function.shared
    block = [*pointers, *words, *numbers, 0, 0]  # and scratch memory, of which there is none
    return Launched(int(function.handle), block, launch=launch_kernel(), shape=shape)


def _passes(one: Pass | Rows) -> Sequence[Pass]:
    return one.passes if isinstance(one, Rows) else (one,)


class CudaEngine:
    """Runs plans on the memory of NVIDIA's devices."""

    def prepare(self, plan: Plan) -> _Passes | _Direct | _Limited | _Counted:
        found = self._prepared(plan)
        limited = _Limited(plan, found) if plan.limits else found
        return limited if plan.count is None else _Counted(plan, limited, plan.count)

    def _prepared(self, plan: Plan) -> _Passes | _Direct:
        found = passes_of(plan)
        one = found[0]
        # parts of nothing need no workspace
        if isinstance(one, RoutinePass) or len(found) > 1 or self.workspace_size(plan):
            return _Passes(plan)
        whole = isinstance(one, Rows) or one.fold is None or one.fold.parts == 1
        return _Direct(one, plan.op.c_name) if whole and plan.is_all(one) else _Passes(plan)

    def launched(
        self, plan: Plan, addresses: Sequence[int], workspace: int
    ) -> list[Launched] | None:
        """The kernels for any layout, and those of contiguous operands, with all that they take;
        None where they are others. Sizes, strides, numbers and addresses may be traced."""
        if plan.empty or plan.routines or plan.limits or runtime.get_device_count() != 1:
            return None
        found = []
        folding = [one for one in plan.formulas if one.fold is not None]
        if not at_once(plan) and not all(map(folds_at_once, folding)):
            return None
        for one in passes_of(plan):
            assert not isinstance(one, RoutinePass)
            places = [place.address(addresses, workspace) for place in one.places]
            pointers = [*map(add, places, map(mul, one.loop.starts, one.sizes))]
            launch = _launched(one, pointers, runtime.architecture(0))
            if launch is None:
                return None
            found.append(launch)
        return found

    def workspace_size(self, plan: Plan) -> int:
        return workspace_of(plan)

    def allocate(self, size: int, stream: int | None = None) -> tuple[int, object]:
        if self.recording():
            return memory.recorded(size)
        temporary = memory.Temporary(size, stream or 0)
        return temporary.address, temporary

    def recording(self) -> bool:
        """Whether PyTorch captures a graph. What a graph uses is to be its own."""
        return memory.capturing()
