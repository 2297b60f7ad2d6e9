"""The types that formulas are computed in, and what results ask of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, replace

from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, UINT64, DType
from openaclnn.base.records import dataclass


@dataclass(frozen=True)
class ComputeType:
    """A compute type for certain results; functions have their coefficients by its name."""

    name: str
    type: str
    mantissa: int = 0  # stored bits
    bias: int = 0
    magic: float = 0.0  # added to a small number, leaves its nearest integer in the lowest bits
    root_radius: float = 0.0  # a `near` takes the series within this distance of the root …
    root_terms: int = 0  # … as a polynomial of so many terms
    _: KW_ONLY
    extends_range: bool = False  # whether results may depend on what is below the type's range
    full_precision: bool = False  # whether results have as many bits: a rounding too many shows
    guarded: bool = True  # whether extreme arguments are seen to
    unsigned: bool = False  # of integers

    def unguarded(self) -> ComputeType:
        """For arguments that are not extreme: the same bits for less."""
        return replace(self, guarded=False)


F64 = ComputeType("f64", "f64", mantissa=52, bias=1023, magic=1.5 * 2.0**52, full_precision=True)
F64_FOR_FLOAT = replace(
    F64, name="f64 for FLOAT", full_precision=False, root_radius=0.25, root_terms=12
)

F32 = ComputeType(
    "f32",
    "f32",
    mantissa=23,
    bias=127,
    magic=1.5 * 2.0**23,
    extends_range=True,
    full_precision=True,
    root_radius=0.025,
    root_terms=3,
)

F32_FOR_BF16 = replace(
    F32, name="f32 for BF16", full_precision=False, root_radius=0.0, root_terms=0
)

# float16 ends at 2⁻²⁴ and 65504: what lies below 2⁻¹²⁶ never counts
F32_FOR_FLOAT16 = replace(F32_FOR_BF16, name="f32 for FLOAT16", extends_range=False)

I64 = ComputeType("i64", "i64")
_INTEGERS = {"i32": ComputeType("i32", "i32"), "i64": I64}
_U64 = ComputeType("u64", "i64", unsigned=True)


def compute_type_of(inputs: Sequence[DType], promoted: DType, compute: str) -> ComputeType:
    """The compute type for inputs that meet in a dtype, computed in a type.

    A DOUBLE of inputs that are no more than FLOAT is the result for FLOAT before it is rounded.
    """
    if compute in _INTEGERS:
        return _U64 if (compute, promoted) == ("i64", UINT64) else _INTEGERS[compute]
    if compute == "f32":
        return {FLOAT16: F32_FOR_FLOAT16, BF16: F32_FOR_BF16}.get(promoted, F32)
    short = bool(inputs) and all(dtype in (FLOAT, FLOAT16, BF16) for dtype in inputs)
    return F64 if promoted is DOUBLE and not short else F64_FOR_FLOAT
