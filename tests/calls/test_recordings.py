"""Replay is Python: what a recording gives for other sizes, strides, numbers and addresses is what
checks and planner give, to the last word.

`make test-replay` takes all operators and many calls, in a process of its own, where kernels are
told apart by their text and none is compiled, which took most of the time.
"""

from __future__ import annotations

import os
import random
import zlib
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from openaclnn.base import dtypes, settings
from openaclnn.base.dtypes import DType
from openaclnn.base.scalars import scalar
from openaclnn.base.tensors import Tensor, View, product_of, view
from openaclnn.base.trace import Untraceable, word_of
from openaclnn.calls.replay import recordings
from openaclnn.calls.replay.recordings import Recordings
from openaclnn.engines.cpu import compile
from openaclnn.ops import all_ops, find
from openaclnn.spec.call import Call
from openaclnn.spec.host import Real, ScalarValue
from openaclnn.spec.op import REQUIRED, Op
from openaclnn.spec.sample import sample_call
from walks import operators

SEED = os.environ.get("REPLAY_SEED", "recorded")
MANY = SEED != "recorded"
CALLS = int(os.environ.get("REPLAY_CALLS", "12"))
NUMBERS = (0.5, 1.0, 0.0, -1.5, 2.0**-30, 3.25, 1e10)
counts: Counter[str] = Counter()


@pytest.fixture(scope="module", autouse=True)
def uncompiled() -> Iterator[None]:
    """Addresses that nothing calls in the place of kernels, where no other test can find them."""
    if not MANY:
        yield
        return
    known: dict[tuple[str, str], int] = {}

    def function(ir: str, name: str) -> int:
        return known.setdefault((ir, name), (1 << 44) + 64 * len(known))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compile, "function", function)
        yield
    print(f"\n{dict(counts)}, of {len(known)} functions of kernels")


def laid(chance: random.Random, dtype: DType, shape: tuple[int, ...]) -> View:
    """A view of a shape: contiguous, or in any order, apart from each other, or repeated."""
    if chance.random() < 0.4 or not shape:
        return view(dtype, shape)
    order = [*range(len(shape))]
    chance.shuffle(order)
    strides, step = [0] * len(shape), chance.choice((1, 1, 2))
    for dim in order:
        strides[dim] = step
        step *= shape[dim] * chance.choice((1, 1, 2))
    return view(dtype, shape, strides, 0, storage_shape=(step,))


def shape_of(chance: random.Random, rank: int) -> tuple[int, ...]:
    return tuple(chance.choice((1, 2, 3, 4, 5, 7, 9, 16, 33, 70)) for _ in range(rank))


def drawn(
    op: Op, dtype: DType, chance: random.Random, rank: int, device: str = "cpu"
) -> Call | None:
    """A call of the operator on memory that nobody has, or None where the shapes do not suit it."""
    attributes: dict[str, Any] = {}
    for a in op.attributes:
        if a.default is REQUIRED or a.choices or a.static:
            continue
        number = chance.choice(NUMBERS)
        if isinstance(a.host, Real):
            attributes[a.name] = a.host.from_python(number)
        elif isinstance(a.host, ScalarValue):
            attributes[a.name] = scalar(number)
    shape = shape_of(chance, rank)
    try:
        call = sample_call(
            op, (dtype,), shape, layout=lambda _, d, s: laid(chance, d, s), attributes=attributes
        )
    except Exception:
        return None
    place, arguments = 1 << 20, dict(call.arguments)
    for given in call.used:
        tensor, name = given.tensor, given.argument.name
        moved = Tensor(tensor.view, place, device)
        place += 64 + tensor.dtype.itemsize * max(1, product_of(tensor.view.storage_shape)) * 2
        place += -place % 64 + chance.choice((0, 0, tensor.dtype.itemsize))
        before = arguments[name]
        if isinstance(before, tuple):
            moved_list = [moved if one is tensor else one for one in before]
            arguments[name] = tuple(moved_list)
        else:
            arguments[name] = moved
    return Call(op, arguments, settings.current().product)


def apart(call: Call) -> bool:
    """Whether outputs are as those that are made for a call: contiguous."""
    return all(one.tensor.view.contiguous for one in call.used if one.argument in call.op.outputs)


def words_of(call: Call) -> list[int] | None:
    """What the planner says, on Python's own numbers."""
    found = recordings._launched(call)
    return [] if found is None else [word_of(word) for word in recordings._results(found)]


def compare(
    op: Op,
    seed: str,
    calls: int,
    ranks: tuple[int, ...] = (1, 2, 2, 3, 4),
    of: tuple[str, ...] = ("f32", "bf16", "f64", "s32", "bool"),
    device: str = "cpu",
) -> tuple[int, int]:
    """How many calls were answered by a replay, and how many recorded."""
    chance = random.Random(f"{seed} {op.name}")
    known = Recordings(op)
    replays = records = 0
    for number in range(calls):
        dtype = dtypes.by_name(chance.choice(of))
        call = drawn(op, dtype, chance, chance.choice(ranks), device)
        if call is None:
            counts["unsuitable shapes"] += 1
            continue
        try:
            wanted = words_of(call)
        except Untraceable:  # it is refused: a replay must not answer
            wanted = None
        made = wanted is not None and chance.random() < 0.3 and apart(call)
        made = made and not op.in_place and not any(output.many for output in op.outputs)
        found = known.replay(call, made)
        if found is not None:
            assert [word_of(word) for word in found] == wanted, (seed, op.name, number)
            replays += 1
            counts["replayed"] += 1
        elif wanted is not None:
            records += known.record(call, made=made).before is not None
            # it may be left out where others are more frequent
            again = known.replay(call, made)
            assert again is None or [*map(word_of, again)] == wanted, (seed, op.name, number)
        counts["refused" if wanted is None else "planned"] += 1
    return replays, records


@pytest.mark.parametrize("name", [*all_ops()] if MANY else [*operators()])
def test_replay_is_python(name: str) -> None:
    compare(find(name), SEED, CALLS)


def test_most_calls_are_replayed() -> None:
    """Of a few layouts of one operator most are like an earlier one."""
    replays, records = compare(find("mul"), SEED, 600, (2,), ("f32",))
    assert records
    assert replays > 2 * records


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """What launches on a GPU need of one: its kernels are told apart by their text."""
    launch = pytest.importorskip("openaclnn.engines.cuda.launch")

    def loaded(program: Any) -> Any:
        return SimpleNamespace(handle=zlib.crc32(repr(program).encode()), threads=128, shared=0)

    monkeypatch.setattr(launch, "_function_of", loaded)
    monkeypatch.setattr(launch, "launch_kernel", lambda: 1)
    monkeypatch.setattr(launch, "_WORTH_COMPILING", 0)
    monkeypatch.setattr(launch.runtime, "get_device_count", lambda: 1)
    monkeypatch.setattr(launch.runtime, "architecture", lambda device: 90)


# and how many of their calls at least a replay answers
ON_GPU = {"mul": 20, "silu_backward": 20, "reduce_sum": 8, "softmax": 2, "cat": 10}


@pytest.mark.parametrize("name", ON_GPU)
@pytest.mark.usefixtures("gpu")
def test_launches_on_a_gpu(name: str) -> None:
    """Programs, pointers, numbers and what divides by them are the planner's, without a device."""
    answered, _ = compare(find(name), SEED, 100, of=("f32", "bf16"), device="cuda")
    assert answered >= ON_GPU[name]
