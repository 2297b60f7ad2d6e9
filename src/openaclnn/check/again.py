"""What is left to check of a call that differs from an accepted one in sizes, strides and numbers:
enough to let it pass. What does not pass here is asked all rules, which say what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY
from functools import cache

from openaclnn.base.products import Product
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import broadcast
from openaclnn.spec import rules
from openaclnn.spec.call import Call
from openaclnn.spec.op import Op
from openaclnn.spec.rules import Rule

Shape = tuple[int, ...]

_OF_DTYPES = (
    rules.Dtypes,
    rules.SameDtype,
    rules.Promotable,
    rules.Castable,
    rules.ResultDtype,
    rules.AskedDtype,
)
_OF_CHOICES = (rules.OneOf,)
_OF_NUMBERS = (rules.NotNegative, rules.Integral)
_OF_SHAPES = (rules.SameShape, rules.Broadcast, rules.Into, rules.MaxDims)


@dataclass(frozen=True)
class Again:
    """What an operator still demands of shapes and numbers."""

    dims: int  # at most
    numbers: tuple[Rule, ...]
    _: KW_ONLY
    broadcasts: bool  # what is read does, to the outputs' shape; else all have that
    into: bool  # the outputs' shape is given, whatever is read

    def shape(self, read: Sequence[Shape], written: Sequence[Shape]) -> Shape | None:
        """The outputs' shape, given that of those that there are; None where it may be wrong."""
        found = written[0] if written else read[0]
        if any(shape != found for shape in (*read, *written)):
            if not self.broadcasts or any(shape != found for shape in written):
                return None
            common = broadcast(*read, found) if self.into else broadcast(*read)
            if common is None or (written and common != found):
                return None
            found = common
        return found if len(found) <= self.dims else None

    def allows(self, call: Call) -> bool:
        """Whether the numbers among the attributes pass."""
        return all(rule.complaint(call) is None for rule in self.numbers)


_OF_ATTRIBUTES = (rules.DimOf, rules.DimsOf)
_OF_EQUAL_SHAPES = (rules.SameShape, rules.Broadcast, rules.Broadcastable)


@cache
def dims_allowed(op: Op) -> int | None:
    """How many dimensions tensors of an operator that folds may have, at most, given that what is
    read has one shape, what is written has its result's, and attributes name dimensions that there
    are, each once; None where it has other rules than most."""
    used, found = {argument.name for argument in op.used}, 1 << 30
    known = (*_OF_DTYPES, *_OF_CHOICES, *_OF_NUMBERS, *_OF_ATTRIBUTES, *_OF_EQUAL_SHAPES)
    for rule in op.rules:
        if isinstance(rule, rules.MaxDims) and used.issuperset(rule.of):
            found = min(found, rule.limit)
        elif not isinstance(rule, (*known, rules.ResultShape)):
            return None
    return found


@cache
def asked_again(op: Op, product: Product) -> Again | None:
    """What is left to check, or None where an operator has other rules than most."""
    used = {argument.name for argument in op.used}
    read, written = ({a.name for a in some} for some in (op.reads, op.outputs))
    dims, broadcasts, into, numbers = 1 << 30, False, False, []
    for rule in op.rules:
        if isinstance(rule, _OF_SHAPES) and not used.issuperset(rule.of):
            return None
        if isinstance(rule, rules.MaxDims):
            dims = min(dims, rule.limit)
        elif isinstance(rule, rules.SameShape):
            broadcasts = product in rule.broadcast_on and read.issubset(rule.of)
        elif isinstance(rule, rules.Broadcast):
            broadcasts = read.issubset(rule.of)
        elif isinstance(rule, rules.Into):
            broadcasts = into = rule.shape_of in written and read.issubset({*rule.of, *written})
        elif isinstance(rule, _OF_NUMBERS):
            numbers.append(rule)
        elif not isinstance(rule, (*_OF_DTYPES, *_OF_CHOICES)):
            return None
    return Again(dims, tuple(numbers), broadcasts=broadcasts, into=into)
