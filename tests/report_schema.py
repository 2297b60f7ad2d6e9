"""What the formats of reports demand, as far as reports use them: our own JSON lines, and SARIF
2.1.0 (OASIS), whose objects have no members but those that it names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Check = Callable[[Any, str], None]


@dataclass(frozen=True)
class Members:
    """An object with certain members; those that are optional may lack, others may not be there."""

    needed: Mapping[str, Check]
    optional: Mapping[str, Check]

    def __call__(self, value: Any, where: str) -> None:
        assert isinstance(value, dict), where
        assert set(self.needed) <= set(value), f"{where} lacks {set(self.needed) - set(value)}"
        known = {**self.needed, **self.optional}
        assert set(value) <= set(known), f"{where} has {set(value) - set(known)}"
        for name, member in value.items():
            known[name](member, f"{where}.{name}")


def members(optional: Mapping[str, Check] | None = None, **needed: Check) -> Members:
    return Members(needed, optional or {})


def each(check: Check) -> Check:
    def checked(value: Any, where: str) -> None:
        assert isinstance(value, list), where
        for number, item in enumerate(value):
            check(item, f"{where}[{number}]")

    return checked


def values(check: Check) -> Check:
    def checked(value: Any, where: str) -> None:
        assert isinstance(value, dict), where
        for name, item in value.items():
            check(item, f"{where}.{name}")

    return checked


def text(value: Any, where: str) -> None:
    assert isinstance(value, str), where


def number(least: int) -> Check:
    def checked(value: Any, where: str) -> None:
        assert type(value) is int, where
        assert value >= least, where

    return checked


def one_of(*allowed: str) -> Check:
    def checked(value: Any, where: str) -> None:
        assert value in allowed, f"{where} is {value!r}"

    return checked


_PLACE = members(function=text, file=text, line=number(0))
_CALL = {"number": number(1), "name": text, "arguments": values(text), "stack": each(_PLACE)}
FINDING = members(
    kind=text, level=one_of("error", "warning", "note"), message=text, process=number(1),
    count=number(1),
    call=members(**_CALL), related=each(members(label=text, **_CALL)), advice=text,
)  # fmt: skip
SUMMARY = members(summary=values(number(1)), suppressed=number(0), incomplete=each(text))


def _name_or_nothing(value: Any, where: str) -> None:
    assert value is None or isinstance(value, str), where


def _yes_or_no(value: Any, where: str) -> None:
    assert isinstance(value, bool), where


KILLED = members(
    killed=_name_or_nothing, process=number(1), last=each(members(returned=_yes_or_no, **_CALL))
)

_MESSAGE = members(text=text)
_PHYSICAL = members(
    artifactLocation=members(uri=text, optional={"uriBaseId": text, "index": number(-1)}),
    optional={"region": members(startLine=number(1), optional={"startColumn": number(1)})},
)
_LOCATION = members(optional={"id": number(-1), "physicalLocation": _PHYSICAL, "message": _MESSAGE})
_RESULT = members(
    message=_MESSAGE,
    optional={
        "ruleId": text, "level": one_of("none", "note", "warning", "error"),
        "locations": each(_LOCATION), "relatedLocations": each(_LOCATION),
        "occurrenceCount": number(1),
    },
)  # fmt: skip
_RULE = members(
    id=text,
    optional={
        "shortDescription": _MESSAGE,
        "help": _MESSAGE,
        "properties": members(optional={"tags": each(text)}),
        "defaultConfiguration": members(optional={"level": one_of("note", "warning", "error")}),
    },
)
_DRIVER = members(name=text, optional={"version": text, "rules": each(_RULE)})
_RUN = members(
    tool=members(driver=_DRIVER),
    optional={"results": each(_RESULT), "originalUriBaseIds": values(members(uri=text))},
)
SARIF = members(version=one_of("2.1.0"), runs=each(_RUN), optional={"$schema": text})
