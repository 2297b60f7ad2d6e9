"""Random products: the GPU's kernel against the CPU's bits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from exact_products import Product, random_product, random_quantised
from host_engines import interpret
from openaclnn.engines.cuda.routines import products, routine_room

_COUNT = 8


def differing() -> int:
    """How many of some products differ; among them cancelling ones, which are repaired."""
    random = np.random.default_rng(36)
    return _differing(random) + _differing_as_large_ones(random)


def _differing_as_large_ones(random: np.random.Generator) -> int:
    """The kernels of large products, on small ones."""
    usual = products._WORK, products._FEWEST
    products._WORK, products._FEWEST = 0, 1
    try:
        return sum(_differs(random_product(random, 70, 90), n) for n in range(_COUNT))
    finally:
        products._WORK, products._FEWEST = usual


def _differs(one: Product, number: int) -> bool:
    if not one.a.size or not one.b.size:
        return False
    one.run()
    expected = one.out.copy()
    one.out[...] = 0
    room = np.empty(routine_room(one.planned), np.int8)
    interpret(one.planned, [x.ctypes.data for x in one.operands], room.ctypes.data)
    if one.out.tobytes() == expected.tobytes():
        return False
    print(f"product {number} differs: {one}")
    return True


def _differing(random: np.random.Generator) -> int:
    count = 0
    for number in range(2 * _COUNT):
        make = random_quantised if number % 2 else random_product
        one = make(random, 12, 80 if number % 2 else 40)
        if number >= _COUNT:  # a vector and a matrix
            _keep_one_line(one, rows=number % 4 < 2 or one.scale is not None)
        count += _differs(one, number)
    return count + _differs_where_views_are_one(random)


def _keep_one_line(one: Product, rows: bool) -> None:
    """The first row of a product, or its first column."""
    if rows:
        one.a, kept = one.a[:1], np.s_[:1]
    else:
        one.b, kept = one.b[:1], np.s_[:, :1]
    one.out, one.c = one.out[kept], None if one.c is None else one.c[kept]


def _differs_where_views_are_one(random: np.random.Generator) -> bool:
    """What is added lies like the result: planned views that are equal may be one object."""
    a, b, c = (
        random.standard_normal(shape).astype(np.float32) for shape in ((3, 5), (4, 5), (3, 4))
    )
    one = Product(a, b, np.empty((3, 4), np.float32), c=c)
    planned = one.planned
    planned = replace(planned, views=(*planned.views[:2], planned.views[3], planned.views[3]))
    interpret(planned, [x.ctypes.data for x in one.operands])
    return bool(one.wrong(random, 12))
