"""Gradients: PyTorch's numerical ones in DOUBLE, PyTorch's own in FLOAT, and those that are not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch

import openaclnn
import openaclnn.torch
from arguments import made, made_by_default
from first_gradients import subjects
from moving import MOVES
from openaclnn import ops
from openaclnn.base.dtypes import DOUBLE
from openaclnn.base.status import AclnnError
from openaclnn.spec import describe
from openaclnn.spec.formula import ADDRESS, fold
from openaclnn.spec.op import Op
from openaclnn.spec.sample import sample_call
from openaclnn.spec.scatters import Scatter
from openaclnn.spec.steps import elementwise
from openaclnn.torch.gradients import NoGradientError, gradient, own, runs_routine
from walks import nightly

OF = torch.ops.openaclnn
F = torch.nn.functional


def is_gradient_of_routines(op: Op) -> bool:
    """Whether an operator is the gradient of one that runs several routines: it has none itself."""
    of = ops.all_ops().get(op.name.removesuffix("_backward"))
    return op.name.endswith("_backward") and of is not None and of.pulled_back is not None


def has_gradient(op: Op) -> bool:
    """Whether there is one. Operators on parts and routines may have none, and say so."""
    try:
        for a in op.reads:
            gradient(op, a.name, True)
    except NoGradientError:
        return op.steps is elementwise
    return True


def in_double() -> list[str]:
    """Operators that are computed in DOUBLE and make one result of floats."""
    return [
        name
        for name in made_by_default()
        if DOUBLE in describe.dtypes(ops.find(name))
        and not ops.find(name).in_place
        and name != "cast"
        and not is_gradient_of_routines(ops.find(name))
        and has_gradient(ops.find(name))
    ]


def judged_by_none_else() -> list[str]:
    """Those of which no first gradient is compared with the true one, in test_first_gradients.py;
    on a nightly run all."""
    judged = set() if nightly() else {subject.op.name for subject in subjects()}
    return [name for name in in_double() if name not in judged]


def lacks_gradient(op: Op) -> bool:
    """Whether an operator has no gradient yet, which it says: scatters, and look-ups whose results'
    gradients no step adds up."""
    steps = op.steps(sample_call(op, (DOUBLE,), (2, 6)))
    scatters = any(isinstance(step.routine, Scatter) for step in steps)
    looks_up = any(name.endswith(ADDRESS) for step in steps for name in step.reads)
    told = runs_routine(op) and not any(step.routine for step in steps)
    return (
        scatters or told or (looks_up and op.pulled_back is None and own(op, "self", True) is None)
    )


@pytest.mark.parametrize("name", judged_by_none_else())
def test_gradients_are_the_numerical_ones(name: str) -> None:
    op = ops.find(name)
    call = made(op, DOUBLE, grad=True)

    def of(*tensors: Any) -> Any:
        rest = iter(tensors)
        return getattr(OF, name)(*_replaced(call.args, rest), **call.kwargs)

    given = [one for one in call.tensors if one.requires_grad]
    if lacks_gradient(op):
        with pytest.raises(NoGradientError):
            torch.autograd.grad([one.sum() for one in _several(of(*given))], given)
        return
    if any(result.requires_grad for result in _several(of(*given))):
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


@pytest.mark.parametrize(
    ("ours", "theirs"), [(OF.silu, F.silu), (OF.tanh, torch.tanh), (OF.exp, torch.exp)]
)
def test_second_and_third_derivatives(ours: Any, theirs: Any) -> None:
    x = torch.tensor([-1.0, 0.5, 2.0], requires_grad=True)
    wide = x.detach().double().requires_grad_()
    found, expected = ours(x), theirs(wide)
    for order in (1, 2, 3):
        (found,) = torch.autograd.grad(found.sum(), x, create_graph=True)
        (expected,) = torch.autograd.grad(expected.sum(), wide, create_graph=True)
        torch.testing.assert_close(found.double(), expected, rtol=1e-6, atol=1e-7, msg=str(order))


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


def backward_operators() -> list[str]:
    return [name for name in ops.all_ops() if "_backward" in name]


@pytest.mark.parametrize("name", backward_operators())
def test_a_backward_operator_is_found_whatever_its_name(name: str) -> None:
    """That of gelu_v2 is gelu_backward_v2."""
    forward = ops.all_ops().get(name.replace("_backward", ""))
    if forward is None:
        assert not any(op.backward == name for op in ops.all_ops().values())
        return
    found = own(forward, "self")
    if found is None:
        assert asks_for_more(ops.find(name), forward)
        return
    assert found.op.name == name


def asks_for_more(backward: Op, forward: Op) -> bool:
    """Whether a gradient needs what its operator was not given (statistics, places, sizes), or
    is one of several that come at once."""
    if len(backward.outputs) > 1:
        return True
    given = {a.name for a in forward.reads} | {a.name for a in forward.attributes}
    given |= {"output", "result", "self_or_result"}
    tensors = [a for a in backward.inputs if a.read and not a.optional]
    needed = [a.name for a in tensors if not a.name.startswith("grad")]
    needed += [a.name for a in backward.attributes if a.name in ("input_size", "output_size")]
    return "self" not in given or not given.issuperset(needed)


def test_a_stated_backward_operator_exists() -> None:
    for op in ops.all_ops().values():
        if op.backward:
            assert op.backward in ops.all_ops(), op


@pytest.mark.parametrize("of", [OF.mse_loss, OF.l1_loss, OF.smooth_l1_loss])
def test_gradients_of_targets_whatever_the_reduction(of: Any) -> None:
    x, target = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.5, 5.0, 7.0], requires_grad=True)
    (each,) = torch.autograd.grad(of(x, target, reduction="none").sum(), target)
    (whole,) = torch.autograd.grad(of(x, target, reduction="sum"), target)
    assert torch.equal(each, whole)


def test_out_and_a_gradient_exclude_each_other() -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(AclnnError, match="out is given, and a tensor requires grad"):
        OF.relu(x, out=torch.empty(2))


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # make_dual itself
@pytest.mark.parametrize("warm", [False, True])
def test_plain_functions_drop_no_tangents(warm: bool) -> None:
    """Nor do calls like earlier ones, on the same memory or of tensors without a tangent."""
    forward = torch.autograd.forward_ad
    x = torch.ones(3)
    for _ in range(40 if warm else 0):
        openaclnn.neg(x)
    with forward.dual_level():
        dual = forward.make_dual(x, torch.ones(3))
        for _ in range(40 if warm else 1):
            assert torch.equal(openaclnn.neg(x), -x)
            with pytest.raises(AclnnError, match="self has a tangent"):
                openaclnn.neg(dual)
    assert torch.equal(openaclnn.neg(dual), -x)


def test_plain_functions_detach_nothing() -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(AclnnError, match="self requires grad, and PyTorch would not learn"):
        openaclnn.silu(x)
