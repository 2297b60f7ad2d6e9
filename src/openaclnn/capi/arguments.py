"""The arguments of an operator's call in a trace: read from a record, written as JSON, and read
again as a call that can be planned."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Any

from openaclnn import ops
from openaclnn.base import dtypes
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import Tensor, view, whatever_its_storage
from openaclnn.spec.op import Attr, Op

_SIZE = struct.Struct("=Q")
_NULL = (1 << 64) - 1
_TENSOR = struct.Struct("=QQQiiqQQ")  # struct Description in c/internal.h
_NUMBERS = {
    "PASS_INTEGER": "=q", "PASS_UNSIGNED": "=Q", "PASS_FLOAT": "=f", "PASS_DOUBLE": "=d",
    "PASS_BOOL": "=?",
}  # fmt: skip
Written = dict[str, Any]  # arguments by name, as JSON has them


@dataclass(frozen=True)
class TracedCall:
    """A call that can be planned: its arguments by name. Its tensors have the addresses that they
    had in the program."""

    op: Op
    arguments: dict[str, Any]


def written(name: str, packed: bytes) -> Written | None:
    """The arguments of an operator's first phase; None where the record does not have them, or the
    operator is not here."""
    if not packed:
        return None
    try:
        op = ops.find(name)
        pieces = _pieces(packed)
        return {a.name: _written(a, next(pieces), pieces) for a in op.arguments}
    except (LookupError, StopIteration, ValueError, struct.error):
        return None


def _pieces(packed: bytes) -> Iterator[bytes | None]:
    """What c/packing.c has added to a key, one after the other."""
    at = 0
    while at < len(packed):
        (size,) = _SIZE.unpack_from(packed, at)
        at += _SIZE.size
        yield None if size == _NULL else packed[at : at + size]
        at += 0 if size == _NULL else -(-size // 8) * 8


def _written(argument: Any, piece: bytes | None, pieces: Iterator[bytes | None]) -> Any:
    if piece is None:
        return None
    if isinstance(argument, Attr):
        form = _NUMBERS.get(argument.host.passing)
        value = struct.unpack_from(form, piece)[0] if form else piece
        return argument.host.text(argument.host.from_c(value))
    if argument.many:
        (count,) = _SIZE.unpack(piece)
        members = [next(pieces) for _ in range(count)]
        return [None if member is None else _tensor(member) for member in members]
    return _tensor(piece)


def _tensor(description: bytes) -> Written:
    _, _, address, code, format, offset, dims, storage_dims = _TENSOR.unpack_from(description)
    count = 2 * dims + storage_dims
    numbers = struct.unpack_from(f"={count}q", description, _TENSOR.size)
    return {
        "dtype": dtypes.by_code(code).name,
        "shape": numbers[:dims],
        "strides": numbers[dims : 2 * dims],
        "offset": offset,
        "storage": numbers[2 * dims :],
        "format": format,
        "address": f"{address:#x}",
    }


def read(name: str, given: Mapping[str, Any]) -> TracedCall:
    """A call of an operator from its arguments in a trace. LookupError: the operator is not here;
    ValueError: it has other arguments."""
    op = ops.find(name)
    if {*given} != {a.name for a in op.arguments}:
        raise ValueError(f"{op.c_name} has other arguments than {', '.join(given)}")
    try:
        return TracedCall(op, {a.name: _read(a, given[a.name]) for a in op.arguments})
    except (TypeError, KeyError) as error:
        raise ValueError(f"{op.c_name}: {error}") from None


def _read(argument: Any, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(argument, Attr):
        return argument.host.from_text(value)
    if argument.many:
        return tuple(None if member is None else _read_tensor(member) for member in value)
    return _read_tensor(value)


def _read_tensor(value: Mapping[str, Any]) -> Tensor:
    names = ("shape", "strides", "offset", "format", "storage")
    found = view(dtypes.by_name(value["dtype"]), *(value[name] for name in names))
    # the call was accepted: the tensor fits its memory
    return Tensor(whatever_its_storage(found), int(value["address"], 16), "cuda")
