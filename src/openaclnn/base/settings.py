"""What a call may depend on besides its arguments: the math level and the product."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from openaclnn.base import products
from openaclnn.base.products import Product
from openaclnn.base.records import dataclass
from openaclnn.base.status import AclnnError, Status

EXACT, FAST = LEVELS = ("exact", "fast")
DEVICES = ("auto", "cpu", "cuda")


@dataclass(frozen=True, eq=False, slots=True)
class Settings:
    """One combination of level and product; each exists once, so it can key a cache."""

    level: str
    product: Product


@cache
def _settings(level: str, product: Product) -> Settings:
    return Settings(level, product)


_chosen: ContextVar[Settings | None] = ContextVar("openaclnn settings", default=None)


@cache
def _from_environment() -> Settings:
    return _settings(level_choice(), product_choice())


def level_choice() -> str:
    """OPENACLNN_MATH: exact or fast."""
    return _choice("OPENACLNN_MATH", LEVELS)


def _choice(variable: str, choices: tuple[str, ...]) -> str:
    value = os.environ.get(variable) or choices[0]
    if value not in choices:
        raise AclnnError(
            Status.RUNTIME_ERROR, f"{variable} is {value!r}; expected one of {', '.join(choices)}"
        )
    return value


def product_choice() -> Product:
    """OPENACLNN_SOC: a product, or one of its chips."""
    name = os.environ.get("OPENACLNN_SOC") or products.DEFAULT.name
    try:
        return products.by_name(name)
    except ValueError as error:
        raise AclnnError(Status.RUNTIME_ERROR, f"OPENACLNN_SOC: {error}") from None


# The `with` block's settings, or None for the environment's. That is read once, so calls with the
# same choice have the same settings: to tell calls apart this suffices, at a third of the cost.
choice = _chosen.get


def current() -> Settings:
    """The settings of the running thread or task: a `with` block's, else the environment's."""
    return choice() or _from_environment()


def device_choice() -> str:
    """OPENACLNN_DEVICE: auto, cpu or cuda."""
    return _choice("OPENACLNN_DEVICE", DEVICES)


@contextmanager
def using(*, math: str | None = None, product: str | None = None) -> Iterator[None]:
    """Set the level of arithmetic ("exact" or "fast") and the emulated product inside a `with`
    block; what is not given stays as it is.

    >>> with using(math="fast", product="Ascend950"):
    ...     current().level, current().product
    ('fast', Ascend950)
    """
    if math is not None and math not in LEVELS:
        raise ValueError(f"{math!r} is no math level; expected one of {', '.join(LEVELS)}")
    now = current()
    chosen = now.product if product is None else products.by_name(product)
    with _choosing(_settings(math or now.level, chosen)):
        yield


@contextmanager
def _choosing(settings: Settings) -> Iterator[None]:
    token = _chosen.set(settings)
    try:
        yield
    finally:
        _chosen.reset(token)
