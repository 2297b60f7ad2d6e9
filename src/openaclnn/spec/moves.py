"""The family of moves: elements of one tensor at other places, which are views of it and of the
output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.op import Attr, In, Op, Out, never
from openaclnn.spec.rules import Castable, Dtypes, MaxDims, ResultShape
from openaclnn.spec.rules.rule import Rule, said
from openaclnn.spec.steps import Part, Step, copied, parts

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Sound(Rule):
    """A demand of one operator alone: a function that complains, and how people read it."""

    check: Callable[[Call], str | None]
    en: str
    zh: str

    def complaint(self, call: Call) -> str | None:
        return self.check(call)

    def sentence(self, op: Op, language: str) -> str:
        return said(language, self.en, self.zh)


def moving(
    name: str,
    en: str,
    zh: str,
    attributes: tuple[Attr, ...],
    rules: tuple[Rule, ...],
    shape: Callable[[Call], Shape],
    steps: Callable[[Call, Part, Part], Sequence[Step]],
    example: str,
    **more: Any,
) -> Op:
    """`shape` is the result's, `steps` are those from a part that is the input to one that is the
    output; `rules` are those of attributes, and come before anybody asks for either."""

    def made(call: Call) -> tuple[Step, ...]:
        known = parts(call)
        return tuple(steps(call, known["self"], known["out"]))

    return Op(
        name,
        en,
        zh,
        (In("self", "the input", "输入"), *attributes, Out("out", "the result", "结果")),
        (
            Dtypes(("self",), ALL, lacks_complex=True),
            MaxDims(("self", "out")),
            *rules,
            ResultShape(),
            Castable(),
        ),
        **{"formula": copied, "wide": never, "steps": made, **more},
        results=lambda call: (Meta(shape(call), call["self"].dtype),),
        example=example,
    )


def move(source: Part, source_view: View, target: Part, target_view: View) -> Step:
    """Elements from one view to another."""
    return Step(
        {"self": Part(source.tensor, source_view)}, (Part(target.tensor, target_view),), copied
    )


def seen(whole: View, shape: Sequence[int], strides: Sequence[int], start: int = 0) -> View:
    """A view's storage with other sizes and strides, from an element of the view on."""
    return whole.seen(shape, strides, whole.offset + start)
