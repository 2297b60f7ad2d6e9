"""First gradients as users of PyTorch get them, beside mpmath's derivative of the true function:
in every dtype and for every choice, beside every edge, and beside every root of the derivative."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import torch
from mpmath import mp, mpf

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import openaclnn.torch  # noqa: F401
from mathematics import Point, UnknownError, slope, ulps
from openaclnn import ops
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, DType
from openaclnn.spec import describe
from openaclnn.spec.derivative import CONDITIONS
from openaclnn.spec.formula import Traced
from openaclnn.spec.host import FLOAT32, SCALAR
from openaclnn.spec.op import REQUIRED, Op
from openaclnn.spec.sample import sample_call
from openaclnn.spec.stages import folds_of
from openaclnn.spec.steps import elementwise, of_halves
from openaclnn.torch.gradients import passes_on
from openaclnn.torch.schema import called
from openaclnn.truth.reference import complete, meaning, numbers
from openaclnn.truth.ulp import format_of
from openaclnn.verify.form import edges

DTYPES = (FLOAT, FLOAT16, BF16)
HALVES = ("first_half", "second_half")
_TORCH = {FLOAT: torch.float32, FLOAT16: torch.float16, BF16: torch.bfloat16, DOUBLE: torch.float64}


@dataclass(frozen=True)
class Subject:
    """A formula's derivative along one of its inputs, with attributes."""

    op: Op
    along: str
    attributes: Mapping[str, Any]  # by name, as Python users give them

    def __str__(self) -> str:
        said = "".join(f" {name}={value}" for name, value in self.attributes.items())
        return f"{self.op.name} {self.along}{said}"

    @property
    def traced(self) -> Traced:
        names = HALVES if self.op.steps is of_halves else [a.name for a in self.op.reads]
        used = complete(self.op, self.attributes)
        return self.op.traced(meaning(self.op), dict.fromkeys(names, True), used)


def subjects() -> Iterator[Subject]:
    """All that is computed of elements, or of halves of a tensor, from floats to floats."""
    for name, op in ops.all_ops().items():
        if FLOAT not in describe.dtypes(op) or op.in_place or "_backward" in name:
            continue
        if op.steps not in (elementwise, of_halves) or passes_on(op):
            continue
        call = sample_call(op, (FLOAT,), (2, 2))
        if {given.tensor.dtype for given in call.used} != {FLOAT}:
            continue
        for row in _rows(op):
            along = HALVES if op.steps is of_halves else [a.name for a in op.reads]
            for one in along:
                found = Subject(op, one, row)
                tree = found.traced
                if folds_of(tree) or tree.results[0].op in CONDITIONS or one not in tree.inputs:
                    continue
                yield found


def _rows(op: Op) -> list[dict[str, Any]]:
    """Numbers where they must be given, and each choice."""
    given = {
        a.name: 0.7 + 0.6 * number
        for number, a in enumerate(op.attributes)
        if a.default is REQUIRED and a.host in (SCALAR, FLOAT32)
    }
    rows = [given]
    for a in op.attributes:
        rows += [{**given, a.name: word} for word, own in a.choices.items() if own != a.plain]
    return rows


def largest_error(
    subject: Subject, dtype: DType, random: np.random.Generator, most: int
) -> tuple[float, str]:
    """The largest error in ULP at so many points, and where it is."""
    op, traced = subject.op, subject.traced
    points = random.permutation(_points(subject, dtype, random))[:most]
    roots = _rounded(_roots(subject), dtype)
    points = np.concatenate([points, *(_next(roots, dtype, steps) for steps in (-3, -1, 1, 3))])
    columns = {name: random.permutation(points) for name in traced.inputs}
    columns[subject.along] = points
    seed = _rounded(random.normal(size=points.size), dtype)
    found = _gradient(subject, columns, seed, dtype)
    used = complete(op, subject.attributes)
    given = numbers(op, traced.uniforms, used, points.size, dtype)
    uniforms = {name: mpf(float(p.high)) + mpf(float(p.low)) for name, p in given.items()}
    point = Point(columns, uniforms)
    f = format_of(dtype)
    worst, at = 0.0, ""
    for place in range(points.size):
        try:
            with mp.workprec(400):
                true = slope(traced.results[0], point, subject.along, (place,)) * mpf(seed[place])
        except UnknownError:  # a step
            continue
        if mp.isnan(true):
            continue
        error = ulps(float(found[place]), true, f.bits, f.lowest, f.highest)
        if error > worst:
            inputs = {name: column[place] for name, column in columns.items()}
            worst, at = error, f"{inputs}, gradient {seed[place]}: {found[place]}, {mp.nstr(true)}"
    return worst, at


def _gradient(subject: Subject, columns: Any, seed: Any, dtype: DType) -> Any:
    kind = _TORCH[dtype]
    tensors = {name: torch.tensor(column).to(kind) for name, column in columns.items()}
    words = {called(a): subject.attributes[a.name] for a in subject.op.attributes
             if a.name in subject.attributes}  # fmt: skip
    function = getattr(torch.ops.openaclnn, subject.op.name)
    weight = torch.tensor(seed).to(kind)
    if subject.op.steps is of_halves:
        both = torch.stack([tensors[name] for name in HALVES], -1).requires_grad_()
        results = function(both, **words)
        first = results[0] if isinstance(results, tuple) else results
        (found,) = torch.autograd.grad(first, both, weight[:, None])
        found = found[:, HALVES.index(subject.along)]
    else:
        one = tensors[subject.along].requires_grad_()
        named = {called(a): tensors[a.name] for a in subject.op.reads}
        (found,) = torch.autograd.grad(function(**named, **words), one, weight)
    return found.double().numpy()


def _points(subject: Subject, dtype: DType, random: np.random.Generator) -> Any:
    """Numbers of a dtype: neighbours of edges and of roots on both sides, others, from all
    binades, and where most happens."""
    low, high = subject.op.proof.range
    f = format_of(dtype)
    edge = [sign * one for one in edges(subject.op) for sign in (1, -1)]
    numbers = [value for value in subject.attributes.values() if isinstance(value, float)]
    edge += [sign * one for one in numbers for sign in (1, -1)]
    centres = _rounded(np.array([*edge, *_roots(subject)]), dtype)
    beside = np.concatenate([_next(centres, dtype, 1), _next(centres, dtype, -1)])
    further = _rounded(beside * (1 + 2.0 ** -random.integers(3, f.bits, beside.size)), dtype)
    sizes = 2.0 ** random.uniform(max(f.lowest, -300), min(f.highest, 300), 16)
    others = [random.uniform(low, high, 16), random.normal(size=16), sizes, -sizes]
    every = [beside, further, *(_rounded(one, dtype) for one in others)]
    return np.unique(np.concatenate(every))


_known_roots: dict[str, list[float]] = {}


def _roots(subject: Subject) -> list[float]:
    """Where a derivative of one input changes its sign, by bisection."""
    traced = subject.traced
    if len(traced.inputs) > 1 and subject.op.steps is not of_halves:
        return []
    key = str(subject)
    if key not in _known_roots:
        uniforms = {
            name: mpf(float(pair.high))
            for name, pair in numbers(
                subject.op, traced.uniforms, complete(subject.op, subject.attributes), 1, FLOAT
            ).items()
        }

        def sign(x: float) -> int:
            others = {name: np.array(1.0) for name in traced.inputs}
            point = Point({**others, subject.along: np.array(x)}, uniforms)
            try:
                found = slope(traced.results[0], point, subject.along)
            except UnknownError:
                return 0
            return 0 if mp.isnan(found) else int(mp.sign(found))

        grid = np.linspace(-4.03, 4.07, 25).tolist()
        signs = [sign(x) for x in grid]
        roots = []
        for a, b, first, second in zip(grid, grid[1:], signs, signs[1:], strict=False):
            if first * second >= 0:
                continue
            for _ in range(48):
                middle = (a + b) / 2
                a, b = (middle, b) if sign(middle) == first else (a, middle)
            roots.append(a)
        _known_roots[key] = roots
    return _known_roots[key]


_NUMPY: dict[DType, Any] = {
    FLOAT: np.float32, FLOAT16: np.float16, BF16: ml_dtypes.bfloat16, DOUBLE: np.float64,
}  # fmt: skip


def _rounded(given: Any, dtype: DType) -> Any:
    """Finite numbers of a dtype, as float64."""
    with np.errstate(all="ignore"):
        found = np.asarray(given, np.float64).astype(_NUMPY[dtype]).astype(np.float64)
    return np.where(np.isfinite(found), found, 1.0)


def _next(given: Any, dtype: DType, way: int) -> Any:
    f = format_of(dtype)
    exponent = np.maximum(np.frexp(given)[1] - 1, f.lowest)
    return _rounded(given + way * np.ldexp(1.0, exponent - f.bits + 1), dtype)


if __name__ == "__main__":
    kinds = {"f32": FLOAT, "f16": FLOAT16, "bf16": BF16, "f64": DOUBLE}
    wanted = [kinds[word] for word in sys.argv[1].split(",")]
    most, seed = int(sys.argv[2]), int(sys.argv[3])
    for subject in subjects():
        for dtype in wanted:
            if dtype not in describe.dtypes(subject.op):
                continue
            if len(sys.argv) > 4 and subject.op.name not in sys.argv[4:]:
                continue
            random = np.random.default_rng([seed, len(str(subject))])
            error, at = largest_error(subject, dtype, random, most)
            if error > 0.51 or math.isnan(error) or len(sys.argv) > 4:
                print(f"{subject} {dtype}: {error:.4g} at {at}", flush=True)
