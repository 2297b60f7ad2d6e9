"""Descriptions of operators in sentences, for the command line and the documentation, in two
languages.

>>> from openaclnn.ops import find
>>> for check in checks(find("hardsigmoid_backward"))[:3]:
...     print(int(check.status), check.text)
161001 no argument is null
161002 grad_output and self have dtype FLOAT16, FLOAT or BF16 (no BF16 on Ascend910, Ascend310P)
161002 the computed dtype converts to out's
"""

from __future__ import annotations

from openaclnn.base.dtypes import FLOAT, DType
from openaclnn.base.products import Product
from openaclnn.base.records import dataclass
from openaclnn.base.status import Status
from openaclnn.spec import rules
from openaclnn.spec.op import REQUIRED, Argument, Attr, In, InOut, Op
from openaclnn.spec.rules import EN, LANGUAGES, ZH

__all__ = [
    "EN", "LANGUAGES", "ZH", "Check", "alike", "broadcasts", "checks", "dtypes", "kind", "summary",
]  # fmt: skip


@dataclass(frozen=True)
class Check:
    """One thing that a call is checked for, and what it answers where that does not hold."""

    status: Status
    text: str


def checks(op: Op, language: str = EN) -> list[Check]:
    """All checks of a call in the order in which they are made; the first that fails decides."""
    return [Check(rule.status, rule.sentence(op, language)) for rule in op.checks]


def dtypes(op: Op) -> tuple[DType, ...]:
    """The dtypes of the inputs, of which one that must be there decides, the first of those that
    take most; of the outputs where there are none."""
    if not op.reads:
        made = (rule.allowed for rule in op.rules if isinstance(rule, rules.ResultDtype))
        return dtypes_of(op, op.outputs[0].name) or next(made, (FLOAT,))
    needed = [a for a in op.reads if not getattr(a, "optional", False)] or op.reads[:1]
    found = [dtypes_of(op, a.name) for a in needed]
    # floats before integers that stand for floats
    return max(found, key=lambda some: (any(one.kind == "float" for one in some), len(some))) or (
        FLOAT,
    )


def dtypes_of(op: Op, name: str) -> tuple[DType, ...]:
    """The dtypes of a tensor; none where no rule says."""
    named = (r.allowed for r in op.rules if isinstance(r, rules.Dtypes) and name in r.of)
    return next(named, ())


def alike(op: Op, dtype: DType) -> dict[str, DType]:
    """The dtypes of the tensors that go in, in a call of one dtype: that where it is taken, else
    FLOAT or the first that is."""
    found = {}
    for argument in op.tensors:
        if isinstance(argument, (In, InOut)):
            taken = dtypes_of(op, argument.name) or (dtype,)
            other = FLOAT if FLOAT in taken else taken[0]
            found[argument.name] = dtype if dtype in taken else other
    return found


def broadcasts(op: Op) -> tuple[Product, ...]:
    """The products on which the operator's inputs broadcast."""
    for rule in op.rules:
        if isinstance(rule, (rules.Broadcast, rules.Into)):
            return op.products
        if isinstance(rule, rules.SameShape):
            return rule.broadcast_on
    return ()


def summary(thing: Op | Argument, language: str = EN) -> str:
    """What an operator or an argument is."""
    return thing.zh if language == ZH else thing.en


_KINDS = {
    "input": "输入",
    "optional input": "可选输入",
    "inputs": "输入列表",
    "input and output": "输入和输出",
    "inputs and outputs": "输入和输出列表",
    "output": "输出",
    "outputs": "输出列表",
    "optional output": "可选输出",
}


def kind(argument: Argument, language: str = EN) -> str:
    """Whether an argument is an input, an attribute (with its default) or an output."""
    if isinstance(argument, Attr):
        if argument.default is REQUIRED:
            return "属性" if language == ZH else "attribute"
        default = argument.host.text(argument.default)
        return f"属性，默认为 {default}" if language == ZH else f"attribute, default {default}"
    optional = "optional " if getattr(argument, "optional", False) else ""
    if isinstance(argument, In):
        found = "inputs" if argument.many else f"{optional}input"
    elif isinstance(argument, InOut) and argument.read:
        found = "inputs and outputs" if argument.many else "input and output"
    else:
        found = "outputs" if argument.many else f"{optional}output"
    return _KINDS[found] if language == ZH else found
