"""Random operators, as files outside the package, through every entry point.

Five of them here; `python -m random_operators 200 SEED` in this folder runs more.
"""

from __future__ import annotations

import pytest

from random_operators import files, operators
from random_operators.__main__ import DOORS, run

SEED, OPERATORS = 13, 5


# commands take a process each: by day other tests type them
LATE = {"commands": pytest.mark.nightly}


@pytest.mark.parametrize("door", [pytest.param(d, marks=LATE.get(d, ())) for d in DOORS])
def test_door(door: str) -> None:
    if door in ("interpreted", "cubins"):
        pytest.importorskip("triton", reason="needs triton")
    done = run(door, OPERATORS if door != "commands" else 1, SEED, 1)  # those take their time
    print(done.stdout[-1000:])
    assert done.returncode == 0, done.stdout


def test_the_same_seed_draws_the_same() -> None:
    first, again, more = (operators.draw(count, SEED) for count in (3, 3, 8))
    texts = [list(map(files.text, drawn)) for drawn in (first, again, more)]
    assert texts[0] == texts[1] == texts[2][:3]
    assert texts[0] != list(map(files.text, operators.draw(3, SEED + 1)))
