"""Draws operators: arities, roles, dtypes, attributes, outputs, formulas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from random_operators.arguments import HOSTS, POINTERS, Attribute, Tensor
from random_operators.dtypes import ALL, FLOATS, INTEGERS
from random_operators.formulas import Drawing, Term

MEMBERS = ("t0", "t1", "t2", "t3")  # of a list, in a formula


@dataclass(frozen=True)
class Operator:
    """One operator: arguments in C order, and the formula of every output."""

    name: str
    arguments: tuple[Tensor | Attribute, ...]
    formulas: tuple[Term, ...]
    how: str = "elementwise"  # or joined, folded, halved, created
    shapes: str = "broadcast"  # or same, into
    one_dtype: bool = False  # whether inputs and outputs share one
    made: tuple[str, ...] = ("promoted",)  # each output's dtype: promoted, bool, or an argument's
    wide: bool = True  # whether FLOAT is computed in float64 at level exact
    share: bool = False  # whether 1/n is among the numbers

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return tuple(a for a in self.arguments if isinstance(a, Tensor))

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        return tuple(a for a in self.arguments if isinstance(a, Attribute))

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """What a function takes."""
        return tuple(t for t in self.tensors if t.role != "Out")

    @property
    def reads(self) -> tuple[Tensor, ...]:
        return tuple(t for t in self.inputs if t.read)

    @property
    def outputs(self) -> tuple[Tensor, ...]:
        return tuple(t for t in self.tensors if t.role != "In")

    @property
    def changed(self) -> Tensor | None:
        """The tensor that is read and written, or only overwritten in place."""
        return next((t for t in self.tensors if t.role == "InOut"), None)

    @property
    def casts(self) -> bool:
        """Whether an output may have another dtype than the result."""
        return not self.one_dtype and self.made[0] in ("promoted", "bool")

    @property
    def parameters(self) -> tuple[str, ...]:
        """What the formula reads."""
        known = {"joined": ("self",), "folded": MEMBERS, "halved": ("first", "second")}
        tensors = known.get(self.how, tuple(t.name for t in self.reads))
        shaping = ("size", "dim")  # which say where, not what
        attributes = [a.name for a in self.attributes if a.name not in shaping]
        return (*tensors, *attributes, *["share"] * self.share)

    @property
    def c_name(self) -> str:
        return "aclnn" + "".join(word[:1].upper() + word[1:] for word in self.name.split("_"))


_INPUTS = ("self", "other", "x1", "grad_output", "input", "weight", "map", "target_size")
_OPTIONALS = ("bias", "pos_weight", "index", "x3")
_OUTPUTS = ("out", "grad_input", "y", "result")
# what Python or its builtins know by these names, too
_ATTRIBUTES = ("alpha", "beta", "min", "max", "type", "repr", "tuple", "from_", "p_norm", "range")
_VERBS = ("bend", "fold", "melt", "shift", "twist", "soft_clip", "mix", "scale", "l1_gate", "pair")
_ENDINGS = ("", "", "", "s", "_backward", "_v2")
_SIZES = ((3,), (2, 5), (), (4, 0), (1, 2, 3))
_KINDS = {"elementwise": 9, "changing": 4, "created": 1, "filling": 1, "joined": 1, "folded": 1,
          "halved": 1}  # fmt: skip


def draw(count: int, seed: int) -> list[Operator]:
    """The same for the same numbers everywhere; a longer list begins with a shorter one."""
    return [_Draw(Random(f"{seed} {number}"), number).operator() for number in range(count)]


class _Draw:
    """Draws one operator. Its formulas are of floats, of any numbers, or of integers only."""

    def __init__(self, rng: Random, number: int) -> None:
        self.rng = rng
        self.mode = rng.choice(["floats", "floats", "whole", "modular"])
        self.double = rng.random() < 0.35
        self.name = f"{rng.choice(_VERBS)}_{_letters(number)}{rng.choice(_ENDINGS)}"
        self.names = rng.sample(_ATTRIBUTES, len(_ATTRIBUTES))
        self.dtypes = self.some_dtypes()
        self.wide = rng.random() < 0.8

    def operator(self) -> Operator:
        kind = self.rng.choices(list(_KINDS), list(_KINDS.values()))[0]
        return getattr(self, kind)()  # type: ignore[no-any-return]

    @property
    def whole(self) -> bool:
        return self.mode != "floats"

    def some_dtypes(self) -> tuple[str, ...]:
        floats = (*FLOATS, "f64") if self.double else FLOATS
        some = {"modular": (*INTEGERS, "bool"), "whole": ALL, "floats": floats}[self.mode]
        if self.rng.random() < 0.5:
            return some
        return tuple(sorted(self.rng.sample(some, self.rng.randint(1, len(some))), key=ALL.index))

    def formula(
        self,
        tensors: Sequence[Tensor],
        attributes: Sequence[Attribute],
        more: Sequence[Term] = (),
        condition: bool = False,
    ) -> Term:
        functions = not self.whole and not self.double
        drawing = Drawing(self.rng, self.whole, self.mode == "modular", functions)
        terms = [t.term for t in tensors if not t.optional]
        terms += [a.term for a in attributes if not a.kind.questions]
        optional = [t.term for t in tensors if t.optional]
        questions = [a.question(self.rng) for a in attributes if a.kind.questions]
        return drawing.formula([*terms, *more], optional, questions, condition)

    def attributes(self, most: int = 3) -> list[Attribute]:
        usable = [
            name
            for name, host in HOSTS.items()
            if not (host.fractions and self.whole) and name != "dtype"
        ]
        return [self.attribute(self.rng.choice(usable)) for _ in range(self.rng.randint(0, most))]

    def attribute(self, host: str, values: tuple[Any, ...] = ()) -> Attribute:
        rng = self.rng
        found = Attribute(
            self.names.pop(), host, values=values, optional=host in POINTERS and rng.random() < 0.3
        )
        if found.is_number and not host.startswith("u") and rng.random() < 0.2:
            found = replace(found, not_negative=True)
        if found.optional or rng.random() < 0.6:
            null = found.optional and found.kind.questions and rng.random() < 0.5
            found = replace(found, default=None if null else found.draw(rng))
        return found

    def elementwise(self) -> Operator:
        rng, dtypes = self.rng, self.dtypes
        one_dtype = rng.random() < 0.25
        inputs = [
            Tensor(name, dtypes=dtypes) for name in rng.sample(_INPUTS, rng.choice([1, 1, 2, 2, 3]))
        ]
        for name in rng.sample(_OPTIONALS, rng.choice([0, 0, 0, 1, 2])):
            mask = not one_dtype and rng.random() < 0.4
            inputs.append(Tensor(name, dtypes=("bool",) if mask else dtypes, optional=True))
        attributes, made = self.attributes(), ["promoted"] * rng.choice([1, 1, 1, 2])
        if not one_dtype:
            made = ["bool" if rng.random() < 0.2 else one for one in made]
            if made == ["promoted"] and rng.random() < 0.15:
                attributes.append(self.attribute("dtype"))
                made = [attributes[-1].name]
            elif rng.random() < 0.2:
                other = self.attribute("whole" if self.whole else "scalar")
                other = replace(other, optional=False, not_negative=False, promotes=True)
                attributes.append(other)
        share = not self.whole and rng.random() < 0.2
        more = [Term("share", 0.0, 1.0, steps=1)] * share
        outputs = [
            Tensor(name, "Out", optional=number > 0 and rng.random() < 0.5)
            for number, name in enumerate(rng.sample(_OUTPUTS, len(made)))
        ]
        formulas = [self.formula(inputs, attributes, more, one == "bool") for one in made]
        ignored = [Tensor("buffer", dtypes=dtypes, read=False)] * (rng.random() < 0.1)
        arguments: list[Tensor | Attribute] = [*inputs, *ignored, *attributes]
        if rng.random() < 0.2:
            rng.shuffle(arguments)
        return Operator(
            self.name, (*arguments, *outputs), tuple(formulas), one_dtype=one_dtype,
            shapes=rng.choice(["broadcast", "same"]), made=tuple(made), wide=self.wide, share=share,
        )  # fmt: skip

    def changing(self) -> Operator:
        """A tensor is changed in place, or overwritten; at times there is a result beside it, as of
        an operator that keeps statistics."""
        rng, dtypes, attributes = self.rng, self.dtypes, self.attributes(2)
        read, beside = rng.random() < 0.8, rng.random() < 0.25
        names = rng.sample(_INPUTS[1:], rng.randint(0 if read else 1, 2))
        others = [Tensor(name, dtypes=dtypes) for name in names]
        if rng.random() < 0.3:
            others.append(Tensor("bias", dtypes=dtypes, optional=True))
        tensors = [Tensor("self", "InOut", dtypes, read=read or beside), *others]
        formulas = tuple(
            self.formula([t for t in tensors if t.read], attributes) for _ in range(1 + beside)
        )
        if beside:
            return Operator(
                self.name, (*tensors, *attributes, Tensor("out", "Out")), formulas,
                shapes="same", one_dtype=True, made=("promoted", "promoted"), wide=self.wide,
            )  # fmt: skip
        if rng.random() < 0.2:
            rng.shuffle(tensors)
        return Operator(
            f"inplace_{self.name}", (*tensors, *attributes), formulas, shapes="into", wide=self.wide
        )

    def created(self) -> Operator:
        size, dtype = Attribute("size", "ints", values=_SIZES), self.attribute("dtype", self.dtypes)
        attributes, output = self.attributes(), Tensor(self.rng.choice(_OUTPUTS), "Out")
        return Operator(
            self.name, (size, *attributes, dtype, output),
            (self.formula([], [*attributes, dtype]),), how="created", made=(dtype.name,),
        )  # fmt: skip

    def filling(self) -> Operator:
        self.mode = "whole"
        attributes = self.attributes(2)
        return Operator(
            f"inplace_{self.name}", (Tensor("self", "InOut", ALL, read=False), *attributes),
            (self.formula([], attributes),), how="created", shapes="into", made=("self",),
        )  # fmt: skip

    def joined(self) -> Operator:
        return self.of_list("joined", [Tensor("self", dtypes=self.dtypes)], (0, -1))

    def folded(self) -> Operator:
        members = [Tensor(name, dtypes=self.dtypes, optional=name != "t0") for name in MEMBERS]
        return self.of_list("folded", members)

    def halved(self) -> Operator:
        parts = [Tensor(name, dtypes=self.dtypes) for name in ("first", "second")]
        return self.of_list("halved", parts, (-1, 0))

    def of_list(self, how: str, read: list[Tensor], dims: tuple[int, ...] = ()) -> Operator:
        """A list, or what is cut in parts: the formula reads others than were given."""
        attributes = self.attributes(2)
        formula = self.formula(read, attributes)
        if dims:
            attributes.append(Attribute("dim", "int64", default=dims[0], values=dims))
        name = "self" if how == "halved" else "tensors"
        given = Tensor(name, dtypes=self.dtypes, many=how != "halved")
        arguments = (given, *attributes, Tensor("out", "Out"))
        return Operator(self.name, arguments, (formula,), how=how, wide=self.wide)


def _letters(number: int) -> str:
    """A word for a number: 0 is a, 18 is ba. None ends in s, as names of variants do."""
    rest = "abcdefghijklmnopqr"[number % 18]
    return rest if number < 18 else _letters(number // 18) + rest
