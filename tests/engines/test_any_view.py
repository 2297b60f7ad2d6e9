"""Views that no test names: Hypothesis draws shapes, strides, offsets, broadcasts, dtypes and
aliasing; the bits are those of the same values laid out plainly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import openaclnn
from arena import (
    GUARD,
    Block,
    bits,
    compute,
    elements,
    in_order,
    message,
    output,
    phase_one,
    phase_two,
    run,
)
from openaclnn import aclnn
from openaclnn.base import dtypes
from openaclnn.base.dtypes import promote
from openaclnn.base.tensors import Tensor, View, strided_view, view
from openaclnn.ops import all_ops
from samples import Samples, all_samples
from walks import examples

ALL = list(all_samples().values())


@dataclass(frozen=True)
class Case:
    samples: Samples
    views: tuple[View, ...]  # inputs, then the output
    seed: int


def strides_for(draw: st.DrawFn, shape: tuple[int, ...], expand: bool) -> list[int]:
    """Strides in some order of the dimensions, with gaps, backwards, or 0."""
    order = draw(st.permutations(range(len(shape))))
    strides, step = [0] * len(shape), draw(st.sampled_from([1, 1, 1, 2, 3]))
    for dim in order:
        sign = draw(st.sampled_from([1, 1, 1, -1]))
        if expand and draw(st.integers(0, 5)) == 0:
            continue
        strides[dim] = sign * step
        step = step * max(shape[dim], 1) + draw(st.sampled_from([0, 0, 0, 1, 7]))
    return strides


def moved(facts: View, by: int) -> View:
    """The same view further into a larger storage."""
    storage = (facts.storage_numel + by + 2,)
    return view(facts.dtype, facts.shape, facts.strides, facts.offset + by, storage_shape=storage)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    samples = draw(st.sampled_from(ALL))
    sizes = st.sampled_from([1, 1, 2, 3, 4, 5, 16, 17, 40, 65])
    shape: tuple[int, ...] = tuple(draw(st.lists(sizes, max_size=6)))
    while math.prod(shape) > 20_000:
        shape = shape[1:]
    if draw(st.integers(0, 15)) == 0 and shape:
        shape = (0, *shape[1:])
    mix = draw(st.tuples(*[st.sampled_from(samples.dtypes)] * len(samples.inputs)))
    promoted = promote(*map(dtypes.by_name, mix))
    assert promoted is not None
    outputs = [o for o in ("f32", "f16", "bf16", "f64", "c64", "c128")
               if samples.takes(mix, o, "Ascend950")]  # fmt: skip
    if not outputs:  # a mix that this operator does not take
        mix = (mix[0],) * len(mix)
        outputs = [mix[0]]
    views = []
    for dtype in mix:
        own = shape
        if samples.broadcasts_on:
            own = tuple(1 if draw(st.integers(0, 4)) == 0 else size for size in shape)
            if draw(st.integers(0, 4)) == 0:
                own = own[draw(st.integers(0, len(own))) :]
        facts = strided_view(dtypes.by_name(dtype), own, strides_for(draw, own, expand=True))
        views.append(moved(facts, draw(st.integers(0, 9))))
    if samples.broadcasts_on:
        shape = np.broadcast_shapes(*(facts.shape for facts in views))
    out = dtypes.by_name(draw(st.sampled_from(outputs)))
    facts = strided_view(out, shape, strides_for(draw, shape, expand=False))
    views.append(moved(facts, draw(st.integers(0, 9))))
    return Case(samples, tuple(views), draw(st.integers(0, 2**32)))


def fill(facts: View, seed: int) -> Block:
    block = Block(facts)
    values = np.random.default_rng(seed).normal(0, 3, facts.storage_numel)
    storage = strided_view(facts.dtype, (facts.storage_numel,), (1,))
    size = facts.storage_numel * facts.dtype.itemsize
    whole = elements(block.bytes[4096 : 4096 + size].view(facts.dtype.numpy), storage)
    whole[...] = values.astype(facts.dtype.numpy)
    block.before = block.bytes.copy()
    return block


@examples(125)
@given(cases())
def test_views(case: Case) -> None:
    op = all_ops()[case.samples.op]
    blocks = [fill(facts, case.seed + n) for n, facts in enumerate(case.views)]
    *inputs, out = blocks
    named = {n: b.tensor for n, b in zip(case.samples.inputs, inputs, strict=True)}
    with openaclnn.using(product="Ascend950"):
        assert run(op, in_order(op, named, out.tensor)) == 0
        full = [np.broadcast_to(b.array, out.view.shape).copy() for b in inputs]
        names = [b.view.dtype.short for b in inputs]
        expected = compute(case.samples, full, names, out.view.dtype.short)
    assert np.array_equal(bits(out.result()), bits(expected))
    assert all(block.unchanged() for block in inputs)


@examples(75)
@given(cases(), st.integers(0, 40), st.integers(0, 2))
def test_views_of_one_storage(case: Case, apart: int, which: int) -> None:
    """The output anywhere on top of an input: as if all had been read before."""
    op = all_ops()[case.samples.op]
    position = which % len(case.samples.inputs)
    source, out = case.views[position], case.views[-1]
    size = source.dtype.itemsize
    reach = source.storage_numel * size + out.storage_numel * out.dtype.itemsize + 64 * size
    memory = np.random.default_rng(case.seed).normal(0, 3, -(-reach // size))
    block = Block(strided_view(source.dtype, (memory.size,), (1,)))
    block.fill(memory.astype(source.dtype.numpy))
    begin = block.tensor.address
    inputs = [fill(facts, case.seed + n) for n, facts in enumerate(case.views[:-1])]
    tensors = [b.tensor for b in inputs]
    tensors[position] = Tensor(source, begin, owner=block)
    target = Tensor(out, begin + apart * size, owner=block)
    full = [np.broadcast_to(b.array, out.shape).copy() for b in inputs]
    mine = elements(block.array, source)
    full[position] = np.broadcast_to(mine, out.shape).copy()
    with openaclnn.using(product="Ascend950"):
        names = [b.view.dtype.short for b in inputs]
        expected = compute(case.samples, full, names, out.dtype.short)
        after = block.bytes.copy()
        start = 4096 + apart * size
        span = after[start : start + out.storage_numel * out.dtype.itemsize]
        if out.numel:
            elements(span.view(out.dtype.numpy), out)[...] = expected
        named = dict(zip(case.samples.inputs, tensors, strict=True))
        workspace = run(op, in_order(op, named, target))
    assert workspace in (0, expected.nbytes)
    assert np.array_equal(block.bytes, after)


@examples(100)
@given(cases(), st.integers(0, 40), st.integers(-1, 2))
def test_addresses_that_come_later(case: Case, apart: int, on_top_of: int) -> None:
    """Null data in phase 1, addresses before phase 2: the bits of the direct call. Whether the
    output overlaps an input is known only then."""
    op = all_ops()[case.samples.op]
    blocks = [fill(facts, case.seed + n) for n, facts in enumerate(case.views)]
    addresses = [block.tensor.address for block in blocks]
    if 0 <= on_top_of < len(blocks) - 1:
        size = blocks[on_top_of].view.dtype.itemsize
        addresses[-1] = addresses[on_top_of] + apart * size
        room = blocks[on_top_of].bytes.size - GUARD - apart * size
        if case.views[-1].end_byte > room:
            addresses[-1] = blocks[-1].tensor.address
    before = [block.bytes.copy() for block in blocks]
    names = (*case.samples.inputs, case.samples.output)

    def arguments(tensors: list[Tensor]) -> list[Any]:
        return in_order(op, dict(zip(names, tensors, strict=True)), tensors[-1])

    with openaclnn.using(product="Ascend950"):
        direct = [Tensor(v, address) for v, address in zip(case.views, addresses, strict=True)]
        run(op, arguments(direct))
        after = [block.bytes.copy() for block in blocks]
        for block, old in zip(blocks, before, strict=True):
            block.bytes[:] = old
        null = [Tensor(facts, 0) for facts in case.views]
        status, size, executor = phase_one(op, arguments(null))
        assert (status, size) == (0, 0), message()
        for name, tensor, address in zip(names, null, addresses, strict=True):
            place = [argument.name for argument in op.tensors].index(name)
            assert aclnn.aclSetTensorAddr(executor, place, tensor, address) == 0
        assert phase_two(op, None, 0, executor) == 0, message()
    for block, expected in zip(blocks, after, strict=True):
        assert np.array_equal(block.bytes, expected)


@examples(100)
@given(cases(), st.data())
def test_arrays_take_the_short_cut_and_the_road(case: Case, data: st.DataObject) -> None:
    """The NumPy-like door, twice: what it learns from the first call serves the second."""
    function = getattr(openaclnn, case.samples.op)
    blocks = [fill(facts, case.seed + n) for n, facts in enumerate(case.views)]
    *inputs, out = blocks
    with openaclnn.using(product="Ascend950"):
        first = function(*(b.array for b in inputs), out=out.array)
        assert first is out.array
        expected = bits(out.result())
        for block in inputs:  # other values in the same places, then in others
            block.array[...] = block.array * 2 if block.array.base is not None else 1
        again = output(out.view.shape, out.view.dtype, "contiguous")
        function(*(b.array.copy() for b in inputs), out=again.array)
        function(*(b.array for b in inputs), out=out.array)
    assert np.array_equal(bits(out.result()), bits(again.result()))
    assert expected.shape == bits(out.array).shape
