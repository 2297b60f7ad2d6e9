"""What no test may depend on: who runs it, in which language, and what that shell ignores. And
which tests `make test-quick` leaves out, and which come first."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent

for name in list(os.environ):
    # our own settings, but for the cache, which only decides what is compiled anew
    if name.startswith("OPENACLNN_") and name != "OPENACLNN_CACHE":
        del os.environ[name]
    told = ("LANGUAGE", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "GITHUB_ACTIONS",
            "GITHUB_WORKSPACE", "CI_PROJECT_DIR")  # fmt: skip
    if name.startswith("LC_") or name in told:
        del os.environ[name]
os.environ["LANG"] = "C.UTF-8"
# programs' logs are in no home
os.environ["ASCEND_PROCESS_LOG_PATH"] = f"{tempfile.gettempdir()}/openaclnn-logs-{os.getpid()}"
# processes that tests start find the package compiled: they take four fifths of the time
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# workers share the cores: threads of OpenMP's that wait leave them to others. A call on two threads
# took milliseconds, the self-check 9 s of CPU time where it takes 5
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

# a script that starts the tests with `&` ignores these for them, and children would inherit it
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):
    if signal.getsignal(number) is signal.SIG_IGN:
        default = signal.default_int_handler if number is signal.SIGINT else signal.SIG_DFL
        signal.signal(number, default)

# What takes minutes: C programs, every layout, proofs, whole interpreters.
SLOW = (
    "tests/bench", "tests/calls/test_fuzz.py", "tests/calls/test_host_process.py",
    "tests/calls/test_interrupted_calls.py", "tests/capi", "tests/engines/cuda",
    "tests/engines/test_any_view.py", "tests/engines/test_host_arithmetic.py",
    "tests/engines/test_kernel_cache.py", "tests/engines/test_layouts.py",
    "tests/ops/test_random_operators.py", "tests/programs/test_torch_npu.py", "tests/sanitize",
    "tests/verify/test_verify*.py",
)  # fmt: skip

# The longest files, ten seconds and more, by the CPU time of their tests. Workers take whole files
# in order: what begins last must not be what takes longest
LONGEST = (
    "test_rows.py", "test_random_calls.py", "test_verify.py", "test_torch_npu.py",
    "test_compile.py", "test_misuse.py", "test_interpreted.py", "test_toolkit.py", "test_run.py",
    "test_processes.py", "test_host_process.py", "test_gradients.py", "test_custom.py",
    "test_random_operators.py", "test_structure.py", "test_layouts.py", "test_sharding.py",
    "test_any_view.py", "test_values.py", "test_mutants.py", "test_command.py", "test_doctor.py",
    "test_own_page.py", "test_samples.py", "test_examples.py", "test_fuzz.py",
    "test_native_table.py", "test_arithmetic_functions.py", "test_arithmetic_conversions.py",
    "test_plans.py", "test_call.py", "test_host_arithmetic.py",
)  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "nightly: only in `make test-nightly`, which takes its time")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--hypothesis-profile", None) != "nightly":
        late = [item for item in items if item.get_closest_marker("nightly")]
        config.hook.pytest_deselected(items=late)
        items[:] = [item for item in items if item not in late]
    # operators that are functions of the module by then, as tests have used them: their examples
    # are tests of their own
    package = ROOT / "src" / "openaclnn" / "__init__.py"
    items[:] = [item for item in items if item.path != package or item.name == "openaclnn"]
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))


def pytest_collection_finish() -> None:
    """What was imported stays; tests that collect garbage need not walk over it each time. And what
    tests have left is walked over more seldom, which saves 6 % of the time for 20 MB."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], 1000)


def pytest_unconfigure() -> None:
    gc.unfreeze()
    shutil.rmtree(os.environ["ASCEND_PROCESS_LOG_PATH"], ignore_errors=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out what takes minutes")
    parser.addoption("--every", action="store_true", help="every operator in PyTorch, every layout")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    path = collection_path.relative_to(ROOT) if collection_path.is_relative_to(ROOT) else None
    if path is not None and config.getoption("--quick") and any(map(path.match, SLOW)):
        return True
    return None  # others may know a reason
