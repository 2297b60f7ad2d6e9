"""Gradients of a list times a number, in place; found_inf becomes 1 where one of their elements was
infinite or NaN, and stays as it is otherwise. Computed in FLOAT, as PyTorch has it."""

from math import prod

from openaclnn.base.dtypes import FLOAT
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, equal, fold, where
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import In, InOut, Op, never
from openaclnn.spec.rules import Dtypes, MaxDims
from openaclnn.spec.steps import Part, Step, parts, scratch


def unscaled(scaled_grads: Expr, inv_scale: Expr) -> Expr:
    return where(equal(inv_scale, 1), scaled_grads, scaled_grads * inv_scale)


def bad(scaled_grads: Expr) -> Expr:
    return fold(where(equal(scaled_grads - scaled_grads, 0), 0.0, 1.0), "max", over="all")


def largest(each: Expr) -> Expr:
    return fold(each, "max", over="all")


def told(found_inf: Expr, seen: Expr) -> Expr:
    return where(seen > 0, 1.0, found_inf)


def formula(scaled_grads: Expr, found_inf: Expr, inv_scale: Expr) -> tuple[Expr, Expr]:
    return unscaled(scaled_grads, inv_scale), told(found_inf, bad(scaled_grads))


def one_each(call: Call) -> str | None:
    if not call["scaled_grads"]:
        return "scaled_grads is empty; expected at least one tensor"
    for name in ("found_inf", "inv_scale"):
        if prod(call[name].shape) != 1:
            return f"{name} has shape {list(call[name].shape)}; expected one element"
    return None


def number(part: Part) -> Part:
    """The one element of a tensor, which may have dimensions."""
    return Part(part.tensor, part.view.seen((), (), part.view.offset))


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    grads = [known[label] for label, one in call.of(("scaled_grads",)) if one.view.numel]
    if not grads:
        return ()
    found, scale = number(known["found_inf"]), number(known["inv_scale"])
    each, seen = scratch(0, FLOAT, (len(grads),)), scratch(1, FLOAT, ())
    checks = []
    for k, grad in enumerate(grads):
        place = Part(each.tensor, each.view.seen((), (), k))
        axes = {"all": tuple(range(len(grad.view.shape)))}
        checks.append(Step({"scaled_grads": grad}, (place,), bad, axes))
    return (
        *checks,
        Step({"each": each}, (seen,), largest, {"all": (0,)}),
        Step({"found_inf": found, "seen": seen}, (found,), told),
        *(Step({"scaled_grads": grad, "inv_scale": scale}, (grad,), unscaled) for grad in grads),
    )


def results(call: Call) -> tuple[Meta, ...]:
    tensors = [*(call["scaled_grads"] or ()), call["found_inf"]]
    return tuple(Meta(one.shape, one.dtype) for one in tensors)


OP = Op(
    name="foreach_non_finite_check_and_unscale",
    en="Unscaling of gradients, with a flag for values that are not finite",
    zh="对梯度反缩放并检查非有限值",
    arguments=(
        InOut("scaled_grads", "the gradients", "梯度", many=True),
        InOut("found_inf", "becomes 1 where something is not finite", "发现非有限值时置 1"),
        In("inv_scale", "the factor", "缩放系数的倒数"),
    ),
    rules=(
        Dtypes(("scaled_grads",), FLOATS),
        Dtypes(("found_inf", "inv_scale"), (FLOAT,)),
        Sound(one_each, "scaled_grads has at least one tensor; found_inf and inv_scale have one "
              "element", "scaled_grads 至少有一个张量；found_inf 和 inv_scale 只有一个元素"),
        MaxDims(("scaled_grads",)),
    ),
    formula=formula,
    promotes=lambda call: FLOAT,
    results=results,
    steps=steps,
    wide=never,
    shapes=lambda shape, attributes: {"found_inf": (1,), "inv_scale": (1,)},
    source="signature: op-plugin; values: PyTorch's _amp_foreach_non_finite_check_and_unscale_",
    example="""
>>> import numpy as np, openaclnn
>>> grads, found = [np.array([8, 4], np.float32)], np.zeros(1, np.float32)
>>> openaclnn.foreach_non_finite_check_and_unscale(grads, found, np.array([0.5], np.float32))
([array([4., 2.], dtype=float32)], array([0.], dtype=float32))
""",
)  # fmt: skip
