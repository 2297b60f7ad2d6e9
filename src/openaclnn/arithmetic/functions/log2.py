"""log₂(x), exact for powers of two."""

from __future__ import annotations

from openaclnn.arithmetic.functions.log import to_base
from openaclnn.arithmetic.nodes import Node
from openaclnn.arithmetic.ratio import Algebra, Ratio


def log2(algebra: Algebra, x: Node) -> Ratio:
    """log₂(x) for any x: -inf for 0, NaN below."""
    return to_base(algebra, "log2", x, 2.0)
