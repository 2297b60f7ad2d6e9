"""What people use today instead, one module each; asked for by name, imported when asked for.

A module has `VERSION_OF`, the package that must be installed; `TITLE`, what to call it in a
sentence; `MEANING`, how it is used; and `prepare(operands, threads)`, which gives a call that does
the same as ours, or a sentence that says why it cannot. The call returns its result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module, metadata
from types import ModuleType
from typing import Any

MODULES = {
    "torch": "eager",
    "torch.compile": "compiled",
    "jax": "jax",
    "numpy": "plain_numpy",
    "numexpr": "numexpr",
}
COPY = "copy"  # the machine's own limit: never an alternative, measured beside them


@dataclass(frozen=True)
class Prepared:
    """A call, and how to read what it returns as a NumPy array of float32."""

    call: Callable[[], Any]
    read: Callable[[Any], Any]


def module(name: str) -> ModuleType:
    return import_module(f"{__name__}.{MODULES[name]}")


def version(name: str) -> str | None:
    """The version of an alternative that is installed; None where it is not."""
    try:
        return metadata.version(module(name).VERSION_OF)
    except metadata.PackageNotFoundError:
        return None


def title(name: str) -> str:
    """What to call an alternative in a sentence."""
    return str(module(name).TITLE)


def meaning(name: str) -> str:
    return str(module(name).MEANING)


def installed() -> list[str]:
    return [name for name in MODULES if version(name) is not None]
