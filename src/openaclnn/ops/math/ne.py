"""Whether both differ; NaN differs from everything, and -0 is 0."""

from collections.abc import Callable
from typing import Any

from openaclnn.spec.families import comparison
from openaclnn.spec.formula import not_equal


def isnan(of: Callable[[str], Any], self: Any, *, out: Any = None) -> Any:
    """Whether an element is NaN: no other value differs from itself."""
    return of("ne_tensor")(self, self, out=out)


OPS = comparison(
    "ne",
    formula=lambda self, other: not_equal(self, other),
    en="Inequality",
    zh="不等比较",
    torch="ne",
    source="signatures: op-plugin; promotion and values: PyTorch's ne",
    aliases=("not_equal",),
    spellings=(isnan,),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.ne(np.array([1, 2, 3]), np.array([1, 4, 3]))
array([False,  True, False])
""",
)
