"""Writes the function that transposes a tile, in blocks that fit the registers.

Neighbours come in as vectors and leave as vectors; between the two, four rounds of shuffles.
"""

from __future__ import annotations

from collections.abc import Iterable

from openaclnn.engines.cpu.vector import Printer

_BLOCK = 16


def name(size: int) -> str:
    """The function for elements of so many bytes."""
    return f"openaclnn_transpose_{size}"


def function(size: int) -> str:
    """dst[j * pitch + i] = src[lines[i] + j] for i < n and j < m; pitch and lines in bytes."""
    p = Printer(_BLOCK)
    element = f"i{8 * size}"
    p.label("entry")
    whole_n = p.set(f"and i64 %n, {-_BLOCK}")
    whole_m = p.set(f"and i64 %m, {-_BLOCK}")

    def source(line: str, place: str) -> str:
        entry = p.set(f"getelementptr i64, ptr %lines, i64 {line}")
        start = p.set(f"load i64, ptr {entry}, align 8")
        return p.shifted(p.set(f"getelementptr i8, ptr %src, i64 {start}"), place, str(size))

    def target(line: str, place: str) -> str:
        return p.shifted(p.shifted("%dst", line, "%pitch"), place, str(size))

    def block(i: str, j: str) -> None:
        vector = f"<{_BLOCK} x {element}>"
        lines = [p.set(f"add i64 {i}, {k}") for k in range(_BLOCK)]
        rows = [p.set(f"load {vector}, ptr {source(line, j)}, align 1") for line in lines]
        step = 1
        while step < _BLOCK:
            for k in range(_BLOCK):
                if not k & step:
                    a, b = rows[k], rows[k + step]
                    rows[k] = p.set(f"shufflevector {vector} {a}, {vector} {b}, {_upper(step)}")
                    rows[k + step] = p.set(
                        f"shufflevector {vector} {a}, {vector} {b}, {_lower(step)}"
                    )
            step *= 2
        for k, row in enumerate(rows):
            line = p.set(f"add i64 {j}, {k}")
            p.line(f"store {vector} {row}, ptr {target(line, i)}, align 1")

    def one(i: str, j: str) -> None:
        value = p.set(f"load {element}, ptr {source(i, j)}, align 1")
        p.line(f"store {element} {value}, ptr {target(j, i)}, align 1")

    def blocks(i: str, _: list[str]) -> None:
        p.loop("j", "0", whole_m, lambda j, _: block(i, j), step=_BLOCK)

    def right_edge(i: str, _: list[str]) -> None:
        p.loop("j", whole_m, "%m", lambda j, _: one(i, j), step=1)

    def lower_edge(i: str, _: list[str]) -> None:
        p.loop("j", "0", whole_m, lambda j, _: one(i, j), step=1)

    p.loop("i", "0", whole_n, blocks, step=_BLOCK)
    p.loop("i", "0", "%n", right_edge, step=1)
    p.loop("i", whole_n, "%n", lower_edge, step=1)
    p.line("ret void")
    lines = "\n".join(p.lines)
    return (
        f"define internal void @{name(size)}(ptr %src, ptr %lines, ptr %dst, i64 %pitch, "
        f'i64 %n, i64 %m) nounwind "prefer-vector-width"="512" {{\n{lines}\n}}\n'
    )


def _upper(step: int) -> str:
    """Row k keeps its even places and takes the even ones of row k + step for its odd ones."""
    return _mask(e if not e & step else _BLOCK + e - step for e in range(_BLOCK))


def _lower(step: int) -> str:
    """Row k + step takes the odd places of row k for its even ones and keeps its own odd ones."""
    return _mask(e + step if not e & step else _BLOCK + e for e in range(_BLOCK))


def _mask(places: Iterable[int]) -> str:
    return f"<{_BLOCK} x i32> <{', '.join(f'i32 {place}' for place in places)}>"
