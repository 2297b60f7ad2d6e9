"""The loop to run, described for any engine: sizes, strides, dtypes, numbers."""

from openaclnn.plan.plan import Plan, make_plan

__all__ = ["Plan", "make_plan"]
