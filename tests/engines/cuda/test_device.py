"""On a GPU: the runtime, and calls on its memory."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import cases
from openaclnn.base import settings
from openaclnn.base.dtypes import BF16, FLOAT
from openaclnn.base.status import AclnnError, Status
from openaclnn.base.tensors import Tensor, view
from openaclnn.calls import two_phase
from openaclnn.ops import find
from openaclnn.runtime import AclError

pytestmark = pytest.mark.usefixtures("gpu")
H2D, D2H, D2D = 1, 2, 3


@pytest.fixture
def runtime(gpu: None) -> Any:
    import openaclnn.runtime.cuda as module

    return module


def uploaded(runtime: Any, data: np.ndarray[Any, Any]) -> int:
    address: int = runtime.malloc(data.nbytes)
    runtime.memcpy(address, data.ctypes.data, data.nbytes, H2D)
    return address


def downloaded(runtime: Any, address: int, like: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    result = np.empty_like(like)
    runtime.memcpy(result.ctypes.data, address, result.nbytes, D2H)
    return result


def test_memory(runtime: Any) -> None:
    data = np.arange(1000, dtype=np.int32)
    there = uploaded(runtime, data)
    other = runtime.malloc(4000)
    runtime.memcpy(other, there, 4000, D2D)
    assert np.array_equal(downloaded(runtime, other, data), data)
    runtime.memset(other, 255, 4000)
    assert (downloaded(runtime, other, data) == -1).all()
    free, total = runtime.get_mem_info()
    assert 0 < free < total
    runtime.free(there)
    runtime.free(other)


def test_out_of_memory(runtime: Any) -> None:
    with pytest.raises(AclError) as caught:
        runtime.malloc(1 << 50)
    assert caught.value.code == 207001
    runtime.free(runtime.malloc(1 << 20))  # and the process goes on


def test_out_of_memory_inside_an_operator(runtime: Any) -> None:
    from openaclnn.engines.cuda import CudaEngine

    with pytest.raises(AclnnError) as caught:
        CudaEngine().allocate(1 << 50)
    assert caught.value.status == Status.RUNTIME_ERROR


def test_no_such_device(runtime: Any) -> None:
    with pytest.raises(AclError) as caught:
        runtime.set_device(runtime.get_device_count())
    assert caught.value.code == 107001


def test_pinned_memory_streams_and_events(runtime: Any) -> None:
    stream = runtime.create_stream(0, 0)
    start, end = runtime.create_event(8), runtime.create_event(8)
    host = runtime.malloc_host(1 << 24)
    there = runtime.malloc(1 << 24)
    runtime.record_event(start, stream)
    runtime.memcpy_async(there, host, 1 << 24, H2D, stream)
    runtime.memset_async(there, 7, 1 << 24, stream)
    runtime.record_event(end, stream)
    runtime.stream_wait_event(0, end)
    runtime.synchronize_stream(stream, 10_000)
    assert runtime.stream_query(stream)
    assert runtime.query_event(end)
    assert 0 < runtime.event_elapsed_time(start, end) < 1e9
    runtime.free_host(host)
    runtime.free(there)
    runtime.destroy_event(start)
    runtime.destroy_event(end)
    runtime.destroy_stream(stream)


def on_both(runtime: Any, count: int, used: Any) -> tuple[Any, Any]:
    """Leaky relu on one storage, on the CPU and on the device; `used` picks the tensors."""
    random = np.random.default_rng(3)
    op = find("leaky_relu_backward")
    here = random.standard_normal(count).astype(np.float32)
    there = uploaded(runtime, here)
    for address, device in ((here.ctypes.data, "cpu"), (there, "cuda")):
        executor = two_phase.prepare(op, cases.arguments(op, used(address, device)))
        size = executor.workspace_size
        workspace, keep = executor.ready.allocate() if size else (0, None)
        executor.run(workspace, size, 0)
        del keep
    result = downloaded(runtime, there, here)
    runtime.free(there)
    return here, result


@pytest.mark.parametrize("shift", [0, 1, 5, 512])
def test_output_over_an_input(runtime: Any, shift: int) -> None:
    count = 10_000

    def used(address: int, device: str) -> list[Tensor]:
        whole = (count + shift,)
        inside = view(FLOAT, (count,), None, shift, storage_shape=whole)
        first = view(FLOAT, (count,), None, 0, storage_shape=whole)
        return [Tensor(v, address, device) for v in (inside, first, first)]

    expected, found = on_both(runtime, count + shift, used)
    assert np.array_equal(expected.view("u4"), found.view("u4"))


def test_output_over_a_transposed_input(runtime: Any) -> None:
    def used(address: int, device: str) -> list[Tensor]:
        square = view(FLOAT, (100, 100))
        turned = view(FLOAT, (100, 100), (1, 100))
        return [Tensor(v, address, device) for v in (turned, square, square)]

    expected, found = on_both(runtime, 10_000, used)
    assert np.array_equal(expected.view("u4"), found.view("u4"))


def test_replaced_addresses_that_overlap(runtime: Any) -> None:
    op = find("leaky_relu_backward")
    data = np.random.default_rng(5).standard_normal(3000).astype(np.float32)
    there, out = uploaded(runtime, data), uploaded(runtime, data)
    facts = view(FLOAT, (1000,))
    executor = two_phase.prepare(
        op, cases.arguments(op, [Tensor(facts, a, "cuda") for a in (there, there + 4000, out)])
    )
    executor.make_repeatable()
    executor.run(0, 0, 0)
    executor.replace_address("output", 0, there + 4)  # over the gradient, one element further
    executor.run(0, 0, 0)
    expected = np.where(data[1000:2000] > 0, data[:1000], data[:1000] * np.float32(0.01))
    assert np.array_equal(downloaded(runtime, there, data)[1:1001], expected)
    runtime.free(there)
    runtime.free(out)


def test_many_threads(runtime: Any) -> None:
    """Threads that never saw CUDA launch on streams of their own."""
    op = find("silu_backward")
    data = np.random.default_rng(7).standard_normal(100_000).astype(np.float32)
    facts = view(FLOAT, data.shape)
    results: dict[int, Any] = {}

    def work(number: int) -> None:
        inputs = [uploaded(runtime, data) for _ in range(2)]
        out = runtime.malloc(data.nbytes)
        stream = runtime.create_stream(0, 0)
        used = [Tensor(facts, address, "cuda") for address in (*inputs, out)]
        for _ in range(20):
            two_phase.prepare(op, cases.arguments(op, used)).run(0, 0, stream)
        runtime.synchronize_stream(stream, -1)
        results[number] = downloaded(runtime, out, data).tobytes()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    assert len(set(results.values())) == 1


def test_beyond_32_bits(runtime: Any) -> None:
    """More elements than 32 bits count, flat and turned: the last ones are right."""
    count = (1 << 31) + (1 << 20) + 8
    if runtime.get_mem_info()[0] < 8 * count:
        pytest.skip("needs 17 GB of device memory")
    op = find("leaky_relu_backward")
    rows = count // 8
    tail = np.random.default_rng(9).integers(0, 2**16, 1 << 16, np.uint16)
    buffers = [runtime.malloc(2 * count) for _ in range(3)]
    for address in buffers[:2]:
        runtime.memset(address, 0, 2 * count)
        runtime.memcpy(address + 2 * count - tail.nbytes, tail.ctypes.data, tail.nbytes, H2D)
    expected = np.empty_like(tail)
    small = view(BF16, tail.shape)
    here = [Tensor(small, a.ctypes.data) for a in (tail, tail, expected)]
    two_phase.prepare(op, cases.arguments(op, here)).run(0, 0, None)
    for shape, strides in (((count,), (1,)), ((8, rows), (1, 8))):
        runtime.memset(buffers[2], 1, 2 * count)
        facts = view(BF16, shape, strides)
        out = view(BF16, shape, strides) if len(shape) == 1 else view(BF16, shape)
        used = [Tensor(facts, a, "cuda") for a in buffers[:2]] + [Tensor(out, buffers[2], "cuda")]
        two_phase.prepare(op, cases.arguments(op, used)).run(0, 0, 0)
        if len(shape) == 1:
            found = np.empty_like(tail)
            runtime.memcpy(
                found.ctypes.data, buffers[2] + 2 * count - found.nbytes, found.nbytes, D2H
            )
            assert np.array_equal(found, expected)
        else:
            per_row = tail.size // 8
            for row in range(8):
                found = np.empty(per_row, np.uint16)
                end = 2 * (row + 1) * rows
                runtime.memcpy(
                    found.ctypes.data, buffers[2] + end - found.nbytes, found.nbytes, D2H
                )
                assert np.array_equal(found, expected.reshape(-1, 8)[:, row])
    for address in buffers:
        runtime.free(address)


def test_levels_and_their_kernels(runtime: Any) -> None:
    op = find("silu_backward")
    data = np.array([-100.0, -1.2784645, -1.0, 0.0, 3.0, 1000.0], np.float32)
    ones = np.ones_like(data)
    results = []
    for level in settings.LEVELS:
        addresses = [uploaded(runtime, a) for a in (ones, data, data)]
        used = [Tensor(view(FLOAT, data.shape), a, "cuda") for a in addresses]
        with settings.using(math=level):
            two_phase.prepare(op, cases.arguments(op, used)).run(0, 0, 0)
        results.append(downloaded(runtime, addresses[-1], data))
    assert results[0][0] == pytest.approx(-3.68e-42, rel=1e-2)
    assert np.allclose(results[0], results[1], rtol=1e-5, atol=1e-45)
