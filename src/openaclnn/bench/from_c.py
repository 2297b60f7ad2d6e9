"""A case called by a C program in a process of its own, which takes the time itself."""

from __future__ import annotations

import math
import os
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any

from openaclnn.base.dtypes import DType
from openaclnn.base.scalars import Scalar
from openaclnn.base.tensors import Tensor
from openaclnn.bench.ways import FailedError, UnavailableError
from openaclnn.spec.call import Call
from openaclnn.spec.host import FLOAT32, Array, Host

_SOURCE = Path(__file__).parent / "calls.c"


class CallingProgram:
    """The program, started; `times` of it are taken batch by batch."""

    def __init__(self, call: Call, level: str, threads: int, repeated: bool = False) -> None:
        settings = {
            "OPENACLNN_MATH": level,
            "OPENACLNN_SOC": call.product.name,
            "OMP_NUM_THREADS": str(threads),
            "OPENACLNN_DEVICE": "cpu",
        }
        self._process = subprocess.Popen(
            [str(executable(call)), "repeated" if repeated else "calls"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is for us
            env={**os.environ, **settings},
        )

    def __call__(self) -> None:
        self.batch(1)

    def batch(self, count: int) -> int:
        """Make so many calls; the nanoseconds that they took."""
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write(f"{count}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            answer = ""
        else:
            answer = self._process.stdout.readline()
        if not answer:
            raise FailedError("the C program ended; it has said why")
        return int(answer)

    def __enter__(self) -> CallingProgram:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate("", timeout=10)


def executable(call: Call) -> Path:
    """The program that makes a call on contiguous tensors."""
    from openaclnn.capi import build, program, toolkit

    if build.python_library() is None:
        raise UnavailableError("this Python has no shared library")
    arguments = _Arguments(call)
    flags = [
        f'-DHEADER="{call.op.header_name}"',
        f"-DOPERATOR={call.op.c_name}",
        f"-DSETUP={' '.join(arguments.made)}",
        f"-DEND={' '.join(arguments.destroyed)}",
        f"-DARGUMENTS={', '.join(arguments.names)}",
    ]
    try:
        return program.executable(_SOURCE, ["-O2", *flags], toolkit.home())
    except (build.BuildError, program.CompileError) as error:
        raise UnavailableError(str(error)) from None


class _Arguments:
    """A call's arguments in C: statements that make and destroy them, and their names."""

    def __init__(self, call: Call) -> None:
        self.made: list[str] = []
        self.destroyed: list[str] = []
        self.names: list[str] = []
        self.tensors = 0
        for argument in call.op.arguments:
            name = f"a{len(self.names)}"
            self.names.append(name)
            self._make(name, call[argument.name], getattr(argument, "host", None))

    def _make(self, name: str, value: Any, host: Host | None) -> None:
        if value is None:
            self.made.append(f"void *{name} = NULL;")
        elif isinstance(value, Tensor):
            self._handle("Tensor", name, self._tensor(value))
        elif host is None:
            members = ", ".join(map(self._tensor, value))
            self.made.append(f"const aclTensor *{name}_all[] = {{{members}}};")
            self._handle("TensorList", name, f"aclCreateTensorList({name}_all, {len(value)})")
        elif isinstance(value, Scalar):
            # the bytes that its dtype has for it
            data = ", ".join(map(str, _bytes(value)))
            self.made.append(f"_Alignas(16) unsigned char {name}_value[] = {{{data}}};")
            code = f"ACL_{value.dtype.name}"
            self._handle("Scalar", name, f"aclCreateScalar({name}_value, {code})")
        elif isinstance(host, Array):
            kind = host.c_type.removeprefix("const acl").removesuffix("*")
            values = ", ".join(_number(one, host.of) for one in value) or "0"
            self.made.append(f"{host.of.c_type} {name}_all[] = {{{values}}};")
            self._handle(kind, name, f"aclCreate{kind}({name}_all, {len(value)})")
        else:
            self.made.append(f"{host.c_type} {name} = {_number(value, host)};")

    def _handle(self, kind: str, name: str, made: str) -> None:
        self.made.append(f"acl{kind} *{name} = {made};")
        self.destroyed.append(f"aclDestroy{kind}({name});")

    def _tensor(self, tensor: Tensor) -> str:
        shape = ", ".join(map(str, tensor.shape)) or "1"
        facts = f"ACL_{tensor.dtype.name}, {tensor.dtype.itemsize}, {len(tensor.shape)}"
        self.tensors += 1
        return f"tensor({self.tensors - 1}, {facts}, (int64_t[]){{{shape}}})"


def _bytes(value: Scalar) -> bytes:
    import numpy as np

    return np.array(value.value).astype(value.dtype.numpy).tobytes()


def _number(value: Any, host: Host) -> str:
    if isinstance(value, DType):
        return f"ACL_{value.name}"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, float) and not math.isfinite(value):
        return f"({(value > 0 and '1') or '-1'} / 0.0)" if value == value else "(0.0 / 0.0)"
    suffix = "f" if host is FLOAT32 else ""
    return f"{value!r}{suffix}" if isinstance(value, float) else str(int(value))
