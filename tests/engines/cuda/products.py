"""Random products: the GPU's kernel against the CPU's bits."""

from __future__ import annotations

import numpy as np

from exact_products import random_product, view_of
from host_engines import interpret
from openaclnn.plan import Place, RoutinePass
from openaclnn.spec.contraction import Contraction

_COUNT = 4


def differing() -> int:
    """How many of some products differ; among them cancelling ones, which are repaired."""
    random, count = np.random.default_rng(36), 0
    for number in range(_COUNT):
        one = random_product(random, 12, 40)
        if not one.a.size:
            continue
        one.run()
        expected = one.out.copy()
        operands = [one.a, one.b, *([] if one.c is None else [one.c]), one.out]
        how = Contraction(alpha=one.alpha, beta=one.beta)
        places = tuple(map(Place, range(len(operands))))
        one.out[...] = 0
        views = tuple(map(view_of, operands))
        interpret(
            RoutinePass(how, places, views, len(operands) - 1), [x.ctypes.data for x in operands]
        )
        if one.out.tobytes() != expected.tobytes():
            print(f"product {number} differs: {one}")
            count += 1
    return count
