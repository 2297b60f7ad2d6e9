"""From a pass to its kernels."""

from __future__ import annotations

from openaclnn.base.status import AclnnError, Status
from openaclnn.engines.cuda.fold import fold_kernels
from openaclnn.engines.cuda.kernel import Kernel, kernel_of
from openaclnn.engines.cuda.layout import Layout, any_layout, layout_of
from openaclnn.engines.cuda.rows import fits_on_chip, rows_kernel
from openaclnn.engines.cuda.shapes import weight
from openaclnn.plan import Pass, Plan
from openaclnn.plan.folds import Rows

_MOST_PROGRAMS = 2**31 - 1


def kernels_of(one: Pass | Rows, arch: int) -> list[tuple[Kernel, tuple[int, ...]]]:
    """The kernels of a pass in order, each with the operands it takes; the one after the last is
    the room for a fold's parts."""
    if isinstance(one, Rows):
        found = [(rows_kernel(one, arch), tuple(range(len(one.places))))]
    elif one.fold is not None:
        found = fold_kernels(one, arch)
    else:
        found = [(kernel_of(one.body, layout_for(one), arch), tuple(range(len(one.places))))]
    for kernel, _ in found:
        refuse_too_large(one, kernel.programs)
    return found


def layout_for(one: Pass) -> Layout:
    """How a pass that folds nothing is cut."""
    kind = weight(one.body)
    return any_layout(one.loop, kind) or layout_of(one.loop, one.body.sizes, kind)


def refuse_too_large(one: Pass | Rows, programs: int) -> None:
    if programs > _MOST_PROGRAMS:
        raise AclnnError(Status.RUNTIME_ERROR, f"{one.loop} is too large for one launch")


def passes_of(plan: Plan) -> list[Pass | Rows]:
    """What runs, one after the other."""
    if plan.rows is not None and not plan.empty and fits_on_chip(plan.rows):
        return [plan.rows]
    return [one for one in plan.passes if not one.empty]
