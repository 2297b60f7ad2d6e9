"""Promotion, conversion and broadcasting, against PyTorch, NumPy and the written rules."""

from __future__ import annotations

from itertools import product
from math import isnan

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import openaclnn
from openaclnn.base import dtypes
from openaclnn.base.dtypes import ALL, DType, by_name, converts, promote
from openaclnn.base.scalars import from_bytes, scalar
from openaclnn.base.tensors import broadcast

TORCH = {
    "f32": torch.float32, "f16": torch.float16, "f64": torch.float64, "bf16": torch.bfloat16,
    "s8": torch.int8, "u8": torch.uint8, "s16": torch.int16, "s32": torch.int32, "s64": torch.int64,
    "bool": torch.bool, "c32": torch.complex32, "c64": torch.complex64, "c128": torch.complex128,
}  # fmt: skip
ONLY_WITH_THEMSELVES = ("u16", "u32", "u64")


@pytest.mark.parametrize(("a", "b"), list(product(TORCH, repeat=2)))
def test_promotion_is_pytorchs(a: str, b: str) -> None:
    expected = torch.promote_types(TORCH[a], TORCH[b])
    if {a, b} == {"bf16", "c32"}:
        expected = torch.complex32  # PyTorch: complex64
    found = promote(by_name(a), by_name(b))
    assert found is not None
    assert TORCH[found.short] == expected


def test_promotion_of_three() -> None:
    assert promote(*map(by_name, ("f16", "bf16", "f16"))) is dtypes.FLOAT
    assert promote(*map(by_name, ("bf16", "bf16", "f16"))) is dtypes.FLOAT
    assert promote(*map(by_name, ("f16", "f16", "f16"))) is dtypes.FLOAT16
    assert promote(dtypes.BF16) is dtypes.BF16


def test_what_does_not_promote() -> None:
    for a, b in product(ALL, repeat=2):
        lonely = a.short in ONLY_WITH_THEMSELVES or b.short in ONLY_WITH_THEMSELVES
        strange = a.kind == "other" or b.kind == "other"
        if a is b:
            assert promote(a, b) is a
        elif lonely or strange:
            assert promote(a, b) is None
        else:
            assert promote(a, b) is promote(b, a)


def allowed(source: DType, target: DType) -> bool:
    """The sentence of the rule book, word by word."""
    number = {"int", "float", "complex"}
    if source is target:
        return True
    if source.kind in ("int", "bool"):
        return target.kind in number
    if source.kind == "float":
        return target.kind == "float" or target.short in ("c64", "c128")
    return source.kind == target.kind == "complex"


@pytest.mark.parametrize("source", ALL, ids=repr)
def test_conversion(source: DType) -> None:
    for target in ALL:
        assert converts(source, target) is allowed(source, target), (source, target)


def test_codes_are_the_documents() -> None:
    codes = {
        "FLOAT": 0, "FLOAT16": 1, "INT8": 2, "INT32": 3, "UINT8": 4, "INT16": 6, "UINT16": 7,
        "UINT32": 8, "INT64": 9, "UINT64": 10, "DOUBLE": 11, "BOOL": 12, "STRING": 13,
        "COMPLEX64": 16, "COMPLEX128": 17, "BF16": 27, "INT4": 29, "UINT1": 30, "COMPLEX32": 33,
        "HIFLOAT8": 34, "FLOAT8_E5M2": 35, "FLOAT8_E4M3FN": 36, "FLOAT8_E8M0": 37,
        "FLOAT6_E3M2": 38, "FLOAT6_E2M3": 39, "FLOAT4_E2M1": 40, "FLOAT4_E1M2": 41,
        "DT_UNDEFINED": -1,
    }  # fmt: skip
    assert {dtype.name: dtype.code for dtype in ALL} == codes
    assert dtypes.by_code(999).kind == "other"
    for dtype in ALL:
        if dtype.numpy_name and dtype.itemsize:
            assert dtype.numpy.itemsize == dtype.itemsize
            assert dtypes.from_numpy(dtype.numpy) is dtype


shapes = st.lists(st.integers(0, 3), max_size=5).map(tuple)


@given(st.lists(shapes, min_size=1, max_size=3))
def test_broadcast_is_numpys(several: list[tuple[int, ...]]) -> None:
    try:
        expected = np.broadcast_shapes(*several)
    except ValueError:
        expected = None
    assert broadcast(*several) == expected


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (0.1, "f16", 0.0999755859375),
        (0.1, "bf16", 0.10009765625),
        (0.1, "f32", 0.10000000149011612),
        (0.1, "f64", 0.1),
        (1e300, "f32", float("inf")),
        (-0.0, "f32", -0.0),
        (3, "s8", 3),
        (255, "u8", 255),
        (True, "bool", True),
        (2.5, "f16", 2.5),
    ],
)
def test_scalars(value: float, dtype: str, expected: float) -> None:
    kind = by_name(dtype)
    made = scalar(value, kind)
    assert made.dtype is kind
    assert repr(made.value) == repr(expected)
    again = from_bytes(np.array(expected).astype(kind.numpy).tobytes(), kind)
    assert again == made


def test_scalars_are_told_apart() -> None:
    assert isnan(float(scalar(float("nan")).value))  # type: ignore[arg-type]
    one = np.ones(1, np.float32)
    for _ in range(2):  # the second time from caches
        for slope in (0.0, -0.0, 1, True, np.int8(1), float("nan"), 0.5, -0.5):
            result = openaclnn.leaky_relu_backward(one, -one, negative_slope=slope)
            assert repr(result[0]) == repr(np.float32(slope))


@pytest.mark.parametrize(("value", "dtype"), [(300, "INT8"), (-1, "UINT8"), (0.5, "INT32")])
def test_scalars_that_do_not_fit(value: float, dtype: str) -> None:
    with pytest.raises(ValueError, match=f"does not fit {dtype}"):
        scalar(value, dtypes.by_name(dtype))
