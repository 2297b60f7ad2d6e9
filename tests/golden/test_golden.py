"""Golden cases: the same files everywhere, and what is in them."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from click.testing import CliRunner

from openaclnn.base import layouts
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, DType
from openaclnn.cli.golden import command
from openaclnn.cli.main import commands
from openaclnn.compare.files import open_file
from openaclnn.golden import draws
from openaclnn.ops import find
from openaclnn.truth.reference import reference


def golden(folder: Path, *words: str, status: int = 0) -> str:
    done = CliRunner().invoke(command, [*words, "-o", str(folder)])
    assert done.exit_code == status, done.output
    return done.output


def load(folder: Path, entry: dict) -> np.ndarray:
    """A tensor from its manifest entry, as a stranger would make it."""
    storage = np.load(folder / entry["file"])
    if entry["dtype"] == "BF16":
        storage = storage.view(ml_dtypes.bfloat16)
    assert list(storage.shape) == entry["storage_shape"]
    flat = storage.ravel()[entry["offset"] :]
    strides = [stride * flat.itemsize for stride in entry["strides"]]
    return np.lib.stride_tricks.as_strided(flat, entry["shape"], strides)


# What these describe was written once and must stay the same bytes, on every machine and with
# every NumPy. Where a change is meant, raise manifest.FORMAT.
DIGESTS = {
    "21f3ff5b6ea91943": "silu_backward --dtype f32 --shape 37,51 --seed 7 --special",
    "0f4bfb4a8341fbb9": "silu_backward --dtype f16 --shape 1000 --distribution bits "
    "--layout self=offset",
    "feec0507f4bb2de6": "log_sigmoid_backward --dtype bf16 --shape 5,6,7 --seed -3 "
    "--layout transposed",
    "c968ffa388e3d6ab": "hardsigmoid_backward --dtype f16 --shape 100 --special",
    "d07fe653e278041a": "smooth_l1_loss_backward --shape 8,16 --shape target=16 "
    "--dtype self=bf16 -a beta=0.5",
    "150a75886c20f630": "leaky_relu_backward --dtype f64 --shape 64 --distribution normal:0,100",
}


@pytest.mark.parametrize(("expected", "line"), DIGESTS.items())
def test_same_bytes_for_ever(tmp_path: Path, expected: str, line: str) -> None:
    golden(tmp_path, *line.split())
    manifest = (tmp_path / "manifest.json").read_bytes()
    for file, digest in json.loads(manifest)["sha256"].items():
        assert hashlib.sha256((tmp_path / file).read_bytes()).hexdigest() == digest
    assert hashlib.sha256(manifest).hexdigest()[:16] == expected


@pytest.mark.parametrize("layout", layouts.ALL)
@pytest.mark.parametrize("shape", ["()", "5", "3,4", "2,3,4"])
def test_layouts_hold_the_same_tensor(tmp_path: Path, layout: str, shape: str) -> None:
    words = ("smooth_l1_loss_backward", "--shape", shape, "--dtype", "f16", "--special")
    golden(tmp_path / "a", *words)
    golden(tmp_path / "b", *words, "--layout", layout)
    here, there = (json.loads((tmp_path / n / "manifest.json").read_text()) for n in "ab")
    for one, other in zip(here["inputs"], there["inputs"], strict=True):
        np.testing.assert_array_equal(load(tmp_path / "a", one), load(tmp_path / "b", other))
    assert here["sha256"]["golden.npy"] == there["sha256"]["golden.npy"]


def test_golden_is_the_truth_of_what_was_written(tmp_path: Path) -> None:
    golden(
        tmp_path, "smooth_l1_loss_backward", "--shape", "8,16", "--shape", "target=16",
        "--dtype", "bf16", "--dtype", "grad_out=f16", "--out-dtype", "f16",
        "-a", "beta=0.1", "-a", "reduction=mean", "--layout", "grad_out=reversed",
    )  # fmt: skip
    data = json.loads((tmp_path / "manifest.json").read_text())
    assert data["c_name"] == "aclnnSmoothL1LossBackward"
    assert data["attributes"] == {"reduction": 1, "beta": float(np.float32(0.1))}
    assert data["promoted"] == "FLOAT"
    assert data["output"]["dtype"] == "FLOAT16"
    tensors = [load(tmp_path, entry).astype(np.float64) for entry in data["inputs"]]
    high, _ = reference(find("smooth_l1_loss_backward"), tensors, data["attributes"])
    np.testing.assert_array_equal(np.load(tmp_path / "golden.npy"), high)
    rounded = np.load(tmp_path / "golden_rounded.npy")
    np.testing.assert_array_equal(rounded, high.astype(np.float32).astype(np.float16))


def test_the_slope_is_used_as_a_float32(tmp_path: Path) -> None:
    golden(tmp_path, "leaky_relu_backward", "--shape", "50", "-a", "negativeSlope=0.3:f64")
    data = json.loads((tmp_path / "manifest.json").read_text())
    assert data["attributes"]["negative_slope"] == {"value": 0.3, "dtype": "DOUBLE"}
    g, x = (load(tmp_path, entry).astype(np.float64) for entry in data["inputs"])
    expected = np.where(x > 0, g, g * np.float64(np.float32(0.3)))
    np.testing.assert_allclose(np.load(tmp_path / "golden.npy"), expected, rtol=1e-15)


def test_raw_files(tmp_path: Path) -> None:
    golden(tmp_path, "silu_backward", "--shape", "3,5", "--dtype", "bf16", "--raw")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [
        "golden.npy", "golden_rounded.bin", "grad_output.bin", "manifest.json", "self.bin",
    ]  # fmt: skip
    assert open_file(tmp_path / "self.bin", BF16, (3, 5)).numel == 15


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nonsense"], "there is no operator 'nonsense'"),
        (["silu_backward", "--shape", "3,a"], "'3,a' is no shape"),
        (["silu_backward", "--dtype", "c64"], "'c64' is no type of real numbers"),
        (["silu_backward", "--without", "self"], "no optional tensor 'self'; it has none"),
        (["silu_backward", "--out-dtype", "x=f16"], "no argument 'x'; there are grad_input"),
        (["silu_backward", "--dtype", "x=f16"], "no argument 'x'; there are grad_output, self"),
        (["silu_backward", "--layout", "spiral"], "'spiral' is no layout"),
        (["silu_backward", "--distribution", "cauchy"], "'cauchy' is no distribution"),
        (["silu_backward", "--distribution", "uniform:3,1"], "LOW is greater than HIGH"),
        (["silu_backward", "--distribution", "normal:0,-1"], "DEVIATION is negative"),
        (["silu_backward", "--distribution", "uniform:0,1e999"], "expected finite numbers"),
        (["silu_backward", "--shape", "100000000000000"], "do not fit into the memory"),
        (["softmax", "--shape", "0"], "aclnnSoftmax: out has shape [0], no element to compare"),
        (["eye", "-a", "n=0"], "aclnnEye: out has shape [0, 40], no element to compare"),
        (["silu_backward", "-a", "beta=1"], "has no attribute 'beta'; it has none"),
        (["smooth_l1_loss_backward", "-a", "reduction=max"], "'max'; expected none, mean, sum"),
        (["smooth_l1_loss_backward", "-a", "beta=x"], "beta is 'x'; expected a number"),
    ],
)
def test_wrong_usage(tmp_path: Path, words: list[str], sentence: str) -> None:
    assert sentence in golden(tmp_path / "case", *words, status=2)
    assert not (tmp_path / "case").exists()


@pytest.mark.parametrize("name", ["arange", "eye", "linspace", "range"])
def test_a_case_without_inputs_has_several_numbers(tmp_path: Path, name: str) -> None:
    golden(tmp_path, name)
    found = np.load(tmp_path / "golden.npy")
    assert found.size > 100
    assert np.unique(found).size > 1


def test_what_the_operator_refuses_is_refused(tmp_path: Path) -> None:
    words = [
        "golden",
        "silu_backward",
        "--shape",
        "4,5",
        "--shape",
        "self=5",
        "-o",
        str(tmp_path / "c"),
    ]
    done = CliRunner().invoke(commands, words)
    assert done.exit_code == 1
    assert "self has shape [5]; expected [4, 5]" in str(done.exception)
    assert not (tmp_path / "c").exists()


def test_logarithm_and_cosine() -> None:
    u = 1 - draws.Stream(1, "u").uniform(5000, 0)
    u = np.concatenate([u, [1.0, 2.0**-53, 0.5, 1 - 2.0**-53]])
    np.testing.assert_allclose(draws._log(u), [math.log(v) for v in u], rtol=1e-14, atol=1e-17)
    t = np.concatenate([draws.Stream(1, "t").uniform(5000, 0), [0, 0.125, 0.25, 0.5, 0.75]])
    cosines = [math.cos(2 * math.pi * v) for v in t]
    np.testing.assert_allclose(draws._cos_turns(t), cosines, atol=1e-15)


def test_distributions() -> None:
    stream = draws.Stream(3, "self")
    uniform, normal = stream.uniform(200_000, 0), stream.normal(200_000, 1)
    assert abs(uniform.mean() - 0.5) < 0.003
    assert abs(uniform.var() - 1 / 12) < 0.001
    assert abs(normal.mean()) < 0.01
    assert abs(normal.std() - 1) < 0.01
    assert abs((normal**4).mean() - 3) < 0.1
    assert abs(np.corrcoef(normal[:-1], normal[1:])[0, 1]) < 0.01
    others = (
        draws.Stream(3, "target").uniform(200_000, 0),
        draws.Stream(4, "self").uniform(200_000, 0),
    )
    for other in others:
        assert abs(np.corrcoef(uniform, other)[0, 1]) < 0.01


@pytest.mark.parametrize("dtype", [FLOAT16, BF16, FLOAT, DOUBLE])
def test_bits_reach_every_exponent_and_special_every_value(dtype: DType) -> None:
    stream = draws.Stream(0, "self")
    bits = draws.draw(stream, 20_000, dtype, draws.distribution("bits"), special=False)
    values = np.abs(bits.astype(np.float64))
    assert np.isfinite(values).all()
    smallest, largest = (
        float(ml_dtypes.finfo(dtype.numpy).tiny),
        float(ml_dtypes.finfo(dtype.numpy).max),
    )
    assert values.min() < smallest * 2
    assert values.max() > largest / 4
    special = draws.draw(stream, 20_000, dtype, draws.standard, special=True).astype(np.float64)
    assert 0.04 < np.mean(~(np.abs(special) < 100) | (np.abs(special) < smallest * 1.01)) < 0.08
    found = set(special[np.isfinite(special)].tolist())
    assert {largest, -largest, smallest, -smallest} <= found
    assert np.isnan(special).any()
    assert {np.inf, -np.inf} <= set(special.tolist())
    assert np.signbit(special[special == 0]).any()
    assert not np.signbit(special[special == 0]).all()


def test_an_earlier_case_leaves_nothing(tmp_path: Path) -> None:
    """But for what somebody has changed since, or put there."""
    golden(tmp_path, "silu_backward", "--shape", "4", "--raw")
    (tmp_path / "self.bin").write_bytes(b"mine now")
    (tmp_path / "out.npy").write_bytes(b"mine")
    golden(tmp_path, "silu_backward", "--shape", "5")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "golden.npy", "golden_rounded.npy", "grad_output.npy", "manifest.json", "out.npy",
        "self.bin", "self.npy",
    ]  # fmt: skip


def test_a_manifest_deletes_nothing_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "letter").write_bytes(b"")
    digest = hashlib.sha256(b"").hexdigest()
    (tmp_path / "case").mkdir()
    names = {"../letter": digest, str(tmp_path / "letter"): digest}
    (tmp_path / "case" / "manifest.json").write_text(json.dumps({"sha256": names}))
    golden(tmp_path / "case", "silu_backward", "--shape", "5")
    assert (tmp_path / "letter").exists()
