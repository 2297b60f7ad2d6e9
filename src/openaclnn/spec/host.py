"""Host values: the arguments of an operator that are no tensors, one object for each kind of them.

A kind knows its C type, how a value comes from Python, from C and from what a user types, and what
makes two values alike. A new kind is a class or an object here and a packer in capi/c/packing.c.

>>> INT64.from_text("3"), FLAG.from_text("true"), FLOAT32.from_text("0.1")
(3, True, 0.10000000149011612)
>>> SCALAR.from_text("0.1:f16"), SCALAR.from_text("2").dtype, SCALAR.from_text("2.0").dtype
(Scalar(value=0.0999755859375, dtype=FLOAT16), INT64, DOUBLE)
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from typing import Any

from openaclnn.base import dtypes, scalars
from openaclnn.base.dtypes import DType
from openaclnn.base.scalars import Scalar


class Host:
    """One kind of host values. What is no such value makes `from_…` raise ValueError or TypeError.

    `passing` names the packer in C, `member` the part of its union; `types` are what Python has for
    a value; `key` is source of an expression that tells values apart as the C type does, with `_`
    before Python's own names, which arguments may have, too. A `number` can enter a formula.
    `pointer`: C may hand over null. `plain` is something simple, as Python has it.
    """

    c_type: str
    passing: str
    member: str
    annotation: str
    expected: str  # what a user is told that was expected
    types: tuple[type, ...]
    key = "{0}"
    number = False
    pointer = False
    plain: Any = 0

    def from_python(self, value: Any) -> Any:
        raise NotImplementedError

    def from_text(self, text: str) -> Any:
        """What a user typed."""
        return self.from_python(text)

    def from_c(self, value: Any) -> Any:
        """What C handed over: a number as it is, of what is pointed to the bytes."""
        return value

    def text(self, value: Any) -> str:
        """As `from_text` reads it."""
        return str(value)

    def __repr__(self) -> str:
        return self.c_type


class Integer(Host):
    """An integer of a width; one that it cannot hold is none."""

    annotation = "int"
    types = (int,)
    key = "_index({0})"
    number = True

    def __init__(self, bits: int, signed: bool = True) -> None:
        self.c_type = f"{'' if signed else 'u'}int{bits}_t"
        self.passing = "PASS_INTEGER" if signed else "PASS_UNSIGNED"
        self.member = "integer" if signed else "natural"
        low = -(1 << (bits - 1)) if signed else 0
        self.values = range(low, low + (1 << bits))
        usual = signed and bits == 64
        self.expected = "an integer" + f" from {low} to {self.values[-1]}" * (not usual)

    def from_python(self, value: Any) -> int:
        found: int = value if type(value) is int else value.__index__()
        if found not in self.values:
            raise OverflowError(f"{found} does not fit {self.c_type}")
        return found

    def from_text(self, text: str) -> int:
        return self.from_python(int(text))


class Real(Host):
    """A float or a double."""

    annotation, expected = "float", "a number"
    types = (float, int)
    key = "{0} or (_repr({0}),)"  # 0.0 == -0.0 in Python
    number = True
    plain = 0.0

    def __init__(
        self, c_type: str, passing: str, member: str, rounded: Callable[[float], float]
    ) -> None:
        self.c_type, self.passing, self.member, self.rounded = c_type, passing, member, rounded

    def from_python(self, value: Any) -> float:
        if isinstance(value, (str, bytes)):
            raise TypeError("text is no number")
        return self.rounded(float(value))

    def from_text(self, text: str) -> float:
        return self.rounded(float(text))


class Flag(Host):
    """A bool."""

    c_type, passing, member, annotation = "bool", "PASS_BOOL", "truth", "bool"
    expected = "true or false"
    types = (bool, int)
    plain = False

    def from_python(self, value: Any) -> bool:
        if isinstance(value, (str, bytes)):
            raise TypeError("text is neither true nor false")
        return bool(value)

    def from_text(self, text: str) -> bool:
        return {"true": True, "1": True, "false": False, "0": False}[text.lower()]

    def text(self, value: Any) -> str:
        return str(value).lower()


class ScalarValue(Host):
    """An aclScalar: one value with a dtype. What Python or a user says without one has the dtype
    that Python's own type suggests."""

    c_type, passing, member, annotation = "const aclScalar*", "PASS_SCALAR", "pointer", "float"
    expected = "a number"
    types = (Scalar,)
    number = pointer = True
    plain = True  # never of a larger kind than a tensor's

    def from_python(self, value: Any) -> Scalar | None:
        return value if value is None or isinstance(value, Scalar) else scalars.scalar(value)

    def from_text(self, text: str) -> Scalar:
        typed, _, dtype = text.partition(":")
        value = {"true": True, "false": False}.get(typed.lower())
        if value is None:
            try:
                return scalars.scalar(int(typed), dtypes.by_name(dtype) if dtype else None)
            except ValueError:
                return scalars.scalar(float(typed), dtypes.by_name(dtype) if dtype else None)
        return scalars.scalar(value, dtypes.by_name(dtype) if dtype else None)

    def from_c(self, value: bytes) -> Scalar:
        """Its dtype's code, then its memory."""
        dtype = dtypes.by_code(int.from_bytes(value[:4], sys.byteorder, signed=True))
        try:
            return scalars.from_bytes(value[4:], dtype)
        except TypeError:  # a dtype that no operator computes with: its check will name it
            return Scalar(0, dtype)

    def text(self, value: Any) -> str:
        return f"{value.value}:{value.dtype.short}" if isinstance(value, Scalar) else str(value)


class Array(Host):
    """An aclIntArray, aclFloatArray or aclBoolArray: a tuple of values of one kind."""

    member, pointer = "pointer", True
    types = (tuple,)

    def __init__(self, c_type: str, passing: str, of: Host, form: str) -> None:
        self.c_type, self.passing, self.of = c_type, passing, of
        self.item = struct.Struct(f"={form}")  # in C's memory
        self.annotation = f"Sequence[{of.annotation}]"
        self.expected = f"a list, each {of.expected}"
        self.plain = (of.plain,)
        if isinstance(of, Real):
            self.key = "_tuple(_map(_repr, {0}))"

    def from_python(self, value: Any) -> tuple[Any, ...] | None:
        if value is None:
            return None
        if isinstance(value, (str, bytes)):
            raise TypeError("text is no list")
        # one value is a list of one, as PyTorch has it for dim
        values = value if hasattr(value, "__iter__") else (value,)
        return tuple(map(self.of.from_python, values))

    def from_text(self, text: str) -> tuple[Any, ...]:
        return tuple(self.of.from_text(item.strip()) for item in text.split(",") if item.strip())

    def from_c(self, value: bytes) -> tuple[Any, ...]:
        return tuple(item for (item,) in self.item.iter_unpack(value))

    def text(self, value: Any) -> str:
        several = isinstance(value, (tuple, list))
        return ",".join(map(self.of.text, value)) if several else self.of.text(value)


class ScalarList(Array):
    """An aclScalarList: a tuple of scalars, each with its dtype."""

    def __init__(self, of: ScalarValue) -> None:
        super().__init__("const aclScalarList*", "PASS_SCALAR_LIST", of, "i16s")

    def from_c(self, value: bytes) -> tuple[Any, ...]:
        """Of each its dtype's code, then its memory and what is left of 16 bytes."""
        return tuple(
            self.of.from_c(struct.pack("=i", code) + memory[: dtypes.by_code(code).itemsize])
            for code, memory in self.item.iter_unpack(value)
        )


class DataType(Host):
    """An aclDataType: ours, its code, or a name in any of the usual tongues."""

    c_type, passing, member, annotation = "aclDataType", "PASS_INTEGER", "integer", "Any"
    expected = "a dtype"
    types = (DType,)
    plain = dtypes.FLOAT

    def from_python(self, value: Any) -> DType:
        if isinstance(value, DType):
            return value
        if isinstance(value, int):
            return dtypes.by_code(value)
        if isinstance(value, str):
            return dtypes.by_name(value)
        name = str(value)
        if name.startswith("torch."):
            return dtypes.by_name(name.removeprefix("torch."))
        import numpy as np

        found = dtypes.from_numpy(np.dtype(value))
        if found is None:
            raise ValueError(f"{value!r} is no dtype of aclnn")
        return found

    def from_c(self, value: int) -> DType:
        return dtypes.by_code(value)

    def text(self, value: Any) -> str:
        return value.short or value.name if isinstance(value, DType) else str(value)


class Text(Host):
    """A C string."""

    c_type, passing, member, annotation = "const char*", "PASS_TEXT", "pointer", "str"
    expected = "text"
    types = (str,)
    pointer = True
    plain = ""

    def from_python(self, value: Any) -> str | None:
        if value is None or isinstance(value, str):
            return value
        raise TypeError("this is no text")

    def from_text(self, text: str) -> str:
        return text

    def from_c(self, value: bytes) -> str:
        return value.decode()


INT8, INT32, INT64 = Integer(8), Integer(32), Integer(64)
UINT32, UINT64 = Integer(32, signed=False), Integer(64, signed=False)
FLOAT32 = Real("float", "PASS_FLOAT", "number", scalars.round_to_float)
FLOAT64 = Real("double", "PASS_DOUBLE", "wide", float)
FLAG = Flag()
SCALAR = ScalarValue()
INT_ARRAY = Array("const aclIntArray*", "PASS_INT_ARRAY", INT64, "q")
FLOAT_ARRAY = Array("const aclFloatArray*", "PASS_FLOAT_ARRAY", FLOAT32, "f")
BOOL_ARRAY = Array("const aclBoolArray*", "PASS_BOOL_ARRAY", FLAG, "?")
SCALAR_LIST = ScalarList(SCALAR)
DATA_TYPE = DataType()
TEXT = Text()

KINDS = (
    *(INT8, INT32, INT64, UINT32, UINT64, FLOAT32, FLOAT64, FLAG, SCALAR),
    *(INT_ARRAY, FLOAT_ARRAY, BOOL_ARRAY, DATA_TYPE, TEXT),
)
