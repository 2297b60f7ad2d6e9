"""PyTorch's files, read by its weights-only loader and by nothing else, since more could run code.
What the loader leaves to its caller is checked here: whether the file holds what it promises."""

from __future__ import annotations

import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openaclnn.compare.sources import UnreadableError


def tensors(path: Path) -> Any:
    """The tensor in a file, or its tensors by name."""
    try:
        import torch
    except ImportError:
        raise UnreadableError(
            f"{path} needs PyTorch to be read, which is not installed; "
            "save the tensor as .npy, or: pip install torch"
        ) from None
    zipped = zipfile.is_zipfile(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what PyTorch has to say of its own formats
            found = torch.load(path, map_location="cpu", weights_only=True, mmap=zipped)
    except Exception as error:
        # whatever a file makes the loader raise, it is the file that cannot be read
        raise UnreadableError(
            f"{path} is refused by PyTorch's weights-only loader, and nothing else is tried, "
            f"since more could run code: {_reason(error)}"
        ) from None
    if zipped:
        _refuse_cut_storages(path, list(_inside(found, torch)))
    if isinstance(found, torch.Tensor):
        return found
    named = (
        {str(name): value for name, value in found.items() if isinstance(value, torch.Tensor)}
        if isinstance(found, dict)
        else {}
    )
    if not named:
        raise UnreadableError(
            f"{path} holds a {type(found).__name__}; expected a tensor or a dict of tensors"
        )
    return named


def _reason(error: Exception) -> str:
    """The sentence of PyTorch's message that names the trouble, without its advice to trust."""
    patterns = (r"WeightsUnpickler error:\s*(.+)", r"(.*GLOBAL.+)", r"(.+)")
    found = next(filter(None, (re.search(pattern, str(error)) for pattern in patterns)), None)
    return found[1].strip().split(". ")[0] if found else type(error).__name__


def _inside(found: Any, torch: Any) -> Iterator[Any]:
    """Every tensor with a storage of its own, at any depth."""
    if isinstance(found, torch.Tensor):
        if found.layout is torch.strided and found.device.type != "meta" and not found.is_nested:
            yield found
    elif isinstance(found, dict | list | tuple):
        for value in found.values() if isinstance(found, dict) else found:
            yield from _inside(value, torch)


def _refuse_cut_storages(path: Path, found: list[Any]) -> None:
    """The loader maps the whole file, and would read on where the record of a storage ends."""
    storages = {s.data_ptr(): s.nbytes() for t in found if (s := t.untyped_storage()).nbytes()}
    with zipfile.ZipFile(path) as archive:
        records = [r.file_size for r in archive.infolist() if re.search(r"/data/\w+$", r.filename)]
    missing = Counter(storages.values()) - Counter(records)
    if missing:
        raise UnreadableError(
            f"{path} is damaged: a tensor needs {max(missing)} bytes that the file does not hold "
            "in one piece"
        )
