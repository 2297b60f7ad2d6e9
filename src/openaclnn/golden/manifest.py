"""manifest.json: everything that is needed to make a golden case's call on another machine."""

from __future__ import annotations

import hashlib
import json
import re
from operator import index
from pathlib import Path
from typing import Any

from openaclnn.base import dtypes
from openaclnn.base.dtypes import BF16, FLOAT16, DType
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View
from openaclnn.compare.sources import UnreadableError
from openaclnn.truth.ulp import BF16_FLOAT16, FLOAT16_BF16, FORMATS

NAME = "manifest.json"
FORMAT = 2  # the first that knows several outputs; a case with one is of format 1


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


def sha256(path: Path) -> str:
    """The digest of a file, which may be larger than the memory."""
    total = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            total.update(piece)
    return total.hexdigest()


def forget(folder: Path) -> None:
    """Delete an earlier case from a folder: its files, where they are still as they were written,
    and its manifest."""
    try:
        digests = dict(json.loads((folder / NAME).read_text(encoding="utf-8"))["sha256"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return
    for name, digest in digests.items():
        path = folder / name
        if path.parent == folder and path.is_file() and sha256(path) == digest:
            path.unlink()
    (folder / NAME).unlink()


def write(folder: Path, data: dict[str, Any]) -> None:
    written_as = FORMAT if "outputs" in data else 1
    text = json.dumps({"format": written_as, **data}, indent=2, ensure_ascii=False)
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
    """The type of results that were rounded to one type and then to another: of two float types
    the one with fewer digits, or something between the two of 16 bits."""
    if first not in FORMATS or second not in FORMATS:
        return second
    twice = {(BF16, FLOAT16): BF16_FLOAT16, (FLOAT16, BF16): FLOAT16_BF16}
    return twice.get((first, second)) or min(first, second, key=lambda dtype: FORMATS[dtype].bits)


@dataclass(frozen=True)
class Described:
    """The operator of a case, and the names of its outputs."""

    operator: str
    outputs: tuple[str, ...]


def described(folder: Path) -> Described:
    """What a case is of."""
    path = folder / NAME
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        outputs = data.get("outputs") or [data["output"]]
        return Described(str(data["c_name"]), tuple(str(output["name"]) for output in outputs))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UnreadableError(f"{path} is not the manifest of a golden case") from None


def expected_output(folder: Path, name: str = "") -> Expected:
    """The expected output of the case in a folder, by name where it has several."""
    path = folder / NAME
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        written_as, digests = data["format"], dict(data["sha256"])
        output = _chosen(path, data, name)
        golden, shape = str(output["golden"]["exact"]), tuple(map(index, output["shape"]))
        dtype, promoted = (dtypes.by_name(n) for n in (output["dtype"], data["promoted"]))
        judged_as = through(promoted, dtype)
    except OSError:
        raise UnreadableError(
            f"{folder} is a folder without {NAME}; expected a golden case"
        ) from None
    except UnreadableError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UnreadableError(f"{path} is not the manifest of a golden case") from None
    if written_as not in range(1, FORMAT + 1):
        raise UnreadableError(
            f"{path} has format {written_as!r}; this version of openaclnn knows up to {FORMAT}"
        )
    if Path(golden).name != golden:
        raise UnreadableError(f"{path} names {golden!r}; expected a file beside it")
    _refuse_changed(folder / golden, digests.get(golden))
    return Expected(folder / golden, dtype, judged_as, shape)


def _chosen(path: Path, data: dict[str, Any], name: str) -> dict[str, Any]:
    """The entry of an output, with its golden files."""
    outputs = data.get("outputs") or [{**data["output"], "golden": data["golden"]}]
    names = [str(output["name"]) for output in outputs]
    if name and name not in names:
        raise UnreadableError(f"{path} has no output {name!r}; it has {', '.join(names)}")
    if not name and len(names) > 1:
        listed = ", ".join(names)
        raise UnreadableError(
            f"{path} has several outputs; choose one as {path.parent}:NAME of {listed}"
        )
    found: dict[str, Any] = outputs[names.index(name) if name else 0]
    return found


def _refuse_changed(path: Path, expected: Any) -> None:
    """A file that is not the one that was written is no golden file."""
    if not path.is_file():
        raise UnreadableError(f"there is no file {path}, which {NAME} names")
    if sha256(path) != expected:
        raise UnreadableError(
            f"{path} is not as it was written: {NAME} has another SHA-256 for it; to judge by it "
            "as it is, name the file instead of its folder"
        )
