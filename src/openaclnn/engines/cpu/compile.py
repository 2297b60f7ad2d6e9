"""From LLVM IR to a function's address, by way of a cache of object code on disk."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

from openaclnn.base import cache as disk
from openaclnn.base.fork_lock import fork_lock
from openaclnn.base.records import dataclass
from openaclnn.base.spans import span

# A module that begins with this line has its loops and vectors as they should be: LLVM simplifies
# its functions, and no more. That takes half the time, and kernels run as fast (445 of them: 1.00
# on average, 0.92 to 1.09).
VECTORS = "; vectors\n"


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


def _new_machine() -> Any:
    target = _llvm().Target.from_default_triple()
    name, features = host()
    return target.create_target_machine(cpu=name, features=features, opt=3)


@cache
def _machine() -> Any:
    """What compiles. The linker has one of its own, which it takes with it when it goes."""
    return _new_machine()


_linkers: list[Any] = []  # the first is used; none is given up, for its code would go with it


def _linker() -> Any:
    if not _linkers:
        llvm = _llvm()
        _linkers.append(llvm.create_mcjit_compiler(llvm.parse_assembly(""), _new_machine()))
    return _linkers[0]


@dataclass(frozen=True)
class _Linked:
    """A module that is ready to be called."""

    ending: str  # of its functions' names
    code: Any


_linked: dict[str, _Linked] = {}
_attempts: Counter[str] = Counter()
_shared: dict[str, Callable[[], str]] = {}


def function(ir: str, name: str) -> int:
    """The address of a function of a module; the module is compiled and linked once."""
    digest = hashlib.sha256(ir.encode()).hexdigest()[:24]
    with fork_lock:
        module = _linked.get(digest)
        if module is None:
            with span("compile"):
                module = _link(ir, digest)
        address: int = _linker().get_function_address(f"{name}_{module.ending}")
    if not address:
        raise RuntimeError(f"{name} was compiled, but its code cannot be found")
    return address


def _link(ir: str, digest: str) -> _Linked:
    """Compile a module and link it.

    Modules share one space of names, so each name ends with its module's digest; and with a number
    where an earlier attempt was broken off, by Ctrl-C for example, and may have left its names.
    """
    for name in re.findall(r"^declare .*@(shared_\w+)\(", ir, re.MULTILINE):
        _define_shared(name)
    _attempts[digest] += 1
    ending = digest if _attempts[digest] == 1 else f"{digest}_{_attempts[digest]}"
    code = _llvm().ObjectFileRef.from_data(
        _object(re.sub(r"@(openaclnn_\w+)", rf"@\1_{ending}", ir))
    )
    _linker().add_object_file(code)
    _linker().finalize_object()
    module = _linked[digest] = _Linked(ending, code)  # only now: what is here can be called
    return module


def _object(ir: str) -> bytes:
    """Object code, from the disk where it is there and undamaged."""
    key = hashlib.sha256("\0".join((ir, *host(), str(_llvm().llvm_version_info))).encode())
    path = disk.place("kernels", f"{key.hexdigest()}.o")
    stored = disk.read(path) or b""
    digest, code = stored[:32], stored[32:]
    if hashlib.sha256(code).digest() != digest:
        code = _compiled(ir)
        disk.keep(path, hashlib.sha256(code).digest() + code)
    return code


def _compiled(ir: str) -> bytes:
    code: bytes = _machine().emit_object(optimised(ir))
    return code


def optimised(ir: str) -> Any:
    """The module after LLVM's passes."""
    llvm = _llvm()
    module = llvm.parse_assembly(ir)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=1 if ir.startswith(VECTORS) else 3)
    builder = llvm.create_pass_builder(_machine(), options)
    if ir.startswith(VECTORS):
        simplify = builder.getFunctionPassManager()
        for function in module.functions:
            if not function.is_declaration:
                simplify.run(function, builder)
    else:
        builder.getModulePassManager().run(module, builder)
    return module


def assembly(ir: str) -> str:
    """The machine's own instructions for a module, for people to read."""
    with fork_lock:
        text: str = _machine().emit_assembly(optimised(ir))
        return text


def share(name: str, module: Callable[[], str]) -> None:
    """Let modules declare and call `shared_NAME`, which is `openaclnn_shared_NAME` in a module that
    is written and compiled when the first of them is linked."""
    _shared[f"shared_{name}"] = module


@cache
def _define_shared(name: str) -> None:
    _llvm().add_symbol(name, function(_shared[name](), f"openaclnn_{name}"))


def define(name: str, function: Any) -> None:
    """Let modules call a C function by this name."""
    import ctypes

    address = ctypes.cast(function, ctypes.c_void_p).value
    _llvm().add_symbol(name, address)
