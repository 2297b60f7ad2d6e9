"""The operators as functions of this module, for type checkers, which read operators.pyi: the build
writes it from the operators' files. Programs find the functions in `openaclnn` itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        import openaclnn

        return getattr(openaclnn, name)
