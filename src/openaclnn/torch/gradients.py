"""Which operator gives the gradient of another along one of its inputs: one of ours that is made
for it, or one derived from the formula.

>>> from openaclnn.ops import find
>>> gradient(find("silu"), "self").op.name
'silu_backward'
>>> from openaclnn.spec.formula import text
>>> slope = gradient(find("mul"), "other").op
>>> slope.name, text(slope.expressions[0])
('mul_gradient_other', 'grad_result·self')
>>> gradient(find("bitwise_not"), "self")
Traceback (most recent call last):
openaclnn.torch.gradients.NoGradientError: aclnnBitwiseNot has no gradient with respect to self: \
bit_xor(self, ones) has no derivative; where() chooses between expressions that have one
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from openaclnn import ops
from openaclnn.base.dtypes import DOUBLE, DType
from openaclnn.base.status import OpenaclnnError
from openaclnn.spec import describe
from openaclnn.spec.call import promoted_inputs
from openaclnn.spec.derivative import derivative
from openaclnn.spec.families import FLOATS, floating, reduction
from openaclnn.spec.formula import ALL, Expr, equal, fold, tensor, where
from openaclnn.spec.host import INT64
from openaclnn.spec.op import REQUIRED, Argument, Attr, In, InOut, Op, Out, always
from openaclnn.spec.results import broadcast_and_promote, like
from openaclnn.spec.rules import Dtypes
from openaclnn.spec.stages import folds_of
from openaclnn.spec.steps import copied, elementwise

BETWEEN = "_gradient_"  # in a derived operator's name: mul_gradient_other
RESULT = "result"  # how a gradient's operator calls what was computed
_SHARE = "share"  # of one element in a mean


class NoGradientError(OpenaclnnError):
    """An operator has no gradient with respect to an input."""


@dataclass(frozen=True)
class Gradient:
    """An operator, and what each of its arguments is: GRAD, RESULT, or an argument of the operator
    that was differentiated. What has no place here is left to its default."""

    op: Op
    arguments: Mapping[str, str]

    @property
    def uses(self) -> frozenset[str]:
        return frozenset(self.arguments.values())


GRAD = "the gradient"


def gradient(op: Op, name: str, double: bool = False) -> Gradient:
    """The gradient of an operator's one result with respect to an input; `double`: in DOUBLE."""
    key = op, name, double
    if key not in _known:
        _known[key] = _own(op, name, double) or _derived(op, name)
    return _known[key]


_known: dict[tuple[Op, str, bool], Gradient] = {}


def by_name(name: str) -> Op | None:
    """The derived operator of a name, if that is what it is."""
    if name in HELPING:
        return HELPING[name]
    of, between, along = name.rpartition(BETWEEN)
    if not between:
        return None
    differentiated = by_name(of) or ops.at_hand(of) or ops.all_ops().get(of)
    if differentiated is None or along not in {a.name for a in differentiated.reads}:
        return None
    return _derived(differentiated, along).op


_FLOATS = (*FLOATS, DOUBLE)
SUM = reduction(
    "gradient_sum",
    "add",
    _FLOATS,
    "Sum of a gradient along what was broadcast",
    "广播维度上的梯度和",
    "",
)
SHARE = Op(
    "gradient_share",
    "What each of several has of a mean's gradient",
    "均值梯度中每个元素的份额",
    (
        In("grad_result", "gradient with respect to the mean", "均值的梯度"),
        Attr("count", "how many there are", "元素个数", INT64),
        Out("grad_input", "gradient with respect to each", "每个元素的梯度"),
    ),
    (Dtypes(("grad_result",), _FLOATS),),
    lambda grad_result, count: grad_result / count,
    "",
    wide=always,
)
HELPING = {op.name: op for op in (SUM, SHARE)}  # what gradients need besides


def _own(op: Op, name: str, double: bool) -> Gradient | None:
    """An operator made for it: of the same name and `_backward`, with respect to `self`."""
    if name != "self" or BETWEEN in op.name:
        return None
    found = ops.at_hand(f"{op.name.removeprefix('inplace_')}_backward")
    if found is None or (double and DOUBLE not in describe.dtypes(found)):
        return None
    return _matched(op, found)


def _matched(op: Op, backward: Op) -> Gradient | None:
    """What a backward operator's arguments are; None where one of them is not told."""
    tensors = {a.name for a in op.reads}
    roles: dict[str, str] = {}
    for a in backward.inputs:
        if a.name.startswith("grad"):
            roles[a.name] = GRAD
        elif a.name in tensors:
            roles[a.name] = a.name
        elif a.name in ("output", RESULT) and not op.in_place:
            roles[a.name] = RESULT
        elif a.name == "self_or_result":
            roles[a.name] = "self"
        elif a.read and not a.optional:
            return None
    named = {a.name for a in op.attributes} & {a.name for a in backward.attributes}
    roles |= {attribute: attribute for attribute in named}
    left = [a.name for a in op.attributes if a.name not in named]
    others = [a for a in backward.attributes if a.name not in named]
    if left and len(left) == len(others):  # the same ones, called otherwise
        roles |= {a.name: other for a, other in zip(others, left, strict=True)}
    elif left or any(a.default is REQUIRED for a in others):
        return None
    return Gradient(backward, roles)


def _derived(op: Op, name: str) -> Gradient:
    """The operator that multiplies a gradient by the slope of the formula along an input."""
    if len(op.outputs) != 1:
        raise _no_gradient(op, name, "it has several results")
    if op.steps is not elementwise:
        raise _no_gradient(op, name, "its formula is about parts of tensors")
    tree = op.traced(op.formula, *_plainly(op))
    folds = folds_of(tree)
    if folds and folds != tree.results:
        raise _no_gradient(op, name, "its formula is made of sums along a dimension")
    if folds and folds[0].name == "max":
        return _of_largest(op, folds[0].over)
    try:
        slope = derivative(folds[0].args[0] if folds else tree.results[0], name)
    except ValueError as reason:
        raise _no_gradient(op, name, str(reason)) from None
    needed = _inputs_of(slope)
    if any(a.static for a in op.attributes) or op.promotes not in (promoted_inputs, floating):
        needed = {a.name for a in op.reads}  # who knows which of them decide
    kept = [a for a in op.reads if a.name in needed]
    grad = _unused(op, "grad_result")
    found = Op(
        f"{op.name}{BETWEEN}{name}",
        f"Gradient of {op.name} with respect to {name}",
        f"{op.name} 对 {name} 的梯度",
        (In(grad, "gradient with respect to the result", "结果的梯度"), *_taken(kept),
         *op.attributes, Out("grad_input", f"gradient with respect to {name}", f"{name} 的梯度")),
        (),
        _slope(op, name, grad, [a.name for a in kept], bool(folds)),
        "",
        uniforms=_with_share(op) if folds else op.uniforms,
        wide=always,
        promotes=op.promotes,
        results=broadcast_and_promote,
        products=op.products,
    )  # fmt: skip
    roles = {a.name: a.name for a in (*kept, *op.attributes)}
    return Gradient(found, {grad: GRAD, **roles})


def _slope(op: Op, name: str, grad: str, kept: list[str], folded: bool) -> Callable[..., Expr]:
    """The formula of a derived operator. It has all parameters of the operator's own but tensors
    that the slope does not need."""
    own = inspect.signature(op.formula).parameters
    tensors = {a.name for a in op.reads}
    dropped = {one: tensor(one) for one in own if one in tensors and one not in kept}

    def formula(**given: Any) -> Expr:
        factor: Expr = given.pop(grad)
        share = given.pop(_SHARE, None)
        found: Expr = op.formula(**dropped, **{one: given[one] for one in given if one in own})
        if found.op == "fold":
            factor = factor * share if found.name == "mean" else factor
            found = found.args[0]
        return factor * derivative(found, name)

    names = [grad, *kept, *(one for one in own if one not in tensors), *(_SHARE,) * folded]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    formula.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(one, kind) for one in dict.fromkeys(names)]
    )
    return formula


def _with_share(op: Op) -> Callable[[Mapping[str, Any], int, DType], dict[str, Any]]:
    def uniforms(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, Any]:
        own = op.uniforms(attributes, numel, promoted) if op.uniforms else attributes
        return {**own, _SHARE: 1 / max(numel, 1)}

    return uniforms


def _of_largest(op: Op, over: str) -> Gradient:
    """The largest of several takes the gradient; equal ones share it."""
    (name,) = (a.name for a in op.reads)

    def formula(grad_result: Expr, result: Expr, **given: Expr) -> Expr:
        taken = equal(given[name], result)
        return where(taken, grad_result / fold(where(taken, 1, 0), "add", over=over), 0)

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    formula.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(one, kind) for one in ("grad_result", name, RESULT)]
    )
    dims = tuple(a for a in op.attributes if a.name == over)
    found = Op(
        f"{op.name}{BETWEEN}{name}",
        f"Gradient of {op.name} with respect to {name}",
        f"{op.name} 对 {name} 的梯度",
        (
            In("grad_result", "gradient with respect to the result", "结果的梯度"),
            In(name, "the input", "输入"),
            In(RESULT, "the result", "结果"),
            *dims,
            Out("grad_input", f"gradient with respect to {name}", f"{name} 的梯度"),
        ),
        (),
        formula,
        "",
        wide=always,
        results=like(name),
        products=op.products,
    )
    roles = {a.name: a.name for a in dims}
    return Gradient(found, {"grad_result": GRAD, name: name, RESULT: RESULT, **roles})


@cache
def folded_over(op: Op) -> str | None:
    """The attribute that tells the dimensions which an operator folds into one, if it does."""
    if op.steps is not elementwise or len(op.outputs) != 1:
        return None
    (result,) = op.expressions
    return result.over if result.op == "fold" and result.over != ALL else None


def passes_on(op: Op) -> bool:
    """Whether an operator only moves values."""
    return op.formula is copied


def _taken(arguments: list[Argument]) -> list[In]:
    """Tensors as inputs, those that the operator changes too."""
    return [
        a if isinstance(a, In) else In(a.name, a.en, a.zh)
        for a in arguments
        if isinstance(a, (In, InOut))
    ]


def _plainly(op: Op) -> tuple[dict[str, bool], dict[str, Any]]:
    return {a.name: True for a in op.reads}, {a.name: a.plain for a in op.attributes}


def _inputs_of(expr: Expr) -> set[str]:
    if expr.op == "input":
        return {expr.name}
    return set().union(*map(_inputs_of, expr.args))


def _unused(op: Op, name: str) -> str:
    taken = {a.name for a in op.arguments} | set(inspect.signature(op.formula).parameters)
    while name in taken:
        name += "_again"
    return name


def _no_gradient(op: Op, name: str, reason: str) -> NoGradientError:
    return NoGradientError(f"{op.c_name} has no gradient with respect to {name}: {reason}")
