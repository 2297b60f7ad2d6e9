"""A toolkit of its own for these tests, and ways to compile and run programs against it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp

import pytest

from openaclnn.capi import build

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests" / "capi" / "programs"

Done = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Toolkit:
    home: Path
    environment: Mapping[str, str]  # with OPENACLNN_CACHE of these tests

    def on(self, device: str) -> Toolkit:
        """The same, with programs on another kind of device."""
        return replace(self, environment={**self.environment, "OPENACLNN_DEVICE": device})

    command = (sys.executable, "-m", "openaclnn.cli.main")

    def cli(self, *arguments: str | Path, **options: object) -> Done:
        """Run the command openaclnn."""
        return self.execute([*self.command, *arguments], **options)

    def execute(
        self,
        command: Sequence[str | Path],
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        input: str | None = None,
    ) -> Done:
        return subprocess.run(
            [str(word) for word in command],
            env=dict(self.environment if env is None else env),
            cwd=cwd, input=input, capture_output=True, text=True, timeout=1800,
        )  # fmt: skip

    @cached_property
    def quick_compiler(self) -> str:
        """For CC: it builds the library in half of the time, without optimisation."""
        path = Path(mkdtemp(dir=self.environment["OPENACLNN_CACHE"])) / "cc"
        path.write_text('#!/bin/sh\nexec gcc "$@" -O0\n')
        path.chmod(0o755)
        return shlex.quote(str(path))

    def with_own(self, folder: Path) -> Toolkit:
        """The same, with operators of the user's own."""
        added = {"OPENACLNN_OPS": str(folder), "CC": self.quick_compiler}
        other = replace(self, environment={**self.environment, **added})
        made = other.cli("home")
        assert made.returncode == 0, made.stderr
        return replace(other, home=Path(made.stdout.strip()))

    def compile(self, source: Path, target: Path, *flags: str) -> Path:
        """Compile a program the way that `openaclnn home` implies."""
        command = ["g++", *(flags or ("-std=c++17", "-O1")), "-pthread", f"-I{self.home}/include"]
        command += [str(source), "-o", str(target), f"-L{self.home}/lib64"]
        command += ["-lascendcl", "-lnnopbase", "-lopapi", f"-Wl,-rpath,{self.home}/lib64"]
        done = self.execute(command)
        assert done.returncode == 0, done.stderr
        return target

    def sanitized(self, source: Path, folder: Path) -> Path:
        """A program with the library's own sources in it, compiled with AddressSanitizer and
        UBSan."""
        flags, objects = self._watched_library
        target = folder / source.stem
        command = ["g++", "-std=c++17", *flags, source, *objects, "-pthread", "-ldl", "-rdynamic"]
        made = self.execute([*command, "-o", target])
        assert made.returncode == 0, made.stderr
        return target

    @cached_property
    def _watched_library(self) -> tuple[list[str], list[Path]]:
        """The flags that sanitizers need, and the library's objects, compiled with them."""
        folder = Path(mkdtemp(dir=self.environment["OPENACLNN_CACHE"]))
        done = self.execute([sys.executable, "-c", _WRITE_SOURCES, folder])
        assert done.returncode == 0, done.stderr
        flags = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
        flags += [f"-I{folder}/include", f"-I{folder}/{build.VENDOR}/include", f"-I{PROGRAMS}"]
        objects = []
        for path in sorted(folder.glob("c/*.c")):
            objects.append(path.with_suffix(".o"))
            # without optimisation in half of the time; programs are quicker to optimise than slow
            command = ["gcc", "-std=gnu99", *flags, "-O0", *done.stdout.splitlines()]
            command += ["-c", path, "-o"]
            made = self.execute([*command, objects[-1]])
            if "cannot find" in made.stderr:
                pytest.skip("this compiler has no sanitizers")
            assert made.returncode == 0, made.stderr
        return flags, objects

    def without_faults(self, program: Path, *arguments: str) -> None:
        """Run a program that sanitizers watch."""
        options = "detect_leaks=1:allocator_may_return_null=1"
        watched = {**self.environment, "ASAN_OPTIONS": options}
        done = self.execute([program, *arguments], env=watched)
        assert done.returncode == 0, done.stdout + done.stderr


_WRITE_SOURCES = """
import pathlib, sys
from openaclnn.capi import build
for name, data in build.sources():
    path = pathlib.Path(sys.argv[1], name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
for key, value in build.definitions().items():
    print(f'-D{key}="{value}"')
"""


@pytest.fixture(scope="session")
def toolkit(tmp_path_factory: pytest.TempPathFactory) -> Toolkit:
    environment = dict(os.environ)
    environment["OPENACLNN_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    paths = [str(ROOT / "src"), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    ours = ("DEVICE", "SOC", "MATH", "SANITIZE", "RECORD", "RECORD_STACKS", "RECORD_TIMES")
    for name in (*(f"OPENACLNN_{part}" for part in ours), "LD_LIBRARY_PATH"):
        environment.pop(name, None)
    environment["OPENACLNN_DEVICE"] = "cpu"
    made = Toolkit(Path(), environment).cli("home")
    assert made.returncode == 0, made.stderr
    assert "building" in made.stderr
    return Toolkit(Path(made.stdout.strip()), environment)


@pytest.fixture(params=["cpu", "cuda"])
def device(request: pytest.FixtureRequest) -> str:
    if request.param == "cuda":
        request.getfixturevalue("gpu")
    return str(request.param)


@pytest.fixture(scope="session")
def program(toolkit: Toolkit, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compile one of the test programs, once per set of flags."""
    folder = tmp_path_factory.mktemp("programs")
    made: dict[tuple[str, ...], Path] = {}

    def compiled(name: str, *flags: str) -> Path:
        key = (name, *flags)
        if key not in made:
            target = folder / f"{name}-{len(made)}"
            made[key] = toolkit.compile(PROGRAMS / f"{name}.cpp", target, *flags)
        return made[key]

    return compiled
