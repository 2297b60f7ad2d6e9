"""Names, positions and numbers as users of NumPy and PyTorch write them."""

from __future__ import annotations

import builtins
import inspect
import operator
import pickle
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

import openaclnn
from openaclnn.base.status import AclnnError, AclnnTypeError, AclnnValueError, Status
from openaclnn.calls import by_name
from openaclnn.calls.conventions import other_names
from openaclnn.calls.functions import signature_of
from openaclnn.ops import all_ops
from openaclnn.spec.op import REQUIRED, Attr, Op

X = np.array([[-1.0, 2.0], [0.5, -3.0]], np.float32)


def positions(op: Op) -> list[str]:
    """What PyTorch's function of the same meaning takes by position, by its names there."""
    theirs = operator.attrgetter(op.torch)(torch)
    if inspect.isfunction(theirs):
        found = inspect.signature(theirs).parameters.values()
        return [p.name for p in found if p.kind is not p.KEYWORD_ONLY]
    packet = getattr(torch.ops.aten, op.torch.rpartition(".")[2])
    schemas = [getattr(packet, name)._schema.arguments for name in packet.overloads()]
    return max(([a.name for a in one if not a.kwarg_only] for one in schemas), key=len)


BY_PLACE = [op for op in all_ops().values() if any(a.by_place for a in op.attributes)]


@pytest.mark.parametrize("op", [op for op in BY_PLACE if op.torch], ids=lambda op: op.name)
def test_what_is_given_by_position_stands_where_pytorch_has_it(op: Op) -> None:
    theirs = positions(op)
    ours = [p.name for p in signature_of(op).parameters.values() if p.kind is not p.KEYWORD_ONLY]
    others: dict[str, set[str]] = {}
    for other, attribute in other_names(op).items():
        others.setdefault(attribute.name, set()).add(other)
    for a in op.attributes:
        if a.by_place:
            place = ours.index(a.name)
            known = {a.name, *others.get(a.name, ()), f"{a.name[-3:]}_val"}
            assert theirs[place] in known, (ours, theirs)


@pytest.mark.parametrize("op", all_ops().values(), ids=lambda op: op.name)
def test_attributes_by_position_come_first(op: Op) -> None:
    """Of the attributes that need not be given, in C order: nothing stands between them."""
    given = [a.by_place for a in op.attributes if a.default is not REQUIRED]
    assert given == sorted(given, reverse=True)


@pytest.mark.parametrize(
    ("ours", "expected"),
    [
        (lambda: openaclnn.clamp(X, 0, 1), np.clip(X, 0, 1)),
        (lambda: openaclnn.clip(X, min=0), np.clip(X, 0, None)),
        (lambda: openaclnn.arccos_(X / 4), np.arccos(X / 4)),
        (lambda: openaclnn.leaky_relu(X, 0.5), np.where(X > 0, X, X / 2)),
        (lambda: openaclnn.sum(X, axis=1), X.sum(axis=1)),
        (lambda: openaclnn.sum(X, 1, True), X.sum(axis=1, keepdims=True)),
        (lambda: openaclnn.mean(X, axis=0, keepdims=True), X.mean(axis=0, keepdims=True)),
        (lambda: openaclnn.amax(X, axis=0), X.max(axis=0)),
        (lambda: openaclnn.where(X > 0, X, 0.0), np.where(X > 0, X, 0)),
        (lambda: openaclnn.concatenate([X, X], axis=1), np.concatenate([X, X], axis=1)),
        (lambda: openaclnn.transpose(X, (1, 0)), X.T),
        (lambda: openaclnn.transpose(X, axes=(1, 0)), X.T),
        (lambda: openaclnn.triu(X, 1), np.triu(X, 1)),
        (lambda: openaclnn.isclose(X, X, 1e-3), np.ones_like(X, bool)),
        (lambda: openaclnn.softmax(X, axis=1), openaclnn.softmax(X, 1)),
        (lambda: openaclnn.multiply(X, 2), X * 2),
        (lambda: openaclnn.constant_pad_nd(X, pad=(1, 0)), np.pad(X, ((0, 0), (1, 0)))),
        (lambda: openaclnn.arccos(X / 4), np.arccos(X / 4)),
        (lambda: openaclnn.arange(1, 7, 2), np.arange(1, 7, 2)),
        (lambda: openaclnn.arange(3), np.arange(3)),
        (lambda: openaclnn.arange(end=3, start=1), np.arange(1, 3)),
        (lambda: openaclnn.norm(X, 1, 1, True), np.linalg.norm(X, 1, 1, True)),
        (lambda: openaclnn.norm(X, p=2, dim=1), np.linalg.norm(X, 2, 1)),
        (lambda: openaclnn.std(X, axis=0, ddof=0), X.std(axis=0)),
        (lambda: openaclnn.std(X, 0, False), X.std(axis=0)),
        (lambda: openaclnn.var(X, 0, correction=0), X.var(axis=0)),
        (lambda: openaclnn.argsort(X, 1, True), np.argsort(-X, 1)),
        (lambda: openaclnn.topk(X, 1, 1, False)[0], X.min(axis=1, keepdims=True)),
        (lambda: openaclnn.triu(X, k=1), np.triu(X, 1)),
        (lambda: openaclnn.outer(X[0], X[1]), np.outer(X[0], X[1])),
        (lambda: openaclnn.broadcast_to(X[0], (3, 2)), np.broadcast_to(X[0], (3, 2))),
        (lambda: openaclnn.searchsorted(X[0], X[1]), np.searchsorted(X[0], X[1])),
        (lambda: openaclnn.isnan(X), np.isnan(X)),
        (lambda: openaclnn.pad(X, (1, 2)), np.pad(X, ((0, 0), (1, 2)))),
    ],
    ids=lambda value: None,
)  # fmt: skip
def test_as_numpy_and_pytorch(ours: Callable[[], Any], expected: Any) -> None:
    np.testing.assert_allclose(ours(), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: openaclnn.add(X, X, 2), "alpha and out are given by name"),
        (lambda: openaclnn.smooth_l1_loss(X, X, "mean"), "reduction, beta and out are"),
        (lambda: openaclnn.elu(X, 1.0, True), "scale, input_scale and out are given by name"),
        (lambda: openaclnn.arange(), "missing 1 required argument: 'end'"),
        (lambda: openaclnn.amax(X, 0, True, 3), "out is an int; expected an array that can be"),
        (lambda: openaclnn.max(X, 0), "max_dim takes a dimension"),
        (lambda: openaclnn.softmax(X), "missing 1 required argument: 'dim'"),
        (lambda: openaclnn.softmax(X, 0, axis=0), "got dim and axis, which are the same argument"),
        (lambda: openaclnn.slice(X, 0, 1), "missing 2 required arguments: 'end' and 'step'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_wrong_calls_say_the_names(call: Callable[[], Any], told: str) -> None:
    with pytest.raises(TypeError, match=told):
        call()


def test_numbers_and_lists() -> None:
    assert openaclnn.silu(1.0).dtype == np.float32
    assert openaclnn.silu([1, 2]).dtype == np.float32
    assert openaclnn.abs([1, -2]).dtype == np.int64
    assert openaclnn.logical_not([True, False]).tolist() == [False, True]
    assert openaclnn.cat([[1.0], X[0]]).tolist() == [1.0, -1.0, 2.0]
    doubled = openaclnn.maximum(np.zeros(1), 0.1)
    assert doubled.tolist() == [0.1]  # of the other's dtype: it was not rounded to float32
    assert openaclnn.maximum(np.zeros(1, np.float16), [0.1]).dtype == np.float16
    assert openaclnn.maximum(X, 1e40).tolist() == [[np.inf] * 2] * len(X)
    found = openaclnn.maximum(0.5, torch.zeros(2))
    assert isinstance(found, torch.Tensor)
    assert openaclnn.silu(np.float32(1)).dtype == np.float32
    assert openaclnn.nll_loss(np.zeros((2, 3), np.float32), [0, 1]).shape == ()  # integers there
    with pytest.raises(AclnnError, match="expected an array that can be written"):
        openaclnn.inplace_relu([1.0])


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: openaclnn.silu(None), TypeError),
        (lambda: openaclnn.silu("x.npy"), TypeError),
        (lambda: openaclnn.softmax(X, "1"), TypeError),
        (lambda: openaclnn.silu(X.astype(np.float64)), TypeError),
        (lambda: openaclnn.silu(X, out=np.zeros(2, np.int32)), TypeError),
        (lambda: openaclnn.silu_backward(X, X[:, :1]), ValueError),
        (lambda: openaclnn.softmax(X, 5), ValueError),
        (lambda: openaclnn.smooth_l1_loss(X, X, reduction="avg"), ValueError),
        (lambda: openaclnn.silu(10**400), ValueError),
        (lambda: openaclnn.cat([[1, 10**400], X[0]]), ValueError),
        (lambda: openaclnn.silu([[1.0], [1.0, 2.0]]), ValueError),
    ],
)
def test_refusals_are_pythons_errors(call: Callable[[], Any], kind: type[Exception]) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, AclnnError)
    other = {TypeError: ValueError, ValueError: TypeError}[kind]
    assert not isinstance(caught.value, other)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.status) == (type(caught.value), caught.value.status)


def test_other_errors_are_neither() -> None:
    error = AclnnError(Status.RUNTIME_ERROR, "a device failed")
    assert not isinstance(error, (TypeError, ValueError))
    assert issubclass(openaclnn.AclnnTypeError, openaclnn.AclnnError)
    assert AclnnValueError is openaclnn.AclnnValueError
    assert AclnnTypeError is openaclnn.AclnnTypeError


def test_what_is_public() -> None:
    shown = dir(openaclnn)
    assert {"silu", "sum", "where", "using", "aclnn", "__version__"} <= set(shown)
    hidden = {"Any", "TYPE_CHECKING", "import_module", "listdir", "base", "calls", "spec", "_OWN"}
    assert not hidden & set(shown)
    assert all(hasattr(openaclnn, name) for name in shown)
    assert {"Any", "c_shaped"}.isdisjoint(dir(openaclnn.aclnn))
    exported: dict[str, Any] = {}
    exec("from openaclnn import *", exported)
    assert {"where", "clip", "concatenate", "AclnnValueError"} <= set(exported)
    shadowed = {name for name in exported if hasattr(builtins, name)}
    assert not shadowed


def test_an_alias_stands_for_one_operator() -> None:
    """Which has no other operator's name, and is the same function."""
    ops = all_ops()
    names = by_name.friendly(ops.values())
    assert not set(names) & set(ops)
    assert all(name.isidentifier() for name in names)
    assert openaclnn.sum is openaclnn.reduce_sum
    for op in ops.values():
        assert set(op.aliases) <= {n for n, known in names.items() if not n.endswith("_")}, op.name


def test_a_signature_says_what_is_promised() -> None:
    shown = str(inspect.signature(openaclnn.add))
    assert shown.startswith("(self: Any, other: Any, *, alpha: ")
    parameters = inspect.signature(openaclnn.mean).parameters
    kinds = {name: p.kind is p.KEYWORD_ONLY for name, p in parameters.items()}
    assert kinds == {"self": False, "dim": False, "keep_dim": False, "dtype": True, "out": True}


def test_attributes_have_no_two_meanings() -> None:
    for op in all_ops().values():
        taken = {a.name for a in op.arguments} | {"out"}
        found = other_names(op)
        assert not set(found) & taken, op.name
        assert all(isinstance(a, Attr) and a in op.attributes for a in found.values())


def test_inside_jit_a_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    class Tracer:
        shape, dtype = (2,), np.dtype(np.float32)

    jax = SimpleNamespace(core=SimpleNamespace(Tracer=Tracer), Array=Tracer)
    monkeypatch.setitem(sys.modules, "jax", jax)
    with pytest.raises(TypeError, match=r"self is an array that JAX traces .* jax\.pure_callback"):
        openaclnn.silu(Tracer())


IMAGE = torch.arange(2 * 3 * 8 * 6, dtype=torch.float32).reshape(2, 3, 8, 6) / 64
WINDOWS = torch.arange(4 * 3 * 3 * 2, dtype=torch.float32).reshape(4, 3, 3, 2) / 16
CLASSES = torch.arange(12, dtype=torch.float32).reshape(3, 4) / 8
TARGET = torch.tensor([0, 3, 1])
SPELT: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("conv1d", (IMAGE[..., 0], WINDOWS[..., 0]), {}),
    ("conv2d", (IMAGE, WINDOWS), {"stride": 2, "padding": (1, 0)}),
    ("conv2d", (IMAGE, WINDOWS, CLASSES[0], 1, 1, 2), {}),
    ("conv3d", (IMAGE[None], WINDOWS.reshape(4, 2, 3, 3, 1)), {"stride": (1, 2, 3), "padding": 1}),
    ("conv_transpose3d", (IMAGE[None], WINDOWS.reshape(2, 4, 3, 3, 1)), {"stride": 2}),
    ("conv_transpose1d", (IMAGE[..., 0], WINDOWS[:3, ..., 0]), {"stride": 2}),
    ("conv_transpose2d", (IMAGE, WINDOWS[:3]), {"output_padding": 1, "stride": (2, 3)}),
    ("max_pool2d", (IMAGE, 2), {}),
    ("max_pool2d", (IMAGE, (3, 2), 2, 1, 1, True), {}),
    ("max_pool2d", (IMAGE, 3), {"return_indices": True, "padding": 1}),
    ("max_pool3d", (IMAGE, 2), {"stride": 1}),
    ("interpolate", (IMAGE[0], 7), {}),
    ("interpolate", (IMAGE, (4, 9)), {"mode": "nearest-exact"}),
    ("interpolate", (IMAGE,), {"scale_factor": 1.7}),
    ("interpolate", (IMAGE,), {"scale_factor": (0.6, 2.0), "mode": "bilinear"}),
    ("interpolate", (IMAGE, 5), {"mode": "bilinear", "align_corners": True}),
    ("interpolate", (IMAGE[0],), {"scale_factor": 1.5, "mode": "linear"}),
    ("interpolate", (IMAGE[0],), {"scale_factor": 1.5, "mode": "nearest-exact"}),
    ("interpolate", (IMAGE[None],), {"size": (4, 4, 4), "mode": "trilinear"}),
    ("interpolate", (IMAGE[None],), {"scale_factor": 1.5}),
    ("interpolate", (IMAGE[0],), {"scale_factor": 1.7}),
    ("pad", (IMAGE, (1, 2, 0, 1), "reflect"), {}),
    ("pad", (IMAGE, (1, 2, 0, 1)), {"mode": "replicate"}),
    ("pad", (IMAGE, (1, -2)), {"value": 5.0}),
    ("nll_loss", (CLASSES, TARGET), {}),
    ("nll_loss", (CLASSES, TARGET, CLASSES[1] + 1), {"reduction": "none", "ignore_index": 3}),
    ("nll_loss", (IMAGE, TARGET[:2, None, None].expand(2, 8, 6) % 3), {"reduction": "sum"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "args", "kwargs"), SPELT, ids=lambda value: str(value)[:20])
def test_functions_with_pytorchs_parameters(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    expected = getattr(torch.nn.functional, name)(*args, **kwargs)
    found = getattr(openaclnn, name)(*args, **kwargs)
    torch.testing.assert_close(found, expected)


def test_functions_with_pytorchs_parameters_are_all_tried() -> None:
    tried = {name for name, *_ in SPELT} | {"isnan"}
    assert tried == by_name.spellings().keys()
    for name in tried:
        function = getattr(openaclnn, name)
        assert function.__doc__
        assert name in dir(openaclnn)
        assert "of" not in inspect.signature(function).parameters
