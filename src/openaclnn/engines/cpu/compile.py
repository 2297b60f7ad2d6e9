"""From LLVM IR to a function's address, by way of a cache of object code on disk."""

from __future__ import annotations

import hashlib
import os
import re
import threading
from functools import cache
from typing import Any

from openaclnn.base import cache as disk

_lock = threading.Lock()
# nobody forks while a thread compiles: its child would wait for a thread that it does not have
os.register_at_fork(
    before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
)


@cache
def _llvm() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


@cache
def host() -> tuple[str, str]:
    """The CPU's name and features as LLVM knows them."""
    llvm = _llvm()
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@cache
def architecture() -> str:
    """What code is made for, as the target's triple names it: x86_64, aarch64."""
    triple: str = _llvm().get_default_triple()
    return triple.partition("-")[0]


def has(feature: str) -> bool:
    """Whether the CPU has a feature, in LLVM's spelling."""
    return f"+{feature}" in host()[1].split(",")


@cache
def _machine() -> Any:
    target = _llvm().Target.from_default_triple()
    name, features = host()
    return target.create_target_machine(cpu=name, features=features, opt=3)


@cache
def _linker() -> Any:
    llvm = _llvm()
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())


_modules: dict[str, Any] = {}


def function(ir: str, name: str) -> int:
    """The address of a function of a module; the module is compiled and linked once.

    Modules share one space of names, so each name gets its module's digest.
    """
    digest = hashlib.sha256(ir.encode()).hexdigest()[:24]
    with _lock:
        if digest not in _modules:
            named = re.sub(r"@(openaclnn_\w+)", rf"@\1_{digest}", ir)
            _modules[digest] = code = _llvm().ObjectFileRef.from_data(_object(named))
            _linker().add_object_file(code)
            _linker().finalize_object()
        address: int = _linker().get_function_address(f"{name}_{digest}")
        return address


def _object(ir: str) -> bytes:
    """Object code, from the disk where it is there and undamaged."""
    key = hashlib.sha256("\0".join((ir, *host(), str(_llvm().llvm_version_info))).encode())
    path = disk.folder("kernels") / f"{key.hexdigest()}.o"
    try:
        stored = path.read_bytes()
        digest, code = stored[:32], stored[32:]
        if hashlib.sha256(code).digest() == digest:
            return code
    except OSError:
        pass
    code = _compiled(ir)
    disk.write_atomically(path, hashlib.sha256(code).digest() + code)
    return code


def _compiled(ir: str) -> bytes:
    code: bytes = _machine().emit_object(optimised(ir))
    return code


def optimised(ir: str) -> Any:
    """The module after LLVM's passes."""
    llvm = _llvm()
    module = llvm.parse_assembly(ir)
    module.verify()
    builder = llvm.create_pass_builder(
        _machine(), llvm.create_pipeline_tuning_options(speed_level=3)
    )
    builder.getModulePassManager().run(module, builder)
    return module


def assembly(ir: str) -> str:
    """The machine's own instructions for a module, for people to read."""
    with _lock:
        text: str = _machine().emit_assembly(optimised(ir))
        return text


def define(name: str, function: Any) -> None:
    """Let modules call a C function by this name."""
    import ctypes

    address = ctypes.cast(function, ctypes.c_void_p).value
    _llvm().add_symbol(name, address)
