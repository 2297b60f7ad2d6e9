"""Routines in NumPy and Python's fractions, as references for the engines' own."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from openaclnn.spec.contraction import Contraction
from openaclnn.spec.routine import Routine
from openaclnn.spec.scans import RunningExtremes, Scan
from openaclnn.spec.scatters import Scatter
from openaclnn.spec.selections import Compact
from openaclnn.spec.sorts import Sort

Array = np.ndarray[Any, Any]
# of every float: bits of a fraction, the exponents of its least and its largest normal number
_FORMS = {
    "float16": (11, -14, 15), "bfloat16": (8, -126, 127), "float32": (24, -126, 127),
    "float64": (53, -1022, 1023),
}  # fmt: skip


def routine_results(
    routine: Routine, inputs: Sequence[Array], outputs: Sequence[Array]
) -> list[Array]:
    """What a routine gives for arrays; of outputs only shapes and dtypes count."""
    return _ROUTINES[type(routine)](routine, inputs, outputs)


def nearest(exact: Fraction, dtype: np.dtype[Any]) -> float:
    """The float of a dtype nearest to a fraction, of two the even one; 0 has the fraction's sign.

    >>> nearest(Fraction(1, 3), np.dtype(np.float16)), nearest(Fraction(-1, 3**99), np.dtype("f4"))
    (0.333251953125, -0.0)
    >>> nearest(Fraction(-(10**400)), np.dtype(np.float64))
    -inf
    """
    digits, least, largest = _FORMS[dtype.name]
    if not exact:
        return 0.0
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
    if abs(exact) < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, least) - digits + 1)
    found = round(exact / unit) * unit
    sign = -1.0 if exact < 0 else 1.0
    if abs(found) >= Fraction(2) ** (largest + 1):
        return sign * math.inf
    return math.copysign(float(found), sign)


def _scan(routine: Any, inputs: Sequence[Array], outputs: Sequence[Array]) -> list[Array]:
    (out,) = outputs
    with np.errstate(all="ignore"):
        x = inputs[0].astype(out.dtype)
    if routine.kind == "mul":
        return [_products(routine, x, out)]
    if not x.ndim:
        return [x]
    if out.dtype.name not in _FORMS:
        return [np.cumsum(x, axis=routine.dim, dtype=out.dtype)]
    return [np.apply_along_axis(_prefix_sums, routine.dim, x, out.dtype).astype(out.dtype)]


def _products(routine: Any, x: Array, out: Array) -> Array:
    row = x.reshape(1) if not x.ndim else x
    moved = np.moveaxis(row, routine.dim, -1)
    if out.dtype.name not in _FORMS or out.dtype == np.float64:
        with np.errstate(all="ignore"):
            found = np.cumprod(moved, -1, dtype=out.dtype)
        every = np.ones((*moved.shape[:-1], 1), out.dtype)
        found = np.concatenate([every, found], -1)
    else:
        found = np.ones((*moved.shape[:-1], moved.shape[-1] + 1), out.dtype)
        for index in np.ndindex(*moved.shape[:-1]):
            products = _prefix_products(moved[index], out.dtype, routine.last)
            found[index][found.shape[-1] - len(products) :] = products
    found = found[..., -1:] if routine.last else found[..., 1:]
    if not x.ndim:
        return found.reshape(())
    return np.moveaxis(
        np.where(found != found, np.array(np.nan, out.dtype), found)
        if found.dtype.kind not in "iub"
        else found,
        -1,
        routine.dim,
    )


def _prefix_products(row: Array, dtype: np.dtype[Any], last: bool) -> list[float]:
    """Products of the first elements, of any size, each rounded to 53 bits as kernels do; `last`:
    only that of all."""
    digits, exponent, other, sign, found = 1.0, 0, 1.0, 1.0, []
    for place, x in enumerate(map(float, row)):
        sign *= math.copysign(1, x)
        if math.isfinite(x) and x:
            factor, power = math.frexp(abs(x))
            digits, shift = math.frexp(digits * factor)
            exponent += power + shift
        else:
            other *= x
        if last and place < len(row) - 1:
            continue
        if other == 1:
            within = max(min(exponent, 2000), -2000)  # beyond, it is infinite or 0 all the same
            found.append(sign * nearest(Fraction(digits) * Fraction(2) ** within, dtype))
        else:
            found.append(math.copysign(other, sign) if other == other else math.nan)
    return found


def _extremes(routine: Any, inputs: Sequence[Array], outputs: Sequence[Array]) -> list[Array]:
    (given,) = inputs
    row = given.reshape(1) if not given.ndim else given
    moved = np.moveaxis(row, routine.dim, -1)
    values, places = moved.copy(), np.zeros(moved.shape, np.int64)
    for index in np.ndindex(*moved.shape[:-1]):
        best = 0
        for k, x in enumerate(moved[index].tolist()):
            before = moved[index][best]
            wins = x >= before if routine.largest else x <= before
            if x != x or (before == before and wins):
                best = k
            values[index][k], places[index][k] = moved[index][best], best
    return [
        np.moveaxis(one, -1, routine.dim).reshape(given.shape).astype(out.dtype)
        for one, out in zip((values, places), outputs, strict=True)
    ]


def _prefix_sums(row: Array, dtype: np.dtype[Any]) -> Array:
    total, special, found = Fraction(0), 0.0, []
    for x in map(float, row):
        if math.isfinite(x):
            total += Fraction(x)
        else:
            special += x
        found.append(nearest(total, dtype) if special == 0 else special)
        if math.isnan(special):
            found[-1] = math.nan  # the one quiet NaN
    return np.array(found, np.float64)


def _contraction(routine: Any, inputs: Sequence[Array], outputs: Sequence[Array]) -> list[Array]:
    """Every element by itself, in integers: floats as multiples of the smallest one there is."""
    (out,) = outputs
    a, b, *rest = inputs
    if routine.window is not None:
        b = _through(b, routine.window)
    if routine.group:
        scale, *rest = rest
        offset = rest.pop(0) if routine.shifted else np.zeros(scale.shape)
        b = _dequantised(b, scale, offset, routine.group)
    batch, m = a.shape[: routine.batch], routine.m
    middle, count = a.shape[len(batch) :][:m], math.prod(a.shape[len(batch) + m :])
    wide = b.shape[len(batch) :][: routine.n]
    rows = a.reshape(math.prod(batch), math.prod(middle), count)
    columns = b.reshape(math.prod(batch), math.prod(wide), count)
    width = math.prod(wide)
    found = np.zeros((math.prod(batch), math.prod(middle) * width), out.dtype)
    added = rest[0].reshape(found.shape) if rest else None
    for number in np.ndindex(found.shape):
        x, y = rows[number[0], number[1] // width], columns[number[0], number[1] % width]
        c = added[number] if added is not None else None
        found[number] = _dot(x, y, c, routine, out.dtype)
    return [found.reshape(out.shape)]


def _through(whole: Array, window: Any) -> Array:
    """What a loop reads through a window."""
    index = np.indices(window.sizes, sparse=True)
    there: Any = True
    places = []
    for d, (first, size) in enumerate(zip(window.start, whole.shape, strict=True)):
        steps = (one * move[d] for one, move in zip(index, window.moves, strict=True))
        place = sum(steps, np.full((1,) * len(window.sizes), first))
        there = there & (place >= 0) & (place < size)
        places.append(np.clip(place, 0, max(size - 1, 0)))
    found = whole[tuple(places)] if whole.size else whole.dtype.type(0)
    return np.array(np.broadcast_to(np.where(there, found, whole.dtype.type(0)), window.sizes))


def _dequantised(b: Array, scale: Array, offset: Array, group: int) -> Array:
    """Integers as the numbers that they stand for, exactly."""
    found = np.empty(b.shape, object)
    for place in np.ndindex(*b.shape):
        of = (*place[:-1], place[-1] // group)
        shift, factor = float(offset[of]), float(scale[of])
        if math.isfinite(shift) and math.isfinite(factor):
            found[place] = (Fraction(int(b[place])) + Fraction(shift)) * Fraction(factor)
        else:
            found[place] = (float(b[place]) + shift) * factor
    return found


def _dot(x: Array, y: Array, c: Any, routine: Any, dtype: np.dtype[Any]) -> Any:
    """alpha times a dot product, and beta times another number, rounded once."""
    alpha, beta = routine.alpha, routine.beta if c is not None else 0
    if x.dtype.kind in "iub" and y.dtype.kind in "iub" and dtype.kind in "iub":
        total = sum(int(a) * int(b) for a, b in zip(x, y, strict=True)) * int(alpha)
        total += int(c) * int(beta) if c is not None else 0
        return np.array([total & (2**64 - 1)], np.uint64).astype(dtype)[0]
    last = (float(beta), float(c)) if c is not None else (0.0, 0.0)
    if "float64" in (x.dtype.name, y.dtype.name, dtype.name):
        pairs = [(float(a), float(b)) for a, b in zip(x, y, strict=True)]
        found = alpha * _in_order(pairs) + (last[0] * last[1] if c is not None else 0.0)
        return found if found == found else math.nan
    wide = [np.array(list(map(float, one)), np.float64) for one in (x, y)]
    if all(map(math.isfinite, (alpha, *last, *wide[0], *wide[1]))):
        if y.dtype.kind == "O":  # fractions
            dot = sum((Fraction(a) * b for a, b in zip(wide[0], y, strict=True)), Fraction(0))
        else:
            dot = _sum_of(wide[0] * wide[1])  # of which each is exact
        return nearest(Fraction(float(alpha)) * dot + Fraction(last[0]) * Fraction(last[1]), dtype)
    with np.errstate(all="ignore"):
        special = float(alpha) * float((wide[0] * wide[1]).sum()) + last[0] * last[1]
    return special if special == special else math.nan  # one NaN, whatever its sign was


def _sum_of(terms: Array) -> Fraction:
    """The exact sum of finite float64, as integers of one unit."""
    if not terms.any():
        return Fraction(0)
    parts, exponents = np.frexp(terms[terms != 0])
    least = int(exponents.min())
    shifts = (exponents - least).tolist()
    integers = np.ldexp(parts, 53).astype(np.int64).tolist()
    total: int = sum(one << shift for one, shift in zip(integers, shifts, strict=True))
    return Fraction(total) * Fraction(2) ** (least - 53)


_CHUNK = 128  # products that are added up by themselves


def _in_order(pairs: Sequence[tuple[float, float]]) -> float:
    """A dot product of float64: every addition of a product is rounded once, in chunks."""
    total = 0.0
    for first in range(0, len(pairs), _CHUNK):
        chunk = 0.0
        for a, b in pairs[first : first + _CHUNK]:
            if all(map(math.isfinite, (a, b, chunk))):
                exact = Fraction(a) * Fraction(b) + Fraction(chunk)
                chunk = nearest(exact, np.dtype(np.float64))
            else:
                chunk += a * b
        total = total + chunk if first else chunk
    return total


def _scatter(routine: Any, inputs: Sequence[Array], outputs: Sequence[Array]) -> list[Array]:
    """One element after the other, sums as fractions."""
    own, src, *indices = inputs
    found = own.copy()
    sums: dict[tuple[int, ...], list[Any]] = {}
    for place in np.ndindex(src.shape):
        where = [
            place[one] if one >= 0 else int(indices[-1 - one][place]) for one in routine.coordinates
        ]
        pairs = list(zip(where, own.shape, strict=True))
        if any(not -size <= at < size for at, size in pairs):
            continue
        to = tuple(at % size for at, size in pairs)
        if routine.kind == "add":
            sums.setdefault(to, [own[to]]).append(src[place])
        else:
            with np.errstate(all="ignore"):
                found[to] = src[place] if routine.kind == "put" else found[to] * src[place]
    for to, terms in sums.items():
        if own.dtype.name not in _FORMS:
            found[to] = np.array(sum(map(int, terms)) & (1 << 64) - 1, np.uint64).astype(own.dtype)
        elif all(math.isfinite(float(term)) for term in terms):
            found[to] = nearest(sum(map(Fraction, map(float, terms)), Fraction(0)), own.dtype)
        else:
            found[to] = sum(map(float, terms))
    return [found]


def _sort(routine: Any, inputs: Sequence[Array], outputs: Sequence[Array]) -> list[Array]:
    """Python's own sort, row by row."""
    (given,) = inputs
    if not given.ndim:
        rows = [(given.reshape(1), *(out.reshape(1) for out in outputs))]
    else:
        moved = [np.moveaxis(one, routine.dim, -1) for one in (given, *outputs)]
        rows = [tuple(one[index] for one in moved) for index in np.ndindex(*moved[0].shape[:-1])]
    found = [np.zeros(out.shape, out.dtype) for out in outputs]
    moved_out = [np.moveaxis(one, routine.dim, -1) if given.ndim else one for one in found]
    indices = np.ndindex(*moved_out[0].shape[:-1]) if given.ndim else [()]
    for index, (row, *_) in zip(indices, rows, strict=True):
        values = row.tolist()
        if routine.descending:
            keys = [(0, 0) if x != x else (1, -x) for x in map(_number, values)]
        else:
            keys = [(1, 0) if x != x else (0, x) for x in map(_number, values)]
        order = sorted(range(len(values)), key=keys.__getitem__)
        nans = [place for place, x in enumerate(map(_number, values)) if x != x]
        start = routine.start
        if routine.nan_wins and nans:
            order, start = nans, 0
        results = [row[order]] * routine.values + [np.array(order)] * routine.places
        for out, result in zip(moved_out, results, strict=True):
            one = out[index] if given.ndim else out.reshape(1)
            one[...] = result[start : start + one.size]
    return found


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, (bool, int)) else float(value)


def _compact(routine: Any, inputs: Sequence[Array], outputs: Sequence[Array]) -> list[Array]:
    (found,) = np.nonzero(inputs[0])
    places = np.zeros_like(outputs[0])
    places[: found.size] = found
    return [places, np.array([found.size])]


_ROUTINES: dict[type[Routine], Callable[[Any, Sequence[Array], Sequence[Array]], list[Array]]] = {
    Compact: _compact,
    Contraction: _contraction,
    RunningExtremes: _extremes,
    Scan: _scan,
    Scatter: _scatter,
    Sort: _sort,
}
