"""One call of every kind of kernel, for a checker of memory accesses and races to watch:

compute-sanitizer --tool memcheck python tests/long cuda_sanitized
"""

from __future__ import annotations

import sys

import cases
import comparison
from host_engines import CopyingEngine
from openaclnn.base.dtypes import BF16, COMPLEX64, COMPLEX128, FLOAT, FLOAT16
from openaclnn.ops import find

LAYOUTS = (
    "flat", "flat, shifted output", "flat, stepped", "self turned", "output turned", "sliced",
    "short odd rows", "one row", "one column", "three dimensions, all differ",
    "eight dimensions reversed",
)  # fmt: skip
CALLS = [
    ("silu_backward", cases.Types((FLOAT, FLOAT), FLOAT)),
    ("silu_backward", cases.Types((BF16, BF16), BF16)),
    ("leaky_relu_backward", cases.Types((FLOAT16, FLOAT), FLOAT)),
    ("leaky_relu_backward", cases.Types((FLOAT, FLOAT), COMPLEX64)),
    ("leaky_relu_backward", cases.Types((BF16, FLOAT), COMPLEX128)),
]


def main() -> int:
    """The number of calls whose bits differ."""
    wrong = 0
    for name, types in CALLS:
        for layout in LAYOUTS:
            for level in ("exact", "fast"):
                op = find(name)
                wrong += comparison.differing(CopyingEngine(), op, types, layout, level) > 0
    print(f"{2 * len(CALLS) * len(LAYOUTS)} calls, {wrong} wrong")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
