"""Gradients: PyTorch's numerical ones in DOUBLE, PyTorch's own in FLOAT, and those that are not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from arguments import made, made_by_default
from moving import MOVES

import openaclnn
import openaclnn.torch
from openaclnn import ops
from openaclnn.base.dtypes import DOUBLE, FLOAT
from openaclnn.base.status import AclnnError
from openaclnn.precision.reference import reference
from openaclnn.precision.ulp import ulp_error
from openaclnn.precision.verify.form import edges
from openaclnn.spec import describe
from openaclnn.spec.derivative import CONDITIONS
from openaclnn.spec.formula import fold
from openaclnn.spec.op import REQUIRED
from openaclnn.spec.sample import sample_call
from openaclnn.spec.stages import folds_of
from openaclnn.spec.steps import elementwise
from openaclnn.torch.gradients import NoGradientError, derived, gradient, passes_on

OF = torch.ops.openaclnn
F = torch.nn.functional


def in_double() -> list[str]:
    """Operators that are computed in DOUBLE and make one result of floats."""
    return [
        name
        for name in made_by_default()
        if DOUBLE in describe.dtypes(ops.find(name))
        and not ops.find(name).in_place
        and name != "cast"
    ]


@pytest.mark.parametrize("name", in_double())
def test_gradients_are_the_numerical_ones(name: str) -> None:
    op = ops.find(name)
    call = made(op, DOUBLE, grad=True)

    def of(*tensors: Any) -> Any:
        rest = iter(tensors)
        return getattr(OF, name)(*_replaced(call.args, rest), **call.kwargs)

    given = [one for one in call.tensors if one.requires_grad]
    result = of(*given)
    if result.requires_grad:
        assert torch.autograd.gradcheck(of, given)


def _replaced(args: Any, rest: Any) -> list[Any]:
    return [
        _replaced(one, rest)
        if isinstance(one, list)
        else next(rest)
        if isinstance(one, torch.Tensor) and one.requires_grad
        else one
        for one in args
    ]


@pytest.mark.parametrize(
    ("ours", "theirs", "shapes"),
    [
        (OF.silu, F.silu, [(3, 4)]),
        (OF.mish, F.mish, [(3, 4)]),
        (OF.selu, F.selu, [(3, 4)]),
        (OF.sigmoid, torch.sigmoid, [(3, 4)]),
        (OF.erf, torch.erf, [(3, 4)]),
        (lambda x: OF.glu(x, dim=0), lambda x: F.glu(x, 0), [(4, 3)]),
        (lambda x: OF.hardtanh(x, clip_value_min=-0.5), lambda x: F.hardtanh(x, -0.5, 1), [(9,)]),
        (lambda x: OF.softmax(x, 1), lambda x: F.softmax(x, 1), [(3, 4)]),
        (OF.mse_loss, F.mse_loss, [(3, 4), (3, 4)]),
        (lambda x, y: OF.l1_loss(x, y, reduction="sum"),
         lambda x, y: F.l1_loss(x, y, reduction="sum"), [(3, 4), (3, 4)]),
        (lambda x, y: OF.smooth_l1_loss(x, y, beta=0.5),
         lambda x, y: F.smooth_l1_loss(x, y, beta=0.5), [(3, 4), (3, 4)]),
        (OF.mul, torch.mul, [(3, 4), (4,)]),
        (OF.div, torch.div, [(2, 1, 4), (3, 1)]),
        (OF.atan2, torch.atan2, [(3, 4), ()]),
        (lambda x: OF.mean(x, dim=[0]), lambda x: x.mean(0), [(3, 4)]),
        (lambda x: OF.amax(x, dim=[1], keep_dim=True), lambda x: x.amax(1, True), [(3, 4)]),
        (lambda x, y: OF.cat([x, y], dim=1), lambda x, y: torch.cat([x, y], 1), [(3, 4), (3, 1)]),
        (lambda x: OF.repeat(x, [2, 0]), lambda x: x.repeat(2, 0), [(2, 3)]),
    ],
)  # fmt: skip
def test_gradients_are_pytorchs(ours: Any, theirs: Any, shapes: Any) -> None:
    torch.manual_seed(0)
    given = [torch.randn(shape, requires_grad=True) for shape in shapes]
    wide = [one.detach().double().requires_grad_() for one in given]
    result, truth = ours(*given), theirs(*wide)
    weight = torch.randn(result.shape)
    found = torch.autograd.grad((result * weight).sum(), given)
    expected = torch.autograd.grad((truth * weight.double()).sum(), wide)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype is torch.float32
        torch.testing.assert_close(one.double(), other, rtol=3e-7, atol=1e-7)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (OF.inplace_relu, torch.relu),
        (OF.inplace_exp, torch.exp),
        (lambda x: OF.inplace_mul(x, x.detach() + 1), lambda x: x * (x.detach() + 1)),
        (OF.inplace_zero, lambda x: x * 0),
        (lambda x: OF.inplace_copy(x, x * 3), lambda x: x * 3),
    ],
)
def test_gradients_in_place(ours: Any, theirs: Any) -> None:
    x = torch.tensor([-1.0, 0.5, 2.0], requires_grad=True)
    changed = x * 2
    ours(changed)
    expected = theirs(x * 2)
    torch.testing.assert_close(changed, expected)
    (found,) = torch.autograd.grad(changed.sum(), x)
    torch.testing.assert_close(found, torch.autograd.grad(expected.sum(), x)[0])


def test_gradients_of_gradients() -> None:
    x = torch.tensor([-1.0, 0.5], requires_grad=True)
    for ours, theirs in ((OF.silu, F.silu), (OF.tanh, torch.tanh)):
        found, expected = x, x.double()
        for _ in range(2):
            found = torch.autograd.grad(ours(x).sum(), x, create_graph=True)[0]
            expected = torch.autograd.grad(theirs(x).sum(), x, create_graph=True)[0]
        torch.testing.assert_close(
            torch.autograd.grad(found.sum(), x), torch.autograd.grad(expected.sum(), x)
        )


def test_a_16_bit_gradient_is_rounded_once() -> None:
    x = torch.linspace(-4, 4, 200).to(torch.bfloat16).requires_grad_()
    OF.silu(x).sum().backward()
    wide = x.detach().double().requires_grad_()
    F.silu(wide).sum().backward()
    assert torch.equal(x.grad, wide.grad.to(torch.bfloat16))


@pytest.mark.parametrize(("ours", "theirs", "shapes"), MOVES)
def test_the_way_back_of_a_move_rounds_once(ours: Any, theirs: Any, shapes: Any) -> None:
    """Terms that cancel, whose sum float64 has; from gradients of any layout."""
    torch.manual_seed(0)
    x = torch.zeros(shapes[0], requires_grad=True)
    wide = torch.zeros(shapes[0], dtype=torch.float64, requires_grad=True)
    result = ours(x)
    seeds = torch.randint(-(2**7), 2**7, result.shape) * 2.0 ** torch.randint(0, 40, result.shape)
    turned = seeds.mT.contiguous().mT if seeds.dim() > 1 else seeds
    for seed in (seeds, turned, torch.ones(()).expand(result.shape)):
        (found,) = torch.autograd.grad(result, x, seed.float(), retain_graph=True)
        (true,) = torch.autograd.grad(theirs(wide), wide, seed.double())
        assert torch.equal(found, true.float())


def test_a_mean_over_many_is_shared_exactly() -> None:
    x = torch.ones(3, 5, requires_grad=True)
    OF.mse_loss(x, torch.zeros(3, 5)).backward()
    assert torch.equal(x.grad, torch.full((3, 5), 2 / 15))


def test_steps_are_flat() -> None:
    x = torch.tensor([-1.5, 0.0, 2.0], requires_grad=True)
    for of in (OF.sign, OF.floor, lambda x: OF.inplace_gt_scalar(x, 1) or x):
        changed = x * 1
        (found,) = torch.autograd.grad(of(changed), x, torch.full((3,), float("inf")))
        assert torch.equal(found, torch.zeros(3) * found)
    assert not OF.gt_scalar(x, 0.5).requires_grad


def test_where_there_is_none_the_call_says_so() -> None:
    x = torch.ones(2, 4, requires_grad=True)
    largest = replace(
        ops.find("softmax"),
        name="below_the_largest",
        formula=lambda self: self - fold(self, "max", over="dim"),
    )
    with pytest.raises(NoGradientError, match=r"to self: max\(self\) has no derivative"):
        gradient(largest, "self")
    moved = ops.find("permute")
    twice = replace(moved, name="twice", steps=lambda call: moved.steps(call) * 2)
    with pytest.raises(NoGradientError, match="to self: it overwrites what it moved"):
        gradient(twice, "self")
    with pytest.raises(NoGradientError, match="self = other is true or false"):
        gradient(ops.find("eq_scalar"), "self")
    with torch.no_grad():
        assert OF.sign(x).sum() == 8


def swi_glu(x: Any, dim: int = -1) -> Any:
    first, second = x.chunk(2, dim)
    return F.silu(first) * second


def ge_glu(x: Any) -> Any:
    first, second = x.chunk(2, -1)
    gelu = F.gelu(second, approximate="tanh")
    return first * gelu, gelu


@pytest.mark.parametrize(
    ("ours", "theirs", "shapes"),
    [
        (OF.swi_glu, swi_glu, [(3, 8)]),
        (lambda x: OF.swi_glu(x, dim=0), lambda x: swi_glu(x, 0), [(4, 3)]),
        (OF.ge_glu_v3, ge_glu, [(2, 3, 4)]),
        (lambda x: OF.ge_glu_v3(x)[1], lambda x: ge_glu(x)[1], [(3, 4)]),
        (lambda x: OF.log_sigmoid_forward(x)[0], F.logsigmoid, [(5,)]),
        (OF.glu, F.glu, [(3, 8)]),
        (OF.prelu, F.prelu, [(3, 4, 5), (4,)]),
        (OF.prelu, F.prelu, [(3, 4), (1,)]),
        (OF.prelu, F.prelu, [(), (1,)]),
        (lambda x: OF.softmax(x, 1), lambda x: F.softmax(x, 1), [(3, 4)]),
        (OF.mse_loss, F.mse_loss, [(3, 4), (3, 4)]),
        (OF.smooth_l1_loss, F.smooth_l1_loss, [(3, 4), (3, 4)]),
        *MOVES[::3],
    ],
)
def test_both_gradients_are_pytorchs(ours: Any, theirs: Any, shapes: Any) -> None:
    torch.manual_seed(0)
    given = [torch.randn(shape, requires_grad=True) for shape in shapes]
    wide = [one.detach().double().requires_grad_() for one in given]
    found, expected = ours(*given), theirs(*wide)
    seeds = [torch.randn_like(one).requires_grad_() for one in _several(found)]
    first = torch.autograd.grad(_several(found), given, seeds, create_graph=True)
    doubles = [seed.detach().double().requires_grad_() for seed in seeds]
    true = torch.autograd.grad(_several(expected), wide, doubles, create_graph=True)
    torch.testing.assert_close([one.double() for one in first], [*true], rtol=1e-6, atol=1e-7)
    # of gradients: along the tensors, and along the gradients that came
    squares = [[one.square().sum() for one in several] for several in (first, true)]
    second = torch.autograd.grad(squares[0], [*given, *seeds], materialize_grads=True)
    true = torch.autograd.grad(squares[1], [*wide, *doubles], materialize_grads=True)
    torch.testing.assert_close([one.double() for one in second], [*true], rtol=1e-5, atol=1e-6)


def _several(found: Any) -> list[Any]:
    return list(found) if isinstance(found, tuple) else [found]


def differentiable() -> list[Any]:
    """Operators of elements in FLOAT, and which of their tensors a gradient is of."""
    return [
        pytest.param(name, a.name, id=f"{name} {a.name}")
        for name, op in ops.all_ops().items()
        if FLOAT in describe.dtypes(op) and op.steps is elementwise and not op.in_place
        if len(op.outputs) == 1 and not folds_of(op.traced_in("f64")) and "_backward" not in name
        if all(a.default is not REQUIRED for a in op.attributes) and not passes_on(op)
        if {given.tensor.dtype for given in sample_call(op, (FLOAT,), (2,)).used} == {FLOAT}
        for a in op.reads
        if not any(tree.op in CONDITIONS for tree in op.expressions)
    ]


@pytest.mark.parametrize(("name", "along"), differentiable())
def test_gradients_are_the_true_slopes(name: str, along: str) -> None:
    """Within the bound of the derivative to 100 bits, beside every edge, on both sides."""
    op = ops.find(name)
    centres = np.float32([sign * edge for edge in edges(op) for sign in (1, -1)])
    centres = np.concatenate([centres, np.linspace(*op.proof.range, 16, dtype=np.float32)])
    both = [np.nextafter(centres, np.float32(way * np.inf)) for way in (1, -1)]
    points = np.unique(np.concatenate([*both, *(one * np.float32(1 + 2**-12) for one in both)]))
    random = np.random.default_rng(len(name))
    columns = [random.permutation(points) for _ in op.reads]
    columns[[a.name for a in op.reads].index(along)] = points
    given = [torch.from_numpy(column) for column in columns]
    one = given[[a.name for a in op.reads].index(along)].requires_grad_()
    seed = torch.from_numpy(random.normal(size=len(points)).astype(np.float32))
    (found,) = torch.autograd.grad(getattr(OF, name)(*given), one, seed)
    slope = derived(op, along)
    known = {a.name: column for a, column in zip(op.reads, columns, strict=True)}
    known["grad_result"] = seed.numpy()
    true = reference(slope.op, [known[a.name] for a in slope.op.reads], numel=len(points))
    error = ulp_error(found.numpy(), "f32", true)
    worst = int(np.argmax(error))
    assert error[worst] <= 0.51, (points[worst], found[worst], true.high[worst])


def test_out_and_a_gradient_exclude_each_other() -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(AclnnError, match="out is given, and a tensor requires grad"):
        OF.relu(x, out=torch.empty(2))


def test_plain_functions_detach_nothing() -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(AclnnError, match="self requires grad, and PyTorch would not learn"):
        openaclnn.silu(x)
