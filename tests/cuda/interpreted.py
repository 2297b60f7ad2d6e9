"""Compares the kernels under Triton's interpreter with the CPU engine; the exit status tells.

TRITON_INTERPRET=1 python tests/cuda/interpreted.py layouts|operators
"""

from __future__ import annotations

import sys

import cases
import comparison
from host_engines import InterpretedEngine

from openaclnn.ops import find


def main(part: str) -> int:
    """The number of calls whose bits differ."""
    wrong = 0
    if part == "layouts":
        op = find("leaky_relu_backward")
        samples = [
            (op, types, layout, "exact")
            for layout in cases.LAYOUTS
            for types in (*list(cases.same_types(op))[:1], *list(cases.mixed_types(op))[4:6])
        ]
    else:
        samples = [
            (op, types, layout, level)
            for op in cases.operators()
            for types in (*cases.same_types(op), *cases.mixed_types(op))
            for layout in ("short odd rows", "self turned")
            for level in ("exact", "fast")
        ]
    for number, (op, types, layout, level) in enumerate(samples):
        differing = comparison.differing(InterpretedEngine(), op, types, layout, level, number % 3)
        if differing:
            print(f"{op.name} {types} {layout} {level}: {differing} bytes differ")
            wrong += 1
    return wrong


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1]), 1))
