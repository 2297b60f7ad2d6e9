"""Bodies with fewer steps and the same bits, for kernels that are bound by their instructions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.lower import Body
from openaclnn.arithmetic.nodes import (
    Node,
    asked_for_nan,
    bits,
    in_order,
    is_nan,
    make,
    select,
)
from openaclnn.base.dtypes import BF16, FLOAT16, DType


def simplified(body: Body, uniforms: Sequence[float]) -> Body:
    """A body for uniforms that are known: without the steps that change nothing.

    The default beta and most reductions make their factors 1: x·1, x/1 and x + -0 are x. The
    uniforms are taken as before.
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


def fewer_choices(body: Body) -> Body:
    """The body with one choice of a NaN, the last; and without roundings to 16 bits of what has 16
    bits already: numbers that were loaded, their opposites and magnitudes, and choices among them.
    What is the same for all elements is rounded once."""
    return replace(body, results=tuple(map(_with_fewer_choices, body.results)))


def _with_fewer_choices(result: Node) -> Node:
    number = asked_for_nan(result.args[0]) if result.op == "select" else None
    if number is None or result.args[1].op != "const":
        return result
    _, nan, written = result.args
    value, others = _apart_from_nans(number)
    looked_at = others if others and not _may_be_nan(value, others) else [*others, value]
    if written is bits(number):
        return select(reduce(Node.__or__, map(is_nan, looked_at)), nan, bits(value))
    of = [d for d in (FLOAT16, BF16) if result is rounding.stored(number, d)]
    found = _as_stored(value, of[0]) if of else None
    if found is None:
        return result
    return select(reduce(Node.__or__, [_is_nan_as(of[0], x) for x in looked_at]), nan, found)


def _may_be_nan(value: Node, others: list[Node]) -> bool:
    """Whether a number may be NaN where none of the others is."""
    if value.op == "select":
        return any(_may_be_nan(arg, others) for arg in value.args[1:])
    return value not in others and not (value.op == "const" and value.value == value.value)


def _is_nan_as(dtype: DType, x: Node) -> Node:
    stored = _as_stored(x, dtype)
    return is_nan(x) if stored is None else (stored & 0x7FFF) > _INFINITY[dtype]


def _apart_from_nans(value: Node) -> tuple[Node, list[Node]]:
    """A number as it is where some others are no NaN, and those: where one is, it is one too."""
    others: list[Node] = []
    plain: dict[Node, Node] = {}

    def end(node: Node) -> Node:
        while node.op == "select" and node.args[0] is is_nan(node.args[1]):
            others.append(end(node.args[1]))
            plain[node] = node.args[2]
            node = node.args[2]
        return node

    end(value)
    made: dict[Node, Node] = {}
    for node in in_order(value):
        args = [made[arg] for arg in node.args]
        made[node] = (
            made[plain[node]]
            if node in plain
            else make(node.op, node.type, *args, value=node.value)
        )
    return made[value], [made[other] for other in others]


_INFINITY = {FLOAT16: 0x7C00, BF16: 0x7F80}


def _as_stored(value: Node, dtype: DType) -> Node | None:
    """The bits of a number of 16 bits; those of a NaN may be any NaN's. None where it may have
    more."""
    if value.op in ("neg", "abs"):
        found = _as_stored(value.args[0], dtype)
        if found is None:
            return None
        return found ^ -0x8000 if value.op == "neg" else found & 0x7FFF
    if value.op == "select":
        yes, no = (_as_stored(arg, dtype) for arg in value.args[1:])
        return None if yes is None or no is None else select(value.args[0], yes, no)
    if not any(node.op == "load" for node in in_order(value)):
        return rounding.stored(value, dtype)
    load = next(node for node in in_order(value) if node.op == "load")
    return load if value is rounding.widened(load, dtype) else None


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
    if node.op in ("div", "quotient") and _is(args[1], 1.0, uniforms):
        return args[0]
    return make(node.op, node.type, *args, value=node.value)


def _product(a: Node, b: Node, uniforms: Sequence[float]) -> Node:
    if _is(a, 1.0, uniforms):
        return b
    return a if _is(b, 1.0, uniforms) else a * b


def _is(node: Node, value: float, uniforms: Sequence[float]) -> bool:
    """Whether a node is a constant or a uniform, narrowed or not, of this value; zeros have
    signs."""
    if node.op == "narrow":
        node = node.args[0]
    if node.op not in ("uniform", "const"):
        return False
    found = uniforms[int(node.value)] if node.op == "uniform" else node.value
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


def unguarded_where_numbers(body: Body) -> Body:
    """A light body with an unguarded way for results that are numbers: a NaN is looked for in all
    vectors that run in turns at once, instead of being chosen in each of them. Products of 2.7
    million float32 take 0.80 of the time, those in a cache as much as before; numbers of 16 bits
    that are chosen among (relu) 0.92."""
    light = body.unguarded is None and not (body.wide or body.costly)
    if not light or len(body.results) != 1 or body.results[0].op != "select":
        return body
    nothing, nan, number = body.results[0].args
    chosen = number.type == "i16" and number.op in ("xor", "and", "select")  # nothing is rounded
    if nan.op != "const" or not (chosen or number.op == "bits"):
        return body
    larger = _larger(number.args[0]) if number.op == "bits" else None
    if larger is not None:
        return replace(body, unguarded=(bits(larger),), rare=is_nan(larger.args[1]))
    return replace(body, unguarded=(number,), rare=nothing)


def _larger(value: Node) -> Node | None:
    """`c where x <= c, else x` of a constant c as processors know it, in one instruction: the same
    number unless x is none. 2^16 float32 in place take 2.5 µs, where two instructions take 3.9."""
    if value.op != "select" or value.args[0].op != "le" or value.args[1].op != "const":
        return None
    test, limit, x = value.args
    return select(limit < x, x, limit) if test.args == (x, limit) else None


def _guard(result: Node) -> Node | None:
    """The choice between a guarded quotient and a constant, where a result is nothing else."""
    if result.op != "select" or result.args[2].op != "bits":
        return None
    value = result.args[2].args[0]  # NaN has been given its one pattern
    if value.op != "select" or value.args[1].op != "select" or value.args[2].op != "const":
        return None
    test = value.args[1].args[0]
    return value if test.op == "eq" and test.args[0] is test.args[1] else None
