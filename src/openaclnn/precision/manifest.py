"""manifest.json: all that is needed to make a golden case's call again, elsewhere."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from openaclnn.base import dtypes
from openaclnn.base.dtypes import BF16, FLOAT16, DType
from openaclnn.base.tensors import View
from openaclnn.precision.sources import UnreadableError
from openaclnn.precision.ulp import BF16_FLOAT16, FLOAT16_BF16, FORMATS

NAME = "manifest.json"
FORMAT = 1  # changes when the same description no longer gives the same files


def tensor(name: str, c_name: str, view: View, file: str | None) -> dict[str, Any]:
    """A tensor's entry; the file holds its storage, of which it is a view."""
    return {
        "name": name,
        "c_name": c_name,
        "dtype": view.dtype.name,
        "shape": list(view.shape),
        "strides": list(view.strides),
        "offset": view.offset,
        "storage_shape": list(view.storage_shape),
        **({"file": file} if file else {}),
    }


def write(folder: Path, data: dict[str, Any]) -> None:
    text = json.dumps({"format": FORMAT, **data}, indent=2, ensure_ascii=False)
    # shapes on one line
    text = re.sub(r"\[\s+([-\d,\s]*?)\s+\]", lambda m: f"[{' '.join(m[1].split())}]", text)
    (folder / NAME).write_text(text + "\n", encoding="utf-8", newline="\n")


@dataclass(frozen=True)
class Expected:
    """What a case's results are to be compared with, and what they are."""

    golden: Path
    dtype: DType
    judged_as: DType
    shape: tuple[int, ...]


def through(first: DType, second: DType) -> DType:
    """The type of results that were rounded to one float type and then to another: the one with
    fewer digits, or something between the two of 16 bits."""
    twice = {(BF16, FLOAT16): BF16_FLOAT16, (FLOAT16, BF16): FLOAT16_BF16}
    return twice.get((first, second)) or min(first, second, key=lambda dtype: FORMATS[dtype].bits)


def expected_output(folder: Path) -> Expected:
    """The expected output of the case in a folder."""
    path = folder / NAME
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        output = data["output"]
        golden, shape = data["golden"]["exact"], tuple(map(int, output["shape"]))
        dtype, promoted = (dtypes.by_name(n) for n in (output["dtype"], data["promoted"]))
        judged_as = through(promoted, dtype)
    except OSError:
        raise UnreadableError(
            f"{folder} is a folder without {NAME}; expected a golden case"
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UnreadableError(f"{path} is not the manifest of a golden case") from None
    if Path(golden).name != golden:
        raise UnreadableError(f"{path} names {golden!r}; expected a file beside it")
    return Expected(folder / golden, dtype, judged_as, shape)
