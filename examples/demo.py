"""What openaclnn does, shown by doing it: `make demo`."""

import codeop
import os
import shutil
import signal
import subprocess
import sys
import timeit
from pathlib import Path

import openaclnn
from openaclnn.ops import all_ops, families

HERE = Path(__file__).parent
COLOURS = (
    sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
)
BOLD, PLAIN = ("\033[1m", "\033[0m") if COLOURS else ("", "")


def heading(text: str) -> None:
    print(f"\n{BOLD}{text}{PLAIN}\n")


def session(text: str, names: dict[str, object]) -> None:
    """Type lines into Python and show what it answers."""
    for statement in text.strip().splitlines():
        print(f">>> {statement}")
        code = codeop.compile_command(statement, symbol="single")
        assert code is not None, "a whole statement"
        exec(code, names)


def operators() -> None:
    heading("Operators on arrays, one of each family")
    imports = "import numpy as np, openaclnn"
    print(f">>> {imports}\n")
    for members in families().values():
        known = [op for op in members if op.example and not op.in_place]
        if not known:
            continue
        op = min(known, key=lambda op: len(op.name))  # the best known have short names
        lines = [line[4:] for line in op.example.splitlines() if line.startswith(">>> ")]
        names: dict[str, object] = {}
        exec(imports, names)
        print(f"# {op.en}")
        session("\n".join(line for line in lines if line != imports), names)
        print()
    print(f"{len(all_ops())} operators in all: openaclnn ops")


def layouts() -> None:
    heading("Any layout and mix of dtypes, in one pass over memory")
    names: dict[str, object] = {}
    session(
        """
import ml_dtypes, numpy as np, openaclnn
x = np.random.default_rng(0).normal(size=(2048, 4096)).astype(ml_dtypes.bfloat16)
row = np.linspace(-1, 1, 2048, dtype=np.float32)
out = np.empty((4096, 2048), np.float32)
""",
        names,
    )
    call = "openaclnn.leaky_relu_backward(row, x.T, out=out)"
    print(f">>> {call}  # bfloat16, transposed, with a row of float32")
    exec(call, names)  # compiles the kernel
    took = min(timeit.repeat(call, globals=names, number=1))
    print(f"8 million elements in {took * 1e3:.1f} ms, {openaclnn.get_num_threads()} threads")


def two_calls() -> None:
    heading("The two calls of the C API, from Python")
    session(
        """
import numpy as np
from openaclnn import aclnn
x = np.linspace(-2, 2, 5, dtype=np.float32)
out = np.empty_like(x)
status, size, executor = aclnn.aclnnSiluBackwardGetWorkspaceSize(np.ones_like(x), x, out)
status, size
aclnn.aclnnSiluBackward(None, size, executor, None)
out
""",
        {},
    )


def refusals() -> None:
    heading("A call that the operator refuses says why")
    names: dict[str, object] = {"np": __import__("numpy"), "openaclnn": openaclnn}
    for call in (
        "openaclnn.silu_backward(np.ones(3, np.float32), np.ones(3, np.int32))",
        "openaclnn.silu_backward(np.ones((1, 4), np.float32), np.ones((3, 4), np.float32))",
        "openaclnn.smooth_l1_loss_backward(*np.ones((3, 2), np.float32), beta=-1)",
    ):
        print(f">>> {call}")
        try:
            exec(call, names)
        except openaclnn.AclnnError as error:
            print(f"{int(error.status)} {error.status.c_name}\n{error.message}")


def programs() -> None:
    heading("A C++ program for Ascend, unchanged")
    if not any(map(shutil.which, (os.environ.get("CXX", "c++"), "g++", "clang++"))):
        print("(skipped: there is no C++ compiler here)")
        return
    source = HERE / "silu_backward.cpp"
    text = source.read_text()
    print(text[text.index("  uint64_t") : text.index("  return 0")])
    print("$ openaclnn run examples/silu_backward.cpp", flush=True)
    command = [sys.executable, "-m", "openaclnn", "run", str(source)]
    if subprocess.run(command).returncode:
        sys.exit("That failed. What is missing here: .venv/bin/openaclnn doctor")


def mistakes() -> None:
    heading("A program with a mistake, and the sanitizer's report")
    if not any(map(shutil.which, (os.environ.get("CXX", "c++"), "g++", "clang++"))):
        print("(skipped: there is no C++ compiler here)")
        return
    source, kind = HERE / "sanitizer" / "bugs.cpp", "free-while-queued"
    text = source.read_text()
    begin = text.index(f"static void {kind.replace('-', '_')}()")
    print(text[begin : text.index("\n}", begin) + 3])
    print(f"$ openaclnn sanitize examples/sanitizer/bugs.cpp {kind}", flush=True)
    command = [sys.executable, "-m", "openaclnn", "sanitize", str(source), kind]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    print(done.stderr.replace(f"{HERE}{os.sep}", "examples/"), end="")


def more() -> None:
    heading("More")
    print("""source .venv/bin/activate
openaclnn                       the commands
openaclnn ops                   the operators
openaclnn show silu_backward    everything about one, down to its kernel
openaclnn doctor                whether everything works on this machine""")


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):  # `make demo | head` has seen enough
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        for part in (programs, mistakes, operators, layouts, two_calls, refusals, more):
            part()
    except KeyboardInterrupt:
        sys.exit(130)
