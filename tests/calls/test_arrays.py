"""Whose arrays are taken, and what comes back; what is refused, and how."""

from __future__ import annotations

import gc
import os
import pickle
import re
import traceback
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch

import openaclnn
from openaclnn import AclnnError, aclnn
from openaclnn.base import dtypes
from openaclnn.engines.cpu import threads
from openaclnn.ops import all_ops
from samples import Samples
from walks import every_op, every_op_in, every_sampled_op

VALUES = [-4.0, -1.25, -0.0, 0.5, 1.0, 3.0, 7.0]
TORCH = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "f64": torch.float64}


class OnlyInterface:
    """An array that says where it lies, and nothing else."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return self.array.__array_interface__


class OnlyDlpack:
    """An array that speaks DLPack, and nothing else."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack__(self, **arguments: Any) -> Any:
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


class OfJax(OnlyDlpack):
    """One that stands for JAX's, which need not be installed."""

    __module__ = "jaxlib"


def call(samples: Samples, *arrays: Any, **others: Any) -> Any:
    return getattr(openaclnn, samples.op)(*arrays, **others)


def same(a: torch.Tensor, b: torch.Tensor) -> bool:
    """To the bit; NaN is not equal to itself."""
    return torch.equal(a.detach().view(torch.int32), b.view(torch.int32))


def inputs(samples: Samples, dtype: str = "f32") -> list[np.ndarray]:
    kind = dtypes.by_name(dtype).numpy
    return [np.roll(np.array(VALUES), n).astype(kind) for n in range(len(samples.inputs))]


@every_op_in("f32", "f16", "bf16", "f64")
def test_pytorch_in_pytorch_out(samples: Samples, dtype: str) -> None:
    arrays = inputs(samples, dtype)
    expected = call(samples, *arrays)
    tensors = [torch.tensor(a.astype(np.float64), dtype=TORCH[dtype]) for a in arrays]
    result = call(samples, *tensors)
    assert isinstance(result, torch.Tensor)
    assert result.dtype is TORCH[dtype]
    unsigned = {2: torch.int16, 4: torch.int32, 8: torch.int64}[expected.itemsize]
    assert result.view(unsigned).numpy().tobytes() == expected.tobytes()
    spread = [torch.stack([t, t * 0], 1)[:, 0] for t in tensors]  # every second element
    assert not spread[0].is_contiguous()
    out = torch.empty(2 * len(VALUES), dtype=TORCH[dtype])[::2]
    assert call(samples, *spread, out=out) is out
    assert torch.equal(out, result)


@every_op
def test_bfloat16_of_ml_dtypes(samples: Samples) -> None:
    result = call(samples, *inputs(samples, "bf16"))
    assert type(result) is np.ndarray
    assert result.dtype == ml_dtypes.bfloat16


@every_op
def test_others_arrays(samples: Samples) -> None:
    arrays = inputs(samples)
    expected = call(samples, *arrays)
    for wrap in (OnlyInterface, OnlyDlpack):
        result = call(samples, *map(wrap, arrays))
        assert type(result) is np.ndarray
        assert result.tobytes() == expected.tobytes()
        backwards = [wrap(np.ascontiguousarray(a[::-1])[::-1]) for a in arrays]
        assert call(samples, *backwards).tobytes() == expected.tobytes()
    bf16 = [torch.tensor(VALUES).bfloat16() for _ in samples.inputs]
    result = call(samples, *map(OnlyDlpack, bf16))
    assert result.dtype == ml_dtypes.bfloat16
    assert result.tobytes() == call(samples, *bf16).view(torch.int16).numpy().tobytes()
    out = np.empty_like(expected)
    holder = OnlyInterface(out)
    assert call(samples, *arrays, out=holder) is holder
    assert out.tobytes() == expected.tobytes()


@every_op
def test_memory_lives_as_long_as_it_is_used(samples: Samples) -> None:
    """Wrappers made on the fly, whose arrays nobody else holds."""
    expected = call(samples, *inputs(samples))
    for _ in range(20):
        result = call(samples, *(OnlyDlpack(a) for a in inputs(samples)))
        gc.collect(0)
        assert result.tobytes() == expected.tobytes()


@every_sampled_op
def test_scalars_and_lists(samples: Samples) -> None:
    zero_d = call(samples, *[np.float32(0.5)] * len(samples.inputs))
    assert zero_d.shape == ()
    assert zero_d.dtype == np.float32
    for given in ([1.0, -1.0], [1, -1], 0.5):  # Python's numbers are float32
        assert call(samples, *[given] * len(samples.inputs)).dtype == np.float32


@every_sampled_op
def test_by_keyword(samples: Samples) -> None:
    arrays = inputs(samples)
    expected = call(samples, *arrays)
    named = dict(zip(samples.inputs, arrays, strict=True))
    assert call(samples, **named).tobytes() == expected.tobytes()
    assert call(samples, arrays[0], **dict(list(named.items())[1:])).tobytes() == expected.tobytes()
    with pytest.raises(TypeError, match="missing"):
        call(samples, arrays[0])
    with pytest.raises(TypeError, match="unexpected"):
        call(samples, *arrays, nonsense=1)


@dataclass(frozen=True)
class Refused:
    """An output that is none."""

    why: str
    out: Any
    message: str


def read_only() -> np.ndarray:
    array = np.zeros(7, np.float32)
    array.flags.writeable = False
    return array


REFUSED = [
    Refused("read-only", read_only(), "read-only"),
    Refused("a list", [0.0] * 7, "out is a list; expected an array that can be written"),
    Refused("a number", 1.0, "out is a float; expected an array that can be written"),
    Refused("a NumPy number", np.float32(1), "out is a float32; expected an array that can be w"),
    Refused("another shape", np.zeros(6, np.float32), "has shape [6]; expected [7]"),
    Refused("an integer dtype", np.zeros(7, np.int32), "INT32"),
    Refused("a byte order", np.zeros(7, np.dtype(">f4")), "dtype >f4, which aclnn does not know"),
    Refused("expanded", np.broadcast_to(np.float32(0), (7,)), "read-only"),
    Refused("expanded PyTorch", torch.zeros(1).expand(7), "has two indices for one element"),
    Refused("DLPack alone", OnlyDlpack(np.zeros(7, np.float32)), "for reading only"),
    Refused("JAX", OfJax(np.zeros(7, np.float32)), "is a JAX array, which cannot be changed"),
    Refused("sparse", torch.zeros(7).to_sparse(), "expected strided memory"),
    Refused("autograd's", torch.zeros(7, requires_grad=True), "requires grad"),
    Refused("masked", np.ma.zeros(7, np.float32), "its mask would be lost"),
]


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row.why)
@every_op
def test_outputs_that_are_refused(samples: Samples, row: Refused) -> None:
    with pytest.raises(AclnnError) as caught:
        call(samples, *inputs(samples), out=row.out)
    assert caught.value.status == 161002
    assert row.message in caught.value.message
    c_name, out = all_ops()[samples.op].c_name, f"(out|{samples.output})"
    assert re.match(rf"{c_name}: {out} ", caught.value.message)


STRUCTURED = np.zeros(7, np.dtype([("a", np.float32), ("b", np.uint8)]))
INPUTS = [
    Refused("a byte order", np.zeros(7, np.dtype(">f4")), "dtype >f4, which aclnn does not know"),
    Refused("strides of 5 bytes", STRUCTURED["a"], "expected multiples of its elements' 4 bytes"),
    Refused("text", "a", "is a str; expected an array or numbers"),
    Refused("words", ["a", "b"], "is a list with what is no number"),
    Refused("an array of words", np.array(["a"]), "which aclnn does not know"),
    Refused("objects", [object()], "is a list with what is no number"),
    Refused("dates", np.zeros(7, "datetime64[s]"), "which aclnn does not know"),
    Refused("lazy negation", torch.zeros(7, dtype=torch.complex64).conj().imag, "resolve_neg()"),
    Refused("lazy conjugate", torch.zeros(7, dtype=torch.complex64).conj(), "resolve_conj()"),
    Refused("another device", torch.zeros(7, device="meta"), "expected strided memory"),
    Refused("integers", np.zeros(7, np.int32), "has dtype INT32; expected FLOAT16, FLOAT"),
    Refused("complex", np.zeros(7, np.complex64), "has dtype COMPLEX64; expected FLOAT16, FLOAT"),
    Refused("lazy DLPack", OnlyDlpack(torch.zeros(7, requires_grad=True)), "cannot be shared"),
    Refused("autograd's", torch.zeros(7, requires_grad=True), "requires grad, and PyTorch would"),
    Refused("a parameter", torch.nn.Parameter(torch.zeros(7)), "call detach() first"),
    Refused("masked", np.ma.zeros(7, np.float32), "its mask would be lost"),
    Refused("half bytes", np.zeros(7, ml_dtypes.int4), "dtype int4, one element to a byte"),
    Refused("float4", np.zeros(7, ml_dtypes.float4_e2m1fn), "expected a dtype of whole bytes"),
    Refused("float6", np.zeros(7, ml_dtypes.float6_e2m3fn), "expected a dtype of whole bytes"),
]


@pytest.mark.parametrize("row", INPUTS, ids=lambda row: row.why)
@every_sampled_op
def test_inputs_that_are_refused(samples: Samples, row: Refused) -> None:
    arrays: list[Any] = inputs(samples)
    arrays[1] = row.out
    with pytest.raises(AclnnError) as caught:
        call(samples, *arrays)
    assert caught.value.status == 161002
    assert row.message in caught.value.message
    c_name = all_ops()[samples.op].c_name
    assert caught.value.message.startswith(f"{c_name}: {samples.inputs[1]} ")


@dataclass(frozen=True)
class Cast:
    """Numbers of a dtype that newcomers begin with, and the advice that their refusal gives."""

    what: str
    array: Any
    advice: str
    double: bool = False


CASTS = [
    Cast("integers", np.zeros(7, np.int64), "{}.astype(np.float32)"),
    Cast("flags", np.zeros(7, bool), "{}.astype(np.float32)"),
    Cast("PyTorch's integers", torch.zeros(7, dtype=torch.int64), "{}.to(torch.float32)"),
    Cast("NumPy's default", np.zeros(7), "{}.astype(np.float32)", double=True),
    Cast("float64", torch.zeros(7, dtype=torch.float64), "{}.to(torch.float32)", double=True),
]


@pytest.mark.parametrize("row", CASTS, ids=lambda row: row.what)
@every_sampled_op
def test_a_refused_dtype_says_what_to_do(samples: Samples, row: Cast) -> None:
    if row.double and "f64" in samples.dtypes:
        assert call(samples, *[row.array] * len(samples.inputs)) is not None
        return
    first = samples.inputs[0]
    with pytest.raises(AclnnError) as caught:
        call(samples, *[row.array] * len(samples.inputs))
    assert caught.value.message.endswith(f"; cast it: {row.advice.format(first)}")
    others = inputs(samples, "f16")[1:]
    with pytest.raises(AclnnError) as caught:
        call(samples, row.array, *others)
    assert f"; cast it: {row.advice.format(first)}".replace("32", "16") in str(caught.value)


@every_sampled_op
def test_no_array_at_all(samples: Samples) -> None:
    arrays: list[Any] = inputs(samples)
    arrays[1] = None
    with pytest.raises(AclnnError, match=f"{samples.inputs[1]} is null") as caught:
        call(samples, *arrays)
    assert caught.value.status == 161001


@every_op
def test_structured_fields_that_fit(samples: Samples) -> None:
    """Fields at a distance of whole elements are views like any other."""
    pairs = np.zeros(7, np.dtype([("a", np.float32), ("b", np.float32)]))
    arrays = inputs(samples)
    pairs["a"], expected = arrays[0], call(samples, *arrays)
    out = np.zeros(7, np.dtype([("a", np.uint32), ("b", np.float32)]))
    assert call(samples, pairs["a"], *arrays[1:], out=out["b"]).tobytes() == expected.tobytes()
    assert not out["a"].any()


def test_attributes_in_python() -> None:
    one = np.ones(3, np.float32)
    for reduction, code in (("none", 0), ("mean", 1), ("sum", 2)):
        named = openaclnn.smooth_l1_loss_backward(one, one * 3, one, reduction=reduction)
        numbered = openaclnn.smooth_l1_loss_backward(one, one * 3, one, reduction=code)
        assert named.tolist() == numbered.tolist()
    default = openaclnn.smooth_l1_loss_backward(one, one * 3, one)
    assert default.tolist() == [np.float32(1 / 3)] * 3
    leaky = openaclnn.leaky_relu_backward(one, -one)
    assert leaky.tolist() == [np.float32(0.01)] * 3
    slope = np.float16(0.1)
    assert openaclnn.leaky_relu_backward(one, -one, negative_slope=slope).tolist() == [slope] * 3
    assert openaclnn.log_sigmoid_backward(one, one, one).tolist() == (
        openaclnn.log_sigmoid_backward(one, one).tolist()
    )


@pytest.mark.parametrize(
    ("name", "attributes", "message"),
    [
        ("smooth_l1_loss_backward", {"reduction": "average"}, "expected one of none, mean, sum"),
        ("smooth_l1_loss_backward", {"reduction": None}, "expected one of none, mean, sum"),
        ("smooth_l1_loss_backward", {"reduction": 1.5}, "expected one of none, mean, sum"),
        ("smooth_l1_loss_backward", {"beta": "x"}, "expected a number"),
        ("smooth_l1_loss_backward", {"beta": None}, "expected a number"),
        ("smooth_l1_loss_backward", {"beta": "1"}, "expected a number"),
        ("leaky_relu_backward", {"negative_slope": "0.1"}, "expected a number"),
        ("leaky_relu_backward", {"self_is_result": "no"}, "expected true or false"),
        ("smooth_l1_loss_backward", {"beta": 10**400}, "expected a number"),
        ("leaky_relu_backward", {"negative_slope": "x"}, "expected a number"),
        ("leaky_relu_backward", {"negative_slope": [1, 2]}, "expected a number"),
        ("leaky_relu_backward", {"negative_slope": 10**400}, "expected a number"),
        ("leaky_relu_backward", {"negative_slope": 1j}, "negative_slope has dtype COMPLEX128"),
    ],
    ids=str,
)
def test_attributes_that_are_refused(name: str, attributes: Any, message: str) -> None:
    one = np.ones(3, np.float32)
    arrays = [one] * (3 if name.startswith("smooth") else 2)
    with pytest.raises(AclnnError) as caught:
        getattr(openaclnn, name)(*arrays, **attributes)
    assert caught.value.status == 161002
    assert message in caught.value.message
    assert next(iter(attributes)) in caught.value.message


def test_an_error_shows_its_status() -> None:
    with pytest.raises(AclnnError) as caught:
        openaclnn.silu_backward(None, np.ones(3, np.float32))
    shown = "161001 ACLNN_ERR_PARAM_NULLPTR: aclnnSiluBackward: grad_output is null; "
    assert str(caught.value) == shown + "expected a tensor"
    assert traceback.format_exception_only(caught.value)[0].startswith(
        f"openaclnn.AclnnTypeError: {shown}"
    )
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.status, str(again)) == (161001, str(caught.value))
    assert type(again) is type(caught.value)


@every_op
def test_what_autograd_saved_is_not_changed_unnoticed(samples: Samples) -> None:
    """Like PyTorch's own functions: backward() refuses where a saved tensor was written to."""
    tensors = [torch.tensor(VALUES) for _ in samples.inputs]
    for _ in range(3):  # by the full path and by the call cache
        saved = torch.zeros(7)
        result = saved.clone().requires_grad_() * saved
        call(samples, *tensors, out=saved)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            result.sum().backward()
    c_name = all_ops()[samples.op].c_name
    first, second = (getattr(aclnn, c_name + phase) for phase in ("GetWorkspaceSize", ""))
    if not all_ops()[samples.op].attributes and len(all_ops()[samples.op].inputs) == 2:
        saved = torch.zeros(7)
        result = saved.clone().requires_grad_() * saved
        status, _, executor = first(*tensors, saved)
        assert (status, second(None, 0, executor, None)) == (0, 0)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            result.sum().backward()


@every_op
def test_a_refused_call_marks_nothing_as_written(samples: Samples) -> None:
    out, tensors = torch.zeros(6), [torch.tensor(VALUES) for _ in samples.inputs]
    with pytest.raises(AclnnError):
        call(samples, *tensors, out=out)
    assert out._version == 0


@every_op
def test_without_autograd_tensors_that_require_grad_are_taken(samples: Samples) -> None:
    plain = [torch.tensor(VALUES) for _ in samples.inputs]
    expected = call(samples, *plain)
    tracked = [tensor.clone().requires_grad_() for tensor in plain]
    out = torch.zeros(7, requires_grad=True)
    for _ in range(3):
        with torch.no_grad():
            assert same(call(samples, *tracked), expected)
            assert same(call(samples, *tracked, out=out), expected)
        # and what was learnt there is no way around the refusal
        with pytest.raises(AclnnError, match="requires grad"):
            call(samples, *tracked)
        with pytest.raises(AclnnError, match="out requires grad"):
            call(samples, *plain, out=out)
    with torch.inference_mode():
        result = torch.zeros(7)
        assert same(call(samples, *plain, out=result), expected)


def test_the_wrong_number_of_arguments() -> None:
    """What a C compiler would not take."""
    with pytest.raises(TypeError, match="aclnnSiluBackwardGetWorkspaceSize: missing"):
        aclnn.aclnnSiluBackwardGetWorkspaceSize(None)
    with pytest.raises(TypeError, match=r"aclnnSiluBackwardGetWorkspaceSize: too many"):
        aclnn.aclnnSiluBackwardGetWorkspaceSize(*[None] * 4)


def test_threads_are_counted_in_integers() -> None:
    before = openaclnn.get_num_threads()
    for wrong, error in ((1.5, TypeError), ("2", TypeError), (None, TypeError), (0, ValueError)):
        with pytest.raises(error, match="threads"):
            openaclnn.set_num_threads(wrong)
    openaclnn.set_num_threads(np.int8(before))
    assert openaclnn.get_num_threads() == before
    assert type(openaclnn.get_num_threads()) is int


CORES = len(os.sched_getaffinity(0))


@pytest.mark.parametrize(("variable", "count"), [("²", CORES), ("3", 3), ("2,1", 2), ("", CORES)])
def test_threads_of_the_environment(
    variable: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", variable)
    assert threads._available() == count
