"""A call like an earlier one but for one thing: what was learnt must not hide the difference."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import openaclnn
from arena import bits, compute, in_order, phase_one, phase_two
from openaclnn import AclnnError
from openaclnn.calls import two_phase
from openaclnn.calls.arrays import as_tensor
from openaclnn.ops import all_ops
from openaclnn.spec.call import Call
from openaclnn.spec.host import INT64
from openaclnn.spec.op import Attr, In, Op, Out
from openaclnn.spec.steps import Step, copied, halves, parts
from samples import Samples
from walks import every_op, every_sampled_op

SIZE = 60


def arrays(samples: Samples, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.normal(0, 3, SIZE).astype(np.float32) for _ in samples.inputs]


def call(samples: Samples, inputs: list[Any], **others: Any) -> Any:
    return getattr(openaclnn, samples.op)(*inputs, **others)


def expected(samples: Samples, inputs: list[Any], dtype: str = "f32", **others: Any) -> np.ndarray:
    return bits(compute(samples, inputs, [dtype] * len(inputs), dtype, others))


def learn(samples: Samples) -> list[np.ndarray]:
    """Make both kinds of call known, with and without an output."""
    inputs = arrays(samples)
    for _ in range(3):
        call(samples, inputs)
        call(samples, inputs, out=np.empty(SIZE, np.float32))
    return inputs


@every_op
def test_other_values_and_places(samples: Samples) -> None:
    learn(samples)
    seen = []
    for seed in range(5):
        inputs = arrays(samples, seed)
        result = call(samples, inputs)
        assert np.array_equal(bits(result), expected(samples, inputs))
        assert all(result is not earlier for earlier in seen)
        seen.append(result)


@every_op
def test_other_layouts(samples: Samples) -> None:
    inputs = learn(samples)
    spread = np.zeros((SIZE, 2), np.float32)
    for position in range(len(inputs)):
        changed: list[Any] = list(inputs)
        spread[:, 1] = inputs[position]
        changed[position] = spread[:, 1]
        assert np.array_equal(bits(call(samples, changed)), expected(samples, changed))
        changed[position] = inputs[position][::-1]
        assert np.array_equal(bits(call(samples, changed)), expected(samples, changed))
    out = np.zeros((SIZE, 2), np.float32)
    call(samples, inputs, out=out[:, 0])
    assert np.array_equal(bits(out[:, 0].copy()), expected(samples, inputs))
    assert not out[:, 1].any()


@every_op
def test_other_dtypes(samples: Samples) -> None:
    inputs = [array.astype(np.float16) for array in learn(samples)]
    assert np.array_equal(bits(call(samples, inputs)), expected(samples, inputs, "f16"))


@every_op
def test_outputs_on_top_of_inputs(samples: Samples) -> None:
    learn(samples)
    for position in range(len(samples.inputs)):
        for shift in (0, 1, -1, 7):
            memory = np.random.default_rng(5).normal(0, 3, SIZE + 20).astype(np.float32)
            inputs: list[Any] = arrays(samples)
            inputs[position] = memory[10 : 10 + SIZE]
            right = expected(samples, [np.array(array) for array in inputs])
            out = memory[10 + shift : 10 + shift + SIZE]
            assert call(samples, inputs, out=out) is out
            assert np.array_equal(bits(out), right)


@every_op
def test_other_attributes(samples: Samples) -> None:
    inputs = learn(samples)
    for _ in range(2):
        for attributes in samples.attributes:
            result = call(samples, inputs, **attributes)
            assert np.array_equal(bits(result), expected(samples, inputs, **attributes))


@every_op
def test_another_level(samples: Samples) -> None:
    inputs = learn(samples)
    with openaclnn.using(math="fast"):
        assert np.array_equal(bits(call(samples, inputs)), expected(samples, inputs))
    assert np.array_equal(bits(call(samples, inputs)), expected(samples, inputs))


def read_only() -> np.ndarray:
    array = np.zeros(SIZE, np.float32)
    array.flags.writeable = False
    return array


@dataclass(frozen=True)
class Worse:
    """What is wrong with the second call."""

    why: str
    message: str
    inputs: Callable[[list[Any]], list[Any]] = list
    out: Callable[[], Any] = lambda: np.zeros(SIZE, np.float32)
    status: int = 161002


WORSE = [
    Worse("a read-only output", "read-only", out=read_only),
    Worse("a short output", "has shape [59]", out=lambda: np.zeros(SIZE - 1, np.float32)),
    Worse("an integer output", "INT32", out=lambda: np.zeros(SIZE, np.int32)),
    Worse("a swapped output", "does not know", out=lambda: np.zeros(SIZE, ">f4")),
    Worse("a short input", "has shape [59]", lambda a: [a[0], a[1][:-1], *a[2:]]),
    Worse("an integer input", "INT32", lambda a: [a[0], a[1].astype(np.int32), *a[2:]]),
    Worse("a swapped input", "does not know", lambda a: [a[0], a[1].astype(">f4"), *a[2:]]),
    Worse("no input", "is null", lambda a: [a[0], None, *a[2:]], status=161001),
]


@pytest.mark.parametrize("row", WORSE, ids=lambda row: row.why)
@every_sampled_op
def test_worse_calls_are_refused(samples: Samples, row: Worse) -> None:
    inputs = row.inputs(learn(samples))
    out = row.out()
    with pytest.raises(AclnnError) as caught:
        call(samples, inputs, out=out)
    assert caught.value.status == row.status
    assert row.message in caught.value.message
    assert not out.any()


@every_op
def test_another_product(samples: Samples) -> None:
    inputs = learn(samples)
    with openaclnn.using(product="Ascend310B"), pytest.raises(AclnnError) as caught:
        call(samples, inputs)
    assert caught.value.status == 561003


@every_op
def test_subclasses_of_arrays(samples: Samples) -> None:
    inputs = learn(samples)
    masked = [np.ma.masked_array(array, array > 1) for array in inputs]
    with pytest.raises(AclnnError, match="its mask would be lost"):
        call(samples, masked)
    plain = [array.data for array in masked]
    assert np.array_equal(bits(np.asarray(call(samples, plain))), expected(samples, inputs))
    recarrays = [array.view(np.recarray) for array in inputs]
    assert np.array_equal(bits(np.asarray(call(samples, recarrays))), expected(samples, inputs))


@every_op
def test_arrays_that_change_their_memory(samples: Samples) -> None:
    """The same array object, whose data moved."""
    inputs = learn(samples)
    array = inputs[0]
    array.resize(5000, refcheck=False)
    array.resize(SIZE, refcheck=False)
    assert np.array_equal(bits(call(samples, inputs)), expected(samples, inputs))


@every_op
def test_executors_of_equal_calls_are_apart(samples: Samples) -> None:
    """Phase 1 repeated gives executors of their own, each with its own tensors."""
    op = all_ops()[samples.op]
    made = []
    for seed in range(4):
        inputs, out = arrays(samples, seed), np.zeros(SIZE, np.float32)
        named = dict(zip(samples.inputs, inputs, strict=True))
        status, _, executor = phase_one(op, in_order(op, named, out))
        assert status == 0
        made.append((inputs, out, executor))
    for inputs, out, executor in reversed(made):
        assert phase_two(op, None, 0, executor) == 0
        assert np.array_equal(bits(out), expected(samples, inputs))


@every_op
def test_values_that_cannot_be_compared(samples: Samples) -> None:
    """After a call that passed, with the very same tensors: refused, never raised."""
    op = all_ops()[samples.op]
    inputs, out = arrays(samples, 0), np.zeros(SIZE, np.float32)
    named = dict(zip(samples.inputs, map(as_tensor, inputs), strict=True))
    good = in_order(op, named, as_tensor(out))
    for _ in range(3):
        assert phase_one(op, good)[0] == 0
    for place, argument in enumerate(op.arguments):
        if isinstance(argument, Attr):
            bad = [np.array([0, 1]) if p == place else a for p, a in enumerate(good)]
            assert phase_one(op, bad)[0] == 161002


def prepared_thrice(samples: Samples) -> tuple[Any, list[Any], np.ndarray, list[Any]]:
    """The operator, its arrays, and arguments in C order that phase 1 has met."""
    op = all_ops()[samples.op]
    inputs, out = arrays(samples), np.zeros(SIZE, np.float32)
    named = dict(zip(samples.inputs, map(as_tensor, inputs), strict=True))
    arguments = in_order(op, named, as_tensor(out))
    for _ in range(3):
        status, _, executor = phase_one(op, arguments)
        assert status == 0
        assert phase_two(op, None, 0, executor) == 0
    return op, inputs, out, arguments


@every_op
def test_numbers_that_equal_an_integer_are_none(samples: Samples) -> None:
    op, _, _, good = prepared_thrice(samples)
    for place, argument in enumerate(op.arguments):
        if isinstance(argument, Attr) and argument.host is INT64:
            for value in (float(good[place]), np.float32(good[place])):
                bad = [value if p == place else a for p, a in enumerate(good)]
                assert phase_one(op, bad)[0] == 161002


@every_op
def test_tensors_made_anew_on_top_of_each_other(samples: Samples) -> None:
    """The same view of the same memory is no overlap that matters; one shifted by an element is."""
    op, *_ = prepared_thrice(samples)
    for position, name in enumerate(samples.inputs):
        for shift, needed in ((0, 0), (1, 4 * SIZE), (0, 0)):
            memory = np.random.default_rng(6).normal(0, 3, SIZE + 1).astype(np.float32)
            inputs = arrays(samples)
            inputs[position] = memory[:SIZE]
            right = expected(samples, [np.array(array) for array in inputs])
            named = dict(zip(samples.inputs, map(as_tensor, inputs), strict=True))
            out = memory[shift : SIZE + shift]
            status, size, executor = phase_one(op, in_order(op, named, as_tensor(out)))
            assert (status, size) == (0, needed), name
            assert phase_two(op, np.empty(size, np.uint8), size, executor) == 0
            assert np.array_equal(bits(out), right)


@every_op
@pytest.mark.usefixtures("small_heap")
def test_inputs_are_not_kept(samples: Samples) -> None:
    """What is remembered for the next call on an output does not hold the inputs' memory."""
    _, inputs, _, arguments = prepared_thrice(samples)
    output = arguments[-1]
    watched = [weakref.ref(array) for array in inputs]
    inputs.clear()
    arguments.clear()
    gc.collect()
    assert output.recent is not None
    assert [ref() for ref in watched] == [None] * len(watched)


@every_op
def test_another_level_with_the_same_tensors(samples: Samples) -> None:
    op, inputs, out, arguments = prepared_thrice(samples)
    exact = bits(out).copy()
    for level in ("fast", "exact", "fast"):
        with openaclnn.using(math=level):
            status, _, executor = phase_one(op, arguments)
            assert (status, phase_two(op, None, 0, executor)) == (0, 0)
            assert np.array_equal(bits(out), expected(samples, inputs))
    with openaclnn.using(product="Ascend310B"):
        assert phase_one(op, arguments)[0] == 561003
    status, _, executor = phase_one(op, arguments)
    assert (status, phase_two(op, None, 0, executor)) == (0, 0)
    assert np.array_equal(bits(out), exact)


def tensor_of(array: np.ndarray) -> Any:
    return as_tensor(array, written=True)


def test_outputs_that_share_memory_later_on() -> None:
    """The first call passed; one like it whose two outputs are one tensor does not."""
    op = Op(
        name="pair",
        en="Twice and three times",
        zh="两倍和三倍",
        arguments=(In("self", "x", "x"), Out("twice", "2x", "2x"), Out("thrice", "3x", "3x")),
        rules=(),
        formula=lambda self: (2 * self, 3 * self),
        example="",
    )
    x, twice, thrice = (tensor_of(np.ones(SIZE, np.float32)) for _ in range(3))
    for _ in range(3):
        two_phase.prepare(op, [x, twice, thrice]).run(0, 0, None)
        for both in (twice, thrice):
            with pytest.raises(AclnnError, match="twice and thrice share memory"):
                two_phase.prepare(op, [x, both, both])
        two_phase.prepare(op, [x, x, thrice]).run(0, 0, None)


def test_several_passes_over_one_tensor_later_on() -> None:
    """Halves that change places: nothing may be written before all is read, whatever an earlier
    call was like."""

    def exchanged(call: Call) -> tuple[Step, ...]:
        known = parts(call)
        (a, b), (first, second) = (halves(known[name], 0) for name in ("self", "out"))
        return Step({"self": b}, (first,), copied), Step({"self": a}, (second,), copied)

    op = Op(
        name="exchanged",
        en="Halves that changed places",
        zh="交换两半",
        arguments=(In("self", "x", "x"), Out("out", "x", "x")),
        rules=(),
        formula=copied,
        steps=exchanged,
        example="",
    )
    values = np.arange(SIZE, dtype=np.float32)
    swapped = np.roll(values, SIZE // 2)
    for _ in range(3):
        out = np.zeros_like(values)
        two_phase.prepare(op, [tensor_of(values), tensor_of(out)]).run(0, 0, None)
        assert np.array_equal(out, swapped)
        same = values.copy()
        executor = two_phase.prepare(op, [tensor_of(same), tensor_of(same)])
        workspace, keep = executor.ready.allocate()
        executor.run(workspace, executor.workspace_size, None)
        del keep
        assert np.array_equal(same, swapped)


def test_a_fold_into_its_own_input_later_on() -> None:
    """Rows of one element and more: the sums lie where terms are still to be read."""
    terms = np.random.default_rng(1).normal(0, 3, (300, 400)).astype(np.float32)
    right = openaclnn.reduce_sum(terms, dims=(1,))
    for _ in range(3):
        assert np.array_equal(
            openaclnn.reduce_sum(terms, dims=(1,), out=np.empty_like(right)), right
        )
    x = terms.copy()
    assert np.array_equal(openaclnn.reduce_sum(x, dims=(1,), out=x.reshape(-1)[7:307]), right)


@pytest.mark.parametrize("shape", [(200_000,), (64, 50)], ids=str)
def test_workspaces_of_several_threads(shape: tuple[int, ...]) -> None:
    """A workspace that is kept from call to call is nobody else's meanwhile."""
    rng = np.random.default_rng(2)
    inputs = [rng.normal(0, 3, shape).astype(np.float32) for _ in range(8)]
    right = [openaclnn.softmax(x, dim=-1) for x in inputs]

    def work(number: int) -> list[bool]:
        x, out = inputs[number], np.empty_like(inputs[number])
        return [
            np.array_equal(openaclnn.softmax(x, dim=-1, out=out), right[number]) for _ in range(50)
        ]

    with ThreadPoolExecutor(8) as pool:
        assert all(all(results) for results in pool.map(work, range(8)))
