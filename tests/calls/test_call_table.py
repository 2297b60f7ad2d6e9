"""The call cache of calls on NumPy and PyTorch: taken where it may be, and nowhere else."""

from __future__ import annotations

import dataclasses
import gc
import sys
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

import openaclnn
from arena import bits, compute
from call_tables import both_tables
from openaclnn import AclnnError
from openaclnn.calls import array_readers, functions, keys
from openaclnn.calls.replay import native
from openaclnn.ops import all_ops
from samples import Samples, all_samples
from walks import every_op, every_sampled_op

SIZE = 60
each_door = both_tables()


@dataclass(frozen=True)
class Library:
    """A library whose arrays take the call cache."""

    name: str
    array: Callable[[Any], Any]  # of NumPy's
    memory: Callable[[Any], np.ndarray]  # NumPy's view of it


LIBRARIES = [
    Library("numpy", lambda array: array, lambda array: array),
    Library("torch", torch.from_numpy, lambda tensor: tensor.numpy()),
]
every_library = pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)


def draw(samples: Samples, seed: int = 0, shape: Any = SIZE) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.normal(0, 3, shape).astype(np.float32) for _ in samples.inputs]


def call(samples: Samples, inputs: list[Any], **others: Any) -> Any:
    return getattr(openaclnn, samples.op)(*inputs, **others)


def learn(samples: Samples, inputs: list[Any], out: Any, **others: Any) -> None:
    call(samples, inputs, **others)
    call(samples, inputs, out=out, **others)


def expected(samples: Samples, inputs: list[Any], **others: Any) -> np.ndarray:
    given = [np.array(array) for array in inputs]
    return bits(compute(samples, given, ["f32"] * len(given), "f32", others))


@pytest.fixture
def only_the_table(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def close() -> None:
        def no_road(*arguments: Any) -> Any:
            raise AssertionError("this call did not take the call cache")

        monkeypatch.setattr(functions, "call", no_road)

    return close


@every_library
@every_sampled_op
def test_it_is_taken(
    samples: Samples, library: Library, only_the_table: Callable[[], None]
) -> None:
    learn(samples, [*map(library.array, draw(samples))], library.array(np.zeros(SIZE, np.float32)))
    only_the_table()
    for seed in range(3):
        arrays = draw(samples, seed)
        inputs = [*map(library.array, arrays)]
        right = expected(samples, arrays)
        result = call(samples, inputs)
        assert type(result) is type(inputs[0])
        assert np.array_equal(bits(library.memory(result)), right)
        out = library.array(np.zeros(SIZE, np.float32))
        assert call(samples, inputs, out=out) is out
        assert np.array_equal(bits(library.memory(out)), right)
        assert call(samples, inputs, out=inputs[1]) is inputs[1]  # in place
        assert np.array_equal(bits(library.memory(inputs[1])), right)


@every_library
@every_op
def test_layouts(samples: Samples, library: Library, only_the_table: Callable[[], None]) -> None:
    """Of each layout the second call is short, and right."""
    makers: list[Callable[[np.ndarray], Any]] = [
        lambda a: library.array(a.reshape(6, 10)),
        lambda a: library.array(a.reshape(6, 10).T.copy()).T,
        lambda a: library.array(np.repeat(a, 2))[::2].reshape(6, 10),
        lambda a: library.array(np.concatenate([a[:1], a]))[1:].reshape(6, 10),
    ]
    if library.name == "numpy":
        makers.append(lambda a: a[::-1].copy()[::-1].reshape(6, 10))
    for make in makers:
        zeros = np.zeros(SIZE, np.float32)
        learn(samples, [*map(make, draw(samples))], make(zeros))
    only_the_table()
    for seed, make in enumerate(makers):
        arrays = draw(samples, seed)
        inputs, right = [*map(make, arrays)], expected(samples, arrays).reshape(6, 10)
        assert np.array_equal(bits(library.memory(call(samples, inputs)).copy()), right)
        out = make(np.zeros(SIZE, np.float32))
        call(samples, inputs, out=out)
        assert np.array_equal(bits(library.memory(out).copy()), right)


@every_library
@every_op
def test_outputs_beside_and_on_top_of_inputs(samples: Samples, library: Library) -> None:
    learn(samples, [*map(library.array, draw(samples))], library.array(np.zeros(SIZE, np.float32)))
    for position in range(len(samples.inputs)):
        for shift in (0, 1, -1, SIZE - 1, 1 - SIZE, SIZE, -SIZE):
            memory = np.random.default_rng(5).normal(0, 3, 3 * SIZE).astype(np.float32)
            before = memory.copy()
            whole = library.array(memory)
            arrays: list[Any] = draw(samples)
            arrays[position] = memory[SIZE : 2 * SIZE]
            right = expected(samples, arrays)
            inputs = [*map(library.array, arrays)]
            inputs[position] = whole[SIZE : 2 * SIZE]
            call(samples, inputs, out=whole[SIZE + shift : 2 * SIZE + shift])
            assert np.array_equal(bits(memory[SIZE + shift : 2 * SIZE + shift]), right)
            assert np.array_equal(memory[: SIZE + shift], before[: SIZE + shift])
            assert np.array_equal(memory[2 * SIZE + shift :], before[2 * SIZE + shift :])


@every_library
def test_fills_take_it(library: Library, only_the_table: Callable[[], None]) -> None:
    """Nothing of what they change is read."""
    openaclnn.inplace_fill_scalar(library.array(np.zeros((6, 10), np.float32)), 2.5)
    openaclnn.inplace_zero(library.array(np.ones((6, 10), np.float32))[1:5, ::2])
    only_the_table()
    array = library.array(np.ones((6, 10), np.float32))
    assert openaclnn.inplace_fill_scalar(array, 2.5) is array
    assert (library.memory(array) == 2.5).all()
    openaclnn.inplace_zero(array[1:5, ::2])
    assert library.memory(array).sum() == 2.5 * 40


@every_sampled_op
def test_arrays_that_were_changed_in_place(samples: Samples) -> None:
    """The same objects, with other memory, shape or dtype."""
    arrays = draw(samples)
    learn(samples, arrays, np.zeros(SIZE, np.float32))
    for array in arrays:
        array.shape = (6, 10)
    assert call(samples, arrays).shape == (6, 10)
    arrays[0].dtype = np.int32
    with pytest.raises(AclnnError, match="has dtype INT32"):
        call(samples, arrays)


@every_sampled_op
def test_tensors_that_were_changed_in_place(samples: Samples) -> None:
    tensors = [*map(torch.from_numpy, draw(samples))]
    learn(samples, tensors, torch.zeros(SIZE))
    others = [*map(torch.from_numpy, draw(samples, 1))]
    tensors[0].set_(others[0])
    tensors[1].data = others[1]
    for tensor, other in zip(tensors[2:], others[2:], strict=True):
        tensor.set_(other)
    right = expected(samples, [other.numpy() for other in others])
    assert np.array_equal(bits(call(samples, tensors).numpy()), right)
    for tensor in tensors:
        tensor.resize_(SIZE // 2)
    halves = [tensor.numpy() for tensor in tensors]
    assert np.array_equal(bits(call(samples, tensors).numpy()), expected(samples, halves))


@every_library
@every_op
def test_other_settings(samples: Samples, library: Library) -> None:
    arrays = draw(samples)
    inputs = [*map(library.array, arrays)]
    learn(samples, inputs, library.array(np.zeros(SIZE, np.float32)))
    with openaclnn.using(math="fast"):
        right = expected(samples, arrays)
        for _ in range(2):
            assert np.array_equal(bits(library.memory(call(samples, inputs))), right)
    assert np.array_equal(bits(library.memory(call(samples, inputs))), expected(samples, arrays))
    with openaclnn.using(product="Ascend310B"), pytest.raises(AclnnError) as caught:
        call(samples, inputs)
    assert caught.value.status == 561003


@dataclass(frozen=True)
class Worse:
    """A call like one that passed but for one of its tensors, and what it is told."""

    why: str
    input: Callable[[], Any] = lambda: torch.zeros(SIZE)
    out: Callable[[], Any] = lambda: torch.zeros(SIZE)
    message: str = ""
    status: int = 161002


def freed() -> torch.Tensor:
    """A tensor without its memory, as training in shards leaves them."""
    tensor = torch.zeros(SIZE)
    tensor.untyped_storage().resize_(0)
    return tensor


def negated() -> torch.Tensor:
    """Like every second element of a tensor, and yet the negatives of what is there."""
    found: torch.Tensor = torch.zeros(SIZE, dtype=torch.complex64).conj().imag
    return found


WORSE = [
    Worse("an input without memory", freed, message="null data address", status=161001),
    Worse("an output without memory", out=freed, message="null data address", status=161001),
    Worse("a negated input", negated, message="resolve_neg()"),
    Worse("a negated output", out=negated, message="resolve_neg()"),
    Worse("a meta input", lambda: torch.zeros(SIZE, device="meta"), message="expected strided"),
    Worse("a sparse output", out=lambda: torch.zeros(SIZE).to_sparse(), message="expected strided"),
    Worse("an integer input", lambda: torch.zeros(SIZE).int(), message="has dtype INT32"),
    Worse("a short output", out=lambda: torch.zeros(SIZE - 1), message="has shape [59]"),
    Worse("an expanded output", out=lambda: torch.zeros(1).expand(SIZE), message="two indices"),
    Worse("a list", out=lambda: [0.0] * SIZE, message="out is a list"),
    Worse("no input", lambda: None, message="is null", status=161001),
]


@pytest.mark.parametrize("row", WORSE, ids=lambda row: row.why)
@every_sampled_op
def test_worse_tensors_are_refused(samples: Samples, row: Worse) -> None:
    tensors: list[Any] = [*map(torch.from_numpy, draw(samples))]
    spread = [torch.zeros(2 * SIZE)[1::2] for _ in range(2)]  # strided like a complex number's part
    for input in (tensors[1], spread[0]):
        for out in (torch.zeros(SIZE), spread[1]):
            learn(samples, [tensors[0], input, *tensors[2:]], out)
    tensors[1] = row.input()
    with pytest.raises(AclnnError) as caught:
        call(samples, tensors, out=row.out())
    assert (caught.value.status, row.message in caught.value.message) == (row.status, True)


@every_op
def test_other_libraries_among_them(samples: Samples) -> None:
    """Mixed calls go the normal road, as before."""
    arrays = draw(samples)
    right = expected(samples, arrays)
    tensors = [*map(torch.from_numpy, arrays)]
    learn(samples, tensors, torch.zeros(SIZE))
    learn(samples, arrays, np.zeros(SIZE, np.float32))
    for _ in range(2):
        out = np.zeros(SIZE, np.float32)
        assert call(samples, tensors, out=out) is out
        assert np.array_equal(bits(out), right)
        mixed = [tensors[0], *arrays[1:]]
        assert np.array_equal(bits(call(samples, mixed).numpy()), right)
        parameter = [torch.nn.Parameter(tensors[0], requires_grad=False), *tensors[1:]]
        assert np.array_equal(bits(call(samples, parameter).numpy()), right)


def test_dtypes_are_values(only_the_table: Callable[[], None]) -> None:
    x, y = torch.ones(SIZE), np.ones(SIZE, np.float32)
    calls = [(x, torch.float16), (x, torch.int32), (y, np.float16), (y, np.dtype("i4"))]
    for call in calls:
        openaclnn.cast(*call)
    only_the_table()
    for _ in range(3):
        for array, dtype in calls:
            assert openaclnn.cast(array, dtype).dtype == dtype


def test_parameters_are_tensors(only_the_table: Callable[[], None]) -> None:
    x, weight = torch.ones(SIZE), torch.nn.Parameter(torch.full((SIZE,), 2.0), requires_grad=False)
    for pair in ((x, weight), (weight, x), (weight, weight)):
        openaclnn.mul(*pair)
    only_the_table()
    for _ in range(3):
        for pair, value in (((x, weight), 2), ((weight, x), 2), ((weight, weight), 4)):
            found = openaclnn.mul(*pair)
            assert (type(found), found.unique().tolist()) == (torch.Tensor, [value])


@every_library
def test_attributes_that_may_change(library: Library) -> None:
    """Arrays of one element serve as numbers; as numbers they are not remembered."""
    samples = all_samples()["leaky_relu_backward"]
    arrays = draw(samples)
    inputs = [*map(library.array, arrays)]
    slope = library.array(np.full((), 0.5))
    for value in (0.5, 0.5, 0.25, 0.125):
        slope[...] = value
        result = library.memory(call(samples, inputs, negative_slope=slope))
        assert np.array_equal(bits(result), expected(samples, arrays, negative_slope=value))


def test_attributes_that_python_calls_equal(only_the_table: Callable[[], None]) -> None:
    samples = all_samples()["leaky_relu_backward"]
    inputs = [np.ones(3, np.float32), -np.ones(3, np.float32)]
    slopes = [0.0, -0.0, 0, False, 1, 1.0, True, np.float16(0.1), np.float32(0.1), 0.1]
    right = [bits(call(samples, inputs, negative_slope=slope)) for slope in slopes]
    assert not np.array_equal(right[0], right[1])
    only_the_table()
    for slope, result in zip(slopes, right, strict=True):
        assert np.array_equal(bits(call(samples, inputs, negative_slope=slope)), result)


@every_library
def test_inputs_that_are_not_read(library: Library, only_the_table: Callable[[], None]) -> None:
    samples = all_samples()["log_sigmoid_backward"]
    arrays = draw(samples)
    inputs, right = [*map(library.array, arrays)], expected(samples, arrays)
    buffers = [None, library.array(np.zeros(SIZE, np.float32)), library.array(np.zeros(0))]
    for buffer in buffers:
        call(samples, [*inputs, buffer])
    with pytest.raises(AclnnError, match="which aclnn does not know"):
        call(samples, [*inputs, np.zeros(SIZE, ">f4")])
    only_the_table()
    for buffer in buffers:
        assert np.array_equal(bits(library.memory(call(samples, [*inputs, buffer]))), right)


@every_library
@every_op
def test_empty_arrays(
    samples: Samples, library: Library, only_the_table: Callable[[], None]
) -> None:
    inputs = [library.array(array) for array in draw(samples, shape=(0, 3))]
    learn(samples, inputs, library.array(np.zeros((0, 3), np.float32)))
    only_the_table()
    assert tuple(call(samples, inputs).shape) == (0, 3)


@every_op
def test_the_stream_is_asked_for_at_every_call(samples: Samples) -> None:
    """What a GPU's tensors would have: the caller's stream of the moment."""
    native.use(None)
    tensors = [*map(torch.from_numpy, draw(samples))]
    out = torch.zeros(SIZE)
    learn(samples, tensors, out)
    table = getattr(openaclnn, samples.op).__globals__["_call"].__self__.table
    recipes = table.ways[torch.Tensor].recipes
    kept = dict(recipes)
    seen: list[Any] = []
    streams = iter([70, 0, 71])
    launcher = SimpleNamespace(
        pack=lambda addresses, workspace: addresses,
        launch=lambda packed, stream: seen.append((packed, stream)),
    )
    try:
        for key, recipe in kept.items():
            recipes[key] = dataclasses.replace(
                recipe, launcher=launcher, stream=lambda: next(streams), latest=((), None)
            )
        for _ in range(3):
            assert call(samples, tensors, out=out) is out
    finally:
        recipes.update(kept)
    addresses = tuple(tensor.data_ptr() for tensor in (*tensors, out))
    assert seen == [(addresses, 70), (addresses, 0), (addresses, 71)]


def test_whose_stream_it_is() -> None:
    device = SimpleNamespace(type="cuda", index=3)
    raw = SimpleNamespace(_C=SimpleNamespace(_cuda_getCurrentRawStream=lambda index: 100 + index))
    assert array_readers.torch_stream(raw, device)() == 103
    asked: list[Any] = []
    public = SimpleNamespace(
        _C=SimpleNamespace(),
        cuda=SimpleNamespace(
            current_stream=lambda device: asked.append(device) or SimpleNamespace(cuda_stream=9)
        ),
    )
    assert array_readers.torch_stream(public, device)() == 9
    assert asked == [device]
    assert array_readers.torch_stream(torch, torch.device("cpu")) is None


@every_op
def test_addresses_can_be_asked_for(samples: Samples, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where NumPy's objects look different one day."""
    arrays = [array[::-2] for array in draw(samples)]
    op, out = all_ops()[samples.op], np.zeros(3)
    for stands in (True, False):
        monkeypatch.setattr(array_readers, "_STANDS", stands)
        numpy = array_readers._numpy()
        read = keys.of_operands(op, numpy, numpy.address)
        assert read(*arrays, out) == tuple(array.ctypes.data for array in (*arrays, out))
        assert [*map(array_readers.numpy_address, arrays)] == [
            array.ctypes.data for array in arrays
        ]


@every_library
@every_op
def test_arrays_in_turns_and_again(samples: Samples, library: Library) -> None:
    """The same addresses as at the latest call, and others; each time with other values there."""
    sets = [[*map(library.array, draw(samples, seed))] for seed in range(2)]
    outs = [library.array(np.zeros(SIZE, np.float32)) for _ in range(2)]
    for turn, which in enumerate([0, 0, 1, 0, 0, 1, 1]):
        for place, array in enumerate(draw(samples, turn)):
            library.memory(sets[which][place])[:] = array
        call(samples, sets[which], out=outs[which])
        right = expected(samples, draw(samples, turn))
        assert np.array_equal(bits(library.memory(outs[which])), right)


@every_library
@every_op
@pytest.mark.usefixtures("small_heap")
def test_nothing_is_kept(samples: Samples, library: Library) -> None:
    inputs = [*map(library.array, draw(samples))]
    out = library.array(np.zeros(SIZE, np.float32))
    for _ in range(2):
        learn(samples, inputs, out)
    watched = [weakref.ref(array) for array in (*inputs, out)]
    del inputs, out
    gc.collect()
    assert [ref() for ref in watched] == [None] * len(watched)


@every_library
@every_op
def test_threads_with_arrays_and_levels_of_their_own(samples: Samples, library: Library) -> None:
    failures: list[int] = []

    def work(seed: int) -> None:
        arrays = draw(samples, seed)
        inputs = [*map(library.array, arrays)]
        out = library.array(np.zeros(SIZE, np.float32))
        with openaclnn.using(math=("exact", "fast")[seed % 2]):
            right = expected(samples, arrays)
            for _ in range(300):
                library.memory(out)[:] = 7
                call(samples, inputs, out=out)
                made = call(samples, inputs)
                for result in (out, made):
                    if not np.array_equal(bits(library.memory(result)), right):
                        failures.append(seed)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert failures == []


@every_library
def test_lists(library: Library) -> None:
    """Of any length, in any order of calls, with and without an output, in its place too."""
    rng = np.random.default_rng(4)
    for turn in range(60):
        dtype = (np.float32, np.float16, np.int32)[turn % 5 % 3]
        rows = [int(rng.integers(1, 4)) for _ in range(1 + turn % 3)]
        arrays = [rng.integers(0, 99, (count, 3)).astype(dtype) for count in rows]
        given = [library.array(array) for array in arrays]
        if turn % 7 == 6:  # one of another dtype
            given[0], arrays[0] = library.array(arrays[0].astype("f4")), arrays[0].astype("f4")
        right = np.concatenate(arrays)
        out = library.array(np.zeros_like(right)) if turn % 2 else None
        for tensors in (given, tuple(given)):
            found = library.memory(openaclnn.cat(tensors, out=out))
            assert (found.dtype, found.tolist()) == (right.dtype, right.tolist())
        whole = library.array(right.copy())
        pieces = [whole[1:], whole[:1]]
        openaclnn.cat(pieces, out=whole)
        assert library.memory(whole).tolist() == np.roll(right, -1, 0).tolist()
    with pytest.raises(AclnnError, match=r"tensors\[1\]"):
        openaclnn.cat([library.array(np.ones((1, 3), "f4")), library.array(np.ones((1, 4), "f4"))])


@pytest.mark.parametrize("kind", [np.asarray, torch.as_tensor])
def test_numbers_with_formulas_of_their_own(kind: Any) -> None:
    """Squares among other powers, in sizes that were met and others."""
    for size in (7, 7, 9, 40, 40):
        x = np.linspace(0.5, 3, size, dtype=np.float32)
        for exponent in (1.75, 2.0, 2.5, 2.0, 0.5, 3, 3.5, -1, 1.75):
            found = openaclnn.pow_tensor_scalar(kind(x), exponent)
            np.testing.assert_allclose(np.asarray(found), x.astype(np.float64) ** exponent, 1e-6)


def test_lists_of_numbers(only_the_table: Callable[[], None]) -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    for _ in range(2):
        openaclnn.reduce_sum(x, dims=[1])
    only_the_table()
    assert openaclnn.reduce_sum(x + 1, dims=[1]).tolist() == [10, 26, 42]
    assert openaclnn.reduce_sum(x, dims=(1,)).tolist() == [6, 22, 38]


SEVERAL: dict[str, Callable[[Any], dict[str, Any]]] = {
    "layer_norm": lambda of: {"normalized_shape": [7], "weight": of((7,)), "bias": of((7,))},
    "rms_norm": lambda of: {"gamma": of((7,))},
    "max_dim": lambda of: {"dim": 1},
    "aminmax": lambda of: {"dim": [0]},
    "var_mean": lambda of: {"dim": [0, 1]},
}


@every_library
@pytest.mark.parametrize("name", SEVERAL)
def test_several_results(name: str, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls like earlier ones and calls in new shapes have the full path's results, in new arrays;
    most of them need no Python."""
    rng = np.random.default_rng(5)

    def of(shape: tuple[int, ...]) -> Any:
        return library.array(rng.normal(0, 3, shape).astype(np.float32))

    function, others = getattr(openaclnn, name), SEVERAL[name](of)
    asked = 0

    def counted(*arguments: Any) -> Any:
        nonlocal asked
        asked += 1
        return own(*arguments)

    own = functions.call
    shapes = [(rows, 7) for rows in (3, 4, 5, 6, 8, 9, 3, 3, 4, 20, 11, 3)]
    for rows, columns in shapes:
        inputs = of((rows, columns))
        first = inputs if library.name == "numpy" else inputs.numpy()
        monkeypatch.setattr(functions, "call", counted)
        found = function(inputs, **others)
        monkeypatch.setattr(functions, "call", own)
        again = function(inputs, **others)
        expected = function(np.array(first[::-1])[::-1], **SEVERAL[name](of) | {
            key: value if isinstance(value, (int, list)) else library.memory(value)
            for key, value in others.items()
        })  # fmt: skip
        assert type(found) is tuple
        assert len({library.memory(one).ctypes.data for one in (*found, *again)}) == 2 * len(found)
        for one, other, right in zip(found, again, expected, strict=True):
            assert np.array_equal(bits(library.memory(one)), bits(right))
            assert np.array_equal(bits(library.memory(other)), bits(right))
            assert one.dtype == inputs.dtype or "int" in str(one.dtype)
    assert asked <= 8 < len(shapes)
