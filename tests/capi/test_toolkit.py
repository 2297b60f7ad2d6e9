"""The toolkit folder, its environment, and the module acl."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from openaclnn.capi import build, interface

ROOT = Path(__file__).resolve().parents[2]
ACTION = (ROOT / "action.yml").read_text()


@pytest.fixture(scope="module")
def example(toolkit, tmp_path_factory):
    """A program of the examples, compiled."""
    target = tmp_path_factory.mktemp("example") / "program"
    return toolkit.compile(ROOT / "examples" / "silu_backward.cpp", target)


def test_home_is_made_once_and_mended(toolkit):
    again = toolkit.cli("home")
    assert (again.stdout.strip(), again.stderr) == (str(toolkit.home), "")
    (toolkit.home / "lib64" / build.LIBRARY).write_bytes(b"damaged")
    mended = toolkit.cli("home")
    assert mended.stdout.strip() == str(toolkit.home)
    assert "building" in mended.stderr
    assert not list(toolkit.home.parent.glob(".*"))


def test_home_without_a_compiler(toolkit, tmp_path):
    env = {**toolkit.environment, "PATH": str(tmp_path), "OPENACLNN_CACHE": str(tmp_path / "new")}
    env.pop("CC", None)
    done = toolkit.cli("home", env=env)
    assert done.returncode == 1
    assert "install one" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("compiler", "sentence"),
    [
        ("while [ $1 != -o ]; do shift; done; echo garbage >$2", "made no shared library, or not"),
        ("exit 0", "cc was to build the C library, ended well and made nothing"),
        ("echo no; exit 3", "could not build the C library"),
        ("exec sleep 60", "has not built the C library in 0 s"),
    ],
)
def test_a_compiler_that_is_broken(tmp_path, monkeypatch, compiler, sentence):
    (tmp_path / "cc").write_text(f"#!/bin/sh\n{compiler}\n")
    (tmp_path / "cc").chmod(0o700)
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "some.c").write_text("int some;\n")
    monkeypatch.setenv("CC", str(tmp_path / "cc"))
    if "sleep" in compiler:
        monkeypatch.setattr("openaclnn.base.compiler._PATIENCE", 0.3)
    with pytest.raises(build.BuildError, match=sentence):
        build.compile_library(tmp_path, tmp_path / "library.so")


def test_another_compiler_makes_another_toolkit(monkeypatch):
    names = set()
    for compiler in ("", "gcc", "gcc -O1"):
        monkeypatch.setenv("CC", compiler)
        names.add(build.digest({}))
    assert len(names) == 3


LIBRARIES = """
lib64/libascendcl.so lib64/libacl_rt.so lib64/libnnopbase.so lib64/libopapi.so lib64/libopapi_nn.so
lib64/libopapi_math.so lib64/libcust_opapi.so lib64/libacl_op_compiler.so
lib64/libaclnn_ops_infer.so lib64/libaclnn_ops_train.so lib64/libaclnn_math.so
lib64/libaclnn_sparse.so lib64/libaclnn_fft.so lib64/libaclnn_rand.so
opp/vendors/customize/op_api/lib/libcust_opapi.so aarch64-linux/lib64/libopapi.so
x86_64-linux/lib64/libascendcl.so
""".split()  # noqa: SIM905


def test_the_library_by_all_its_names(toolkit):
    for name in LIBRARIES:
        assert (toolkit.home / name).samefile(toolkit.home / "lib64" / build.LIBRARY), name


PRIVATE = """
import ctypes
library = ctypes.CDLL("libopapi_nn.so")
size = ctypes.c_uint64(7)
library.CanUsePTACache.restype = ctypes.c_bool
library.PTAGetExecCache.restype = library.PTAFindExecCache.restype = ctypes.c_void_p
assert library.InitHugeMemThreadLocal(None, False) == 0
assert library.CanUsePTACache(b"aclnnSiluBackward") is False
library.InitPTACacheThreadLocal()
library.SetPTAHashKey(ctypes.c_uint64(1))
library.SetPTACacheHashKey(b"key", ctypes.c_size_t(3))
library.AddTensorAddrToCachedList(None)
assert library.PTAGetExecCache(ctypes.c_uint64(1), ctypes.byref(size)) is None
assert library.PTAFindExecCache(b"key", ctypes.c_size_t(3), ctypes.byref(size)) is None
library.UnInitPTACacheThreadLocal()
library.UnInitHugeMemThreadLocal(None, False)
library.ReleaseHugeMem(None, False)
print("right")
"""


def test_what_frameworks_look_up_by_name(toolkit, tmp_path):
    """Answers that let them make the two calls."""
    script = tmp_path / "script.py"
    script.write_text(PRIVATE)
    done = toolkit.cli("run", script)
    assert done.stdout == "right\n", done.stderr


def test_messages_of_programs(toolkit, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import acl\nacl.app_log(1, 'f', '/a/b.py', 7, 'told')\n"
        "acl.app_log(3, 'f', 'b.py', 8, '%d')"
    )
    plain = toolkit.cli("run", script)
    assert (plain.stdout, plain.stderr.count("\n")) == ("", 1)
    assert plain.stderr.startswith("[ERROR] APP(")
    assert plain.stderr.endswith("): [b.py:8] f: %d\n")
    asked = {"ASCEND_GLOBAL_LOG_LEVEL": "1", "ASCEND_SLOG_PRINT_TO_STDOUT": "1"}
    done = toolkit.cli("run", script, env={**toolkit.environment, **asked})
    assert done.stderr == ""
    assert re.findall(r"\[(\w+)\] APP\(\d+\): (.*)", done.stdout) == [
        ("INFO", "[b.py:7] f: told"), ("ERROR", "[b.py:8] f: %d"),
    ]  # fmt: skip


@pytest.mark.parametrize("shell", ["sh", "bash", "zsh"])
def test_set_env(toolkit, shell):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    script = f"set -eu; . {toolkit.home}/set_env.sh; . {toolkit.home}/set_env.sh; env"
    env = {"PATH": toolkit.environment["PATH"], "LD_LIBRARY_PATH": "/mine"}
    done = toolkit.execute([shell, "-c", script], env=env)
    found = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
    for name in ("ASCEND_HOME", "ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_CUSTOM_PATH"):
        assert found[name] == str(toolkit.home)
    assert found["ASCEND_OPP_PATH"] == str(toolkit.home / "opp")
    assert found["LD_LIBRARY_PATH"] == f"{toolkit.home}/lib64:/mine"
    assert found["PYTHONPATH"] == f"{toolkit.home}/python/site-packages"
    assert (found["TASK_QUEUE_ENABLE"], found["ASCEND_GLOBAL_LOG_LEVEL"]) == ("0", "02")


def test_set_env_leaves_what_the_user_has_set(toolkit):
    env = {"PATH": toolkit.environment["PATH"], "TASK_QUEUE_ENABLE": "2"}
    done = toolkit.execute(["sh", "-c", f". {toolkit.home}/set_env.sh; env"], env=env)
    assert "TASK_QUEUE_ENABLE=2" in done.stdout.splitlines()


def test_folders_and_libraries_that_frameworks_look_for(toolkit):
    for name in ("runtime", "compiler", "ascend-toolkit/latest/include/acl"):
        assert (toolkit.home / name).is_dir()
    for name in ("hccl", "ge_runner", "graph", "acl_tdt_channel"):
        assert (toolkit.home / f"ascend-toolkit/latest/lib64/lib{name}.so").exists()


LEVELS = """
import acl
for level in range(4):
    acl.app_log(level, "f", "a/b.py", 7, f"level {level}")
"""


@pytest.mark.parametrize(
    ("asked", "shown"), [("02", [3]), ("2", [2, 3]), ("3", [3]), ("0", [0, 1, 2, 3])]
)
def test_a_level_that_set_env_asks_for_shows_errors_only(toolkit, tmp_path, asked, shown):
    script = tmp_path / "levels.py"
    script.write_text(LEVELS)
    env = {**toolkit.environment, "ASCEND_GLOBAL_LOG_LEVEL": asked}
    done = toolkit.cli("run", script, env=env)
    assert [int(n) for n in re.findall(r"level (\d)", done.stderr)] == shown


def test_cmake_example(toolkit, tmp_path):
    if not shutil.which("cmake"):
        pytest.skip("cmake is not installed")
    source = ROOT / "examples" / "cmake"
    script = f"""set -e; . {toolkit.home}/set_env.sh
        cmake -S {source} -B {tmp_path} >/dev/null && cmake --build {tmp_path} >/dev/null
        {tmp_path}/silu"""
    done = toolkit.execute(["sh", "-c", script])
    assert done.stdout.startswith("silu_backward: -0.0881041 "), done.stderr


PACKAGE = """
cmake_minimum_required(VERSION 3.14)
project(silu CXX)
find_package(openaclnn 0.1 REQUIRED)
find_package(openaclnn)  # again, as a project's parts do
add_executable(silu {program})
target_link_libraries(silu PRIVATE openaclnn::openaclnn)
"""


def test_cmake_package(toolkit, tmp_path):
    """A project finds the toolkit by CMAKE_PREFIX_PATH, and its program the library by itself."""
    if not shutil.which("cmake"):
        pytest.skip("cmake is not installed")
    program = ROOT / "examples" / "silu_backward.cpp"
    (tmp_path / "CMakeLists.txt").write_text(PACKAGE.format(program=program))
    build = tmp_path / "build"
    configure = ["cmake", "-S", tmp_path, "-B", build, f"-DCMAKE_PREFIX_PATH={toolkit.home}"]
    subprocess.run([*map(str, configure)], check=True, capture_output=True)
    subprocess.run(["cmake", "--build", str(build)], check=True, capture_output=True)
    plain = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    done = subprocess.run([str(build / "silu")], env=plain, capture_output=True, text=True)
    assert done.stdout.startswith("silu_backward: -0.0881041 "), done.stderr
    (tmp_path / "CMakeLists.txt").write_text(PACKAGE.format(program=program).replace("0.1", "9.0"))
    done = subprocess.run([*map(str, configure)], capture_output=True, text=True)
    assert done.returncode != 0
    assert "0.1.0" in done.stderr


def test_pkg_config(toolkit, tmp_path):
    if not shutil.which("pkg-config"):
        pytest.skip("pkg-config is not installed")
    script = f"""set -e; . {toolkit.home}/set_env.sh
        c++ {ROOT}/examples/silu_backward.cpp -o {tmp_path}/silu \\
          $(pkg-config --cflags --libs openaclnn)
        {tmp_path}/silu"""
    done = toolkit.execute(["sh", "-c", script])
    assert done.stdout.startswith("silu_backward: -0.0881041 "), done.stderr


def test_variables_and_key(toolkit):
    """What a later step of a job reads is what set_env.sh sets; the key is the same each time."""
    lines = toolkit.cli("home", "--env").stdout.splitlines()
    found = dict(line.split("=", 1) for line in lines)
    assert found["ASCEND_HOME_PATH"] == str(toolkit.home)
    assert found["LD_LIBRARY_PATH"].split(":")[0] == f"{toolkit.home}/lib64"
    script = f". {toolkit.home}/set_env.sh; env"
    sourced = dict(
        line.split("=", 1)
        for line in toolkit.execute(["sh", "-c", script]).stdout.splitlines()
        if "=" in line
    )
    assert {name for name in found if name not in sourced} == set()
    first, second = (toolkit.cli("home", "--key").stdout for _ in range(2))
    assert first == second
    assert toolkit.home.name in first
    assert "exclude each other" in toolkit.cli("home", "--key", "--env").stderr


def test_the_steps_of_the_action(toolkit, example, tmp_path):
    """All but the installation, as a runner executes them; the variables suffice for a program."""
    written = re.findall(r"^ +run: (?:\|\n((?: {8}.*\n)+)|(.*)\n)", ACTION, re.MULTILINE)
    install, *steps = (block or line for block, line in written)
    assert install == 'python -m pip install "$GITHUB_ACTION_PATH"'
    path = f"{Path(sys.executable).parent}:{toolkit.environment['PATH']}"
    files = {"GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_ENV": str(tmp_path / "env")}
    given = {**toolkit.environment, **files, "PATH": path, "SOC": "Ascend950"}
    for step in steps:
        bash = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step]
        assert toolkit.execute(bash, env=given).returncode == 0, step
    assert (tmp_path / "output").read_text().startswith("key=openaclnn-")
    lines = (tmp_path / "env").read_text().splitlines()
    later = dict(line.split("=", 1) for line in lines)
    assert later["OPENACLNN_SOC"] == "Ascend950"
    done = toolkit.execute([example], env={"PATH": path, **later})
    assert done.returncode == 0, done.stderr


ACL_SCRIPT = """
import acl
import numpy as np

rows = []
def step(got, wanted):
    rows.append((got, wanted))

step(acl.init("/no/such/file.json"), 100003)
step("No such file" in acl.get_recent_err_msg(), True)
step(acl.init(), 0)
step(acl.init(), 100002)
step("already" in acl.get_recent_err_msg(), True)
step(acl.get_recent_err_msg(), None)
step(acl.get_soc_name(), "Ascend910B3")
step(acl.rt.get_device_count(), (1, 0))
step(acl.rt.malloc(8, 0), (0, 107002))
step(acl.rt.set_device(5), 107001)
step(acl.rt.set_device(0), 0)
step(acl.rt.get_device(), (0, 0))
context, code = acl.rt.create_context(0)
step(acl.rt.get_context(), (context, 0))
step(acl.rt.set_context(context), 0)
stream, code = acl.rt.create_stream()
step((code, stream != 0), (0, True))
other, code = acl.rt.create_stream_with_config(0, 1)
free, total, code = acl.rt.get_mem_info(1)
step((code, 0 < free <= total), (0, True))

x = np.arange(8, dtype=np.float32)
ptr, code = acl.rt.malloc(32, 0)
host, code = acl.rt.malloc_host(32)
step(acl.rt.memcpy(ptr, 32, acl.util.numpy_to_ptr(x), 32, 1), 0)
step(acl.rt.memcpy(ptr, 31, acl.util.numpy_to_ptr(x), 32, 1), 107000)
step(acl.rt.memcpy_async(host, 32, ptr, 32, 2, stream), 0)
step(acl.util.ptr_to_bytes(host, 32), x.tobytes())
step(acl.util.ptr_to_numpy(host, (2, 4), x.dtype.num).tolist(), x.reshape(2, 4).tolist())
data = b"12345678"
step(acl.rt.memcpy(ptr, 32, acl.util.bytes_to_ptr(data), 8, 1), 0)
step(acl.util.ptr_to_bytes(ptr, 8), data)
buffer = acl.create_data_buffer(ptr, 32)
step((acl.get_data_buffer_addr(buffer), acl.get_data_buffer_size_v2(buffer)), (ptr, 32))
step(acl.update_data_buffer(buffer, host, 16), 0)
step((acl.get_data_buffer_addr(buffer), acl.get_data_buffer_size(buffer)), (host, 16))
step([acl.destroy_data_buffer(buffer), acl.destroy_data_buffer(buffer)], [0, 107017])
step([acl.rt.get_last_error(0), acl.rt.get_last_error(0)], [107017, 0])
step(acl.rt.memset(ptr, 32, 0, 32), 0)
step(acl.rt.memset_async(ptr, 32, 1, 32, stream), 0)

start, code = acl.rt.create_event()
end, code = acl.rt.create_event_with_flag(8)
third, code = acl.rt.create_event_ex_with_flag(1)
step(acl.rt.record_event(start, stream), 0)
step(acl.rt.record_event(end, stream), 0)
step(acl.rt.stream_wait_event(other, end), 0)
step(acl.rt.synchronize_event(end), 0)
step(acl.rt.query_event(end), (0, 0))
step(acl.rt.query_event_status(end), (1, 0))
ms, code = acl.rt.event_elapsed_time(start, end)
step((code, 0 <= ms < 1000), (0, True))
step(acl.rt.synchronize_stream(stream), 0)
step(acl.rt.synchronize_stream_with_timeout(stream, 5), 0)
step(acl.rt.stream_query(stream), (0, 0))
step(acl.rt.synchronize_device(), 0)
step(acl.op.set_model_dir("."), 0)
step(acl.rt.get_run_mode(), (1, 0))
step((acl.data_type_size(27), acl.float16_to_float(0x3c00), acl.float_to_float16(2.0)),
     (2, 1.0, 0x4000))

for event in (start, end, third):
    step(acl.rt.destroy_event(event), 0)
step([acl.rt.free(ptr), acl.rt.free(ptr), acl.rt.free_host(host)], [0, 107000, 0])
step([acl.rt.destroy_stream(stream), acl.rt.destroy_stream(stream)], [0, 107017])
step(acl.rt.destroy_stream(other), 0)
step(acl.rt.destroy_context(context), 0)
step(acl.rt.reset_device(0), 0)
step([acl.finalize(), acl.finalize(), acl.init()], [0, 100037, 0])
for number, (got, wanted) in enumerate(rows):
    assert got == wanted, (number, got, wanted)
print("right")
"""


def test_the_module_acl(toolkit, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(ACL_SCRIPT)
    done = toolkit.cli("run", script)
    assert done.stdout == "right\n", done.stderr


def test_acl_is_there_only_with_the_toolkit(toolkit):
    done = toolkit.execute([sys.executable, "-c", "import acl"])
    assert "No module named 'acl'" in done.stderr


def test_a_cache_that_cannot_be_written_is_a_sentence(toolkit, tmp_path):
    """`home` and `run` need a folder, and say which they lack."""
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    quick = {"OPENACLNN_CACHE": str(cache), "CC": toolkit.quick_compiler}
    env = {**toolkit.environment, **quick}
    assert toolkit.cli("home", env=env).returncode == 0
    (source := tmp_path / "program.c").write_text("int main(void) { return 3; }")
    assert toolkit.cli("run", source, env=env).returncode == 3
    for kind, command in (("toolkit", ["home"]), ("programs", ["run", source])):
        place, away = cache / "openaclnn" / kind, tmp_path / kind
        place.rename(away)
        place.write_text("")
        done = toolkit.cli(*command, env=env)
        assert done.returncode == 1
        assert f"/openaclnn/{kind}" in done.stderr
        assert "OPENACLNN_CACHE chooses another place" in done.stderr
        assert "Traceback" not in done.stderr
        place.unlink()
        away.rename(place)
        assert toolkit.cli("home", env=env).returncode == 0


def test_a_library_of_other_sources_is_refused(toolkit, example, tmp_path):
    """With what was found, what was expected and what to do; its records are not read."""
    library = tmp_path / "libascendcl.so"
    own, other = interface.interface().encode(), b"0.1.0-00000001"
    code = (toolkit.home / build.LINKS["lib64/libascendcl.so"]).read_bytes()
    library.write_bytes(code.replace(own, other))
    for name in (path.name for path in (toolkit.home / "lib64").iterdir()):
        if name != library.name:
            (tmp_path / name).symlink_to(library)
    preloaded = {**toolkit.environment, "LD_LIBRARY_PATH": str(tmp_path)}
    done = toolkit.execute([example], env=preloaded)
    assert done.returncode == 1
    expected = f"{library} was built by openaclnn {other.decode()}; expected {own.decode()}, "
    assert done.stderr.count(f"openaclnn: {expected}") == 1
    assert '/openaclnn: run source "$(openaclnn home)/set_env.sh" again' in done.stderr
    done = toolkit.execute([example], env={**preloaded, "OPENACLNN_SANITIZE": "1"})
    assert done.returncode == 2
    assert "INCOMPLETE: the program uses a library that another openaclnn" in done.stderr


def test_what_killed_processes_left_is_swept_away(toolkit, tmp_path):
    quick = {"OPENACLNN_CACHE": str(tmp_path / "cache"), "CC": toolkit.quick_compiler}
    env = {**toolkit.environment, **quick}
    folder = tmp_path / "cache/openaclnn/toolkit"
    left = folder / ".making-x"
    left.mkdir(parents=True)
    shutil.copy(toolkit.home.parents[1] / "CACHEDIR.TAG", folder.parent)
    os.utime(left, (0, 0))
    home = Path(toolkit.cli("home", env=env).stdout.strip())
    assert [*folder.iterdir()] == [home]
