"""Philox4x32-10 as basic operations: 128 random bits of a counter and a key."""

from __future__ import annotations

from functools import lru_cache

from openaclnn.arithmetic.nodes import Node, const, make

_MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
_STEPS = 0x9E3779B9, 0xBB67AE85  # from one round's key to the next
_MASK = (1 << 32) - 1
_ROUNDS = 10


@lru_cache(maxsize=64)
def words(
    position: Node, seed: tuple[Node, Node], offset: tuple[Node, Node]
) -> tuple[Node, Node, Node, Node]:
    """Four words of 32 bits, each in an i64 without a sign; seed and offset are such words, the low
    one first, the position is an i64."""
    counter = (position & _MASK, position >> 32, *offset)
    key = seed
    for _ in range(_ROUNDS):
        first, second = (
            counter[2 * k] * const("i64", factor) for k, factor in enumerate(_MULTIPLIERS)
        )
        counter = (
            (second >> 32) ^ counter[1] ^ key[0],
            second & _MASK,
            (first >> 32) ^ counter[3] ^ key[1],
            first & _MASK,
        )
        key = ((key[0] + _STEPS[0]) & _MASK, (key[1] + _STEPS[1]) & _MASK)
    return counter


def number(kind: str, half: int, counter: tuple[Node, Node, Node, Node]) -> Node:
    """What `openaclnn.spec.random` calls a unit or a centre, a float64; or an integer, an i64. Of
    the words it is made from two, the first of them the upper."""
    bits = (counter[2 * half] << 32) | counter[2 * half + 1]
    if kind == "integer":
        return bits >> 1
    if kind == "unit":
        return make("from_int", "f64", bits >> 11) * 2.0**-53
    return make("from_int", "f64", (bits >> 11) | 1) * 2.0**-53
