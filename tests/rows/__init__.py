"""Rows of the operators' files: known values, an oracle, and calls that are refused. One module for
each file of operators that the samples do not cover in depth; nothing here derives from the
operators' own files.

A row's tests are few: layouts, overlap, executors and doors are tested for each kind of plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from samples import Call, S, T

__all__ = ["FLOATS", "INTEGERS", "NUMBERS", "Call", "Case", "Known", "Rows", "S", "T", "all_rows"]

FLOATS = ("f16", "f32", "bf16")
INTEGERS = ("s8", "u8", "s16", "s32", "s64")
NUMBERS = (*FLOATS, "f64", *INTEGERS)


@dataclass(frozen=True)
class Known:
    """Results that are known without computing, to the bit unless `within` allows an error: the
    function's positional arguments (lists are arrays of the dtype; numbers and lists of lists stay
    what they are, those of arrays), and what comes out, one list for each output, or an array."""

    arguments: tuple[Any, ...]
    expected: tuple[Any, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    dtypes: tuple[str, ...] = ("f32",)
    within: float = 0.0
    out: str = ""  # the dtype of the results, where it is another


@dataclass(frozen=True)
class Case:
    """A call on random tensors of shapes that belong together. `draw` makes arrays of float64 or
    integers by argument name, of which floats are rounded to the dtype; the oracle takes what
    PyTorch makes of them in float64, and the attributes, and gives the results in C order, None for
    those that it does not know."""

    draw: Callable[[Any], Mapping[str, Any]]
    oracle: Callable[..., Any]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    dtypes: tuple[str, ...] = FLOATS
    bound: float = 0.51  # ULP, beside 2⁻⁴⁰ of the largest number; of DOUBLE the latter alone


@dataclass(frozen=True)
class Rows:
    """What the tests need to know about one operator; its in-place variants are tested beside
    it."""

    op: str
    known: tuple[Known, ...]
    calls: tuple[Call, ...]
    # PyTorch on tensors of float64 or integers, then attributes by name; one result or a tuple
    oracle: Callable[..., Any] | None = None
    inputs: int = 1  # how many tensors the oracle takes
    dtypes: tuple[str, ...] = FLOATS  # that the oracle's inputs are drawn in
    attributes: tuple[Mapping[str, Any], ...] = ({},)  # combinations to try
    edges: tuple[float, ...] = (0.0,)  # where the function's behaviour turns
    plain: Mapping[str, Any] = field(default_factory=dict)  # of a plain call, but T()
    bound: float = 0.51  # ULP from the oracle, at level exact
    in_place: str = ""  # the variant that changes its first tensor
    scalar: str = ""  # the variant that takes a number for its second tensor
    cases: tuple[Case, ...] = ()
    # indices, and the size of what they count in the first case
    beyond: Mapping[str, int] = field(default_factory=dict)


@cache
def all_rows() -> dict[str, Rows]:
    """Every operator's rows by its name."""
    modules = sorted(m.name for m in iter_modules(__path__) if m.name != "families")
    found = [row for name in modules for row in import_module(f"{__name__}.{name}").ROWS]
    return {rows.op: rows for rows in found}
