"""The NumPy-like functions on arrays of a GPU: no copies, on the caller's stream."""

from __future__ import annotations

import numpy as np
import pytest

import openaclnn
from arena import message, phase_one, phase_two
from openaclnn.base.dtypes import FLOAT
from openaclnn.base.tensors import Tensor, view
from openaclnn.ops import find

pytestmark = pytest.mark.usefixtures("gpu")


def expected(g: np.ndarray, x: np.ndarray) -> np.ndarray:
    result: np.ndarray = openaclnn.silu_backward(g, x)
    return result


@pytest.fixture
def data() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(11)
    return tuple(random.standard_normal((2, 300, 200)).astype(np.float32))  # type: ignore[return-value]


def test_torch(data: tuple[np.ndarray, np.ndarray]) -> None:
    torch = pytest.importorskip("torch")
    g, x = (torch.from_numpy(a).cuda() for a in data)
    result = openaclnn.silu_backward(g, x)
    assert result.device == x.device
    assert np.array_equal(result.cpu().numpy(), expected(*data))
    out = torch.zeros_like(x)
    assert openaclnn.silu_backward(g, x, out=out) is out
    assert torch.equal(out, result)
    turned = openaclnn.silu_backward(g.t(), x.t())
    assert torch.equal(turned, result.t())
    half = openaclnn.silu_backward(g.bfloat16(), x.bfloat16())
    assert half.dtype is torch.bfloat16


def test_torch_stream(data: tuple[np.ndarray, np.ndarray]) -> None:
    torch = pytest.importorskip("torch")
    g, x = (torch.from_numpy(a).cuda() for a in data)
    (
        openaclnn.silu_backward(g * 2, x) + 0
    )  # the driver loads a kernel at its first launch, and waits
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        torch.cuda._sleep(50_000_000)  # some 25 ms in which the input is not there yet
        late = g * 2
        result = openaclnn.silu_backward(late, x)
        assert not stream.query()  # the call did not wait
        later = result + 0
    stream.synchronize()
    assert np.array_equal(later.cpu().numpy(), expected(data[0] * 2, data[1]))


def test_torch_graph(data: tuple[np.ndarray, np.ndarray]) -> None:
    torch = pytest.importorskip("torch")
    g, x = (torch.from_numpy(a).cuda() for a in data)
    out = torch.empty_like(x)
    openaclnn.silu_backward(g, x, out=out)  # compiles before the capture
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        openaclnn.silu_backward(g, x, out=out)
    out.zero_()
    graph.replay()
    torch.cuda.synchronize()
    assert np.array_equal(out.cpu().numpy(), expected(*data))


def test_cupy(data: tuple[np.ndarray, np.ndarray]) -> None:
    cupy = pytest.importorskip("cupy")
    g, x = map(cupy.asarray, data)
    with cupy.cuda.Stream(non_blocking=True) as stream:
        result = openaclnn.silu_backward(g, x)
        stream.synchronize()
    assert isinstance(result, cupy.ndarray)
    assert np.array_equal(cupy.asnumpy(result), expected(*data))
    assert np.array_equal(cupy.asnumpy(openaclnn.silu_backward(g[::-1, ::2], x[::-1, ::2])),
                          expected(*data)[::-1, ::2])  # fmt: skip


def test_jax(data: tuple[np.ndarray, np.ndarray]) -> None:
    jax = pytest.importorskip("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("this JAX sees no GPU")
    g, x = map(jax.numpy.asarray, data)
    result = openaclnn.silu_backward(g, x)
    assert isinstance(result, jax.Array)
    assert np.array_equal(np.asarray(result), expected(*data))
    half = [a.astype(jax.numpy.bfloat16) for a in (g, x)]
    assert openaclnn.silu_backward(*half).dtype == jax.numpy.bfloat16


def test_addresses_between_elements() -> None:
    """A GPU cannot read them, and an attempt would end the process's use of it."""
    torch = pytest.importorskip("torch")
    memory = torch.zeros(128, dtype=torch.uint8, device="cuda")
    words = view(FLOAT, (8,))
    crooked = [Tensor(words, memory.data_ptr() + shift, "cuda") for shift in (2, 64)]
    status, _, executor = phase_one(find("relu"), crooked)
    assert status == 0
    assert phase_two(find("relu"), None, 0, executor) == 161002
    assert "on cuda expected a multiple of 4" in message()
    assert torch.equal(openaclnn.relu(memory.view(torch.float32)), memory.view(torch.float32))
