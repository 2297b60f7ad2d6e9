"""What takes a process of its own: imports, memory, forks; and many threads in this one."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import openaclnn
from arena import bits
from samples import all_samples


def python(source: str, timeout: int = 600) -> str:
    """What a fresh interpreter prints for this program, which must end well."""
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, timeout=timeout
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_is_quick_and_brings_no_giants() -> None:
    """Not longer than NumPy, which it needs: measured beside it, on the same busy machine, and
    not by the clock on the wall."""
    source = """
import sys, time
def seconds(module):
    start = time.process_time()
    __import__(module)
    return time.process_time() - start
print(seconds("numpy") / seconds("openaclnn"))
print(sorted({"numba", "torch", "triton", "llvmlite", "cuda", "cupy", "jax"} & set(sys.modules)))
"""
    ratios = []
    for _ in range(7):
        ratio, giants = python(source).splitlines()
        assert giants == "[]"
        ratios.append(float(ratio))
        if ratios[-1] > 1:
            break
    assert max(ratios) > 1


MEMORY = """
import ctypes, re
import numpy as np, ml_dtypes, openaclnn

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])

def fresh():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # forget the peak so far

rows, columns = 4096, 4096  # 64 MB of float32
"""
OPERANDS = {
    "contiguous": "g, x, out = whole(f4), whole(f4), whole(f4)",
    "transposed": "g, x, out = whole(f4), whole(f4).T, whole(f4)",
    "output transposed": "g, x, out = whole(f4), whole(f4), whole(f4).T",
    "broadcast": "g, x, out = np.ones((rows, 1), f4), np.ones(columns, f4), whole(f4)",
    "mixed dtypes": "g, x, out = whole(f2), whole(bf), whole(f4)",
    "narrower output": "g, x, out = whole(f4), whole(f4), whole(f2)",
}


@pytest.mark.parametrize("operands", OPERANDS.values(), ids=list(OPERANDS))
def test_no_temporaries(operands: str) -> None:
    """The peak of a call on 64 MB operands grows by less than 1 MB."""
    source = (
        MEMORY
        + f"""
f4, f2, bf = np.float32, np.float16, ml_dtypes.bfloat16
def whole(dtype):
    return np.ones((rows, columns), dtype)
def call():
    {operands}
    return g, x, out
g, x, out = call()
for _ in range(6):  # compiles, a layout's other ways of being walked too, and starts the threads
    openaclnn.leaky_relu_backward(g, x, out=out)
fresh()
before = peak()
openaclnn.leaky_relu_backward(g, x, out=out)
print(peak() - before)
"""
    )
    assert int(python(source)) < 1024  # kB


FORK = """
import os, sys
import numpy as np, openaclnn
openaclnn.set_num_threads(4)
x = np.linspace(-5, 5, 1_000_003, dtype=np.float32)
first = openaclnn.silu_backward(np.ones_like(x), x)
children = []
for _ in range(3):
    child = os.fork()
    if child == 0:
        ok = openaclnn.get_num_threads() == 1
        again = openaclnn.silu_backward(np.ones_like(x), x)
        other = openaclnn.leaky_relu_backward(x, x)  # a kernel that the parent never compiled
        expected = np.where(x > 0, x, x * np.float32(0.01))
        os._exit(0 if ok and (again == first).all() and (other == expected).all() else 1)
    children.append(child)
assert openaclnn.get_num_threads() == 4
assert (openaclnn.silu_backward(np.ones_like(x), x) == first).all()
sys.exit(sum(os.waitpid(child, 0)[1] for child in children))
"""


def test_a_forked_child_computes() -> None:
    python(FORK)


def test_a_child_forked_before_any_call_computes() -> None:
    python(
        """
import os, sys
import numpy as np, openaclnn
openaclnn.set_num_threads(4)
x = np.linspace(-5, 5, 1_000_003, dtype=np.float32)
child = os.fork()
result = openaclnn.leaky_relu_backward(x, x)
right = (result == np.where(x > 0, x, x * np.float32(0.01))).all()
if child == 0:
    os._exit(0 if right else 1)
sys.exit(os.waitpid(child, 0)[1] or not right)
"""
    )


def test_children_forked_while_a_thread_compiles(tmp_path: Path) -> None:
    python(
        f"""
import itertools, os, signal, sys, threading, time
os.environ["OPENACLNN_CACHE"] = {str(tmp_path / "cache")!r}  # nothing compiled yet
import numpy as np, openaclnn

def compiling():
    kinds = [np.float32, np.float16, np.float64]
    for a, b, step in itertools.product(kinds, kinds, [1, 2]):
        g, x, out = np.ones((3, 8), a)[:, ::step], np.ones((3, 8), b), np.empty((3, 8), a)
        openaclnn.leaky_relu_backward(g, x[:, ::step], out=out[:, ::step])

thread = threading.Thread(target=compiling)
thread.start()
failed = 0
while thread.is_alive():
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        x = np.ones(5, np.float32)
        os._exit(0 if openaclnn.silu_backward(x, x).shape == (5,) else 1)
    failed += os.waitpid(child, 0)[1] != 0
    time.sleep(0.02)
sys.exit(failed)
"""
    )


FIRST_CALLS = {
    "functions": """
import numpy as np, openaclnn
def call():
    x = np.ones(200_000, np.float32)
    openaclnn.silu_backward(x, x)
    openaclnn.leaky_relu_backward(x, x, out=x[::-1])
    openaclnn.get_num_threads()
""",
    "C": """
import struct
from openaclnn.capi import bridge, entries
from openaclnn.ops import find
import numpy as np
op = find("leaky_relu_backward")
signature = entries.signature(op)
def call():
    _, first, second = bridge.operator(op.name, "cpu", signature, None)
    memory = np.ones(8, np.float32)
    def tensor(code, offset):
        place = struct.pack("=QQQ", 0, 0, memory.ctypes.data)
        return place + struct.pack("=iiqQQ3q", code, 2, offset, 1, 1, 3, 1, 8)
    scalar = struct.pack("=if", 0, 0.5)
    for code in (0, 27):
        answer = first(tensor(code, 0), tensor(code, 1), scalar, False, tensor(code, 2))
        assert answer[0] == 0, answer
        workspace = np.empty(answer[1], np.uint8)
        assert second(workspace.ctypes.data, answer[1], answer[2], 0)[0] == 0
""",
}


@pytest.mark.parametrize("first", FIRST_CALLS.values(), ids=list(FIRST_CALLS))
def test_a_first_call_imports_under_the_lock_that_forks_wait_for(first: str) -> None:
    """A child of half an import would wait for ever."""
    source = f"""
{first}
import sys
from openaclnn.base.fork_lock import fork_lock
loose = []

class Watch:
    def find_spec(self, name, path=None, target=None):
        if not fork_lock._is_owned():
            loose.append(name)

sys.meta_path.insert(0, Watch())
call()
print(loose)
"""
    assert python(source) == "[]\n"


@pytest.mark.parametrize("way", ["interrupt", "fork", "kill"])
def test_first_calls_disturbed_at_random_moments(way: str) -> None:
    """Half a dozen of them; the script does any number, with other seeds."""
    command = [sys.executable, str(Path(__file__).parents[1] / "long"), "moments", way, "6", "4"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


LATE = """
import atexit, sys, threading, time, weakref
import numpy as np, openaclnn
{threads}
x = np.linspace(-5, 5, 1_000_003, dtype=np.float32)

def call():
    result = openaclnn.leaky_relu_backward(x, x)
    print((result == np.where(x > 0, x, x * np.float32(0.01))).all(), flush=True)

def after_main():
    threading.main_thread().join()
    call()

class Thing: pass
thing = Thing()
{when}
"""
MOMENTS = {
    "a thread after the main one": "threading.Thread(target=after_main).start()",
    "atexit": "atexit.register(call)",
    "a finaliser": "weakref.finalize(thing, call)",
}


SHARED = {
    "as the system has it": "",  # and nothing imported before it is needed
    "without OpenMP": """
from openaclnn.engines.cpu import threads
openaclnn.set_num_threads(2)
threads.sharer = lambda: threads._share_in_python
""",
}


@pytest.mark.parametrize("threads", SHARED.values(), ids=list(SHARED))
@pytest.mark.parametrize("when", MOMENTS.values(), ids=list(MOMENTS))
def test_a_first_call_when_the_main_thread_has_ended(when: str, threads: str) -> None:
    """Python starts no threads then, and registers nothing for its end any more."""
    assert python(LATE.format(when=when, threads=threads)) == "True\n"


def test_settings_from_the_environment() -> None:
    source = """
import os
os.environ["{variable}"] = "{value}"
import numpy as np, openaclnn
try:
    openaclnn.silu_backward(np.ones(2, np.float32), np.ones(2, np.float32))
    print("went well")
except openaclnn.AclnnError as error:
    print(int(error.status), error.message)
"""
    rows = {
        ("OPENACLNN_SOC", "Ascend310P"): "561003 aclnnSiluBackward: Ascend310P",
        ("OPENACLNN_SOC", "ascend950"): "went well",
        ("OPENACLNN_SOC", "Ascend1"): "361001 OPENACLNN_SOC: 'Ascend1' is no product",
        ("OPENACLNN_MATH", "fast"): "went well",
        ("OPENACLNN_MATH", "sloppy"): "361001 OPENACLNN_MATH is 'sloppy'; expected one of exact",
    }
    for (variable, value), expected in rows.items():
        assert python(source.format(variable=variable, value=value)).startswith(expected)


def test_eight_threads_five_operators() -> None:
    """Every thread calls every operator, small and large, and all get the right results."""
    rng = np.random.default_rng(11)
    work = []
    for name, samples in all_samples().items():
        for size in (33, 60_000):
            arrays = [rng.normal(0, 3, size).astype(np.float32) for _ in samples.inputs]
            work.append((getattr(openaclnn, name), arrays, getattr(openaclnn, name)(*arrays)))
    wrong: list[str] = []
    barrier = threading.Barrier(8)

    def run(seed: int) -> None:
        barrier.wait()
        for index in np.random.default_rng(seed).permutation(len(work) * 6) % len(work):
            function, arrays, expected = work[index]
            result = function(*arrays)
            if not np.array_equal(bits(result), bits(expected)):
                wrong.append(function.__name__)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=600)
        assert not thread.is_alive()
    assert wrong == []


def test_levels_are_per_thread() -> None:
    x = np.linspace(-20, 20, 5001, dtype=np.float32)
    exact = openaclnn.silu_backward(np.ones_like(x), x)
    seen: list[bool] = []
    with openaclnn.using(math="fast"):
        fast = openaclnn.silu_backward(np.ones_like(x), x)
        thread = threading.Thread(
            target=lambda: seen.append((openaclnn.silu_backward(np.ones_like(x), x) == exact).all())
        )
        thread.start()
        thread.join()
    assert seen == [True]
    assert (fast != exact).any()
    assert (openaclnn.silu_backward(np.ones_like(x), x) == exact).all()


def test_threads_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="expected at least 1"):
        openaclnn.set_num_threads(0)
    with pytest.raises(ValueError, match="no math level"), openaclnn.using(math="sloppy"):
        pass
    with pytest.raises(ValueError, match="no product"), openaclnn.using(product="Ascend1"):
        pass
