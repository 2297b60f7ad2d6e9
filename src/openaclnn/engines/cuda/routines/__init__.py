"""Routines on a GPU: one table from a routine's class to the function that writes its kernels."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from openaclnn.base.status import AclnnError, Status
from openaclnn.engines.cuda.kernel import Kernel
from openaclnn.plan import RoutinePass

# the module of this folder whose function `kernels` takes a RoutinePass and an architecture; it is
# imported when the first plan asks for such a routine
_TABLE = {
    "Compact": "compact",
    "Contraction": "contraction",
    "RunningExtremes": "extremes",
    "Scan": "scan",
    "Scatter": "scatter",
    "Sort": "sort",
}


def routine_kernels(one: RoutinePass, arch: int) -> list[tuple[Kernel, tuple[int, ...]]]:
    """The kernels of a pass in order, each with the operands it takes; the one after the last is
    the room in the workspace."""
    found: list[tuple[Kernel, tuple[int, ...]]] = _module(one).kernels(one, arch)
    return found


def routine_room(one: RoutinePass) -> int:
    """Bytes of the workspace that kernels need beyond what the routine itself asks for."""
    room: int = getattr(_module(one), "room", lambda _: 0)(one)
    return room


def _module(one: RoutinePass) -> Any:
    name = type(one.routine).__name__
    if name not in _TABLE:
        sentence = f"{name.lower()}s have no kernel for CUDA yet; choose the device cpu"
        raise AclnnError(Status.INNER_FIND_KERNEL_ERROR, sentence)
    return import_module(f"{__name__}.{_TABLE[name]}")
