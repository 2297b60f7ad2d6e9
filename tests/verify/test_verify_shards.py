"""Proofs in parts: together they are the whole, to the last bit; what is not that is refused."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from openaclnn.base.dtypes import FLOAT, FLOAT16
from openaclnn.cli.verify import command
from openaclnn.ops import find
from openaclnn.verify import run, shards
from openaclnn.verify.shards import Shard
from openaclnn.verify.tally import Tally, Worst
from openaclnn.verify.work import together

WORK = run.work_of([find("hardsigmoid_backward"), find("eq_tensor")], [FLOAT16], torch=False)
PARTS = 3


def part(number: int, of: int = PARTS, work: run.Scope = WORK, device: str = "cpu") -> str:
    one = Shard(number, of)
    found = run.measure(one.some(work.tasks("cpu")), threads=1)
    return shards.dumps(work, one, found.tallies, device, found.seconds)


@pytest.fixture(scope="module")
def parts() -> dict[str, str]:
    return {f"{number}.json": part(number) for number in range(1, PARTS + 1)}


def test_the_parts_are_the_whole(parts: dict[str, str]) -> None:
    whole = run.measure(WORK.tasks("cpu"), threads=1)
    expected = run.report_of(WORK, whole.tallies, "cpu", 0.0).as_dict(profile=True)
    shuffled = list(parts.items())
    random.Random(5).shuffle(shuffled)
    found = shards.merged(dict(shuffled)).as_dict(profile=True)
    assert {**found, "seconds": 0.0} == expected
    assert json.dumps({**found, "seconds": 0.0}) == json.dumps(expected)


def test_parts_share_all_of_the_work() -> None:
    tasks = WORK.tasks("cpu")
    shared = [task for number in (1, 2, 3, 4) for task in Shard(number, 4).some(tasks)]
    assert sorted(map(repr, shared)) == sorted(map(repr, tasks))


def test_a_device_takes_neighbours_together() -> None:
    work = run.work_of([find("exp")], [FLOAT], exhaustive=True, torch=False)
    for device, most in (("cuda", 16), ("cpu", 1)):
        tasks = work.tasks(device)
        groups = list(together(tasks))
        assert [number for group in groups for number in group] == list(range(len(tasks)))
        assert max(map(len, groups)) == most
        every = next(group for group in groups if len(group) == most)
        assert [tasks[n].index - tasks[every[0]].index for n in every] == list(range(most))


def test_devices_are_told(parts: dict[str, str]) -> None:
    other = parts["2.json"].replace('"device": "cpu"', '"device": "cuda"')
    assert shards.merged(parts | {"2.json": other}).device == "cpu and cuda"


def test_a_tally_comes_back_to_the_last_bit() -> None:
    before = Tally(
        count=7, worst=Worst(np.inf, (1, 2), (0.1, -np.inf, float("nan"), 3), "a=1", -0.0, 1e300),
        above=np.arange(6), wrong_nans=2, special=Worst(np.inf, (0, 0, 9)), rounded=True,
        refused="no", digest=2**127 + 1, relative=Worst(2.0**-60, (4,), (1.5,)),
        places=np.array([3, 16383], np.uint16), peaks=np.array([0.1, np.inf]),
    )  # fmt: skip
    after = shards._tally(json.loads(json.dumps(shards._counted(before))))
    assert repr(after) == repr(before)
    assert after.peaks.tobytes() == before.peaks.tobytes()


def test_the_order_of_adding_does_not_matter() -> None:
    found = [Tally(refused=why) for why in ("", "b", "a", "")]
    for order in ((0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)):
        total = Tally()
        for number in order:
            total.add(found[number])
        assert total.refused == "a"


def test_what_is_not_the_whole_is_refused(parts: dict[str, str]) -> None:
    one, two, three = parts.values()
    exhaustive = one.replace('"exhaustive": false', '"exhaustive": true')
    fewer = replace(WORK, pairs=WORK.pairs[:1])
    for files, words in (
        ({}, "there are no parts to merge"),
        ({"a": one}, "what is missing: part 2 of 3, part 3 of 3"),
        ({"a": one, "b": two, "c": three, "d": two}, "part 2 of 3 is in b and in d"),
        ({"a": one, "b": part(2, of=4)}, "b is one of 4 parts, a one of 3"),
        ({"a": two, "b": exhaustive}, "b is a part of other work than a: exhaustive is true"),
        ({"a": two, "b": part(1, work=fewer)}, "only one of them has eq_tensor f16"),
        ({"a": one.replace("(", "(f", 1)}, r"a is by openaclnn .* expected"),
        ({"a": "{}"}, "a is no part that openaclnn verify --shard wrote"),
        ({"a": "[1"}, "a is no part"),
    ):
        with pytest.raises(ValueError, match=words):
            shards.merged(files)


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "a/b", "1/0", "-1/2"])
def test_what_is_no_part_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no part; expected K/N"):
        shards.shard(text)


def test_as_people_type_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def typed(*arguments: str, status: int = 0) -> str:
        done = CliRunner().invoke(command, list(arguments))
        assert done.exit_code == status, done.output
        return done.output

    chosen = ("eq_tensor", "--dtype", "bool", "--no-torch", "--threads", "1")
    assert "written: verify-1-of-2.json" in typed(*chosen, "--shard", "1/2")
    assert "part 2 of 2" in typed(*chosen, "--shard", "2/2", "--save", "second.json")
    whole = json.loads(typed(*chosen, "--json"))
    merged = json.loads(typed("--merge", "verify-1-of-2.json", "second.json", "--json"))
    assert {**merged, "seconds": 0} == {**whole, "seconds": 0}
    assert "within the bounds" in typed("--merge", "verify-1-of-2.json", "second.json")
    for arguments, words in (
        (["--merge", "second.json", "second.json"], "named twice"),
        (["--merge", "nowhere.json"], "nowhere.json"),
        ([*chosen, "--shard", "1/2", "--json"], "a part has neither table nor picture"),
    ):
        assert words in typed(*arguments, status=2)


def test_an_interrupted_part_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from openaclnn.verify import session

    monkeypatch.chdir(tmp_path)
    stopped = run.Measured({}, 0.5, True, 1.0)
    monkeypatch.setattr(session, "measure", lambda tasks, threads, progress: stopped)
    done = CliRunner().invoke(command, ["eq_tensor", "--dtype", "bool", "--shard", "1/2"])
    assert done.exit_code == 130
    assert "interrupted after 50%: part 1 of 2 is not written" in done.output
    assert not list(tmp_path.iterdir())
