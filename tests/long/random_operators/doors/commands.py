"""Random operators on the command line."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from click.testing import CliRunner

from openaclnn.bench.cases import WAYS
from openaclnn.calls import stubs
from openaclnn.cli.main import commands
from random_operators.calls import Call
from random_operators.doors.functions import run
from random_operators.dtypes import INTEGERS
from random_operators.layouts import same

_PAGES = Path(__file__).parents[4] / "scripts" / "pages.py"


def said(*words: object) -> str:
    """What a command prints; a failure is raised."""
    line = list(map(str, words))
    result = CliRunner().invoke(commands, line)
    if result.exit_code:
        raise AssertionError(f"{' '.join(line)}: {result.output}") from result.exception
    return result.stdout


@cache
def _listed() -> dict[str, Any]:
    said("ops")
    return {facts["name"]: facts for facts in json.loads(said("ops", "--json"))}


def ops(call: Call, rng: Random) -> Iterator[str]:
    """Every operator is listed."""
    if _listed()[call.operator.name]["c_name"] != call.operator.c_name:
        yield f"it is listed as {_listed()[call.operator.name]}"


def show(call: Call, rng: Random) -> Iterator[str]:
    """In two languages, for programs, and down to the kernel."""
    name, c_name = call.operator.name, call.operator.c_name
    for more in ((), ("--lang", "zh"), ("--kernel", "cpu"), ("--kernel", "cuda")):
        if c_name not in said("show", c_name if more else name, *more):
            yield f"show {' '.join(more)} does not name {c_name}"
    shown = [a["c_name"] for a in json.loads(said("show", name, "--json"))["arguments"]]
    if shown != [a.c_name for a in call.operator.arguments]:
        yield f"show --json has the arguments {shown}"


def call_on_files(call: Call, rng: Random) -> Iterator[str]:
    """The bits of the function, from files to files."""
    operator, expected = call.operator, run(call)
    with tempfile.TemporaryDirectory() as name:
        folder, files = Path(name), {}
        for tensor in operator.inputs:
            given = call.arguments[tensor.name]
            arrays = given if isinstance(given, list) else [] if given is None else [given]
            files[tensor.name] = [folder / f"{tensor.name}{k}.npy" for k in range(len(arrays))]
            for path, array in zip(files[tensor.name], arrays, strict=True):
                np.save(path, array)
        line = ["call", operator.name, *_tensors(call, files), *_options(call)]
        paths = [folder / f"result{number}.npy" for number in range(len(expected))]
        said(*line, *(word for path in paths for word in ("-o", path)))
        found = [np.load(path) for path in paths]  # which forgets that two bytes are a bfloat16
        if not same([a.view(b.dtype) for a, b in zip(found, expected, strict=True)], expected):
            yield "the results differ"
        if json.loads(said(*line, "--json"))["operator"] != operator.c_name:
            yield "--json tells of another operator"
        said(*line)


def _tensors(call: Call, files: dict[str, list[Path]]) -> Iterator[object]:
    """The words for tensors: those that are needed by their places, optional ones by name."""
    for tensor in call.operator.inputs:
        if not tensor.optional:
            yield from files.get(tensor.name, ())
    for tensor in call.operator.inputs:
        if tensor.optional and files.get(tensor.name):
            yield from (_option(tensor.name), *files[tensor.name])


def _option(name: str) -> str:
    return "--" + name.strip("_").replace("_", "-")


def _options(call: Call) -> Iterator[str]:
    for attribute in call.operator.attributes:
        value, name = call.arguments[attribute.name], _option(attribute.name)
        if attribute.host != "flag":
            yield from () if value is None else (name, _typed(value))
        elif value or attribute.default is not False:
            yield name if value else f"--no-{name[2:]}"


def _typed(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def golden_and_compare(call: Call, rng: Random) -> Iterator[str]:
    """A case that golden draws, whose files are called and compared."""
    operator = call.operator
    given = [("-a", f"{a.name}={_typed(call.arguments[a.name])}")
             for a in operator.attributes if call.arguments[a.name] is not None]  # fmt: skip
    line: list[object] = [word for pair in given for word in pair]
    if operator.inputs:
        line += ["--shape", "4,6", "--dtype", rng.choice(operator.inputs[0].dtypes)]
    with tempfile.TemporaryDirectory() as name:
        case, files = Path(name), {}
        said("golden", operator.name, *line, "-o", case)
        for facts in json.loads((case / "manifest.json").read_text())["inputs"]:
            files.setdefault(facts["name"].partition("[")[0], []).append(case / facts["file"])
        if operator.changed and not operator.changed.read:
            files[operator.changed.name] = [_spoilt(case / "golden_rounded.npy")]
        paths = [case / f"result{number}.npy" for number in range(len(operator.outputs))]
        outs = [word for path in paths for word in ("-o", path)]
        said("call", operator.name, *_tensors(call, files), *_options(call), *outs)
        for path, output in zip(paths, operator.outputs, strict=True):
            place = f"{case}:{output.name}" if len(paths) > 1 else case
            said("compare", path, place, *[] if operator.wide else ["--ulp", 8])
    yield from ()


def _spoilt(path: Path) -> Path:
    """A copy of a file with other values, to be overwritten: of such a tensor none is written."""
    copy = path.with_name("spoilt.npy")
    shutil.copyfile(path, copy)
    np.load(copy, mmap_mode="r+").view(np.uint8)[...] = 1
    return copy


def verify(call: Call, rng: Random) -> Iterator[str]:
    """Integers are equal. Floats are measured; far from where formulas were drawn for they may
    overflow on the way."""
    tensors = call.operator.inputs
    dtype = rng.choice(tensors[0].dtypes) if tensors else call.promoted
    line = ["verify", call.operator.name, "--no-torch", "--threads", "1", "--dtype", dtype]
    done = CliRunner().invoke(commands, line)
    measured = dtype not in INTEGERS and "exceed what is promised" in done.stdout
    if done.exit_code != int(measured) or "refused" in done.stdout:
        yield f"{' '.join(line)}: {done.output}"


def bench(call: Call, rng: Random) -> Iterator[str]:
    """Measured in every way beside NumPy, which computes the same."""
    few = "--size 2^8 --seconds 0 --threads 1 --way all --against numpy --json"
    line = ["bench", "--op", call.operator.name, *few.split()]
    tensors = call.operator.inputs
    line += ["--dtype", rng.choice(tensors[0].dtypes)] if tensors else []
    found = json.loads(said(*line))
    ways = {cell["case"]["way"] for cell in found["cells"]}
    without = {"way new: it is for contiguous arrays of one shape"} & {*found["left_out"]}
    expected = {way for way in WAYS if way != "new" or not without}
    if ways != expected or {*found["left_out"]} != without:
        yield f"measured are the ways {ways}; {found['failed']}, {found['left_out']}"


CHECKS = (ops, show, call_on_files, golden_and_compare, verify, bench)


def together(calls: Sequence[Call]) -> Iterator[str]:
    """What is generated for the package's own operators says nothing of the user's."""
    done = subprocess.run([sys.executable, _PAGES, "--check"], capture_output=True, text=True)
    if done.returncode:
        yield f"{_PAGES}: {done.stdout}{done.stderr}"
    listed = re.findall(r"^def (\w+)\(", stubs.stubs()["operators.pyi"], re.MULTILINE)
    if own := {call.operator.name for call in calls} & {*listed}:
        yield f"the stubs have the user's {own}"
