"""Random numbers in formulas: Philox4x32-10, a function of a seed, an offset and an element's
number.

Its counter has the element's number in the low 64 bits and the offset in the high ones, its key is
the seed. So an element's number depends on nothing else, and calls whose offsets differ share none,
whatever their sizes: PyTorch advances the offset by the same few for each call.

A formula names as parameters what it draws: `unit`, k/2⁵³ from 0 up to below 1; `centre`,
(k + ½)/2⁵² between 0 and 1; `angle`, another unit; `integer`, one of 63 bits, and `another`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from openaclnn.base.dtypes import POSITION, DType
from openaclnn.base.tensors import View, contiguous_strides
from openaclnn.spec.call import Call
from openaclnn.spec.formula import Expr
from openaclnn.spec.host import INT64
from openaclnn.spec.op import Attr
from openaclnn.spec.steps import POSITIONS, Part, Step, parts

SEED = Attr("seed", "of the random numbers", "随机数种子", INT64, usual=5)
OFFSET = Attr("offset", "which numbers of the seed's", "随机数偏移量", INT64, usual=0)
STREAM = (SEED, OFFSET)

# what a formula may draw: the kind of number, and which half of the counter's 128 bits it is from
_DRAWN = {
    "unit": ("unit", 0),
    "centre": ("centre", 0),
    "angle": ("unit", 1),
    "integer": ("integer", 0),
    "another": ("integer", 1),
}
_HALF = 2**32
_GIVEN = ("seed_low", "seed_high", "offset_low", "offset_high")


def drawing(formula: Callable[..., Any]) -> Callable[..., Any]:
    """A formula that draws numbers, as one of positions, of the seed and of the offset."""
    names = list(inspect.signature(formula).parameters)
    drawn = [name for name in names if name in _DRAWN]
    taken = ["position", *(name for name in names if name not in drawn), *_GIVEN]

    def whole(**given: Any) -> Any:
        stream = tuple(given.pop(name) for name in ("position", *_GIVEN))
        found = {}
        for name in drawn:
            kind, half = _DRAWN[name]
            found[name] = Expr("random", stream, name=kind, value=half)
        return formula(**given, **found)

    parameters = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in taken]
    whole.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return whole


def of_number(place: Expr, stream: Mapping[str, Expr], kind: str = "unit") -> Expr:
    """A number that is drawn for another place than the element's."""
    return Expr("random", (place, *(stream[name] for name in _GIVEN)), name=kind)


def numbers(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, Any]:
    """The uniforms of such a formula: seed and offset in halves, which any type holds, and how fine
    a number between 0 and 1 is in the promoted dtype."""
    seed, offset = attributes["seed"], attributes["offset"]
    halves = (seed % _HALF, seed // _HALF % _HALF, offset % _HALF, offset // _HALF % _HALF)
    grains = {"FLOAT": 24, "FLOAT16": 11, "BF16": 8}
    grain = 2.0 ** grains.get(promoted.name, 53)
    return {**attributes, **dict(zip(_GIVEN, halves, strict=True)), "grain": grain}


def numbered(view: View) -> Part:
    """The numbers of a tensor's elements, in the order of its indices."""
    strides = contiguous_strides(view.shape)
    return Part(POSITIONS, view.seen(view.shape, strides, 0, POSITION))


def steps(call: Call) -> tuple[Step, ...]:
    """One step over whole tensors and the numbers of the first output's elements."""
    known = parts(call)
    writes = tuple(known.get(output.name) for output in call.op.outputs)
    first = known[call.op.outputs[0].name]
    reads: dict[str, Part | None] = {a.name: known.get(a.name) for a in call.op.reads}
    return (Step({**reads, "position": numbered(first.view)}, writes),)
