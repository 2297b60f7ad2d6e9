"""A body for uniforms that are known: without the steps that change nothing.

The default beta and most reductions make their factors 1, and a kernel that is bound by its
instructions is faster without them. Only what keeps every bit is left out: x·1 and x + -0 are x.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from openaclnn.arithmetic.lower import Body
from openaclnn.arithmetic.nodes import Node, in_order, make


def simplified(body: Body, uniforms: Sequence[float]) -> Body:
    """The same bits for these uniforms, by as few operations; it takes them as before."""
    roots = [root for root in (body.result, body.shortcut, body.rare) if root is not None]
    simpler: dict[Node, Node] = {}
    for node in in_order(*roots):
        simpler[node] = _without(node, [simpler[arg] for arg in node.args], uniforms)
    return replace(
        body,
        result=simpler[body.result],
        shortcut=None if body.shortcut is None else simpler[body.shortcut],
        rare=None if body.rare is None else simpler[body.rare],
    )


def _without(node: Node, args: list[Node], uniforms: Sequence[float]) -> Node:
    """The node on simpler operands, or the one of them that it equals."""
    if node.op == "fma":
        a, b, c = args
        if _is(c, -0.0, uniforms):
            return _product(a, b, uniforms)
        if _is(a, 1.0, uniforms) or _is(b, 1.0, uniforms):
            return _product(a, b, uniforms) + c
    if node.op == "mul":
        return _product(args[0], args[1], uniforms)
    return make(node.op, node.type, *args, value=node.value)


def _product(a: Node, b: Node, uniforms: Sequence[float]) -> Node:
    if _is(a, 1.0, uniforms):
        return b
    return a if _is(b, 1.0, uniforms) else a * b


def _is(node: Node, value: float, uniforms: Sequence[float]) -> bool:
    """Whether a node is a uniform, narrowed or not, of this value; zeros have signs."""
    if node.op == "narrow":
        node = node.args[0]
    if node.op != "uniform":
        return False
    found = uniforms[int(node.value)]
    return found == value and math.copysign(1.0, found) == math.copysign(1.0, value)
