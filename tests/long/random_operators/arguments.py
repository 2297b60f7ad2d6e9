"""Arguments of random operators: tensors, and host values of every kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from random_operators.dtypes import KINDS
from random_operators.formulas import Term

REQUIRED = object()  # the default of an attribute that has none
CHOICES = {"soft": 0, "plain": 1, "hard": 2}


@dataclass(frozen=True)
class Tensor:
    """An input (`In`), an output (`Out`), or what is changed (`InOut`), of one of these dtypes."""

    name: str
    role: str = "In"
    dtypes: tuple[str, ...] = ()
    optional: bool = False
    many: bool = False
    read: bool = True

    @property
    def c_name(self) -> str:
        return camel(self.name) + ("Ref" if self.role == "InOut" else "Optional" * self.optional)

    @property
    def source(self) -> str:
        facts = [repr(self.name), f'"tensor {self.name}"', f'"张量 {self.name}"']
        facts += ["optional=True"] * self.optional + ["many=True"] * self.many
        facts += ["read=False"] * (not self.read)
        return f"{self.role}({', '.join(facts)})"

    @property
    def term(self) -> Term:
        low = 0.0 if set(self.dtypes) <= {"bool", "u8"} else -4.0
        return Term(self.name, low, 1.0 if self.dtypes == ("bool",) else 4.0)


@dataclass(frozen=True)
class Host:
    """A kind of host values: its name in openaclnn.spec.host, its C type, what is drawn."""

    constant: str
    c_type: str
    values: tuple[Any, ...]
    questions: tuple[str, ...] = ()  # that a formula may ask of it, where it is no number
    fractions: bool = False  # more than an integer, so that integers are no company


_REALS = (0.0, 0.5, -1.25, 2.0, 3.5, 0.1, -0.7, 1.0)
_INTS = ((1,), (2, -1), (3, 0, 1), (-2, 1, 1, 0))
_FLOATS = ((0.5,), (1.0, -0.25), (0.125, 2.0, 1.5), (-0.0,))
_BOOLS = ((True,), (False,), (False, True), (False, False))
HOSTS: Mapping[str, Host] = {
    "int8": Host("INT8", "int8_t", (-4, -1, 0, 2, 3)),
    "int32": Host("INT32", "int32_t", (-3, 0, 1, 4)),
    "int64": Host("INT64", "int64_t", (-2, -1, 0, 3)),
    "uint32": Host("UINT32", "uint32_t", (0, 1, 2, 4)),
    "uint64": Host("UINT64", "uint64_t", (0, 1, 3)),
    "float": Host("FLOAT32", "float", _REALS, fractions=True),
    "double": Host("FLOAT64", "double", _REALS, fractions=True),
    "flag": Host("FLAG", "bool", (False, True), ("{0}",)),
    "scalar": Host("SCALAR", "aclScalar", (*_REALS, 1, -2, 3, True), fractions=True),
    "whole": Host("SCALAR", "aclScalar", (1, -2, 3, 0, True)),
    "ints": Host("INT_ARRAY", "aclIntArray", _INTS),
    "floats": Host("FLOAT_ARRAY", "aclFloatArray", _FLOATS, fractions=True),
    "bools": Host("BOOL_ARRAY", "aclBoolArray", _BOOLS, ("any({0})", "len({0}) > 1")),
    "dtype": Host("DATA_TYPE", "aclDataType", tuple(KINDS), ("{0}.itemsize > 2",)),
    "text": Host("TEXT", "char", ("sharp", "dull", ""), ('{0} == "sharp"',)),
    "choice": Host("INT64", "int64_t", (*CHOICES, *CHOICES.values()), ("{0} == 2",)),
}
POINTERS = {"scalar", "whole", "ints", "floats", "bools", "text"}


@dataclass(frozen=True)
class Attribute:
    """A host value of a kind of `HOSTS`."""

    name: str
    host: str
    default: Any = REQUIRED
    optional: bool = False
    promotes: bool = False
    not_negative: bool = False
    values: tuple[Any, ...] = ()  # to draw from, where they are not the kind's

    @property
    def kind(self) -> Host:
        return HOSTS[self.host]

    @property
    def is_number(self) -> bool:
        """Whether formulas see one number in it."""
        return not self.kind.questions and self.host not in ("ints", "floats")

    @property
    def c_name(self) -> str:
        return camel(self.name) + "Optional" * self.optional

    @property
    def source(self) -> str:
        facts = [repr(self.name), f'"value {self.name}"', f'"属性 {self.name}"']
        facts.append(f"host=host.{self.kind.constant}")
        if self.default is not REQUIRED:
            dtype = self.host == "dtype"
            facts.append(f"default={KINDS[self.default].name if dtype else repr(self.default)}")
        facts += [f"choices={CHOICES!r}"] * (self.host == "choice")
        facts += ["optional=True"] * self.optional + ["promotes=True"] * self.promotes
        return f"Attr({', '.join(facts)})"

    def draw(self, rng: Random) -> Any:
        """A value as a Python user gives it."""
        value = rng.choice(self.values or self.kind.values)
        return abs(value) if self.not_negative else value

    @property
    def term(self) -> Term:
        """The number that it is in a formula."""
        if not self.is_number:
            return Term(f"sum({self.name})", -8.0, 8.0, symbol=False)
        low = 0.0 if self.not_negative or self.host.startswith("u") else -4.0
        return Term(self.name, low, 4.0, steps=1)

    def question(self, rng: Random) -> str:
        """What a formula asks of it in Python."""
        asked = "{0} is not None" if self.default is None else rng.choice(self.kind.questions)
        return asked.format(self.name)


def camel(name: str) -> str:
    """aclnn's spelling: x_one is xOne."""
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)
