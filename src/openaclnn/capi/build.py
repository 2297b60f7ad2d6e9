"""Compiles the C library with the user's compiler, for this Python."""

from __future__ import annotations

import hashlib
import os
import sys
import sysconfig
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import openaclnn
from openaclnn import ops
from openaclnn.base import shared_objects
from openaclnn.base.compiler import BuildError as BuildError
from openaclnn.base.compiler import chosen, run
from openaclnn.base.compiler import compiler as compiler
from openaclnn.capi import entries, methods, packages, runtime_c
from openaclnn.capi.interface import interface
from openaclnn.capi.versions import hidden_from_lookups

HERE = Path(__file__).parent
LIBRARY = "libopenaclnn.so"

# Where programs look for a user's own operators, and what tells them so.
CUSTOM = "opp/vendors/customize"
VENDOR = f"{CUSTOM}/op_api"
INCLUDES = ("include", "include/aclnn", "include/aclnnop", f"{VENDOR}/include")  # for compilers
_VENDORS = {"opp/vendors/config.ini": "load_priority=customize\n"}

# Programs link and open the library by these names.
_NAMES = (
    "libascendcl.so", "libacl_rt.so", "libnnopbase.so", "libopapi.so", "libopapi_nn.so",
    "libopapi_math.so", "libcust_opapi.so", "libacl_op_compiler.so", "libaclnn_ops_infer.so",
    "libaclnn_ops_train.so", "libaclnn_math.so", "libaclnn_sparse.so", "libaclnn_fft.so",
    "libaclnn_rand.so", "libhccl.so", "libge_runner.so", "libgraph.so", "libacl_tdt_channel.so",
)  # fmt: skip
_LIBRARY_PATH = f"lib64/{LIBRARY}"
LINKS = {  # and what each is a link to
    **{f"lib64/{name}": _LIBRARY_PATH for name in _NAMES},
    f"{VENDOR}/lib/libcust_opapi.so": _LIBRARY_PATH,
    # programs that name the machine look in there
    **{f"{m}-linux/{f}": f for m in ("aarch64", "x86_64") for f in ("include", "lib64")},
    # and programs that take the toolkit for the folder that it is installed in
    **{f"ascend-toolkit/latest/{f}": f for f in ("include", "lib64")},
}
FOLDERS = ("runtime", "compiler")  # programs want them to exist; nothing is in there
PYTHON = "python/site-packages"  # where the module acl is
_VERSION = "c/declared.version"  # what the linker is told of declared operators

_FLAGS = ("-std=gnu99", "-O2", "-fPIC", "-fvisibility=hidden", "-pthread")
_LINKED = (
    "-shared", "-ldl", "-lm",
    f"-Wl,-soname,{_NAMES[0]}", "-Wl,-z,nodelete",  # its thread keys and fork handlers must stay
)  # fmt: skip


def definitions() -> dict[str, str]:
    """Where the library finds its Python, and Python the package."""
    return {
        "PYTHON_LIBRARY": str(python_library() or ""),
        "PYTHON_STDLIB": sysconfig.get_path("stdlib"),
        "PYTHON_PROGRAM": sys.executable or f"{sys.prefix}/bin/python3",
        "PACKAGE_ROOT": str(Path(openaclnn.__file__).parent.parent),
        "INTERFACE": interface(),
    }


def python_library() -> Path | None:
    """The shared library of this Python; None where it was built without."""
    name = sysconfig.get_config_var("INSTSONAME") or ""
    folders = [sysconfig.get_config_var("LIBDIR") or "", f"{sys.base_prefix}/lib"]
    candidates = (Path(folder) / name for folder in folders)
    return next((path for path in candidates if ".so" in name and path.exists()), None)


def sources() -> Iterator[tuple[str, bytes]]:
    """Every file that the toolkit is made from, by its path in the toolkit's terms."""
    for path in sorted(HERE.glob("c/*.[ch]")):
        yield f"c/{path.name}", path.read_bytes()
    replay = Path(openaclnn.__file__).parent / "calls" / "replay" / "replay.h"
    yield f"c/{replay.name}", replay.read_bytes()
    for path in sorted(HERE.glob("python/acl/*.py")):
        yield f"{PYTHON}/acl/{path.name}", path.read_bytes()
    found = {**headers(), **own_headers()}
    folders = [
        folder for folder in INCLUDES if any(name.startswith(f"{folder}/") for name in found)
    ]
    found |= packages.files(openaclnn.__version__, f"lib64/{_NAMES[0]}", folders)
    for name, text in {**found, **_VENDORS, **_written()}.items():
        yield name, text.encode()


def headers() -> dict[str, str]:
    """The headers that programs include, by their path in the toolkit."""
    folder = HERE / "include"
    ours = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.h")}
    found = {name: runtime_c.filled(name, text) for name, text in sorted(ours.items())}
    found |= runtime_c.headers() | entries.headers()
    return {f"include/{name}": text for name, text in found.items()}


def own_headers() -> dict[str, str]:
    """The headers of the user's own operators, by their path in the toolkit."""
    return {f"{VENDOR}/include/{name}": text for name, text in entries.own_headers().items()}


def own_folders() -> list[str]:
    """The folders in which a program's Python is to find the user's own operators."""
    return [str(folder) for folder in ops.own_folders()] if ops.own_ops() else []


def _written() -> dict[str, str]:
    """The other files that derive from tables."""
    return {
        "c/entries.c": entries.entry_points(),
        "c/declared.c": entries.declared_entry_points(),
        _VERSION: entries.declared_version(),
        "c/runtime.h": runtime_c.internal_header(),
        "c/runtime.c": runtime_c.entries(),
        "c/device.h": methods.header(),
        "c/forward_to_python.c": methods.forwarding(),
    }


def digest(files: dict[str, bytes]) -> str:
    """The name of a build: a hash of everything that goes into it."""
    parts = [*_FLAGS, *_LINKED, *(f"{key}={value}" for key, value in definitions().items())]
    parts += [sys.prefix, sys.version, *own_folders(), *chosen("CC")]
    total = hashlib.sha256("\0".join(parts).encode())
    for name, data in files.items():
        total.update(f"\0{name}\0{len(data)}\0".encode() + data)
    return total.hexdigest()[:16]


def compile_library(folder: Path, target: Path) -> None:
    """Compile the sources that lie in folder/c and folder/include, a part on each of some cores."""
    macros = [f'-D{key}="{_escaped(value)}"' for key, value in definitions().items()]
    command = [*compiler("CC", "cc", "gcc", "clang"), *_FLAGS]
    files = sorted((folder / "c").glob("*.c"), key=lambda path: path.stat().st_size)
    count = min(os.cpu_count() or 1, 4)
    parts = {f"{folder}/c/{k}.o": [*map(str, files[k::count])] for k in range(count)}
    each = [*command, f"-I{folder}/include", *macros, "-r", "-o"]
    with ThreadPoolExecutor(count) as pool:
        for _ in pool.map(_run, ([*each, part, *some] for part, some in parts.items())):
            pass
    version = f"-Wl,--version-script,{folder / _VERSION}"
    _run([*command, "-o", str(target), *parts, version, *_LINKED])
    made = target.read_bytes() if target.is_file() else b""
    if not shared_objects.is_complete(made):
        what = "no shared library, or not all of one" if made else "nothing"
        raise BuildError(f"{command[0]} was to build the C library, ended well and made {what}")
    target.write_bytes(hidden_from_lookups(made))


def _run(command: list[str]) -> None:
    run(command, "the C library")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
