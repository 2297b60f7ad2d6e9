"""`openaclnn doctor`: what is here, and whether it works."""

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
from openaclnn.cli import style

_PACKAGES = (
    "numpy", "llvmlite", "ml_dtypes", "click", "torch", "triton", "cuda-bindings",
    "matplotlib",
)  # fmt: skip
_FEATURES = (
    "avx2", "fma", "f16c", "avx512f", "avx512bf16", "avx512fp16", "neon", "fullfp16", "bf16", "sve",
)  # fmt: skip

Facts = dict[str, Any]


@click.command()
@click.option("--clear-cache", is_flag=True, help="Delete all compiled code that is kept.")
@style.as_json
def command(clear_cache: bool, as_json: bool) -> None:
    """Tell what is installed and check that it works.

    Exit status: 0 where the self-check passes, 1 where it does not.
    """
    cache.sweep()
    if clear_cache:
        before = _kept_bytes()
        cache.clear()
        if not as_json:
            freed = _bytes(before - _kept_bytes())
            click.echo(f"deleted {freed} of compiled code from {cache.folder()}\n")
    report: Facts = {}
    for section, find in _SECTIONS.items():
        report[section] = find()
        if not as_json:
            click.echo(style.heading(section))
            click.echo("\n".join(_lines(report[section])) + "\n")
    good = all(check["passed"] for check in _checks(report))
    if as_json:
        style.print_json(report | {"passed": good})
    else:
        _say_how_it_went(good)
    raise SystemExit(0 if good else 1)


def _say_how_it_went(good: bool) -> None:
    if good:
        click.secho("all is well", fg="green")
        return
    click.secho("the self-check failed", fg="red", bold=True, err=True)
    click.echo(
        "Old compiled code may be the reason: try again with --clear-cache. If it stays, please "
        "report it with the output of openaclnn doctor --json.", err=True,
    )  # fmt: skip


def _lines(facts: Facts) -> Iterator[str]:
    indent = 2 + max(map(style.width, facts))
    for name, fact in facts.items():
        text = _text(fact) if isinstance(fact, dict) else str(fact)
        yield style.wrapped(text, "  " + style.padded(name, indent), " " * (indent + 2))


def _text(fact: Facts) -> str:
    if "bytes" in fact:
        return f"{fact['entries']} entries, {_bytes(fact['bytes'])}" if fact["entries"] else "empty"
    if fact["passed"]:
        return click.style("passed", fg="green") + f"  {fact['what']}"
    return click.style("failed", fg="red", bold=True) + f"  {fact['what']}: {fact['why']}"


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
    return {
        "cuda": _cuda(),
        "device": f"{_choice(settings.device_choice)} (OPENACLNN_DEVICE)",
        "level": f"{_choice(lambda: settings.current().level)} (OPENACLNN_MATH)",
        "product": f"{_choice(lambda: settings.current().product.name)} (OPENACLNN_SOC), one of "
        + ", ".join(product.name for product in products.ALL),
    }


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

    toolkit = cache.folder() / "toolkit" / build.digest(dict(build.sources()))
    return {
        "C": _compiler("CC", "cc", "gcc", "clang"),
        "C++": _compiler("CXX", "c++", "g++", "clang++"),
        "libpython": str(build.python_library() or "not there: only Python programs can be run"),
        "toolkit": f"{toolkit}{'' if toolkit.is_dir() else ', built at first use'}",
    }


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


def _self_check() -> Facts:
    from openaclnn.calls.selfcheck import self_check

    return {
        result.name: {"passed": not result.why, "what": result.what, "why": result.why}
        for result in self_check()
    }


_SECTIONS: dict[str, Callable[[], Facts]] = {
    "versions": _versions,
    "processor": _processor,
    "devices and settings": _devices,
    "cache": _kept,
    "C programs": _programs,
    "self-check": _self_check,
}


def _checks(report: Facts) -> list[Facts]:
    return list(report["self-check"].values())
