"""The header of .npy files, read as data and written byte for byte the same everywhere.

NumPy's own reader drops the difference between '|V2' (two bytes of anything) and '<V2', which is
how ml_dtypes spells bfloat16; and its writer may change.
"""

from __future__ import annotations

import ast
import math
from pathlib import Path
from typing import IO, Any

from openaclnn.base.dtypes import BF16, DType
from openaclnn.base.records import dataclass
from openaclnn.compare.sources import UnreadableError

_MAGIC = b"\x93NUMPY"
_LONGEST_HEADER = 1 << 16


@dataclass(frozen=True)
class Header:
    """What the file promises: element type as spelt there, shape, order."""

    descr: str
    shape: tuple[int, ...]
    fortran: bool

    @property
    def numel(self) -> int:
        return math.prod(self.shape)


def read_header(stream: IO[bytes], name: str) -> Header:
    """The header at the start of a stream, which is left at the first element."""
    if _exactly(stream, 6, name) != _MAGIC:
        raise UnreadableError(f"{name} is not a .npy file: it does not begin with \\x93NUMPY")
    major = _exactly(stream, 2, name)[0]
    if major not in (1, 2, 3):
        raise UnreadableError(f"{name} is a .npy file of version {major}; expected 1, 2 or 3")
    length = int.from_bytes(_exactly(stream, 2 if major == 1 else 4, name), "little")
    if length > _LONGEST_HEADER:
        raise UnreadableError(
            f"{name} has a header of {length} bytes; no array of numbers needs it"
        )
    text = _exactly(stream, length, name).decode("utf-8", "replace")
    try:
        fields = ast.literal_eval(text.strip())  # literals only: nothing is run
        descr, shape, fortran = fields["descr"], fields["shape"], fields["fortran_order"]
        sizes_are_sizes = all(type(size) is int and size >= 0 for size in shape)
    except (ValueError, SyntaxError, TypeError, KeyError, MemoryError, RecursionError):
        raise UnreadableError(f"{name} has a damaged .npy header") from None
    if not isinstance(descr, str):
        raise UnreadableError(f"{name} holds records with fields; expected plain numbers")
    if not (isinstance(shape, tuple) and sizes_are_sizes and isinstance(fortran, bool)):
        raise UnreadableError(f"{name} has a damaged .npy header")
    if "O" in descr:
        raise UnreadableError(
            f"{name} holds Python objects; they are pickled code, which is never loaded. "
            "Save an array of numbers instead"
        )
    return Header(descr, shape, fortran)


def _exactly(stream: IO[bytes], count: int, name: str) -> bytes:
    data = stream.read(count)
    if len(data) != count:
        raise UnreadableError(f"{name} ends inside its .npy header: it is empty or truncated")
    return data


def write(path: Path, array: Any, dtype: DType) -> None:
    """Save an array of this dtype, little-endian and C-contiguous."""
    import numpy as np

    descr = "<V2" if dtype is BF16 else dtype.numpy.newbyteorder("<").str
    shape = str(tuple(int(size) for size in array.shape))
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    padding = -(len(_MAGIC) + 4 + len(text) + 1) % 64
    header = text.encode() + b" " * padding + b"\n"
    with open(path, "wb") as file:
        file.write(_MAGIC + b"\x01\x00" + len(header).to_bytes(2, "little") + header)
        file.write(little_endian(np.asarray(array), dtype))


def little_endian(array: Any, dtype: DType) -> bytes:
    """The elements' bytes in C order, least significant first."""
    import numpy as np

    bits = np.ascontiguousarray(array).reshape(-1).view(f"u{dtype.itemsize}")
    return bits.astype(f"<u{dtype.itemsize}").tobytes()
