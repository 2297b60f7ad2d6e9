"""A batch: the inputs of one call and its true results, computed in stretches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from openaclnn.base.dtypes import DType
from openaclnn.base.records import dataclass
from openaclnn.spec.op import Op
from openaclnn.truth.double_double import Floats, Pair
from openaclnn.truth.reference import reference
from openaclnn.truth.ulp import round_to
from openaclnn.verify.measure import Bits, values

BLOCK = 1 << 14  # elements that are measured at once: their temporaries stay in the cache

Truth = Callable[[slice], Pair]


@dataclass(frozen=True)
class Batch:
    """Bit patterns of the inputs that are read, in C order, all of one length.

    `slope`: gradients are 1, so that results are slopes; what is left before rounding is to be
    measured too. `period`: the values of self repeat after so many elements.
    """

    inputs: tuple[Bits, ...]
    truth: Truth
    attributes: Mapping[str, Any] = field(default_factory=dict)
    slope: bool = False
    period: int = 0

    @property
    def size(self) -> int:
        return int(self.inputs[0].size)


@dataclass(frozen=True)
class Batches:
    """Batches of one kind: so many, each made when its turn comes. `cost` weighs an element's
    work, for the estimate of the time that is left. `sweep`: all values of the operator's tensors,
    in the order of their bits."""

    name: str
    batches: int
    make: Callable[[int], Any]  # a Batch, or a Trial of any operator
    size: int = BLOCK
    cost: float = 1.0
    sweep: bool = False


def by_reference(
    op: Op,
    dtype: DType,
    inputs: Sequence[Bits],
    attributes: Mapping[str, Any] | None = None,
    slope: bool = False,
) -> Batch:
    """A batch whose truth is computed from scratch."""
    attributes = attributes or {}
    numel = inputs[0].size

    def truth(stretch: slice) -> Pair:
        wide = [values(bits[stretch], dtype) for bits in inputs]
        return reference(op, wide, attributes, numel, dtype)

    return Batch(tuple(inputs), truth, attributes, slope)


class Slopes:
    """True results for the gradients 1 and -1, to be multiplied by any gradient's magnitude.

    Exact to 2⁻⁸⁰: the first 29 bits of a slope times a gradient of 24 make a float64.
    """

    def __init__(self, op: Op, others: Sequence[Floats], attributes: Mapping[str, Any]) -> None:
        self.parts = []
        for sign in (1.0, -1.0):
            true = reference(op, [np.full_like(others[0], sign), *others], attributes)
            first = (true.high.view(np.int64) & ~np.int64((1 << 24) - 1)).view(np.float64)
            with np.errstate(all="ignore"):
                rest = (true.high - first) + true.low
            self.parts.append((first, np.where(np.isfinite(rest), rest, 0.0)))

    def times(self, g: Any, negative: bool, stretch: slice = slice(None)) -> Pair:
        """The results for finite gradients of one sign and magnitude g."""
        first, rest = self.parts[negative]
        with np.errstate(all="ignore"):
            product, more = first[stretch] * g, rest[stretch] * g
            high = product + more
            more -= high - product
        # the sign of a zero is that of its larger part
        return Pair(np.copysign(high, product, out=high), more)


def bits_of(numbers: Any, dtype: DType) -> Bits:
    """Bit patterns of the numbers of a dtype that are nearest to these."""
    wide = np.atleast_1d(np.asarray(numbers, np.float64))
    rounded = round_to(dtype, Pair(wide, np.zeros_like(wide)))
    return rounded.view(f"u{dtype.itemsize}")
