"""Operators that programs use and openaclnn may not have: their names and C parameters, one line
each in `declared.txt`. A program that uses one compiles, links and runs up to the call, which says
so.

An operator that gets a file takes the place of its line at once. The line stays: it says what
programs expect, and a test holds the operator's signature and header against it.

    self          a tensor that is read          tensors[]    a list of them
    *out          a tensor that is written       &self        a tensor that is changed
    dim:int64     a host value of a kind         bias? p?:ints    may be null

Behind `in` stands the header, where the name does not say it.

>>> mm = parsed("mm: self mat2 *out cube_math_type:int8")
>>> mm.c_name, mm.header_name, [argument.c_name for argument in mm.arguments]
('aclnnMm', 'aclnn_mm.h', ['self', 'mat2', 'out', 'cubeMathType'])
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from openaclnn.base.records import dataclass
from openaclnn.spec import host
from openaclnn.spec.op import Argument, Attr, In, InOut, Out, camel, header_of

# Headers that programs include without calling what is in them, which no client shows.
EMPTY_HEADERS = ("aclnn_sum.h",)


_KINDS: dict[str, host.Host] = {
    "int8": host.INT8,
    "int32": host.INT32,
    "int64": host.INT64,
    "uint64": host.UINT64,
    "float": host.FLOAT32,
    "double": host.FLOAT64,
    "bool": host.FLAG,
    "scalar": host.SCALAR,
    "ints": host.INT_ARRAY,
    "floats": host.FLOAT_ARRAY,
    "bools": host.BOOL_ARRAY,
    "scalars": host.SCALAR_LIST,
    "dtype": host.DATA_TYPE,
    "text": host.TEXT,
}


@dataclass(frozen=True)
class Declared:
    """What is known of an operator that programs use: what C needs."""

    name: str
    arguments: tuple[Argument, ...]
    header: str = ""

    @property
    def c_name(self) -> str:
        return "aclnn" + camel("_" + self.name)

    @property
    def header_name(self) -> str:
        return header_of(self.name, self.header)


@cache
def lines() -> dict[str, Declared]:
    """Every line by its name, whether or not the operator is there."""
    text = Path(__file__).with_suffix(".txt").read_text()
    return {found.name: found for found in map(parsed, text.splitlines())}


def parsed(line: str) -> Declared:
    """What a line says."""
    name, _, rest = line.partition(":")
    words = rest.split()
    header = ""
    if words[-2:-1] == ["in"]:
        header = words[-1]
        words = words[:-2]
    return Declared(name, tuple(map(_argument, words)), header)


def _argument(word: str) -> Argument:
    called, _, kind = word.lstrip("*&").removesuffix("[]").partition(":")
    name = called.removesuffix("?")
    optional = called != name
    if kind:
        return Attr(name, "", "", _KINDS[kind], optional=optional)
    many = word.endswith("[]")
    if word.startswith("*"):
        return Out(name, "", "", optional, many=many)
    if word.startswith("&"):
        return InOut(name, "", "", many=many)
    return In(name, "", "", optional=optional, many=many)
