"""Random products and convolutions against exact sums.

    python tests/long contractions [products] [convolutions] [seed]

Sizes of products are up to 300, some sums have 10,000 terms. Every element is looked at: where
float64 with its bound tells what is right, that decides; the others, which are those that kernels
repair and some more, are added up exactly (at most 200 of a result), and so are 64 random ones.
Another number of threads must have the same bits. One convolution in two has its gradients checked.
"""

from __future__ import annotations

import secrets
import sys
import time

import numpy as np

from exact_convolutions import random_convolution
from exact_products import laid_out, numbers, random_product, random_quantised
from openaclnn.engines.cpu import threads


def product(number: int, seed: int) -> list[str]:
    """What is wrong with a random product; one in ten is large, one in a hundred long."""
    random = np.random.default_rng((seed, 0, number))
    if number % 20 == 7:
        one = random_quantised(random)
    else:
        most = 300 if number % 10 == 0 else 40
        one = random_product(random, most, 10_000 if number % 100 == 1 else 300)
    threads.set_num_threads(1 + number % 2)
    one.run()
    before = one.out.tobytes()
    places = one.wrong(random, 64)
    found = [f"elements {places[:4]}"] if places else []
    threads.set_num_threads(2 - number % 2)
    one.run()
    return found + ["threads"] * (one.out.tobytes() != before)


def convolution(number: int, seed: int) -> list[str]:
    """What is wrong with a random convolution or its gradients."""
    random = np.random.default_rng((seed, 1, number))
    one = random_convolution(random)
    threads.set_num_threads(1 + number % 2)
    out = one.run()
    wrong = ["result"] * one.wrong(out, random)
    if number % 2:
        shape = (out.shape[0], int(np.prod(out.shape[1:])))
        grad = laid_out(random, numbers(random, shape, one.x.dtype, "wide")).reshape(out.shape)
        wrong += one.gradients_wrong(grad, one.gradients(grad), random)
    threads.set_num_threads(2 - number % 2)
    return wrong + ["threads"] * (one.run().tobytes() != out.tobytes())


def main(products: int, convolutions: int, seed: int) -> int:
    bad, began = 0, time.monotonic()
    print(f"{products} products, {convolutions} convolutions, seed {seed}", flush=True)
    for name, check, count in (
        ("product", product, products), ("convolution", convolution, convolutions)
    ):  # fmt: skip
        for number in range(count):
            found = check(number, seed)
            if found:
                bad += 1
                print(f"seed {seed}, {name} {number}: {', '.join(found)}")
            if number % 1000 == 999:
                print(f"{number + 1} {name}s, {bad} wrong, {time.monotonic() - began:.0f} s",
                      flush=True)  # fmt: skip
    print(f"{bad} wrong (seed {seed})")
    return bool(bad)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:4]]
    sys.exit(main(*given, *(100_000, 10_000, secrets.randbelow(1 << 32))[len(given) :]))
