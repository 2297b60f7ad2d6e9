"""Gradients by the short way: the bits of the long one, which transforms take, and what autograd
demands of any node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

import openaclnn.torch

ops = torch.ops.openaclnn


def line(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    count = torch.Size(shape).numel()
    return torch.linspace(-3, 4, count).to(dtype).reshape(shape)


@dataclass(frozen=True)
class Row:
    why: str
    call: Callable[..., Any]
    tensors: Callable[[], list[torch.Tensor]]
    needs: tuple[int, ...] = (0,)


ROWS = [
    Row("one tensor", lambda x: ops.silu(x), lambda: [line(60)]),
    Row("no dimensions", lambda x: ops.silu(x), lambda: [torch.tensor(0.5)]),
    Row("empty", lambda x: ops.silu(x), lambda: [torch.empty(0, 3)]),
    Row("transposed", lambda x: ops.gelu(x), lambda: [line(6, 10).t()]),
    Row("an attribute", lambda x: ops.leaky_relu(x, negative_slope=0.25), lambda: [line(60)]),
    Row("attributes by name", lambda x: ops.elu(x, alpha=2.0), lambda: [line(60)]),
    Row("defaults", lambda x: ops.hardtanh(x), lambda: [line(60)]),
    Row("the result is needed", lambda x: ops.sigmoid(x), lambda: [line(60)]),
    Row("rows", lambda x: ops.softmax(x, 1), lambda: [line(6, 10)]),
    Row("halves", lambda x: ops.silu(x), lambda: [line(60, dtype=torch.float16)]),
    Row("double", lambda x: ops.tanh(x), lambda: [line(60, dtype=torch.float64)]),
    Row("both", lambda x, y: ops.mul(x, y), lambda: [line(6, 10), line(6, 10).flip(0)], (0, 1)),
    Row("the first of two", lambda x, y: ops.mul(x, y), lambda: [line(6, 10), line(6, 10)]),
    Row("the second of two", lambda x, y: ops.div(x, y), lambda: [line(60), line(60) + 9], (1,)),
    Row("broadcast", lambda x, y: ops.mul(x, y), lambda: [line(6, 10), line(10)], (0, 1)),
    Row("broadcast to more", lambda x, y: ops.mul(x, y), lambda: [line(1, 10), line(6, 1)], (0, 1)),
    Row("gradients passed on", lambda x, y: ops.add(x, y), lambda: [line(6, 10), line(10)], (0, 1)),
    Row("one passed on", lambda x, y: ops.sub(x, y), lambda: [line(60), line(60)], (0, 1)),
    Row(
        "passed on to another dtype",
        lambda x, y: ops.fmod_tensor(x, y),
        lambda: [line(60, dtype=torch.bfloat16), line(60) + 9],
    ),
    Row("channels", lambda x, w: ops.prelu(x, w), lambda: [line(2, 3, 4), line(3)], (0, 1)),
    Row("one for all channels", lambda x, w: ops.prelu(x, w), lambda: [line(60), line(1)], (0, 1)),
    Row("a dtype", lambda x: ops.cast(x, torch.float16), lambda: [line(60)]),
    Row("means", lambda x: ops.mean(x, dim=[0, -1]), lambda: [line(2, 5, 6)]),
    Row("a mean", lambda x: ops.mean(x, keep_dim=True), lambda: [line(60)]),
    Row("sums", lambda x: ops.reduce_sum(x, dims=[1]), lambda: [line(6, 10)]),
    Row("largest numbers", lambda x: ops.amax(x, dim=[1]), lambda: [line(6, 10).sin()]),
    Row("places", lambda x: ops.tril(x, diagonal=-1), lambda: [line(6, 10)]),
    Row(
        "tensors that may be absent",
        lambda x, low, high: ops.clamp_tensor(x, low, high),
        lambda: [line(6, 10), line(6, 10) * 0.5 - 0.3, line(10).flip(0)],
        (0, 1, 2),
    ),
    Row(
        "an absent one",
        lambda x, high: ops.clamp_tensor(x, None, high),
        lambda: [line(6, 10), line(10).flip(0)],
        (0, 1),
    ),
    Row("a list", lambda x, y: ops.cat([x, y]), lambda: [line(6, 10), line(2, 10)], (0, 1)),
    Row(
        "some of a list",
        lambda x, y, z: ops.cat((x, y, z), dim=-1),
        lambda: [line(6, 2), line(6, 3, dtype=torch.float16), line(6, 1)],
        (0, 1),
    ),
    Row("nothing in a list", lambda x, y: ops.cat([y, x, y]), lambda: [line(60), line(0)], (0, 1)),
    Row("a loss", lambda x, y: ops.mse_loss(x, y), lambda: [line(60), line(60).flip(0)], (0, 1)),
    Row(
        "two dtypes",
        lambda x, y: ops.add(x, y, alpha=2.0),
        lambda: [line(60, dtype=torch.bfloat16), line(60)],
        (0, 1),
    ),
    Row(
        "double beside float",
        lambda x, y: ops.mul(x, y),
        lambda: [line(60), line(60, dtype=torch.float64)],
    ),
]
every_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.why)


def eager(row: Row, tensors: list[torch.Tensor], **options: Any) -> Any:
    given = [one.clone() if k in row.needs else one for k, one in enumerate(tensors)]
    needed = [given[k].requires_grad_() for k in row.needs]
    result = row.call(*given)
    grad = torch.linspace(1, 2, result.numel()).reshape(result.shape).to(result.dtype)
    return result, torch.autograd.grad(result, needed, grad, **options)


def transformed(row: Row, tensors: list[torch.Tensor]) -> Any:
    result, pull = torch.func.vjp(
        lambda *needed: row.call(
            *[
                needed[row.needs.index(k)] if k in row.needs else one
                for k, one in enumerate(tensors)
            ]
        ),
        *[tensors[k] for k in row.needs],
    )
    return result, pull(torch.linspace(1, 2, result.numel()).reshape(result.shape).to(result.dtype))


def alike(one: torch.Tensor, other: torch.Tensor) -> bool:
    return (one.dtype, one.shape) == (other.dtype, other.shape) and torch.equal(one, other)


@every_row
def test_the_bits_of_the_long_way(row: Row) -> None:
    long, theirs = transformed(row, row.tensors())
    for _ in range(3):  # the call cache learns at the first
        short, ours = eager(row, row.tensors())
        assert alike(short.detach(), long)
        assert all(map(alike, ours, theirs))


def test_several_gradients_at_once() -> None:
    x = line(6, 10).requires_grad_()
    for _ in range(3):
        y = ops.tril(x)
        (single,) = torch.autograd.grad(y, x, torch.ones(6, 10), retain_graph=True)
        (several,) = torch.autograd.grad(y, x, torch.ones(2, 6, 10), is_grads_batched=True)
        assert torch.equal(several, single.expand(2, 6, 10))


def kind(tensor: torch.Tensor) -> str:
    return type(tensor.grad_fn).__name__


def test_it_is_gone() -> None:
    x = line(60).requires_grad_()
    assert kind(ops.silu(x)) == "SiluBackward"
    with torch.enable_grad():
        assert kind(ops.mul(x, x.detach())) == "MulBackward"


def test_a_gradient_of_a_gradient() -> None:
    x = line(60, dtype=torch.float64).requires_grad_()
    for _ in range(2):
        (first,) = torch.autograd.grad(ops.tanh(x).sum(), x, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), x)
        y = torch.tanh(x.detach())
        assert torch.allclose(second, -2 * y * (1 - y * y))


def test_what_autograd_demands() -> None:
    x = line(60).requires_grad_()
    for _ in range(2):
        y = ops.silu(x)
        y.sum().backward(retain_graph=True)
        y.sum().backward()
        with pytest.raises(RuntimeError, match="second time"):
            y.sum().backward()
        z = x * 1
        y = ops.silu(z)
        z.add_(1)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            y.sum().backward()


def test_saved_tensors_pass_hooks() -> None:
    x = line(60).requires_grad_()
    (right,) = torch.autograd.grad(ops.silu(x).sum(), x)
    seen: list[Any] = []

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        seen.append(tensor)
        return tensor.clone()

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        y = ops.silu(x).sum()
    assert [one is x for one in seen[:1]] == [True]
    assert torch.equal(torch.autograd.grad(y, x)[0], right)
    assert torch.equal(
        torch.autograd.grad(checkpoint(ops.silu, x, use_reentrant=False).sum(), x)[0], right
    )


def test_parameters_and_subclasses() -> None:
    class Sub(torch.Tensor):
        pass

    x = line(60)
    (right,) = torch.autograd.grad(ops.silu(y := x.clone().requires_grad_()).sum(), y)
    for made in (torch.nn.Parameter(x.clone()), x.clone().as_subclass(Sub).requires_grad_()):
        for _ in range(2):
            (found,) = torch.autograd.grad(ops.silu(made).sum(), made)
            assert torch.equal(found.as_subclass(torch.Tensor), right)


def test_results_without_gradients() -> None:
    x = line(60).requires_grad_()
    for _ in range(2):
        assert not ops.eq_tensor(x, x).requires_grad
        assert not ops.cast(x, torch.int32).requires_grad
        assert not openaclnn.torch.nn.functional.silu(x.detach()).requires_grad


def seen_by_a_mode_of_functions(call: Callable[[], Any]) -> list[str]:
    seen: list[str] = []

    class Mode(TorchFunctionMode):
        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            seen.append(str(func))
            return func(*args, **(kwargs or {}))

    with Mode():
        call()
    return seen


def seen_by_a_mode_of_operators(call: Callable[[], Any]) -> list[str]:
    seen: list[str] = []

    class Mode(TorchDispatchMode):
        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            seen.append(str(func))
            return func(*args, **(kwargs or {}))

    with Mode():
        call()
    return seen


def seen_by_a_profiler(call: Callable[[], Any]) -> list[str]:
    with torch.autograd.profiler.profile() as found:
        call()
    return [event.name for event in found.function_events]


@pytest.mark.parametrize("need", [False, True])
@pytest.mark.parametrize(
    "seen", [seen_by_a_mode_of_functions, seen_by_a_mode_of_operators, seen_by_a_profiler]
)
def test_what_watches_operators_sees_them(seen: Any, need: bool) -> None:
    x = line(60).requires_grad_(need)
    for _ in range(4):  # the call cache learns
        ops.silu(x)
    names = {"openaclnn.silu", "openaclnn.silu.default", "openaclnn::silu"}
    assert names & set(seen(lambda: ops.silu(x)))


def test_calls_by_any_form() -> None:
    x, out = line(60), torch.empty(60)
    right = ops.elu.default(x, alpha=2.0)
    for _ in range(4):
        ops.elu(x, alpha=2.0, out=out)
        for found in (ops.elu(x, alpha=2.0), ops.elu(input=x, alpha=2.0), out):
            assert torch.equal(found, right)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            assert ops.mse_loss(x.bfloat16(), x.bfloat16()).dtype is torch.float32
        with pytest.raises(RuntimeError, match="missing value for argument"):
            ops.elu()
        with pytest.raises(RuntimeError, match="Unknown keyword argument 'slope'"):
            ops.elu(x, slope=2.0)
        with pytest.raises(RuntimeError, match="Expected a value of type 'Tensor'"):
            ops.elu(3.0)
