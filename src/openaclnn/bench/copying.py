"""The copy bandwidth of this machine: the upper limit for operators that only move data.

The copy writes past the caches, as our kernels do for large outputs. The C library's and
PyTorch's copies often do not, and are slower: a comparison with those flatters.
"""

from __future__ import annotations

import struct

import numpy as np

from openaclnn.engines.cpu import compile, threads

_COPIED = 1 << 27  # bytes, well beyond any cache
_UNIT = 1 << 16
_LINE = 64

_KERNEL = f"""
define void @openaclnn_copy(ptr %block, i64 %first, i64 %last) nounwind {{
  %from = load ptr, ptr %block, align 8
  %to.at = getelementptr i64, ptr %block, i64 1
  %to = load ptr, ptr %to.at, align 8
  %begin = mul i64 %first, {_UNIT}
  %end = mul i64 %last, {_UNIT}
  br label %line
line:
  %at = phi i64 [ %begin, %0 ], [ %next, %line ]
  %source = getelementptr i8, ptr %from, i64 %at
  %target = getelementptr i8, ptr %to, i64 %at
  %value = load <16 x i32>, ptr %source, align {_LINE}
  store <16 x i32> %value, ptr %target, align {_LINE}, !nontemporal !0
  %next = add i64 %at, {_LINE}
  %more = icmp ult i64 %next, %end
  br i1 %more, label %line, label %done
done:
  ret void
}}
!0 = !{{i32 1}}
"""


class Copy:
    """A call that copies on so many threads."""

    bytes_moved = 2 * _COPIED  # read and written

    def __init__(self, count: int) -> None:
        self._memory = [np.ones(_COPIED + _LINE, np.uint8) for _ in range(2)]
        addresses = [memory.ctypes.data + -memory.ctypes.data % _LINE for memory in self._memory]
        self._block = struct.pack("2q", *addresses)
        self._kernel = compile.function(_KERNEL, "openaclnn_copy")
        self._threads = count

    def __call__(self) -> None:
        threads.sharer()(self._kernel, self._block, _COPIED // _UNIT, self._threads)
