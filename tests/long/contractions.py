"""Random products against exact sums.

    python tests/long contractions [products] [seed]

Sizes are up to 300, some sums have 10,000 terms; of each, 64 random elements must be the exact
rational number, rounded once, and the bits must be those of another number of threads.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from exact_products import random_product
from openaclnn.engines.cpu import threads


def main(count: int, seed: int) -> int:
    random, bad, checked = np.random.default_rng(seed), 0, 0
    began = time.monotonic()
    for number in range(count):
        most = 300 if number % 10 == 0 else 40
        one = random_product(random, most, 10_000 if number % 100 == 0 else 300)
        threads.set_num_threads(1 + number % 2)
        one.run()
        before = one.out.tobytes()
        found = one.wrong(random, 64)
        threads.set_num_threads(2 - number % 2)
        one.run()
        other = one.out.tobytes() != before
        bad, checked = bad + len(found) + other, checked + 64
        if found or other:
            print(f"seed {seed}, product {number}: {found[:4]}, {other=}")
        if number % 1000 == 999:
            print(f"{number + 1} products, {checked} elements, {bad} wrong, "
                  f"{time.monotonic() - began:.0f} s", flush=True)  # fmt: skip
    print(f"{count} products, {checked} elements, {bad} wrong (seed {seed})")
    return bool(bad)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:3]]
    sys.exit(main(*given, *(100_000, 0)[len(given) :]))
