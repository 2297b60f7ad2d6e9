"""`openaclnn doctor`: what is installed, and whether it works."""

from __future__ import annotations

import os
import platform
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import click

import openaclnn
from openaclnn.base import cache, products, settings
from openaclnn.base.tables import padded, width
from openaclnn.cli import style
from openaclnn.cli.chinese import translated

_PACKAGES = (
    "numpy", "llvmlite", "ml_dtypes", "click", "torch", "triton", "cuda-bindings",
    "matplotlib",
)  # fmt: skip
_FEATURES = (
    "avx2", "fma", "f16c", "avx512f", "avx512bf16", "avx512fp16", "neon", "fullfp16", "bf16", "sve",
)  # fmt: skip

Facts = dict[str, Any]


@click.command()
@click.option("--clear-cache", is_flag=True, help="Delete all cached code.")
@style.as_json
def command(clear_cache: bool, as_json: bool) -> None:
    """Show what is installed and check that it works.

    Exit status: 0 if the self-check passes, 1 if it fails or the chosen device is missing.
    """
    cache.sweep()
    if clear_cache:
        before = _kept_bytes()
        cache.clear()
        if not as_json:
            freed = _bytes(before - _kept_bytes())
            said = translated(f"deleted {freed} of compiled code from {cache.folder()}")
            click.echo(said + "\n")
    report: Facts = {}
    wrong = _wrong_settings()
    for section, find in _SECTIONS.items():
        if wrong and section == "self-check":  # every call would be refused
            report[section] = {}
            continue
        report[section] = find()
        if not as_json:
            click.echo(style.heading(translated(section)))
            lines = _results if section == "self-check" else _lines
            click.echo("\n".join(lines(report[section])) + "\n")
    checked = all(check["passed"] for check in _checks(report))
    good = checked and not wrong and not _device_is_missing()
    if as_json:
        style.print_json(report | {"passed": good})
    elif good:
        click.secho(translated("all is well"), fg="green")
    elif wrong:
        _complain("the settings are wrong", wrong)
    elif checked:
        _complain("the chosen device is not there", "Choose another with OPENACLNN_DEVICE.")
    else:
        for name, check in report["self-check"].items():
            if not check["passed"]:
                click.echo(f"{name}: {check['why']}\n", err=True)
        _complain("the self-check failed", _ADVICE)
    raise SystemExit(0 if good else 1)


_ADVICE = (
    "Old compiled code may be the reason: try again with --clear-cache. If it stays, please report "
    "it with the output of openaclnn doctor --json."
)


def _complain(fault: str, advice: str) -> None:
    click.secho(translated(fault), fg="red", bold=True, err=True)
    click.echo(style.wrapped(translated(advice)), err=True)


def _lines(facts: Facts) -> Iterator[str]:
    names = {name: translated(name) for name in facts}
    indent = 2 + max(map(width, names.values()))
    for name, fact in facts.items():
        text = _text(fact) if isinstance(fact, dict) else translated(str(fact))
        yield style.wrapped(text, "  " + padded(names[name], indent), " " * (indent + 2))


def _results(checks: Facts) -> Iterator[str]:
    """How many operators passed, and those that did not."""
    failed = {name: check for name, check in checks.items() if not check["passed"]}
    devices = dict.fromkeys(check["what"].rpartition(" ")[2] for check in checks.values())
    passed = f"{len(checks) - len(failed)} of {len(checks)}"
    said = f"operators of each kind on {', '.join(devices)}: {passed} passed"
    yield f"  {translated(said)}"
    if failed:
        yield from _lines(failed)


def _text(fact: Facts) -> str:
    if "bytes" in fact:
        kept = f"{fact['entries']} entries, {_bytes(fact['bytes'])}" if fact["entries"] else "empty"
        return translated(kept)
    return click.style(translated("failed"), fg="red", bold=True) + f"  {translated(fact['what'])}"


def _versions() -> Facts:
    found = {
        "openaclnn": f"{openaclnn.__version__}, in {Path(openaclnn.__file__).parent}",
        "Python": f"{platform.python_version()}, {sys.executable}",
        "system": f"{platform.system()} {platform.release()}, {' '.join(platform.libc_ver())}",
    }
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def _processor() -> Facts:
    from openaclnn.engines.cpu import compile, processor, threads

    name, _ = compile.host()
    having = [feature for feature in _FEATURES if compile.has(feature)]
    return {
        "CPU": f"{processor.model()} ({platform.machine()}, LLVM: {name})",
        "vectors": " ".join(having) or "none known",
        "threads": f"{threads.get_num_threads()} of {os.cpu_count()} (OMP_NUM_THREADS changes it)",
        "OpenMP": _openmp(),
    }


def _openmp() -> str:
    import ctypes

    try:
        ctypes.CDLL("libgomp.so.1")
    except OSError:
        return "libgomp.so.1 is not there; Python's threads share the work, a little slower"
    return "libgomp.so.1"


def _devices() -> Facts:
    missing = ", which is not there" if _device_is_missing() else ""
    return {
        "cuda": _cuda(),
        "device": f"{_choice(settings.device_choice)} (OPENACLNN_DEVICE){missing}",
        "level": f"{_choice(settings.level_choice)} (OPENACLNN_MATH)",
        "product": f"{_choice(lambda: settings.product_choice().name)} (OPENACLNN_SOC), one of "
        + ", ".join(product.name for product in products.ALL),
    }


def _wrong_settings() -> str:
    """What is wrong with the variables that choose, if anything."""
    try:
        settings.current()
        settings.device_choice()
    except openaclnn.AclnnError as error:
        return error.message
    return ""


def _device_is_missing() -> bool:
    from openaclnn.runtime import cuda_exists

    return _choice(settings.device_choice) == "cuda" and not cuda_exists()


def _choice(read: Callable[[], str]) -> str:
    try:
        return read()
    except openaclnn.AclnnError as error:
        return f"wrong: {error.message}"


def _cuda() -> str:
    from openaclnn.runtime import AclError, cuda_runtime

    try:
        runtime = cuda_runtime()
        count = runtime.get_device_count()
        if count == 0:
            return "no device"
        runtime.set_device(0)
        free, total = runtime.get_mem_info()
    except AclError as error:
        return f"none: {error.message}"
    return f"{count} device{'s' if count > 1 else ''}, {_bytes(free)} of {_bytes(total)} free"


def _kept() -> Facts:
    facts: Facts = {"folder": f"{cache.folder()} (OPENACLNN_CACHE)"}
    trouble = cache.trouble()
    if trouble is not None:
        facts["trouble"] = f"nothing can be kept: {trouble}; everything is compiled anew each time"
    return facts | _entries()


def _kept_bytes() -> int:
    return sum(entries["bytes"] for entries in _entries().values())


def _entries() -> dict[str, dict[str, int]]:
    """For each kind of compiled code: how many entries, how many bytes."""
    found = {}
    for kind in cache.KINDS:
        folder = cache.folder() / kind
        count = len(os.listdir(folder)) if folder.is_dir() else 0
        found[kind] = {"entries": count, "bytes": sum(map(_size, folder.rglob("*")))}
    return found


def _size(path: Path) -> int:
    """Bytes of a file; 0 for links, folders, and what another process has just taken away."""
    try:
        facts = path.lstat()
    except OSError:
        return 0
    return facts.st_size if stat.S_ISREG(facts.st_mode) else 0


def _bytes(count: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    raise AssertionError


def _programs() -> Facts:
    from openaclnn.capi import build

    toolkit = _toolkit()
    return {
        "C": _compiler("CC", "cc", "gcc", "clang"),
        "C++": _compiler("CXX", "c++", "g++", "clang++"),
        "libpython": str(build.python_library() or "not there: only Python programs can be run"),
        "toolkit": f"{toolkit}{'' if toolkit.is_dir() else ', built at first use'}",
    }


def _toolkit() -> Path:
    from openaclnn.capi import build

    return cache.folder() / "toolkit" / build.digest(dict(build.sources()))


def _compiler(variable: str, *usual: str) -> str:
    from openaclnn.capi import build

    try:
        command = build.compiler(variable, *usual)
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=10)
        first = (done.stdout or done.stderr or "?").splitlines()[0]
    except build.BuildError as error:
        return str(error)
    except (OSError, subprocess.SubprocessError) as error:
        return f"{variable} cannot be run: {error}"
    return f"{' '.join(command)}: {first}"


_WANTED = "2.13.0"  # the version of torch_npu that tests run


def _torch_npu() -> Facts:
    """Whether torch_npu is there, fits, and finds what it needs."""
    try:
        version = metadata.version("torch_npu")
    except metadata.PackageNotFoundError:
        return {"torch_npu": "not installed"}
    return {
        "torch_npu": version if version == _WANTED else f"{version}; tested is {_WANTED}",
        "torch": _fitting_torch(),
        "variables": _variables(),
        "library": _first_library("libascendcl.so"),
        "import": _imported(),
    }


def _fitting_torch() -> str:
    wanted = [r for r in metadata.requires("torch_npu") or () if r.startswith("torch==")]
    version = wanted[0].removeprefix("torch==").split(";")[0].strip() if wanted else ""
    try:
        found = metadata.version("torch")
    except metadata.PackageNotFoundError:
        return f"not installed; torch_npu needs {version}"
    fits = found.partition("+")[0].startswith(version.removesuffix(".*"))
    return found if fits else f"{found} does not fit: torch_npu needs {version}"


def _variables() -> str:
    """Whether set_env.sh was sourced: PyTorch loads torch_npu by itself, and fails without."""
    home, toolkit = os.environ.get("ASCEND_HOME_PATH"), _toolkit()
    if home is None:
        return 'not set: source "$(openaclnn home)/set_env.sh"'
    if Path(home) == toolkit:
        return f"ASCEND_HOME_PATH is {home}"
    return f"ASCEND_HOME_PATH is {home}, and not this openaclnn's toolkit {toolkit}"


def _first_library(name: str) -> str:
    """The library that programs open by its name."""
    for folder in filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)):
        if (Path(folder) / name).exists():
            return str((Path(folder) / name).resolve())
    return f"{name} is not in LD_LIBRARY_PATH"


def _imported() -> str:
    """What `import torch_npu` does, in a process of its own."""
    if "ASCEND_HOME_PATH" not in os.environ:
        return "not tried without the variables"
    code = "import torch, torch_npu; print(torch.npu.device_count(), torch.npu.get_device_name())"
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=60
        )
    except subprocess.TimeoutExpired:
        return "does not come to an end"
    if done.returncode == 0:
        count, _, name = done.stdout.strip().partition(" ")
        return f"works: {count} device{'s' if count != '1' else ''}, {name}"
    return "fails: " + ((done.stderr.strip() or "it says nothing").splitlines()[-1])


def _self_check() -> Facts:
    from openaclnn.calls import selfcheck

    label = translated("self-check")
    with click.progressbar(
        selfcheck.checked(), label=label, file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as bar:
        return {
            result.name: {"passed": not result.why, "what": result.what, "why": result.why}
            for op in bar
            for result in selfcheck.self_check([op])
        }


_SECTIONS: dict[str, Callable[[], Facts]] = {
    "versions": _versions,
    "processor": _processor,
    "devices and settings": _devices,
    "cache": _kept,
    "C programs": _programs,
    "torch_npu": _torch_npu,
    "self-check": _self_check,
}


def _checks(report: Facts) -> list[Facts]:
    return list(report["self-check"].values())
