"""The chips that openaclnn emulates; one is chosen by name."""

from __future__ import annotations

from openaclnn.base.records import dataclass


@dataclass(frozen=True, eq=False)
class Product:
    """A product line: its name, its chips, and what its operators can do."""

    name: str
    line: str
    chips: tuple[str, ...]  # as `aclrtGetSocName` says them; the first stands for the line
    bf16: bool = True

    def __repr__(self) -> str:
        return self.name

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that chooses the product."""
        return (self.name, *self.chips)


def _chips(line: str, *endings: str) -> tuple[str, ...]:
    return tuple(f"{line}{ending}" for ending in endings)


ASCEND910B = Product(
    "Ascend910B", "Atlas A2", _chips("Ascend910B", "3", "1", "2", "2C", "4", "4-1")
)
ASCEND910_93 = Product(
    "Ascend910_93", "Atlas A3", _chips("Ascend910_93", "91", "92", "81", "82", "72", "62", "63")
)
ASCEND950 = Product("Ascend950", "Ascend 950PR/950DT", _chips("Ascend950", "PR", "DT"))
ASCEND910 = Product(
    "Ascend910", "Atlas training", _chips("Ascend910", "A", "ProA", "PremiumA", "ProB"), bf16=False
)
ASCEND310P = Product(
    "Ascend310P", "Atlas inference", _chips("Ascend310P", "3", "1", "2", "4", "5", "7"), bf16=False
)
ASCEND310B = Product(
    "Ascend310B", "Atlas 200I/500 A2", _chips("Ascend310B", "1", "2", "3", "4"), bf16=False
)

ALL = (ASCEND910B, ASCEND910_93, ASCEND950, ASCEND910, ASCEND310P, ASCEND310B)
DEFAULT = ASCEND910B


def by_name(name: str) -> Product:
    """The product of a name, its own or a chip's, whatever its case.

    >>> by_name("ascend950").line, by_name("Ascend910B2").line
    ('Ascend 950PR/950DT', 'Atlas A2')
    """
    for product in ALL:
        if name.lower() in (known.lower() for known in product.names):
            return product
    raise ValueError(f"{name!r} is no product; expected one of {expected()}")


def expected() -> str:
    """The names that there are, as a refusal names them."""
    known = ", ".join(product.name for product in ALL)
    return f"{known}, or a chip such as {DEFAULT.chips[0]}"
