"""What a kernel of a product is written for, and the words of its argument block."""

from __future__ import annotations

from dataclasses import KW_ONLY
from functools import lru_cache

from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, DType
from openaclnn.base.records import dataclass
from openaclnn.base.trace import least
from openaclnn.engines.cpu import compile

NAME = "openaclnn_kernel"
CHUNK = 128  # of K, of which sums are added up in registers
LINE = 1 << 14  # terms at most that a row has with other lines before their sum is kept
TURNS = 4  # vectors of a line whose products are added up apart
AHEAD = 8192  # bytes: as far before they are read numbers are asked for that are read once
ROWS_AT_ONCE = 4  # of a factor that is read across, whose products are added up together
BITS = {FLOAT16: 11, BF16: 8, FLOAT: 24}

# a record of a table: how far along the operands, and the two positions, in the place of which
# quantised numbers have their scale and offset
A, B, C, OUT, HIGH, WIDE = range(6)
SCALE, OFFSET = HIGH, WIDE
RECORD = 6
DIMENSION = 8  # words: a size, a record, nothing


@dataclass(frozen=True)
class RegisterTile:
    """Lanes of a vector; rows and vectors of columns that fit into the registers."""

    lanes: int
    rows: int
    vectors: int

    @property
    def columns(self) -> int:
        return self.lanes * self.vectors


@lru_cache(maxsize=1)
def tile() -> RegisterTile:
    """The tile for this processor's registers."""
    if compile.has("avx512f"):
        return RegisterTile(8, 8, 3)
    if compile.has("avx"):
        return RegisterTile(4, 4, 3)
    return RegisterTile(2, 8, 3) if compile.has("neon") else RegisterTile(2, 4, 2)


# Along which dimension an operand is contiguous, when it is packed: along K, along the rows (or
# columns), along none; or it is read through a window.
ALONG_K, ALONG_LINES, STRIDED, WINDOW = "k", "1", "s", "w"


@dataclass(frozen=True)
class ProductKind:
    """What a kernel is printed for. `acc` is what sums are added up in: f64, i32 or i64."""

    a: DType
    b: DType
    c: DType | None
    out: DType
    acc: str
    a_pattern: str
    b_pattern: str
    _: KW_ONLY
    out_contiguous: bool
    scaled: bool  # whether there are alpha and beta other than 1
    scale: DType | None = None  # of quantised numbers in b
    offset: DType | None = None
    scales_along: bool = False  # whether both are contiguous along the columns

    @property
    def certified(self) -> bool:
        return self.acc == "f64" and DOUBLE not in (self.a, self.b, self.c, self.out)

    @property
    def by_lines(self) -> bool:
        """Whether a product of one row reads the other factor as it lies, once, along K."""
        return self.certified and self.a_pattern == self.b_pattern == ALONG_K

    @property
    def across_lines(self) -> bool:
        """The same of a factor that is contiguous along the columns."""
        along = (self.a_pattern, self.b_pattern) == (ALONG_K, ALONG_LINES)
        return self.certified and along and (self.scales_along or not self.scale)

    def additions(self, k: int, row: bool, group: int) -> int:
        """How many additions a term of K takes part in, at most."""
        chunks = -(-k // CHUNK)
        if not (row and self.by_lines):
            few: int = least(k, CHUNK) + chunks
            return few
        at_once = TURNS * (lanes := tile().lanes)
        spans: int = -(-least(k, LINE) // at_once)
        # the last terms of each stretch are added up one after the other
        rest: int = least(k, LINE if group and group % at_once else at_once)
        return spans + rest + TURNS + lanes + chunks

    @property
    def short(self) -> bool:
        """Whether sums of products are often exact: those of 16-bit numbers."""
        return self.certified and {self.a, self.b} <= {FLOAT16, BF16}


class Words:
    """Where each word of a kernel's argument block stands."""

    NAMES = (
        "a", "b", "c", "out", "scale", "offset", "m", "n", "k", "block_m", "block_n", "blocks_m",
        "blocks_n", "alpha", "beta", "gamma", "init", "absorb", "value", "high", "wide", "group",
        "scale_step", "offset_step", "batch_dims", "m_dims", "n_dims", "k_dims", "start",
    )  # fmt: skip
    AT = {name: number for number, name in enumerate(NAMES)}  # noqa: RUF012
    DIMS = len(NAMES) - 1 + RECORD  # `start` is a record
