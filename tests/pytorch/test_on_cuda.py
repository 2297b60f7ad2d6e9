"""PyTorch on a GPU: the CPU's bits, gradients included; captured graphs; autocast; training."""

from __future__ import annotations

import gc
import runpy
from pathlib import Path
from typing import Any

import pytest
import torch

import openaclnn.torch  # noqa: F401
from arguments import Made, made, made_by_default
from moving import MOVES, window
from openaclnn import ops
from openaclnn.spec import describe
from openaclnn.torch.gradients import NoGradientError
from openaclnn.torch.shares import worth

OF = torch.ops.openaclnn
pytestmark = pytest.mark.usefixtures("gpu")


def there(given: Any) -> Any:
    """The same on the GPU."""
    if isinstance(given, (list, tuple)):
        return [there(one) for one in given]
    if not isinstance(given, torch.Tensor):
        return given
    return given.detach().cuda().requires_grad_(given.requires_grad)


def results(name: str, call: Made) -> list[Any]:
    """What a call gives, and the gradients, on the CPU again."""
    found = getattr(OF, name)(*call.args, **call.kwargs)
    if found is None:
        return [one.detach().cpu() for one in call.tensors]
    made = list(found) if isinstance(found, tuple) else [found]
    wanted = [one for one in call.tensors if one.requires_grad]
    if wanted and made[0].requires_grad:
        made += torch.autograd.grad(made[0].sum(), wanted, allow_unused=True)
    return [one.detach().cpu() for one in made if one is not None]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One operator of eight, or every one."""
    if "numbered" in metafunc.fixturenames:
        every = list(enumerate(made_by_default()))
        chosen = every if metafunc.config.getoption("--every") else every[::8]
        metafunc.parametrize("numbered", chosen, ids=lambda one: one[1])


def test_operators_have_the_bits_of_the_cpu(numbered: tuple[int, str]) -> None:
    """In a dtype of each, and with gradients in one of floats."""
    number, name = numbered
    op = ops.find(name)
    allowed = describe.dtypes(op)
    floats = [one for one in allowed if one.kind == "float" and not op.in_place]
    calls = [made(op, allowed[number % len(allowed)])]
    calls += [made(op, floats[number % len(floats)], grad=True)] if floats else []
    for call in calls:
        there_too = Made(tuple(there(call.again().args)), call.kwargs)
        try:
            here = results(name, call.again())
        except NoGradientError:
            continue
        assert not any(map(_differ, here, results(name, there_too)))


LARGE = [
    (*window((3, 3), (1, 1), (1, 1), (1, 1)), [(4, 8, 64, 64)]),
    (*window((5, 2), (2, 1), (0, 3), (1, 2)), [(2, 3, 50, 70)]),
    (lambda x: OF.repeat(x, [500, 1]), None, [(3, 70)]),
    (lambda x: OF.repeat(x, [3, 4, 700]), None, [(30, 7)]),
]


@pytest.mark.parametrize(
    ("ours", "shape"), [(ours, shapes[0]) for ours, _, shapes in MOVES + LARGE]
)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_ways_back_of_moves_have_the_bits_of_the_cpu(ours: Any, shape: Any, dtype: Any) -> None:
    """Sums of terms that cancel."""
    torch.manual_seed(0)
    x = torch.zeros(shape, dtype=dtype, requires_grad=True)
    result = ours(x)
    seed = torch.randn(result.shape) * 2.0 ** torch.randint(-30, 30, result.shape)
    seed = seed.to(dtype)
    (here,) = torch.autograd.grad(result, x, seed)
    x = there(x)
    (found,) = torch.autograd.grad(ours(x), x, seed.cuda())
    assert not _differ(here, found.cpu())


def _differ(one: Any, other: Any) -> bool:
    return not torch.equal(_bytes(one), _bytes(other))


def _bytes(x: Any) -> Any:
    return x.clone(memory_format=torch.contiguous_format).reshape(-1).view(torch.uint8)


def step(x: Any, weight: Any, y: Any) -> Any:
    return OF.mse_loss(OF.softmax(OF.mul(OF.silu(x), weight), 1), y)


def test_a_captured_graph_has_a_workspace_of_its_own() -> None:
    """A training step, in parts that are merged, done again while others use workspaces."""
    torch.manual_seed(0)
    x, y = torch.randn(4000, 100, device="cuda"), torch.rand(4000, 100, device="cuda")
    weight = torch.randn(100, device="cuda", requires_grad=True)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        torch.autograd.grad(step(x, weight, y), weight)  # kernels are compiled
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        loss = step(x, weight, y)
        (slope,) = torch.autograd.grad(loss, weight)
        loss = loss.detach()  # what autograd kept belongs to the graph's stream
    for _ in range(5):
        x.normal_()
        gc.collect()
        expected = step(x, weight, y)
        (wanted,) = torch.autograd.grad(expected, weight)
        graph.replay()
        OF.mse_loss(x + 1, y)
        assert torch.equal(loss, expected)
        assert torch.equal(slope, wanted)


@pytest.mark.filterwarnings("ignore")  # PyTorch's own
def test_compiled_with_graphs() -> None:
    compiled = torch.compile(step, backend="cudagraphs", fullgraph=True)
    for _ in range(3):
        given = [torch.randn(64, 10, device="cuda"), torch.randn(10, device="cuda")]
        given.append(torch.rand(64, 10, device="cuda"))
        assert torch.equal(compiled(*given), step(*given))


def test_autocast_on_the_gpu() -> None:
    x = torch.randn(8, 5, device="cuda", dtype=torch.float16)
    with torch.autocast("cuda", dtype=torch.float16):
        found = OF.softmax(x, 1)
        assert found.dtype is torch.softmax(x, 1).dtype is torch.float32
        assert OF.silu(x).dtype is torch.nn.functional.silu(x).dtype
    assert torch.equal(found, OF.softmax(x.float(), 1))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64])
def test_shares_of_a_sum_make_the_whole(dtype: Any) -> None:
    wide = torch.randn(2, 100_000, dtype=torch.float64)
    x = (wide[0] * torch.exp(15 * wide[1])).to(dtype)
    parts = [OF.mean_digits(share.cuda(), dim=[0]) for share in x[:, None].tensor_split(3)]
    found = worth(sum(parts), "mean", len(x), dtype)
    assert torch.equal(found.cpu(), OF.mean(x[:, None], dim=[0]))


def test_transforms_on_the_gpu() -> None:
    x = torch.randn(7, 5)
    gradient = torch.func.vmap(torch.func.grad(lambda x: OF.silu(x).sum()))
    assert torch.equal(gradient(x.cuda()).cpu(), gradient(x))


def test_training_has_the_bits_of_the_cpu() -> None:
    example = Path(__file__).parents[2] / "examples" / "pytorch_training.py"
    trained = runpy.run_path(str(example))["trained"]
    assert trained(steps=20, device="cuda") == trained(steps=20)
