"""Attention: softmax(scale · Q·Kᵀ + mask) · V, computed one panel of query rows at a time.

Both products are contractions (spec/contraction.py). Scores lie in scratch memory as DOUBLE, so
that large ones keep their digits; probabilities are rounded to FLOAT, and each result is the exact
sum of their products with the values, rounded once. A panel has a bounded number of scores; what
comes out does not depend on it. A row of which every score is -inf is 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from typing import Any

from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, DType
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import contiguous_strides
from openaclnn.spec.call import Call
from openaclnn.spec.contraction import contracted
from openaclnn.spec.formula import Expr, exp, fold, log, not_equal, where
from openaclnn.spec.host import INT64
from openaclnn.spec.op import Attr
from openaclnn.spec.proof import Bound, Proof
from openaclnn.spec.steps import Part, Step, copied, integer, narrowed, places, scratch

Ranges = Mapping[str, tuple[int, int]]
Shape = tuple[int, ...]

PANEL = 1 << 20  # scores, at most, but for one row of the heads that share their keys

# letters of a layout's dimensions: batch, heads, rows, elements of a head; H is heads and elements
LAYOUTS = {"BSND": "bsnd", "BNSD": "bnsd", "BSH": "bsh", "SBH": "sbh"}
QUERY, KEY, VALUE, SCORES = "bhgsd", "bhtd", "bhtv", "bhgst"
OUT, STATISTIC = "bhgsv", "bhgs1"


def probabilities(
    scores: Expr,
    scale_value: Expr,
    added: Expr | None,
    added_before: Expr | None,
    mask: Expr | None,
    behind: Expr | None,
    ahead: Expr | None,
) -> tuple[Expr, Expr, Expr, Expr]:
    """The softmax of scores; their maximum, the sum of the powers, and the logarithm of that sum
    of all powers."""
    x = (scores if added_before is None else scores + added_before) * scale_value
    x = x if added is None else x + added
    for outside in (behind, ahead):
        x = x if outside is None else where(outside > 0, -math.inf, x)
    x = x if mask is None else where(not_equal(mask, 0), -math.inf, x)
    largest = fold(x, "max", over="keys")
    power = exp(x - largest)
    total = fold(power, "add", over="keys")
    nothing = largest <= -math.inf  # NaN is none
    return (
        where(nothing, 0, power / total),
        largest,
        where(nothing, 0, total),
        where(nothing, -math.inf, log(total) + largest),
    )


@dataclass(frozen=True)
class Attention:
    """What one is over: parts whose dimensions are batch, heads of keys (h), heads of queries for
    each (g), rows of queries (s), elements of a head (d), keys (t), elements of a value (v).

    `query` has bhgsd, `key` bhtd, `value` bhtv, `out` bhgsv; what is `added` to scaled scores, or
    before they are scaled, and the `mask`, not 0 where a key is not seen, broadcast to bhgst. A
    row i sees the keys from i - `behind` to i + `ahead`. Statistics have bhgs1.
    """

    query: Part
    key: Part
    value: Part
    out: Part
    _: KW_ONLY
    added: Part | None = None
    added_before: Part | None = None
    mask: Part | None = None
    behind: int | None = None
    ahead: int | None = None
    largest: Part | None = None
    total: Part | None = None
    logarithm: Part | None = None

    def within(self, ranges: Ranges, behind: int | None, ahead: int | None) -> Attention:
        """The same of some batches, rows and keys."""
        changed: dict[str, Any] = {**self.cut(ranges), "behind": behind, "ahead": ahead}
        return replace(self, **changed)

    def nothing(self, ranges: Ranges) -> list[Step]:
        """The steps that write what there is where no key counts."""
        own = self.cut(ranges)
        numbers = {"out": 0.0, "largest": -math.inf, "total": 0.0, "logarithm": -math.inf}
        return [
            Step({"self": integer(0)}, (own[name],), _FILLS[number])
            for name, number in numbers.items()
            if name in own
        ]

    def cut(self, ranges: Ranges) -> dict[str, Part]:
        """Parts within ranges, by name; those that are there."""
        given = {name: getattr(self, name) for name in _LETTERS}
        return {
            name: _within(part, _LETTERS[name], ranges)
            for name, part in given.items()
            if part is not None
        }


_LETTERS = {
    "query": QUERY, "key": KEY, "value": VALUE, "out": OUT,
    **dict.fromkeys(("added", "added_before", "mask"), SCORES),
    **dict.fromkeys(("largest", "total", "logarithm"), STATISTIC),
}  # fmt: skip


def _within(part: Part, letters: str, ranges: Ranges) -> Part:
    """The elements of a part in these ranges; of what is repeated the only one."""
    view = part.view
    for letter, (first, last) in ranges.items():
        dim = letters.find(letter)
        if dim >= 0 and (view.shape[dim] != 1 or first == last):
            view = narrowed(view, dim, first, last - first)
    return Part(part.tensor, view)


def _lowest(self: Expr) -> Expr:
    return where(self <= 0, -math.inf, 0)


_FILLS = {-math.inf: _lowest, 0.0: copied}


def panels(how: Attention) -> Iterator[dict[str, tuple[int, int]]]:
    """Ranges of batch, heads and rows, each of at most so many scores."""
    b, h, g, s, _ = how.query.view.shape
    t = how.key.view.shape[2]
    most = {"s": max(PANEL // max(g * t, 1), 1)}
    rows = min(s, most["s"])
    most["h"] = max(PANEL // max(g * t * rows, 1), 1) if rows == s else 1
    heads = min(h, most["h"])
    most["b"] = max(PANEL // max(g * t * rows * heads, 1), 1) if heads == h else 1
    for b0, b1 in _ranges(b, most["b"]):
        for h0, h1 in _ranges(h, most["h"]):
            for s0, s1 in _ranges(s, most["s"]):
                yield {"b": (b0, b1), "h": (h0, h1), "s": (s0, s1)}


def _ranges(size: int, most: int) -> Iterator[tuple[int, int]]:
    """Ranges of nearly equal length, at most so long."""
    count = -(-size // most)
    for k in range(count):
        yield size * k // count, size * (k + 1) // count


def attended(how: Attention) -> tuple[Step, ...]:
    """The steps of an attention."""
    found: list[Step] = []
    for panel in panels(how):
        found += _steps(how, panel)
    return tuple(found)


def _steps(how: Attention, panel: dict[str, tuple[int, int]]) -> list[Step]:
    t0, t1 = _seen(how, panel["s"])
    if t0 == t1:
        return how.nothing(panel)
    own, s0 = how.cut({**panel, "t": (t0, t1)}), panel["s"][0]
    shape = (*own["query"].view.shape[:4], t1 - t0)
    scores, shares = (_room(k, dtype, shape, how) for k, dtype in enumerate((DOUBLE, FLOAT)))
    along = (1, 1, 1, *shape[3:])
    reads: dict[str, Part | None] = {
        "scores": scores,
        **{name: own.get(name) for name in ("added", "added_before", "mask")},
        "behind": how.behind
        if how.behind is None
        else places(along, (0, 0, 0, 1, -1), s0 - t0 - how.behind),
        "ahead": how.ahead
        if how.ahead is None
        else places(along, (0, 0, 0, -1, 1), t0 - s0 - how.ahead),
    }
    writes = (shares, *(own.get(name) for name in ("largest", "total", "logarithm")))
    return [
        contracted(f"{QUERY},{KEY}->{SCORES}", own["query"], own["key"], scores),
        Step(reads, writes, probabilities, {"keys": (4,)}),
        contracted(f"{SCORES},{VALUE}->{OUT}", shares, own["value"], own["out"]),
    ]


def _seen(how: Attention, rows: tuple[int, int]) -> tuple[int, int]:
    """The range of keys that some of the rows see; one that none sees where that is empty."""
    first, last = 0, how.key.view.shape[2]
    if how.behind is not None:
        first = min(max(rows[0] - how.behind, 0), max(last - 1, 0))
    if how.ahead is not None:
        last = min(max(rows[1] + how.ahead, first + 1), last)
    return first, last


def _room(number: int, dtype: DType, shape: tuple[int, ...], how: Attention) -> Part:
    """A piece of scratch memory that is as large for every panel."""
    g, t = how.query.view.shape[2], how.key.view.shape[2]
    most = min(max(PANEL, g * t), math.prod(how.query.view.shape[:4]) * t)
    whole = scratch(number, dtype, (most,))
    return Part(whole.tensor, whole.view.seen(shape, contiguous_strides(shape), 0))


def arranged(part: Part, layout: str, heads: int) -> Part:
    """A part of a layout as batch, heads, rows, elements of a head."""
    view, letters = part.view, LAYOUTS[layout]
    sizes = dict(zip(letters, zip(view.shape, view.strides, strict=True), strict=True))
    if "h" in sizes:
        size, stride = sizes["h"]
        each = size // max(heads, 1)
        sizes |= {"n": (heads, each * stride), "d": (each, stride)}
    shape, strides = zip(*(sizes[letter] for letter in "bnsd"), strict=True)
    return Part(part.tensor, view.seen(shape, strides, view.offset))


def grouped(part: Part, heads: int) -> Part:
    """A part whose second dimension are heads of queries, by heads of keys and what shares them."""
    view = part.view
    count, stride = view.shape[1], view.strides[1]
    each = count // max(heads, 1) if count != 1 else 1
    outer = heads if count != 1 else 1
    shape = (view.shape[0], outer, each, *view.shape[2:])
    strides = (view.strides[0], stride * each, stride, *view.strides[2:])
    return Part(part.tensor, view.seen(shape, strides, view.offset))


@dataclass(frozen=True)
class AttentionSizes:
    """How many there are of what an attention is over."""

    batch: int
    heads: int
    groups: int  # heads of keys
    rows: int
    keys: int
    width: int  # elements of a head
    value: int  # of a head's values


def sizes_of(
    shapes: Mapping[str, Shape], layout: str, heads: int, groups: int
) -> AttentionSizes | str:
    """The sizes of query, key and value, or what is wrong with their shapes. There are so many
    `heads`, and `groups` of keys, 0 for as many."""
    letters = LAYOUTS[layout]
    groups = groups or heads
    if heads < 1 or groups < 1 or heads % groups:
        return (
            f"num_heads is {heads} and num_key_value_heads is {groups}; expected the first to be a "
            "multiple of the second"
        )
    found = {}
    for name, shape in shapes.items():
        count = heads if name == "query" else groups
        if len(shape) != len(letters):
            return (
                f"{name} has {len(shape)} dimensions; expected {len(letters)}, as input_layout is "
                f"{layout}"
            )
        sizes = dict(zip(letters, shape, strict=True))
        if "h" in sizes and sizes["h"] % count:
            dim = letters.index("h")
            return (
                f"{name} has shape {list(shape)}; expected a multiple of {count} along dimension "
                f"{dim}"
            )
        sizes |= {"n": count, "d": sizes["h"] // count} if "h" in sizes else {}
        if sizes["n"] != count:
            dim = letters.index("n")
            return f"{name} has shape {list(shape)}; expected {count} along dimension {dim}"
        found[name] = sizes
    for name, like, letter in (
        ("key", "query", "b"), ("key", "query", "d"), ("value", "key", "b"), ("value", "key", "s")
    ):  # fmt: skip
        own, other = found[name][letter], found[like][letter]
        if own != other:
            what = {"b": "batches", "d": "elements a head", "s": "keys"}[letter]
            return f"{name} has shape {list(shapes[name])}; expected {other} {what}, as {like} has"
    q, k, v = (found[name] for name in ("query", "key", "value"))
    return AttentionSizes(q["b"], heads, groups, q["s"], k["s"], q["d"], v["d"])


def result_shape(layout: str, sizes: AttentionSizes) -> tuple[int, ...]:
    """The shape of what comes out."""
    known = {
        "b": sizes.batch, "n": sizes.heads, "s": sizes.rows, "d": sizes.value,
        "h": sizes.heads * sizes.value,
    }  # fmt: skip
    return tuple(known[letter] for letter in LAYOUTS[layout])


def letters_of_scores(shape: Sequence[int], sizes: AttentionSizes) -> str:
    """What the dimensions of a tensor beside the scores are: of two, rows and keys, or batches and
    keys where there is one row."""
    if len(shape) == 2 and sizes.rows == 1 and shape[0] == sizes.batch:
        return "bt"
    return {2: "st", 3: "bst", 4: "bnst"}.get(len(shape), "")


def scores_fault(
    name: str, shape: Sequence[int], sizes: AttentionSizes, ranks: Sequence[int]
) -> str | None:
    """What is wrong with the shape of a tensor that broadcasts to the scores."""
    full = {"b": sizes.batch, "n": sizes.heads, "s": sizes.rows, "t": sizes.keys}
    letters = letters_of_scores(shape, sizes) if len(shape) in ranks else ""
    fits = letters and all(
        size in ((full[letter],) if letter in "st" else (1, full[letter]))
        for letter, size in zip(letters, shape, strict=True)
    )
    if fits:
        return None
    whole = [full[letter] for letter in "bnst"]
    return f"{name} has shape {list(shape)}; expected one that broadcasts to {whole}"


def beside_scores(part: Part | None, sizes: AttentionSizes) -> Part | None:
    """A tensor that broadcasts to the scores, with their dimensions."""
    if part is None:
        return None
    view = part.view
    own = dict(zip(letters_of_scores(view.shape, sizes),
                   zip(view.shape, view.strides, strict=True), strict=True))  # fmt: skip
    shape, strides = zip(*(own.get(letter, (1, 0)) for letter in "bnst"), strict=True)
    return grouped(Part(part.tensor, view.seen(shape, strides, view.offset)), sizes.groups)


def mask_part(call: Call, part: Part | None, sizes: AttentionSizes) -> Part | None:
    """The mask where it is looked at; one that stands for a triangle is not."""
    return beside_scores(part, sizes) if call["sparse_mode"] in (DEFAULT, ALL) else None


# a probability is off by less than 2⁻²² of itself, which shows in sums that all but vanish
NEAR = Bound(0.51, "|out| ≥ 2⁻⁴·Σ p·|value|")
PROOF = Proof(exact={FLOAT16: NEAR, BF16: NEAR})

COMPRESSED = 2048  # rows and columns of a mask that stands for a triangle
DEFAULT, ALL, LEFT_UP, RIGHT_DOWN, BAND = range(5)
SPARSE_MODE = Attr(
    "sparse_mode",
    "which keys a row sees: those of the mask within the tokens, of the mask, up to its own place, "
    "the same counted from the end, those within the tokens counted from the end",
    "每行可见的 key：mask 与 token 范围、mask、左上因果、右下因果、右下带状",
    INT64,
    0,
    choices={"default": DEFAULT, "all": ALL, "left_up_causal": LEFT_UP,
             "right_down_causal": RIGHT_DOWN, "band": BAND},
)  # fmt: skip
PRE_TOKENS = Attr(
    "pre_tokens", "how many keys before its place a row sees", "每行向前可见的 key 数", INT64,
    2147483647,
)  # fmt: skip
NEXT_TOKENS = Attr(
    "next_tokens", "how many keys after its place a row sees", "每行向后可见的 key 数", INT64,
    2147483647,
)  # fmt: skip


def made_up_shapes(layout: str, mode: int, heads: int) -> dict[str, Shape]:
    """Shapes of a made-up call: two batches, three rows, five keys; a list has one of a batch."""

    def laid(batch: int, rows: int) -> Shape:
        sizes = {"b": batch, "n": heads, "s": rows, "d": 4, "h": 4 * heads}
        return tuple(sizes[letter] for letter in LAYOUTS[layout])

    return {
        "query": laid(2, 3),
        **dict.fromkeys(("key", "value"), laid(1, 5)),
        "atten_mask": (3, 5) if mode in (DEFAULT, ALL) else (COMPRESSED,) * 2,
    }


def mask_fault(call: Call, sizes: AttentionSizes) -> str | None:
    """What is wrong with `atten_mask`."""
    mask, mode = call["atten_mask"], call["sparse_mode"]
    if mask is None:
        if mode == DEFAULT:
            return None
        return f"atten_mask is null; expected a tensor, as sparse_mode is {mode}"
    if mode in (DEFAULT, ALL):
        return scores_fault("atten_mask", mask.shape, sizes, (2, 3, 4))
    if mask.shape not in [(1,) * k + (COMPRESSED,) * 2 for k in range(3)]:
        return (
            f"atten_mask has shape {list(mask.shape)}; expected [{COMPRESSED}, {COMPRESSED}], as "
            f"sparse_mode is {mode}"
        )
    return None


def visible(call: Call, rows: int, keys: int) -> tuple[int | None, int | None]:
    """How far behind and ahead of its own place a row sees keys; None: as far as there are any."""
    mode, shift = call["sparse_mode"], keys - rows
    behind: int | None = None
    ahead: int | None = None
    if mode == DEFAULT and call["atten_mask"] is not None:
        behind, ahead = call["pre_tokens"], call["next_tokens"]
    elif mode == BAND:
        behind, ahead = call["pre_tokens"] - shift, call["next_tokens"] + shift
    elif mode in (LEFT_UP, RIGHT_DOWN):
        ahead = 0 if mode == LEFT_UP else shift
    return (
        None if behind is None or behind >= rows - 1 else behind,
        None if ahead is None or ahead >= keys - 1 else ahead,
    )
