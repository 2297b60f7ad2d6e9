"""What a line in a shell gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str


Shell = Callable[..., Done]
