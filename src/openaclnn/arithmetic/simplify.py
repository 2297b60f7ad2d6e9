"""Bodies with fewer steps and the same bits, for kernels that are bound by their instructions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from openaclnn.arithmetic.lower import Body
from openaclnn.arithmetic.nodes import Node, bits, in_order, is_nan, make, select


def simplified(body: Body, uniforms: Sequence[float]) -> Body:
    """A body for uniforms that are known: without the steps that change nothing.

    The default beta and most reductions make their factors 1: x·1 and x + -0 are x. The uniforms
    are taken as before.
    """
    roots = [*body.results, *(body.unguarded or ()), *filter(None, [body.rare])]
    simpler: dict[Node, Node] = {}
    for node in in_order(*roots):
        simpler[node] = _without(node, [simpler[arg] for arg in node.args], uniforms)
    return replace(
        body,
        results=tuple(simpler[result] for result in body.results),
        unguarded=body.unguarded and tuple(simpler[result] for result in body.unguarded),
        rare=body.rare and simpler[body.rare],
    )


def kinds_of(uniforms: Sequence[float]) -> tuple[float, ...]:
    """Stand-ins that simplify as these do, of which there are few: 1, -0, and 2 for all others."""
    return tuple(
        [1.0 if x == 1 else 2.0 if x or math.copysign(1.0, x) > 0 else -0.0 for x in uniforms]
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


def unguarded_where_finite(body: Body) -> Body:
    """The body with an unguarded way for finite numbers, where a quotient is guarded from others.

    A quotient by a constant falls back on its first guess where what corrects it, `excess`, is
    NaN: its dividend is NaN or infinite. Everywhere else it is a number, and neither the guard nor
    the look for a NaN result is needed.
    """
    single = body.unguarded is None and len(body.results) == 1
    guard = _guard(body.results[0]) if single else None
    if guard is None:
        return body
    condition, guarded, other = guard.args
    tested, quotient, _ = guarded.args
    unguarded = bits(select(condition, quotient, other))
    return replace(body, unguarded=(unguarded,), rare=is_nan(tested.args[0]))


def _guard(result: Node) -> Node | None:
    """The choice between a guarded quotient and a constant, where a result is nothing else."""
    if result.op != "select" or result.args[2].op != "bits":
        return None
    value = result.args[2].args[0]  # NaN has been given its one pattern
    if value.op != "select" or value.args[1].op != "select" or value.args[2].op != "const":
        return None
    test = value.args[1].args[0]
    return value if test.op == "eq" and test.args[0] is test.args[1] else None
