"""`openaclnn call`: the operators on files."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch
from shell import Shell

import openaclnn
from openaclnn.base.dtypes import DType, by_name
from openaclnn.base.status import Status
from openaclnn.calls import executor, two_phase
from openaclnn.calls.functions import one_by_one, tensor_parameters
from openaclnn.engines import engine_for
from openaclnn.runtime import AclError, moving
from openaclnn.spec import describe
from openaclnn.spec.host import FLAG
from openaclnn.spec.op import REQUIRED, Attr, Op
from openaclnn.spec.sample import sample_call
from openaclnn.verify.trials import demands
from walks import in_turn, operators

OPS = list(operators("call", most=24).values())
X = np.random.default_rng(0).normal(0, 3, (3, 4)).astype(np.float32)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", X)
    np.save("ones.npy", np.ones_like(X))
    np.save("one.npy", np.float32(1))
    np.save("integers.npy", X.astype(np.int32))


def load(name: str, dtype: str) -> np.ndarray:
    """np.load forgets that two bytes are a bfloat16."""
    return np.load(name).view(by_name(dtype).numpy)


def typed(op: Op, dtype: DType) -> tuple[str, dict[str, Any]]:
    """A made-up call as a user types it, and as the function takes it."""
    call = sample_call(op, (dtype,), (4, 4))
    words: list[str] = []
    keywords: dict[str, Any] = {}
    lists = sum(a.many for a in tensor_parameters(op))
    for argument in op.arguments:
        value, option = call[argument.name], "--" + argument.name.replace("_", "-")
        if isinstance(argument, Attr):
            if argument.default is REQUIRED or value != argument.default:
                no = f"--{'' if value else 'no-'}{option[2:]}"
                typed = f"{option} {argument.host.text(value)}"
                words.append(no if argument.host is FLAG else typed)
                keywords[argument.name] = value
        elif argument in tensor_parameters(op) and value is not None:
            tensors = [tensor for _, tensor in call.of((argument.name,))]
            made = [np.full(t.shape, 1 + k, t.dtype.numpy) for k, t in enumerate(tensors)]
            for k, array in enumerate(made):
                np.save(f"{argument.name}{k}.npy", array)
            files = (" " if lists == 1 else ",").join(
                f"{argument.name}{k}.npy" for k in range(len(made))
            )
            words.append(f"{option} {files}" if getattr(argument, "optional", False) else files)
            keywords[argument.name] = made if isinstance(value, tuple) else made[0]
    return " ".join(words), keywords


def answered(function: Any, keywords: dict[str, Any]) -> tuple[Any, openaclnn.AclnnError | None]:
    try:
        return function(**keywords), None
    except openaclnn.AclnnError as error:
        return None, error


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_every_operator(shell: Shell, op: Op) -> None:
    """In every second of its dtypes, in turn."""
    for dtype in in_turn(describe.dtypes(op), OPS.index(op), of=2) or describe.dtypes(op):
        words, keywords = typed(op, dtype)
        expected, refused = answered(getattr(openaclnn, op.name), keywords)
        if refused is not None:  # numbers that do not go together
            assert refused.status == Status.RUNTIME_ERROR
            assert demands(sample_call(op, (dtype,), (4, 4)))
            assert refused.message in shell(f"call {op.name} {words}", 1).err.replace("\n", " ")
            continue
        results = one_by_one(expected if isinstance(expected, tuple) else (expected,))
        files = [f"out{k}.npy" for k in range(len(results))]
        if op.in_place:  # the same tensors as they were
            words, _ = typed(op, dtype)
        shell(f"call {op.name} {words} {' '.join(f'-o {file}' for file in files)}")
        for file, result in zip(files, results, strict=True):
            assert load(file, result.dtype.name).tobytes() == result.tobytes()


def test_the_c_name_will_do(shell: Shell) -> None:
    assert shell("call aclnnSiluBackward ones.npy x.npy").out.startswith("[[")


def test_small_results_are_printed_and_large_ones_summarised(shell: Shell) -> None:
    assert shell("call leaky_relu_backward one.npy one.npy").out == "1.\n"
    np.save("large.npy", np.full((100, 200), -1, np.float32))
    lines = shell("call leaky_relu_backward one.npy large.npy --negative-slope 0.5").out
    assert lines.startswith("100×200 float32\nmin 0.5, max 0.5, mean 0.5, 0 NaN, 0 inf\n")


@pytest.mark.parametrize(
    ("options", "keywords"),
    [
        ("", {}),
        ("--reduction sum --beta 0.5", {"reduction": "sum", "beta": 0.5}),
        ("--reduction 0", {"reduction": "none"}),
    ],
)
def test_attributes(shell: Shell, options: str, keywords: dict[str, object]) -> None:
    shell(f"call smooth_l1_loss_backward one.npy x.npy ones.npy {options} -o out.npy")
    expected = openaclnn.smooth_l1_loss_backward(np.float32(1), X, np.ones_like(X), **keywords)
    np.testing.assert_array_equal(np.load("out.npy"), expected)


def test_a_scalar_may_say_its_dtype(shell: Shell) -> None:
    np.save("minus.npy", np.float32(-1))
    said = shell("call leaky_relu_backward one.npy minus.npy --negative-slope 0.1:f16").out
    assert said == "0.09997559\n"


@pytest.mark.parametrize(("dtype", "bits"), [("c64", "complex64"), ("f16", "float16")])
def test_output_dtypes(shell: Shell, dtype: str, bits: str) -> None:
    facts = json.loads(
        shell(f"call leaky_relu_backward one.npy x.npy --out-dtype {dtype} --json -o out.npy").out
    )
    assert facts["operator"] == "aclnnLeakyReluBackward"
    assert (facts["dtype"], facts["shape"]) == (bits, [3, 4])
    assert np.load("out.npy").dtype.name == bits


def test_json_of_a_large_result(shell: Shell) -> None:
    values = np.ones((20, 20), np.float32)
    values[0, :3] = np.nan, np.inf, 5
    np.save("large.npy", values)
    facts = json.loads(shell("call leaky_relu_backward large.npy one.npy --json").out)
    assert (facts["nan"], facts["inf"], facts["min"], facts["max"]) == (1, 1, 1.0, 5.0)


def test_json_is_json(shell: Shell) -> None:
    np.save("x.npy", np.array([np.nan, np.inf, -np.inf, 1], np.float32))
    text = shell("call leaky_relu_backward x.npy one.npy --json").out
    facts = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert facts["values"] == ["nan", "inf", "-inf", 1.0]
    np.save("x.npy", np.full(1000, np.nan, np.float32))
    text = shell("call leaky_relu_backward x.npy one.npy --json").out
    facts = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert (facts["min"], facts["nan"]) == ("inf", 1000)
    assert "min inf, max -inf, mean nan" in shell("call leaky_relu_backward x.npy one.npy").out


def test_layouts_and_byte_orders(shell: Shell) -> None:
    plain = shell("call silu_backward ones.npy x.npy").out
    np.save("x.npy", np.asfortranarray(X))
    assert shell("call silu_backward ones.npy x.npy").out == plain
    np.save("x.npy", X.astype(">f4"))
    assert shell("call silu_backward ones.npy x.npy").out == plain
    np.savez("x.npz", x=X, y=X)
    assert shell("call silu_backward ones.npy x.npz:x").out == plain


def test_bfloat16_stays_bfloat16(shell: Shell) -> None:
    np.save("x.npy", X.astype(ml_dtypes.bfloat16))
    np.save("ones.npy", np.ones_like(X).astype(ml_dtypes.bfloat16))
    shell("call silu_backward ones.npy x.npy -o out.npy")
    assert b"'<V2'" in Path("out.npy").read_bytes()[:80]
    shell("call silu_backward ones.npy out.npy")  # what was written can be read


def test_level_and_product(shell: Shell) -> None:
    shell("call silu_backward ones.npy x.npy --level fast -o out.npy")
    with openaclnn.using(math="fast"):
        np.testing.assert_array_equal(np.load("out.npy"), openaclnn.silu_backward(X * 0 + 1, X))
    shell("call silu_backward one.npy x.npy --soc ascend950")


@pytest.mark.parametrize(
    ("line", "status", "words"),
    [
        ("silu_backward ones.npy integers.npy", 161002, "self has dtype INT32; expected"),
        ("silu_backward one.npy x.npy", 161002, "choose it with --soc Ascend950"),
        ("silu_backward ones.npy x.npy --soc Ascend310P", 561003, "does not have this operator"),
        ("smooth_l1_loss_backward one.npy x.npy x.npy --reduction 7", 161002, "reduction is 7"),
        ("smooth_l1_loss_backward one.npy x.npy x.npy --beta nan", 161002, "beta is nan"),
        (
            "leaky_relu_backward one.npy x.npy --self-is-result --negative-slope -1",
            161002,
            "negative_slope is -1 while self_is_result is true",
        ),
        ("leaky_relu_backward one.npy x.npy --out-dtype s32", 161002, "out has dtype INT32"),
    ],
)
def test_refusals(shell: Shell, line: str, status: int, words: str) -> None:
    done = shell(f"call {line} -o out.npy", 1)
    code, sentence = done.err.splitlines()
    assert code.startswith(f"{status} ACLNN_ERR_")
    assert words in sentence
    assert not Path("out.npy").exists()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("silu_forward x.npy", "there is no operator 'silu_forward'"),
        ("silu_backward ones.npy", "Missing argument 'SELF'"),
        ("inplace_zero", "Missing argument 'SELF'"),
        ("silu_backward ones.npy x.npy x.npy", "unexpected extra argument"),
        ("silu_backward ones.npy x.npy --beta 1", "No such option"),
        ("silu_backward ones.npy x.npy --soc Ascend1", "is no product; expected one of Ascend910B"),
        ("silu_backward ones.npy x.npy --out-dtype f33", "'f33' is no dtype"),
        ("leaky_relu_backward one.npy x.npy --negative-slope steep", "expected a number"),
        ("smooth_l1_loss_backward x.npy x.npy x.npy --reduction no", "expected none, mean, sum"),
        ("silu_backward ones.npy missing.npy", "missing.npy cannot be read: No such file"),
        ("silu_backward ones.npy x.txt", "there is no file or folder x.txt"),
        ("silu_backward ones.npy bomb.pt", "bomb.pt holds more than the memory does"),
        ("silu_backward ones.npy x.bin", "x.bin is raw bytes; expected .npy, .npz or .pt, which"),
        ("silu_backward ones.npy short.npy", "short.npy holds 45 bytes of data; its header"),
        ("silu_backward ones.npy object.npy", "Python objects"),
        ("silu_backward ones.npy x.npy -o no/such/folder.npy", "cannot be written: No such file"),
    ],
)
def test_wrong_usage_and_unusable_files(shell: Shell, line: str, words: str) -> None:
    Path("short.npy").write_bytes(Path("x.npy").read_bytes()[:-3])
    np.save("object.npy", np.array([object()]), allow_pickle=True)
    torch.save(torch.ones(1).expand(2**46), "bomb.pt")
    assert words in shell(f"call {line}", 2).err


class PretendedDevice:
    """A runtime whose device memory is the host's, so that the CPU engine can work on it."""

    def __init__(self) -> None:
        self.memory: dict[int, Any] = {}

    def get_device_count(self) -> int:
        return 1

    def set_device(self, device: int) -> None:
        assert device == 0

    def synchronize_device(self) -> None:
        pass

    def malloc(self, size: int) -> int:
        block = ctypes.create_string_buffer(size)
        self.memory[ctypes.addressof(block)] = block
        return ctypes.addressof(block)

    def free(self, address: int) -> None:
        del self.memory[address]

    def memcpy(self, to: int, source: int, count: int, kind: int) -> None:
        assert (to if kind == 1 else source) in self.memory
        ctypes.memmove(to, source, count)


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[PretendedDevice]:
    pretended = PretendedDevice()
    monkeypatch.setattr(moving, "cuda_runtime", lambda: pretended)
    monkeypatch.setattr(executor, "engine_for", lambda device: engine_for("cpu"))
    two_phase._ready.clear()  # prepared calls remember their engine
    yield pretended
    two_phase._ready.clear()
    assert not pretended.memory, "not freed"


def test_on_a_device(shell: Shell, device: PretendedDevice) -> None:
    np.save("x.npy", np.asfortranarray(X))
    shell("call silu_backward ones.npy x.npy --device cuda -o out.npy")
    expected = openaclnn.silu_backward(np.ones_like(X), X)
    np.testing.assert_array_equal(np.load("out.npy"), expected)
    shell("call log_sigmoid_backward ones.npy x.npy --device cuda")
    assert "self has dtype INT32" in shell("call silu_backward ones.npy integers.npy "
                                           "--device cuda", 1).err  # fmt: skip


def test_no_device(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> None:
        raise AclError(507899, "the device cuda is not there")

    monkeypatch.setattr(moving, "cuda_runtime", absent)
    assert (
        "the device cuda is not there"
        in shell("call silu_backward ones.npy x.npy --device cuda", 1).err
    )


@pytest.mark.parametrize(
    ("line", "status", "sentence"),
    [("arange --end 5 --step 0", 1, "step is 0; expected another number"),
     ("arange --end inf", 1, "end is inf; expected a finite number"),
     ("eye --n 4611686018427387904 --m 3", 1, "expected one that fits memory"),
     ("arange --end 1e16", 2, "more memory than there is")],
)  # fmt: skip
def test_a_wrong_size_is_a_sentence(shell: Shell, line: str, status: int, sentence: str) -> None:
    assert sentence in shell(f"call {line}", status).err
