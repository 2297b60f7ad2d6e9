"""What an operator demands of its arguments, as data. An Op lists its rules in checking order;
`openaclnn.check` enforces them, documentation prints them."""

from __future__ import annotations

from dataclasses import dataclass

from openaclnn.base.dtypes import DType
from openaclnn.base.products import Product


@dataclass(frozen=True)
class Dtypes:
    """The named tensors (or scalars) have one of these dtypes, BF16 only where the chip has it."""

    of: tuple[str, ...]
    allowed: tuple[DType, ...]


@dataclass(frozen=True)
class SameDtype:
    """The named inputs and the output share one dtype.

    On the products of `mixed_on` inputs may differ; the output then has dtype `mixed_output`.
    """

    of: tuple[str, ...]
    mixed_on: tuple[Product, ...] = ()
    mixed_output: DType | None = None


@dataclass(frozen=True)
class Promotable:
    """The inputs' dtypes have a common one."""


@dataclass(frozen=True)
class Castable:
    """The promoted dtype converts to the output's."""


@dataclass(frozen=True)
class MaxDims:
    """The named tensors have at most this many dimensions."""

    of: tuple[str, ...]
    limit: int = 8


@dataclass(frozen=True)
class SameShape:
    """The named inputs and the output share one shape (on `broadcast_on`: as in Broadcast)."""

    of: tuple[str, ...]
    broadcast_on: tuple[Product, ...] = ()


@dataclass(frozen=True)
class Broadcast:
    """The named inputs broadcast, and the output has the shape that results."""

    of: tuple[str, ...]


@dataclass(frozen=True)
class OneOf:
    """An attribute has one of the values that its argument names."""

    of: str


@dataclass(frozen=True)
class NotNegative:
    """An attribute is at least 0, so NaN is refused; with `when`, only if that attribute is true
    (and then a NaN, which is not below 0, passes)."""

    of: str
    when: str = ""


Rule = (
    Dtypes
    | SameDtype
    | Promotable
    | Castable
    | MaxDims
    | SameShape
    | Broadcast
    | OneOf
    | NotNegative
)
