"""Random places of a row, each as often as its number says among the row's. With replacement each
is where a random part of the sum lies in the sums up to each; without, those whose exponential
waiting times, which their numbers shorten, are the shortest."""

from typing import Any

from openaclnn.base.dtypes import DOUBLE, INT64
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, as_number, described, floor, fold, log, where
from openaclnn.spec.host import FLAG
from openaclnn.spec.host import INT64 as INTEGER
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, always
from openaclnn.spec.random import STREAM, drawing, numbered, numbers
from openaclnn.spec.rules import Dtypes, MaxDims, ResultShape
from openaclnn.spec.scans import Scan
from openaclnn.spec.selections import first_beyond, rows_of
from openaclnn.spec.sorts import Sort
from openaclnn.spec.steps import Limit, Part, Step, parts, scratch

_PARTS = 2.0**32  # of a row's sum: then a part of it is less than it, rounded or not


def possible(self: Expr) -> Expr:
    """How many places of a row can be; none where a number is no probability."""
    wrong = fold(where((self >= 0) & (self < float("inf")), 0, 1), "max", over="row")
    return where(wrong > 0, 0, fold(where(self > 0, 1, 0), "add", over="row"))


@drawing
def waiting(self: Expr, centre: Expr) -> Expr:
    return where(self > 0, -log(centre) / self, float("inf"))


def found_in(count: int) -> Any:
    @drawing
    def formula(sums: Expr, last: Expr, unit: Expr) -> Expr:
        part = floor(unit * _PARTS) / _PARTS
        return as_number(first_beyond(part * last, sums, count, right=True))

    return formula


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    whole, out = known["self"], known["out"]
    shape, dim = whole.view.shape, len(whole.view.shape) - 1
    rows = scratch(0, INT64, (*shape[:-1], 1))
    counting = Step({"self": whole}, (rows,), possible, {"row": (dim,)})
    least = 1 if call["replacement"] else call["num_samples"]
    enough = Limit(rows, least, shape[-1], called="the possible places of a row are")
    keys = scratch(1, DOUBLE, shape)
    if not call["replacement"]:
        draw: dict[str, Part | None] = {"self": whole, "position": numbered(keys.view)}
        return (
            counting,
            Step(draw, (keys,), waiting),
            Step({"self": keys}, (out,), routine=Sort(dim, values=False), limits=(enough,)),
        )
    reads = rows_of("sums", keys)
    ends = keys.view.seen((*shape[:-1], 1), (*keys.view.strides[:-1], 0), shape[-1] - 1)
    reads |= {"last": Part(keys.tensor, ends), "position": numbered(out.view)}
    return (
        counting,
        Step({"self": whole}, (keys,), routine=Scan("add", dim)),
        Step(reads, (out,), found_in(shape[-1]), limits=(enough,)),
    )


def fits(call: Call) -> str | None:
    shape, wanted = call["self"].shape, call["num_samples"]
    if len(shape) not in (1, 2):
        return f"self has {len(shape)} dimensions; expected 1 or 2"
    if wanted < 1 or (wanted > shape[-1] and not call["replacement"]):
        most = "" if call["replacement"] else f" to {shape[-1]}"
        return f"num_samples is {wanted}; expected 1{most or ' or more'}"
    return None if shape[-1] else "self has no places; expected at least 1"


def formula(self: Expr) -> Expr:
    return described("random places of a row, as often as self says", self)


OP = Op(
    "multinomial",
    "Random indices with given probabilities",
    "按概率采样",
    (
        In("self", "what probabilities are in proportion to", "与概率成正比的数"),
        Attr("num_samples", "how many of each row", "每行的采样个数", INTEGER, usual=2),
        Attr("replacement", "whether a place may come again", "是否放回", FLAG, False),
        *STREAM,
        Out("out", "the places", "采样的位置"),
    ),
    (
        Dtypes(("self",), (*FLOATS, DOUBLE)),
        Dtypes(("out",), (INT64,)),
        MaxDims(("self", "out")),
        Sound(fits, "self has one or two dimensions; num_samples is at least 1, and without "
              "replacement at most as many as there are places",
              "self 为 1 或 2 维；num_samples 不小于 1，不放回时不大于每行的元素个数"),
        ResultShape(),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> openaclnn.multinomial(np.float32([0, 3, 0]), 2, replacement=True, seed=5, offset=0)
array([1, 1])
""",
    promotes=lambda call: DOUBLE,
    results=lambda call: (Meta((*call["self"].shape[:-1], call["num_samples"]), INT64),),
    uniforms=numbers,
    steps=steps,
    wide=always,
    source="signature: op-plugin, candle; values: openaclnn's own stream",
)  # fmt: skip
