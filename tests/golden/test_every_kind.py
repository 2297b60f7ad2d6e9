"""Operators of every kind, as a user adds them: golden values, comparisons and proofs work without
another edit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from click.testing import CliRunner

import kinds
import openaclnn.ops
from openaclnn.base import dtypes
from openaclnn.calls.functions import tensor_parameters
from openaclnn.calls.on_device import call_at
from openaclnn.cli.main import commands
from openaclnn.golden import cases as golden
from openaclnn.ops import find
from openaclnn.verify import subjects, verify


@pytest.fixture(autouse=True)
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    with kinds.registered():
        yield


def run(line: str, status: int = 0) -> str:
    done = CliRunner().invoke(commands, line.split())
    assert done.exit_code == status, done.output + repr(done.exception)
    return done.output


def load(entry: dict[str, Any]) -> np.ndarray:
    """A tensor of a case, as a stranger would make it."""
    storage = np.load(f"case/{entry['file']}")
    if entry["dtype"] == "BF16":
        storage = storage.view(ml_dtypes.bfloat16)
    flat = storage.ravel()[entry["offset"] :]
    strides = [stride * flat.itemsize for stride in entry["strides"]]
    return np.lib.stride_tricks.as_strided(flat, entry["shape"], strides)


def called(op_name: str, manifest: dict[str, Any], attributes: dict[str, Any]) -> None:
    """Our results of the case's call, saved by output."""
    op = find(op_name)
    arrays: dict[str, Any] = {}
    for entry in manifest["inputs"]:
        name, bracket, _ = entry["name"].partition("[")
        if bracket:
            arrays.setdefault(name, []).append(load(entry))
        else:
            arrays[name] = load(entry)
    outputs = manifest.get("outputs") or [manifest["output"]]
    made = {
        entry["name"]: np.zeros(entry["shape"], dtypes.by_name(entry["dtype"]).numpy)
        for entry in outputs
    }
    given = {a.name: arrays.get(a.name) for a in tensor_parameters(op)}
    given |= {name: array for name, array in made.items() if name in given and given[name] is None}
    outs = [made.get(output.name) for output in op.outputs] if not op.in_place else []
    results = call_at("cpu", op, given, op.defaults | attributes, outs)
    for output, result in zip(op.outputs, results, strict=True):
        if result is not None:
            np.save(f"{output.name}.npy", result)


CASES = [
    ("tripled", "--dtype bf16"),
    ("tripled", "--dtype s8 --special"),
    ("tripled", "--dtype s64 --distribution bits"),
    ("tripled", "--dtype f16 --out-dtype f32 --layout transposed"),
    ("tripled", "--dtype s32 --out-dtype f16"),
    ("inplace_tripled", "--dtype f32 --layout reversed"),
    ("inplace_tripled", "--dtype u8"),
    ("parted", "--dtype f16 --special"),
    ("parted", "--dtype s16"),
    ("parted", "--without whole"),
    ("weighted", ""),
    ("weighted", "--without weight --shape bias=1,1"),
    ("weighted", "--without weight --without bias --dtype bf16"),
    ("joined", "--members 3 --layout out=offset"),
    ("joined", "-a dim=1 --dtype s32"),
    ("gated", "--dtype f16"),
    ("gated", "-a dim=0 --special"),
    ("closer_tensor", "--dtype s64 --distribution bits"),
    ("closer_tensor", "--dtype f32 --dtype other=f16 --shape other=16"),
    ("closer_scalar", "-a other=2"),
    ("inplace_closer_tensor", "--dtype bool"),
    ("chosen", ""),
    ("chosen", "-a count=-7 -a factor=0.3 -a upwards=false -a limits=-1,4 -a dtype=s8"),
    ("inplace_ones_like", "--dtype s16"),
]


@pytest.mark.parametrize(("op", "options"), CASES)
def test_golden_call_compare(op: str, options: str) -> None:
    told = run(f"golden {op} --shape 8,16 {options} -o case")
    manifest = json.loads(Path("case/manifest.json").read_text())
    texts = dict(word.split("=", 1) for word in options.split() if _is_attribute(op, word))
    attributes = {a.name: golden.attribute(a, texts[a.name]) for a in find(op).attributes
                  if a.name in texts}  # fmt: skip
    called(op, manifest, attributes)
    outputs = manifest.get("outputs")
    for entry in outputs or [manifest["output"]]:
        place = f"case:{entry['name']}" if outputs else "case"
        assert f"RESULT case{':NAME' if outputs else ''}" in told
        assert "passes " in run(f"compare {entry['name']}.npy {place}")
        rounded = (entry.get("golden") or manifest["golden"])["rounded"]
        assert "passes " in run(f"compare case/{rounded} {place}")


def _is_attribute(op: str, word: str) -> bool:
    return word.partition("=")[0] in {a.name for a in find(op).attributes}


def test_a_wrong_integer_fails() -> None:
    run("golden tripled --dtype s32 --shape 5 -o case")
    wrong = np.load("case/golden_rounded.npy")
    wrong[3] += 1
    np.save("wrong.npy", wrong)
    assert "1 elements that differ" in run("compare wrong.npy case", 1)


def test_which_output_must_be_said() -> None:
    run("golden parted --shape 5 -o case")
    assert "several outputs; choose one as case:NAME of part, whole" in run(
        "compare case/golden_part_rounded.npy case", 2
    )
    assert "no output 'hole'" in run("compare case/golden_part_rounded.npy case:hole", 2)


def test_what_is_written_in_place_has_its_own_dtype() -> None:
    told = run("golden inplace_tripled --out-dtype f16 -o case", 2)
    assert "writes to self: --dtype says of which dtype" in " ".join(told.split())


def test_raw_files_of_a_list() -> None:
    run("golden joined --shape 4 --raw -o case")
    names = {path.name for path in Path("case").iterdir()}
    assert {"tensors_0.bin", "tensors_1.bin", "golden.npy", "golden_rounded.bin"} < names


PROVEN = [
    ("tripled", "bf16"), ("tripled", "s8"), ("inplace_tripled", "s64"), ("parted", "f16"),
    ("parted", "u8"), ("weighted", "bf16"), ("joined", "s32"), ("gated", "f16"), ("gated", "f32"),
    ("closer_tensor", "f16"), ("inplace_closer_scalar", "bool"), ("chosen", "f16"),
    ("inplace_ones_like", "s16"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "dtype"), PROVEN)
def test_proofs(name: str, dtype: str) -> None:
    report = verify([find(name)], [dtypes.by_name(dtype)], threads=1, torch=False)
    assert report.passed, str(report)
    assert all(row.tally.count > 10_000 for row in report.rows)


@pytest.mark.parametrize(("name", "dtype"), [p for p in PROVEN if p[0] != "chosen"])
def test_a_wrong_bit_is_found(name: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = subjects.called

    def wrong(*arguments: Any) -> Any:
        found = real(*arguments)
        bits = found[-1].reshape(-1).view(np.uint8)
        bits[bits.size // 2] ^= 1
        return found

    monkeypatch.setattr(subjects, "called", wrong)
    (row,) = verify([find(name)], [dtypes.by_name(dtype)], ["exact"], threads=1, torch=False).rows
    assert row.faults


def test_the_command_tells() -> None:
    told = run("verify parted --dtype s8 --threads 1 --no-torch")
    assert "pass  parted" in told
    assert "equal" in told
    told = run("verify gated --dtype f32 --level fast --threads 1 --no-torch")
    assert "–" in told  # nothing is promised


def test_what_cannot_be_called_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from openaclnn.spec.rules import OneOf

    op = find("chosen")
    count = replace(op.attributes[0], choices={"seven": 7}, default=2)
    arguments = tuple(count if a.name == "count" else a for a in op.arguments)
    strict = replace(
        op, name="chosen_strictly", arguments=arguments, rules=(*op.rules, OneOf("count"))
    )
    monkeypatch.setitem(openaclnn.ops.all_ops(), strict.name, strict)
    (row,) = verify([strict], [dtypes.FLOAT16], ["exact"], threads=1, torch=False).rows
    assert "refused: aclnnChosenStrictly: count is 2; expected 7 (seven)" in row.faults[0]


def test_beside_pytorch() -> None:
    pytest.importorskip("torch")
    told = json.loads(run("verify tripled --dtype f16 --threads 1 --json"))
    assert told["rows"][0]["torch"] is None  # its file names no function of PyTorch's
