"""Compares the kernels under Triton's interpreter with the CPU engine.

cd tests; TRITON_INTERPRET=1 PYTHONPATH=.:support python engines/cuda/interpreted.py <<< functions

Parts are asked for by lines of the input: layouts, few, tried, windows, operators, slopes,
conversions, functions, every, folds, judged, products, attention, routines. What differs is
printed, and a line "= N" when a part ends. With `nightly` as an argument all operators are walked
over.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import settings

import attention
import cases
import comparison
import every_operator
import folds
import judging
import products
from bodies import on_cpu
from conversions import REAL, SAME, compute_of, edges
from host_engines import InterpretedEngine, interpret
from openaclnn.arithmetic.lower import Body, lower
from openaclnn.base.dtypes import BF16, COMPLEX64, COMPLEX128, DOUBLE, FLOAT, FLOAT16, DType
from openaclnn.base.tensors import contiguous_strides, view
from openaclnn.engines.cpu import CpuEngine
from openaclnn.engines.cuda import tile_table as tiles
from openaclnn.engines.cuda.choose_tiling import others
from openaclnn.engines.cuda.tile_table import Tile, Tried
from openaclnn.engines.cuda.tiling import StagedTiling, Tiling
from openaclnn.ops import find
from openaclnn.plan import Pass, Place, Plan, pass_over
from openaclnn.plan.loop import Loop
from openaclnn.spec import formula
from openaclnn.spec.formula import Expr, tensor, trace
from walks import in_turn, operators

FUNCTIONS = (
    "exp", "expm1", "log", "log1p", "sigmoid", "sqrt", "rsqrt", "sin", "cos", "tanh", "erf",
    "exp2", "log10", "tan", "acos", "atan", "sinh", "acosh", "erfc", "erfinv",
)  # fmt: skip


def main(part: str) -> int:
    """The number of calls whose bits differ."""
    if part == "slopes":
        return sum(map(slope_differs, ("silu_backward", "log_sigmoid_backward")))
    if part == "judged":
        return judging.differing()
    if part == "tried":
        return sum(map(tried_differ, ((5, 35, 37), (3, 5, 3, 7, 9))))
    if part == "windows":
        seen: set[Tile] = set()
        differing = sum(windows_differ(seed, seen) for seed in range(WINDOWED))
        assert seen == {*WINDOWS}
        return differing
    if part == "every":
        some = operators("interpreted", most=24).values()
        found = [every_operator.differing(InterpretedEngine(), op, few=True) for op in some]
        print(*itertools.chain(*found), sep="\n")
        return sum(map(len, found))
    if part == "products":
        return products.differing()
    if part == "attention":
        return attention.differing()
    if part == "routines":
        found = [
            every_operator.differing(InterpretedEngine(), find(name), few=True)
            for name in ("cumsum", "cumprod", "prod_dim", "cummin", "sort", "median", "randperm")
        ]
        print(*itertools.chain(*found), sep="\n")
        return sum(map(len, found))
    if part == "folds":
        differing = folds.differing(InterpretedEngine())
        for name, dtype in (("repeat", BF16), ("reflection_pad1d", FLOAT), ("tril", DOUBLE)):
            back = every_operator.way_back(find(name), dtype)
            differing += every_operator.differing(InterpretedEngine(), find(name), made=back)
        print(*differing, sep="\n")
        return len(differing)
    if part == "conversions":
        pairs = [
            (source, target)
            for turn, source in enumerate(REAL)
            for target in OUTPUTS[turn % 2 :: 2]
        ]
        return sum(itertools.starmap(conversion_differs, pairs))
    if part == "functions":
        functions = [getattr(formula, name) for name in FUNCTIONS]
        ways = [
            *itertools.product(functions, (FLOAT,)),
            # the others differ in coefficients only
            *itertools.product(functions[::2], (BF16,)),
            *itertools.product(functions[1:9:2], (FLOAT16,)),
            *((getattr(formula, name), DOUBLE) for name in ("sin", "rsqrt")),
        ]
        return sum(itertools.starmap(function_differs, ways))
    wrong = 0
    if part in ("layouts", "few"):
        op = find("leaky_relu_backward")
        types = [*list(cases.same_types(op))[:2], *list(cases.mixed_types(op))[4:6]]
        samples = [
            (op, types[(turn + more) % 4], layout, "exact")
            for turn, layout in enumerate(cases.LAYOUTS)
            for more in (in_turn((0, 1), turn // 4, of=2) if part == "layouts" else (2,))
        ]
    else:
        samples = [
            (op, types, layout, level)
            for op in cases.operators()
            for types in (*cases.same_types(op), *cases.mixed_types(op))
            for layout, level in (("short odd rows", "exact"), ("self turned", "fast"))
        ]
    for number, (op, types, layout, level) in enumerate(samples):
        differing = comparison.differing(
            InterpretedEngine(), op, types, layout, level, number % 3, few=part == "few"
        )
        if differing:
            print(f"{op.name} {types} {layout} {level}: {differing} bytes differ")
            wrong += 1
    return wrong


def tried_differ(shape: tuple[int, ...]) -> int:
    """How many of the tilings that calls try give other bits than the CPU engine, for a product of
    tensors that all have their dimensions in different orders."""
    rank = len(shape)
    orders = [*range(1, rank), 0], [*range(rank)][::-1]
    views = [*(cases.ordered(*order)(BF16, shape) for order in orders), view(BF16, shape)]
    traced = trace(lambda x, y: x * y, {"x": tensor("x"), "y": tensor("y")})
    one = pass_over(views, traced, BF16, "f32")
    random = np.random.default_rng(rank)
    arrays = [random.integers(0, 1 << 16, math.prod(shape), np.uint16) for _ in views]
    tilings = others(one.loop, one.body.sizes, "light")
    assert len(tilings) > len(orders)
    return tilings_differ(one, arrays, tilings)


def tilings_differ(one: Pass, arrays: list[Any], tilings: Sequence[Tiling]) -> int:
    """How many tilings of a product give other bits than the CPU engine, or write beside them."""
    addresses, before, wrong = [array.ctypes.data for array in arrays], arrays[-1].copy(), 0
    launcher = CpuEngine().prepare(Plan(find("mul"), (one,)))
    launcher.launch(launcher.pack(addresses, 0), None)
    expected = arrays[-1].copy()
    for tiling in tilings:
        arrays[-1][:] = before
        interpret(one, addresses, tiling=tiling)
        if arrays[-1].tobytes() != expected.tobytes():
            print(f"{one.loop}: {tiling} differs")
            wrong += 1
    return wrong


WINDOWED = 16  # random layouts
WINDOWS = (
    Tile(16, 128, 4, 8, 64),
    Tile(64, 64, 4, 8, 128),
    Tile(64, 64, 4, 8, 128, sectors=True),
    Tile(32, 128, 8, 8, 64, sectors=True),
)


def windows_differ(seed: int, seen: set[Tile]) -> int:
    """How many tilings in windows differ for a product of tensors of which one lies like the output
    or repeats, and one across it; their tiles are `seen`."""
    random = np.random.default_rng(seed)
    rank = int(random.integers(2, 5))
    total = 10 ** random.uniform(3.5, 4.8)
    shape = tuple(int(n) for n in random.uniform(0.4, 2, rank) * total ** (1 / rank) + 1)
    orders = [[*range(rank)], [*range(rank)][::-1], [*range(rank)]]
    gaps = random.integers(0, 3, rank) * (random.random() < 0.5)
    views, arrays = [], []
    for turn, order in enumerate(orders):
        stored = [shape[dim] + (0 if turn == 1 else int(gaps[dim])) for dim in order]
        strides = dict(zip(order, contiguous_strides(stored), strict=True))
        steps = [strides[dim] for dim in range(rank)]
        if turn == 0 and random.random() < 0.2:
            steps[int(random.integers(rank))] = 0
        offset = int(random.choice([0, 0, 1, 4, 8, 13]))
        views.append(view(BF16, shape, tuple(steps), offset))
        arrays.append(random.integers(0, 1 << 16, math.prod(stored) + 32, np.uint16))
    traced = trace(lambda x, y: x * y, {"x": tensor("x"), "y": tensor("y")})
    one = pass_over(views, traced, BF16, "f32")
    usual, tiles.TRIED["light"] = tiles.TRIED["light"], Tried((), WINDOWS, (), ())
    tilings = others(one.loop, one.body.sizes, "light")
    tiles.TRIED["light"] = usual
    windows = [tiling for tiling in tilings if isinstance(tiling, StagedTiling)]
    seen.update(tiling.tile for tiling in windows)
    return tilings_differ(one, arrays, windows)


def slope_differs(name: str) -> bool:
    """Whether the slope before its rounding, which the proof of a bound asks for, is another."""
    x = np.concatenate(
        [
            np.linspace(-210, 210, 700, dtype=np.float32),
            np.float32(-1.2784645) + np.linspace(-1e-3, 1e-3, 301, dtype=np.float32),
            np.array([0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -3e38, 3e38], np.float32),
        ]
    )
    results = []
    for engine in (CpuEngine(), InterpretedEngine()):
        arrays = [np.ones_like(x), x, np.empty(x.shape)]
        views = [view(dtype, x.shape) for dtype in (FLOAT, FLOAT, DOUBLE)]
        op = find(name)
        plan = Plan(op, (pass_over(views, op.traced_in("f64"), DOUBLE, "f64"),))
        launcher = engine.prepare(plan)
        launcher.launch(launcher.pack([array.ctypes.data for array in arrays], 0), None)
        results.append(arrays[-1].tobytes())
    if results[0] != results[1]:
        print(f"{name}: the slope before its rounding differs")
    return results[0] != results[1]


OUTPUTS = (*REAL, COMPLEX64, COMPLEX128)


def plain_pass(body: Body, loop: Loop) -> Pass:
    """A body over a loop of one input and an output."""
    return Pass(body, loop, (Place(0), Place(1)), (), ())


def conversion_differs(source: DType, target: DType) -> bool:
    body = lower(SAME, (source,), source, (target,), compute_of(source))
    values = edges(source)
    found = np.empty(values.size, target.numpy)
    loop = Loop((values.size,), ((1,), (1,)), (0, 0))
    interpret(plain_pass(body, loop), [values.ctypes.data, found.ctypes.data])
    differs = found.tobytes() != on_cpu(body, [values], target).tobytes()
    if differs:
        print(f"{source} to {target} differs")
    return differs


def function_differs(function: Callable[[Any], Expr], dtype: DType) -> bool:
    """In float32, and for FLOAT in float64 too."""
    rng = np.random.default_rng(3)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, -1.0, 1e-45, -1e-45, 3e38, -3e38, 88.5, -87.0]
    special += [1e5, -3e9, 1e20, 7e30]
    with np.errstate(over="ignore"):
        x = np.concatenate([rng.normal(size=80), rng.uniform(-110, 100, 80), special])
        x = x.astype(dtype.numpy)
    differs = False
    computes = {FLOAT: ("f32", "f64"), DOUBLE: ("f64",)}
    for compute in computes.get(dtype, ("f32",)):
        traced = trace(lambda x: function(x), {"x": tensor("x")})
        body = lower(traced, (dtype,), dtype, (dtype,), compute)
        found = np.empty_like(x)
        loop = Loop(x.shape, ((1,), (1,)), (0, 0))
        interpret(plain_pass(body, loop), [x.ctypes.data, found.ctypes.data])
        if found.tobytes() != on_cpu(body, [x], dtype).tobytes():
            print(f"{function.__name__} of {dtype} in {compute} differs")
            differs = True
    return differs


if __name__ == "__main__":
    if "nightly" in sys.argv[1:]:
        settings.register_profile("nightly")
        settings.load_profile("nightly")
    for line in sys.stdin:
        print("=", main(line.strip()), flush=True)
