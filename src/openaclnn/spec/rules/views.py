"""Rules of views, which hold for every operator: tensors on one device, inside their storage, and
nothing written twice."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from openaclnn.base import overlap
from openaclnn.base.records import dataclass
from openaclnn.spec.rules.rule import Rule, all_of, names_of_outputs, said

if TYPE_CHECKING:
    from openaclnn.spec.call import Call
    from openaclnn.spec.op import Op


@dataclass(frozen=True)
class OneDevice(Rule):
    def complaint(self, call: Call) -> str | None:
        first, *others = call.used
        for given in others:
            if given.tensor.device != first.tensor.device:
                return (
                    f"{given.label} is on {given.tensor.device}; expected {first.tensor.device}, "
                    f"where {first.label} is"
                )
        return None

    def sentence(self, op: Op, language: str) -> str:
        return said(language, "all tensors are on one device", "所有张量在同一设备上")


@dataclass(frozen=True)
class InsideStorage(Rule):
    def complaint(self, call: Call) -> str | None:
        for given in call.used:
            view = given.tensor.view
            if not view.inside_storage:
                return (
                    f"{given.label} reaches elements {view.low} to {view.high} of its storage; "
                    f"expected 0 to {view.storage_numel - 1} (storage shape "
                    f"{list(view.storage_shape)}, view shape {list(view.shape)}, strides "
                    f"{list(view.strides)}, offset {view.offset})"
                )
        return None

    def sentence(self, op: Op, language: str) -> str:
        return said(
            language, "every tensor lies inside its storage", "每个张量都在其 storage 范围之内"
        )


@dataclass(frozen=True)
class WrittenOnce(Rule):
    def complaint(self, call: Call) -> str | None:
        for given in call.writes:
            view = given.tensor.view
            if overlap.onto_itself(view):
                return (
                    f"{given.label} has two indices for one element (shape {list(view.shape)}, "
                    f"strides {list(view.strides)}); expected an output that is written once"
                )
        for one, other in combinations(call.writes, 2):
            if overlap.sharing(one.tensor, other.tensor):
                return (
                    f"{one.label} and {other.label} share memory; expected outputs apart from "
                    "each other"
                )
        return None

    def sentence(self, op: Op, language: str) -> str:
        outs = all_of(names_of_outputs(op), language)
        return said(
            language,
            f"no two indices of {outs} are one element",
            f"{outs} 的不同下标对应不同的元素",
        )


@dataclass(frozen=True)
class Writable(Rule):
    def complaint(self, call: Call) -> str | None:
        for given in call.writes:
            if given.tensor.read_only:
                return f"{given.label} is read-only; expected memory that can be written"
        return None

    def sentence(self, op: Op, language: str) -> str:
        outs = all_of(names_of_outputs(op), language)
        return said(language, f"{outs} can be written", f"{outs} 可写")


OF_VIEWS: tuple[Rule, ...] = (OneDevice(), InsideStorage(), WrittenOnce(), Writable())
