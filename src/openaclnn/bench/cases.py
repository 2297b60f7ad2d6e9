"""A case: one operator, dtype, size, layout, level and way of calling; a cell of a table."""

from __future__ import annotations

from dataclasses import dataclass

from openaclnn.base.settings import EXACT, FAST

DTYPES = ("f32", "f16", "bf16")
SMALL = 2**10  # where the cost of the call itself shows
LARGE = 2**24  # from here on, operands are well beyond the cache

FUNCTION, PHASES, REPEATED, FROM_C = WAYS = ("function", "phases", "repeated", "c")
WAY_MEANINGS = {
    FUNCTION: "the one-line function on NumPy arrays, out= given",
    PHASES: "both phases from Python, tensors at hand",
    REPEATED: "phase 2 of a repeatable executor, from Python",
    FROM_C: "both phases from a C program, tensors at hand",
}

# Where float32 arithmetic gives the exact level at no cost, the exact level is what people compare.
_EXACT_BY_DEFAULT = {"hardsigmoid_backward", "leaky_relu_backward"}


@dataclass(frozen=True)
class Case:
    op: str
    dtype: str
    numel: int
    layout: str = "contiguous"
    level: str = EXACT
    way: str = PHASES

    def __str__(self) -> str:
        return f"{short(self.op)} {self.dtype} {size(self.numel)} {self.layout} {self.level}"


def usual_level(op: str) -> str:
    """The level at which the main tables compare an operator.

    >>> usual_level("leaky_relu_backward"), usual_level("silu_backward")
    ('exact', 'fast')
    """
    return EXACT if op in _EXACT_BY_DEFAULT else FAST


def short(op: str) -> str:
    """An operator's name without what all of them share.

    >>> short("silu_backward")
    'silu'
    """
    return op.removesuffix("_backward").removesuffix("_loss")


def size(numel: int) -> str:
    """
    >>> size(1024), size(1000)
    ('2^10', '1000')
    """
    exponent = numel.bit_length() - 1
    return f"2^{exponent}" if numel == 1 << exponent else str(numel)


def numel(text: str) -> int:
    """The number of elements that a text says; a power of two, so that every layout can be made.

    >>> numel("2^20"), numel("1024")
    (1048576, 1024)
    """
    base, _, exponent = text.partition("^")
    try:
        value: int = int(base) ** int(exponent or 1)
    except ValueError:
        value = 0
    if value < 256 or value & (value - 1):
        raise ValueError(f"{text!r} is no size; expected a power of two from 2^8, such as 2^20")
    return value
