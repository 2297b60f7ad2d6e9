"""The true values of operators, to about 100 bits: what kernels are judged by.

The operator's own formula, evaluated by `trees`, which shares nothing with the arithmetic that
kernels are made from; integers and conditions are exact. That the formula is the right one is for
the tests' rows to say, which come from PyTorch and mpmath.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from openaclnn.base.dtypes import FLOAT, DType
from openaclnn.base.scalars import Scalar
from openaclnn.calls.functions import attribute
from openaclnn.precision import trees
from openaclnn.precision.double_double import Pair
from openaclnn.spec.op import Op, number_of


def reference(
    op: Op,
    inputs: Sequence[ArrayLike],
    attributes: Mapping[str, Any] | None = None,
    numel: int | None = None,
    promoted: DType = FLOAT,
) -> Pair:
    """The true results (high, low) of an operator that computes one float from an element of each
    input, in C order and broadcast together. Attributes are by name, as Python users give them;
    `numel` is the number of results, where these are some of them.

    >>> from openaclnn.ops import find
    >>> high, low = reference(find("hardsigmoid_backward"), [[1.0, 1.0], [0.0, 4.0]])
    >>> high.tolist(), (low * 2.0**60).round(3).tolist()
    ([0.16666666666666666, 0.0], [10.667, 0.0])
    """
    arrays = np.broadcast_arrays(*(np.asarray(a, np.float64) for a in inputs))
    shape, count = arrays[0].shape, arrays[0].size
    used = complete(op, attributes or {})
    traced = op.traced(meaning(op), {a.name: True for a in op.reads}, used)
    names = (a.name for a in op.reads)
    given = {name: Pair(a.ravel(), np.float64(0.0)) for name, a in zip(names, arrays, strict=True)}
    uniforms = numbers(op, traced.uniforms, used, count if numel is None else numel, promoted)
    (found,) = trees.evaluate(traced, given, uniforms, count)
    return Pair(found.high.reshape(shape), found.low.reshape(shape))


def meaning(op: Op) -> Callable[..., Any]:
    """The formula whose values are true."""
    return op.proof.meaning or op.formula


def complete(op: Op, given: Mapping[str, Any]) -> dict[str, Any]:
    """All attributes as their kinds have them; what is not given is as where nothing is said."""
    return {
        a.name: attribute(op, a, given[a.name]) if a.name in given else a.plain
        for a in op.attributes
    }


def numbers(
    op: Op, names: Sequence[str], attributes: Mapping[str, Any], numel: int, promoted: DType
) -> dict[str, Pair]:
    """The uniforms of a formula. They are derived in fractions, where the operator's function
    allows that: a float64 would round them before anything else does."""
    known = {"numel": numel, **attributes}
    if op.uniforms:
        known |= _derived(op, attributes, numel, promoted)
    return {name: _pair(known[name], promoted) for name in names}


def _derived(
    op: Op, attributes: Mapping[str, Any], numel: int, promoted: DType
) -> Mapping[str, Any]:
    assert op.uniforms is not None
    exact = {name: _fraction(value) for name, value in attributes.items()}
    try:
        return op.uniforms(exact, Fraction(numel), promoted)  # type: ignore[arg-type]
    except (TypeError, ValueError, AttributeError):  # it wants floats
        return op.uniforms(attributes, numel, promoted)


def _fraction(value: Any) -> Any:
    return Fraction(value) if type(value) in (int, float) and np.isfinite(value) else value


def _pair(value: Any, promoted: DType) -> Pair:
    if isinstance(value, Scalar):
        value = number_of(value, promoted)
    high = float(value)
    low = Fraction(value) - Fraction(high) if np.isfinite(high) else 0
    return Pair(np.float64(high), np.float64(float(low)))
