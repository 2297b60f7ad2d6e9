"""Rows that the generic tests walk over, one module for each operator, discovered like the
operators themselves. Nothing here is derived from the operators' own files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

ANY_FLOAT = ("f16", "f32", "bf16", "f64")
EVERY_OUTPUT = (*ANY_FLOAT, "c64", "c128")  # what a float converts to
NARROW = ("f16", "f32", "bf16")


@dataclass(frozen=True)
class T:
    """A tensor argument; what is not given is contiguous and just large enough."""

    dtype: str = "f32"
    shape: tuple[int, ...] = (2, 3)
    strides: tuple[int, ...] | None = None
    offset: int = 0
    storage: tuple[int, ...] | None = None


@dataclass(frozen=True)
class S:
    """A scalar argument."""

    value: Any
    dtype: str = "f32"


@dataclass(frozen=True)
class Call:
    """What differs from a plain valid call (tensors T(), attributes `Samples.plain`), and the
    answer to it: a status, and a part of the message where it is refused."""

    arguments: Mapping[str, Any]
    status: int = 0
    message: str = ""
    product: str = "Ascend910B"

    def __str__(self) -> str:
        listed = ", ".join(f"{name}={value}" for name, value in self.arguments.items())
        return f"{self.product}({listed})"


@dataclass(frozen=True)
class Known:
    """Results that are known without computing: inputs that are read, in C order, and what comes
    out, to the bit unless `within` allows an error. Holds for all of `dtypes`."""

    inputs: tuple[list[float], ...]
    expected: list[float]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    dtypes: tuple[str, ...] = ("f32",)
    within: float = 0.0
    why: str = ""
    beyond_float64: bool = False  # e^-x counts where float64 has none left: not for plain NumPy


@dataclass(frozen=True)
class Samples:
    """Everything that the generic tests need to know about an operator."""

    op: str
    inputs: tuple[str, ...]  # that are read, in C order
    output: str
    oracle: Callable[..., Any]  # PyTorch, on float64 tensors, then attributes
    exact: Callable[..., Any]  # mpmath, on its numbers, then attributes
    edges: tuple[float, ...]  # where the function's behaviour turns
    hard: tuple[tuple[float, ...], ...]  # points where carelessness shows; float32 numbers
    known: tuple[Known, ...]
    calls: tuple[Call, ...]
    # whether the operator takes these input dtypes with that output's; products with bf16
    takes: Callable[[tuple[str, ...], str, str], bool]
    dtypes: tuple[str, ...] = NARROW
    attributes: tuple[Mapping[str, Any], ...] = ({},)  # combinations to try, by Python name
    plain: Mapping[str, Any] = field(default_factory=dict)  # of the plain valid call, all of them
    unread: tuple[str, ...] = ()
    broadcasts_on: tuple[str, ...] = ()  # products
    products: tuple[str, ...] = (
        "Ascend910B",
        "Ascend910_93",
        "Ascend950",
        "Ascend910",
        "Ascend310P",
    )


@cache
def all_samples() -> dict[str, Samples]:
    """The samples of every operator that has some."""
    modules = sorted(module.name for module in iter_modules(__path__))
    return {name: import_module(f"{__name__}.{name}").SAMPLES for name in modules}
