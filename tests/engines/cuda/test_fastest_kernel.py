"""A layout's calls find out which of its kernels is the fastest; its bits are the same by each."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("triton", reason="needs triton")
pytest.importorskip("cuda.bindings", reason="needs cuda-bindings")

from openaclnn.base.dtypes import BF16, FLOAT
from openaclnn.base.tensors import view
from openaclnn.bench import layouts
from openaclnn.bench.cases import Case
from openaclnn.engines.cpu import CpuEngine
from openaclnn.engines.cuda import fastest, passes
from openaclnn.engines.cuda.compile import binary, program_of
from openaclnn.engines.cuda.fastest import FastestKernel
from openaclnn.engines.cuda.kernel import kernel_of
from openaclnn.ops import find
from openaclnn.plan import Pass, make_plan
from openaclnn.spec.call import Call
from openaclnn.spec.sample import sample_call
from walks import in_turn


class Clock:
    """Events by a clock that kernels set forward; what is `late` is not reached yet."""

    def __init__(self) -> None:
        self.now = 0
        self.marks: dict[int, int] = {}
        self.late = False

    def create_event(self, flags: int) -> int:
        self.marks[len(self.marks) + 1] = -1
        return len(self.marks)

    def record_event(self, event: int, stream: int) -> None:
        self.marks[event] = self.now

    def query_event(self, event: int) -> bool:
        return not self.late

    def event_elapsed_time(self, start: int, end: int) -> int:
        return self.marks[end] - self.marks[start]

    def destroy_event(self, event: int) -> None:
        self.marks[event] = -2

    def reenter(self) -> None:
        pass


class Kernels:
    """Some that take so long; the first time longer."""

    def __init__(self, clock: Clock, times: list[int]) -> None:
        self.clock, self.times, self.ran = clock, times, list[int]()

    def make_all(self) -> int:
        return len(self.times)

    def run_one(self, way: int, stream: int) -> None:
        self.clock.now += self.times[way] + 1000 * (way not in self.ran)
        self.ran.append(way)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    made = Clock()
    monkeypatch.setattr(fastest, "runtime", made)
    monkeypatch.setattr(fastest, "_captured", lambda stream: stream == 7)
    yield made
    reached = [mark for mark in made.marks.values() if mark != -2]
    assert not reached, "events were left"


def test_the_fastest_stays(clock: Clock) -> None:
    kernels, found = Kernels(clock, [30, 50, 20, 40]), FastestKernel()
    for _ in range(20):
        found.run(kernels, 0)
    assert kernels.ran == [0, *[0, 1, 2, 3] * 3, *[2] * 7]
    assert found.best == 2


def test_nobody_waits_for_events(clock: Clock) -> None:
    kernels, found = Kernels(clock, [30, 20]), FastestKernel()
    clock.late = True
    for _ in range(20):
        found.run(kernels, 0)
    assert kernels.ran == [0, *[0, 1] * 3, *[0] * 13]
    clock.late = False
    for _ in range(2):
        found.run(kernels, 0)
    assert kernels.ran[-2:] == [1, 1]


def test_a_graph_has_the_usual_kernel(clock: Clock) -> None:
    kernels, found = Kernels(clock, [30, 20]), FastestKernel()
    for _ in range(20):
        found.run(kernels, 7)
    assert kernels.ran == [0] * 20
    assert found.calls == 0


def test_a_turn_of_another_thread(clock: Clock) -> None:
    kernels, found = Kernels(clock, [30, 20]), FastestKernel()
    with found.lock:
        for _ in range(3):
            found.run(kernels, 0)
    assert kernels.ran == [0] * 3
    assert found.calls == 0


def test_what_fails_has_its_turn_no_more(clock: Clock) -> None:
    kernels, found = Kernels(clock, [30, 20]), FastestKernel()
    found.run(kernels, 0)
    kernels.times = []
    with pytest.raises(IndexError):
        found.run(SimpleNamespace(make_all=lambda: 2, run_one=kernels.run_one), 0)
    kernels.times = [30, 20]
    for _ in range(7):
        found.run(kernels, 0)
    assert found.best == 1


def crossed(shape: tuple[int, ...], dtype: Any = BF16) -> Call:
    """A product of which an input has the dimensions in another order, and rows begin anywhere."""
    turned = [1]
    for size in shape[:-1]:
        turned.append(turned[-1] * size)

    def lies(number: int, dtype: Any, shape: Any) -> Any:
        return view(dtype, shape, turned if number == 1 else None)

    return sample_call(find("mul"), (dtype, dtype), shape, (), lies)


def passed(call: Call) -> Pass:
    (one,) = passes.passes_of(make_plan(call, "exact"))
    assert isinstance(one, Pass)
    return one


def test_what_is_tried() -> None:
    """Large layouts of 16 bits whose elements do not move in vectors."""
    assert len(passes.other_tilings(passed(crossed((257, 129, 131))))) == 3
    assert not passes.other_tilings(passed(crossed((257, 129, 31))))
    assert not passes.other_tilings(passed(crossed((256, 128, 136))))
    assert not passes.other_tilings(passed(crossed((257, 129, 131), FLOAT)))


def test_others_compile() -> None:
    """Calls do without those that do not, so nobody else would say it."""
    calls = [
        layouts.call(Case("mul", "bf16", 1 << 26, name)) for name in layouts.random_names(3, 24)
    ]
    by_chance = (passed(call) for call in calls if isinstance(call, Call))
    tried = [one for one in by_chance if passes.other_tilings(one)]
    for one in (passed(crossed((257, 129, 131))), *in_turn(tried, 0, len(tried) // 2)):
        for tiling in passes.other_tilings(one):
            kernel = kernel_of(one.body, tiling, 90)
            assert binary(program_of(kernel, kernel.alignable)).cubin


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("shape", [(257, 129, 131), (11, 7, 33, 9, 13, 17)])
def test_bits_on_a_gpu(shape: tuple[int, ...]) -> None:
    import openaclnn.runtime.cuda as runtime
    from openaclnn.engines.cuda import CudaEngine

    call = crossed(shape)
    plan = make_plan(call, "exact")
    numel = call.writes[0].tensor.view.numel
    random = np.random.default_rng(1)
    inputs = [random.integers(0, 1 << 16, numel, np.uint16) for _ in range(2)]
    there = [runtime.malloc(2 * numel) for _ in range(3)]
    for address, data in zip(there, inputs, strict=False):
        runtime.memcpy(address, data.ctypes.data, data.nbytes, 1)
    launcher = CudaEngine().prepare(plan)
    results, packed = [], launcher.pack(there, 0)
    for _ in range(20):
        runtime.memset(there[2], 0x55, 2 * numel)
        launcher.launch(packed, 0)
        runtime.synchronize_device()
        found = np.empty(numel, np.uint16)
        runtime.memcpy(found.ctypes.data, there[2], found.nbytes, 2)
        results.append(found.tobytes())
    assert len({*results}) == 1
    assert not launcher.trying
    assert launcher.compiled(packed) is not None
    here = [*inputs, np.empty(numel, np.uint16)]
    on_cpu = CpuEngine().prepare(plan)
    on_cpu.launch(on_cpu.pack([data.ctypes.data for data in here], 0), None)
    assert results[0] == here[2].tobytes()
    for address in there:
        runtime.free(address)
