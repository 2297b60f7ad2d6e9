"""Random operators in one C++ program, built as Ascend's users build theirs, against
libcust_opapi.so: the bits of the Python functions."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from openaclnn.capi import toolkit
from random_operators.arguments import Attribute
from random_operators.calls import Call
from random_operators.doors.c_shaped import arguments
from random_operators.doors.functions import run
from random_operators.dtypes import KINDS, Array, short
from random_operators.layouts import LAYOUTS, storage_of

_CUSTOM = "opp/vendors/customize/op_api"
_HARNESS = Path(__file__).with_name("harness.h")


def together(calls: Sequence[Call]) -> Iterator[str]:
    """One program for all calls, and what is wrong with its results."""
    rng, program = Random(len(calls)), _Program()
    checks = [program.add(call, rng) for call in calls]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "before").write_bytes(program.memory)
        (folder / "program.cpp").write_text(program.source())
        for command in (_compiling(), ["./program"]):
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if done.returncode:
                yield f"{command[0]} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
                return
        memory = (folder / "after").read_bytes()
    for call, outputs in zip(calls, checks, strict=True):
        for place, expected in outputs:
            if place.of(memory).tobytes() != expected.tobytes():
                yield f"{call}: the results differ"


def _compiling() -> list[str]:
    home = toolkit.home()
    custom = home / _CUSTOM
    return [
        "g++", "-std=c++17", "-Wall", "-Werror", "-o", "program", "program.cpp",
        f"-I{home}/include", f"-I{custom}/include", f"-L{custom}/lib", f"-L{home}/lib64",
        "-lcust_opapi", "-lascendcl", "-lnnopbase", f"-Wl,-rpath,{custom}/lib:{home}/lib64",
    ]  # fmt: skip


@dataclass(frozen=True)
class _Place:
    """Where a tensor's storage begins among all bytes."""

    start: int
    array: Array

    def of(self, memory: bytes) -> Array:
        array, (_, offset) = self.array, storage_of(self.array)
        first = self.start + offset * array.itemsize
        return np.ndarray(array.shape, array.dtype, memory, first, array.strides)


@dataclass
class _Program:
    memory: bytearray = field(default_factory=bytearray)
    calls: list[str] = field(default_factory=list)

    def source(self) -> str:
        headers = sorted((toolkit.home() / _CUSTOM / "include").glob("*.h"))
        included = [*(path.name for path in headers), _HARNESS]
        return "\n".join(
            [*(f'#include "{name}"' for name in included), *self.calls, "int main() {", "begin();"]
            + [f"call_{number}();" for number in range(len(self.calls))]
            + ["return end();", "}\n"]
        )

    def add(self, call: Call, rng: Random) -> list[tuple[_Place, Array]]:
        """One function for a call; where its outputs will be, and what they must be."""
        operator, expected = call.operator, run(call)
        given = arguments(call, expected, rng.choice(LAYOUTS), rng.choice(LAYOUTS))
        unwanted = {o.name for o in operator.outputs if o.optional and rng.random() < 0.5}
        given |= dict.fromkeys(unwanted)
        places = {
            name: self._placed(value)
            for name, value in given.items()
            if isinstance(value, np.ndarray)
        }
        passed = []
        for argument in operator.arguments:
            value = given[argument.name]
            if isinstance(argument, Attribute):
                passed.append(_value(argument, value))
            elif isinstance(value, list):
                members = ", ".join(_tensor(self._placed(one)) for one in value)
                passed.append(f"list({{{members}}})")
            else:
                passed.append("nullptr" if value is None else _tensor(places[argument.name]))
        name = operator.c_name
        self.calls.append(
            f"static void call_{len(self.calls)}() {{\n    Call call;\n"
            f'    check("{name}", {name}GetWorkspaceSize({", ".join(passed)}, '
            f'&call.size, &call.executor));\n    call.run("{name}", {name});\n}}\n'
        )
        return [
            (places[output.name], one)
            for output, one in zip(operator.outputs, expected, strict=True)
            if output.name in places
        ]

    def _placed(self, array: Array) -> _Place:
        place = _Place(len(self.memory), array)
        self.memory += storage_of(array)[0].tobytes("A")
        return place


def _tensor(place: _Place) -> str:
    array, (storage, offset) = place.array, storage_of(place.array)
    strides = [stride // array.itemsize for stride in array.strides]
    code = f"ACL_{KINDS[short(array.dtype)].name}"
    numbers = (offset, code, place.start, storage.nbytes, array.itemsize)
    return f"tensor({_braced(array.shape)}, {_braced(strides)}, {', '.join(map(str, numbers))})"


def _braced(values: Sequence[Any]) -> str:
    return f"{{{', '.join(str(value).lower() for value in values)}}}"  # True is true


def _value(attribute: Attribute, value: Any) -> str:
    """A host value as C++ writes it."""
    host = attribute.host
    if value is None:
        return "nullptr"
    if host in ("scalar", "whole"):
        c_type = {bool: "bool", int: "int64_t", float: "double"}[type(value)]
        return f"scalar<{c_type}>({str(value).lower()})"
    if host in ("ints", "floats", "bools"):
        return f"{host}({_braced(value)})"
    if host == "text":
        return f'"{value}"'
    return f"static_cast<{attribute.kind.c_type}>({str(value).lower()})"
