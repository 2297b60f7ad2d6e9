"""First calls that are disturbed at random moments: no crash, no hang, no wrong bit.

    python tests/long moments interrupt|fork|kill [moments] [seed]

interrupt  Ctrl-C during a first call; the calls that follow must be right
fork       a fork while another thread makes its first call; parent and child must be right
kill       kill -9 while kernels are compiled; a process that finds the same cache must be right

Half of the moments find a cache with kernels, half an empty one. Prints the seed, and what went
wrong; status 1 where something did.
"""

from __future__ import annotations

import os
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import numpy as np

import openaclnn

LONGEST = 60  # seconds: whatever takes longer hangs
COUNT = 5000
Expected = dict[str, bytes]


def inputs() -> tuple[np.ndarray, np.ndarray]:
    x = np.linspace(-9, 9, COUNT, dtype=np.float32)
    return np.cos(x), x


CALLS: dict[str, Callable[[], np.ndarray]] = {
    "silu": lambda: openaclnn.silu_backward(*inputs()),
    "leaky": lambda: openaclnn.leaky_relu_backward(*inputs()),
    "strided": lambda: openaclnn.silu_backward(*(a[::-2].astype(np.float16) for a in inputs())),
}


def results() -> Expected:
    return {name: call().tobytes() for name, call in CALLS.items()}


def wrong(expected: Expected) -> list[str]:
    """The calls whose bits are not those of an undisturbed process."""
    found = results()
    return [name for name in CALLS if found[name] != expected[name]]


def in_child(work: Callable[[], object]) -> int:
    """Fork a process that ends with status 0 if the work gives nothing, and says so if it hangs."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        signal.alarm(LONGEST)
        complaint = work()
        status = 1 if complaint else 0
        if complaint:
            print(complaint, flush=True)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def ended(child: int) -> str:
    """How a process ended; nothing where all is well."""
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == -signal.SIGALRM:
        return "hangs"
    return f"ended with {status}" if status else ""


def by_control_c(error: BaseException | None) -> bool:
    """Whether an interrupt lies behind an error: while a class is made, Python wraps it."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def interrupt(moment: float, expected: Expected) -> str:
    """The child tells when it begins, and is interrupted a moment later."""
    begins, begin = os.pipe()

    def work() -> list[str]:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            os.write(begin, b"!")
            CALLS["silu"]()
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        except BaseException as error:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            if not by_control_c(error):
                raise
        return wrong(expected)

    child = in_child(work)
    os.read(begins, 1)
    time.sleep(moment)
    os.kill(child, signal.SIGINT)
    os.close(begins)
    os.close(begin)
    return ended(child)


def fork(moment: float, expected: Expected) -> str:
    """In a child, a thread begins its first call; a grandchild is made a moment later."""

    def work() -> str:
        found: list[bytes] = []
        thread = threading.Thread(target=lambda: found.append(CALLS["silu"]().tobytes()))
        thread.start()
        time.sleep(moment)
        grandchild = ended(in_child(lambda: wrong(expected)))
        thread.join()
        if found != [expected["silu"]] or wrong(expected):
            return "the parent is wrong"
        return f"the child {grandchild}" if grandchild else ""

    return ended(in_child(work))


def kill(moment: float, expected: Expected) -> str:
    child = in_child(lambda: wrong(expected))
    time.sleep(moment)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return ended(in_child(lambda: wrong(expected)))


WAYS = {"interrupt": interrupt, "fork": fork, "kill": kill}


def undisturbed(cache: Path) -> tuple[Expected, float]:
    """The right bits, and how long they take with an empty cache, from a process of its own."""
    source = f"""
import sys, time, pickle
sys.path.insert(0, {str(Path(__file__).parent)!r})
import moments
before = time.monotonic()
found = moments.results()
sys.stdout.buffer.write(pickle.dumps((found, time.monotonic() - before)))
"""
    environment = {**os.environ, "OPENACLNN_CACHE": str(cache)}
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, env=environment)
    found: tuple[Expected, float] = pickle.loads(done.stdout)
    return found


def main(way: str, moments: int, seed: int) -> int:
    print(f"{way} at {moments} moments, seed {seed}", flush=True)
    rng, failures, before = random.Random(seed), 0, time.monotonic()
    # a compiler whose caller was killed may still write there
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        warm = Path(folder, "warm")
        expected, longest = undisturbed(warm)
        for number in range(moments):
            cold = Path(folder, f"cold{number}")
            os.environ["OPENACLNN_CACHE"] = str(rng.choice((warm, cold)))
            moment = rng.random() ** 2 * longest
            trouble = WAYS[way](moment, expected)
            if trouble:
                failures += 1
                kept = "cold" if os.environ["OPENACLNN_CACHE"] == str(cold) else "warm"
                print(f"moment {number}, {moment * 1e3:.1f} ms, {kept}: {trouble}", flush=True)
    print(f"{failures} of {moments} went wrong, in {time.monotonic() - before:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[2:]]
    count = numbers[0] if numbers else 500
    sys.exit(main(sys.argv[1], count, numbers[1] if len(numbers) > 1 else random.randrange(2**32)))
