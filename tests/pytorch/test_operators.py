"""torch.ops.openaclnn: every operator as PyTorch's own checks want it. By default a few layouts and
dtypes for each kind of operator, others for each; with --every all of them."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
import torch

import openaclnn
import openaclnn.torch
from arguments import SHAPES, made, made_by_default
from openaclnn import ops
from openaclnn.base.status import AclnnError
from openaclnn.spec import describe
from openaclnn.spec.op import Op
from openaclnn.torch.gradients import NoGradientError

CHEAP = ("test_schema", "test_autograd_registration", "test_faketensor")
COMPILED = ("test_aot_dispatch_dynamic",)


def packet(op: Op) -> Any:
    return getattr(torch.ops.openaclnn, op.name)


def differentiable(op: Op, dtype: Any, layout: str) -> bool:
    """Whether a call's result can have a gradient; such in place have it by another way."""
    call = made(op, dtype, layout, grad=True)
    try:
        return not op.in_place and bool(packet(op)(*call.args, **call.kwargs) is not None)
    except NoGradientError:
        return False


def check(op: Op, number: int, utilities: tuple[str, ...], every: bool) -> None:
    allowed, layouts = describe.dtypes(op), list(SHAPES)
    chosen = [(allowed[number % len(allowed)], layouts[number % len(layouts)])]
    if every:
        chosen = [(dtype, layout) for dtype in allowed for layout in layouts]
    usable = [
        (one, layout if possible(op, one, layout) else "contiguous") for one, layout in chosen
    ]
    for dtype, layout in dict.fromkeys(usable):
        call = made(op, dtype, layout, grad=differentiable(op, dtype, layout))
        torch.library.opcheck(
            packet(op).default, call.again().args, call.kwargs, test_utils=utilities
        )


def possible(op: Op, dtype: Any, layout: str) -> bool:
    """Whether an operator takes such tensors: there is no largest of none, no half of 0-D. A mean
    of none is NaN, which PyTorch's checks find unequal to itself."""
    try:
        call = made(op, dtype, layout)
        found = packet(op)(*call.args, **call.kwargs)
    except AclnnError:
        return False
    return not (isinstance(found, torch.Tensor) and found.isnan().any())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A few of the operators, or every one."""
    names, every = made_by_default(), metafunc.config.getoption("--every")
    for fixture, step in (("declared", 7), ("compiled", 41)):
        if fixture in metafunc.fixturenames:
            chosen = list(enumerate(names if every else names[::step]))
            metafunc.parametrize(fixture, chosen, ids=lambda chosen: chosen[1])


def test_an_operator_is_what_its_schema_says(
    declared: tuple[int, str], request: pytest.FixtureRequest
) -> None:
    number, name = declared
    check(ops.find(name), number, CHEAP, request.config.getoption("--every"))


def test_a_compiled_graph_has_the_results(
    compiled: tuple[int, str], request: pytest.FixtureRequest
) -> None:
    number, name = compiled
    check(ops.find(name), number, COMPILED, request.config.getoption("--every"))


def test_operators_that_no_file_has() -> None:
    """Derived ones: of gradients, and of shares of tensors."""
    of, (x, y, half) = torch.ops.openaclnn, (torch.rand(size, 6) for size in (2, 2, 1))
    digits, weights = of.reduce_sum_digits(x), torch.ones(13, dtype=torch.float64)
    for overload, args in (
        (of.mul_gradient_other, (x, y)),
        (of.swi_glu_gradient_self, (half.reshape(2, 3), x)),
        (of.prelu_gradient_weight, (x, y)),
        (of.repeat_gradient_self, (x, x[:1], [2, 1])),
        (of.repeat_gradient_self_gradient_grad_result, (half, [2, 1])),
        (of.softmax_backward_gradient_output, (x, y, x, 1)),
        (of.mean_digits, (x,)),
        (of.sum_of_digits, (digits, weights, True, 12, torch.float32)),
        (of.mse_loss_backward_among, (torch.tensor(1.0), x, y, 48)),
    ):
        torch.library.opcheck(overload.default, args, test_utils=CHEAP)


def test_out_is_written() -> None:
    x, y = torch.tensor([-1.0, 2.0]), torch.empty(2)
    assert torch.ops.openaclnn.relu(x, out=y) is None
    assert y.tolist() == [0, 2]
    version = y._version
    torch.ops.openaclnn.relu(x, out=y)
    assert y._version > version
    first, buffer = torch.empty(2), torch.empty(2)
    torch.ops.openaclnn.log_sigmoid_forward.out(x, out=first, buffer=buffer)
    assert torch.equal(first, openaclnn.log_sigmoid(x))


def test_what_takes_no_tensor_has_but_the_overload_out() -> None:
    y = torch.empty(3)
    torch.ops.openaclnn.arange(7, start=1, step=2, out=y)
    assert y.tolist() == [1, 3, 5]
    assert torch.ops.openaclnn.arange.overloads() == ["out"]


def test_a_twin_in_place_changes_its_tensor() -> None:
    x = torch.tensor([-1.0, 2.0])
    assert torch.ops.openaclnn.inplace_relu(x) is None
    assert x.tolist() == [0, 2]


def test_attributes_of_every_kind() -> None:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    of = torch.ops.openaclnn
    assert of.reduce_sum(x, dims=1, dtype=torch.float16).dtype is torch.float16
    assert of.reduce_sum(x, dims=[0, 1]).item() == 10
    assert of.add(x, x, alpha=0.5)[0, 0] == 1.5
    assert of.mse_loss(x, x + 1, reduction="sum").item() == 4
    assert of.cast(x, torch.int32).dtype is torch.int32
    assert of.clamp(x, clip_value_max=2).max() == 2
    assert of.div_mod(x, x, mode_="floor").tolist() == [[1, 1], [1, 1]]
    assert of.cat([x, x], dim=1).shape == (2, 4)


@pytest.mark.parametrize(
    ("tensor", "sentence"),
    [
        (lambda: torch.ones(3).to_sparse(), "self is torch.sparse_coo on cpu; expected strided"),
        (lambda: torch.ones(3, 3).to_sparse_csr(), "self is torch.sparse_csr on cpu; expected"),
        (
            lambda: torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8),
            "self has dtype torch.quint8, which aclnn does not know",
        ),
        (lambda: torch.ones(3, dtype=torch.complex64).conj(), "self has dtype COMPLEX64"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_other_memory_is_refused(tensor: Any, sentence: str) -> None:
    with pytest.raises(AclnnError, match=sentence):
        torch.ops.openaclnn.silu(tensor())


def test_lazy_negations_and_meta_tensors_are_taken() -> None:
    negative = torch.complex(torch.ones(2), torch.tensor([1.0, -2.0])).conj().imag
    assert negative.is_neg()
    assert torch.equal(torch.ops.openaclnn.relu(negative), torch.tensor([0.0, 2.0]))
    found = torch.ops.openaclnn.mul(torch.ones(2, 1, device="meta"), torch.ones(3, device="meta"))
    assert (found.shape, found.stride(), found.device.type) == ((2, 3), (3, 1), "meta")


def test_lazy_negations_are_changed() -> None:
    number = torch.complex(torch.ones(2), torch.tensor([1.0, -2.0]))
    torch.ops.openaclnn.inplace_relu(number.conj().imag)
    assert number.imag.tolist() == [0, -2]
    torch.ops.openaclnn.relu(torch.ones(2), out=number.conj().imag)
    assert number.imag.tolist() == [-1, -1]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda of, x: of.relu(x, out=x.new_empty(7)), r"out has shape \[7\]; expected \[2, 3\]"),
        (lambda of, x: of.inplace_mul(x, x.new_empty(4, 2, 3)), r"self has shape \[2, 3\]; exp"),
        (lambda of, x: of.inplace_mul(x, x.new_empty(2)), "expected one that the others broadcast"),
        (lambda of, x: of.mul(torch.ones(3), x), "other is on meta; expected cpu"),
        (lambda of, x: of.cat([x, torch.ones(3)]), "tensors is on cpu; expected meta"),
    ],
)
def test_tensors_without_memory_are_refused_like_others(call: Any, sentence: str) -> None:
    with pytest.raises(AclnnError, match=sentence):
        call(torch.ops.openaclnn, torch.ones(2, 3, device="meta"))


@pytest.mark.filterwarnings("ignore")  # PyTorch's own, of nested tensors
def test_nested_tensors() -> None:
    of, parts = torch.ops.openaclnn, [torch.randn(2, 3), torch.randn(4, 3)]
    x = torch.nested.nested_tensor(parts, layout=torch.jagged, requires_grad=True)
    of.mul(of.silu(x), torch.ones(3)).values().sum().backward()
    whole = torch.cat(parts).requires_grad_()
    of.silu(whole).sum().backward()
    assert torch.equal(x.grad.values(), whole.grad)
    for call in (
        lambda: of.silu(torch.nested.nested_tensor(parts)),
        lambda: of.softmax(x, 2),
        lambda: of.cat([x, x]),
        lambda: of.inplace_relu(x.detach()),
    ):
        with pytest.raises(AclnnError, match=r"a tensor is nested .*expected a plain one"):
            call()


def test_results_are_the_plain_functions_bits() -> None:
    x = torch.randn(100).to(torch.bfloat16)
    assert torch.equal(torch.ops.openaclnn.silu(x), openaclnn.silu(x))


def test_there_is_no_other_operator() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        torch.ops.openaclnn.nonsense  # noqa: B018
    with pytest.raises(AttributeError, match="silu_gradient_other"):
        torch.ops.openaclnn.silu_gradient_other  # noqa: B018
    assert "silu" in dir(torch.ops.openaclnn)


def test_an_operator_that_the_compiler_meets_first() -> None:
    source = (
        "import torch, openaclnn.torch\n"
        "f = torch.compile(lambda x: torch.ops.openaclnn.silu(x), backend='aot_eager', "
        "fullgraph=True)\n"
        "print(f(torch.zeros(2)).tolist())\n"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert done.stdout == "[0.0, 0.0]\n", done.stderr


def test_without_pytorch_the_import_says_what_to_install() -> None:
    source = (
        "import sys, openaclnn; assert 'torch' not in sys.modules\n"
        "sys.modules['torch'] = None\n"
        "try: import openaclnn.torch\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert "pip install torch" in done.stdout, done.stderr
