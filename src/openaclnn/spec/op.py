"""Op: all that is known of one operator. Everything else derives from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import Any

from openaclnn.base import products
from openaclnn.base.dtypes import DOUBLE, FLOAT, DType
from openaclnn.base.products import Product
from openaclnn.base.settings import EXACT
from openaclnn.spec.formula import Expr, Traced, tensor, trace, uniform
from openaclnn.spec.rules import Rule


@dataclass(frozen=True)
class Argument:
    """What every argument has: its name, and what it is in English and Chinese."""

    name: str
    en: str
    zh: str

    @property
    def c_name(self) -> str:
        """The C spelling: grad_output is gradOutput."""
        return camel(self.name)


@dataclass(frozen=True)
class In(Argument):
    """An input tensor. One that is not `read` must be there and is otherwise ignored."""

    read: bool = True


@dataclass(frozen=True)
class Out(Argument):
    """The output tensor."""


@dataclass(frozen=True)
class Attr(Argument):
    """A host value; `c_type` is int64_t, float, bool or const aclScalar*.

    `default` is what Python users get without saying; `choices` names the allowed integers.
    """

    c_type: str = "float"
    default: Any = None
    choices: Mapping[str, int] = field(default_factory=dict)


EVERY_PRODUCT = tuple(p for p in products.ALL if p is not products.ASCEND310B)


def _no_uniforms(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, float]:
    return {}


def exact_float(promoted: DType, level: str, attributes: Mapping[str, Any]) -> bool:
    """Where more than one rounding to float32 would be too many."""
    return promoted is FLOAT and level == EXACT


def never(promoted: DType, level: str, attributes: Mapping[str, Any]) -> bool:
    return False


@dataclass(frozen=True, eq=False)
class Op:
    """One operator: arguments in C order, rules in checking order, formula, texts.

    `formula` takes the inputs that are read, in C order, then the uniforms by name: numbers that
    hold for the whole call, which `uniforms` derives from the attributes (by name), the number
    of output elements and the promoted dtype.

    `wide` says of a promoted dtype, a level and the attributes whether the level's bound needs
    float64 inside; DOUBLE needs it always. `in_float32` is the formula arranged for float32, where
    that takes care of its own.
    """

    name: str
    en: str
    zh: str
    arguments: tuple[Argument, ...]
    rules: tuple[Rule, ...]
    formula: Callable[..., Expr]
    example: str  # a Python session, for the function's docstring
    uniforms: Callable[[Mapping[str, Any], int, DType], dict[str, float]] = _no_uniforms
    uniform_names: tuple[str, ...] = ()
    wide: Callable[[DType, str, Mapping[str, Any]], bool] = exact_float
    in_float32: Callable[..., Expr] | None = None
    products: tuple[Product, ...] = EVERY_PRODUCT
    header: str = ""

    @property
    def c_name(self) -> str:
        """silu_backward is aclnnSiluBackward."""
        return "aclnn" + camel("_" + self.name)

    @property
    def header_name(self) -> str:
        """The file that C programs include from aclnnop/."""
        return self.header or f"aclnn_{self.name}.h"

    def computes_in(
        self, promoted: DType, level: str, attributes: Mapping[str, Any] | None = None
    ) -> str:
        """The type that a call's kernel computes in, f32 or f64; by default attributes are what
        Python users get without saying."""
        given = attributes or {a.name: a.default for a in self.attributes}
        return "f64" if promoted is DOUBLE or self.wide(promoted, level, given) else "f32"

    @cached_property
    def inputs(self) -> tuple[In, ...]:
        return tuple(a for a in self.arguments if isinstance(a, In))

    @cached_property
    def read_inputs(self) -> tuple[In, ...]:
        return tuple(a for a in self.inputs if a.read)

    @cached_property
    def attributes(self) -> tuple[Attr, ...]:
        return tuple(a for a in self.arguments if isinstance(a, Attr))

    @cached_property
    def output(self) -> Out:
        return next(a for a in self.arguments if isinstance(a, Out))

    @cached_property
    def tensors(self) -> tuple[Argument, ...]:
        """Inputs and the output, in C order."""
        return tuple(a for a in self.arguments if not isinstance(a, Attr))

    @cached_property
    def used_tensors(self) -> tuple[Argument, ...]:
        """The tensors that are read or written, in C order: the output last."""
        return tuple(a for a in self.tensors if not isinstance(a, In) or a.read)

    @cached_property
    def pick_used(self) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
        """Takes the tensors that are read or written out of a list of all tensors."""
        return _picker([a in self.used_tensors for a in self.tensors])

    @cached_property
    def pick_tensors(self) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
        """Takes the tensors out of a list of arguments."""
        return _picker([not isinstance(a, Attr) for a in self.arguments])

    @cached_property
    def traced(self) -> Traced:
        """The formula's trees."""
        return self._traced(self.formula)

    @cached_property
    def _traced_in_float32(self) -> Traced:
        return self.traced if self.in_float32 is None else self._traced(self.in_float32)

    def traced_in(self, compute: str) -> Traced:
        """The trees of the formula that is computed in f32 or f64."""
        return self._traced_in_float32 if compute == "f32" else self.traced

    @property
    def expression(self) -> Expr:
        """The tree of the one result."""
        return self.traced.results[0]

    def expression_in(self, compute: str) -> Expr:
        """The tree of the result that is computed in f32 or f64."""
        return self.traced_in(compute).results[0]

    def _traced(self, formula: Callable[..., Expr]) -> Traced:
        inputs = {a.name: tensor(a.name) for a in self.read_inputs}
        return trace(formula, inputs | {name: uniform(name) for name in self.uniform_names})

    def __repr__(self) -> str:
        return f"<Op {self.name}>"


def _picker(wanted: Sequence[bool]) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    """For two at least, an input and an output: of one, itemgetter makes no tuple."""
    return itemgetter(*(position for position, want in enumerate(wanted) if want))


def camel(name: str) -> str:
    """aclnn's spelling of one of our names.

    >>> camel("self_is_result"), camel("_smooth_l1_loss_backward")
    ('selfIsResult', 'SmoothL1LossBackward')
    """
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)
