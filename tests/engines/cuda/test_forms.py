"""Tilings of one form share a kernel: its text is the same, and its numbers are found by rule."""

from __future__ import annotations

import random
from typing import Any

import pytest

from openaclnn.arithmetic.lower import Body, lower
from openaclnn.base.dtypes import BF16, FLOAT, DType
from openaclnn.engines.cuda.choose_tiling import tiling_of
from openaclnn.engines.cuda.kernel import Kernel, kernel_of
from openaclnn.engines.cuda.tile_table import weight
from openaclnn.engines.cuda.tiling import Tiling, any_tiling
from openaclnn.ops import find
from openaclnn.plan.loop import Loop


def drawn(chance: random.Random, operands: int) -> Loop:
    """A loop whose operands lie anyhow: permuted, sliced, repeated; sizes small and large."""
    rank = chance.randint(1, 5)
    sizes = tuple(chance.choice((2, 3, 4, 7, 16, 31, 64, 90, 128, 500)) for _ in range(rank))
    strides = []
    for operand in range(operands):
        order, found, step = list(range(rank)), [0] * rank, chance.choice((1, 1, 1, 2))
        if operand < operands - 1:
            chance.shuffle(order)
        for dim in reversed(order):
            found[dim] = step
            step *= sizes[dim] + chance.choice((0, 0, 0, 1, 16))
        if operand < operands - 1 and chance.random() < 0.3:
            found[chance.randrange(rank)] = 0
        strides.append(tuple(found))
    return Loop(sizes, tuple(strides), (0,) * operands)


def facts(kernel: Kernel) -> tuple[Any, ...]:
    """All of a kernel that tilings of one form have in common."""
    arguments = [(p.name, p.type, p.multiple, p.at, p.part) for p in kernel.parameters]
    common = kernel.pointers, kernel.uniforms, kernel.warps, kernel.registers, kernel.alignable
    return kernel.source, arguments, common


def body_of(name: str, dtype: DType) -> Body:
    traced = find(name).traced_in("f32")
    return lower(traced, (dtype,) * len(traced.inputs), dtype, (dtype,), "f32")


def tilings(loop: Loop, body: Body) -> list[Tiling]:
    kind = weight(body)
    return [*filter(None, [any_tiling(loop, kind)]), tiling_of(loop, body.sizes, kind)]


@pytest.mark.parametrize("name", ["leaky_relu_backward", "silu_backward"])
@pytest.mark.parametrize("dtype", [FLOAT, BF16], ids=str)
def test_tilings_of_one_form(name: str, dtype: DType) -> None:
    chance, body = random.Random(name), body_of(name, dtype)
    known: dict[tuple[Any, ...], Kernel] = {}
    shared = 0
    for _ in range(300):
        for tiling in tilings(drawn(chance, len(body.sizes)), body):
            kernel = kernel_of(body, tiling, 90)
            first = known.setdefault(tiling.form(body.sizes), kernel)
            shared += first is not kernel
            assert facts(first) == facts(kernel)
            assert first.numbers(tiling) == [p.number for p in kernel.parameters]
    assert shared > 100


def test_few_elements_need_few_kernels() -> None:
    """However they lie: one for two dimensions, four and eight."""
    chance, body = random.Random(1), body_of("leaky_relu_backward", FLOAT)
    found = set()
    for _ in range(500):
        tiling = any_tiling(drawn(chance, len(body.sizes)), weight(body))
        if tiling is not None:
            found.add(tiling.form(body.sizes))
    assert len(found) == 3


@pytest.mark.parametrize("name", ["leaky_relu_backward", "silu_backward"])
def test_the_kernel_of_few_elements_compiles(name: str) -> None:
    pytest.importorskip("triton", reason="needs triton")
    from openaclnn.engines.cuda.compile import binary, program_of

    body = body_of(name, BF16)
    loop = Loop((3, 5, 7), ((1, 21, 3), (35, 0, 1), (35, 7, 1)), (0, 0, 0))
    tiling = any_tiling(loop, weight(body))
    assert tiling is not None
    kernel = kernel_of(body, tiling, 90)
    assert binary(program_of(kernel, kernel.alignable)).cubin[:4] == b"\x7fELF"
