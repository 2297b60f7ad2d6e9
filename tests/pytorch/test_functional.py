"""openaclnn.torch.nn: functions and modules with PyTorch's names, signatures and results."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import pytest
import torch

import openaclnn.torch
from openaclnn.base.status import OpenaclnnError
from openaclnn.ops import declared
from openaclnn.torch import nn
from openaclnn.torch.nn import attention, functional

F = torch.nn.functional

REDUCTIONS = ("none", "mean", "sum")
PARTS = torch.linspace(0.1, 0.9, 24).reshape(4, 6)  # probabilities
SIGNS = torch.ones(4, 6).index_fill(1, torch.tensor([0, 3]), -1.0)

# first tensors of functions that want others than `numbers()`
INPUTS: dict[str, torch.Tensor] = {
    "binary_cross_entropy": PARTS.flip(0),
    "channel_shuffle": torch.linspace(-3, 3, 24).reshape(1, 4, 2, 3),
    "conv2d": torch.linspace(-3, 3, 24).reshape(1, 4, 2, 3),
    "conv_transpose2d": torch.linspace(-3, 3, 24).reshape(1, 4, 2, 3),
    "scaled_dot_product_attention": torch.sin(torch.arange(48.0)).reshape(1, 4, 4, 3),
}
HEADS = torch.cos(torch.arange(60.0)).reshape(1, 2, 2, 5, 3)  # two of keys, two of values

# how far results and gradients may be off, where some numbers between are rounded
ROUNDED_BETWEEN = {"scaled_dot_product_attention": (1e-6, 4e-6), "layer_norm": (1e-30, 1e-5)}
APART = {"embedding", "multi_head_attention_forward"}  # which do not map one tensor to one

# what a function is called with besides its first tensor
ARGUMENTS: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "binary_cross_entropy": [((PARTS,), {"reduction": name}) for name in REDUCTIONS],
    "binary_cross_entropy_with_logits": [
        *(((PARTS,), {"reduction": name}) for name in REDUCTIONS),
        ((PARTS, PARTS + 1), {"pos_weight": torch.linspace(1, 2, 6)}),
    ],
    "channel_shuffle": [((2,), {})],
    "conv1d": [
        ((torch.linspace(-1, 1, 24).reshape(2, 4, 3),), {}),
        ((torch.linspace(-1, 1, 16).reshape(4, 2, 2), torch.ones(4), 2, 1), {"groups": 2}),
    ],
    "conv2d": [
        ((torch.linspace(-1, 1, 32).reshape(4, 4, 1, 2),), {}),
        ((torch.linspace(-1, 1, 16).reshape(4, 2, 1, 2), torch.ones(4), 1, (1, 0)), {"groups": 2}),
        *(((torch.ones(4, 4, 1, 2),), {"padding": name}) for name in ("valid", "same")),
    ],
    "conv_transpose1d": [((torch.linspace(-1, 1, 24).reshape(4, 3, 2),), {"stride": 2})],
    "conv_transpose2d": [
        ((torch.linspace(-1, 1, 16).reshape(4, 2, 1, 2), None, 2, (0, 1), 1, 2), {"dilation": 3}),
    ],
    "elu": [((0.5,), {}), ((), {"alpha": 2.0})],
    "celu": [((0.5,), {})],
    "gelu": [((), {}), ((), {"approximate": "tanh"})],
    "glu": [((0,), {}), ((), {"dim": 1})],
    "hardshrink": [((0.25,), {})],
    "hardtanh": [((-0.5, 0.5), {}), ((), {"max_val": 0.25})],
    "kl_div": [
        *(((PARTS,), {"reduction": name}) for name in (*REDUCTIONS, "batchmean")),
        ((PARTS,), {"reduction": "sum", "log_target": True}),
    ],
    "l1_loss": [((torch.ones(4, 6),), {"reduction": name}) for name in REDUCTIONS],
    "layer_norm": [
        (((6,),), {}),
        (((4, 6),), {"eps": 0.1}),
        (((6,), torch.linspace(1, 2, 6), torch.linspace(-1, 1, 6)), {}),
    ],
    "leaky_relu": [((0.25,), {})],
    "linear": [((PARTS,), {}), ((PARTS, torch.ones(4)), {})],
    "log_softmax": [((0,), {}), ((), {"dim": -1, "dtype": torch.float32})],
    "mse_loss": [((torch.ones(4, 6),), {"reduction": name}) for name in REDUCTIONS],
    "prelu": [((torch.tensor([0.25]),), {})],
    "scaled_dot_product_attention": [
        (tuple(HEADS.repeat_interleave(2, 2).squeeze(0)[:, None]), {}),
        (tuple(HEADS[0][:, None]), {"enable_gqa": True, "scale": 0.5}),
        (tuple(HEADS[0][:, None]), {"enable_gqa": True, "is_causal": True}),
        (tuple(HEADS[0][:, None]), {"enable_gqa": True, "attn_mask": torch.arange(4)[:, None] > 2}),
        (tuple(HEADS[0][:, None, :1]), {"attn_mask": torch.sin(torch.arange(20.0)).reshape(4, 5)}),
    ],
    "smooth_l1_loss": [((torch.ones(4, 6),), {"beta": 0.5}), ((torch.zeros(4, 6),), {})],
    "soft_margin_loss": [((SIGNS,), {"reduction": name}) for name in REDUCTIONS],
    "softmax": [((0,), {}), ((), {"dim": -1, "dtype": torch.float32})],
    "softplus": [((2,), {}), ((), {"threshold": 1})],
    "softshrink": [((0.25,), {})],
    "threshold": [((0.1, 20), {})],
}


def calls() -> list[Any]:
    return [
        pytest.param(name, args, kwargs, id=f"{name} {number}")
        for name in functional.names()
        if name not in APART
        for number, (args, kwargs) in enumerate(ARGUMENTS.get(name.removesuffix("_"), [((), {})]))
    ]


def numbers() -> torch.Tensor:
    return torch.linspace(-3, 3, 24).reshape(4, 6)


@pytest.mark.filterwarnings("ignore:reduction. 'mean' divides")  # PyTorch's own
@pytest.mark.filterwarnings("ignore:Using padding='same'")
@pytest.mark.parametrize(("name", "args", "kwargs"), calls())
def test_results_and_gradients_are_pytorchs(name: str, args: Any, kwargs: Any) -> None:
    def wider(key: str, one: Any) -> Any:
        if isinstance(one, torch.Tensor):
            return one.double() if one.is_floating_point() else one
        return torch.float64 if key == "dtype" else one

    given = INPUTS.get(name, numbers())
    x, wide = given.clone().requires_grad_(), given.double().requires_grad_()
    larger = [wider("", one) for one in args]
    found = getattr(functional, name)(x * 1, *args, **kwargs)
    expected = getattr(F, name)(
        wide * 1, *larger, **{key: wider(key, one) for key, one in kwargs.items()}
    )  # fmt: skip
    near, near_gradient = ROUNDED_BETWEEN.get(name, (1e-30, 1e-7))
    torch.testing.assert_close(found.double(), expected, rtol=1e-7, atol=near)
    weight = torch.linspace(1, 2, found.numel()).reshape(found.shape)
    (found * weight).sum().backward()
    (expected * weight.double()).sum().backward()
    torch.testing.assert_close(x.grad.double(), wide.grad, rtol=1e-6, atol=near_gradient)


def test_rows_of_a_table() -> None:
    """A row that is taken often has a sum as its gradient; one that pads has none."""
    weight = torch.linspace(-1, 1, 12).reshape(4, 3).requires_grad_()
    places, grad = torch.tensor([[1, 2], [1, 0]]), torch.linspace(1, 2, 12).reshape(2, 2, 3)
    for given in ({}, {"padding_idx": 2}, {"padding_idx": -3}):
        found, expected = functional.embedding(places, weight, **given), F.embedding(
            places, weight, **given
        )  # fmt: skip
        assert torch.equal(found, expected)
        ours, theirs = (torch.autograd.grad(one, weight, grad) for one in (found, expected))
        torch.testing.assert_close(ours, theirs)
    with pytest.raises(OpenaclnnError, match="max_norm is given"):
        functional.embedding(places, weight, max_norm=1.0)


@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("training", [False, True])
def test_multi_head_attention(training: bool, need_weights: bool) -> None:
    """It is PyTorch's module, whose fused attention is not called either."""
    torch.manual_seed(1)
    ours, theirs = nn.MultiheadAttention(12, 2, batch_first=True), torch.nn.MultiheadAttention(
        12, 2, batch_first=True, dtype=torch.float64
    )  # fmt: skip
    theirs.load_state_dict(ours.state_dict())
    x, mask = torch.randn(2, 5, 12), torch.ones(5, 5, dtype=torch.bool).triu(1)
    results = []
    with torch.set_grad_enabled(training):
        for layer, given in ((ours, x), (theirs, x.double())):
            layer.train(training)
            found, weights = layer(given, given, given, need_weights=need_weights, attn_mask=mask)
            if training:
                found.square().sum().backward()
            grads = [one.grad for one in layer.parameters()]
            results.append([one.double() for one in (found, weights, *grads) if one is not None])
    torch.testing.assert_close(*results, rtol=1e-5, atol=1e-5)


def test_attention_without_gradients_has_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is computed some rows at a time."""
    query, key, value = (torch.randn(2, 3, 17, 8) for _ in range(3))
    whole = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
    monkeypatch.setattr(attention, "PANEL", 300)
    some = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
    query.requires_grad_()
    trained = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
    assert torch.equal(some, whole)
    assert torch.equal(trained, whole)


@pytest.mark.parametrize("name", functional.names())
def test_signatures_are_pytorchs(name: str) -> None:
    def parameters(function: Any) -> list[tuple[str, Any]]:
        return [
            (p.name, p.default)
            for p in functional.signature(function, name).parameters.values()
        ]  # fmt: skip

    assert parameters(functional.function(name)) == parameters(getattr(F, name))


def changing() -> list[str]:
    functions = {name: functional.function(name) for name in functional.names()}
    return [n for n, one in functions.items() if "inplace" in inspect.signature(one).parameters]


@pytest.mark.parametrize("name", changing())
def test_in_place(name: str) -> None:
    args, kwargs = ARGUMENTS.get(name.removesuffix("_"), [((), {})])[0]
    x = numbers().requires_grad_()
    changed = x * 1
    found = getattr(functional, name)(changed, *args, inplace=True, **kwargs)
    assert found is changed
    expected = getattr(functional, name)(x, *args, **kwargs)
    assert torch.equal(found, expected)
    gradients = [torch.autograd.grad(y.sum(), x)[0] for y in (found, expected)]
    torch.testing.assert_close(*gradients, rtol=2e-6, atol=0)  # one may be that of the result


@pytest.mark.filterwarnings("ignore")
def test_old_ways_to_say_it() -> None:
    x, y = numbers(), torch.ones(4, 6)
    assert functional.mse_loss(x, y, size_average=False) == functional.mse_loss(
        x, y, reduction="sum"
    )
    assert torch.equal(functional.softmax(x), functional.softmax(x, 1))


def test_what_an_operator_has_not_is_refused() -> None:
    with pytest.raises(OpenaclnnError, match="mse_loss: weight is given; expected none, aclnnMse"):
        functional.mse_loss(numbers(), numbers(), weight=numbers())
    with pytest.raises(AttributeError, match=r"does not have torch\.nn\.functional\.conv3d"):
        functional.conv3d  # noqa: B018
    with pytest.raises(AttributeError, match="did you mean silu"):
        functional.sillu  # noqa: B018


def test_modules_are_pytorchs_but_for_the_arithmetic() -> None:
    assert {"SiLU", "GELU", "Softmax", "Sigmoid", "MSELoss", "SmoothL1Loss"} <= set(nn.names())
    layer = nn.LeakyReLU(0.2)
    assert repr(layer) == "LeakyReLU(negative_slope=0.2)"
    x = numbers()
    assert torch.equal(layer(x), functional.leaky_relu(x, 0.2))
    assert torch.equal(pickle.loads(pickle.dumps(layer))(x), layer(x))
    assert torch.equal(nn.Sigmoid()(x), functional.sigmoid(x))
    assert nn.SmoothL1Loss(beta=2.0)(x, x + 1) == 0.25
    lazy = nn.LazyLinear(3)
    assert torch.equal(lazy(x), functional.linear(x, lazy.weight, lazy.bias))
    assert type(lazy) is nn.Linear
    assert "AdaptiveLogSoftmaxWithLoss" not in nn.names()  # it is made of PyTorch's Linear
    with pytest.raises(AttributeError, match=r"Bilinear calls bilinear, which .* does not have"):
        nn.Bilinear  # noqa: B018
    with pytest.raises(AttributeError, match="did you mean SiLU"):
        nn.SILU  # noqa: B018
    assert {"Any", "cache", "torch"}.isdisjoint(dir(nn) + dir(functional))


def test_operators_that_are_not_there_say_why() -> None:
    of = torch.ops.openaclnn
    for name, why in (
        ("sum", "it is called reduce_sum here"),
        ("sillu", "did you mean silu"),
        (next(iter(declared())), "is declared, so that programs link, and not computed yet"),
    ):
        with pytest.raises(AttributeError, match=why):
            getattr(of, name)


def test_functions_that_were_kept_before() -> None:
    """They are replaced when they are called; what was and what was not is told."""
    kept, sigmoid, x = F.gelu, torch.sigmoid, numbers()
    theirs = kept(x)
    layer = torch.nn.TransformerEncoderLayer(6, 1, 8, 0.0, activation=kept, batch_first=True)
    with openaclnn.torch.patched() as replaced:
        assert torch.equal(kept(x), functional.gelu(x))
        assert torch.equal(sigmoid(x), functional.sigmoid(x))
        F.silu(x)
        layer(x[None])
    layers = {"layer_norm": 2, "linear": 2, "multi_head_attention_forward": 1, "softmax": 1}
    assert replaced.ours == {"gelu": 3, "sigmoid": 2, "silu": 1, **layers}
    assert replaced.missed["dropout"] == 3
    assert "gelu 3" in str(replaced)
    with openaclnn.torch.patched("relu") as replaced:
        kept(x)
    assert replaced.missed == {"gelu": 1}
    with openaclnn.torch.patched(kept=False) as without:
        assert torch.equal(F.gelu(x), functional.gelu(x))
        assert torch.equal(kept(x), theirs)
    assert not without.ours
    before = dict(replaced.missed)
    kept(x)
    assert replaced.missed == before


def test_a_model_patched_for_a_while() -> None:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(6, 6), torch.nn.GELU(), torch.nn.Softmax(-1))
    x, theirs = numbers(), F.gelu
    with openaclnn.torch.patched():
        assert F.gelu is functional.gelu
        result = model(x)
        compiled = torch.compile(model, backend="aot_eager", fullgraph=True)(x)
    assert F.gelu is theirs
    hidden = functional.linear(x, model[0].weight, model[0].bias)
    assert torch.equal(result, functional.softmax(functional.gelu(hidden), -1))
    assert torch.equal(result, compiled)
    with openaclnn.torch.patched("relu"):
        assert F.gelu is theirs
        assert torch.relu is functional.relu
    with pytest.raises(AttributeError, match=r"openaclnn has no torch\.nn\.functional\.bilinear"), \
            openaclnn.torch.patched("bilinear"):  # fmt: skip
        pass
