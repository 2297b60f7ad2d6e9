"""Slices of a tensor along a dimension, replaced, added to or filled where indices say. Of several
for one slice the last replaces it; sums are exact and rounded once. What is added is alpha·source
in the dtype of the tensors: where alpha is not 1, it is rounded before, as alpha is."""

from collections.abc import Callable
from typing import Any

from openaclnn.spec.call import Call
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.host import INT64, INT_ARRAY, SCALAR
from openaclnn.spec.indexed import INDICES, within
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, InOut, Op, Out, RoundedFirst, never
from openaclnn.spec.proof import DEFAULT, Proof
from openaclnn.spec.results import Like
from openaclnn.spec.rules import Dtypes, MaxDims, Rule, SameDtype, SameShape
from openaclnn.spec.scatters import ADD, PUT, as_vector, scattered, spread
from openaclnn.spec.steps import Part, Step, copied, narrowed, parts, scratch


def copy(self: Expr, source: Expr) -> Expr:
    return described("self, with source in the places of its slices that index names", self)


def add(self: Expr, source: Expr, alpha: Expr) -> Expr:
    return described("self, with alpha·source added to its slices that index names", self)


def fill(self: Expr, value: Expr) -> Expr:
    return described("self, with value in its slices that index names", self)


def scaled(source: Expr, alpha: Expr) -> Expr:
    return alpha * source


def number(value: Expr) -> Expr:
    return value


def taken(call: Call) -> tuple[Part, Part, Part, int]:
    """The tensor, the indices, the result, and the dimension."""
    known = parts(call)
    self, index = as_vector(known["self"]), as_vector(known["index"])
    out = as_vector(known.get("out", known["self"]))
    return self, index, out, call["dim"] % len(self.view.shape)


def placed(self: Part, index: Part, src: Part, out: Part, dim: int, kind: str) -> Step:
    rank = len(self.view.shape)
    coordinates = [-1 if k == dim else k for k in range(rank)]
    each = spread(index, src.view.shape, (dim,))
    return scattered(self, src, (each,), coordinates, out, kind)


def copying(call: Call) -> tuple[Step, ...]:
    self, index, out, dim = taken(call)
    return (placed(self, index, as_vector(parts(call)["source"]), out, dim, PUT),)


def adding(call: Call) -> tuple[Step, ...]:
    self, index, out, dim = taken(call)
    source = as_vector(parts(call)["source"])
    before: tuple[Step, ...] = ()
    if float(call["alpha"].value) != 1:
        product = scratch(0, self.view.dtype, source.view.shape)
        before = (Step({"source": source}, (product,), scaled),)
        source = product
    return (*before, placed(self, index, source, out, dim, ADD))


def filling(call: Call) -> tuple[Step, ...]:
    self, index, out, dim = taken(call)
    shape = list(self.view.shape)
    shape[dim] = index.view.shape[0]
    one = scratch(0, self.view.dtype, ())
    src = spread(one, shape, ())
    return (Step({}, (one,), number), placed(self, index, src, out, dim, PUT))


def filling_listed(call: Call) -> tuple[Step, ...]:
    """The indices are host values: the slices are known."""
    known = parts(call)
    self, out = as_vector(known["self"]), as_vector(known.get("out", known["self"]))
    dim, shape = call["dim"] % len(self.view.shape), self.view.shape
    slices = (narrowed(out.view, dim, at % shape[dim], 1) for at in sorted({*call["index"]}))
    first = () if out.tensor == self.tensor else (Step({"self": self}, (out,), copied),)
    return (*first, *(Step({}, (Part(out.tensor, one),), number) for one in slices))


def fits(call: Call) -> str | None:
    wrong = within(call, "self", "dim")
    if wrong:
        return wrong
    shape, dim = list(call["self"].shape or (1,)), call["dim"]
    if isinstance(call["index"], tuple):
        for at in call["index"]:
            if not -shape[dim] <= at < shape[dim]:
                return f"index has {at}; expected {-shape[dim]} to {shape[dim] - 1}"
        return None
    index = call["index"].shape
    if len(index) > 1:
        return f"index has {len(index)} dimensions; expected at most 1"
    if "source" in call.arguments:
        shape[dim] = index[0] if index else 1
        came = list(call["source"].shape or (1,))
        if came != shape:
            return f"source has shape {list(call['source'].shape)}; expected {shape}"
    return None


TEXTS = (
    "dim is one of self's dimensions and index has at most one; source has self's shape with as "
    "many slices along dim as there are indices",
    "dim 是 self 的维度，index 至多 1 维；source 的 shape 与 self 相同，dim 维的大小为索引个数",
)
DIM = Attr("dim", "the dimension", "维度", INT64)
INDEX, LISTED = (
    In("index", "which slices", "索引"),
    Attr("index", "which slices", "索引", INT_ARRAY),
)
SOURCE = In("source", "new slices", "源张量")
VALUE = Attr("value", "what they are filled with", "填充值", SCALAR)
ALPHA = Attr("alpha", "what source is multiplied by", "source 的系数", SCALAR, 1)


def slices(
    name: str,
    formula: Callable[..., Any],
    steps: Callable[[Call], tuple[Step, ...]],
    more: tuple[Any, ...],
    texts: tuple[str, str],
    example: str,
    in_place: bool = False,
    proof: Proof = DEFAULT,
) -> Op:
    own: Any = In("self", "a tensor", "输入")
    own = InOut("self", "the tensor", "被修改的张量") if in_place else own
    given = ("self", *("source",) * (SOURCE in more))
    rules: tuple[Rule, ...] = (Dtypes(given, ALL, lacks_complex=True), SameDtype(given))
    if INDEX in more:
        rules = (*rules, Dtypes(("index",), INDICES))
    out = () if in_place else (Out("out", "the result", "结果"),)
    tensors = ("self", *(one.name for one in (*more, *out) if not isinstance(one, Attr)))
    same = () if in_place else (SameDtype(("self", "out")), SameShape(("self",)))
    called = f"inplace_{name}" if in_place else name
    return Op(
        called,
        *texts,
        (own, DIM, *more, *out),
        (*rules, MaxDims(tensors), Sound(fits, *TEXTS), *same),
        formula,
        example.replace("NAME", called),
        source="signature: llama.cpp, op-plugin; values: PyTorch's functions of these names",
        steps=steps,
        wide=never,
        uniforms=RoundedFirst(("alpha",)) if ALPHA in more else None,
        promotes=lambda call: call["self"].dtype,
        results=Like("self"),
        shapes=lambda shape, attributes: {"index": (2,), "source": (2, *shape[1:])},
        proof=proof,
    )


NUMPY = """
>>> import numpy as np, openaclnn
>>> x, two = np.array([[1, 2], [3, 4]]), np.array([0, 0])
>>> openaclnn.NAME(x, 0, """
NEW = "two, np.array([[5, 5], [6, 7]]))\n"

OPS = (
    *(
        slices(
            "index_copy", copy, copying, (INDEX, SOURCE),
            ("Copy of slices to indices", "按索引替换切片"),
            f"{NUMPY}{NEW}array([[6, 7],\n       [3, 4]])\n", in_place,
        )
        for in_place in (False, True)
    ),
    *(
        slices(
            "index_fill", fill, filling, (INDEX, VALUE),
            ("Fill of slices at indices", "按索引填充切片"),
            f"{NUMPY}two, 7)\narray([[7, 7],\n       [3, 4]])\n", in_place,
        )
        for in_place in (False, True)
    ),
    *(
        slices(
            "index_fill_tensor", fill, filling_listed, (LISTED, VALUE),
            ("Fill of slices at indices given as numbers", "按给定索引填充切片"),
            f"{NUMPY}[-1], 7)\narray([[1, 2],\n       [7, 7]])\n", in_place,
        )
        for in_place in (False, True)
    ),
    slices(
        "index_add", add, adding, (INDEX, SOURCE, ALPHA),
        ("Addition of slices at indices", "按索引累加切片"),
        f"{NUMPY}{NEW}array([[12, 14],\n       [ 3,  4]])\n",
        proof=Proof(attributes=({}, {"alpha": -2})),
    ),
)  # fmt: skip
