"""Files of numbers as sources: .npy, .npz, .pt and raw .bin. Files are data: nothing in them is
ever executed, and one that is not what its name says is refused with a sentence."""

from __future__ import annotations

import math
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from openaclnn.base.dtypes import BF16, DType
from openaclnn.compare import npy, torch_files
from openaclnn.compare.sources import (
    STRETCH,
    Source,
    UnreadableError,
    from_array,
    from_torch,
    interpret,
    native,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_Opener = Callable[[], IO[bytes]]
KINDS = (".npy", ".npz", ".pt", ".bin")


def open_file(
    place: str | Path, dtype: DType | None = None, shape: Sequence[int] | None = None
) -> Source:
    """The numbers in a file, or in one array of it: FILE.npz:name, FILE.pt:name.

    `dtype` says what raw bytes and bit patterns are; `shape` is for raw bytes.
    """
    path, member = _parted(str(place))
    kind = path.suffix.lower()
    if kind in (".pth", ".raw"):
        kind = {".pth": ".pt", ".raw": ".bin"}[kind]
    if kind not in KINDS:
        if not path.exists():
            raise UnreadableError(f"there is no file or folder {path}")
        raise UnreadableError(f"{path} is of an unknown kind; expected {', '.join(KINDS)}")
    if not path.is_file():
        raise UnreadableError(f"there is no file {path}")
    if member and kind in (".npy", ".bin"):
        raise UnreadableError(f"{path} holds one array; {member!r} cannot be chosen from it")
    if kind == ".bin":
        return _raw(path, dtype, shape)
    if kind == ".npy":
        size = path.stat().st_size
        return _npy(str(path), lambda: open(path, "rb"), size, dtype)
    if kind == ".npz":
        return _npz(path, member, dtype)
    tensors = torch_files.tensors(path)
    if isinstance(tensors, dict):
        member = _chosen(path, member, list(tensors))
        return from_torch(tensors[member], f"{path}:{member}")
    if member:
        raise UnreadableError(f"{path} holds one tensor; {member!r} cannot be chosen from it")
    return from_torch(tensors, str(path))


def _parted(place: str) -> tuple[Path, str]:
    """FILE and name of FILE:name, unless a file has the whole as its name."""
    file, colon, member = place.rpartition(":")
    if colon and Path(file).suffix.lower() in (*KINDS, ".pth") and not Path(place).exists():
        return Path(file), member
    return Path(place), ""


def _raw(path: Path, dtype: DType | None, shape: Sequence[int] | None) -> Source:
    if dtype is None:
        raise UnreadableError(f"{path} is raw bytes; say with --dtype what they are")
    size = path.stat().st_size
    if shape is None:
        if size % dtype.itemsize:
            raise UnreadableError(
                f"{path} has {size} bytes, not a multiple of a {dtype} element's size"
            )
        shape = (size // dtype.itemsize,)
    expected = math.prod(shape) * dtype.itemsize
    if size != expected:
        raise UnreadableError(f"{path} has {size} bytes; {list(shape)} of {dtype} takes {expected}")

    def walk() -> Iterator[NDArray[Any]]:
        bits = _element_type(str(path), f"<u{dtype.itemsize}")
        return _walk(str(path), lambda: open(path, "rb"), bits, dtype, expected)

    return Source(str(path), dtype, tuple(shape), walk)


def _npy(name: str, opener: _Opener, size: int, wanted: DType | None) -> Source:
    """One .npy stream of `size` bytes, a file of its own or a member of a .npz."""
    with opener() as stream:
        header = npy.read_header(stream, name)
        start = stream.tell()
    found = _element_type(name, header.descr)
    dtype = interpret(name, found, wanted or (BF16 if header.descr == "<V2" else None))
    expected = header.numel * found.itemsize
    if size - start != expected:
        fault = "it is truncated" if size - start < expected else "it is not what it says"
        raise UnreadableError(
            f"{name} holds {size - start} bytes of data, but its header promises "
            f"{list(header.shape)} of {found}, {expected} bytes: {fault}"
        )

    def at_data() -> IO[bytes]:
        stream = opener()
        npy.read_header(stream, name)
        return stream

    if header.fortran and len(header.shape) > 1:
        return _fortran(name, at_data, header, found, dtype)
    return Source(name, dtype, header.shape, lambda: _walk(name, at_data, found, dtype, expected))


def _element_type(name: str, descr: str) -> np.dtype[Any]:
    import numpy as np

    try:
        return np.dtype(descr)
    except (TypeError, ValueError, SyntaxError):
        raise UnreadableError(f"{name} has elements of an unknown type {descr!r}") from None


def _fortran(
    name: str, at_data: _Opener, header: npy.Header, found: np.dtype[Any], dtype: DType
) -> Source:
    """The one kind that is read at once: its elements do not lie in the order of the walk."""
    import numpy as np

    with at_data() as stream:
        data = _read(stream, header.numel * found.itemsize, name)
    return from_array(np.frombuffer(data, found).reshape(header.shape, order="F"), name, dtype)


def _walk(
    name: str, opener: _Opener, found: np.dtype[Any], dtype: DType, left: int
) -> Iterator[NDArray[Any]]:
    """The elements of a stream, read piece by piece: mapped files would fill the memory too."""
    import numpy as np

    with opener() as stream:
        while left:
            count = min(left, STRETCH * found.itemsize)
            yield native(np.frombuffer(_read(stream, count, name), found), dtype)
            left -= count


def _read(stream: IO[bytes], count: int, name: str) -> bytes:
    try:
        data = stream.read(count)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
        raise UnreadableError(f"{name} is damaged: {error}") from None
    if len(data) != count:
        raise UnreadableError(f"{name} is truncated: it ends {count - len(data)} bytes early")
    return data


def _npz(path: Path, member: str, wanted: DType | None) -> Source:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [n for n in archive.namelist() if n.endswith(".npy")]
            member = _chosen(path, member, [n.removesuffix(".npy") for n in names])
            size = archive.getinfo(f"{member}.npy").file_size
        return _npy(f"{path}:{member}", lambda: _open_member(path, f"{member}.npy"), size, wanted)
    except UnreadableError:
        raise
    except Exception as error:  # a damaged archive makes zipfile raise almost anything
        raise UnreadableError(f"{path} is not a readable .npz file: {error}") from None


def _open_member(path: Path, member: str) -> IO[bytes]:
    with zipfile.ZipFile(path) as archive:
        return archive.open(member)  # the member keeps the file open


def _chosen(path: Path, member: str, names: list[str]) -> str:
    if not names:
        raise UnreadableError(f"{path} holds no arrays")
    if member in names:
        return member
    listed = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
    if member:
        raise UnreadableError(f"{path} has no array {member!r}; it has {listed}")
    if len(names) > 1:
        raise UnreadableError(f"{path} has several arrays; choose one as {path}:NAME of {listed}")
    return names[0]
