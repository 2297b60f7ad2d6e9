"""Run rows of torch_rows.py on the CPU and on `npu`; a line of JSON for each on the given file.

    python torch_runner.py FILE NAME...

Started by test_torch_npu.py in an interpreter that has torch_npu, with the variables of
set_env.sh. A row that kills the process leaves its name as the last line.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from typing import Any

import torch
import torch_npu  # noqa: F401
from torch_rows import Maker, Row, rows


def main(path: str, *names: str) -> None:
    wanted = set(names)
    with open(path, "a", buffering=1) as file:
        for row in rows():
            if row.name in wanted:
                print(json.dumps({"began": row.name}), file=file)
                outcome, said = run(row)
                print(json.dumps({"name": row.name, "outcome": outcome, "said": said}), file=file)


def run(row: Row) -> tuple[str, str]:
    """How a row went, and everything that was said about it."""
    with stderr() as printed:
        try:
            outcome, said = compared(row)
        except Exception:
            outcome, said = "raised", traceback.format_exc()
        with contextlib.suppress(Exception):  # what a stream still has to report is reported
            torch.npu.synchronize()
    return outcome, said + printed[0]


def compared(row: Row) -> tuple[str, str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch's own, about indexing and such
        found = row.function(Maker("npu"))
        if row.alone:
            return ("same", "") if found is True else ("different", repr(found))
        expected = row.function(Maker("cpu"))
    try:
        torch.testing.assert_close(on_host(found), on_host(expected), equal_nan=True)
    except AssertionError as error:
        return "different", f"{error}\n"
    return "same", ""


def on_host(found: Any) -> Any:
    """Tensors on the CPU, and whatever can be compared with ==."""
    if isinstance(found, torch.Tensor):
        return found.detach().cpu()
    if isinstance(found, (list, tuple)):
        return [on_host(part) for part in found]
    return torch.tensor(list(found.encode())) if isinstance(found, str) else found


@contextlib.contextmanager
def stderr() -> Iterator[list[str]]:
    """What is printed there meanwhile, by C as well."""
    printed: list[str] = [""]
    kept = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            yield printed
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            lines = file.read().decode(errors="replace").splitlines(keepends=True)
            # a function that is missing is looked for in ten libraries, and then named once
            printed[0] = "".join(line for line in lines if "[PTA]:dlsym" not in line)


if __name__ == "__main__":
    main(*sys.argv[1:])
