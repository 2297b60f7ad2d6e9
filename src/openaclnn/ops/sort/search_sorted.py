"""Where numbers belong in sorted rows: before the first element that is not less, or (right) that
is greater. A NaN belongs behind all."""

from functools import cache
from typing import Any

from openaclnn.base.dtypes import DOUBLE, FLOAT, INT32, INT64, DType
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import as_number, described
from openaclnn.spec.host import FLAG, SCALAR
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Argument, Attr, In, Op, Out, always
from openaclnn.spec.rules import Dtypes, MaxDims, ResultShape
from openaclnn.spec.selections import first_beyond, rows_of
from openaclnn.spec.shaped import shape_fault
from openaclnn.spec.steps import Step, parts


@cache
def search(count: int, right: bool, sorted_: bool) -> Any:
    """The formula for rows of so many elements."""
    if sorted_:
        return lambda rows, self: as_number(first_beyond(self, rows, count, right))
    return lambda rows, self, sorter: as_number(first_beyond(self, rows, count, right, sorter))


def promotes(call: Call) -> DType:
    """Integers are compared as such, floats as DOUBLE where one of them is."""
    dtypes = {given.tensor.dtype for given in call.reads if given.label != "sorter"}
    if "self" in call.attributes:
        dtypes.add(call["self"].dtype)
    if all(dtype.kind != "float" for dtype in dtypes):
        return INT64
    return DOUBLE if DOUBLE in dtypes else FLOAT


def rows_fit(call: Call) -> str | None:
    shape, given = call["sorted_sequence"].shape, getattr(call["self"], "shape", ())
    if not shape:
        return "sorted_sequence has no dimensions; expected at least 1"
    if len(shape) > 1 and (len(shape) != len(given) or shape[:-1] != given[:-1]):
        return f"sorted_sequence has shape {list(shape)}; expected one row, or rows as self has"
    return shape_fault(call, sorter=shape)


def vector(call: Call) -> str | None:
    rank = len(call["boundaries"].shape)
    return None if rank == 1 else f"boundaries has {rank} dimensions; expected 1"


def asked(call: Call) -> str | None:
    expected, came = INT32 if call["out_int32"] else INT64, call["out"].dtype
    return None if came is expected else f"out has dtype {came}; expected {expected}"


ASKED = Sound(
    asked,
    "out is INT32 where out_int32 says so, else INT64",
    "out_int32 为真时 out 为 INT32，否则为 INT64",
)
ROWS = Sound(
    rows_fit,
    "sorted_sequence is one row for all, or has rows as self has; sorter has its shape",
    "sorted_sequence 只有一行或与 self 行数相同；sorter 与其 shape 相同",
)
VECTOR = Sound(vector, "boundaries has one dimension", "boundaries 为一维")


def searching(
    name: str, first: tuple[Argument, ...], rule: Sound, rows: str, en: str, zh: str, example: str
) -> Op:
    read = tuple(a.name for a in first if isinstance(a, In))
    sorter = (In("sorter", "the order of unsorted rows", "排序后的顺序", optional=True),)
    others = sorter if rows == "sorted_sequence" else ()

    def steps(call: Call) -> tuple[Step, ...]:
        known = parts(call)
        reads = rows_of("rows", known[rows])
        reads |= {name: part for name, part in known.items() if name == "self"}
        if "sorter" in known:
            reads |= rows_of("sorter", known["sorter"])
        count, right = known[rows].view.shape[-1], bool(call["right"])
        return (Step(reads, (known["out"],), search(count, right, "sorter" not in known)),)

    def results(call: Call) -> tuple[Meta, ...]:
        shape = getattr(call["self"], "shape", ())
        return (Meta(shape, INT32 if call["out_int32"] else INT64),)

    return Op(
        name, en, zh,
        (*first, Attr("out_int32", "whether results are INT32", "结果是否为 INT32", FLAG, False),
         Attr("right", "behind equal elements, or before", "是否位于相等元素之后", FLAG, False),
         *others, Out("out", "where they belong", "位置")),
        (Dtypes(read, ALL, lacks_complex=True), *(Dtypes((a.name,), (INT64,)) for a in others),
         MaxDims((*read, "out")), rule, ASKED, ResultShape()),
        named(rows, en), example, results=results, steps=steps, promotes=promotes, wide=always,
        shapes=lambda shape, attributes: {rows: (5,), "sorter": (5,)},
        source="signature: op-plugin, candle; values: PyTorch's searchsorted",
        aliases=("searchsorted",) if name == "search_sorted" else (),
    )  # fmt: skip


def named(rows: str, en: str) -> Any:
    """The formula for people."""
    if rows == "boundaries":
        return lambda boundaries: described(en, boundaries)
    return lambda sorted_sequence: described(en, sorted_sequence)


HEAD = "\n>>> import numpy as np, openaclnn\n>>> rows = np.array([1, 3, 3, 7])\n"
SEQUENCE = In("sorted_sequence", "rows in order", "有序的行")
VALUES = In("self", "the numbers", "要查找的数")
NUMBER = Attr("self", "the number", "要查找的数", SCALAR)

OPS = (
    searching("search_sorted", (SEQUENCE, VALUES), ROWS, "sorted_sequence",
              "Insertion positions of numbers in sorted rows", "有序序列中的查找位置",
              HEAD + ">>> openaclnn.search_sorted(rows, np.array([3, 9, 0]))\narray([1, 4, 0])\n"),
    searching("search_sorteds", (SEQUENCE, NUMBER), ROWS, "sorted_sequence",
              "Insertion position of a number in a sorted row", "有序序列中的查找位置（标量）",
              HEAD + ">>> openaclnn.search_sorteds(rows, 3, right=True)\narray(3)\n"),
    searching("bucketize", (VALUES, In("boundaries", "boundaries in order", "有序的边界")), VECTOR,
              "boundaries", "Index of the interval that holds each number", "所在的区间",
              HEAD + ">>> openaclnn.bucketize(np.array([3, 9, 0]), rows)\narray([1, 4, 0])\n"),
)  # fmt: skip
