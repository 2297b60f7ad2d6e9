"""The first and the last rule of every operator: nothing is null, and the product has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openaclnn.base.records import dataclass
from openaclnn.base.status import Status
from openaclnn.spec.rules.rule import Rule, all_of, listed, said

if TYPE_CHECKING:
    from openaclnn.spec.call import Call
    from openaclnn.spec.op import Argument, Op


@dataclass(frozen=True)
class NotNull(Rule):
    """Required arguments and the members of lists are not null, `but` outputs that the call
    creates."""

    status = Status.PARAM_NULLPTR
    but: frozenset[str] = frozenset()

    def complaint(self, call: Call) -> str | None:
        for argument in call.op.arguments:
            value = call[argument.name]
            if argument.name in self.but:
                continue
            if value is None and not getattr(argument, "optional", False):
                return f"{argument.name} is null; expected {_kind(argument)}"
            if isinstance(value, tuple) and argument.many and None in value:
                return f"{argument.name}[{value.index(None)}] is null; expected a tensor"
        return None

    def sentence(self, op: Op, language: str) -> str:
        optional = [a.name for a in op.arguments if getattr(a, "optional", False)]
        if optional:
            names = all_of(optional, language)
            return said(
                language, f"no argument but {names} is null", f"除 {names} 外，参数不为空指针"
            )
        return said(language, "no argument is null", "所有参数都不为空指针")


def _kind(argument: Argument) -> str:
    host = getattr(argument, "host", None)
    if host is not None:
        return "a scalar" if host.c_type.endswith("aclScalar*") else str(host.expected)
    return "a list of tensors" if argument.many else "a tensor"


@dataclass(frozen=True)
class Has(Rule):
    """The chosen product has the operator."""

    status = Status.INNER_FIND_KERNEL_ERROR

    def complaint(self, call: Call) -> str | None:
        product, op = call.product, call.op
        if product in op.products:
            return None
        having = ", ".join(other.name for other in op.products)
        return (
            f"{product.name} ({product.line}) does not have this operator; "
            f"{having} do: choose one with OPENACLNN_SOC"
        )

    def sentence(self, op: Op, language: str) -> str:
        products = listed(op.products, language)
        return said(
            language,
            f"the chosen product has the operator: {products}",
            f"所选产品支持该算子：{products}",
        )
