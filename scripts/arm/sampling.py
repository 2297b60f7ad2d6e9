"""A plugin of pytest: runs some of the tests, the same ones every time.

python -m pytest -p sampling --at-most 100 …
"""

from __future__ import annotations

from hashlib import sha256

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--at-most", type=int, metavar="N", help="run N of the tests")


@pytest.hookimpl(trylast=True)  # of what -k and others leave
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    count = config.getoption("--at-most")
    if count is None or len(items) <= count:
        return
    drawn = sorted(items, key=lambda item: sha256(item.nodeid.encode()).digest())
    config.hook.pytest_deselected(items=drawn[count:])
    kept = set(drawn[:count])
    items[:] = [item for item in items if item in kept]
