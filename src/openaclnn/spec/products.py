"""The family of products: contractions of two tensors, to which a third one may be added."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from openaclnn.base.dtypes import DOUBLE
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import broadcast
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.contraction import contracted
from openaclnn.spec.families import NUMBERS
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.host import INT8, SCALAR
from openaclnn.spec.op import Argument, Attr, In, InOut, Op, Out, never, number_of
from openaclnn.spec.proof import Bound, Proof
from openaclnn.spec.results import promoted_dtype
from openaclnn.spec.rules import Castable, Dtypes, OneOf, Promotable, RealScalars, ResultShape
from openaclnn.spec.rules.rule import Rule, all_of, said
from openaclnn.spec.steps import Step, parts

Shape = tuple[int, ...]

CUBE = Attr(
    "cube_math_type",
    "how far the matrix unit may deviate; results are exact and rounded once whatever it says",
    "矩阵单元允许的精度；无论取何值，结果均为精确值的一次舍入",
    INT8,
    0,
    choices={"keep_dtype": 0, "allow_fp32_down_precision": 1, "use_fp16": 2, "use_hf32": 3},
)
BETA = Attr("beta", "the factor of what is added", "加数的系数", SCALAR, 1.0)
ALPHA = Attr("alpha", "the factor of the product", "乘积的系数", SCALAR, 1.0)

# of DOUBLE: sums of rounded products, in an order that depends on their number alone
UNCANCELLED = "no terms cancel"
PROOF = Proof(exact={DOUBLE: Bound(2.0**20, UNCANCELLED)})


@dataclass(frozen=True)
class OneKind(Rule):
    """The named tensors are all integers or all floats."""

    of: tuple[str, ...]
    of_types = True

    def complaint(self, call: Call) -> str | None:
        (first, tensor), *others = call.of(self.of)
        for label, other in others:
            if other.dtype.kind != tensor.dtype.kind:
                return (
                    f"{label} has dtype {other.dtype}, {first} has {tensor.dtype}; expected "
                    "integers or floats in both"
                )
        return None

    def sentence(self, op: Op, language: str) -> str:
        names = all_of(self.of, language)
        return said(
            language, f"{names} are all integers or all floats", f"{names} 同为整数或同为浮点数"
        )


@dataclass(frozen=True)
class Shapes(Rule):
    """The sizes of the factors are those that letters name, equal ones where they are the same. Of
    a batch (b) that the result has, one factor may have a single matrix."""

    subscripts: str
    of: tuple[str, str]

    def complaint(self, call: Call) -> str | None:
        known: dict[str, tuple[int, str]] = {}
        inputs, _, of_out = self.subscripts.partition("->")
        letters = inputs.split(",")
        for own, (label, tensor) in zip(letters, call.of(self.of), strict=True):
            if len(tensor.shape) != len(own):
                return f"{label} has {len(tensor.shape)} dimensions; expected {len(own)}"
            for d, (letter, size) in enumerate(zip(own, tensor.shape, strict=True)):
                expected, other = known.setdefault(letter, (size, label))
                single = letter == "b" and letter in of_out and 1 in (size, expected)
                if size != expected and not single:
                    return (
                        f"{label} has shape {list(tensor.shape)}; expected {expected} along "
                        f"dimension {d}, as {other} has"
                    )
        return None

    def sentence(self, op: Op, language: str) -> str:
        letters = self.subscripts.partition("->")[0].split(",")
        shapes = [f"{name}[{', '.join(own)}]" for name, own in zip(self.of, letters, strict=True)]
        return said(
            language,
            f"shapes are {' and '.join(shapes)}",
            f"shape 为 {'、'.join(shapes)}",
        )


@dataclass(frozen=True)
class Addable(Rule):
    """A tensor broadcasts to the result's shape."""

    of: str

    def complaint(self, call: Call) -> str | None:
        expected, own = call.results[0].shape, call[self.of].shape
        if broadcast(own, expected) != expected:
            return (
                f"{self.of} has shape {list(own)}; expected one that broadcasts to "
                f"{list(expected)}, the product's"
            )
        return None

    def sentence(self, op: Op, language: str) -> str:
        return said(
            language,
            f"{self.of} broadcasts to the product's shape",
            f"{self.of} 可以广播为乘积的 shape",
        )


def result_of(subscripts: str, shapes: list[Shape]) -> Shape:
    """The shape of a product, even of a wrong call."""
    inputs, _, of_out = subscripts.partition("->")
    sizes: dict[str, int] = {}
    for own, shape in zip(inputs.split(","), shapes, strict=True):
        for letter, size in zip(own, shape, strict=False):
            if sizes.get(letter, 1) == 1:
                sizes[letter] = size
    return tuple(sizes.get(letter, 1) for letter in of_out)


def product(
    name: str,
    subscripts: str,
    names: tuple[str, str],
    texts: tuple[str, str],
    says: str,
    example: str = "",
    added: str = "",
    attributes: tuple[Attr, ...] = (),
    in_place: bool = False,
    dtypes: tuple[Any, ...] = NUMBERS,
    **more: Any,
) -> Op:
    """A product by its subscripts ("mk,kn->mn"). `added` names the tensor that comes first and is
    added; ALPHA and BETA among the attributes are factors."""
    factors = tuple(In(each, "a factor", "因子") for each in names)
    first: tuple[Argument, ...] = ()
    if added:
        first = (
            (InOut(added, "what is added, and the result", "加数与结果"),)
            if in_place
            else (In(added, "what is added", "加数"),)
        )
    last: tuple[Argument, ...] = () if in_place else (Out("out", "the result", "结果"),)
    numbers = tuple(a for a in attributes if a is not CUBE)
    cube = tuple(a for a in attributes if a is CUBE)
    read = ((added,) if added else ()) + names

    def results(call: Call) -> tuple[Meta, ...]:
        shape = result_of(subscripts, [call[each].shape for each in names])
        return (Meta(shape, promoted_dtype(call)),)

    def steps(call: Call) -> tuple[Step, ...]:
        known = parts(call)
        a, b = (known[each] for each in names)
        out, c = known[added if in_place else "out"], known[added] if added else None
        return (contracted(subscripts, a, b, out, c, **factors_of(call)),)

    def formula(**tensors: Expr) -> Expr:
        return described(says, *tensors.values())

    rules: list[Rule] = [Dtypes(read, dtypes, lacks_complex=True), OneKind(read), Promotable()]
    scalars = tuple(a.name for a in numbers if a.host is SCALAR)
    rules += [RealScalars(scalars)] * bool(scalars)
    rules += [OneOf("cube_math_type")] * bool(cube)
    rules.append(Shapes(subscripts, names))
    if added and not in_place:
        rules.append(Addable(added))
    rules += [ResultShape(), Castable()]
    return Op(
        name,
        *texts,
        (*first, *factors, *numbers, *last, *cube),
        tuple(rules),
        **{
            "formula": with_names(formula, read),
            "results": results,
            "steps": steps,
            "wide": never,
            "proof": PROOF,
            "shapes": made_up(subscripts, names, added),
            **more,
        },
        example=example,
    )


def factors_of(call: Call) -> dict[str, Any]:
    """The numbers of a call that are factors, as they are computed with."""
    assert call.promoted is not None
    return {
        name: number_of(call.attributes[name], call.promoted)
        for name in ("alpha", "beta")
        if name in call.attributes
    }


def with_names(formula: Callable[..., Expr], names: tuple[str, ...]) -> Callable[..., Expr]:
    """A formula that takes any tensors, with the names of some."""
    import inspect

    parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in names]
    formula.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return formula


def made_up(
    subscripts: str, names: tuple[str, str], added: str = ""
) -> Callable[[Shape, Any], dict[str, Shape]]:
    """Shapes of a made-up call, from one shape for all."""
    inputs, _, of_out = subscripts.partition("->")
    letters = sorted({*inputs} - {","})

    def shapes(shape: Shape, attributes: Any) -> dict[str, Shape]:
        sizes = dict(zip(letters, (*shape, *[2] * len(letters)), strict=False))
        found = {
            name: tuple(sizes[x] for x in own)
            for name, own in zip(names, inputs.split(","), strict=True)
        }
        return found | ({added: tuple(sizes[x] for x in of_out)} if added else {})

    return shapes
