"""Scans on a GPU: a program for each row, block after block. Where states only add up, a block's
prefixes are found together, in whatever order: they are integers. Others go one by one."""

from __future__ import annotations

from openaclnn.arithmetic.scanning import Scanning, scanning
from openaclnn.base.floating import plain_arithmetic
from openaclnn.engines.cuda.kernel import Kernel
from openaclnn.engines.cuda.routines.rows import loads_of, rows_kernel, tree_function, typed_zero
from openaclnn.plan import RoutinePass
from openaclnn.spec.scans import Scan

_BLOCK = 256


@plain_arithmetic()
def kernels(one: RoutinePass, arch: int) -> list[tuple[Kernel, tuple[int, ...]]]:
    assert isinstance(one.routine, Scan)
    how = scanning(one.routine.kind, *one.dtypes)
    while how.otherwise is not None and not how.added:  # one that adds up only
        how = how.otherwise
    write = _together if how.added else _one_by_one
    functions, body = write(how, arch, one.routine.last)
    return [(rows_kernel(one.views, 1, one.routine.dim, functions, body, arch), (0, 1))]


def _called(name: str, how: Scanning, states: str, element: str = "x") -> str:
    """A call of a tree's function: states by their letter, then the element."""
    roots = {"added": how.added, "step": how.step, "result": (how.result,)}[name]
    last = f"x{len(how.starts)}"
    given = [element if load == last else f"{states}{load[1:]}" for load in loads_of(roots)]
    return f"{name}({', '.join(given)})"


def _together(how: Scanning, arch: int, last: bool) -> tuple[str, str]:
    count = range(len(how.starts))
    functions = tree_function("added", how.added, arch)
    functions += tree_function("result", (how.result,), arch)
    lines = [f"t{k} = {typed_zero(how.starts[k].type)}" for k in count]
    lines += [
        f"for start in range(0, count, {_BLOCK}):",
        f"    at = start + tl.arange(0, {_BLOCK}).to(tl.int64)",
        "    x = tl.load(p0 + at * s0, mask=at < count, other=0)",
        f"    {', '.join(f'a{k}' for k in count)} = {_called('added', how, '')}",
    ]
    for k in count:
        lines += [
            f"    a{k} = tl.broadcast_to(a{k}, [{_BLOCK}])",
            f"    c{k} = tl.cumsum(a{k}, 0) + t{k}",
            f"    t{k} += tl.sum(a{k}, 0)",
        ]
    lines += [
        f"    tl.store(p1 + at * s1, {_called('result', how, 'c')}, mask=at < count)",
    ]
    return functions, "\n".join(lines)


def _one_by_one(how: Scanning, arch: int, last: bool) -> tuple[str, str]:
    count = range(len(how.starts))
    functions = tree_function("step", how.step, arch)
    functions += tree_function("result", (how.result,), arch)
    lines = [
        f"t{k} = {typed_zero(start.type)} + {start.value!r}" if start.op == "const" else ""
        for k, start in enumerate(how.starts)
    ]
    states = ", ".join(f"t{k}" for k in count)
    lines += [
        "for at in range(0, count):",
        "    x = tl.load(p0 + at * s0)",
        f"    {states} = {_called('step', how, 't')}",
        f"{'' if last else '    '}tl.store(p1{'' if last else ' + at * s1'}, "
        f"{_called('result', how, 't')})",
    ]
    return functions, "\n".join(lines)
