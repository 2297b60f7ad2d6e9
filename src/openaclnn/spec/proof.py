"""What a proof of an operator's error bounds needs besides the operator itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Proof:
    """`meaning` is the formula as mathematics has it, where the operator's own is arranged for
    computing. Its parameters may also be what uniforms are made of: attributes, and `numel`."""

    meaning: Callable[..., Any] | None = None


DEFAULT = Proof()
