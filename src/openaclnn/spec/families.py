"""Families of operators: what those that belong together have in common, so that an operator's file
says only what is its own. Each gives an operator and its variants: in place, or for a scalar. Texts
and examples may be left out of one's own operators.

>>> [op.c_name for op in unary("triple", lambda self: 3 * self, FLOATS, "Three times", "三倍", "",
...                            in_place=True)]
['aclnnTriple', 'aclnnInplaceTriple']
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from openaclnn.base.dtypes import (
    BF16,
    BOOL,
    DOUBLE,
    DT_UNDEFINED,
    FLOAT,
    FLOAT16,
    INT8,
    INT16,
    INT32,
    INT64,
    UINT8,
    DType,
)
from openaclnn.spec.call import Call, promoted_inputs
from openaclnn.spec.formula import (
    Expr,
    Taylor,
    equal,
    fold,
    known_as,
    near,
    sigmoid,
    text,
    where,
)
from openaclnn.spec.host import DATA_TYPE, FLAG, INT_ARRAY, SCALAR
from openaclnn.spec.host import INT64 as INT64_VALUE
from openaclnn.spec.op import Argument, Attr, In, InOut, Op, Out, RoundedFirst, never
from openaclnn.spec.proof import Bound, Proof
from openaclnn.spec.results import OverDims, ReducedBy, compared
from openaclnn.spec.rules import (
    AskedDtype,
    Broadcast,
    Broadcastable,
    Castable,
    DimsOf,
    Dtypes,
    Integral,
    Into,
    MaxDims,
    OneOf,
    Promotable,
    ResultDtype,
    ResultShape,
    Rule,
    SameShape,
)

FLOATS = (FLOAT16, FLOAT, BF16)
INTEGERS = (INT8, UINT8, INT16, INT32, INT64)
NUMBERS = (*FLOATS, DOUBLE, *INTEGERS)
ALL = (*NUMBERS, BOOL)

REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}
REDUCTION = Attr(
    "reduction",
    "none, mean or sum: 0, 1 or 2",
    "缩减方式：none、mean 或 sum，即 0、1 或 2",
    host=INT64_VALUE,
    default="mean",
    choices=REDUCTIONS,
)

_SELF = In("self", "the input", "输入")
_CHANGED = InOut("self", "the input, which the result replaces", "输入，结果写回其中")
_OTHER = In("other", "the second input", "第二个输入")
_NUMBER = Attr("other", "the number beside it", "另一个数", SCALAR, promotes=True)
_OUT = Out("out", "the result", "结果")

Formula = Callable[..., Any]


def unary(
    name: str,
    formula: Formula,
    dtypes: tuple[DType, ...] = FLOATS,
    en: str = "",
    zh: str = "",
    example: str = "",
    attributes: tuple[Attr, ...] = (),
    rules: tuple[Rule, ...] = (),
    in_place: bool = False,
    cast: bool = True,
    changed: tuple[DType, ...] = (),
    **more: Any,
) -> tuple[Op, ...]:
    """One tensor in, one of the same shape out; `attributes` stand between them, `rules` of theirs
    behind the dtypes'. `cast`: what is computed may be written in another dtype. `changed` are
    those that it can be in place, where not all."""
    first = Dtypes(("self",), dtypes, lacks_complex=True)
    last = (*(Castable(),) * cast, MaxDims(("self", "out")), SameShape(("self",)))
    arguments = (_SELF, *attributes, _OUT)
    ops = [Op(name, en, zh, arguments, (first, *rules, *last), formula, example, **more)]
    if in_place:
        more = {**more, "header": more.get("header") or ops[0].header_name}
        first = replace(first, allowed=changed or dtypes)
        checks = (first, *rules, MaxDims(("self",)))
        ops.append(_in_place(name, en, zh, (_CHANGED, *attributes), checks, formula, **more))
    return tuple(ops)


def _in_place(
    name: str,
    en: str,
    zh: str,
    arguments: tuple[Argument, ...],
    rules: tuple[Rule, ...],
    formula: Formula,
    **more: Any,
) -> Op:
    said = en and f"{en}, in place", zh and f"{zh}（原地）"
    return Op(f"inplace_{name}", *said, arguments, rules, formula, "", **more)


def function(
    name: str,
    formula: Formula,
    en: str,
    zh: str,
    example: str,
    fast: float = 0.5,
    **more: Any,
) -> tuple[Op, ...]:
    """A function of mathematics and its in-place variant, of DOUBLE to 1 ULP. Integers and booleans
    are computed as FLOAT, which cannot replace them. `fast` is the largest error of FLOAT at that
    level, in ULP."""
    source = f"signatures: op-plugin; values and dtypes: PyTorch's {name}"
    proof = Proof(fast={FLOAT: Bound(fast)}, exact={DOUBLE: Bound(1.0)})
    more = {"torch": name, "source": source, "promotes": floating, "proof": proof, **more}
    (plain,) = unary(name, formula, ALL, en, zh, example, **more)
    checks = (Dtypes(("self",), (*FLOATS, DOUBLE), lacks_complex=True), MaxDims(("self",)))
    more["header"] = plain.header_name
    return plain, _in_place(name, en, zh, (_CHANGED,), checks, formula, **more)


def activation_backward(
    name: str,
    formula: Formula,
    dtypes: tuple[DType, ...],
    of: str,
    example: str = "",
    attributes: tuple[Attr, ...] = (),
    rules: tuple[Rule, ...] = (),
    second: str = "self",
    between: tuple[Attr, ...] = (),
    out: str = "grad_input",
    **more: Any,
) -> Op:
    """The gradient of an activation: a gradient and a tensor that broadcast, times each other's
    slope. The second is its input, or its result where it is called otherwise; `between` are
    attributes that stand before it, `rules` those of attributes."""
    tensors = ("grad_output", second)
    role = ("the input", "的输入") if second == "self" else ("the result", "的结果")
    return Op(
        name,
        f"Gradient of {of}",
        f"{of} 的反向传播",
        (
            In("grad_output", f"gradient with respect to {of}'s result", f"{of} 结果的梯度"),
            *between,
            In(second, f"{role[0]} of {of}", f"{of} {role[1]}"),
            *attributes,
            Out(out, "gradient with respect to the input", "输入的梯度"),
        ),
        (
            Dtypes(tensors, dtypes),
            *rules,
            MaxDims(tensors),
            Broadcast(tensors),
            Promotable(),
            Castable(),
        ),
        formula,
        example,
        **more,
    )


# y·σ(y) is least here: its slope is zero
_LEAST = Taylor(root=-1.2784645427610737,
    root_low=-1.0946994183093437e-16,
    coefficients=(
        0.2178117057198001, 0.1466487969969469, 0.018874814223782312,
        -0.015222655223188032, -0.006606589138356696, 0.000126627410081122,
        0.0007985218818397998, 0.00018570724361186496, -4.090534237428612e-05,
        -2.9733542213263917e-05, -2.942631888842464e-06, 2.346029682463866e-06,
        8.599695028268575e-07, -3.051244750055421e-08,
    ),
)  # fmt: skip


def sigmoid_product_slope(y: Expr) -> Expr:
    """The slope of y·σ(y), as exact beside its zero. Far below it is so little that any float makes
    a zero of it, above it is 1, and NaN at the infinities."""
    slope = near(y, _LEAST, sigmoid(y) * (1 + y * sigmoid(-y)))
    limit = where(equal(y - y, 0), where(y > 0, 1, -1e-100), y - y)
    return known_as(text(slope), where(abs(y) > 400, limit, slope))


def binary(
    name: str,
    formula: Formula,
    dtypes: tuple[DType, ...] = FLOATS,
    en: str = "",
    zh: str = "",
    example: str = "",
    attributes: tuple[Attr, ...] = (),
    rules: tuple[Rule, ...] = (),
    scalar: str = "",
    in_place: bool = True,
    changed: tuple[DType, ...] = (),
    other: str = "other",
    **more: Any,
) -> tuple[Op, ...]:
    """Two tensors that broadcast and promote. `scalar` names the variant that takes a number for
    the second; each has an in-place variant, for the dtypes of `changed` where not for all.
    Scalars among the attributes are integers among integers; `rules` are those of the others.
    `other` is the second's name."""
    scalars = tuple(a.name for a in attributes if a.host is SCALAR)
    tensor, number = replace(_OTHER, name=other), replace(_NUMBER, name=other)
    ops = []
    for twin, second in ((name, tensor), *([(scalar, number)] if scalar else [])):
        tensors = ("self", other) if second is tensor else ("self",)
        shape: Rule = Broadcast(tensors) if second is tensor else SameShape(("self",))
        numbers = scalars if second is tensor else (other, *scalars)
        whole = (Integral(numbers),) if numbers else ()
        bits = second is number and all(dtype.kind in ("int", "bool") for dtype in dtypes)
        if second is number:
            allowed = (*INTEGERS, BOOL) if bits else ALL
            whole = (Dtypes((other,), allowed, lacks_complex=not bits), *whole)
        first = (Dtypes(tensors, dtypes, lacks_complex=True), *rules, Promotable(), *whole)
        texts = en, zh
        if second is number:
            texts = en and f"{en}, with a number", zh and f"{zh}（与标量）"
        given = {**more, "scalar": scalar if second is tensor else ""}
        arguments = (_SELF, second, *attributes, _OUT)
        checks = (*first, Castable(), MaxDims((*tensors, "out")), shape)
        shown = example if second is tensor else ""
        ops.append(Op(twin, *texts, arguments, checks, formula, shown, **given))
        if in_place:
            arguments = (_CHANGED, second, *attributes)
            into = (Into((other,), "self"),) if second is tensor else ()
            if changed:
                first = (Dtypes(("self",), changed, lacks_complex=True), *first)
            checks = (*first, Castable(), MaxDims(tensors), *into)
            given["scalar"] = f"inplace_{scalar}" if given["scalar"] else ""
            given["header"] = given.get("header") or ops[-1].header_name
            ops.append(_in_place(twin, *texts, arguments, checks, formula, **given))
    return tuple(ops)


def number_first(
    name: str,
    formula: Formula,
    dtypes: tuple[DType, ...],
    en: str,
    zh: str,
    other: str = "other",
    **more: Any,
) -> Op:
    """The variant of a binary operator that takes a number for the first tensor."""
    return Op(
        name,
        f"{en}, of a number",
        f"{zh}（标量在前）",
        (replace(_NUMBER, name="self"), replace(_OTHER, name=other), _OUT),
        (
            Dtypes((other,), dtypes, lacks_complex=True),
            Promotable(),
            Integral(("self",)),
            Castable(),
            MaxDims((other, "out")),
            SameShape((other,)),
        ),
        formula,
        "",
        **more,
    )


def ternary(
    name: str,
    formula: Formula,
    dtypes: tuple[DType, ...],
    others: tuple[In, ...],
    en: str = "",
    zh: str = "",
    example: str = "",
    attributes: tuple[Attr, ...] = (),
    **more: Any,
) -> tuple[Op, ...]:
    """A tensor and others that broadcast and promote with it, and scalars behind them; and the same
    in place."""
    names = tuple(other.name for other in others)
    tensors, scalars = ("self", *names), tuple(a.name for a in attributes)
    whole = (Integral(scalars),) if scalars else ()
    first = (Dtypes(tensors, dtypes, lacks_complex=True), Promotable(), *whole, Castable())
    checks = (*first, MaxDims((*tensors, "out")), Broadcast(tensors))
    arguments = (_SELF, *others, *attributes, _OUT)
    op = Op(name, en, zh, arguments, checks, formula, example, **more)
    more = {**more, "header": more.get("header") or op.header_name}
    checks = (*first, MaxDims(tensors), Into(names, "self"))
    changed = (_CHANGED, *others, *attributes)
    return op, _in_place(name, en, zh, changed, checks, formula, **more)


def floating(call: Call) -> DType | None:
    """The inputs' common dtype, or FLOAT where that is none of floats: a quotient has a fraction,
    whatever came."""
    found = promoted_inputs(call)
    return FLOAT if found is not None and found.kind in ("int", "bool") else found


def float_unless_given(call: Call) -> DType:
    """The output's dtype, where there is one already: of what is made from numbers alone."""
    out = call["out"]
    return FLOAT if out is None else out.dtype


def true_or_false(more: Mapping[str, Any]) -> dict[str, Any]:
    """What operators have in common whose results are true or false."""
    return {"results": compared, "wide": never, **more}


def filling(
    name: str,
    formula: Formula,
    en: str,
    zh: str,
    example: str,
    attributes: tuple[Attr, ...] = (),
    rules: tuple[Rule, ...] = (),
    **more: Any,
) -> Op:
    """A tensor that is overwritten, whatever it was, in its own dtype."""
    overwritten = InOut("self", "what is overwritten", "被覆盖的张量", read=False)
    return Op(
        f"inplace_{name}",
        en,
        zh,
        (overwritten, *attributes),
        (Dtypes(("self",), ALL), *rules, MaxDims(("self",))),
        formula,
        example,
        promotes=lambda call: call["self"].dtype,
        wide=never,
        **more,
    )


def comparison(
    name: str, formula: Formula, en: str, zh: str, example: str, **more: Any
) -> tuple[Op, ...]:
    """Two tensors, or a tensor and a number, to true or false; four operators."""
    tensor, number = f"{name}_tensor", f"{name}_scalar"
    more = true_or_false({"uniforms": RoundedFirst(("other",)), **more})  # 0.1 equals 0.1
    return binary(tensor, formula, ALL, en, zh, example, scalar=number, **more)


_DIMS = Attr(
    "dim",
    "the dimensions that go; none means all",
    "被归约的维度，为空表示全部",
    INT_ARRAY,
    (),
    by_place=True,
)
_KEEP = Attr(
    "keep_dim",
    "whether they stay, of size 1",
    "是否保留这些维度（大小为 1）",
    FLAG,
    False,
    by_place=True,
)
DTYPE = Attr(
    "dtype",
    "of the result; undefined: self's, INT64 for integers",
    "结果的数据类型；未定义时与 self 相同，整数为 INT64",
    DATA_TYPE,
    DT_UNDEFINED,
)


def reduction(
    name: str,
    kind: str,
    dtypes: tuple[DType, ...],
    en: str,
    zh: str,
    example: str,
    typed: tuple[DType, ...] = (),
    names: tuple[str, str] = ("dim", "keep_dim"),
    formula: Formula | None = None,
    outputs: tuple[Out, ...] = (_OUT,),
    **more: Any,
) -> Op:
    """A fold over dimensions, or a formula of its own made of such. `typed`: a third attribute says
    which of these dtypes the result has; else it is the input's. `names` are those of the first two
    attributes."""
    dim, keep = (replace(a, name=given) for a, given in zip((_DIMS, _KEEP), names, strict=True))
    attributes = (dim, keep, *(DTYPE,) * bool(typed))
    return Op(
        name,
        en,
        zh,
        (_SELF, *attributes, *outputs),
        (
            Dtypes(("self",), dtypes),
            *((AskedDtype("dtype", typed, "self"),) if typed else ()),
            DimsOf(names[0], "self", some=kind == "max"),
            ResultDtype(typed or dtypes),
            MaxDims(("self", *(output.name for output in outputs))),
            ResultShape(or_one=True),
        ),
        formula or (lambda self: fold(self, kind, over=names[0])),
        example,
        **{
            "promotes": asked_or_own if typed else promoted_inputs,
            "results": OverDims(*names),
            "wide": never,  # terms are the inputs, folds are exact
            **more,
        },
    )


def asked_or_own(call: Call) -> DType | None:
    """The dtype that is asked for; undefined: the input's, of integers the largest."""
    asked: DType = call.attributes["dtype"]
    if asked is not DT_UNDEFINED:
        return asked
    own: DType = call["self"].dtype
    return own if own.kind == "float" else INT64


def loss(
    name: str,
    formula: Formula,
    dtypes: tuple[DType, ...],
    en: str,
    zh: str,
    example: str,
    attributes: tuple[Attr, ...] = (),
    rules: tuple[Rule, ...] = (),
    weights: tuple[In, ...] = (),
    **more: Any,
) -> Op:
    """What a prediction differs from a target: element by element, their mean, or their sum.
    `weights` are optional tensors behind the target."""
    tensors = ("self", "target", *(one.name for one in weights))

    def reduced(reduction: int, **given: Any) -> Any:
        terms = formula(**given)
        folds = {REDUCTIONS["mean"]: "mean", REDUCTIONS["sum"]: "add"}
        return fold(terms, folds[reduction]) if reduction in folds else terms

    own = list(inspect.signature(formula).parameters.values())
    parameter = inspect.Parameter("reduction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    reduced.__signature__ = inspect.Signature([*own, parameter])  # type: ignore[attr-defined]
    return Op(
        name,
        en,
        zh,
        (
            In("self", "the prediction", "预测值"),
            In("target", "what was to be predicted", "目标值"),
            *weights,
            REDUCTION,
            *attributes,
            _OUT,
        ),
        (
            Dtypes(tensors, dtypes),
            MaxDims(tensors),
            OneOf("reduction"),
            *rules,
            Promotable(),
            Broadcastable(tensors),
            ResultDtype(dtypes),
            ResultShape(),
        ),
        reduced,
        example,
        results=ReducedBy("reduction"),
        **more,
    )


def loss_backward(
    name: str,
    formula: Formula,
    dtypes: tuple[DType, ...],
    of: str,
    zh: str,
    example: str,
    weighted: bool = False,
    out: str = "grad_input",
    attributes: tuple[Attr, ...] = (),
    **more: Any,
) -> Op:
    """The gradient of a loss: a gradient, a prediction and a target that broadcast, in a formula
    that knows what a mean divides by: `k` is 1/n or 1. `weighted`: a fourth may weigh them."""
    weight = In("weight", "weights of the elements", "各元素的权重", optional=True)
    tensors = ("grad_output", "self", "target", *("weight",) * weighted)
    return Op(
        name,
        f"Gradient of {of}",
        f"{zh}的反向传播",
        (
            In("grad_output", "gradient with respect to the loss", "损失的梯度"),
            In("self", "the prediction", "预测值"),
            In("target", "what was to be predicted", "目标值"),
            *(weight,) * weighted,
            REDUCTION,
            *attributes,
            Out(out, "gradient with respect to self", "self 的梯度"),
        ),
        (
            Dtypes(tensors, dtypes),
            MaxDims(tensors),
            OneOf("reduction"),
            Promotable(),
            Castable(),
            Broadcast(tensors),
        ),
        formula,
        example,
        uniforms=_share,
        **more,
    )


def _share(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, float]:
    return {"k": 1 / max(numel, 1) if attributes["reduction"] == REDUCTIONS["mean"] else 1.0}
