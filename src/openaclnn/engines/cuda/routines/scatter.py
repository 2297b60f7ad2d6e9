"""Scatters on a GPU. What goes to different places whatever the indices are, is shared out: a
program for every such place takes the others one after the other, so that the last one stays."""

from __future__ import annotations

import math

from openaclnn.base.status import AclnnError, Status
from openaclnn.base.tensors import View
from openaclnn.engines.cuda.kernel import HEAD, NAME, Kernel, Parameter
from openaclnn.engines.cuda.routines.rows import pointee
from openaclnn.plan import RoutinePass
from openaclnn.spec.scatters import PUT, Scatter

_BLOCK = 256
Made = tuple[Kernel, tuple[int, ...]]


def kernels(one: RoutinePass, arch: int) -> list[Made]:
    routine, (own, src, *indices, out) = one.routine, one.views
    assert isinstance(routine, Scatter)
    if routine.kind != PUT and out.dtype.kind == "float":
        raise AclnnError(
            Status.INNER_FIND_KERNEL_ERROR,
            "sums and products at indices of floats are not computed on cuda yet; move the tensors "
            "to the CPU device",
        )
    last = len(one.views) - 1
    operands = (1, *range(2, last), last)
    return [
        (_copy(own, out, arch), (0, last)),
        (_scatter(routine, src, indices, out, arch), operands),
    ]


def _kernel(
    pointers: list[str], given: dict[str, int], lines: list[str], programs: int, arch: int
) -> Kernel:
    names = ", ".join([*(f"p{k}" for k in range(len(pointers))), *given])
    text = "".join(f"    {line}\n" for line in lines)
    return Kernel(
        source=f"{HEAD}@triton.jit\ndef {NAME}({names}):\n{text}",
        pointers=tuple(pointers),
        uniforms=0,
        parameters=tuple(Parameter(name, "i64", value) for name, value in given.items()),
        arch=arch,
        warps=4,
        registers=0,
        programs=programs,
        alignable=(False,) * len(pointers),
    )


def _copy(own: View, out: View, arch: int) -> Kernel:
    """The tensor as it was."""
    given = {"count": out.numel}
    lines = [
        f"at = tl.program_id(0).to(tl.int64) * {_BLOCK} + tl.arange(0, {_BLOCK}).to(tl.int64)",
        "left, a, b = at, at * 0, at * 0",
    ]
    for dim in reversed(range(len(out.shape))):
        given |= {f"n{dim}": out.shape[dim], f"s{dim}": own.strides[dim]}
        given |= {f"t{dim}": out.strides[dim]}
        lines += [f"i = left % n{dim}", f"left = left // n{dim}"]
        lines += [f"a += i * s{dim}", f"b += i * t{dim}"]
    lines += [
        "x = tl.load(p0 + a, mask=at < count, other=0)",
        "tl.store(p1 + b, x, mask=at < count)",
    ]
    programs = -(-out.numel // _BLOCK)
    return _kernel([pointee(own, True), pointee(out, True)], given, lines, programs, arch)


def _scatter(routine: Scatter, src: View, indices: list[View], out: View, arch: int) -> Kernel:
    views, shape = [src, *indices], src.shape
    apart = [dim for dim in range(len(shape)) if dim in routine.coordinates]
    others = [dim for dim in range(len(shape)) if dim not in apart]
    given = {"count": math.prod(shape[dim] for dim in others)}
    for dim, size in enumerate(shape):
        given[f"n{dim}"] = size
        given |= {f"s{k}_{dim}": view.strides[dim] for k, view in enumerate(views)}
    for dim, size in enumerate(out.shape):
        given |= {f"m{dim}": size, f"t{dim}": out.strides[dim]}
    pointers = [pointee(src, True), *(pointee(index) for index in indices), pointee(out, True)]
    lines = ["left = tl.program_id(0).to(tl.int64)"]
    for dim in reversed(apart):
        lines += [f"i{dim} = left % n{dim}", f"left = left // n{dim}"]
    lines += ["for one in range(0, count):", "    rest = one.to(tl.int64)" if arch else
              "    rest = tl.zeros((), tl.int64) + one"]  # fmt: skip
    for dim in reversed(others):
        lines += [f"    i{dim} = rest % n{dim}", f"    rest = rest // n{dim}"]
    for k in range(len(views)):
        terms = " + ".join(f"i{dim} * s{k}_{dim}" for dim in range(len(shape))) or "rest"
        lines.append(f"    x{k} = tl.load(p{k} + {terms})")
    lines += ["    there = count > 0", "    to = rest * 0"]
    for dim, where in enumerate(routine.coordinates):
        if where >= 0:
            lines.append(f"    to += i{where} * t{dim}")
            continue
        lines += [
            f"    at = x{-where}.to(tl.int64)",
            f"    there = there & (at >= -m{dim}) & (at < m{dim})",
            f"    to += tl.where(at < 0, at + m{dim}, at) * t{dim}",
        ]
    last, value = len(views), "x0"
    if routine.kind != PUT:
        sign = "+" if routine.kind == "add" else "*"
        lines.append(f"    before = tl.load(p{last} + to, mask=there, other=0)")
        value = f"before {sign} x0"
    lines.append(f"    tl.store(p{last} + to, {value}, mask=there)")
    programs = math.prod(shape[dim] for dim in apart)
    return _kernel(pointers, given, lines, programs, arch)
