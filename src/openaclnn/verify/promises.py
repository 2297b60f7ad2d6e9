"""What is promised of an operator's results. Pages and `openaclnn show` print these, and
`openaclnn verify` holds kernels to them: what it does not check is no promise."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from openaclnn.base.dtypes import DType
from openaclnn.base.records import dataclass
from openaclnn.base.settings import LEVELS
from openaclnn.base.status import OpenaclnnError
from openaclnn.spec import describe
from openaclnn.spec.op import Op
from openaclnn.spec.proof import Bound
from openaclnn.truth import trees
from openaclnn.verify import trials
from openaclnn.verify.bounds import bound


@dataclass(frozen=True)
class Promise:
    """The largest error of results in a dtype, by level; None where nothing is promised."""

    dtype: DType
    bounds: Mapping[str, Bound | None]


@cache
def promises(op: Op) -> tuple[Promise, ...]:
    """Those of all dtypes in which `verify` can make calls whose results are floats.

    >>> from openaclnn.ops import find
    >>> for one in promises(find("silu_backward"))[:2]:
    ...     print(one.dtype, {level: found and found.ulp for level, found in one.bounds.items()})
    FLOAT16 {'exact': 0.51, 'fast': 0.51}
    FLOAT {'exact': 0.51, 'fast': 15.0}
    """
    return tuple(
        Promise(dtype, {level: bound(op, dtype, level) for level in LEVELS})
        for dtype in describe.dtypes(op)
        if dtype.kind == "float" and _checked(op, dtype)
    )


def _checked(op: Op, dtype: DType) -> bool:
    if not all(map(trees.is_known, op.expressions)):
        return False  # nor can it be
    try:
        call = trials.call_in(op, dtype, (2, 2), {})
    except (OpenaclnnError, ValueError):
        return False
    return next(iter(call.writes)).tensor.dtype.kind == "float"
