"""Threads, forks, static objects, hosts of every kind, signals."""

from __future__ import annotations

import platform
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from openaclnn.capi import build

PROGRAMS = Path(__file__).parent / "programs"


def test_eight_threads(toolkit, device, program):
    done = toolkit.on(device).execute([program("threads"), "8", "60"])
    assert (done.returncode, done.stdout) == (0, "8 threads: right\n"), done.stderr


def test_numpy_is_not_waited_for(toolkit, program):
    """To import it would take a third of the time to the first operator."""
    loading = ["env", "LD_DEBUG=files", program("threads"), "1", "1"]
    done = toolkit.on("cpu").execute(loading)
    assert done.returncode == 0
    assert "llvmlite" in done.stderr
    assert "numpy" not in done.stderr


@pytest.mark.parametrize("mode", ["first-in-parent", "first-in-child"])
def test_fork(toolkit, program, mode):
    done = toolkit.execute([program("fork"), mode])
    assert (done.returncode, done.stdout) == (0, "forks: right\n"), done.stderr


@pytest.mark.parametrize("milliseconds", [0, 20, 80, 200, 400])
def test_a_fork_while_another_thread_makes_the_first_call(toolkit, program, milliseconds):
    """The script fork_moments.py does this at any number of random moments."""
    done = toolkit.execute([program("first_fork"), str(milliseconds * 1000)])
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_static_initialisers_and_destructors(toolkit, device, program):
    done = toolkit.on(device).execute([program("statics")])
    assert done.stdout == "initialiser: 0\nmain: 0\ndestructor: 0\natexit: 0\n"
    assert done.returncode == 0


@pytest.mark.parametrize("name", ["statics", "threads"])
def test_a_host_with_a_hostile_environment(toolkit, program, name, tmp_path):
    """No PATH, a PYTHONHOME of somebody else, no virtual environment, no home."""
    hostile = {
        "PATH": "",
        "PYTHONHOME": "/nonsense",
        "PYTHONPATH": "/nonsense",
        "LANG": "zh_CN.GBK",
    }
    hostile["OPENACLNN_CACHE"] = toolkit.environment["OPENACLNN_CACHE"]
    done = toolkit.execute([program(name), "2", "3"], env=hostile, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "WRONG" not in done.stdout


@pytest.mark.skipif(
    platform.machine() not in ("x86_64", "aarch64"), reason="the program reads a control word"
)
@pytest.mark.parametrize("count", ["10", "5000000"])
def test_a_host_built_with_fast_math(toolkit, program, count):
    made = program("fast_math", "-std=c++17", "-Ofast")
    done = toolkit.execute([made, count])
    assert (done.returncode, done.stdout) == (0, "fast math: right\n"), done.stderr


@pytest.mark.skipif(platform.machine() != "x86_64", reason="ARM processors may have no traps")
@pytest.mark.parametrize("count", ["10", "5000000"])
def test_a_host_that_traps_exceptions(toolkit, program, count):
    done = toolkit.execute([program("traps"), count])
    assert (done.returncode, done.stdout) == (0, "traps: right\n"), done.stderr


def test_a_fork_without_its_gpu(toolkit, gpu, tmp_path):
    """CUDA does not survive a fork: the child is told, and the parent goes on."""
    script = tmp_path / "script.py"
    script.write_text(
        "import acl, os\n"
        "acl.rt.set_device(0)\n"
        "if os.fork() == 0:\n"
        "    print(acl.rt.malloc(8, 0)[1], acl.get_recent_err_msg(), flush=True)\n"
        "    os._exit(0)\n"
        "os.wait()\n"
        "print(acl.rt.malloc(8, 0)[1])\n"
    )
    child, parent = toolkit.cli("run", "--device", "cuda", script).stdout.splitlines()
    assert child.startswith("507899 ")
    assert child.endswith("a process that was forked after CUDA had started cannot use it")
    assert parent == "0"


def _library(toolkit) -> Path:
    return toolkit.home / "lib64" / "libopapi.so"


@pytest.mark.parametrize("kind", ["cdll", "pydll"])
def test_a_python_host_with_openaclnn(toolkit, kind):
    command = [sys.executable, PROGRAMS / "ctypes_host.py", _library(toolkit), kind]
    done = toolkit.execute(command)
    assert done.stdout.splitlines() == [
        "phase 1: 0", "phase 2: 0", "out: 0.500000 0.927671 1.090784", "message: none",
    ]  # fmt: skip


def test_host_memory_is_no_device_memory(toolkit, gpu):
    """A host that forgot to bring its data to the GPU is told so, before a kernel looks there."""
    from openaclnn.runtime import cuda

    if cuda.reaches_everything(0):
        pytest.skip("this GPU reads the host's memory")
    command = [sys.executable, PROGRAMS / "ctypes_host.py", _library(toolkit)]
    done = toolkit.on("cuda").execute(command)
    assert done.stdout.startswith("phase 1: 161002\n")
    assert "grad_output lies at 0x" in done.stdout
    assert "expected an address from aclrtMalloc" in done.stdout


def test_control_c_reaches_a_python_host(toolkit):
    command = [sys.executable, PROGRAMS / "ctypes_host.py", _library(toolkit), "interrupt"]
    assert toolkit.execute(command).stdout.endswith("interrupted\n")


def test_a_python_host_without_openaclnn(toolkit):
    command = [sys.executable, "-I", "-S", PROGRAMS / "ctypes_host.py", _library(toolkit)]
    done = toolkit.execute(command)
    assert done.stdout.startswith("phase 1: 561000\n")
    assert "No module named 'openaclnn'" in done.stdout
    assert "No module named 'openaclnn'" in done.stderr


@pytest.mark.skipif(not Path("/usr/bin/python3").exists(), reason="there is no other Python")
def test_another_python(toolkit):
    done = toolkit.execute(
        ["/usr/bin/python3", "-I", PROGRAMS / "ctypes_host.py", _library(toolkit)]
    )
    assert done.stdout.startswith("phase 1: ")
    if "phase 1: 0" not in done.stdout:  # the very Python that has openaclnn
        assert done.stdout.startswith("phase 1: 561000\n")
        assert "openaclnn" in done.stderr


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        pytest.param("PYTHON_LIBRARY", "", "without --enable-shared", marks=pytest.mark.nightly),
        pytest.param(
            "PYTHON_LIBRARY",
            "/nowhere/libpython.so",
            "/nowhere/libpython.so",
            marks=pytest.mark.nightly,
        ),
        ("PYTHON_STDLIB", "/nowhere/lib", "standard library is gone: /nowhere/lib"),
    ],
)
def test_python_that_cannot_start(toolkit, program, tmp_path, monkeypatch, name, value, reason):
    """561000 and the reason, on stderr and as the message; never a success."""
    wrong = {**build.definitions(), name: value}
    monkeypatch.setattr(build, "definitions", lambda: wrong)
    monkeypatch.setattr(build, "_FLAGS", (*build._FLAGS, "-O0"))  # compiles in a third of the time
    for path, data in build.sources():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    build.compile_library(tmp_path, tmp_path / "libascendcl.so")
    env = {**toolkit.environment, "LD_LIBRARY_PATH": str(tmp_path)}
    preload = {**env, "LD_PRELOAD": str(tmp_path / "libascendcl.so")}
    done = toolkit.execute([program("statics")], env=preload)
    assert "main: 561000" in done.stdout
    assert reason in done.stderr
    done = toolkit.execute([program("misuse_runtime")], env=preload)
    assert done.returncode == 0  # what needs no Python does not miss it


SLEEPER = """
#include <unistd.h>
#include "check.h"
int main() {
  aclrtSetDevice(0);
  Operators operators(8);
  if (operators.Run(nullptr, 1)) return 1;
  std::printf("ready\\n");
  std::fflush(stdout);
  if (%s) for (;;) operators.Run(nullptr, 2);
  sleep(600);
}
"""


@pytest.mark.parametrize("busy", ["true", "false"])
def test_control_c_kills_at_once(toolkit, tmp_path, busy):
    source = tmp_path / "sleeper.cpp"
    source.write_text(SLEEPER % busy)
    command = [
        sys.executable,
        "-m",
        "openaclnn.cli.main",
        "run",
        f"--cxxflags=-I{PROGRAMS}",
        source,
    ]
    process = subprocess.Popen(
        [str(word) for word in command], env=dict(toolkit.environment), stdout=subprocess.PIPE
    )
    with process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=300) == -signal.SIGINT  # before it ends by itself
        finally:
            process.kill()


def test_what_a_program_printed_before_its_crash_is_seen(toolkit, tmp_path):
    source = tmp_path / "crash.cpp"
    source.write_text(
        '#include <cstdio>\n#include <csignal>\n#include "acl/acl.h"\n'
        'int main() { aclInit(nullptr); std::printf("before\\n"); std::raise(SIGSEGV); }\n'
    )
    done = toolkit.cli("run", source)
    assert (done.returncode, done.stdout) == (-signal.SIGSEGV, "before\n")


def test_all_names_are_one_library(toolkit, tmp_path):
    """A program that opens the library by every name has it once, with one state."""
    script = tmp_path / "names.py"
    script.write_text(
        "import ctypes, sys\n"
        "first, *others = [ctypes.CDLL(name) for name in sys.argv[1:]]\n"
        "first.aclInit(None)\n"
        "print([other.aclInit(None) for other in others])\n"
    )
    names = [toolkit.home / name for name in build.LINKS if name.endswith(".so")]
    done = toolkit.execute([sys.executable, script, *names])
    assert done.stdout.strip() == str([100002] * (len(names) - 1))
