"""From Triton source to a cubin, by way of a cache on disk. Needs neither a GPU nor PyTorch.

A cubin that is in the cache is used without importing Triton, which takes a while.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from importlib import metadata
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from openaclnn.base import cache as disk
from openaclnn.base.records import dataclass
from openaclnn.base.spans import span
from openaclnn.base.status import AclnnError, Status
from openaclnn.engines.cuda.kernel import FETCHED, NAME, Kernel
from openaclnn.engines.cuda.ptxas_fault import is_faulty, memory_of_a_thread
from openaclnn.engines.cuda.unaligned_rows import NEIGHBOURS


@dataclass(frozen=True)
class Program:
    """What Triton compiles: a source, the types of its arguments, what they are multiples of."""

    source: str
    signature: tuple[tuple[str, str], ...]  # name, Triton's type
    multiples: tuple[int, ...]
    warps: int
    arch: int  # 90 is sm_90
    registers: int  # at most; 0: no limit
    spills: bool = True  # whether what does not fit into these may be kept in memory
    stages: int = 1  # of a loop's loads


@dataclass(frozen=True)
class Binary:
    """A compiled kernel: how it is launched, and its code."""

    name: str
    shared: int  # bytes of shared memory
    warps: int
    cubin: bytes


def program_of(kernel: Kernel, aligned: Sequence[bool]) -> Program:
    """The program of a kernel; aligned operands are read and written in vectors of 16 bytes."""
    signature, multiples = [], []
    for number, (type, vectors) in enumerate(zip(kernel.pointers, aligned, strict=True)):
        signature.append((f"p{number}", type))
        multiples.append(16 if vectors else 1)
    for number in range(kernel.uniforms):
        signature.append((f"u{number}", "i64"))
        multiples.append(1)
    for parameter in kernel.parameters:
        signature.append((parameter.name, parameter.type))
        multiples.append(parameter.multiple)
    return Program(
        kernel.source, tuple(signature), tuple(multiples),
        kernel.warps, kernel.arch, kernel.registers, kernel.spills, kernel.stages,
    )  # fmt: skip


def binary(program: Program) -> Binary:
    """The compiled program, from the disk where it is there."""
    path = cached_at(program)
    found = _read(path)
    if found is None:
        found = compiled(program)
        disk.keep(path, _stored(found))
    return found


def cached_at(program: Program) -> Path:
    """The file of a program; its name stands for everything that the code depends on."""
    facts = json.dumps([asdict(program), _triton_version()])
    name = f"sm_{program.arch}-{hashlib.sha256(facts.encode()).hexdigest()[:40]}.cubin"
    return disk.place("cubins", name)


@cache
def _triton_version() -> str:
    return metadata.version("triton")


def compiled(program: Program) -> Binary:
    """Compile now, without the cache: with more registers where they do not suffice."""
    most = program.registers
    for registers in dict.fromkeys((most, most * 5 // 4, most * 3 // 2, 0)):
        with span("compile"):
            found = _compiled_with(program, registers)
        if not memory_of_a_thread(found.cubin):
            return found
        # where there is no limit, or numbers are to be kept in memory, that is as it should be
        if (program.spills or not registers) and not is_faulty(found.cubin):
            return found
    raise AclnnError(Status.RUNTIME_ERROR, "NVIDIA's assembler compiles a kernel wrongly")


def _compiled_with(program: Program, registers: int) -> Binary:
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    attributes = {
        (number,): [["tt.divisibility", multiple]]
        for number, multiple in enumerate(program.multiples)
        if multiple > 1
    }
    source = ASTSource(
        fn=function(program.source), signature=dict(program.signature), attrs=attributes
    )
    # no contraction: the tree says where to fuse
    options: dict[str, Any] = {
        "num_warps": program.warps, "num_stages": program.stages, "enable_fp_fusion": False,
    }  # fmt: skip
    if registers:
        options["maxnreg"] = registers
    with _as_ours(FETCHED in program.source):
        result = triton.compile(source, target=GPUTarget("cuda", program.arch, 32), options=options)
    facts = result.metadata
    # scratch memory would have to be passed in; these kernels use none
    assert facts.global_scratch_size == 0
    assert facts.profile_scratch_size == 0
    _refuse_vectors_out_of_order(result.asm["ttgir"])
    assert (_LINES in result.asm["ptx"]) == (FETCHED in program.source)
    return Binary(facts.name, facts.shared, facts.num_warps, result.asm["cubin"])


_LINES = "ld.global.L2::128B."
_compiling = threading.RLock()  # what changes Triton's stages is one for all threads


@contextmanager
def _as_ours(fetching: bool) -> Iterator[None]:
    """What is compiled meanwhile is known to Triton's cache by Triton's version: reading all of its
    files for their digest, as it does once in a process, takes longer than compiling a kernel.

    If it is `fetching`, it asks the second cache for the whole line of 128 bytes that it reads a
    sector of, which Triton has no words for."""
    from triton import knobs
    from triton.runtime import cache as tritons

    def change(backend: Any = None, stages: Any = None, *_: Any) -> tuple[str, str] | None:
        if stages is None:  # for the name under which Triton keeps what it compiled
            return FETCHED, FETCHED
        stages["ptx"] = _fetching_more(stages["ptx"])
        return None

    with _compiling:
        key, before = tritons.triton_key, knobs.runtime.add_stages_inspection_hook
        tritons.triton_key = lambda: f"openaclnn with Triton {_triton_version()}"
        knobs.runtime.add_stages_inspection_hook = change if fetching else before
        try:
            yield
        finally:
            tritons.triton_key = key
            knobs.runtime.add_stages_inspection_hook = before


def _fetching_more(stage: Callable[[Any, Any], str]) -> Callable[[Any, Any], str]:
    return lambda source, metadata: stage(source, metadata).replace("ld.global.", _LINES)


def _refuse_vectors_out_of_order(text: str) -> None:
    """Some assembly asks that a thread has neighbours, in order: that is up to Triton's layouts."""
    for line in text.splitlines():
        if NEIGHBOURS in line:
            name = re.findall(r"tensor<\d+x8xi\d+, (#\w+)>", line)[-1]
            layout = re.findall(rf"^{name} = .*", text, re.MULTILINE)[-1]
            assert "sizePerThread = [1, 8]" in layout, layout
            assert "order = [1, 0]" in layout, layout


def function(source: str) -> Any:
    """The Triton function of a source. Triton reads it from a file, so one is kept."""
    name = f"kernel_{hashlib.sha256(source.encode()).hexdigest()[:40]}"
    path = disk.place("triton", f"{name}.py")
    if disk.read(path) != source.encode():
        disk.keep(path, source.encode())
    if disk.read(path) != source.encode():
        raise AclnnError(
            Status.RUNTIME_ERROR, f"{path} cannot be written; OPENACLNN_CACHE chooses another place"
        )
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, NAME)


def _stored(found: Binary) -> bytes:
    head = {"name": found.name, "shared": found.shared, "warps": found.warps}
    digest = hashlib.sha256(found.cubin).hexdigest()
    return json.dumps({**head, "sha256": digest}).encode() + b"\n" + found.cubin


def _read(path: Path) -> Binary | None:
    """What is stored, or None where it is missing or damaged."""
    try:
        head, cubin = (disk.read(path) or b"").split(b"\n", 1)
        facts = json.loads(head)
        if hashlib.sha256(cubin).hexdigest() == facts["sha256"]:
            return Binary(facts["name"], facts["shared"], facts["warps"], cubin)
    except (ValueError, KeyError):
        pass
    return None
