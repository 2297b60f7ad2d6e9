"""The loops to run, described for any engine: bodies, sizes, strides, places, numbers."""

from openaclnn.plan.plan import (
    WORKSPACE,
    Pass,
    Place,
    Plan,
    make_plan,
    needs_staging,
    pass_over,
    staged,
)

__all__ = [
    "WORKSPACE",
    "Pass",
    "Place",
    "Plan",
    "make_plan",
    "needs_staging",
    "pass_over",
    "staged",
]
