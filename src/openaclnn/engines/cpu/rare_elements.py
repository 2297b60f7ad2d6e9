"""Looks for rare elements in several vectors at once, for fewer instructions than vectors have.

What is taken for rare and is not goes the long way, to the same bits. So magnitudes are compared as
integers, the largest of all vectors with the limit, and a NaN is one of them; numbers of two
vectors are looked at for a NaN together: 2^14 to 2^18 gradients of silu at level exact take 0.98 of
the time.
"""

from __future__ import annotations

import struct

from openaclnn.arithmetic.nodes import Node, asked_for_nan, bits, in_order
from openaclnn.engines.cpu.vector import Printer, Vector


def rare_lanes(p: Printer, rare: Node, parts: list[Vector]) -> list[str]:
    """Conditions one of which holds in a lane if an element of it is rare; loads are printed."""
    found: list[str] = []
    for condition in _alternatives(rare):
        number = asked_for_nan(condition)
        if _is_limit_of_size(condition):
            found.append(_beyond(p, condition.args[0], parts))
        elif number is not None and number.type == "f32" and len(parts) % 2 == 0:
            found += nan_lanes(p, number, parts)
        else:
            p.print(in_order(condition), *parts)
            found += [known[condition] for known, _ in parts]
    return found


def nan_lanes(p: Printer, number: Node, parts: list[Vector]) -> list[str]:
    """The same of a number in an even count of vectors, if it is a NaN: two of them at once."""
    p.print(in_order(number), *parts)
    found, type = [known[number] for known, _ in parts], p.vector(number.type)
    pairs = zip(found[::2], found[1::2], strict=True)
    return [p.set(f"fcmp uno {type} {one}, {other}") for one, other in pairs]


def _alternatives(rare: Node) -> list[Node]:
    if rare.op != "or":
        return [rare]
    return [each for arg in rare.args for each in _alternatives(arg)]


def _is_limit_of_size(condition: Node) -> bool:
    """Whether a condition is that the magnitude of a float32 is above a constant, or NaN."""
    if condition.op != "not" or condition.args[0].op != "le":
        return False
    size, limit = condition.args[0].args
    return size.op == "abs" and size.type == "f32" and limit.op == "const"


def _beyond(p: Printer, within: Node, parts: list[Vector]) -> str:
    size, limit = within.args
    magnitude = bits(size)
    p.print(in_order(magnitude), *parts)
    most, *others = [known[magnitude] for known, _ in parts]
    type = p.vector("i32")
    larger = p.intrinsic(f"llvm.umax.v{p.lanes}i32", type, f"{type}, {type}")
    for other in others:
        most = p.set(f"call {type} {larger}({type} {most}, {type} {other})")
    (last,) = struct.unpack("<i", struct.pack("<f", limit.value))
    return p.set(f"icmp ugt {type} {most}, {p.constant('i32', last)}")
