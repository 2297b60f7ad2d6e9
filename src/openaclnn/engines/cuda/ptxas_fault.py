"""Checks the machine code of a kernel for a known fault of NVIDIA's assembler.

Where registers do not suffice, ptxas keeps some numbers in memory, and computes others again when
they are needed, first of all a thread's index. In one of some 1,600 random layouts of 16 bits it
read a number back into the register of an index that was still to be used (ptxas 12.8 and 12.9,
sm_90), and what the threads stored went to a few places of the output:

    S2R R41, SR_TID.X ;
    LDL.LU R41, [R1+0x4] ;
    LOP3.LUT R47, R41, 0x3f, RZ, 0xc0, !PT ;

So kernels that need no registers in memory get enough of them, and of others the instructions are
read: an index that is overwritten before it was used is that fault.
"""

from __future__ import annotations

import re
import struct
import subprocess
import tempfile
from functools import cache
from pathlib import Path

_FRAME_SIZE = 0x11  # the attribute of a function that says how much memory a thread has for itself
_WITH_SIZE = 4  # the format of attributes that say how long they are; others have 4 bytes
_INSTRUCTION = re.compile(r"\s*/\*[0-9a-f]{4,}\*/\s+(@\S+\s+)?([A-Z][\w.]*)\s*([^;]*);")
_LABEL = re.compile(r"\.L\w*:")
_LEAVES = ("BRA", "EXIT", "RET", "CALL", "JMP")
_STORES = ("ST", "RED", "ATOM")
_WIDE = re.compile(r"^D|\.(WIDE|64|128|F64)")


def memory_of_a_thread(cubin: bytes) -> int:
    """Bytes in which each thread keeps what it has no registers for, and arrays."""
    (sections,) = struct.unpack_from("<Q", cubin, 0x28)
    size, count, names = struct.unpack_from("<HHH", cubin, 0x3A)
    table = [struct.unpack_from("<I20xQQ", cubin, sections + n * size) for n in range(count)]
    most = 0
    for name, at, length in table:
        start = table[names][1] + name
        if cubin[start : cubin.index(b"\0", start)] != b".nv.info":
            continue
        end = at + length
        while at < end:
            form, attribute, following = struct.unpack_from("<BBH", cubin, at)
            at += 4
            if form == _WITH_SIZE:
                if attribute == _FRAME_SIZE:
                    most = max(most, struct.unpack_from("<4xI", cubin, at)[0])
                at += following
    return most


def loses_an_index(text: str) -> bool:
    """Whether in a listing of instructions a thread's index is overwritten before it was used.

    >>> listing = "/*0000*/ S2R R4, SR_TID.X ;\\n/*0010*/ LDL R4, [R1] ;\\n/*0020*/ EXIT ;"
    >>> loses_an_index(listing), loses_an_index(listing.replace("LDL R4", "LDL R5"))
    (True, False)
    """
    found: list[tuple[str, str, str]] = []  # condition, name, operands
    for line in text.splitlines():
        read = _INSTRUCTION.match(line)
        if read:
            found.append((read[1] or "", read[2], read[3]))
        elif _LABEL.match(line):
            found.append(("", "", ""))
    return any(
        _is_overwritten(operands.split(",")[0].strip(), found[at + 1 :])
        for at, (_, name, operands) in enumerate(found)
        if name == "S2R"
    )


def _is_overwritten(register: str, following: list[tuple[str, str, str]]) -> bool:
    """Whether a register is written before it is read, as far as is certain: it may be the upper
    half of a pair, of which instructions name the lower one."""
    pair = rf"\bR{int(register[1:]) - 1}\b"
    for condition, name, operands in following:
        if not name or (name.startswith(_LEAVES) and not condition):
            return False
        written, _, read = operands.partition(",")
        if name.startswith(_STORES):
            written, read = "", operands
        wide = _WIDE.search(name) or ".64" in operands
        if re.search(rf"\b{register}\b", read) or (wide and re.search(pair, operands)):
            return False
        if re.search(rf"\b{register}\b", written):
            return not condition
    return False


def is_faulty(cubin: bytes) -> bool:
    """Whether a kernel that keeps numbers in memory has the fault; no, where Triton does not bring
    NVIDIA's disassembler."""
    tool = _disassembler()
    if tool is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "kernel.cubin")
        file.write_bytes(cubin)
        listing = subprocess.run([tool, "-c", file], capture_output=True, text=True, check=True)
    return loses_an_index(listing.stdout)


@cache
def _disassembler() -> str | None:
    from triton import knobs

    try:
        found: str = knobs.nvidia.nvdisasm.path
    except RuntimeError:
        return None
    return found
