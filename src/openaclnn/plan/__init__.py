"""The loops to run, described for any engine: bodies, sizes, strides, places, numbers."""

from openaclnn.arithmetic.simplify import kinds_of
from openaclnn.plan.passes import WORKSPACE, Pass, Place, pass_over
from openaclnn.plan.plan import Plan, make_plan, needs_staging, staged
from openaclnn.plan.routines import RoutinePass

__all__ = [
    "WORKSPACE", "Pass", "Place", "Plan", "RoutinePass", "kinds_of", "make_plan", "needs_staging",
    "pass_over", "staged",
]  # fmt: skip
