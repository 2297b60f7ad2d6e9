"""Lists of tensors: operators that repeat another one for every member of their lists.

>>> from openaclnn.ops.math.exp import OPS
>>> op = foreach("foreach_exp", OPS[0], self="x", out="out")
>>> op.c_name, [(argument.name, argument.many) for argument in op.arguments]
('aclnnForeachExp', [('x', True), ('out', True)])
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from math import prod
from typing import Any

from openaclnn.base.dtypes import DType
from openaclnn.base.records import dataclass
from openaclnn.base.scalars import scalar
from openaclnn.base.status import Status
from openaclnn.base.tensors import Tensor
from openaclnn.spec import rules as rule
from openaclnn.spec.call import Call, Member, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr, uniform
from openaclnn.spec.host import SCALAR_LIST
from openaclnn.spec.op import Argument, Attr, In, Op
from openaclnn.spec.rules import Rule
from openaclnn.spec.rules.rule import all_of, said
from openaclnn.spec.steps import Part, Step

SOURCE = "signatures: op-plugin; values: PyTorch's _foreach functions"


def foreach(
    name: str, op: Op, numbers: tuple[Argument, ...] = (), en: str = "", zh: str = "",
    example: str = "", source: str = SOURCE, **called: Any,
) -> Op:  # fmt: skip
    """The operator of lists that repeats another one. `called` tells what the other's arguments are
    called here, in their order: tensors are lists, attributes hold for all members; what is no text
    is an attribute's value. An argument of `numbers` stands for the one that is called so: a tensor
    of one number for all members, one of a number for each, or a list of scalars."""
    own = {argument.name: argument for argument in numbers}
    arguments = []
    for argument in op.arguments:
        word = called[argument.name]
        if not isinstance(word, str):
            continue
        many = not isinstance(argument, Attr)
        arguments.append(own.get(word) or replace(argument, name=word, many=many))
    repeats = Repeats(_taking(op, called, own), called, own)
    lists = tuple(a.name for a in arguments if a.many)
    rest = [one for one in map(repeats.rule, repeats.op.rules) if one is not None]
    given = [
        one
        for a in numbers
        if isinstance(a, In)
        for one in (rule.Dtypes((a.name,), ALL), OneNumber(a.name))
    ]
    return Op(
        name,
        en or f"{op.en}, of every tensor of a list",
        zh or f"{op.zh}（张量列表）",
        tuple(arguments),
        (EqualLengths((*lists, *(a.name for a in numbers if _is_each(a)))), *given, *rest),
        _renamed(op.formula, called, own),
        example,
        source,
        wide=op.wide,
        promotes=lambda call: call.members[0].call.promoted if call.members else None,
        results=repeats.results,
        steps=steps,
        products=op.products,
        shapes=lambda shape, attributes: {a.name: (2,) if _is_each(a) else (1,) for a in numbers},
        proof=op.proof,
        repeats=repeats,
    )  # fmt: skip


def one_number(name: str, en: str = "the number beside every tensor") -> In:
    """A tensor of one number, which every member of the lists meets."""
    return In(name, en, "与各张量运算的数，为一个元素的张量")


def number_each(name: str, en: str = "a number for every tensor") -> EachNumber:
    """A tensor of as many numbers as the lists have members."""
    return EachNumber(name, en, "与各张量对应的数")


def scalars(name: str, en: str = "a number for every tensor") -> Attr:
    """A list of scalars, one for every member of the lists."""
    return Attr(name, en, "与各张量对应的标量", SCALAR_LIST, usual=(True, True))


@dataclass(frozen=True)
class EachNumber(In):
    """A tensor of a number for every member of the lists."""


def _is_each(argument: Argument) -> bool:
    return isinstance(argument, (EachNumber, Attr))


def _taking(op: Op, called: Mapping[str, Any], own: Mapping[str, Argument]) -> Op:
    """The operator where tensors stand for some of its attributes."""
    taken = [
        a.name
        for a in op.attributes
        if isinstance(called[a.name], str) and isinstance(own.get(called[a.name]), In)
    ]
    if not taken:
        return op
    arguments = tuple(In(a.name, a.en, a.zh) if a.name in taken else a for a in op.arguments)
    kept = tuple(one for one in op.rules if not set(getattr(one, "of", ())) & set(taken))
    inner = op.promotes

    def promotes(call: Call) -> DType | None:
        """As a number would, of a kind that may be larger."""
        plain = {**call.arguments, **{name: scalar(0, call[name].dtype) for name in taken}}
        return inner(Call(op, plain, call.product))

    return replace(op, arguments=arguments, rules=kept, promotes=promotes, shorter=None)


@dataclass(frozen=True, eq=False)
class Repeats:
    """An operator that is repeated: what its arguments are called, and which of these are no lists
    of tensors."""

    op: Op
    called: Mapping[str, Any]
    own: Mapping[str, Argument]

    def members(self, call: Call) -> tuple[Member, ...]:
        """The repeated operator's calls, one for every member of the lists."""
        lists = [call[a.name] for a in call.op.tensors if a.many]
        count = min((len(one) for one in lists if one is not None), default=0)
        labels = {given.label: number for number, given in enumerate(call.used)}
        return tuple(self._member(call, k, labels) for k in range(count))

    def _member(self, call: Call, k: int, labels: Mapping[str, int]) -> Member:
        given: dict[str, Any] = {}
        tensors = []
        for argument in self.op.arguments:
            word = self.called[argument.name]
            if not isinstance(word, str):
                given[argument.name] = argument.host.from_python(word)  # type: ignore[attr-defined]
                continue
            value, label = call[word], word
            if argument.name in self.lists:
                value, label = None if value is None else value[k], f"{word}[{k}]"
            elif isinstance(self.own.get(word), Attr):
                value = value[k]
            elif word in self.own:
                value = _element(value, k if _is_each(self.own[word]) else 0)
            given[argument.name] = value
            if label in labels and argument in self.op.used:
                tensors.append(labels[label])
        return Member(Call(self.op, given, call.product), tuple(tensors))

    def given(self, named: Mapping[str, Any], k: int) -> dict[str, Any]:
        """The arguments of a member's call of those of the whole, whatever stands for a tensor."""
        found: dict[str, Any] = {}
        for argument in self.op.arguments:
            word = self.called[argument.name]
            if not isinstance(word, str):
                found[argument.name] = word
            elif word in named:
                each = argument.name in self.lists or isinstance(self.own.get(word), Attr)
                found[argument.name] = named[word][k] if each else named[word]
        return found

    def results(self, call: Call) -> tuple[Meta, ...]:
        """What every member's outputs are to be like."""
        each = [member.call.results for member in call.members]
        return tuple(meta for output in zip(*each, strict=True) for meta in output)

    def rule(self, one: Rule) -> Rule | None:
        """What a rule of the repeated operator demands of the lists."""
        if isinstance(one, (rule.Dtypes, rule.MaxDims)):
            of = tuple(self.called[name] for name in one.of)
            kept = tuple(name for name in of if isinstance(name, str))
            return replace(one, of=kept) if kept else None
        named = [getattr(one, field, ()) for field in ("of", "tensor")]
        words = {word for name in named for word in ((name,) if isinstance(name, str) else name)}
        if words and not any(isinstance(self.called.get(word), str) for word in words):
            return None  # it demands something of what is given here
        return OfEach(one, self)

    def told(self, text: str, k: int | None = None) -> str:
        """A sentence of the repeated operator's with the names that its arguments have here, those
        of a member's where one is told."""

        words = {name: word for name, word in self.called.items() if isinstance(word, str)}
        if k is not None:
            words |= {name: f"{words[name]}[{k}]" for name in self.lists}
        return _told(text, words)

    @cached_property
    def lists(self) -> frozenset[str]:
        """The arguments that are members of lists."""
        words = ((a.name, self.called[a.name]) for a in self.op.tensors)
        named = ((name, word) for name, word in words if isinstance(word, str))
        return frozenset(name for name, word in named if word not in self.own)


def _told(text: str, words: Mapping[str, str]) -> str:
    """A text with other words for some of its own."""
    return re.sub(r"\b[a-z_0-9]+\b", lambda found: words.get(found[0], found[0]), text)


def _element(tensor: Tensor | None, k: int) -> Tensor | None:
    """One element of a tensor, as a tensor without dimensions."""
    if tensor is None or k >= _length(tensor):
        return tensor
    if not isinstance(tensor, Tensor):  # one without memory
        return replace(tensor, shape=())
    own = tensor.view
    at = own.offset + (k * own.strides[0] if k else 0)
    return Tensor(own.seen((), (), at), tensor.address, tensor.device)


def steps(call: Call) -> tuple[Step, ...]:
    """Those of all members, over parts of the lists' tensors."""
    found = []
    for member in call.members:
        for step in member.call.op.steps(member.call):
            reads = {name: _moved(part, member) for name, part in step.reads.items()}
            writes = tuple(_moved(part, member) for part in step.writes)
            found.append(replace(step, reads=reads, writes=writes))
    return tuple(found)


def _moved(part: Part | None, member: Member) -> Part | None:
    if part is None or part.tensor < 0:
        return part
    return Part(member.tensors[part.tensor], part.view)


def _renamed(
    formula: Callable[..., Any], called: Mapping[str, Any], own: Mapping[str, Argument]
) -> Callable[..., Any]:
    """A formula whose parameters have the names of here, for people to read."""
    words = {name: called[name] for name in inspect.signature(formula).parameters}
    listed = {name: uniform(word) for name, word in words.items() if _is_scalars(own.get(word))}
    shown = {name: word for name, word in words.items() if isinstance(word, str)}

    def renamed(**given: Any) -> Any:
        named = {name: given[word] for name, word in shown.items() if name not in listed}
        found = formula(**{**words, **named, **listed})
        if isinstance(found, Expr) and found.op == "known_as":
            return replace(found, name=_told(found.name, shown))
        return found

    kind = inspect.Parameter.KEYWORD_ONLY
    renamed.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(word, kind) for name, word in shown.items() if name not in listed]
    )
    return renamed


def _is_scalars(argument: Argument | None) -> bool:
    return isinstance(argument, Attr)


@dataclass(frozen=True)
class EqualLengths(Rule):
    """The lists have equally many members, at least one."""

    of: tuple[str, ...]

    def complaint(self, call: Call) -> str | None:
        first, count = self.of[0], _length(call[self.of[0]])
        if not count:
            return f"{first} is empty; expected at least one tensor"
        for name in self.of[1:]:
            if call[name] is not None and _length(call[name]) != count:
                many = next(a.many for a in call.op.arguments if a.name == name)
                kind = "tensors" if many else "numbers"
                return f"{name} has {_length(call[name])} {kind}; expected {count}, as {first} has"
        return None

    def sentence(self, op: Op, language: str) -> str:
        names = all_of(self.of, language)
        if len(self.of) == 1:
            return said(language, f"{names} has at least one tensor", f"{names} 至少有一个张量")
        return said(
            language,
            f"{names} have as many members, at least one",
            f"{names} 的成员数相同，至少为一",
        )


def _length(value: Any) -> int:
    return len(value) if isinstance(value, tuple) else prod(value.shape)


@dataclass(frozen=True)
class OneNumber(Rule):
    """A tensor has one element, or at most one dimension where it has one for every member."""

    of: str

    def complaint(self, call: Call) -> str | None:
        argument = next(a for a in call.op.arguments if a.name == self.of)
        shape = call[self.of].shape
        if _is_each(argument):
            told = f"{self.of} has shape {list(shape)}; expected one dimension"
            return None if len(shape) == 1 else told
        if _length(call[self.of]) != 1:
            return f"{self.of} has shape {list(shape)}; expected one element"
        return None

    def sentence(self, op: Op, language: str) -> str:
        if any(isinstance(a, EachNumber) and a.name == self.of for a in op.arguments):
            return said(language, f"{self.of} has one dimension", f"{self.of} 为 1 维")
        return said(language, f"{self.of} has one element", f"{self.of} 只有一个元素")


@dataclass(frozen=True)
class OfEach(Rule):
    """What a rule of the repeated operator demands of every member."""

    one: Rule
    repeats: Repeats

    @property
    def status(self) -> Status:  # type: ignore[override]
        return self.one.status

    @property
    def of_types(self) -> bool:  # type: ignore[override]
        return self.one.of_types

    def complaint(self, call: Call) -> str | None:
        for k, member in enumerate(call.members):
            found = self.one.complaint(member.call)
            if found is not None:
                return self.repeats.told(found, k)
        return None

    def sentence(self, op: Op, language: str) -> str:
        text = self.repeats.told(self.one.sentence(self.repeats.op, language))
        return said(language, f"of every member: {text}", f"对每个成员：{text}")
