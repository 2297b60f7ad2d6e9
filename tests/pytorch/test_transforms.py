"""Compiled, exported, vmapped and transformed calls: the bits of the plain ones."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
import torch

import openaclnn.torch  # noqa: F401
from openaclnn.base.status import AclnnError
from openaclnn.torch.gradients import NoGradientError

OF = torch.ops.openaclnn
F = torch.nn.functional


def attention(x: Any, y: Any) -> Any:
    return OF.softmax(OF.mul(OF.silu(x), y), 1)


BACKEND = "inductor" if shutil.which("g++") else "aot_eager"  # it wants a compiler


@pytest.mark.filterwarnings("ignore")  # PyTorch's own
def test_compiled_graphs_of_any_size() -> None:
    compiled = torch.compile(attention, backend=BACKEND, fullgraph=True, dynamic=True)
    y = torch.randn(4, requires_grad=True)
    for size in (3, 5):
        x = torch.randn(size, 4, requires_grad=True)
        found, expected = compiled(x, y), attention(x, y)
        assert torch.equal(found, expected)
        weight = torch.randn_like(found)
        pairs = [torch.autograd.grad((one * weight).sum(), (x, y)) for one in (found, expected)]
        for one, other in zip(*pairs, strict=True):
            assert torch.equal(one, other)


def test_numbers_that_vary_in_compiled_graphs() -> None:
    def of(x: Any, k: float, n: int) -> Any:
        return OF.celu(OF.add(x, x, alpha=n), alpha=k)

    compiled = torch.compile(of, backend="aot_eager", fullgraph=True, dynamic=True)
    x = torch.randn(5)
    for k, n in ((0.5, 2), (1.5, 3)):
        assert torch.equal(compiled(x, k, n), of(x, k, n))


def test_compiled_graphs_with_changes() -> None:
    def changing(x: Any) -> Any:
        y, z = x.clone(), torch.empty_like(x)
        OF.inplace_relu(y)
        OF.silu(y, out=z)
        return z

    x = torch.randn(5)
    compiled = torch.compile(changing, backend="aot_eager", fullgraph=True)
    assert torch.equal(compiled(x), changing(x))


def test_exported_programs() -> None:
    class Model(torch.nn.Module):
        def forward(self, x: Any, y: Any) -> Any:
            return attention(x, y)

    x, y = torch.randn(3, 4), torch.randn(4)
    shapes = ({0: torch.export.Dim("rows")}, None)
    program = torch.export.export(Model(), (x, y), dynamic_shapes=shapes)
    x = torch.randn(7, 4)
    assert torch.equal(program.module()(x, y), attention(x, y))


@pytest.mark.parametrize(
    ("of", "shapes", "dims"),
    [
        (OF.silu, [(3, 4)], 0),
        (OF.silu, [(3, 4)], 1),
        (OF.mul, [(3, 4), (2, 4)], (0, None)),
        (OF.mul, [(4, 3), (3,)], (1, 0)),
        (OF.silu_backward, [(3, 4), (4,)], (0, None)),
        (lambda x: OF.softmax(x, 0), [(3, 4, 5)], 0),
        (lambda x: OF.softmax(x, -1), [(3, 4, 5)], 1),
        (lambda x: OF.reduce_sum(x), [(3, 4, 5)], 0),
        (lambda x: OF.reduce_sum(x), [(3,)], 0),
        (lambda x: OF.mean(x, dim=[0], keep_dim=True), [(3, 4, 5)], 2),
        (OF.sqrt, [(3,)], 0),
        (lambda x: OF.permute(x, [1, 0]), [(3, 4, 5)], 1),
        (lambda x: OF.tril(x, diagonal=1), [(3, 4, 5)], 2),
        (lambda x: OF.swi_glu(x), [(3, 4, 6)], 0),
        (lambda x, y: OF.permute_gradient_self(x, y, [1, 0]), [(3, 5, 4), (4, 5)], (0, None)),
    ],
)
def test_a_batch_at_once(of: Any, shapes: Any, dims: Any) -> None:
    given = [torch.rand(shape) for shape in shapes]
    found = torch.vmap(of, in_dims=dims)(*given)
    along = dims if isinstance(dims, tuple) else (dims,)
    size = next(one.shape[dim] for one, dim in zip(given, along, strict=True) if dim is not None)
    expected = [
        of(*(one if dim is None else one.select(dim, k)
             for one, dim in zip(given, along, strict=True)))
        for k in range(size)
    ]  # fmt: skip
    assert torch.equal(found, torch.stack(expected))


@pytest.mark.parametrize(
    "of",
    [
        lambda x: OF.reflection_pad1d(x, [2, 3]),
        lambda x: OF.repeat(x, [2, 3]),
        lambda x: OF.triu(x),
        lambda x: OF.glu(x, dim=0),
        lambda x: OF.prelu(x, x[0, :1]),
    ],
)
@pytest.mark.filterwarnings("ignore")  # PyTorch's own, of what it calls for each
def test_gradients_of_a_batch(of: Any) -> None:
    """For each, and of the batch."""
    x, func = torch.randn(3, 4, 6), torch.func
    each = [func.grad(lambda x: of(x).square().sum())(one) for one in x]
    assert torch.equal(func.vmap(func.grad(lambda x: of(x).square().sum()))(x), torch.stack(each))
    whole = func.grad(lambda x: func.vmap(of)(x).square().sum())(x)
    assert torch.equal(whole, torch.stack(each))


def test_a_batch_in_place() -> None:
    x, y = torch.randn(3, 4, 5), torch.randn(5)
    changed = x.clone()

    def multiplied(x: Any, y: Any) -> Any:
        OF.inplace_mul(x, y)
        return x

    torch.vmap(multiplied, in_dims=(1, None))(changed, y)
    assert torch.equal(changed, OF.mul(x, y))
    with pytest.raises(AclnnError, match="what is changed in place is one for the whole batch"):
        torch.vmap(multiplied, in_dims=(None, 0))(y, x)


@pytest.mark.parametrize("theirs", [F.silu, torch.tanh, torch.exp])
def test_functional_gradients(theirs: Any) -> None:
    ours, x = getattr(OF, theirs.__name__), torch.randn(5)
    func = torch.func

    def twice(of: Any) -> Any:
        return func.grad(lambda y: func.grad(lambda x: of(x).sum())(y).sum())(x)

    torch.testing.assert_close(twice(ours), twice(theirs))
    rows = torch.randn(3, 4)
    each = func.vmap(func.grad(lambda x: ours(x).sum()))(rows)
    given = rows.clone().requires_grad_()
    ours(given).sum().backward()
    assert torch.equal(each, given.grad)
    torch.testing.assert_close(func.jacrev(ours)(x), func.jacrev(theirs)(x))


def test_functional_gradients_inside_others() -> None:
    x, y = torch.randn(5), torch.randn(5, requires_grad=True)
    found = torch.func.grad(lambda x: OF.silu(OF.mul(x, y)).sum())(x)
    expected = torch.func.grad(lambda x: F.silu(x * y).sum())(x)
    torch.testing.assert_close(
        torch.autograd.grad(found.sum(), y), torch.autograd.grad(expected.sum(), y)
    )


@pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning")  # PyTorch's own
def test_forward_mode_is_refused() -> None:
    x = torch.randn(5)
    with pytest.raises(NoGradientError, match="aclnnSilu has no derivative in forward mode"):
        torch.func.jvp(OF.silu, (x,), (x,))
