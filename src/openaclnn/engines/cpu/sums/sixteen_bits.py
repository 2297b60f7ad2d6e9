"""Functions that add up a block of numbers of 16 bits as they lie, for specialists in floating
point: every two of them in float32, the sums in float64."""

from __future__ import annotations

from openaclnn.engines.cpu.code import Value
from openaclnn.engines.cpu.sums.exact import EIGHT, Exact, now

GIVEN = "ptr terms, i64 n, ptr state"
WIDENED = "ptr terms, i64 n, ptr own"
STEP = 64  # terms at once; there are no others
BLOCK = 16384  # terms whose sum is tried
CHUNK = 2048  # terms that are tried in pairs


def trial(code: Exact) -> None:
    """Adds the sum of a block to a state, unless it was rounded."""
    n, failures = code.given["n"], code.variable(code.number(0))
    begin, sums = code.begin(CHUNK), code.zeros(EIGHT)
    with code.loop(0, n, CHUNK) as start:
        count, at = (n - start).least(CHUNK), code.at(begin, start * 2)

        def all_pairs(at: Value = at, count: Value = count) -> Value:
            with code.loop(0, count, STEP) as index:
                here, to = (code.at(place, index * 2) for place in (at, code.own))
                for k in range(0, STEP, 2 * EIGHT):
                    pair = code.two_floats(code.at(here, 2 * k))
                    code.store(code.sum_of_floats(*pair), code.at(to, 2 * k))
            return count >> 1

        def all_singles(at: Value = at, count: Value = count) -> Value:
            code.call("openaclnn_widen", at, count, code.own, returns="i1")
            return count

        end = code.if_exact(all_pairs, all_singles, failures)
        with code.loop(0, end, 4 * EIGHT) as index:
            here = code.at(code.own, index * 4)
            for k in range(0, 4 * EIGHT, EIGHT):
                code.add(sums[k // 4 : k // 4 + 2], code.at(here, 4 * k))
    total = code.pinned(code.sum_of_lanes(code.fewer(now(sums), 1)[0]))
    with code.when(code.rounded()):
        code.give(0)
    with code.when(total - total == 0.0):
        code.call("openaclnn_put", code.given["state"], total)
        code.give(1)
    code.give(0)


def widen(code: Exact) -> None:
    """Numbers of 16 bits as float32."""
    terms, n, own = code.given.values()
    with code.loop(0, n, STEP) as index:
        for k in range(0, STEP, EIGHT):
            floats = code.floats(code.at(code.at(terms, index * 2), 2 * k))
            code.store(floats, code.at(code.at(own, index * 4), 4 * k))
    code.give(1)
