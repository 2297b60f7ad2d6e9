"""The types that formulas are computed in, and what results ask of them."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Width:
    """A compute type for certain results; functions have their coefficients by its name."""

    name: str
    type: str
    mantissa: int  # stored bits
    bias: int
    magic: float  # added to a small number, leaves its nearest integer in the lowest bits
    extends_range: bool = False  # whether results may depend on what is below the type's range
    full_precision: bool = False  # whether results have as many bits: a rounding too many shows
    root_radius: float = 0.0  # a `near` takes the series within this distance of the root …
    root_terms: int = 0  # … as a polynomial of so many terms
    guarded: bool = True  # whether extreme arguments are seen to

    def unguarded(self) -> Width:
        """For arguments that are not extreme: the same bits for less."""
        return replace(self, guarded=False)


F64_FOR_FLOAT = Width("f64 for FLOAT", "f64", mantissa=52, bias=1023, magic=1.5 * 2.0**52)

F32 = Width(
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
