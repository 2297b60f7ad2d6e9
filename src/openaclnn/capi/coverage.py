"""What a program uses of aclnn and the runtime: operators, runtime functions and headers, each
computed, declared or absent."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from openaclnn import ops
from openaclnn.base.products import Product
from openaclnn.base.records import dataclass
from openaclnn.capi import build, entries, runtime_api
from openaclnn.capi.usage import Usage

COMPUTED, OTHER_PRODUCT, DECLARED, ABSENT = "computed", "other product", "declared", "absent"
AVAILABLE = "available"  # a runtime function, a header
STATES = (COMPUTED, AVAILABLE, OTHER_PRODUCT, DECLARED, ABSENT)
OPERATOR, RUNTIME, HEADER = "operator", "runtime", "header"


@dataclass(frozen=True)
class Covered:
    """A name that a program uses, and whether it is here."""

    name: str
    kind: str  # operator, runtime or header
    state: str  # one of STATES
    where: str
    products: tuple[Product, ...] = ()  # of a computed operator
    by_name: bool = False  # it is looked up, so that the program may do without

    @property
    def here(self) -> bool:
        """Whether a program can use it on the chip in question."""
        return self.state in (COMPUTED, AVAILABLE)

    def facts(self) -> dict[str, Any]:
        """The same for programs to read."""
        found: dict[str, Any] = {
            "name": self.name, "kind": self.kind, "state": self.state, "where": self.where,
            "by_name": self.by_name,
        }  # fmt: skip
        names = [product.name for product in self.products]
        return {**found, "products": names} if names else {**found}


def covered(uses: Iterable[Usage], product: Product) -> list[Covered]:
    """What is known of every name; types and other words of the headers are left out."""
    found: list[Covered] = []
    for use in uses:
        kind = _kind(use.name)
        if kind:
            state, on = _state(use.name, kind, product)
            found.append(Covered(use.name, kind, state, use.where, on, use.by_name))
    return found


def counts(found: Sequence[Covered], kind: str) -> dict[str, int]:
    """How many of a kind are in each state that some are in."""
    counted = Counter(one.state for one in found if one.kind == kind)
    return {state: counted[state] for state in STATES if counted[state]}


def _kind(name: str) -> str | None:
    """What a name is; None where it is no function or header of the API."""
    if name.endswith(".h"):
        return HEADER
    if name in _runtime() or (name.startswith("acl.") and name not in _of_python()):
        return RUNTIME
    if name in _other_words() or not re.match("(acl|Hccl)[a-z]*[A-Z]", name):
        return None
    return OPERATOR if re.match("aclnn[A-Z]", name) else RUNTIME


def _state(name: str, kind: str, product: Product) -> tuple[str, tuple[Product, ...]]:
    """The state of a name, and the chips that have the operator."""
    if kind == HEADER:
        return (AVAILABLE if name in _headers() else ABSENT), ()
    if kind == RUNTIME:
        return (AVAILABLE if name in _runtime() else ABSENT), ()
    computed, declared = _operators()
    if name in computed:
        return (COMPUTED if product in computed[name] else OTHER_PRODUCT), computed[name]
    return (DECLARED if name in declared else ABSENT), ()


@cache
def _operators() -> tuple[dict[str, tuple[Product, ...]], set[str]]:
    computed = {op.c_name: tuple(op.products) for op in ops.all_ops().values()}
    return computed, {op.c_name for op in ops.declared().values()}


@cache
def _headers() -> set[str]:
    names = (*build.headers(), *entries.own_headers())
    return {name.rpartition("/")[2] for name in names}


@cache
def _runtime() -> set[str]:
    """The functions that are there, in C and in pyACL."""
    found = {function.name for function in runtime_api.ENTRIES}
    return found | {function.python_name or "" for function in runtime_api.ENTRIES}


@cache
def _of_python() -> set[str]:
    """What the module `acl` has besides: read from its files, which need no library for that."""
    found = set()
    for path in (build.HERE / "python" / "acl").glob("*.py"):
        part = "acl" if path.stem == "__init__" else f"acl.{path.stem}"
        text = path.read_text(encoding="utf-8")
        found |= {f"{part}.{name}" for name in re.findall(r"^(?:def|class) (\w+)", text, re.M)}
    return found


@cache
def _other_words() -> set[str]:
    """The types and constants of our headers."""
    words = {w for text in build.headers().values() for w in re.findall(r"\bacl\w*", text)}
    computed, declared = _operators()
    return words - _runtime() - set(computed) - declared
