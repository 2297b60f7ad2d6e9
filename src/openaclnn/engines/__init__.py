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
    """A launch that needs no Python: a C function that takes a block of words, or a GPU's kernel,
    whose arguments these words are. `pointers` are the words that are addresses, and which tensor's
    each is, or the workspace's (plan.WORKSPACE)."""

    function: int
    block: bytes
    pointers: tuple[tuple[int, int], ...]
    holding: bool = True  # it is too short to give Python's lock away
    launch: int | None = None  # the driver's function that launches it
    shape: tuple[int, int, int] = (0, 0, 0)  # programs, threads, bytes of shared memory
    shared: Shared | None = None  # of a CPU's kernel that is for threads to share
    # where the workspace has what is found of indices, and what that may be: see plan.Extremes
    limits: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Launched:
    """One launch of a plan as its words, which may be traced, as may the count of what threads
    share, or of a GPU's programs."""

    function: int
    words: Sequence[Any]
    shared: Shared | None = None
    holding: Any = 1
    launch: int | None = None
    shape: tuple[Any, int, int] = (0, 0, 0)


class Launcher(Protocol):
    """A plan made ready by an engine."""

    @property
    def trying(self) -> bool:
        """Whether its calls still find out how it is run: what is compiled is open until then."""

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        """What `launch` needs for these storage addresses (inputs that are read, then output)."""

    def launch(self, packed: object, stream: int | None) -> int | None:
        """Run once. On the CPU the work is done when this returns. Where data decide how many
        elements there are, their number."""

    def compiled(self, packed: Any) -> Compiled | None:
        """The same without Python, if that can be."""


class Engine(Protocol):
    """One kind of device."""

    def prepare(self, plan: Plan) -> Launcher: ...

    def workspace_size(self, plan: Plan) -> int:
        """Bytes that a plan's launcher needs besides the tensors."""

    def allocate(self, size: int, stream: int | None = None) -> tuple[int, object]:
        """Memory for a temporary that one stream uses: its address, and the object that keeps it,
        which may be dropped as soon as what uses it was launched."""


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
