"""Rows of looked-up elements that lie side by side, as an embedding has them: where that shows at a
row's first element, the row is copied at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from openaclnn.arithmetic.lower import Body
from openaclnn.arithmetic.nodes import Node, in_order, unequal
from openaclnn.engines.cpu.vector import scalar

if TYPE_CHECKING:
    from openaclnn.engines.cpu.kernel import LoopKernel


def copied(body: Body, patterns: str, in_rows: frozenset[Node]) -> Node | None:
    """The look-up that is all that a kernel stores, side by side, where whether there is an element
    is told by what is the same for a whole row."""
    result, *others = body.results
    if result.op == "bits":
        (result,) = result.args
    if others or body.complex[0] or result not in in_rows or patterns[-1] != "1":
        return None
    address, there = result.args
    varying = [n for n in in_order(address) if n.op == "load" and patterns[int(n.value)] != "0"]
    if len(varying) != 1 or body.loads[int(varying[0].value)] != "position":
        return None
    own = there.args if there.op == "and" else ()
    if unequal(varying[0], 0) not in own:
        return None
    rest = [n for arg in own if arg is not unequal(varying[0], 0) for n in in_order(arg)]
    return None if varying[0] in rest else result


def copy_or(
    kernel: LoopKernel, peek: Node, pointers: list[str], count: str, otherwise: Callable[[], None]
) -> None:
    """Copy a row of so many elements, or do something else where they do not lie side by side."""
    p, size = kernel.p, kernel.access.size(kernel.out)
    names: dict[Node, str] = {}

    def load(node: Node) -> str:
        return kernel.access.load_for_all(int(node.value), pointers[int(node.value)])

    with kernel.one_lane():
        for node in in_order(*peek.args):
            if node.op == "uniform":
                word = kernel.word(kernel.block.uniform(int(node.value)), scalar(node.type))
                names[node] = p.splat(node.type, word)
        p.print(in_order(*peek.args), (names, load))
        first, there = (
            p.set(f"extractelement <1 x {type}> {names[arg]}, i64 0")
            for type, arg in zip(("i64", "i1"), peek.args, strict=True)
        )
    place = next(
        int(n.value)
        for n in in_order(peek.args[0])
        if n.op == "load" and kernel.patterns[int(n.value)] != "0"
    )
    beside = p.set(f"icmp eq i64 {kernel.along(place)}, {size}")
    some = p.set(f"icmp sgt i64 {count}, 0")
    whole = p.set(f"and i1 {p.set(f'and i1 {beside}, {some}')}, {there}")
    label = p.fresh("copied")[1:]
    p.line(f"br i1 {whole}, label %{label}, label %{label}.not")
    p.label(label)
    name = p.intrinsic("llvm.memcpy.p0.p0.i64", "void", "ptr, ptr, i64, i1")
    begin, bytes = p.set(f"inttoptr i64 {first} to ptr"), p.set(f"mul i64 {count}, {size}")
    p.line(f"call void {name}(ptr {pointers[kernel.out]}, ptr {begin}, i64 {bytes}, i1 false)")
    p.line(f"br label %{label}.done")
    p.label(f"{label}.not")
    otherwise()
    p.line(f"br label %{label}.done")
    p.label(f"{label}.done")
