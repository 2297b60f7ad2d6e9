"""What a spec says, in sentences: for the command line and the documentation, in two languages.

>>> from openaclnn.ops import find
>>> for check in checks(find("hardsigmoid_backward"))[:3]:
...     print(int(check.status), check.text)
161001 no argument is null
161002 grad_output and self have dtype FLOAT16, FLOAT or BF16 (no BF16 on Ascend910, Ascend310P)
161002 the inputs' promoted dtype converts to out's, which is a float or complex one
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openaclnn.base.dtypes import BF16, DType
from openaclnn.base.products import Product
from openaclnn.base.status import Status
from openaclnn.spec import rules
from openaclnn.spec.op import Argument, Attr, In, Op

EN, ZH = LANGUAGES = ("en", "zh")


@dataclass(frozen=True)
class Check:
    """One thing that a call is checked for, and what it answers where that does not hold."""

    status: Status
    text: str


def checks(op: Op, language: str = EN) -> list[Check]:
    """All checks of a call in the order in which they are made; the first that fails decides."""
    out = op.output.name
    texts = _TEXTS[language]
    views = ("one_device", "inside_storage", "written_once")
    return [
        Check(Status.PARAM_NULLPTR, texts["null"]),
        *(Check(Status.PARAM_INVALID, sentence(op, rule, language)) for rule in op.rules),
        *(Check(Status.PARAM_INVALID, texts[name].format(out=out)) for name in views),
        Check(
            Status.INNER_FIND_KERNEL_ERROR,
            texts["product"].format(products=_listed(op.products, language)),
        ),
    ]


def sentence(op: Op, rule: rules.Rule, language: str = EN) -> str:
    """What a rule demands."""
    texts, out = _TEXTS[language], op.output.name
    match rule:
        case rules.Dtypes():
            text = texts["dtypes" if len(rule.of) > 1 else "dtype"].format(
                names=_all_of(rule.of, language), choices=_any_of(rule.allowed, language)
            )
            without = [product for product in op.products if not product.bf16]
            if BF16 in rule.allowed and without and rule.of[0] in {a.name for a in op.tensors}:
                text += texts["no_bf16"].format(products=_listed(without, language))
            return text
        case rules.SameDtype():
            text = texts["same_dtype"].format(names=_all_of((*rule.of, out), language))
            if rule.mixed_on:
                text += texts["mixed_on"].format(
                    products=_listed(rule.mixed_on, language), out=out, dtype=rule.mixed_output
                )
            return text
        case rules.Promotable():
            return texts["promotable"]
        case rules.Castable():
            return texts["castable"].format(out=out)
        case rules.MaxDims():
            return texts["max_dims"].format(names=_all_of(rule.of, language), limit=rule.limit)
        case rules.SameShape():
            text = texts["same_shape"].format(names=_all_of((*rule.of, out), language))
            if rule.broadcast_on:
                on = _listed(rule.broadcast_on, language)
                text += texts["broadcast_on"].format(products=on, out=out)
            return text
        case rules.Broadcast():
            return texts["broadcast"].format(names=_all_of(rule.of, language), out=out)
        case rules.OneOf():
            attribute = next(a for a in op.attributes if a.name == rule.of)
            choices = [f"{value} ({name})" for name, value in attribute.choices.items()]
            return texts["one_of"].format(name=rule.of, choices=_any_of(choices, language))
        case rules.NotNegative():
            key = "not_negative_when" if rule.when else "not_negative"
            return texts[key].format(name=rule.of, when=rule.when)


_TEXTS = {
    EN: {
        "null": "no argument is null",
        "dtype": "{names} has dtype {choices}",
        "dtypes": "{names} have dtype {choices}",
        "no_bf16": " (no BF16 on {products})",
        "same_dtype": "{names} have the same dtype",
        "mixed_on": "; on {products} the inputs may differ, and {out} then has dtype {dtype}",
        "promotable": "the inputs' dtypes promote to a common one",
        "castable": "the inputs' promoted dtype converts to {out}'s, which is a float or complex "
        "one",
        "max_dims": "{names} have at most {limit} dimensions",
        "same_shape": "{names} have the same shape",
        "broadcast_on": "; on {products} the inputs broadcast, and {out} has the resulting shape",
        "broadcast": "{names} broadcast, and {out} has the resulting shape",
        "one_of": "{name} is {choices}",
        "not_negative": "{name} is at least 0 and not NaN",
        "not_negative_when": "{name} is at least 0 where {when} is true",
        "one_device": "all tensors are on one device",
        "inside_storage": "every tensor lies inside its storage",
        "written_once": "no two indices of {out} are one element",
        "product": "the chosen product has the operator: {products}",
    },
    ZH: {
        "null": "所有参数都不为空指针",
        "dtype": "{names} 的数据类型为 {choices}",
        "dtypes": "{names} 的数据类型为 {choices}",
        "no_bf16": "（{products} 不支持 BF16）",
        "same_dtype": "{names} 的数据类型相同",
        "mixed_on": "；在 {products} 上各输入的数据类型可以不同，此时 {out} 的数据类型为 {dtype}",
        "promotable": "各输入的数据类型可以推导出共同的类型",
        "castable": "各输入推导出的数据类型可以转换为 {out} 的数据类型，即浮点或复数类型",
        "max_dims": "{names} 的维度不超过 {limit} 维",
        "same_shape": "{names} 的 shape 相同",
        "broadcast_on": "；在 {products} 上各输入可以广播，{out} 的 shape 为广播后的 shape",
        "broadcast": "{names} 可以相互广播，{out} 的 shape 为广播后的 shape",
        "one_of": "{name} 的取值为 {choices}",
        "not_negative": "{name} 不小于 0，也不是 NaN",
        "not_negative_when": "{when} 为 true 时，{name} 不小于 0",
        "one_device": "所有张量在同一设备上",
        "inside_storage": "每个张量都在其 storage 范围之内",
        "written_once": "{out} 的不同下标对应不同的元素",
        "product": "所选产品支持该算子：{products}",
    },
}


def dtypes(op: Op) -> tuple[DType, ...]:
    """The dtypes of the inputs."""
    first = op.inputs[0].name
    return next(r.allowed for r in op.rules if isinstance(r, rules.Dtypes) and first in r.of)


def broadcasts(op: Op) -> tuple[Product, ...]:
    """The products on which the operator's inputs broadcast."""
    for rule in op.rules:
        if isinstance(rule, rules.Broadcast):
            return op.products
        if isinstance(rule, rules.SameShape):
            return rule.broadcast_on
    return ()


def summary(thing: Op | Argument, language: str = EN) -> str:
    """What an operator or an argument is."""
    return thing.zh if language == ZH else thing.en


def kind(argument: Argument, language: str = EN) -> str:
    """Whether an argument is an input, an attribute (with its default) or the output."""
    chinese = language == ZH
    if isinstance(argument, Attr):
        default = f"{argument.default}".lower() if argument.c_type == "bool" else argument.default
        return f"属性，默认为 {default}" if chinese else f"attribute, default {default}"
    if isinstance(argument, In):
        return "输入" if chinese else "input"
    return "输出" if chinese else "output"


def _listed(products: Sequence[Product], language: str) -> str:
    return ("、" if language == ZH else ", ").join(product.name for product in products)


def _all_of(names: Sequence[str], language: str) -> str:
    return _joined(names, *(("、", " 和 ") if language == ZH else (", ", " and ")))


def _any_of(choices: Sequence[object], language: str) -> str:
    return _joined(list(map(str, choices)), *(("、", " 或 ") if language == ZH else (", ", " or ")))


def _joined(words: Sequence[str], comma: str, conjunction: str) -> str:
    if len(words) < 2:
        return "".join(words)
    return comma.join(words[:-1]) + conjunction + words[-1]
