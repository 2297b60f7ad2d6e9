"""Contractions: sums of products over several dimensions, as matrix products and convolutions are.

Each element of the result is alpha·Σ a·b + beta·c, exact and rounded once (docs/contractions.md).
Of DOUBLE it is rounded along the way; integers wrap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from openaclnn.base.records import dataclass
from openaclnn.spec.formula import STEP, Expr, fold
from openaclnn.spec.routine import Routine
from openaclnn.spec.steps import Part, Step


@dataclass(frozen=True)
class Window:
    """An access map: where a loop reads a tensor, and that it reads 0 outside.

    The loop's dimensions have these sizes. A step along one of them moves the position by `moves`,
    so many for each of the tensor's dimensions, from `start` on.
    """

    sizes: tuple[int, ...]
    start: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]

    def range_along(self, dim: int) -> tuple[int, int]:
        """The first and the last position along a dimension of the tensor."""
        spans = [(n - 1) * move[dim] for n, move in zip(self.sizes, self.moves, strict=True)]
        first = self.start[dim] + sum(span for span in spans if span < 0)
        return first, self.start[dim] + sum(span for span in spans if span > 0)


@dataclass(frozen=True)
class Contraction(Routine):
    """out[batch, m, n] = alpha · Σ a[batch, m, k] · b[batch, n, k] + beta · c[batch, m, n]

    The sum is over k. Each letter stands for so many dimensions, of which the parts have the sizes
    in this order; one that repeats has stride 0. `b` is read as it is, or through a window. A step
    reads `a`, `b` and, where something is added, `c`.

    Where `group` is not 0, `b` has integers that stand for (b + offset) · scale. Its `scale` and,
    if `shifted`, its `offset` are read after `b`, with so many terms of the sum for one of theirs:
    their last dimension is that of the groups.
    """

    batch: int = 0
    m: int = 1
    n: int = 1
    k: int = 1
    alpha: float = 1
    beta: float = 1
    window: Window | None = None
    group: int = 0
    shifted: bool = False

    @property
    def quantities(self) -> int:
        """How many operands say what the integers of `b` stand for."""
        return bool(self.group) + self.shifted

    def pulled_back_along(
        self, along: str, reads: Mapping[str, Part | None], grad: Part, into: Part
    ) -> Step | None:
        """The gradient of a factor is a contraction of the result's with the other factor, that of
        what was added the sum over what it was repeated along."""
        if self.window is not None or self.group:
            return None
        names = iter("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        batch, m, n, k = (
            "".join(islice(names, count)) for count in (self.batch, self.m, self.n, self.k)
        )
        letters = {"a": batch + m + k, "b": batch + n + k, "c": batch + m + n}
        own, alone = _not_repeated(into, letters[along])
        if along == "c":
            return _summed(grad, into, self.beta)
        other = {"a": "b", "b": "a"}[along]
        beside = reads[other]
        assert beside is not None
        return contracted(f"{letters['c']},{letters[other]}->{own}", grad, beside, alone,
                          alpha=self.alpha)  # fmt: skip


def _not_repeated(part: Part, letters: str) -> tuple[str, Part]:
    """A part without the dimensions that it repeats, and the letters of the others."""
    view = part.view
    kept = [d for d, (n, s) in enumerate(zip(view.shape, view.strides, strict=True)) if s or n == 1]
    shape, strides = [view.shape[d] for d in kept], [view.strides[d] for d in kept]
    return "".join(letters[d] for d in kept), Part(
        part.tensor, view.seen(shape, strides, view.offset)
    )


def _summed(grad: Part, into: Part, factor: float) -> Step:
    """A gradient times a factor, summed along the dimensions that a part repeats."""
    view = into.view
    pairs = [*zip(view.shape, view.strides, strict=True)]
    dims = tuple(d for d, (size, stride) in enumerate(pairs) if not stride and size != 1)
    shape = [1 if d in dims else size for d, (size, _) in enumerate(pairs)]
    alone = Part(into.tensor, view.seen(shape, view.strides, view.offset))
    reads: dict[str, Part | None] = {"grad_result": grad}
    return Step(reads, (alone,), _times(factor, bool(dims)), {STEP: dims} if dims else {})


@lru_cache(maxsize=64)
def _times(factor: float, summing: bool) -> Callable[..., Expr]:
    def formula(grad_result: Expr) -> Expr:
        return (fold(grad_result, "add", over=STEP) if summing else grad_result) * factor

    return formula


def contracted(
    subscripts: str,
    a: Part,
    b: Part,
    out: Part,
    c: Part | None = None,
    alpha: float = 1,
    beta: float = 1,
) -> Step:
    """The step of a contraction in Einstein's notation: a letter for each dimension, those of `a`
    and `b` that the result lacks are summed over. A dimension of size 1 is repeated.

    "mk,kn->mn" is a matrix product.
    """
    of_a, of_b, of_out = subscripts.replace("->", ",").split(",")
    batch = [x for x in of_out if x in of_a and x in of_b]
    m = [x for x in of_out if x in of_a and x not in of_b]
    n = [x for x in of_out if x in of_b and x not in of_a]
    k = [x for x in dict.fromkeys((*of_a, *of_b)) if x not in of_out]
    sizes = dict.fromkeys((*of_a, *of_b), 1)
    for letters, part in ((of_a, a), (of_b, b)):
        for x, size in zip(letters, part.view.shape, strict=True):
            sizes[x] = size if sizes[x] == 1 else sizes[x]
    reads: dict[str, Part | None] = {
        "a": _walked(a, of_a, [*batch, *m, *k], sizes),
        "b": _walked(b, of_b, [*batch, *n, *k], sizes),
    }
    result = [*batch, *m, *n]
    if c is not None and beta != 0:  # what is multiplied by 0 is not read: it may be NaN
        reads["c"] = _walked(c, of_out, result, sizes)
    how = Contraction(len(batch), len(m), len(n), len(k), alpha, beta)
    return Step(reads, (_walked(out, of_out, result, sizes),), routine=how)


def dequantised(
    a: Part, b: Part, out: Part, scale: Part, offset: Part | None, group: int, c: Part | None
) -> Step:
    """The step of a product of `a` [m, k] with integers `b` [n, k] that stand for
    (b + offset) · scale; `scale` and `offset` [n, groups] have one number for so many terms."""
    found = contracted("mk,nk->mn", a, b, out, c)
    first, second, *rest = found.reads.items()
    reads: dict[str, Part | None] = dict((first, second))
    reads |= {"scale": scale} | ({} if offset is None else {"offset": offset}) | dict(rest)
    return Step(
        reads,
        found.writes,
        routine=Contraction(group=max(group, 1), shifted=offset is not None),
    )


def _walked(part: Part, own: str, letters: Sequence[str], sizes: dict[str, int]) -> Part:
    """A part with its dimensions in another order, of these sizes, which it broadcasts to from the
    right."""
    own = own[len(own) - len(part.view.shape) :]
    strides = {
        x: 0 if size == 1 else stride
        for x, size, stride in zip(own, part.view.shape, part.view.strides, strict=True)
    }
    shape = [sizes[x] for x in letters]
    return Part(
        part.tensor,
        part.view.seen(shape, [strides.get(x, 0) for x in letters], part.view.offset),
    )
