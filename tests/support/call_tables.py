"""The call table in Python and the compiled one, for tests of what holds of both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

import openaclnn
from openaclnn import aclnn
from openaclnn.base.compiler import BuildError
from openaclnn.calls import by_name, c_shaped
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


@contextmanager
def own_functions() -> Iterator[None]:
    """Operators' functions are made anew, and only theirs take what is opened. New tables of all
    that the tests before have called took 86 MB each time, and none is ever freed."""
    told, made, names = native._told, {**by_name._made}, vars(openaclnn)
    bound = {name: names.pop(name) for name in made if name in names}
    phases = {name: one for name, one in vars(aclnn).items() if name.startswith("aclnn")}
    for name in phases:
        delattr(aclnn, name)
    c_shaped.function.cache_clear()
    native._told = []
    by_name._made.clear()
    yield
    native._told += told
    by_name._made.update(made)
    names.update(bound)
    vars(aclnn).update(phases)


def both_tables() -> Any:
    """A fixture that runs every test of a module with either."""

    @pytest.fixture(scope="module", params=BOTH, autouse=True)
    def each(request: pytest.FixtureRequest) -> Iterator[str]:
        with own_functions():
            open_only(request.param)
            yield request.param
            open_only("compiled")

    return each
