"""The memory of a case: the same operands and the same outputs for us and for every alternative."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.layouts import elements
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import Tensor, View
from openaclnn.spec.call import Call
from openaclnn.spec.op import Op

_SPREAD = 2.0  # of the normal distribution: every branch of every operator is well travelled
_LINE = 64  # bytes
_DRAWN = 1 << 20  # numbers; longer operands repeat them, which takes no time and no cache


@dataclass(frozen=True)
class Operands:
    """A call on tensors with memory; `before` is what was in those that are read and written."""

    call: Call
    before: dict[str, NDArray[Any]]

    @property
    def op(self) -> Op:
        return self.call.op

    def given(self, name: str, form: Any) -> Any:
        """An argument's tensor in some form, or the list of them."""
        value = self.call[name]
        return [form(one) for one in value] if isinstance(value, tuple) else form(value)

    @property
    def outputs(self) -> list[NDArray[Any]]:
        return [array(given.tensor) for given in self.call.writes]

    def restore(self) -> None:
        """Have operands as they were, and outputs that nobody has written."""
        for given in self.call.writes:
            if given.label in self.before:
                given.tensor.owner[:] = self.before[given.label]
            else:
                _forget(given.tensor.owner)


def array(tensor: Tensor) -> NDArray[Any]:
    """What a tensor of these shows, as NumPy has it."""
    found: NDArray[Any] = elements(tensor.owner, tensor.view)
    return found


def make(call: Call) -> Operands:
    """Operands filled with numbers; every page is touched, so none is mapped while we measure."""
    random = np.random.default_rng(20)
    op, values, before = call.op, dict(call.arguments), {}
    limits = {
        call.used[one.part.tensor].label: (one.low, one.high)
        for step in op.steps(call)
        for one in step.limits
        if one.part.tensor >= 0
    }
    for argument in op.tensors:
        read, written = argument in op.reads, argument in op.outputs
        made = []
        for label, tensor in call.of((argument.name,)):
            storage = _storage(tensor.view)
            if read:
                low, high = limits.get(label, (0, -1))
                if low <= high:  # an index
                    storage[...] = random.integers(max(low, 0), high, storage.shape, endpoint=True)
                else:
                    _fill(storage, random)
            if read and written:
                before[label] = storage.copy()
            elif written:
                _forget(storage)
            made.append(Tensor(tensor.view, storage.ctypes.data, owner=storage))
        if made:
            many = isinstance(values[argument.name], tuple)
            values[argument.name] = tuple(made) if many else made[0]
    return Operands(Call(op, values, call.product), before)


def _forget(storage: NDArray[Any]) -> None:
    storage.fill(1 if storage.dtype.kind in "iub" else np.nan)


def _fill(storage: NDArray[Any], random: np.random.Generator) -> None:
    count = max(1, min(storage.size, _DRAWN))
    drawn = random.standard_normal(count, np.float32) * np.float32(_SPREAD)
    if storage.dtype.kind in "iub":
        drawn = np.abs(np.rint(drawn)) if storage.dtype.kind == "u" else np.rint(drawn)
    numbers = drawn.astype(storage.dtype)
    for start in range(0, storage.size, count):
        part = storage[start : start + count]
        part[:] = numbers[: part.size]


def _storage(view: View) -> NDArray[Any]:
    """Memory that begins with a cache line, as PyTorch and aclrtMalloc give it."""
    size = view.storage_numel * view.dtype.itemsize
    memory = np.zeros(size + _LINE, np.uint8)
    skipped = -memory.ctypes.data % _LINE
    return memory[skipped : skipped + size].view(view.dtype.numpy)
