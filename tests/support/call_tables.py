"""The call table in Python and the compiled one, for tests of what holds of both."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from openaclnn.base.compiler import BuildError
from openaclnn.calls.replay import native

BOTH = ("python", "compiled")


@cache
def library() -> native.Library:
    """The compiled call cache, built where need be."""
    try:
        path = native.build(wait=True)
    except BuildError as error:
        pytest.skip(str(error))
    return native.Library(path)


def open_only(name: str) -> None:
    """Let calls take this one."""
    native.want()
    native.pending = False
    native.use(library() if name == "compiled" else None)


def both_tables() -> Any:
    """A fixture that runs every test of a module with either."""

    @pytest.fixture(scope="module", params=BOTH, autouse=True)
    def each(request: pytest.FixtureRequest) -> Iterator[str]:
        open_only(request.param)
        yield request.param
        open_only("compiled")

    return each
