"""What every rule is, and the words that rules share in two languages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from openaclnn.base.products import Product
from openaclnn.base.status import Status

if TYPE_CHECKING:
    from openaclnn.spec.call import Call
    from openaclnn.spec.op import Op

EN, ZH = LANGUAGES = ("en", "zh")


class Rule:
    """One demand. Rules are dataclasses, compared by what they say."""

    status = Status.PARAM_INVALID
    of_types = False  # whether what it refuses is a TypeError to Python

    def complaint(self, call: Call) -> str | None:
        """What came and what was expected, without the operator's name; None where all is well."""
        raise NotImplementedError

    def sentence(self, op: Op, language: str) -> str:
        """What is demanded."""
        raise NotImplementedError


def said(language: str, en: str, zh: str) -> str:
    return zh if language == ZH else en


def listed(products: Sequence[Product], language: str) -> str:
    return said(language, ", ", "、").join(product.name for product in products)


def all_of(names: Sequence[str], language: str) -> str:
    return _joined(names, *(("、", " 和 ") if language == ZH else (", ", " and ")))


def any_of(choices: Sequence[object], language: str = EN) -> str:
    """A, B or C.

    >>> any_of([1, 2, 3])
    '1, 2 or 3'
    """
    return _joined(list(map(str, choices)), *(("、", " 或 ") if language == ZH else (", ", " or ")))


def _joined(words: Sequence[str], comma: str, conjunction: str) -> str:
    if len(words) < 2:
        return "".join(words)
    return comma.join(words[:-1]) + conjunction + words[-1]


def names_of_outputs(op: Op) -> list[str]:
    return [output.name for output in op.outputs]
