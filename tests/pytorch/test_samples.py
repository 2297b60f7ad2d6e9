"""Drawn calls of operators of each kind: compiled, exported, vmapped and sharded ones have the bits
of the eager one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
import torch.distributed as dist
from hypothesis import given
from hypothesis import strategies as st
from torch.distributed.tensor import DTensor, Replicate, Shard, init_device_mesh
from torch.utils._pytree import tree_map

import openaclnn.torch.sharding  # noqa: F401  the rules
from arguments import SHAPES, Made, made, made_by_default
from openaclnn import ops
from openaclnn.base.dtypes import DType
from openaclnn.base.status import AclnnError
from openaclnn.spec import describe
from openaclnn.spec.formula import ALL
from openaclnn.spec.op import InOut, Op
from openaclnn.spec.stages import folds_of
from openaclnn.spec.steps import copied, elementwise
from openaclnn.torch.schema import positional
from walks import examples

OF = torch.ops.openaclnn


def kind(op: Op) -> tuple[Any, ...]:
    """What makes an operator another thing to PyTorch: lists, several results, changes in place,
    parts of tensors, moves, folds."""
    folded = frozenset(fold.over == ALL for fold in folds_of(op.traced_in("f64")))
    whole, many = op.steps is elementwise, any(a.many for a in op.inputs)
    return op.in_place, many, len(op.outputs), whole, op.formula is copied, folded


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """An operator of each kind, or every one."""
    if "name" in metafunc.fixturenames:
        found = {name: kind(ops.find(name)) for name in made_by_default()}
        some = {one: name for name, one in found.items()}.values()
        metafunc.parametrize("name", found if metafunc.config.getoption("--every") else some)


@pytest.fixture(scope="module")
def mesh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Of this process alone."""
    store = tmp_path_factory.mktemp("gloo") / "store"
    dist.init_process_group("gloo", f"file://{store}", rank=0, world_size=1)
    yield init_device_mesh("cpu", (1,))
    dist.destroy_process_group()


class Call(torch.nn.Module):
    """An operator, with all but the tensors. One in place gives what it changed, a copy."""

    def __init__(self, op: Op, call: Made) -> None:
        super().__init__()
        self.op, self.of, self.call = op, getattr(OF, op.name), call

    def forward(self, *tensors: Any) -> Any:
        rest = iter(tensors)

        def filled(one: Any) -> Any:
            if isinstance(one, list) and one and isinstance(one[0], torch.Tensor):
                return [next(rest) for _ in one]
            return next(rest) if isinstance(one, torch.Tensor) else one

        args = [*map(filled, self.call.args)]
        if not self.op.in_place:
            found = self.of(*args, **self.call.kwargs)
            return tuple(found) if isinstance(found, list) else found
        changed = []
        for place, argument in enumerate(positional(self.op)):
            if isinstance(argument, InOut):
                many = isinstance(args[place], list)
                args[place] = tree_map(torch.clone, args[place])
                changed += args[place] if many else [args[place]]
        self.of(*args, **self.call.kwargs)
        return tuple(changed)


def bits(found: Any) -> list[bytes]:
    several = found if isinstance(found, tuple) else (found,)
    whole = [one.to_local() if isinstance(one, DTensor) else one for one in several]
    return [one.flatten().repeat(1).view(torch.uint8).numpy().tobytes() for one in whole]


@pytest.mark.filterwarnings("ignore")  # PyTorch's own
def test_a_compiled_step_of_sharded_tensors(mesh: Any) -> None:
    def step(x: Any, weight: Any) -> Any:
        loss = OF.mse_loss(OF.softmax(OF.mul(OF.silu(x), weight), 1), OF.sigmoid(x))
        (slope,) = torch.autograd.grad(loss, weight)
        with torch.no_grad():
            OF.inplace_add(weight, slope, alpha=-0.1)
        return loss

    x, weight = torch.randn(8, 5), torch.randn(5)
    shared = DTensor.from_local(weight.clone(), mesh, [Replicate()])
    x_shared = DTensor.from_local(x, mesh, [Shard(0)])
    torch._dynamo.reset()
    loss = torch.compile(OF.mse_loss, backend="aot_eager", fullgraph=True)(x_shared, shared)
    assert bits(loss) == bits(OF.mse_loss(x, weight))
    assert bits(step(x_shared, shared.requires_grad_())) == bits(step(x, weight.requires_grad_()))
    assert bits(shared.detach()) == bits(weight.detach())


def eagerly(op: Op, dtype: DType, layout: str) -> tuple[Call, list[bytes]]:
    """A call, and the bits of its results; there is no largest of none, and no half of 0-D."""
    try:
        of = Call(op, made(op, dtype, layout))
        return of, bits(of(*of.call.tensors))
    except AclnnError:
        assert layout != "contiguous"
        return eagerly(op, dtype, "contiguous")


@given(data=st.data())
@examples(1)
@pytest.mark.filterwarnings("ignore")  # PyTorch's own, of what it is made of
def test_every_way_has_the_bits_of_the_eager_one(mesh: Any, name: str, data: Any) -> None:
    """Compiled, exported, vmapped and sharded, in a dtype and layout that are drawn."""
    op = ops.find(name)
    dtype = data.draw(st.sampled_from(describe.dtypes(op)))
    of, expected = eagerly(op, dtype, data.draw(st.sampled_from(list(SHAPES))))
    tensors = of.call.tensors
    torch._dynamo.reset()
    compiled = torch.compile(of, backend="aot_eager", fullgraph=True, dynamic=True)
    assert bits(compiled(*tensors)) == expected
    assert bits(torch.export.export(of, tuple(tensors)).module()(*tensors)) == expected
    batches = [torch.stack([one, one, one], -1) for one in tensors]
    if op.sized is not None:
        with pytest.raises(AclnnError, match="depends on data"):
            torch.vmap(of, in_dims=-1)(*batches)
    else:
        found = torch.vmap(of, in_dims=-1)(*batches)
        several = found if isinstance(found, tuple) else (found,)
        for number in range(3):
            assert bits(tuple(one[number] for one in several)) == expected
    rank = max(one.dim() for one in tensors)
    shared = [
        DTensor.from_local(one, mesh, [Shard(0) if rank and one.dim() == rank else Replicate()])
        for one in tensors
    ]
    assert bits(of(*shared)) == expected
