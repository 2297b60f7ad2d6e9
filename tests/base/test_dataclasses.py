"""Dataclasses made quickly are like the standard library's."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any, ClassVar

import pytest

from openaclnn.base.records import dataclass

MAKERS = [dataclass, dataclasses.dataclass]


@dataclass(frozen=True, slots=True)
class Slotted:
    """At a module's level, as pickles want it."""

    a: int
    b: tuple[int, ...] = ()
    _: dataclasses.KW_ONLY
    c: bool = False


@pytest.fixture(params=MAKERS, ids=["quick", "standard"])
def make(request: pytest.FixtureRequest) -> Any:
    return request.param


def example(make: Any, **options: Any) -> Any:
    class Example:
        """An example."""

        shared: ClassVar[int] = 5
        a: int
        b: list[int] = dataclasses.field(default_factory=list)
        c: str = "c"

    Example.__qualname__ = "Example"
    return make(**options)(Example)


def test_values(make: Any) -> None:
    of = example(make)
    one = of(1)
    assert (one.a, one.b, one.c, one.shared) == (1, [], "c", 5)
    assert one.b is not of(1).b
    assert of(1, [2], c="d") == of(c="d", a=1, b=[2]) != of(1, [2])
    assert repr(one) == "Example(a=1, b=[], c='c')"
    assert one != (1, [], "c")
    with pytest.raises(TypeError):
        hash(one)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'a'"):
        of()
    one.a = 7
    assert dataclasses.replace(one, c="e") == of(7, [], "e")
    assert [field.name for field in dataclasses.fields(of)] == ["a", "b", "c"]
    match one:
        case of(7, [], "c"):
            pass
        case _:
            pytest.fail("its fields stand in their order")


def test_frozen(make: Any) -> None:
    of = example(make, frozen=True)
    one = of(1, (), "x")
    assert hash(one) == hash(of(1, (), "x"))
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.a = 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        del one.a
    assert copy.copy(one) == one


def test_by_identity(make: Any) -> None:
    of = example(make, frozen=True, eq=False)
    one = of(1)
    assert one == one != of(1)
    assert {one: 1}[one] == 1


def test_own_methods_stay(make: Any) -> None:
    @make(frozen=True)
    class Own:
        a: int

        def __repr__(self) -> str:
            return "own"

        def __hash__(self) -> int:
            return 3

    assert (repr(Own(1)), hash(Own(1))) == ("own", 3)


def test_heirs(make: Any) -> None:
    @make(frozen=True)
    class Base:
        a: int
        b: int = 2

    @make(frozen=True)
    class Heir(Base):
        c: int = 3

        def __post_init__(self) -> None:
            object.__setattr__(self, "b", self.b * 10)

    assert Heir(1) == Heir(1, 2, 3) != Base(1, 20)
    assert Heir(1).b == 20


def test_keywords(make: Any) -> None:
    @make(frozen=True)
    class Marked:
        a: int = dataclasses.field(default=1, kw_only=True)
        b: int
        c: bool = dataclasses.field(kw_only=True)

    assert Marked(2, c=True) == Marked(a=1, b=2, c=True)
    assert Marked.__match_args__ == ("b",)
    with pytest.raises(TypeError, match="positional argument"):
        Marked(2, True)
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'c'"):
        Marked(2)


def test_slots() -> None:
    one = Slotted(1, (2,), c=True)
    assert not hasattr(one, "__dict__")
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one
