"""Programs where Python was there before the library, and looks after itself."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

import pytest

from openaclnn.capi import build

PROGRAMS = Path(__file__).parent / "programs"
RIGHT = "operator: 0.9277"

needs_library = pytest.mark.skipif(
    build.python_library() is None, reason="this Python has no shared library"
)


def embed(toolkit, program, steps):
    """Run the program that embeds Python; what it printed, and its status."""
    paths = [toolkit.environment["PYTHONPATH"], sysconfig.get_path("purelib")]
    environment = {**toolkit.environment, "PYTHONPATH": os.pathsep.join(paths)}
    command = [program("embed"), build.python_library(), steps]
    done = toolkit.execute(command, env=environment)
    return done.stdout.splitlines(), done.returncode, done.stderr


@needs_library
@pytest.mark.parametrize("steps", ["lio", "lirt", "lirttgof", "liorttto", "lirttogf"])
def test_a_thread_that_called_an_operator_ends(toolkit, program, steps):
    lines, status, errors = embed(toolkit, program, steps)
    operators = sum(step in "ot" for step in steps)
    assert (lines, status) == ([*[RIGHT] * operators, "done"], 0), errors


INSIDE = "aclnnSiluBackward: this program has Python inside and has not started it; call "
ENDED = "aclnnSiluBackward: the Python of this process has ended"
OTHER = "aclnnSiluBackward: this is a subinterpreter of Python; expected a call from the main"


@needs_library
@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("lo", [INSIDE]),  # its own Py_Initialize would not give it the GIL
        ("loiof", [INSIDE, RIGHT]),
        ("liofo", [RIGHT, ENDED]),
        ("lirtgft", [RIGHT, ENDED]),
        ("liofio", [RIGHT, ENDED]),  # another Python, for which nothing of ours is made
        ("lirtgfirt", [RIGHT, ENDED]),
        ("lion", [RIGHT]),
        ("liono", [RIGHT, OTHER]),
        ("lino", [OTHER]),
        ("linomo", [OTHER, RIGHT]),
        ("lionrtgo", [RIGHT, RIGHT, OTHER]),  # another thread may, meanwhile
    ],
)
def test_calls_when_python_cannot_serve(toolkit, program, steps, expected):
    """A sentence and 561000, where there would be a crash or a call that never returns."""
    lines, status, errors = embed(toolkit, program, steps)
    assert lines.pop() == "done", (lines, errors)
    assert len(lines) == len(expected)
    for line, wanted in zip(lines, expected, strict=True):
        assert line.startswith(wanted if wanted is RIGHT else f"operator: 561000 {wanted}")
    assert status == 0, errors


def test_threads_of_an_extension_end(toolkit, tmp_path):
    """A Python process whose extension has threads of its own that call operators."""
    extension = toolkit.compile(
        PROGRAMS / "embed.cpp", tmp_path / "libhost.so", "-std=c++17", "-shared", "-fPIC"
    )
    script = tmp_path / "host.py"
    script.write_text(
        "import ctypes, sys\n"
        "main = ctypes.CDLL(sys.argv[1]).main\n"
        "main(3, (ctypes.c_char_p * 3)(b'', b'', b'tttott'))\n"
    )
    done = toolkit.execute([sys.executable, script, extension])
    assert (done.stdout.splitlines(), done.returncode) == ([*[RIGHT] * 6, "done"], 0), done.stderr
