"""The chips whose rules the library can play; one is chosen by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Product:
    """A product line: the name `aclrtGetSocName` reports, and what its operators can do."""

    name: str
    line: str
    bf16: bool = True

    def __repr__(self) -> str:
        return self.name


ASCEND910B = Product("Ascend910B", "Atlas A2")
ASCEND910_93 = Product("Ascend910_93", "Atlas A3")
ASCEND950 = Product("Ascend950", "Ascend 950PR/950DT")
ASCEND910 = Product("Ascend910", "Atlas training", bf16=False)
ASCEND310P = Product("Ascend310P", "Atlas inference", bf16=False)
ASCEND310B = Product("Ascend310B", "Atlas 200I/500 A2", bf16=False)

ALL = (ASCEND910B, ASCEND910_93, ASCEND950, ASCEND910, ASCEND310P, ASCEND310B)
DEFAULT = ASCEND910B


def by_name(name: str) -> Product:
    """The product of a name, whatever its case.

    >>> by_name("ascend950").line
    'Ascend 950PR/950DT'
    """
    for product in ALL:
        if product.name.lower() == name.lower():
            return product
    known = ", ".join(product.name for product in ALL)
    raise ValueError(f"{name!r} is no product; expected one of {known}")
