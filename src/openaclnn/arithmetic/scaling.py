"""Powers of two, also far outside the range of the type that they scale."""

from __future__ import annotations

from openaclnn.arithmetic.compute_types import ComputeType
from openaclnn.arithmetic.nodes import Node, bits, fma, from_bits, maximum, minimum, select
from openaclnn.base.records import dataclass

MOST = 491  # exponents, up or down, that `scale` has steps for


@dataclass(frozen=True)
class Power:
    """2^exponent. `shifted` is magic + exponent; `most` is what the exponent's magnitude can be."""

    exponent: Node
    shifted: Node
    most: float = MOST
    upward: bool = False  # whether the exponent may be positive
    y: Node | None = None  # of the e^-y that it comes from, where it is one

    def times(self, other: Power) -> Power:
        return Power(
            self.exponent + other.exponent,
            self.shifted + other.exponent,
            self.most + other.most,
            self.upward or other.upward,
        )

    def inverse(self, compute_type: ComputeType) -> Power:
        return Power(-self.exponent, -self.exponent + compute_type.magic, self.most, upward=True)

    def below(self, top: Power) -> Power:
        """This power divided by one that is not less."""
        return Power(self.exponent - top.exponent, self.shifted - top.exponent, self.most)


def larger(compute_type: ComputeType, a: Power, b: Power | None) -> Power:
    """The larger of two powers; None is 1."""
    exponent = maximum(0.0 if b is None else b.exponent, a.exponent)
    most = a.most if b is None else max(a.most, b.most)
    upward = a.upward or (b is not None and b.upward)
    return Power(exponent, exponent + compute_type.magic, most, upward)


def chosen(
    compute_type: ComputeType, condition: Node, a: Power | None, b: Power | None
) -> Power | None:
    """The first power where a condition holds, else the second; None is 1."""
    powers = [power for power in (a, b) if power is not None]
    if not powers:
        return None
    return Power(
        select(condition, a.exponent if a else 0.0, b.exponent if b else 0.0),
        select(
            condition,
            a.shifted if a else compute_type.magic,
            b.shifted if b else compute_type.magic,
        ),
        max(power.most for power in powers),
        any(power.upward for power in powers),
        powers[0].y if len(powers) == 1 else None,
    )


def power_of_two(compute_type: ComputeType, shifted: Node) -> Node:
    """2^n for the integer n that `shifted` = magic + n carries in its lowest bits."""
    one = compute_type.bias << compute_type.mantissa
    return from_bits((bits(shifted) << compute_type.mantissa) + one)


def times_power(compute_type: ComputeType, x: Node, power: Power) -> Node:
    """x · 2^exponent as a plain number, for an exponent that the type has room for."""
    if not compute_type.guarded:  # x is of order 1: the exponents may be added
        return from_bits(bits(x) + (bits(power.shifted) << compute_type.mantissa))
    return x * power_of_two(compute_type, power.shifted)


def times_power_down(compute_type: ComputeType, x: Node, power: Power) -> Node:
    """x · 2^exponent for an exponent that is not positive; 0 where it is below the type's range."""
    shifted = maximum(
        compute_type.magic - compute_type.bias, power.shifted
    )  # -127 gives the bits of 0
    return x * power_of_two(compute_type, shifted)


def scale(compute_type: ComputeType, factor: Node | None, x: Node, power: Power) -> Node:
    """factor · x · 2^exponent, for x of order 1.

    2^exponent may be no number of its own: one part of it is applied before the factor, which
    might overflow with x alone, and the rest after it in three equal steps.
    """
    exponent = power.exponent
    if power.most > MOST:  # further away all is 0, or infinite
        exponent = maximum(-MOST, minimum(MOST, exponent))
    beyond = minimum(0.0, exponent + 118.0)
    if power.upward:
        beyond = beyond + maximum(0.0, exponent - 118.0)
    shifted = fma(beyond, 1 / 3, compute_type.magic)
    third = shifted - compute_type.magic
    last = power_of_two(compute_type, shifted)
    first = power_of_two(compute_type, fma(third, -3.0, exponent) + compute_type.magic)
    product = x * first if factor is None else factor * (x * first)
    return product * last * last * last
