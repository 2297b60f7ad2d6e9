"""From a pass to its kernels."""

from __future__ import annotations

from openaclnn.base.status import AclnnError, Status
from openaclnn.engines.cuda.fold import fold_kernels
from openaclnn.engines.cuda.kernel import Kernel, kernel_of
from openaclnn.engines.cuda.layout import layout_of
from openaclnn.engines.cuda.shapes import weight
from openaclnn.plan import Pass

_MOST_PROGRAMS = 2**31 - 1


def kernels_of(one: Pass, arch: int) -> list[tuple[Kernel, tuple[int, ...]]]:
    """The kernels of a pass in order, each with the operands it takes; the one after the last is
    the room for a fold's parts."""
    if one.fold is not None:
        found = fold_kernels(one, arch)
    else:
        layout = layout_of(one.loop, one.body.sizes, weight(one.body))
        found = [(kernel_of(one.body, layout, arch), tuple(range(len(one.places))))]
    if any(kernel.programs > _MOST_PROGRAMS for kernel, _ in found):
        raise AclnnError(Status.RUNTIME_ERROR, f"{one.loop} is too large for one launch")
    return found
