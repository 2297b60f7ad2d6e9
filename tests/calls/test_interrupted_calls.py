"""A first call that is broken off (Ctrl-C, a timeout) leaves the next one whole."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

CALL = """
import numpy as np, openaclnn
from openaclnn.engines.cpu import compile
x = np.array([-1, 0, 1], np.float32)
def call():
    return openaclnn.silu_backward(np.ones_like(x), x).tolist()
"""
RIGHT = "[0.0723294"

BROKEN_OFF = """
class Interrupting:
    '''A linker that Ctrl-C meets right after one of its functions.'''
    def __init__(self, linker):
        self.linker = linker
    def __getattr__(self, name):
        work = getattr(self.linker, name)
        def then_interrupted(*arguments):
            result = work(*arguments)
            if name == {name!r}:
                compile._linker = real
                raise KeyboardInterrupt
            return result
        return then_interrupted
real = compile._linker
def linker():
    if {name!r} == "none":
        compile._linker = real
        raise KeyboardInterrupt
    return Interrupting(real())
compile._linker = linker
try:
    call()
    print("not interrupted")
except KeyboardInterrupt:
    pass
print(call(), call())
"""


def python(source: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "name", ["none", "add_object_file", "finalize_object", "get_function_address"]
)
def test_broken_off_while_linking(name: str) -> None:
    assert python(CALL + BROKEN_OFF.format(name=name)).startswith(RIGHT)


def test_a_handler_may_call_an_operator() -> None:
    source = """
import signal
real, told = compile._object, []
def compiled(ir):
    if not told:
        told.append(None)
        signal.raise_signal(signal.SIGUSR1)
    return real(ir)
compile._object = compiled
signal.signal(signal.SIGUSR1, lambda *_: told.append(call()))
print(call() == told[1], told[1])
"""
    assert python(CALL + source).startswith(f"True {RIGHT}")


def test_no_code_is_no_address() -> None:
    from openaclnn.engines.cpu import compile

    ir = "define void @openaclnn_nothing() nounwind {\n  ret void\n}\n"
    assert compile.function(ir, "openaclnn_nothing") > 0
    with pytest.raises(RuntimeError, match="openaclnn_other was compiled, but"):
        compile.function(ir, "openaclnn_other")


def test_interrupted_at_any_moment() -> None:
    """Children of a process that has imported all and called nothing, each interrupted once."""
    source = f"""
import os, random, signal
import llvmlite.binding
from openaclnn.engines.cpu import launch, threads
def interrupt(*_):
    raise KeyboardInterrupt
def child(delay):
    signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, delay)
        call()
        signal.setitimer(signal.ITIMER_REAL, 0)
    except BaseException as error:
        behind = error  # while a class is made, Python wraps an interrupt
        while behind is not None and not isinstance(behind, KeyboardInterrupt):
            behind = behind.__cause__ or behind.__context__
        if behind is None:
            raise
    signal.setitimer(signal.ITIMER_REAL, 0)
    os._exit(0 if str(call()).startswith({RIGHT!r}) else 1)
draw, ended = random.Random(7), []
for _ in range(60):
    delay = draw.uniform(0.0005, 0.02)
    if not (process := os.fork()):
        child(delay)
    ended.append(os.waitpid(process, 0)[1])
print(ended.count(0))
"""
    assert python(CALL + source) == "60\n"


def test_the_interrupt_itself_arrives() -> None:
    """Ctrl-C in a call is the caller's KeyboardInterrupt."""
    source = f"""
import os, signal
real = compile._object
def interrupted(ir):
    os.kill(os.getpid(), {int(signal.SIGINT)})
    return real(ir)
compile._object = interrupted
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    call()
except KeyboardInterrupt:
    print("interrupted")
compile._object = real
print(call())
"""
    assert python(CALL + source).startswith(f"interrupted\n{RIGHT}")
