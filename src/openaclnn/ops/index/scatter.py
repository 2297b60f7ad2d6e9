"""Elements of a tensor replaced, added to or multiplied where indices say along one dimension, and
where they stand along the others. Of several for one place the last replaces it; sums are exact and
rounded once, products are rounded one after the other."""

from typing import Any

from openaclnn.base.dtypes import BOOL
from openaclnn.ops.index.index_copy import number
from openaclnn.spec.call import Call
from openaclnn.spec.families import ALL
from openaclnn.spec.host import INT64, SCALAR
from openaclnn.spec.indexed import INDICES, within
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, InOut, Op, Out, never
from openaclnn.spec.results import Like
from openaclnn.spec.rules import Dtypes, MaxDims, OneOf, SameDtype, SameShape
from openaclnn.spec.scatters import ADD, KINDS, as_vector, scattered, spread, words
from openaclnn.spec.steps import Part, Step, parts, scratch


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    self, index = as_vector(known["self"]), as_vector(known["index"])
    out = as_vector(known.get("out", known["self"]))
    rank, dim = len(self.view.shape), call["dim"] % len(self.view.shape)
    shape = index.view.shape
    reduce = call.arguments.get("reduce", call.arguments.get("reduction"))
    kind = ADD if reduce is None else KINDS[reduce]
    before: tuple[Step, ...] = ()
    if "src" in known:
        whole = as_vector(known["src"])
        src = Part(whole.tensor, whole.view.seen(shape, whole.view.strides, whole.view.offset))
    else:
        one = scratch(0, self.view.dtype, ())
        before, src = (Step({}, (one,), number),), spread(one, shape, ())
    coordinates = [-1 if k == dim else k for k in range(rank)]
    return (*before, scattered(self, src, (index,), coordinates, out, kind))


def fits(call: Call) -> str | None:
    wrong = within(call, "self", "dim")
    if wrong:
        return wrong
    whole, index = call["self"].shape or (1,), call["index"].shape or (1,)
    dim = call["dim"] % len(whole)
    limits = [("self", whole)]
    if "src" in call.arguments:
        limits.append(("src", call["src"].shape or (1,)))
    for name, shape in limits:
        pairs = list(zip(index, shape, strict=False))
        longer = any(a > b and (k != dim or name == "src") for k, (a, b) in enumerate(pairs))
        if len(shape) != len(index) or longer:
            return (
                f"index has shape {list(index)}; expected {len(shape)} dimensions, none longer "
                f"than {name}'s, {list(shape)}" + (f", but dimension {dim}" * (name == "self"))
            )
    if call["self"].dtype is BOOL and call.arguments.get("reduce", 0):
        return "self has dtype BOOL; expected numbers, which are added or multiplied"
    return None


TEXTS = (
    "dim is one of self's dimensions; index has as many, and is nowhere longer than src, nor than "
    "self but along dim",
    "dim 是 self 的维度；index 与 self 维数相同，各维不大于 src，除 dim 外不大于 self",
)
SRC = In("src", "what is scattered", "源张量")
VALUE = Attr("value", "what is scattered", "标量值", SCALAR)
HOW = {"none": 0, "add": 1, "multiply": 2}


def how(name: str) -> Attr:
    return Attr(name, "what becomes of it", "归约方式", INT64, "none", HOW)


def scattering(
    name: str,
    more: tuple[Any, ...],
    texts: tuple[str, str],
    example: str,
    in_place: bool = False,
) -> Op:
    own: Any = In("self", "a tensor", "输入")
    own = InOut("self", "the tensor", "被修改的张量") if in_place else own
    places = In("index", "places along dim", "索引")
    out = () if in_place else (Out("out", "the result", "结果"),)
    given = ("self", *("src",) * (SRC in more))
    tensors = ("self", "index", *(one.name for one in (*more, *out) if not isinstance(one, Attr)))
    same = () if in_place else (SameDtype(("self", "out")), SameShape(("self",)))
    return Op(
        name,
        *texts,
        (
            own,
            Attr("dim", "the dimension", "维度", INT64),
            places,
            *more,
            *out,
        ),
        (
            Dtypes(given, ALL, lacks_complex=True),
            SameDtype(given),
            Dtypes(("index",), INDICES),
            MaxDims(tensors),
            *(OneOf(one.name) for one in more if isinstance(one, Attr) and one.choices),
            Sound(fits, *TEXTS),
            *same,
        ),
        words("self, with what is scattered in the places that index names"),
        "\n>>> import numpy as np, openaclnn\n"
        ">>> x, index = np.zeros((1, 3)), np.array([[2, 2, 0]])\n"
        f">>> openaclnn.{name}(x, 1, index, {example}\n",
        source="signature: op-plugin; values: PyTorch's scatter and scatter_add",
        steps=steps,
        wide=never,
        promotes=lambda call: call["self"].dtype,
        results=Like("self"),
    )


THREE = "np.array([[1., 2, 3]]))\narray([[3., 0., "
REDUCE, REDUCTION = how("reduce"), how("reduction")
OPS = (
    scattering("scatter", (SRC, REDUCE), ("Scatter along a dimension", "按索引散布元素"),
               f"{THREE}2.]])"),
    scattering("inplace_scatter", (SRC, REDUCTION),
               ("Scatter along a dimension, in place",
               "原地按索引散布元素"), f"{THREE}2.]])", True),
    scattering("scatter_value", (VALUE, REDUCTION),
               ("Scatter of a number along a dimension", "按索引散布标量"),
               "7)\narray([[7., 0., 7.]])"),
    scattering("inplace_scatter_value", (VALUE, REDUCTION),
               ("Scatter of a number along a dimension, in place", "原地按索引散布标量"),
               "7)\narray([[7., 0., 7.]])", True),
    scattering("scatter_add", (SRC,), ("Scatter-add along a dimension", "按索引累加元素"),
               f"{THREE}3.]])"),
)  # fmt: skip
