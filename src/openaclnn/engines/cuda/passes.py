"""From a pass to its kernels."""

from __future__ import annotations

import math
from dataclasses import replace

from openaclnn.base.status import AclnnError, Status
from openaclnn.engines.cuda import tile_table as tiles
from openaclnn.engines.cuda.choose_tiling import crosses_oddly, others, shifted_rows, tiling_of
from openaclnn.engines.cuda.fold import fold_kernels, in_parts
from openaclnn.engines.cuda.kernel import Kernel, kernel_of
from openaclnn.engines.cuda.rows import fits_on_chip, rows_kernel
from openaclnn.engines.cuda.tile_table import weight
from openaclnn.engines.cuda.tiling import LateTiling, Tiling, any_tiling
from openaclnn.plan import Pass, Plan, RoutinePass
from openaclnn.plan.folds import Rows
from openaclnn.plan.passes import Room

_MOST_PROGRAMS = 2**31 - 1
_WORTH_TRYING = 1 << 22  # elements, which take some 10 µs
_OTHERS = 3  # are tried; a fourth changes 1 layout of 200


def kernels_of(one: Pass | RoutinePass | Rows, arch: int) -> list[tuple[Kernel, tuple[int, ...]]]:
    """The kernels of a pass in order, each with the operands it takes; the one after the last is
    the room for a fold's parts."""
    if isinstance(one, RoutinePass):
        from openaclnn.engines.cuda.routines import routine_kernels

        found = routine_kernels(one, arch)
    elif isinstance(one, Rows):
        found = [(rows_kernel(one, arch), tuple(range(len(one.places))))]
    elif one.fold is not None:
        found = fold_kernels(one, arch)
    else:
        found = [(kernel_of(one.body, tiling_for(one), arch), tuple(range(len(one.places))))]
    for kernel, _ in found:
        refuse_too_large(one, kernel.programs)
    return found


def tiling_for(one: Pass) -> Tiling:
    """How a pass that folds nothing is cut."""
    kind = weight(one.body)
    few = any_tiling(one.loop, kind)
    return few or tiling_of(one.loop, one.body.sizes, kind, len(one.body.results))


def worth_trying_others(one: Pass, tiling: Tiling) -> bool:
    """Whether other tiles than these may be so much faster that calls should find out."""
    many = math.prod(one.loop.sizes) >= _WORTH_TRYING and len(one.body.results) == 1
    light = weight(one.body) in tiles.TRIED and {*one.body.sizes} == {2}
    return many and light and crosses_oddly(one.loop, tiling, one.body.sizes)


def other_tilings(one: Pass) -> list[Tiling]:
    """What is to be tried beside the usual tiles."""
    tiling = None if one.fold else tiling_for(one)
    if tiling is None or not worth_trying_others(one, tiling):
        return []
    found = others(one.loop, one.body.sizes, weight(one.body))
    return [other for other in found if other != tiling][:_OTHERS]


def tiling_for_odd_addresses(one: Pass, tiling: Tiling, most: bool, alike: bool) -> Tiling | None:
    """How a contiguous pass is cut where operands do not begin with a vector, perhaps `most` of
    them, and all the same number of elements after one; None: as always."""
    if len(tiling.axes) > 1 or len(tiling.axes[0].dims) > 1:
        return None
    few = any_tiling(one.loop, weight(one.body), at_odd_addresses=True)
    return few or (many_at_odd_addresses(one, tiling, alike) if most else None)


def many_at_odd_addresses(one: Pass, tiling: Tiling, alike: bool) -> Tiling | None:
    """The same of many elements."""
    (axis,) = tiling.axes
    in_order = {*axis.patterns} <= {"0", "1"} and "position" not in one.body.loads
    if alike and in_order and len({*one.body.sizes}) == 1 and one.body.sizes[0] < 16:
        return LateTiling(tiling.axes, (), tiling.tile)
    return shifted_rows(axis.dims, one.body.sizes, weight(one.body))


def refuse_too_large(one: Pass | RoutinePass | Rows, programs: int) -> None:
    if programs > _MOST_PROGRAMS:
        what = one.routine if isinstance(one, RoutinePass) else one.loop
        raise AclnnError(Status.RUNTIME_ERROR, f"{what} is too large for one launch")


def passes_of(plan: Plan) -> list[Pass | RoutinePass | Rows]:
    """What runs, one after the other. Kernels of routines share room behind the plan's own."""
    if at_once(plan):
        assert plan.rows is not None
        return [plan.rows]
    behind = _own_workspace(plan)
    return [
        replace(one, state=behind) if _room(one) else one
        for one in (_in_parts(one) for one in plan.passes if not one.empty)
    ]


def _in_parts(one: Pass | RoutinePass) -> Pass | RoutinePass:
    return one if isinstance(one, RoutinePass) or one.fold is None else in_parts(one)


def _own_workspace(plan: Plan) -> int:
    """How much of the workspace passes share; kernels have their own behind it."""
    return Room(plan.workspace_size).take(0)


def workspace_of(plan: Plan) -> int:
    """Bytes of the workspace. Rows that are computed at once leave nothing in it."""
    if at_once(plan):
        return 0
    rooms = [_room(_in_parts(one)) for one in plan.passes if not one.empty]
    return _own_workspace(plan) + max(rooms, default=0)


def _room(one: Pass | RoutinePass) -> int:
    """Bytes that a pass's kernels need of the workspace, while they run."""
    if isinstance(one, RoutinePass):
        from openaclnn.engines.cuda.routines import routine_room

        return routine_room(one)
    if one.fold is None or one.fold.parts == 1:
        return 0
    return math.prod(one.loop.sizes) * one.fold.parts * one.fold.state_size


def at_once(plan: Plan) -> bool:
    """Whether one kernel computes all passes over rows."""
    return plan.rows is not None and not plan.empty and fits_on_chip(plan.rows)
