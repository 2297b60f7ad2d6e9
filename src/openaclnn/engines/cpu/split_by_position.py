"""Bodies that choose by an element's position, as a triangle does: on most of a row one side of the
condition holds for many columns in turn, and only what that side needs is computed there."""

from __future__ import annotations

from openaclnn.arithmetic.lower import Body
from openaclnn.arithmetic.nodes import FLOATS, Node, exchanged, in_order
from openaclnn.base.records import dataclass


@dataclass(frozen=True)
class Sides:
    """The condition, and the result where it holds and where it does not. `kept` is an operand
    whose elements are the result where it holds: in the same memory nothing need be stored."""

    condition: Node
    holds: Node
    fails: Node
    kept: int | None = None


def sides_of(body: Body) -> Sides | None:
    """The sides of a body with one result and one such condition."""
    if len(body.results) != 1 or "position" not in body.loads:
        return None
    (result,) = body.results
    choices = [node for node in in_order(result) if node.op == "select"]
    choices = [node for node in choices if _by_position(node.args[0], body)]
    if len({node.args[0] for node in choices}) != 1:
        return None
    holds, fails = (exchanged(result, {n: n.args[side] for n in choices}) for side in (1, 2))
    load = holds.args[0] if holds.op == "bits" else holds
    kept = int(load.value) if load.op == "load" else None
    return Sides(choices[0].args[0], holds, fails, kept)


def changes_once(sides: Sides, patterns: str) -> bool:
    """Whether the condition holds up to a column, or from one on: it looks at one position that
    varies along the columns."""
    looked_at = {int(node.value) for node in in_order(sides.condition) if node.op == "load"}
    return sum(patterns[operand] != "0" for operand in looked_at) == 1


def _by_position(node: Node, body: Body) -> bool:
    """Whether a condition compares what only grows or only falls with a position: rounded numbers
    and differences of positions do, numbers of 32 bits may wrap."""
    if node.op == "load":
        return body.loads[int(node.value)] == "position"
    if node.op in ("add", "sub") and node.type not in FLOATS:
        return node.op == "sub" and all(arg.op == "load" for arg in node.args)
    known = node.op in ("le", "lt", "add", "sub", "from_int", "narrow", "uniform", "const")
    return known and all(_by_position(arg, body) for arg in node.args)
