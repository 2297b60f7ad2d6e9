"""A case: one operator, dtype, size, layout, level and way of calling; a cell of a table. And what
is worth knowing of an operator here, all of it read from its file."""

from __future__ import annotations

from functools import cache

from openaclnn.arithmetic.lower import lower
from openaclnn.base.dtypes import ALL, FLOAT, DType
from openaclnn.base.records import dataclass
from openaclnn.base.settings import EXACT, FAST
from openaclnn.ops import find
from openaclnn.spec import describe
from openaclnn.spec.op import Op
from openaclnn.spec.steps import elementwise

DTYPES = tuple(dtype.short for dtype in ALL if dtype.kind in ("float", "int", "bool"))
_USUAL = ("f32", "f16", "bf16")  # where nothing is said, as far as an operator takes them
SMALL = 2**10  # where the cost of the call itself shows
LARGE = 2**24  # from here on, operands are well beyond the cache

WAYS = ("function", "tensors", "new", "phases", "repeated", "c", "c-repeated")
FUNCTION, TENSORS, NEW, PHASES, REPEATED, FROM_C, REPEATED_FROM_C = WAYS
WAY_MEANINGS = {
    FUNCTION: "the one-line function on NumPy arrays, out= given",
    TENSORS: "the one-line function on PyTorch's tensors, out= given",
    NEW: "the one-line function on NumPy arrays, each time with a new shape",
    PHASES: "both phases from Python, existing tensors",
    REPEATED: "phase 2 of a repeatable executor, from Python",
    FROM_C: "both phases from a C program, existing tensors",
    REPEATED_FROM_C: "phase 2 of a repeatable executor, from a C program",
}


@dataclass(frozen=True)
class Case:
    op: str
    dtype: str
    numel: int
    layout: str = "contiguous"
    level: str = EXACT
    way: str = PHASES

    def __str__(self) -> str:
        return " ".join(self.facts)

    @property
    def facts(self) -> list[str]:
        """What tells it apart, for the columns of a table."""
        return [self.op, self.dtype, size(self.numel), self.layout, self.level, self.way]


FACTS = ("operator", "dtype", "size", "layout", "level", "way")


def dtypes(op: str) -> tuple[str, ...]:
    """The dtypes in which an operator is measured where nothing is said."""
    taken = [dtype.short for dtype in describe.dtypes(find(op))]
    return tuple(name for name in _USUAL if name in taken) or (taken[0],)


def main_dtype(op: Op) -> DType:
    taken = describe.dtypes(op)
    return FLOAT if FLOAT in taken else taken[0]


@cache
def usual_level(op: str) -> str:
    """The level at which the main tables compare an operator: exact where that costs nothing.

    >>> usual_level("leaky_relu_backward"), usual_level("silu_backward")
    ('exact', 'fast')
    """
    found = find(op)
    exact, fast = (found.computes_in(main_dtype(found), level) for level in (EXACT, FAST))
    return EXACT if exact == fast else FAST


@cache
def memory_bound(op: str) -> bool:
    """Whether a kernel's instructions hardly tell beside its loads and stores.

    >>> memory_bound("leaky_relu_backward"), memory_bound("silu_backward")
    (True, False)
    """
    found = find(op)
    if found.steps is not elementwise:
        return False
    dtype = main_dtype(found)
    compute = found.computes_in(dtype, FAST)
    tree = found.traced_in(compute)
    body = lower(tree, (dtype,) * len(tree.inputs), dtype, (dtype,) * len(tree.results), compute)
    return not body.costly


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
