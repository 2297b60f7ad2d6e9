"""What programs do with torch_npu, as rows: a name, a function of tensors, an expectation.

A function gets a `Maker`, which makes the same tensors on any device, and returns what is compared:
tensors, numbers, texts, or tuples of them. It runs on the CPU and on `npu`, and both must agree as
far as `torch.testing.assert_close` asks. `MISSING` says which rows fail for want of an aclnn
function: these must fail and name it, so that a function that appears turns them red until they are
taken from the table.
"""

from __future__ import annotations

from dataclasses import replace

from torch_rows import device, learning, networks, tensors
from torch_rows.missing import MISSING
from torch_rows.row import Maker, Row

__all__ = ["Maker", "Row", "rows"]


def rows() -> list[Row]:
    found = [
        row
        for module in (tensors, networks, learning, device)
        for function in module.ROWS
        for row in function()
    ]
    missing = {name: function for function, names in MISSING.items() for name in names}
    names = [row.name for row in found]
    assert len(set(names)) == len(names), "two rows have one name"
    assert missing.keys() <= set(names), "a row is expected to fail, and not there"
    return [replace(row, missing=missing.get(row.name, "")) for row in found]
