"""Skips what needs a GPU where there is none."""

import pytest

from openaclnn import runtime


@pytest.fixture(scope="session")
def gpu() -> None:
    if not runtime.cuda_exists():
        pytest.skip("needs an NVIDIA GPU and the extra openaclnn[cuda]")
