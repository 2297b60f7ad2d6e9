"""What a proof of an operator's error bounds needs besides the operator itself. An operator that
says nothing is proven all the same, on inputs of all kinds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from openaclnn.base.dtypes import DType
from openaclnn.base.records import dataclass

_LARGE = 10  # powers of two from this one on are written as such
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Bound:
    """The largest error, in ULP; `where` says for which inputs where it is not all of them, and
    `holds` says it as a formula, a condition of inputs and attributes."""

    ulp: float
    where: str = ""
    holds: Callable[..., Any] | None = None

    def __str__(self) -> str:
        """The number as readers want it.

        >>> str(Bound(0.51)), str(Bound(2.0**20))
        ('0.51', '2²⁰')
        """
        power = round(math.log2(self.ulp))
        if power >= _LARGE and self.ulp == 2.0**power:
            return "2" + str(power).translate(_SUPERSCRIPT)
        return f"{self.ulp:g}"


@dataclass(frozen=True)
class Slope:
    """A slope where mathematics gives it at once, to 2⁻⁸⁰: at + rise·x within 2⁻²⁷ of 0, and its
    limits beyond ±1024."""

    at: float
    rise: float
    below: float
    above: float


@dataclass(frozen=True)
class Proof:
    """`meaning` is the formula as mathematics has it, where the operator's own is arranged for
    computing. Its parameters may also be what uniforms are made of: attributes, and `numel`.

    `edges` are inputs at which something happens, `range` is where most of it does; `distance`
    names the attribute at which distance of two inputs it does. `values` are all that a tensor
    takes, by name, where the bound holds for no others. `attributes` are tried one after
    the other, `swept` are those of the sweeps through all inputs. `fast` is what level fast
    promises of a dtype where its kernels are not those of level exact; nothing said, errors are
    measured and not judged; `exact` is what level exact promises of a dtype where that is not
    0.51 ULP, None where it is nothing. `slope` spares sweeps of a gradient times a slope the
    obvious.
    """

    meaning: Callable[..., Any] | None = None
    edges: tuple[float, ...] = ()
    range: tuple[float, float] = (-4.0, 4.0)
    distance: str = ""
    values: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    attributes: tuple[Mapping[str, Any], ...] = ()
    swept: Mapping[str, Any] = field(default_factory=dict)
    fast: Mapping[DType, Bound] = field(default_factory=dict)
    exact: Mapping[DType, Bound | None] = field(default_factory=dict)
    slope: Slope | None = None


DEFAULT = Proof()
