"""`openaclnn run`: sources, scripts and binaries, with nothing between them and the world."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

ECHO = """
#include <stdio.h>
#include <stdlib.h>
#include "acl/acl.h"
int main(int argc, char **argv) {
  char line[64] = "";
  if (fgets(line, sizeof line, stdin)) printf("in: %s", line);
  for (int i = 1; i < argc; ++i) printf("[%s]", argv[i]);
  printf(" %s\\n", aclrtGetSocName());
  fprintf(stderr, "to stderr\\n");
  return 42;
}
"""


@pytest.fixture
def write(tmp_path):
    def written(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return written


@pytest.mark.parametrize(
    "name",
    ["echo.cpp", "echo.cc", "echo.c", "echo.c++", "echo.CPP", "a b.c", "a#b.c", "a$b.c", "a\\b.c",
     "a: b.c", "a'b\"c.cpp", "数据.c", "a\nb.c"],
)  # fmt: skip
def test_arguments_streams_and_status_pass_through(toolkit, write, name):
    done = toolkit.cli("run", write(name, ECHO), "a b", "--help", "-x", input="hello\n")
    assert (done.returncode, done.stderr) == (42, "to stderr\n")
    assert done.stdout == "in: hello\n[a b][--help][-x] Ascend910B3\n"


def test_soc(toolkit, write):
    done = toolkit.cli("run", "--soc", "ascend950", write("echo.c", ECHO), input="")
    assert done.stdout == " Ascend950PR\n"
    done = toolkit.cli("run", "--soc", "ascend910_9382", write("echo.c", ECHO), input="")
    assert done.stdout == " Ascend910_9382\n"
    done = toolkit.cli("run", "--soc", "nonsense", write("echo.c", ECHO))
    assert done.returncode == 2
    assert "Ascend310P" in done.stderr


INITIALISES = """
#include <stdio.h>
#include "acl/acl.h"
#include "aclnnop/aclnn_silu_backward.h"
int main(void) {
  uint64_t size;
  aclOpExecutor *executor;
  printf("%d ", aclInit(NULL));
  printf("%s\\n", aclGetRecentErrMsg());
  int status = aclnnSiluBackwardGetWorkspaceSize(NULL, NULL, NULL, &size, &executor);
  printf("%d %s\\n", status, aclGetRecentErrMsg());
}
"""


def test_a_chip_that_is_none(toolkit, write):
    """The program's own sentence, and the command's."""
    binary = toolkit.compile(write("soc.c", INITIALISES), write("soc", ""), "-xc")
    env = {**toolkit.environment, "OPENACLNN_SOC": "Foo"}
    sentence = "OPENACLNN_SOC: 'Foo' is no product; expected one of Ascend910B, "
    done = toolkit.execute([binary], env=env)
    init, phase = done.stdout.splitlines()
    assert init.startswith("100000 ")
    assert f"aclInit: {sentence}" in init
    assert phase.startswith("361001 ")
    assert sentence in phase
    assert done.stderr.startswith(f"openaclnn: {sentence}")
    for command in (("run", binary), ("ops",), ("sanitize", binary), ("show", "silu")):
        done = toolkit.cli(*command, env=env)
        assert (done.returncode, done.stdout) == (2, "")
        assert sentence in done.stderr
    assert toolkit.cli("run", "--help", env=env).returncode == 0


def test_device_reaches_the_program(toolkit, write):
    text = '#include <cstdio>\n#include <cstdlib>\nint main(){puts(getenv("OPENACLNN_DEVICE"));}'
    done = toolkit.cli("run", "--device", "auto", write("device.cpp", text))
    assert done.stdout == "auto\n"


@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ])
def test_signals_are_the_programs_own(toolkit, write, number):
    text = f"#include <csignal>\nint main() {{ std::raise({int(number)}); return 3; }}"
    assert toolkit.cli("run", write("raise.cpp", text)).returncode == -number


def test_the_standard_is_the_compilers_own_unless_told(toolkit, write):
    source = write("standard.cpp", '#include <cstdio>\nint main() { printf("%ld", __cplusplus); }')
    usual = toolkit.execute(["sh", "-c", "c++ -dM -E -xc++ /dev/null | grep __cplusplus"]).stdout
    assert toolkit.cli("run", source).stdout + "L" == usual.split()[-1]
    assert toolkit.cli("run", "--cxxflags=-std=c++17 -O2", source).stdout == "201703"


def test_compiler_errors_are_the_compilers(toolkit, write):
    done = toolkit.cli("run", write("broken.cpp", "int main() { return nonsense; }"))
    assert done.returncode == 1
    assert "broken.cpp:1:21: error:" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_second_run_compiles_nothing(toolkit, write):
    source = write("once.cpp", "int main() { return 5; }")
    assert toolkit.cli("run", source).returncode == 5
    # what compiles starts assemblers and linkers: none is found any more
    compiler = toolkit.execute(["sh", "-c", "command -v c++"]).stdout.strip()
    assert toolkit.cli("run", source).returncode == 5
    again = toolkit.cli("run", source, env={**toolkit.environment, "COMPILER_PATH": "/nowhere"})
    assert again.returncode == 5, compiler


def test_a_changed_include_is_seen(toolkit, write):
    source = write("user.cpp", '#include "deep.h"\nint main() { return VALUE; }')
    write("deep.h", '#include "deeper.h"\n')
    for value in (1, 2, 1, 3):
        write("deeper.h", f"#define VALUE {value}\n")
        assert toolkit.cli("run", source).returncode == value


def test_a_changed_compiler_is_seen(toolkit, write):
    source = write("tool.cpp", "#ifndef V\n#define V 0\n#endif\nint main() { return V; }")
    assert toolkit.cli("run", source).returncode == 0
    env = {**toolkit.environment, "CXX": "g++ -DV=7"}
    assert toolkit.cli("run", source, env=env).returncode == 7
    env["CXX"] = "/nowhere/g++"
    done = toolkit.cli("run", source, env=env)
    assert done.returncode == 1
    assert "/nowhere/g++" in done.stderr
    assert "Traceback" not in done.stderr


def test_damaged_programs_are_compiled_anew(toolkit, write):
    source = write("damaged.cpp", "int main() { return 6; }")
    assert toolkit.cli("run", source).returncode == 6
    for path in Path(toolkit.environment["OPENACLNN_CACHE"], "openaclnn", "programs").iterdir():
        path.write_bytes(b"damaged")
    assert toolkit.cli("run", source).returncode == 6


def test_scripts_run_with_the_module_acl(toolkit, write):
    text = "import acl, sys\nprint(acl.init(), sys.argv[1:])\nsys.exit(9)\n"
    done = toolkit.cli("run", write("script.py", text), "--flag", "word")
    assert (done.returncode, done.stdout) == (9, "0 ['--flag', 'word']\n"), done.stderr


def test_anything_else_is_executed(toolkit, tmp_path):
    words = ["sh", "-c", "echo $ASCEND_HOME_PATH $LD_LIBRARY_PATH; exit 4"]
    done = toolkit.cli("run", *words)
    assert (done.returncode, done.stdout.split()) == (
        4, [str(toolkit.home), str(toolkit.home / "lib64")],
    )  # fmt: skip
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\nexit 8\n")
    tool.chmod(0o755)
    assert toolkit.cli("run", "tool", cwd=tmp_path).returncode == 8
    assert toolkit.cli("run", "./tool", cwd=tmp_path).returncode == 8


@pytest.mark.parametrize("file", ["missing.cpp", "missing.py", "missing"])
def test_missing_files(toolkit, file):
    done = toolkit.cli("run", file)
    assert done.returncode == 2
    assert file in done.stderr


def test_a_name_that_looks_like_an_option(toolkit, write):
    source = write("-dash.c", "int main(void) { return 4; }")
    assert toolkit.cli("run", "--", "-dash.c", cwd=source.parent).returncode == 4
    assert toolkit.cli("run", "./-dash.c", cwd=source.parent).returncode == 4


def test_a_changed_include_with_an_odd_name_is_seen(toolkit, write):
    source = write("odd.c", '#include "a b#c$d.h"\nint main(void) { return VALUE; }')
    for value in (1, 2):
        write("a b#c$d.h", f"#define VALUE {value}\n")
        assert toolkit.cli("run", source).returncode == value


@pytest.mark.parametrize(
    ("flags", "status", "sentence"),
    [
        ("--cxxflags='", 2, "Invalid value for '--cxxflags'"),
        ("--cxxflags=--help", 1, "ended well and made no program"),
    ],
)
def test_flags_that_are_none(toolkit, write, flags, status, sentence):
    done = toolkit.cli("run", flags, write("flags.c", "int main(void) { return 0; }"))
    assert done.returncode == status
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_compiler_that_is_none(toolkit, write):
    env = {**toolkit.environment, "CC": "x 'y"}
    done = toolkit.cli("run", write("tool.c", "int main(void) { return 0; }"), env=env)
    assert done.returncode == 1
    assert 'CC is "x \'y": No closing quotation' in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_absent_is_said(toolkit, write):
    """A program that does not compile for want of a header says so; another says nothing more."""
    path = write("a.cpp", '#include "aclnnop/aclnn_not_there.h"\nint main() { return 0; }\n')
    done = toolkit.cli("run", path)
    assert done.returncode == 1
    hint = f"openaclnn: {path}:1: openaclnn does not have aclnn_not_there.h; "
    assert done.stderr.splitlines()[-1].startswith(hint)
    done = toolkit.cli("run", write("b.cpp", "int main() { return nothing; }\n"))
    assert done.returncode == 1
    assert "openaclnn does not have" not in done.stderr
