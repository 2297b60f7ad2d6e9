"""Rules of attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from openaclnn.base.dtypes import integers
from openaclnn.base.records import dataclass
from openaclnn.base.scalars import Scalar
from openaclnn.spec.rules.rule import Rule, all_of, any_of, said

if TYPE_CHECKING:
    from openaclnn.spec.call import Call
    from openaclnn.spec.op import Op


@dataclass(frozen=True)
class OneOf(Rule):
    """An attribute has one of the values that its argument names."""

    of: str

    def _choices(self, op: Op) -> list[str]:
        attribute = next(a for a in op.attributes if a.name == self.of)
        named = attribute.choices.items()
        return [name if name == value else f"{value} ({name})" for name, value in named]

    def complaint(self, call: Call) -> str | None:
        attribute = next(a for a in call.op.attributes if a.name == self.of)
        came = call[self.of]
        if came not in attribute.choices.values():
            return f"{self.of} is {came}; expected {any_of(self._choices(call.op))}"
        return None

    def sentence(self, op: Op, language: str) -> str:
        choices = any_of(self._choices(op), language)
        return said(language, f"{self.of} is {choices}", f"{self.of} 的取值为 {choices}")


@dataclass(frozen=True)
class NotNegative(Rule):
    """An attribute is at least 0, so NaN is refused; with `when`, only if that attribute is true
    (and then a NaN, which is not below 0, passes). An optional one may be null."""

    of: str
    when: str = ""

    def complaint(self, call: Call) -> str | None:
        came = call[self.of]
        if came is None:
            return None
        value: Any = came.value if isinstance(came, Scalar) else came
        if self.when:
            if call[self.when] and value < 0:
                return f"{self.of} is {value:g} while {self.when} is true; expected at least 0"
            return None
        if not value >= 0:  # "not >=" refuses NaN
            return f"{self.of} is {value:g}; expected at least 0"
        return None

    def sentence(self, op: Op, language: str) -> str:
        if self.when:
            return said(
                language,
                f"{self.of} is at least 0 where {self.when} is true",
                f"{self.when} 为 true 时，{self.of} 不小于 0",
            )
        return said(
            language, f"{self.of} is at least 0 and not NaN", f"{self.of} 不小于 0，也不是 NaN"
        )


@dataclass(frozen=True)
class Integral(Rule):
    """With integer tensors, the named scalars are integers that the computed dtype can hold."""

    of: tuple[str, ...]

    def complaint(self, call: Call) -> str | None:
        promoted = call.promoted
        if promoted is None or promoted.kind not in ("int", "bool"):
            return None
        for label, scalar in call.of(self.of):
            if scalar.dtype.kind not in ("int", "bool"):
                return (
                    f"{label} has dtype {scalar.dtype}; expected an integer, as the computed dtype "
                    f"is {promoted}"
                )
            highest = integers(promoted)[-1] if promoted.kind == "int" else 1
            # below 0 an unsigned one wraps, as PyTorch's do
            if promoted.kind == "int" and not -highest - 1 <= int(scalar.value) <= highest:
                return f"{label} is {scalar.value}; expected a number that {promoted} can hold"
        return None

    def sentence(self, op: Op, language: str) -> str:
        names = all_of(self.of, language)
        return said(
            language,
            f"{names}: an integer where integers are computed",
            f"计算类型为整数时，{names} 也为整数",
        )


@dataclass(frozen=True)
class RealScalars(Rule):
    """The named scalars are real numbers, of any dtype."""

    of: tuple[str, ...]

    def complaint(self, call: Call) -> str | None:
        for label, scalar in call.of(self.of):
            if scalar.dtype.kind == "complex":
                return (
                    f"{label} has dtype {scalar.dtype}, which openaclnn does not compute with; "
                    "expected a real number"
                )
        return None

    def sentence(self, op: Op, language: str) -> str:
        names = all_of(self.of, language)
        is_real = "are real numbers" if len(self.of) > 1 else "is a real number"
        return said(language, f"{names} {is_real}", f"{names} 为实数")


@dataclass(frozen=True)
class DimOf(Rule):
    """An attribute is a dimension of a tensor; negative ones count from the end."""

    of: str
    tensor: str

    def complaint(self, call: Call) -> str | None:
        _, tensor = next(call.of((self.tensor,)))
        count = max(1, len(tensor.shape))
        if not -count <= call[self.of] < count:
            return (
                f"{self.of} is {call[self.of]}; expected {-count} to {count - 1}, as {self.tensor} "
                f"has {len(tensor.shape)} dimensions"
            )
        return None

    def sentence(self, op: Op, language: str) -> str:
        return said(
            language,
            f"{self.of} is a dimension of {self.tensor}, below 0 counted from the end",
            f"{self.of} 为 {self.tensor} 的维度，负数表示从末尾计数",
        )


@dataclass(frozen=True)
class DimsOf(Rule):
    """A list names dimensions of a tensor, each once; negative ones count from the end. An empty
    list means all. With `some`, these dimensions must not be empty."""

    of: str
    tensor: str
    some: bool = False

    def complaint(self, call: Call) -> str | None:
        shape, dims = call[self.tensor].shape, call[self.of] or ()
        count = max(1, len(shape))
        for dim in dims:
            if not -count <= dim < count:
                return (
                    f"{self.of} has {dim}; expected {-count} to {count - 1}, as {self.tensor} has "
                    f"{len(shape)} dimensions"
                )
        found = [dim % count for dim in dims]
        twice = next((dim for k, dim in enumerate(found) if dim in found[:k]), None)
        if twice is not None:
            return f"{self.of} has dimension {twice} twice; expected each once"
        empty = next((dim for dim in found or range(len(shape)) if shape and not shape[dim]), None)
        if self.some and empty is not None:
            return f"{self.tensor} has size 0 along dimension {empty}; expected at least 1"
        return None

    def sentence(self, op: Op, language: str) -> str:
        text = said(
            language,
            f"{self.of} are dimensions of {self.tensor}, each once, below 0 counted from the end",
            f"{self.of} 为 {self.tensor} 的维度，互不重复，负数表示从末尾计数",
        )
        if self.some:
            text += said(language, "; none of them is empty", "；这些维度均不为空")
        return text


@dataclass(frozen=True)
class LeadsTo(Rule):
    """Three finite numbers: a start, an end, and a step that is not 0 and leads from one to the
    other."""

    start: str
    end: str
    step: str

    def complaint(self, call: Call) -> str | None:
        names = (self.start, self.end, self.step)
        for label, scalar in call.of(names):
            if isinstance(scalar.value, complex) or not abs(scalar.value) < float("inf"):
                return f"{label} is {scalar.value}; expected a finite number"
        start, end, step = (call[name].value for name in names)
        if step == 0:
            return f"{self.step} is 0; expected another number"
        if (end - start) * step < 0:
            return f"{self.step} is {step}; expected one that leads from {start} to {end}"
        return None

    def sentence(self, op: Op, language: str) -> str:
        return said(
            language,
            f"{self.step} is not 0 and leads from {self.start} to {self.end}; all are finite",
            f"{self.step} 不为 0，且由 {self.start} 指向 {self.end}；三者均有限",
        )
