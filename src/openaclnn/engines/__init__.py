"""Engines turn a plan into a kernel once, keep it, and run it on addresses and a stream."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Protocol

from openaclnn.base.records import dataclass
from openaclnn.base.status import AclnnError, Status
from openaclnn.plan import Plan


@dataclass(frozen=True, eq=False, slots=True)
class Shared:
    """How threads share a kernel: the function that runs some of so many units, the one of C's that
    shares them, and one of Python's that says how many threads there are. `on_threads`: of a kernel
    with something to do after them, the function that runs it, given the one that shares."""

    of_units: int
    units: int
    share: int
    threads: Callable[[], int]
    on_threads: int | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Compiled:
    """A launch that needs no Python: a C function that takes a block of words, of which the first
    are the operands' addresses; or a GPU's kernel, whose arguments these words are."""

    function: int
    block: bytes
    holding: bool = True  # it is too short to give Python's lock away
    launch: int | None = None  # the driver's function that launches it
    shape: tuple[int, int, int] = (0, 0, 0)  # programs, threads, bytes of shared memory
    shared: Shared | None = None  # of a CPU's kernel that is for threads to share


@dataclass(frozen=True, eq=False, slots=True)
class Launched:
    """What runs a plan without Python: a C function, and the words that it takes, which may be
    traced, as may the count of what threads share."""

    function: int
    words: tuple[Any, ...]
    shared: Shared | None = None


@dataclass(frozen=True, eq=False, slots=True)
class FoldCut:
    """What the kernel of a fold takes besides (calls/folds.h)."""

    tiles: tuple[int, ...]  # `Tiles` of engines/cpu/fold.py
    states: int
    in_cache: int
    most: int  # terms
    functions: tuple[int, ...]  # of a state
    on_threads: int


@dataclass(frozen=True, eq=False, slots=True)
class FoldTiles:
    """How large a GPU's tiles of a fold are (calls/plan.h): which of these, for every number of
    bits of terms, outputs, and outputs beside each other; then, for few elements, of terms."""

    of: bytes
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    part: int = 1 << 62  # terms of a part; twice as many are not cut
    most_parts: int = 1
    most_states: int = 1  # of all outputs, where there are several parts


@dataclass(frozen=True, eq=False, slots=True)
class Cut:
    """The kernel of one pass, by which others of its form are cut and launched without Python
    (calls/plan.h). `key` tells a form's kernels apart: on a CPU patterns and lanes; on a GPU
    nothing and how many dimensions are decoded, 0 for contiguous operands; C tells a fold's."""

    key: tuple[str, int]
    function: int
    below: int  # elements, fewer than which such kernels are for
    tile: int
    # on a CPU
    of_units: int = 0  # runs some of the units, for threads to share
    serial_below: int = 0
    # how they do, and how many there are: a function of C's, one of Python's
    threads: tuple[int, Callable[[], int]] | None = None
    line: int = 0  # elements
    holding_below: int = 0
    units: tuple[int, int, int] = (1, 1, 1)  # the least, the most, how many are enough
    lanes: tuple[int, ...] = (0,) * 7  # of all vectors in turns, by the bits of a row's length
    fold: FoldCut | None = None
    together: int = 0  # of the last of several passes: runs all of them, unit by unit
    # on a GPU
    launch: int | None = None  # the driver's function that launches it
    shape: tuple[int, int] = (0, 0)  # threads, bytes of shared memory
    parameters: tuple[tuple[int, int], ...] = ()  # where a layout has their numbers, which part
    tiles: FoldTiles | None = None  # of a fold, or of all passes over rows
    merging: Cut | None = None  # of a fold in parts: the kernel that merges these


class Launcher(Protocol):
    """A plan made ready by an engine."""

    @property
    def trying(self) -> bool:
        """Whether its calls still find out how it is run: what is compiled is open until then."""

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        """What `launch` needs for these storage addresses (inputs that are read, then output)."""

    def launch(self, packed: object, stream: int | None) -> None:
        """Run once. On the CPU the work is done when this returns."""

    def compiled(self, packed: Any) -> Compiled | None:
        """The same without Python, if that can be."""

    def cut(self, packed: Any) -> Cut | None:
        """What other layouts need to be launched without Python, if they can be."""

    def cuts(self, packed: Any) -> tuple[Cut, ...]:
        """The same of every pass; none where each layout is a case of its own."""


class Engine(Protocol):
    """One kind of device."""

    def prepare(self, plan: Plan) -> Launcher: ...

    def workspace_size(self, plan: Plan) -> int:
        """Bytes that a plan's launcher needs besides the tensors."""

    def allocate(self, size: int) -> tuple[int, object]:
        """Memory for a temporary: its address, and the object that keeps it."""


@cache
def engine_for(device: str) -> Engine:
    """The engine that works on memory of this device."""
    if device == "cpu":
        from openaclnn.engines.cpu import CpuEngine

        return CpuEngine()
    if device == "cuda":
        try:
            from openaclnn.engines.cuda import CudaEngine
        except ImportError as error:
            raise AclnnError(
                Status.INNER_FIND_KERNEL_ERROR,
                f"tensors on cuda need more: {error}; pip install triton cuda-bindings",
            ) from error
        return CudaEngine()
    raise AclnnError(Status.INNER_FIND_KERNEL_ERROR, f"no engine works on device {device!r}")
