"""Random products: the GPU's kernel against the CPU's bits."""

from __future__ import annotations

import numpy as np

from exact_products import random_product, random_quantised
from host_engines import interpret

_COUNT = 8


def differing() -> int:
    """How many of some products differ; among them cancelling ones, which are repaired."""
    random, count = np.random.default_rng(36), 0
    for number in range(_COUNT):
        make = random_quantised if number % 2 else random_product
        one = make(random, 12, 80 if number % 2 else 40)
        if not one.a.size:
            continue
        one.run()
        expected = one.out.copy()
        one.out[...] = 0
        interpret(one.planned, [x.ctypes.data for x in one.operands])
        if one.out.tobytes() != expected.tobytes():
            print(f"product {number} differs: {one}")
            count += 1
    return count
