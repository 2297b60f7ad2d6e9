"""The elements along a dimension in order, and where each stood. Equal ones keep their order,
whether that is asked for or not; 0 and -0 are equal, NaN is the largest."""

from collections.abc import Callable
from dataclasses import replace

from openaclnn.base.dtypes import INT32, INT64
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.host import FLAG
from openaclnn.spec.host import INT64 as INTEGER
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Argument, Attr, In, Op, Out, never
from openaclnn.spec.rules import DimOf, Dtypes, MaxDims, ResultShape
from openaclnn.spec.rules.rule import Rule
from openaclnn.spec.sorts import Sort
from openaclnn.spec.steps import Part, Step, parts

DIM = Attr("dim", "the dimension", "维度", INTEGER, default=-1, by_place=True)
DESCENDING = Attr(
    "descending", "whether the largest come first", "是否降序", FLAG, False, by_place=True
)
KEEP = Attr(
    "keepdim", "whether it stays, of size 1", "是否保留该维（大小为 1）", FLAG, False, by_place=True
)
VALUES = Out("values", "the elements", "元素")
PLACES = Out("indices", "where they stood", "原位置")
SOURCE = "signature: op-plugin, candle; values: PyTorch's"


def dim_of(call: Call) -> int:
    found: int = call["dim"] % max(len(call["self"].shape), 1)
    return found


def along(call: Call, size: int) -> tuple[int, ...]:
    """The input's shape with another size along the dimension."""
    shape = list(call["self"].shape)
    if shape:
        shape[dim_of(call)] = size
    return tuple(shape)


def one_left(call: Call) -> tuple[int, ...]:
    """The same with one element there, or without the dimension."""
    shape = along(call, 1)
    if call["keepdim"] or not shape:
        return shape
    dim = dim_of(call)
    return shape[:dim] + shape[dim + 1 :]


def kept(part: Part, dim: int) -> Part:
    """A part with a dimension of size 1 more."""
    view = part.view
    shape = (*view.shape[:dim], 1, *view.shape[dim:])
    strides = (*view.strides[:dim], 0, *view.strides[dim:])
    return Part(part.tensor, view.seen(shape, strides, view.offset))


def same(call: Call) -> str | None:
    expected = call["self"].dtype
    for given in call.writes[:1]:
        if given.tensor.dtype is not expected:
            came = given.tensor.dtype
            return f"{given.label} has dtype {came}; expected {expected}, as self has"
    return None


SAME: Rule = Sound(same, "the elements have self's dtype", "结果元素的数据类型与 self 相同")


def sorting(
    name: str,
    attributes: tuple[Attr, ...],
    outputs: tuple[Out, ...],
    rules: tuple[Rule, ...],
    shape: Callable[[Call], tuple[int, ...]],
    routine: Callable[[Call], Sort],
    en: str,
    zh: str,
    example: str = "",
    torch: str = "",
) -> Op:
    """Values, where the first output is them, and places of a sort."""
    values = [out.name for out in outputs if out.name in ("values", "out0")]
    places = [out.name for out in outputs if out.name not in values]

    def results(call: Call) -> tuple[Meta, ...]:
        found = shape(call)
        dtypes = [call["self"].dtype] * len(values) + [INT64] * len(places)
        return tuple(Meta(found, dtype) for dtype in dtypes)

    def steps(call: Call) -> tuple[Step, ...]:
        known, found = parts(call), []
        rank = len(call["self"].shape)
        for out in outputs:
            part = known[out.name]
            found.append(part if len(part.view.shape) == rank else kept(part, dim_of(call)))
        return (Step({"self": known["self"]}, tuple(found), routine=routine(call)),)

    def formula(self: Expr) -> tuple[Expr, ...]:
        return tuple(described(f"{out.en} of {en[0].lower()}{en[1:]}", self) for out in outputs)

    arguments: tuple[Argument, ...] = (In("self", "the input", "输入"), *attributes, *outputs)
    return Op(
        name,
        en,
        zh,
        arguments,
        (
            Dtypes(("self", *values), ALL, lacks_complex=True),
            *((Dtypes(tuple(places), (INT64, INT32)),) if places else ()),
            DimOf("dim", "self"),
            MaxDims(tuple(a.name for a in arguments if not isinstance(a, Attr))),
            *rules,
            *(SAME,) * bool(values),
            ResultShape(),
        ),
        formula,
        example,
        results=results,
        steps=steps,
        wide=never,
        torch=torch,
        source=f"{SOURCE} {torch or name}",
    )


def all_of_them(call: Call) -> tuple[int, ...]:
    found: tuple[int, ...] = call["self"].shape
    return found


STABLE = Attr("stable", "whether equal ones keep their order: they do", "始终稳定", FLAG, False)

OPS = (
    sorting(
        "sort",
        (STABLE, replace(DIM, by_place=False), replace(DESCENDING, by_place=False)),
        (VALUES, PLACES),
        (),
        all_of_them,
        lambda call: Sort(dim_of(call), descending=bool(call["descending"])),
        "Sort along a dimension",
        "沿维度排序",
        """
>>> import numpy as np, openaclnn
>>> openaclnn.sort(np.array([3, 1, 2], np.float32))
(array([1., 2., 3.], dtype=float32), array([1, 2, 0]))
""",
        "sort",
    ),
    sorting(
        "argsort",
        (DIM, DESCENDING),
        (Out("out", "where they stood", "原位置"),),
        (),
        all_of_them,
        lambda call: Sort(dim_of(call), descending=bool(call["descending"]), values=False),
        "Indices that sort a tensor along a dimension",
        "沿维度排序的位置",
        """
>>> import numpy as np, openaclnn
>>> openaclnn.argsort(np.array([3, 1, 2], np.float32), -1)
array([1, 2, 0])
""",
        "argsort",
    ),
)
