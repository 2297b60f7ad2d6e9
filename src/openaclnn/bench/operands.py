"""The memory of a case: the same operands and the same output for us and for every alternative."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.tensors import Tensor, View
from openaclnn.bench.cases import Case
from openaclnn.bench.layouts import attributes, views
from openaclnn.ops import find
from openaclnn.spec.op import Op

_SPREAD = 2.0  # of the normal distribution: every branch of every operator is well travelled
_LINE = 64  # bytes
_DRAWN = 1 << 20  # numbers; longer operands repeat them, which takes no time and no cache


@dataclass(frozen=True)
class Operand:
    """A storage, and the view of it that the case is about."""

    storage: NDArray[Any]  # flat
    view: View

    @property
    def array(self) -> NDArray[Any]:
        """The view as a NumPy array."""
        strides = [stride * self.storage.itemsize for stride in self.view.strides]
        return np.lib.stride_tricks.as_strided(self.storage, self.view.shape, strides)

    @property
    def tensor(self) -> Tensor:
        """The view as a tensor of ours."""
        return Tensor(self.view, self.storage.ctypes.data, owner=self.storage)


@dataclass(frozen=True)
class Operands:
    """What a case is called with."""

    op: Op
    inputs: tuple[Operand, ...]  # those that are read, in C order
    output: Operand
    attributes: dict[str, Any]

    def by_name(self) -> dict[str, Operand]:
        names = [a.name for a in self.op.reads]
        return dict(zip(names, self.inputs, strict=True)) | {self.op.outputs[0].name: self.output}


def make(case: Case) -> Operands:
    """Operands filled with numbers; every page is touched, so none is mapped while we measure."""
    op, found = find(case.op), views(case)
    random = np.random.default_rng(20)
    inputs = tuple(Operand(_filled(found[a.name], random), found[a.name]) for a in op.reads)
    out = found[op.outputs[0].name]
    output = Operand(_storage(out), out)
    output.storage.fill(np.nan)
    return Operands(op, inputs, output, attributes(op))


def _filled(view: View, random: np.random.Generator) -> NDArray[Any]:
    storage = _storage(view)
    count = min(storage.size, _DRAWN)
    drawn = random.standard_normal(count, np.float32) * np.float32(_SPREAD)
    drawn = drawn.astype(storage.dtype)
    for start in range(0, storage.size, count):
        part = storage[start : start + count]
        part[:] = drawn[: part.size]
    return storage


def _storage(view: View) -> NDArray[Any]:
    """Memory that begins with a cache line, as PyTorch and aclrtMalloc give it."""
    size = view.storage_numel * view.dtype.itemsize
    memory = np.zeros(size + _LINE, np.uint8)
    skipped = -memory.ctypes.data % _LINE
    return memory[skipped : skipped + size].view(view.dtype.numpy)
