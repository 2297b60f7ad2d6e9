"""The element types of aclnn: codes, promotion between tensors, conversion to an output."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from openaclnn.base.fork_lock import fork_lock
from openaclnn.base.records import dataclass

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, eq=False, slots=True)
class DType:
    """One aclDataType. Each exists once, so identity is equality."""

    name: str  # as in ACL_FLOAT
    code: int
    bits: int
    kind: str  # float, int, bool, complex, or other: no arithmetic here
    numpy_name: str = ""  # of NumPy or ml_dtypes; empty where neither has it
    short: str = ""
    element: DType | None = None  # of an address: what lies there

    @property
    def itemsize(self) -> int:
        """Bytes of one element; 0 for the types that are smaller than a byte or have no size."""
        return self.bits // 8

    @property
    def numpy(self) -> np.dtype[Any]:
        """The NumPy dtype of the same elements (bfloat16 and the 8-bit floats from ml_dtypes)."""
        return _numpy_dtype(self.numpy_name)

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, tuple[Any]]:
        return (by_code, (self.code,)) if self.element is None else (address_of, (self.element,))


FLOAT = DType("FLOAT", 0, 32, "float", "float32", "f32")
FLOAT16 = DType("FLOAT16", 1, 16, "float", "float16", "f16")
INT8 = DType("INT8", 2, 8, "int", "int8", "s8")
INT32 = DType("INT32", 3, 32, "int", "int32", "s32")
UINT8 = DType("UINT8", 4, 8, "int", "uint8", "u8")
INT16 = DType("INT16", 6, 16, "int", "int16", "s16")
UINT16 = DType("UINT16", 7, 16, "int", "uint16", "u16")
UINT32 = DType("UINT32", 8, 32, "int", "uint32", "u32")
INT64 = DType("INT64", 9, 64, "int", "int64", "s64")
UINT64 = DType("UINT64", 10, 64, "int", "uint64", "u64")
DOUBLE = DType("DOUBLE", 11, 64, "float", "float64", "f64")
BOOL = DType("BOOL", 12, 8, "bool", "bool", "bool")
STRING = DType("STRING", 13, 0, "other")
COMPLEX64 = DType("COMPLEX64", 16, 64, "complex", "complex64", "c64")
COMPLEX128 = DType("COMPLEX128", 17, 128, "complex", "complex128", "c128")
BF16 = DType("BF16", 27, 16, "float", "bfloat16", "bf16")
INT4 = DType("INT4", 29, 4, "other", "int4")
UINT1 = DType("UINT1", 30, 1, "other")
COMPLEX32 = DType("COMPLEX32", 33, 32, "complex", "", "c32")
HIFLOAT8 = DType("HIFLOAT8", 34, 8, "other")
FLOAT8_E5M2 = DType("FLOAT8_E5M2", 35, 8, "other", "float8_e5m2")
FLOAT8_E4M3FN = DType("FLOAT8_E4M3FN", 36, 8, "other", "float8_e4m3fn")
FLOAT8_E8M0 = DType("FLOAT8_E8M0", 37, 8, "other", "float8_e8m0fnu")
FLOAT6_E3M2 = DType("FLOAT6_E3M2", 38, 6, "other", "float6_e3m2fn")
FLOAT6_E2M3 = DType("FLOAT6_E2M3", 39, 6, "other", "float6_e2m3fn")
FLOAT4_E2M1 = DType("FLOAT4_E2M1", 40, 4, "other", "float4_e2m1fn")
FLOAT4_E1M2 = DType("FLOAT4_E1M2", 41, 4, "other")
DT_UNDEFINED = DType("DT_UNDEFINED", -1, 0, "other")

ALL = tuple(value for value in list(globals().values()) if isinstance(value, DType))
# what formulas read where an element's place counts: no tensor has it, and it takes no memory
POSITION = DType("POSITION", -2, 64, "int", "int64")


@cache
def address_of(element: DType) -> DType:
    """What formulas read where they look up elements of a dtype: it takes no memory either."""
    return DType(f"ADDRESS_OF_{element.name}", -3, 64, "int", "int64", "", element)


_BY_CODE = {dtype.code: dtype for dtype in ALL}
_BY_NAME = {
    spelling.lower(): dtype
    for dtype in ALL
    for spelling in (dtype.name, dtype.short, dtype.numpy_name, f"ACL_{dtype.name}")
    if spelling
}


@cache
def by_code(code: int) -> DType:
    """The dtype of a code; an unknown code gives a dtype that names it and that no rule accepts."""
    return _BY_CODE.get(code) or DType(f"unknown dtype {code}", code, 0, "other")


def by_name(name: str) -> DType:
    """The dtype of a spelling in any of the usual tongues.

    >>> by_name("f32"), by_name("float32"), by_name("ACL_FLOAT"), by_name("bfloat16")
    (FLOAT, FLOAT, FLOAT, BF16)
    """
    try:
        return _BY_NAME[name.lower()]
    except KeyError:
        known = ", ".join(dtype.short for dtype in ALL if dtype.short)
        raise ValueError(f"{name!r} is no dtype; expected one of {known}") from None


@cache
def _numpy_dtype(name: str) -> np.dtype[Any]:
    import numpy as np

    if not name:
        raise TypeError("this dtype has no NumPy counterpart")
    try:
        return np.dtype(name)
    except TypeError:
        with fork_lock:
            import ml_dtypes

        found: np.dtype[Any] = np.dtype(getattr(ml_dtypes, name))
        return found


@cache
def from_numpy(dtype: np.dtype[Any]) -> DType | None:
    """The aclnn dtype of a NumPy dtype in native byte order, or None where there is none."""
    return _BY_NAME.get(dtype.name) if dtype.isnative else None


# Rows and columns in the order of the first line. It is PyTorch's table but for float16 with
# bfloat16 (float32); u16, u32 and u64 are absent: they promote with themselves only.
_PROMOTION = """
     f32  f16  f64  bf16 s8   u8   s16  s32  s64  bool c32  c64  c128
f32  f32  f32  f64  f32  f32  f32  f32  f32  f32  f32  c64  c64  c128
f16  f32  f16  f64  f32  f16  f16  f16  f16  f16  f16  c32  c64  c128
f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  c128 c128 c128
bf16 f32  f32  f64  bf16 bf16 bf16 bf16 bf16 bf16 bf16 c32  c64  c128
s8   f32  f16  f64  bf16 s8   s16  s16  s32  s64  s8   c32  c64  c128
u8   f32  f16  f64  bf16 s16  u8   s16  s32  s64  u8   c32  c64  c128
s16  f32  f16  f64  bf16 s16  s16  s16  s32  s64  s16  c32  c64  c128
s32  f32  f16  f64  bf16 s32  s32  s32  s32  s64  s32  c32  c64  c128
s64  f32  f16  f64  bf16 s64  s64  s64  s64  s64  s64  c32  c64  c128
bool f32  f16  f64  bf16 s8   u8   s16  s32  s64  bool c32  c64  c128
c32  c64  c32  c128 c32  c32  c32  c32  c32  c32  c32  c32  c64  c128
c64  c64  c64  c128 c64  c64  c64  c64  c64  c64  c64  c64  c64  c128
c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128
"""


def _read_promotion() -> dict[tuple[DType, DType], DType]:
    columns, *rows = (line.split() for line in _PROMOTION.strip().splitlines())
    return {
        (by_name(row), by_name(column)): by_name(result)
        for row, *results in rows
        for column, result in zip(columns, results, strict=True)
    }


_PROMOTED = _read_promotion()


def promote(first: DType, *others: DType) -> DType | None:
    """The dtype in which tensors of these dtypes meet, or None where they cannot.

    >>> promote(FLOAT16, BF16), promote(UINT16, INT8)
    (FLOAT, None)
    """
    result: DType | None = first
    for other in others:
        if result is None or result is other:
            continue
        result = _PROMOTED.get((result, other))
    return result


def integers(dtype: DType) -> range:
    """All that an integer dtype can hold.

    >>> integers(UINT8)
    range(0, 256)
    """
    low = 0 if dtype.name.startswith("U") else -(1 << (dtype.bits - 1))
    return range(low, low + (1 << dtype.bits))


_KINDS = ("bool", "int", "float", "complex")
_DEFAULT_OF_KIND = {"int": INT64, "float": FLOAT, "complex": COMPLEX64}


def promote_scalar(tensor: DType, scalar: DType) -> DType:
    """The dtype in which a tensor meets a number: the tensor's, unless the number is of a larger
    kind. It is PyTorch's rule for a Python number beside a tensor.

    >>> promote_scalar(FLOAT16, DOUBLE), promote_scalar(INT32, DOUBLE), promote_scalar(BOOL, INT8)
    (FLOAT16, FLOAT, INT64)
    """
    if scalar.kind not in _KINDS or tensor.kind not in _KINDS:
        return tensor
    larger = _KINDS.index(scalar.kind) > _KINDS.index(tensor.kind)
    return _DEFAULT_OF_KIND[scalar.kind] if larger else tensor


_KINDS_REACHED = {
    "bool": ("int", "float", "complex"),
    "int": ("int", "float", "complex"),
    "float": ("float", "complex"),
    "complex": ("complex",),
}


def converts(source: DType, target: DType) -> bool:
    """Whether a computed value of dtype `source` may be written to a tensor of dtype `target`.

    >>> converts(FLOAT, COMPLEX64), converts(FLOAT, INT32)
    (True, False)
    """
    if source is target:
        return True
    if source.kind == "float" and target is COMPLEX32:
        return False
    return target.kind in _KINDS_REACHED.get(source.kind, ())
