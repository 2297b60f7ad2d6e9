"""Programs that do everything wrongly: the right code and a message each time, never a crash."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from openaclnn.capi import build

PROGRAMS = Path(__file__).parent / "programs"

WITHOUT_PYTHON = ("misuse_runtime", "runtime_rest")
MISUSES = (*WITHOUT_PYTHON, "misuse_operators", "virtual_memory")


@pytest.mark.parametrize("name", MISUSES)
def test_codes_and_messages(toolkit, device, program, name):
    done = toolkit.on(device).execute([program(name)])
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("right\n")


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
def test_the_c_part_under_valgrind(toolkit, program):
    valgrind = ["valgrind", "-q", "--error-exitcode=9", "--leak-check=full"]
    done = toolkit.execute([*valgrind, program("misuse_runtime")])
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", MISUSES)
def test_under_sanitizers(toolkit, tmp_path, name):
    """The library's own sources, compiled into the program with AddressSanitizer and UBSan."""
    for path, data in build.sources():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    macros = [f'-D{key}="{value}"' for key, value in build.definitions().items()]
    sanitize = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    includes = [f"-I{tmp_path}/include", f"-I{PROGRAMS}"]
    objects = []
    for source in sorted(tmp_path.glob("c/*.c")):
        objects.append(source.with_suffix(".o"))
        command = ["gcc", "-std=gnu99", *sanitize, *includes, *macros, "-c", source, "-o"]
        done = toolkit.execute([*command, objects[-1]])
        if "cannot find" in done.stderr:
            pytest.skip("this compiler has no sanitizers")
        assert done.returncode == 0, done.stderr
    target = tmp_path / name
    command = ["g++", "-std=c++17", *sanitize, *includes, PROGRAMS / f"{name}.cpp", *objects]
    done = toolkit.execute([*command, "-pthread", "-ldl", "-rdynamic", "-o", target])
    assert done.returncode == 0, done.stderr
    options = "detect_leaks=1:allocator_may_return_null=1"
    done = toolkit.execute([target], env={**toolkit.environment, "ASAN_OPTIONS": options})
    assert done.returncode == 0, done.stdout + done.stderr
