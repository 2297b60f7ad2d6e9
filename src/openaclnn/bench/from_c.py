"""A case called by a C program in a process of its own, which takes the time itself."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any

from openaclnn.base.scalars import Scalar
from openaclnn.bench.cases import Case
from openaclnn.bench.layouts import attributes
from openaclnn.bench.ways import FailedError, UnavailableError
from openaclnn.ops import find
from openaclnn.spec.op import Attr, Op

_SOURCE = Path(__file__).parent / "calls.c"


class Program:
    """The program, started; `times` of it are taken batch by batch."""

    def __init__(self, case: Case, threads: int) -> None:
        path = _executable(find(case.op))
        settings = {"OPENACLNN_MATH": case.level, "OMP_NUM_THREADS": str(threads)}
        self._process = subprocess.Popen(
            [str(path), str(case.numel)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is for us
            env={**os.environ, **settings, "OPENACLNN_DEVICE": "cpu"},
        )

    def __call__(self) -> None:
        self.batch(1)

    def batch(self, count: int) -> int:
        """Make so many calls; the nanoseconds that they took."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{count}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise FailedError("the C program ended; it has said why")
        return int(answer)

    def __enter__(self) -> Program:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate("", timeout=10)


def _executable(op: Op) -> Path:
    from openaclnn.capi import build, program, toolkit

    if build.python_library() is None:
        raise UnavailableError("this Python has no shared library")
    try:
        return program.executable(_SOURCE, ["-O2", *_definitions(op)], toolkit.home())
    except build.BuildError as error:
        raise UnavailableError(str(error)) from None


def _definitions(op: Op) -> list[str]:
    """The operator's call as the compiler's definitions."""
    values = attributes(op)
    arguments, scalars, tensors = [], [], 0
    for argument in op.arguments:
        if isinstance(argument, Attr):
            arguments.append(_literal(argument, values[argument.name]))
            if isinstance(values[argument.name], Scalar):
                scalars.append(_scalar(argument, values[argument.name]))
        else:
            arguments.append(f"t[{tensors}]")
            tensors += 1
    return [
        f'-DHEADER="aclnnop/{op.header_name}"',
        f"-DOPERATOR={op.c_name}",
        f"-DARGUMENTS={', '.join(arguments)}",
        f"-DTENSORS={tensors}",
        f"-DSCALARS={' '.join(scalars)}",
    ]


def _literal(argument: Attr, value: Any) -> str:
    if isinstance(value, Scalar):
        return argument.name
    return str(int(value)) if isinstance(value, (bool, int)) else f"{value!r}f"


def _scalar(argument: Attr, value: Scalar) -> str:
    name, number = argument.name, f"{argument.name}_value"
    made = f"aclScalar *{name} = aclCreateScalar(&{number}, ACL_FLOAT);"
    return f"float {number} = {value.value}f; {made}"
