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
bit_xor(self, ones) has no derivative
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from openaclnn import ops
from openaclnn.base.dtypes import DOUBLE, DType
from openaclnn.base.records import dataclass
from openaclnn.base.status import OpenaclnnError
from openaclnn.spec import describe
from openaclnn.spec.call import Call, Meta, promoted_inputs
from openaclnn.spec.derivative import CONDITIONS, pullback
from openaclnn.spec.families import FLOATS, floating, reduction
from openaclnn.spec.formula import (
    ALL,
    Expr,
    are_same,
    constant,
    equal,
    fold,
    inputs_of,
    tensor,
    text,
    walk,
    where,
)
from openaclnn.spec.host import INT64
from openaclnn.spec.op import REQUIRED, Argument, Attr, In, InOut, Op, Out, always, never
from openaclnn.spec.results import Like, broadcast_and_promote
from openaclnn.spec.rules import Channels, Dtypes
from openaclnn.spec.sample import sample_call
from openaclnn.spec.stages import folds_of
from openaclnn.spec.steps import POSITIONS, SCRATCH, Part, Step, copied, elementwise, parts, zeros
from openaclnn.torch.moves import steps_again, steps_back, with_parameters

BETWEEN = "_gradient_"  # in a derived operator's name: mul_gradient_other
RESULT = "result"  # how a gradient's operator calls what was computed
_SHARE = "share"  # of one element in a mean


class NoGradientError(OpenaclnnError):
    """An operator has no gradient with respect to an input."""


@dataclass(frozen=True)
class Gradient:
    """An operator, and what each of its arguments is: GRAD, RESULT, LIKE, or an argument of the
    operator that was differentiated. What has no place here is left to its default."""

    op: Op
    arguments: Mapping[str, str]

    @property
    def uses(self) -> frozenset[str]:
        return frozenset(self.arguments.values())

    def passes_on(self, times: str = "") -> bool:
        """Whether it is the result's gradient itself, or that `times` an attribute."""
        if self.op.steps is not elementwise:
            return False
        whole = self.op.expressions[0]
        if not times:
            return self._is_grad(whole)
        plain = whole.op == "mul" and whole.args[1].op == "uniform" and self.op.uniforms is None
        told = plain and self.arguments.get(whole.args[1].name) == times
        return told and self._is_grad(whole.args[0])

    def _is_grad(self, one: Expr) -> bool:
        return one.op == "input" and self.arguments.get(one.name) == GRAD


GRAD = "the gradient"
LIKE = "a tensor like the input"  # nobody reads it


def grad_of(result: int) -> str:
    """What stands for the gradient of one of several results."""
    return f"{GRAD} of result {result}" if result else GRAD


def gradient(op: Op, name: str, double: bool = False) -> Gradient:
    """The gradient of an operator's one result with respect to an input; `double`: in DOUBLE."""
    key = op, name, double
    if key not in _known:
        try:
            _known[key] = _best(op, name, own(op, name, double))
        except (IndexError, KeyError):  # its parts are not laid out as those of a move are
            raise _no_gradient(op, name, "its steps cannot be taken backwards") from None
    return _known[key]


def _best(op: Op, name: str, own: Gradient | None) -> Gradient:
    """An operator that is made for it, unless it needs the result, which was rounded: then the
    derivative of the formula, if there is one, is nearer to the truth."""
    if own is not None and RESULT not in own.uses:
        return own
    try:
        return derived(op, name)
    except NoGradientError:
        if own is None:
            raise
        return own


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
    return derived(differentiated, along).op


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


def own(op: Op, name: str, double: bool = False) -> Gradient | None:
    """An operator made for it, with respect to `self`: the one that the operator names, else of the
    same name and `_backward`."""
    if name != "self" or BETWEEN in op.name:
        return None
    found = ops.at_hand(op.backward or f"{op.name.removeprefix('inplace_')}_backward")
    if found is None and op.backward:
        found = ops.find(op.backward)
    if found is None or (double and DOUBLE not in describe.dtypes(found)):
        return None
    if len(found.outputs) > 1:  # gradients of several inputs, of which one is asked for
        return None
    return _matched(op, found)


def _matched(op: Op, backward: Op) -> Gradient | None:
    """What a backward operator's arguments are; None where one of them is not told, or where it has
    the gradients of several inputs at once. An attribute that it has not must not count, unless the
    operator names it itself."""
    if len(backward.outputs) > 1:
        return None
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
    elif (left and not op.backward) or any(a.default is REQUIRED for a in others):
        return None
    return Gradient(backward, roles)


def derived(op: Op, name: str) -> Gradient:
    """The operator that multiplies a gradient by the slope of the formula along an input."""
    if op.name in _ways_back and name == _GRAD:
        return _of_way_back(op)
    if runs_routine(op) or op.pulled_back is not None:
        return _of_routine(op, name)
    if op.steps is not elementwise and channels(op) is None:
        return _of_parts(op, name)
    tree = op.traced(op.formula, op.everything, op.defaults)
    if all(result.op in CONDITIONS for result in tree.results) and not op.in_place:
        raise _no_gradient(op, name, f"{text(tree.results[0])} is true or false")
    if all(_extreme(one) is not None for one in tree.results):
        return _of_extremes(op)
    folds = folds_of(tree)
    folds = folds if are_same(folds, tree.results) else ()
    grads = _unused(op, "grad_result", len(tree.results))
    try:
        trees = [one.args[0] for one in folds] or tree.results
        slopes = [pullback(one, name, tensor(grad)) for one, grad in zip(trees, grads, strict=True)]
    except ValueError as reason:
        raise _no_gradient(op, name, str(reason)) from None
    needed = set().union(*map(inputs_of, slopes))
    if any(a.static for a in op.attributes) or op.promotes not in (promoted_inputs, floating):
        needed = {a.name for a in op.reads}  # who knows which of them decide
    kept = [a for a in op.reads if a.name in needed]
    found = Op(
        f"{op.name}{BETWEEN}{name}",
        f"Gradient of {op.name} with respect to {name}",
        f"{op.name} 对 {name} 的梯度",
        (*_grads(grads), *_taken(kept), *op.attributes,
         Out("grad_input", f"gradient with respect to {name}", f"{name} 的梯度")),
        (),
        _slope(op, name, grads, [a.name for a in kept], bool(folds)),
        "",
        uniforms=_with_share(op) if folds else op.uniforms,
        wide=always,
        promotes=op.promotes,
        results=broadcast_and_promote,
        products=op.products,
    )  # fmt: skip
    return Gradient(found, _roles(grads, (*kept, *op.attributes)))


def _grads(names: list[str]) -> list[In]:
    return [In(name, "gradient with respect to a result", "结果的梯度") for name in names]


def _roles(grads: list[str], others: Iterable[Argument]) -> dict[str, str]:
    """What the arguments of a derived operator are."""
    own = {a.name: a.name for a in others}
    return {grad: grad_of(result) for result, grad in enumerate(grads)} | own


def _slope(
    op: Op, name: str, grads: list[str], kept: list[str], folded: bool
) -> Callable[..., Expr]:
    """The formula of a derived operator. It has all parameters of the operator's own but tensors
    that the slope does not need."""
    own = inspect.signature(op.formula).parameters
    tensors = {a.name for a in op.reads}
    dropped = {one: tensor(one) for one in own if one in tensors and one not in kept}

    def formula(**given: Any) -> Expr:
        factors: list[Expr] = [given.pop(grad) for grad in grads]
        share: Any = given.pop(_SHARE) if folded else None
        found = op.formula(**dropped, **{one: given[one] for one in given if one in own})
        if folded and found.op == "fold":  # another choice may be no fold
            factors = [factors[0] * share] if found.name == "mean" else factors
            found = found.args[0]
        return _pulled_back(found, name, factors)

    names = [*grads, *kept, *(one for one in own if one not in tensors), *(_SHARE,) * folded]
    return with_parameters(formula, names)


def _pulled_back(found: Any, name: str, factors: list[Expr]) -> Expr:
    """What the gradients of one or several results are for an input."""
    several = zip(_several(found), factors, strict=True)
    first, *rest = [pullback(constant(one), name, factor) for one, factor in several]
    for other in rest:
        first = first + other
    return first


def _several(found: Any) -> tuple[Any, ...]:
    return found if isinstance(found, tuple) else (found,)


@cache
def runs_routine(op: Op) -> bool:
    """Whether an operator's formula is for people to read: a routine is run."""
    return any(one.op == "described" for tree in op.expressions for one in walk(tree))


def _of_routine(op: Op, name: str) -> Gradient:
    """The gradient of an operator that runs one routine: another step of it."""

    def pulled_back(call: Call) -> Step | None:
        roles = {op.outputs[0].name: "grad_result", name: "grad_input"}
        given = {own: call[role] for own, role in roles.items()}
        inner = Call(op, {**call.arguments, **given}, call.product)
        steps = op.steps(inner)
        step, known = steps[0], parts(call)
        if len(steps) > 1 or len(step.writes) > 1 or step.routine is None:
            return None

        def outside(part: Part) -> Part:
            label = inner.used[part.tensor].label
            return Part(known[roles.get(label, label)].tensor, part.view)

        reads = {one: outside(part) for one, part in step.reads.items() if part is not None}
        own = (one for one, p in reads.items() if p.tensor == known["grad_input"].tensor)
        along, grad = next(own, None), step.writes[0]
        assert grad is not None
        if along is None:  # nothing depends on it
            return Step({}, (known["grad_input"],), zeros)
        return step.routine.pulled_back_along(along, reads, outside(grad), reads[along])

    def steps(call: Call) -> tuple[Step, ...]:
        if op.pulled_back is not None:
            return op.pulled_back(call, name)
        return tuple(step for step in (pulled_back(call),) if step is not None)

    found = Op(
        f"{op.name}{BETWEEN}{name}",
        f"Gradient of {op.name} with respect to {name}",
        f"{op.name} 对 {name} 的梯度",
        (*_grads(["grad_result"]), *_taken(list(op.reads)), *op.attributes,
         Out("grad_input", f"gradient with respect to {name}", f"{name} 的梯度")),
        (),
        op.formula,
        "",
        wide=always,
        promotes=promoted_inputs,
        results=Like(name),
        steps=steps,
        products=op.products,
    )  # fmt: skip
    made = sample_call(op, describe.dtypes(op)[:1], (2, 4))
    given = {"grad_result": made[op.outputs[0].name], "grad_input": made[name]}
    if not steps(Call(found, {**made.arguments, **given}, made.product)):
        raise _no_gradient(op, name, f"{text(op.expressions[0])} has no derivative")
    return Gradient(found, _roles(["grad_result"], (*op.reads, *op.attributes)))


def _of_parts(op: Op, name: str) -> Gradient:
    """The gradient of an operator whose formula reads parts of a tensor: it writes such parts."""
    sample = sample_call(op, describe.dtypes(op)[:1], (2, 4))
    inner = op.steps(sample)
    every = [part for one in inner for part in (*one.reads.values(), *one.writes)]
    if any(part is not None and part.tensor <= SCRATCH for part in every):
        raise _no_gradient(op, name, "its steps hand each other what they compute")
    if all(given.tensor.dtype.kind != "float" for given in sample.writes):
        raise _no_gradient(op, name, "its results are no floats")
    given = [part.tensor for part in inner[0].reads.values() if part is not None]
    told = len(inner) == 1 and inner[0].formula is None and POSITIONS not in given
    if any(step.axes and step.formula is None for step in inner):
        raise _no_gradient(op, name, "it reduces along some of the axes that its steps name")
    if not told or op.formula is copied:
        return _of_move(op, name, sample)
    reads = [one for one, part in inner[0].reads.items() if part is not None]
    own = [one for one in reads if _argument(sample, inner[0].reads[one]) == name]
    grads = _unused(op, "grad_result", len(op.outputs))
    grad_parts = _unused(op, "grad_part", len(inner[0].writes))

    def formula(**given: Any) -> tuple[Expr, ...]:
        factors: list[Expr] = [given.pop(grad) for grad in grad_parts]
        found = op.formula(**given)
        return tuple(_pulled_back(found, one, factors) for one in own)

    def steps(call: Call) -> tuple[Step, ...]:
        outputs = {out.name: call[grad] for out, grad in zip(op.outputs, grads, strict=True)}
        read = Call(op, {**call.arguments, **outputs}, call.product)
        written = Call(op, {**read.arguments, name: call["grad_input"]}, call.product)
        (step,), (into,) = op.steps(read), op.steps(written)
        numbers = {given.label: number for number, given in enumerate(call.used)}
        renamed = dict(zip((out.name for out in op.outputs), grads, strict=True))

        def part(one: Part | None) -> Part:
            assert one is not None
            label = read.used[one.tensor].label
            return Part(numbers[renamed.get(label, label)], one.view)

        given: dict[str, Part | None] = dict(zip(grad_parts, map(part, step.writes), strict=True))
        given |= {one: part(step.reads[one]) for one in reads}
        views = [found.view for found in (into.reads[one] for one in own) if found is not None]
        whole = next(one.view.shape for one in step.writes if one is not None)
        if any(_broadcasts(view.shape, whole) for view in views):
            raise _no_gradient(op, name, "its formula reads an element of a part several times")
        return (Step(given, tuple(Part(numbers["grad_input"], view) for view in views)),)

    attributes = [one for one in inspect.signature(op.formula).parameters if one not in reads]
    found = Op(
        f"{op.name}{BETWEEN}{name}",
        f"Gradient of {op.name} with respect to {name}",
        f"{op.name} 对 {name} 的梯度",
        (*_grads(grads), *_taken(list(op.reads)), *op.attributes,
         Out("grad_input", f"gradient with respect to {name}", f"{name} 的梯度")),
        (),
        with_parameters(formula, [*grad_parts, *reads, *attributes]),
        "",
        uniforms=op.uniforms,
        wide=always,
        promotes=op.promotes,
        results=Like(name),
        steps=steps,
        products=op.products,
    )  # fmt: skip
    return Gradient(found, _roles(grads, (*op.reads, *op.attributes)))


_ways_back: dict[str, tuple[Op, str]] = {}  # operators that are the backward of a move
_GRAD, _BACK = "grad_result", "grad_input"


def _of_move(op: Op, name: str, sample: Call) -> Gradient:
    """The gradient of an operator that moves elements of a tensor."""
    if any(a.many for a in op.tensors) or len(op.outputs) > 1:
        raise _no_gradient(op, name, "its formula is about parts of tensors")
    found = Op(
        f"{op.name}{BETWEEN}{name}",
        f"Gradient of {op.name} with respect to {name}",
        f"{op.name} 对 {name} 的梯度",
        (*_grads([_GRAD]), In(name, "a tensor like the input", "与输入相同的张量"), *op.attributes,
         Out(_BACK, f"gradient with respect to {name}", f"{name} 的梯度")),
        (),
        copied,
        "",
        uniforms=op.uniforms,
        wide=never,
        results=Like(name),
        steps=lambda call: steps_back(op, name, call, _GRAD, _BACK),
        products=op.products,
    )  # fmt: skip
    try:
        given = {_GRAD: sample[op.outputs[0].name], _BACK: sample[name]}
        found.steps(Call(found, {**sample.arguments, **given}, sample.product))
    except ValueError as reason:
        raise _no_gradient(op, name, str(reason)) from None
    _ways_back[found.name] = op, name
    return Gradient(found, {_GRAD: GRAD, name: LIKE, **{a.name: a.name for a in op.attributes}})


def _of_way_back(op: Op) -> Gradient:
    """The gradient of a move's way back: the move itself."""
    move, name = _ways_back[op.name]

    def results(call: Call) -> tuple[Meta, ...]:
        given = {move.outputs[0].name: None, **call.arguments}
        return move.results(Call(move, given, call.product))

    found = Op(
        f"{op.name}{BETWEEN}{_GRAD}",
        f"Gradient of {op.name} with respect to {_GRAD}",
        f"{op.name} 对 {_GRAD} 的梯度",
        (In(name, "gradient with respect to the result", "结果的梯度"), *op.attributes,
         Out("out", f"gradient with respect to {_GRAD}", f"{_GRAD} 的梯度")),
        (),
        move.formula,
        "",
        uniforms=op.uniforms,
        wide=never,
        results=results,
        steps=lambda call: steps_again(move, name, call, "out"),
        products=op.products,
    )  # fmt: skip
    return Gradient(found, {name: GRAD, **{a.name: a.name for a in op.attributes}})


def _broadcasts(shape: tuple[int, ...], whole: tuple[int, ...]) -> bool:
    return len(shape) < len(whole) or any(
        size == 1 < other for size, other in zip(shape, whole, strict=True)
    )


def _argument(call: Call, part: Part | None) -> str:
    assert part is not None
    return call.used[part.tensor].argument.name


@cache
def channels(op: Op) -> str | None:
    """The input that has a number for each channel, if there is one: but for its shape such an
    operator is elementwise."""
    return next((rule.of for rule in op.rules if isinstance(rule, Channels)), None)


def _with_share(op: Op) -> Callable[[Mapping[str, Any], int, DType], dict[str, Any]]:
    def uniforms(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, Any]:
        own = op.uniforms(attributes, numel, promoted) if op.uniforms else attributes
        return {**own, _SHARE: 1 / max(numel, 1)}

    return uniforms


def _extreme(result: Expr) -> Expr | None:
    """The fold of a result that is the largest or the smallest of an input's elements."""
    one = result.args[0] if result.op == "neg" else result
    if one.op != "fold" or one.name != "max":
        return None
    found = one.args[0]
    if result.op == "neg":
        if found.op != "neg":
            return None
        found = found.args[0]
    return one if found.op == "input" else None


def _of_extremes(op: Op) -> Gradient:
    """The largest of several takes the gradient, or the smallest; equal ones share it."""
    (name,) = (a.name for a in op.reads)
    overs = [one.over for one in map(_extreme, op.expressions) if one is not None]
    grads = _unused(op, "grad_result", len(overs))
    own = [*inspect.signature(op.formula).parameters]
    kept = [a for a in op.attributes if a.name in {*overs, *own}]

    def formula(**given: Any) -> Expr:
        factors = [given.pop(grad) for grad in grads]
        made = op.formula(**given)
        shares = []
        for extreme, grad, over in zip(_several(made), factors, overs, strict=True):
            taken = equal(given[name], extreme)
            share = grad / fold(where(taken, 1, 0), "add", over=over)
            shares.append(where(taken, share, 0))
        first, *rest = shares
        for other in rest:
            first = first + other
        return first

    found = Op(
        f"{op.name}{BETWEEN}{name}",
        f"Gradient of {op.name} with respect to {name}",
        f"{op.name} 对 {name} 的梯度",
        (*_grads(grads), In(name, "the input", "输入"), *kept,
         Out("grad_input", f"gradient with respect to {name}", f"{name} 的梯度")),
        (),
        with_parameters(formula, [*grads, *own]),
        "",
        wide=always,
        results=Like(name),
        products=op.products,
    )  # fmt: skip
    return Gradient(found, _roles(grads, (*op.reads, *kept)))


@cache
def folded_over(op: Op) -> str | None:
    """The attribute that tells the dimensions which an operator folds into one, if it does."""
    if op.steps is not elementwise or not (len(op.outputs) == 1 or takes_extremes(op)):
        return None
    extremes = [_extreme(one) for one in op.expressions]
    folds = [
        result if extreme is None else extreme
        for result, extreme in zip(op.expressions, extremes, strict=True)
    ]
    overs = {one.over if one.op == "fold" else ALL for one in folds}
    return None if len(overs) > 1 or ALL in overs else overs.pop()


@cache
def takes_extremes(op: Op) -> bool:
    """Whether every result is the largest or the smallest of an input's elements."""
    return all(_extreme(one) is not None for one in op.expressions)


@cache
def passes_on(op: Op) -> bool:
    """Whether an operator hands values on as they lie, or joins several tensors."""
    if op.steps is elementwise:
        return all(result.op == "input" for result in op.expressions)
    return op.formula is copied and any(a.many for a in op.inputs)


def _taken(arguments: list[Argument]) -> list[In]:
    """Tensors as inputs, those that the operator changes too."""
    return [
        a if isinstance(a, In) else In(a.name, a.en, a.zh)
        for a in arguments
        if isinstance(a, (In, InOut))
    ]


def _unused(op: Op, name: str, count: int) -> list[str]:
    """Names for so many arguments more."""
    taken = {a.name for a in op.arguments} | set(inspect.signature(op.formula).parameters)
    found: list[str] = []
    while len(found) < count:
        if name not in taken:
            found.append(name)
        name += "_again"
    return found


def _no_gradient(op: Op, name: str, reason: str) -> NoGradientError:
    return NoGradientError(f"{op.c_name} has no gradient with respect to {name}: {reason}")
