"""Every operator on a GPU: the CPU's bits."""

from __future__ import annotations

import pytest

pytest.importorskip("triton", reason="needs triton")
pytest.importorskip("cuda.bindings", reason="needs cuda-bindings")

from every_operator import differing
from host_engines import CopyingEngine
from openaclnn.ops import all_ops


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("name", all_ops())
def test_bits(name: str) -> None:
    assert differing(CopyingEngine(), all_ops()[name]) == []
