"""Random accepted calls through the C library, twice: directly, and with tensors that have no data
in phase 1 and get their addresses afterwards. The bytes that come out must be the same.

    python tests/long random_flows [calls] [seed] [each]

Each layout is taken so many times, with other data, attributes and addresses: on a GPU a new one
takes a compilation. OPENACLNN_DEVICE chooses the device. Prints what it did; a difference ends it
with status 1.
"""

from __future__ import annotations

import ctypes
import math
import os
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from arena import in_order
from openaclnn.base import dtypes
from openaclnn.base.scalars import Scalar
from openaclnn.base.tensors import View, strided_view, view
from openaclnn.capi import toolkit
from openaclnn.ops import all_ops
from openaclnn.spec.op import Op
from samples import Samples, all_samples

ALL = list(all_samples().values())
PRODUCT = "Ascend950"  # the chip that broadcasts
OUTPUTS = ("f32", "f16", "bf16", "f64", "c64", "c128")
TO_DEVICE, FROM_DEVICE = 1, 2


@dataclass(frozen=True)
class Call:
    samples: Samples
    views: tuple[View, ...]  # inputs that are read, then the output
    onto: int  # the input that the output lies on, or -1
    shift: int  # so many bytes into it

    @property
    def op(self) -> Op:
        return all_ops()[self.samples.op]


def strides(rng: random.Random, shape: Sequence[int], expand: bool) -> list[int]:
    """Strides in some order of the dimensions, with gaps, backwards, or 0."""
    found, step = [0] * len(shape), rng.choice((1, 1, 1, 2, 3))
    for dim in rng.sample(range(len(shape)), len(shape)):
        if expand and rng.random() < 0.15:
            continue
        found[dim] = step * rng.choice((1, 1, 1, -1))
        step = step * max(shape[dim], 1) + rng.choice((0, 0, 0, 1, 7))
    return found


def random_view(rng: random.Random, dtype: str, shape: Sequence[int], expand: bool) -> View:
    facts = dtypes.by_name(dtype)
    if rng.random() < 0.5:
        return view(facts, shape)
    found = strided_view(facts, shape, strides(rng, shape, expand))
    further = rng.choice((0, 0, 1, 2, 9))
    storage = (found.storage_numel + further + rng.choice((0, 2)),)
    return view(facts, shape, found.strides, found.offset + further, storage_shape=storage)


def random_call(rng: random.Random) -> Call:
    samples = rng.choice(ALL)
    shape = [rng.choice((1, 1, 2, 3, 4, 5, 16, 17, 40)) for _ in range(rng.randrange(6))]
    while math.prod(shape) > 4000:
        shape.pop()
    if shape and rng.random() < 0.03:
        shape[0] = 0
    mix = tuple(rng.choice(samples.dtypes) for _ in samples.inputs)
    outputs = [name for name in OUTPUTS if samples.takes(mix, name, PRODUCT)]
    if not outputs or rng.random() < 0.6:  # one dtype for all, most often: kernels take their time
        mix = (mix[0],) * len(mix)
        outputs = [mix[0]]
    views = []
    for dtype in mix:
        own = shape
        if samples.broadcasts_on and rng.random() < 0.4:
            own = [1 if rng.random() < 0.3 else size for size in shape][rng.choice((0, 0, 0, 1)) :]
        views.append(random_view(rng, dtype, own, expand=True))
    if samples.broadcasts_on:
        shape = list(np.broadcast_shapes(*(found.shape for found in views)))
    output = random_view(rng, rng.choice(outputs), shape, expand=False)
    onto = rng.randrange(len(views)) if rng.random() < 0.4 else -1
    if onto >= 0 and rng.random() < 0.3 and may_be_written(samples, mix, views[onto], shape):
        output = views[onto]
    sizes = [views[onto].dtype.itemsize]
    if os.environ.get("OPENACLNN_DEVICE") == "cuda":  # which has no elements at crooked addresses
        sizes.append(output.dtype.itemsize)
    shift = max(sizes) * rng.choice((0, 0, 1, 3, 16))
    return Call(samples, (*views, output), onto, shift)


def may_be_written(samples: Samples, mix: tuple[str, ...], facts: View, shape: list[int]) -> bool:
    fits = facts.shape == tuple(shape) and 0 not in facts.strides
    return fits and samples.takes(mix, facts.dtype.short, PRODUCT)


class Library:
    """The C library, and a little comfort around it."""

    def __init__(self, path: Path) -> None:
        self.c: Any = ctypes.CDLL(str(path))
        self.c.aclGetRecentErrMsg.restype = ctypes.c_char_p
        for name in ("aclCreateTensor", "aclCreateScalar"):
            getattr(self.c, name).restype = ctypes.c_void_p
        self.check(self.c.aclrtSetDevice(0))

    def check(self, status: int) -> None:
        if status:
            raise AssertionError(f"{status}: {self.c.aclGetRecentErrMsg()!r}")

    def block(self, size: int) -> int:
        address = ctypes.c_void_p()
        self.check(self.c.aclrtMalloc(ctypes.byref(address), ctypes.c_size_t(max(size, 1)), 0))
        return address.value or 0

    def write(self, address: int, data: np.ndarray) -> None:
        self._copy(address, data.ctypes.data, data.nbytes, TO_DEVICE)

    def read(self, address: int, size: int) -> np.ndarray:
        self.check(self.c.aclrtSynchronizeDevice())
        data = np.empty(size, np.uint8)
        self._copy(data.ctypes.data, address, size, FROM_DEVICE)
        return data

    def _copy(self, to: int, source: int, size: int, kind: int) -> None:
        count = ctypes.c_size_t(size)
        pointers = ctypes.c_void_p(to), count, ctypes.c_void_p(source), count
        self.check(self.c.aclrtMemcpy(*pointers, kind))

    def tensor(self, facts: View, address: int) -> ctypes.c_void_p:
        def numbers(values: Sequence[int]) -> Any:
            return (ctypes.c_int64 * max(len(values), 1))(*values)

        dims = ctypes.c_uint64(len(facts.shape))
        return ctypes.c_void_p(self.c.aclCreateTensor(
            numbers(facts.shape), dims, facts.dtype.code, numbers(facts.strides),
            ctypes.c_int64(facts.offset), facts.format, numbers(facts.storage_shape),
            ctypes.c_uint64(len(facts.storage_shape)), ctypes.c_void_p(address),
        ))  # fmt: skip

    def argument(self, value: Any) -> Any:
        if isinstance(value, Scalar):
            number = ctypes.c_float(value.value)
            return ctypes.c_void_p(self.c.aclCreateScalar(ctypes.byref(number), 0))
        for kind, c_type in ((bool, ctypes.c_bool), (int, ctypes.c_int64), (float, ctypes.c_float)):
            if isinstance(value, kind):
                return c_type(value)
        return value


class Flow:
    """One call, on blocks of its own."""

    def __init__(self, library: Library, call: Call, rng: random.Random) -> None:
        self.library, self.call, self.rng = library, call, rng
        self.c = library.c
        data = np.random.default_rng(rng.getrandbits(32))
        self.sizes = [facts.storage_numel * facts.dtype.itemsize for facts in call.views]
        if call.onto >= 0:
            self.sizes[call.onto] = max(self.sizes[call.onto], self.sizes[-1] + call.shift)
        self.contents = []
        for size, facts in zip(self.sizes, call.views, strict=True):
            count = -(-size // facts.dtype.itemsize)
            values = data.normal(0, 3, count).astype(facts.dtype.numpy)
            self.contents.append(values.view(np.uint8)[:size])
        self.blocks = [library.block(size) for size in self.sizes]

    def __del__(self) -> None:
        for block in self.blocks:
            self.library.check(self.c.aclrtFree(ctypes.c_void_p(block)))

    def addresses(self, blocks: Sequence[int]) -> list[int]:
        found = list(blocks)
        if self.call.onto >= 0:
            found[-1] = found[self.call.onto] + self.call.shift
        return found

    def fill(self) -> None:
        for block, content in zip(self.blocks, self.contents, strict=True):
            self.library.write(block, content)

    def results(self) -> list[np.ndarray]:
        pairs = zip(self.blocks, self.sizes, strict=True)
        return [self.library.read(block, size) for block, size in pairs]

    def arguments(self, tensors: Sequence[ctypes.c_void_p]) -> list[Any]:
        named = dict(zip(self.call.samples.inputs, tensors, strict=False))
        attributes = self.rng.choice(self.call.samples.attributes)
        return [
            self.library.argument(value)
            for value in in_order(self.call.op, named, tensors[-1], attributes)
        ]

    def first(self, arguments: Sequence[Any]) -> tuple[ctypes.c_void_p, int]:
        size, executor = ctypes.c_uint64(), ctypes.c_void_p()
        function = getattr(self.c, f"{self.call.op.c_name}GetWorkspaceSize")
        status = function(*arguments, ctypes.byref(size), ctypes.byref(executor))
        self.library.check(status)
        return executor, size.value

    def second(self, executor: ctypes.c_void_p, workspace: int, size: int) -> None:
        function = getattr(self.c, self.call.op.c_name)
        count = ctypes.c_uint64(size)
        self.library.check(function(ctypes.c_void_p(workspace or None), count, executor, None))

    def directly(self, state: Any) -> list[np.ndarray]:
        self.rng.setstate(state)
        self.fill()
        pairs = zip(self.call.views, self.addresses(self.blocks), strict=True)
        tensors = [self.library.tensor(*pair) for pair in pairs]
        executor, size = self.first(self.arguments(tensors))
        workspace = self.library.block(size) if size else 0
        self.second(executor, workspace, size)
        results = self.results()
        if workspace:
            self.library.check(self.c.aclrtFree(ctypes.c_void_p(workspace)))
        self.destroy(tensors)
        return results

    def later(self, state: Any) -> list[np.ndarray]:
        self.rng.setstate(state)
        tensors = [self.library.tensor(facts, 0) for facts in self.call.views]
        executor, size = self.first(self.arguments(tensors))
        assert size == 0, "a workspace for tensors that lie nowhere"
        self.library.check(self.c.aclSetAclOpExecutorRepeatable(executor))
        if self.rng.random() < 0.3:  # elsewhere first: what is learnt there must not stay
            elsewhere = [self.library.block(size) for size in self.sizes]
            self.place(executor, tensors, self.addresses(elsewhere))
            self.second(executor, 0, 0)
            for block in elsewhere:
                self.library.check(self.c.aclrtFree(ctypes.c_void_p(block)))
        self.place(executor, tensors, self.addresses(self.blocks))
        for _ in range(self.rng.choice((1, 1, 2))):
            self.fill()
            self.second(executor, 0, 0)
        results = self.results()
        self.library.check(self.c.aclDestroyAclOpExecutor(executor))
        self.destroy(tensors)
        return results

    def place(self, executor: Any, tensors: Sequence[Any], addresses: Sequence[int]) -> None:
        op = self.call.op
        used = (*self.call.samples.inputs, self.call.samples.output)
        for name, tensor, address in zip(used, tensors, addresses, strict=True):
            all_of_them = [argument.name for argument in op.tensors]
            inputs = [argument.name for argument in op.inputs]
            if self.rng.random() < 0.5:
                setter, index = self.c.aclSetTensorAddr, all_of_them.index(name)
            elif name in inputs:
                setter, index = self.c.aclSetInputTensorAddr, inputs.index(name)
            else:
                setter, index = self.c.aclSetOutputTensorAddr, 0
            place = ctypes.c_size_t(index), tensor, ctypes.c_void_p(address)
            self.library.check(setter(executor, *place))

    def destroy(self, tensors: Sequence[ctypes.c_void_p]) -> None:
        for tensor in tensors:
            self.library.check(self.c.aclDestroyTensor(tensor))


def main(calls: int, seed: int, each: int) -> int:
    print(f"seed {seed}", flush=True)
    os.environ["OPENACLNN_SOC"] = PRODUCT
    library = Library(toolkit.home() / "lib64" / "libopapi.so")
    rng, staged, before = random.Random(seed), 0, time.monotonic()
    for number in range(calls):
        if number % each == 0:
            call = random_call(rng)
        flow = Flow(library, call, rng)
        state = rng.getstate()
        try:
            direct, later = flow.directly(state), flow.later(state)
            same = all(map(np.array_equal, direct, later))
        except AssertionError as error:
            print(f"call {number}: {call}: {error}")
            return 1
        if not same:
            print(f"call {number}: {call}: other bits")
            return 1
        staged += call.onto >= 0
        if sys.stderr.isatty() or (number + 1) % 1000 == 0:
            print(f"\r{number + 1} of {calls}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    spent = time.monotonic() - before
    print(f"{calls} calls, {staged} of them on top of an input, in {spent:.0f} s: the same bits")
    return 0


if __name__ == "__main__":
    usual = (300, random.randrange(2**32), 1)
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*given, *usual[len(given) :]))
