"""Op: all that is known of one operator. Everything else derives from it."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, field, replace
from functools import cached_property, lru_cache
from typing import Any, Protocol

from openaclnn.base import products
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, DType, integers
from openaclnn.base.products import Product
from openaclnn.base.records import dataclass
from openaclnn.base.scalars import Scalar, scalar
from openaclnn.base.settings import EXACT
from openaclnn.base.trace import Int, as_float, is_traced
from openaclnn.spec import rules as rule
from openaclnn.spec.call import Call, Member, promoted_inputs
from openaclnn.spec.formula import Expr, Traced, tensor, trace, uniform
from openaclnn.spec.host import FLOAT32, Host, ScalarValue
from openaclnn.spec.proof import DEFAULT as PROOF
from openaclnn.spec.proof import Proof
from openaclnn.spec.results import Results, broadcast_and_promote
from openaclnn.spec.rules import Rule
from openaclnn.spec.steps import Step, Steps, elementwise


@dataclass(frozen=True)
class Argument:
    """What every argument has: its name, and what it is in English and Chinese; an operator says
    its name where nothing is said, and the other language where one is missing. `many`: it is a
    list of tensors."""

    name: str
    en: str = ""
    zh: str = ""
    many: bool = field(default=False, kw_only=True)

    @property
    def c_name(self) -> str:
        """The C spelling: grad_output is gradOutput."""
        return camel(self.name)


@dataclass(frozen=True)
class In(Argument):
    """An input tensor. An `optional` one may be null. One that is not `read` must be there and is
    otherwise ignored; `left` is a formula of what the forward pass leaves in it, for PyTorch, which
    reads it."""

    left: Callable[..., Any] | None = None
    _: KW_ONLY
    optional: bool = False
    read: bool = True

    @property
    def c_name(self) -> str:
        return camel(self.name) + ("Optional" if self.optional else "")


@dataclass(frozen=True)
class Out(Argument):
    """An output tensor; an `optional` one may be null."""

    optional: bool = False

    @property
    def c_name(self) -> str:
        return camel(self.name) + ("Optional" if self.optional else "")


@dataclass(frozen=True)
class InOut(Out):
    """A tensor that the operator changes; one that is not `read` is only overwritten."""

    read: bool = True

    @property
    def c_name(self) -> str:
        return camel(self.name) + "Ref"


def may_be_absent(argument: Argument) -> bool:
    """Whether users need not give a tensor: an optional one that is read or changed, or one that is
    not looked at."""
    if isinstance(argument, InOut):
        return argument.optional
    return isinstance(argument, In) and (argument.optional or not argument.read)


REQUIRED = inspect.Parameter.empty  # the default of an attribute that has none


@dataclass(frozen=True)
class Attr(Argument):
    """A host value of a kind; a pointer that is `optional` may be null and counts as its default.

    `default` is what Python users get without saying; `choices` names the allowed integers or
    texts, and made-up calls have what is `usual`. A scalar that `promotes` takes part in the choice
    of the computed dtype. `by_place`: one with a default may be given by position, for PyTorch's
    function has it in the same place.
    """

    host: Host = FLOAT32
    default: Any = REQUIRED
    choices: Mapping[str, int | str] = field(default_factory=dict)
    usual: Any = None
    _: KW_ONLY
    optional: bool = False
    promotes: bool = False
    by_place: bool = False

    @property
    def c_name(self) -> str:
        return camel(self.name) + ("Optional" if self.optional else "")

    @property
    def static(self) -> bool:
        """Whether a formula gets the value itself and not a symbol for a number: it decides what is
        computed."""
        return not self.host.number or bool(self.choices)

    @property
    def plain(self) -> Any:
        """What it is where nothing is said: its default, or something simple."""
        if self.default is not REQUIRED:
            return self.host.from_python(self.choices.get(self.default, self.default))
        simple = self.host.plain if self.usual is None else self.usual
        return self.host.from_python(next(iter(self.choices.values()), simple))


EVERY_PRODUCT = tuple(p for p in products.ALL if p is not products.ASCEND310B)

Uniforms = Callable[[Mapping[str, Any], int, DType], Mapping[str, float]]


Shapes = Callable[[tuple[int, ...], Mapping[str, Any]], Mapping[str, tuple[int, ...]]]


Wide = Callable[[DType, str, Mapping[str, Any]], bool]

Sized = Callable[[Call, int], Sequence[tuple[int, ...] | None]]


class Spelling(Protocol):
    """A function of PyTorch's or NumPy's, written by means of operators."""

    __name__: str

    def __call__(self, of: Callable[[str], Callable[..., Any]], *args: Any, **kwargs: Any) -> Any:
        """`of` gives the function of an operator."""


class Repeating(Protocol):
    """How an operator of lists repeats another one."""

    @property
    def op(self) -> Op:
        """The other one."""

    def given(self, named: Mapping[str, Any], k: int) -> dict[str, Any]:
        """The arguments of a member's call of those of the whole, whatever stands for a tensor."""

    def members(self, call: Call) -> tuple[Member, ...]:
        """The other one's calls, one for every member of the lists."""


def equal_shapes(
    shape: tuple[int, ...], attributes: Mapping[str, Any]
) -> Mapping[str, tuple[int, ...]]:
    return {}


def exact_float(promoted: DType, level: str, attributes: Mapping[str, Any]) -> bool:
    """Where more than one rounding to float32 would be too many."""
    return promoted is FLOAT and level == EXACT


def exact_product(promoted: DType, level: str, attributes: Mapping[str, Any]) -> bool:
    """Where that is so, and where products of several factors leave float32's range on their way
    to a result that BF16 has."""
    return promoted in (FLOAT, BF16) and level == EXACT


def exact_level(promoted: DType, level: str, attributes: Mapping[str, Any]) -> bool:
    """Where terms cancel, so that float32 is too little even for 16 bits."""
    return level == EXACT


def exact_beyond(**limits: tuple[float, float]) -> Wide:
    """Like `exact_float`, and at both levels where an attribute lies outside limits of its own:
    float32 has no room then for what leads to a result of 16 bits."""

    def wide(promoted: DType, level: str, attributes: Mapping[str, Any]) -> bool:
        numbers = {name: number_of(attributes[name], FLOAT) for name in limits}
        inside = all(low <= numbers[name] <= high for name, (low, high) in limits.items())
        return exact_float(promoted, level, attributes) or not inside

    return wide


def always(promoted: DType, level: str, attributes: Mapping[str, Any]) -> bool:
    return True


def never(promoted: DType, level: str, attributes: Mapping[str, Any]) -> bool:
    return False


def no_formula() -> None:
    """Stands for a formula that was not given."""


def _with_texts(argument: Any) -> Any:
    """An argument with both texts; what is none is refused later."""
    if not isinstance(argument, Argument) or (argument.en and argument.zh):
        return argument
    en = argument.en or argument.zh or str(argument.name).replace("_", " ")
    return replace(argument, en=en, zh=argument.zh or en)


@dataclass(frozen=True, eq=False)
class Op:
    """One operator: arguments in C order, rules in checking order, formula, texts.

    `formula` names as its parameters what it needs, in any order: inputs (expressions; None where
    an optional one is absent), attributes that decide (their values), and *uniforms*: numbers that
    hold for the whole call. Those are attributes by their names, or what `uniforms` derives from
    the attributes (by name), the number of output elements and the promoted dtype. It returns the
    output, or a tuple of them.

    `source` says where the rules come from. `promotes` and `results` say of a call what it computes
    in and what its outputs are like, `steps` which parts of the tensors a formula runs over.

    `wide` says of a promoted dtype, a level and the attributes whether the level's bound needs
    float64 inside; DOUBLE needs it always. `in_float32` is the formula arranged for float32, where
    that takes care of its own; `shorter` gives one of fewer operations for some attributes. `torch`
    names PyTorch's function with the same meaning. `proof` is what `openaclnn verify` needs to know
    besides; `by_default`: `verify` and `bench` take the operator where none is named. `aliases` are
    names that NumPy's users know; PyTorch's follows from `torch`. `spellings` are functions that
    PyTorch or NumPy have with other parameters: what they are called with first gives the
    function of an operator by its name.
    """

    name: str
    en: str = ""
    zh: str = ""
    arguments: tuple[Argument, ...] = ()
    rules: tuple[Rule, ...] = ()
    formula: Callable[..., Any] = no_formula
    example: str = ""  # a Python session, for the function's docstring
    source: str = ""
    uniforms: Uniforms | None = None
    wide: Wide = exact_float
    in_float32: Callable[..., Any] | None = None
    shorter: Callable[[DType, Mapping[str, Any]], Callable[..., Any] | None] | None = None
    promotes: Callable[[Call], DType | None] = promoted_inputs
    results: Results = broadcast_and_promote
    steps: Steps = elementwise
    products: tuple[Product, ...] = EVERY_PRODUCT
    header: str = ""
    torch: str = ""
    shapes: Shapes = equal_shapes  # of the inputs of a made-up call, where they are not all one
    scalar: str = ""  # the operator that takes a number for the second tensor
    backward: str = ""  # the operator that gives its gradient, unless that is NAME_backward
    # of one that runs several routines: the steps that write `grad_input`, the gradient of an input
    # of this name, given `grad_result`
    pulled_back: Callable[[Call, str], tuple[Step, ...]] | None = None
    proof: Proof = PROOF
    by_default: bool = False
    aliases: tuple[str, ...] = ()
    spellings: tuple[Spelling, ...] = ()
    repeats: Repeating | None = None  # the operator that it repeats for every member of its lists
    # of one whose results' shapes depend on data: those shapes, given how many elements a step
    # counted; None where one is what it was. What is there lies in that shape from the first
    # element of an output on, which has room for the largest
    sized: Sized | None = None

    def __post_init__(self) -> None:
        if not (self.en and self.zh):
            en = self.en or self.zh or str(self.name).replace("_", " ")
            object.__setattr__(self, "en", en)
            object.__setattr__(self, "zh", self.zh or en)
        if isinstance(self.arguments, (tuple, list)):
            object.__setattr__(self, "arguments", tuple(map(_with_texts, self.arguments)))

    @cached_property
    def c_name(self) -> str:
        """silu_backward is aclnnSiluBackward."""
        return "aclnn" + camel("_" + self.name)

    @property
    def header_name(self) -> str:
        """The file that C programs include from aclnnop/; an operator in place shares it."""
        return header_of(self.name, self.header)

    @property
    def derives(self) -> bool:
        """Whether its uniforms are derived from attributes and sizes; else they are attributes,
        perhaps rounded."""
        return self.uniforms is not None and not isinstance(self.uniforms, RoundedFirst)

    @cached_property
    def inputs(self) -> tuple[In, ...]:
        """Tensors that are only read, or ignored."""
        return tuple(a for a in self.arguments if isinstance(a, In))

    @cached_property
    def outputs(self) -> tuple[Out, ...]:
        """Tensors that are written."""
        return tuple(a for a in self.arguments if isinstance(a, Out))

    @cached_property
    def separate(self) -> tuple[Out, ...]:
        """Outputs that a caller need not have: functions make them, unless `out` gives them."""
        return tuple(a for a in self.outputs if not isinstance(a, InOut))

    @cached_property
    def in_place(self) -> bool:
        """Whether an output is a tensor that the caller has already."""
        return len(self.separate) < len(self.outputs)

    @cached_property
    def reads(self) -> tuple[Argument, ...]:
        """Tensors that are read."""
        return tuple(a for a in self.arguments if isinstance(a, (In, InOut)) and a.read)

    @cached_property
    def attributes(self) -> tuple[Attr, ...]:
        return tuple(a for a in self.arguments if isinstance(a, Attr))

    @cached_property
    def tensors(self) -> tuple[Argument, ...]:
        """Inputs and outputs."""
        return tuple(a for a in self.arguments if not isinstance(a, Attr))

    @cached_property
    def used(self) -> tuple[Argument, ...]:
        """Tensors that are read or written."""
        return tuple(a for a in self.tensors if not isinstance(a, In) or a.read)

    @cached_property
    def checks(self) -> tuple[Rule, ...]:
        """All that a call is checked for, in order: what every operator demands around its own
        rules."""
        judging = (rule.Dtypes, rule.RealScalars)
        known = {name for one in self.rules if isinstance(one, judging) for name in one.of}
        scalars = (a.name for a in self.attributes if isinstance(a.host, ScalarValue))
        real = tuple(name for name in scalars if name not in known)
        own = (*self.rules, *((rule.RealScalars(real),) if real else ()))
        return (rule.NotNull(), *own, *rule.OF_VIEWS, rule.Has())

    def computes_in(
        self, promoted: DType, level: str, attributes: Mapping[str, Any] | None = None
    ) -> str:
        """The type that a call's kernel computes in: f32, f64, i32 or i64. By default attributes
        are what Python users get without saying."""
        if promoted.kind in ("int", "bool"):
            return "i64" if promoted.bits == 64 or promoted.name == "UINT32" else "i32"
        given = attributes or {a.name: a.default for a in self.attributes}
        return "f64" if promoted is DOUBLE or self.wide(promoted, level, given) else "f32"

    def traced_in(self, compute: str) -> Traced:
        """The tree that is computed in a type, with everything present and attributes that decide
        as Python users get them without saying."""
        return self.traced(self.formula_in(compute), self.everything, self.defaults)

    @cached_property
    def everything(self) -> dict[str, bool]:
        """What is there, by name, where no tensor is absent."""
        return {a.name: True for a in self.reads}

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The attributes where nothing is said."""
        return {a.name: a.plain for a in self.attributes}

    def formula_in(self, compute: str) -> Callable[..., Any]:
        """The formula that is computed in a type."""
        return self.in_float32 if compute == "f32" and self.in_float32 else self.formula

    def formula_of(
        self, compute: str, promoted: DType, attributes: Mapping[str, Any]
    ) -> Callable[..., Any]:
        """The formula of a call that is computed in a type."""
        short = self.shorter(promoted, attributes) if self.shorter else None
        return short or self.formula_in(compute)

    def traced(
        self,
        formula: Callable[..., Any],
        present: Mapping[str, bool],
        attributes: Mapping[str, Any],
        wanted: tuple[bool, ...] = (),
    ) -> Traced:
        """The tree of a formula for tensors that are present or not, attributes that decide, and
        the results that are wanted (all, where nothing is said). Equal ones are the same object."""
        deciding = [a.name for a in self.attributes if a.static and a.name in _parameters(formula)]
        static = {name: attributes[name] for name in deciding}
        key = (formula, wanted, *present.items(), repr(static))  # -0.0 is another constant than 0.0
        if key not in self._trees:
            tree = trace(formula, _bound(formula, present, static))
            if not all(wanted):
                results = zip(tree.results, wanted, strict=True)
                tree = replace(tree, results=tuple(result for result, wants in results if wants))
            self._trees[key] = tree
        return self._trees[key]

    @cached_property
    def _trees(self) -> dict[tuple[Any, ...], Traced]:
        return {}

    @cached_property
    def expressions(self) -> tuple[Expr, ...]:
        """The formula's trees with everything present, for people to read."""
        return self.traced(self.formula, self.everything, self.defaults).results

    def numbers(
        self, names: tuple[str, ...], attributes: Mapping[str, Any], numel: int, promoted: DType
    ) -> tuple[float, ...]:
        """The values of a formula's uniforms."""
        derived = self.uniforms(attributes, numel, promoted) if self.uniforms else {}
        found = {**attributes, **derived}
        return tuple(number_of(found[name], promoted) for name in names)

    def __repr__(self) -> str:
        return f"<Op {self.name}>"


@lru_cache(maxsize=4096)
def _parameters(formula: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(formula).parameters)


def _bound(
    formula: Callable[..., Any], present: Mapping[str, bool], static: Mapping[str, Any]
) -> dict[str, Any]:
    """What a formula's parameters are: tensors first, as they come in C order."""
    names = _parameters(formula)
    tensors = {
        name: tensor(name) if there else None for name, there in present.items() if name in names
    }
    others = {
        name: static[name] if name in static else uniform(name)
        for name in names
        if name not in tensors
    }
    return tensors | others


def number_of(value: Any, promoted: DType) -> float:
    """A host value as a formula uses it: an integer among integers, where a scalar among flags is
    one; else a scalar is a float32, beside DOUBLE a float64."""
    if is_traced(value) or (isinstance(value, Scalar) and is_traced(value.value)):
        found: float = _traced_number(value, promoted)
        return found
    if promoted.kind in ("int", "bool"):
        if isinstance(value, Scalar):
            return _cast(value.value, promoted)
        return _integer(value)
    if isinstance(value, Scalar):
        used = scalar(value.value, DOUBLE if promoted is DOUBLE else FLOAT).value
        return float(used)  # type: ignore[arg-type]
    return float(value)


def _traced_number(value: Any, promoted: DType) -> Any:
    """The same of a number that is traced (base/trace.py)."""
    number: Any = value.value if isinstance(value, Scalar) else value
    if promoted.kind in ("int", "bool"):
        if isinstance(value, Scalar):
            return number_of(Scalar(float(number), value.dtype), promoted)
        return number if isinstance(number, Int) else number_of(float(number), promoted)
    if isinstance(value, Scalar):
        return number if promoted is DOUBLE else number.narrowed()
    return as_float(number)


def _cast(value: Any, dtype: DType) -> int:
    """A scalar as a cast to an integer dtype has it: integers wrap; a float is cut towards 0, to
    the nearest there is where that is out of range, NaN is 0, but true."""
    if dtype.kind == "bool":
        return int(bool(value))
    values = integers(dtype)
    if not isinstance(value, float):
        return (int(value) - values[0]) % (1 << dtype.bits) + values[0]
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return values[0] if value < 0 else values[-1]
    return min(max(int(value), values[0]), values[-1])


def _integer(value: Any) -> int:
    """A number as an integer tensor holds it: cut towards 0, NaN as 0."""
    if value != value:
        return 0
    return (
        int(max(-(2.0**63), min(value, 2.0**63 - 1024))) if isinstance(value, float) else int(value)
    )


@dataclass(frozen=True)
class RoundedFirst:
    """The uniforms of an operator whose scalars of these names are rounded to the computed dtype
    before anything else, as PyTorch's are that it makes tensors of: 0.1 beside FLOAT16 is the
    FLOAT16 nearest to the float32. Other scalars keep a float32's digits."""

    names: tuple[str, ...]

    def __call__(
        self, attributes: Mapping[str, Any], numel: int, promoted: DType
    ) -> dict[str, Any]:
        found = dict(attributes)
        for name in self.names if promoted.kind == "float" else ():
            if isinstance(found.get(name), Scalar):
                if is_traced(found[name].value):
                    found[name] = _rounded(found[name].value, promoted)
                    continue
                short = found[name] if promoted is DOUBLE else scalar(found[name].value, FLOAT)
                found[name] = scalar(short.value, promoted)
        return found


def _rounded(value: Any, dtype: DType) -> Any:
    """The same of a number that is traced."""
    if dtype is DOUBLE:
        return value
    return value.narrowed() if dtype is FLOAT else value.narrowed().narrowed(dtype)


def header_of(name: str, header: str = "") -> str:
    """The header of an operator: the one it names, or that of its name."""
    return header or f"aclnn_{name.removeprefix('inplace_')}.h"


def camel(name: str) -> str:
    """aclnn's spelling of one of our names.

    >>> camel("self_is_result"), camel("_smooth_l1_loss_backward")
    ('selfIsResult', 'SmoothL1LossBackward')
    """
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)
