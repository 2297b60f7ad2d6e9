"""Functions from basic operations, one to a file, with their coefficients for every compute type.

A file is loaded when a function of it is first used: a program does not wait for the others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

_FILES = {
    name: name
    for name in (
        "asin", "asinh", "atan", "cos", "erf", "erfc", "erfinv", "exp", "exp2", "expm1", "log",
        "log10", "log1p", "log2", "logaddexp", "pow", "rsqrt", "sigmoid", "sin", "sinh", "sqrt",
        "tan", "tanh",
    )
} | {
    "acos": "asin", "acosh": "asinh", "atan2": "atan", "atanh": "asinh", "cosh": "sinh",
    "logaddexp2": "logaddexp",
}  # fmt: skip
NAMES = frozenset(_FILES)


@cache
def named(name: str) -> Callable[..., Any]:
    """A function of an Algebra and numbers."""
    found: Callable[..., Any] = getattr(import_module(f"{__name__}.{_FILES[name]}"), name)
    return found
