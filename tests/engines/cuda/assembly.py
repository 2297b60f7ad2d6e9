"""What the assembly in kernels for rows that begin anywhere does, in NumPy: so Triton's interpreter
runs the text that is compiled for a GPU.

    Assembly()(SHIFT, [first, second, by])      arrays of one shape, an element for each lane
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from openaclnn.engines.cuda.routines.contraction import HOLD
from openaclnn.engines.cuda.tiling import VECTOR
from openaclnn.engines.cuda.unaligned_rows import SHIFT, STORE
from openaclnn.engines.cuda.unaligned_transpose import GET, PUT

_BEGIN = 1024  # of a program's shared memory: not 0, as sums of offsets must not forget it
_NEIGHBOURS = np.arange(VECTOR)
_Array = np.ndarray[Any, Any]


class Assembly:
    """One program's shared memory, and what instructions do to it. Words that no instruction may
    read or write are found: those outside, and vectors that are not aligned."""

    def __init__(self) -> None:
        self.shared = np.zeros(0, np.uint8)
        self.known: dict[str, Callable[..., _Array]] = {
            PUT: self.put,
            GET: self.get,
            SHIFT: self.shift,
            STORE: self.store,
            **{text: lambda x: x for text, _ in HOLD.values()},
        }

    def __call__(self, text: str, given: list[_Array]) -> _Array:
        room = re.fullmatch(
            r"\{ \.shared \.align 4 \.b8 room\[(\d+)\]; mov\.u32 \$0, room; \}", text
        )
        if room:
            self.shared = np.full(int(room[1]), 0xA5, np.uint8)
            return np.full_like(given[0], _BEGIN)
        return self.known[text](*given)

    def halves(self, at: _Array) -> _Array:
        """Numbers of 16-bit words, all of them inside."""
        assert (at % 2 == 0).all()
        words = (at - _BEGIN) // 2
        assert words.min() >= 0
        assert words.max() < self.shared.size // 2
        return words

    def put(self, x: _Array, at: _Array) -> _Array:
        assert np.unique(at).size == at.size  # no two threads write one word
        self.shared.view(np.int16)[self.halves(at)] = x
        return np.zeros_like(x)

    def get(self, like: _Array, at: _Array) -> _Array:
        assert like.shape[1] == VECTOR
        assert (at % 4 == 0).all()
        return self.shared.view(np.int16)[self.halves(at + 2 * _NEIGHBOURS)]

    def shift(self, first: _Array, second: _Array, by: _Array) -> _Array:
        both = np.concatenate([first, second], axis=1)
        return np.take_along_axis(both, by + _NEIGHBOURS, axis=1)

    def store(self, y: _Array, to: _Array, first: _Array, last: _Array) -> _Array:
        from triton._C.libtriton import interpreter

        assert ((first < last) | (last == 0)).all()  # else it would store what is not inside
        inside = (first <= _NEIGHBOURS) & (last > _NEIGHBOURS)
        assert (to[inside] % 16 == 0).all()
        at = (to + 2 * _NEIGHBOURS).astype(np.uint64)
        interpreter.store(at, np.ascontiguousarray(y), np.ascontiguousarray(inside))
        return np.zeros_like(y, np.int8)


def interpret_assembly(interpreter: Any) -> None:
    """Let Triton's interpreter, which knows no assembly, know this."""
    run = Assembly()

    def create_inline_asm(
        self: Any, text: str, constraints: str, values: list[Any], types: list[Any], *_: Any
    ) -> Any:
        result = run(text, [value.data for value in values])
        handle = interpreter.TensorHandle(result, types[0].scalar)
        return SimpleNamespace(get_result=lambda number: handle)

    load = interpreter.InterpreterBuilder.create_masked_load

    def create_masked_load(self: Any, pointers: Any, mask: Any, *more: Any) -> Any:
        """As a GPU, which reads vectors only where they begin at multiples of 16."""
        if pointers.attr.get("tt.divisibility") == [1, 16]:
            read = mask.data[:, 0]
            assert (pointers.data[read, 0] % 16 == 0).all()
        return load(self, pointers, mask, *more)

    interpreter.InterpreterBuilder.create_inline_asm = create_inline_asm
    interpreter.InterpreterBuilder.create_masked_load = create_masked_load
