"""Fixtures for pytest: golden cases, and an assertion that judges by the field's standards.

pytest loads this where openaclnn is installed; nothing else is imported until a test asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("openaclnn")
    group.addoption("--aclnn-cases", metavar="FILE", default=None,
                    help="a suite of golden cases: tests that take aclnn_case run for each",
                    )  # fmt: skip


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "aclnn_case" not in metafunc.fixturenames:
        return
    file = metafunc.config.getoption("--aclnn-cases")
    if file is None:
        mark = pytest.mark.skip(reason="choose a suite of cases with --aclnn-cases FILE")
        metafunc.parametrize("aclnn_case", [pytest.param(None, marks=mark)], ids=["no cases"])
        return
    from openaclnn.golden import golden_suite

    try:
        cases = golden_suite(file)
    except (ValueError, OSError) as error:
        raise pytest.UsageError(f"--aclnn-cases {file}: {error}") from None
    metafunc.parametrize("aclnn_case", list(cases.values()), ids=list(cases))


@pytest.fixture
def aclnn_golden() -> Callable[..., Any]:
    """The function `openaclnn.golden.golden`: a golden case in memory."""
    from openaclnn.golden import golden

    return golden


@pytest.fixture
def assert_accurate() -> Callable[..., None]:
    """A function that fails with the table of `openaclnn compare`: (actual, golden, ...), where
    golden may be a golden case. Options are those of `openaclnn.compare.compare`."""
    from openaclnn.compare import compare
    from openaclnn.golden.memory import Golden

    def check(actual: Any, golden: Any, **options: Any) -> None:
        __tracebackhide__ = True
        judge = golden.compare if isinstance(golden, Golden) else None
        found = judge(actual, **options) if judge else compare(actual, golden, **options)
        if not found:
            pytest.fail(str(found), pytrace=False)

    return check
