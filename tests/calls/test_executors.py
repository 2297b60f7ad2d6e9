"""The life of an executor: once or repeatedly, its addresses, its end; and misuse."""

from __future__ import annotations

import ctypes
import gc
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from arena import LAYOUTS, bits, compute, in_order, message, output, phase_one, phase_two, place
from openaclnn import aclnn
from openaclnn.base import dtypes
from openaclnn.base.status import take_recent
from openaclnn.base.tensors import Tensor, view
from openaclnn.calls.executor import Executor
from openaclnn.ops import all_ops
from samples import Samples, all_samples
from walks import every_op, every_sampled_op

SIZE = 300


def prepared(samples: Samples, size: int = SIZE) -> tuple[Any, Any, list[np.ndarray], np.ndarray]:
    """An executor with the arrays of its inputs and its output."""
    op = all_ops()[samples.op]
    rng = np.random.default_rng(7)
    inputs = [rng.normal(0, 2, size).astype(np.float32) for _ in samples.inputs]
    out = np.full(size, 7, np.float32)
    named = dict(zip(samples.inputs, inputs, strict=True))
    status, workspace, executor = phase_one(op, in_order(op, named, out))
    assert (status, workspace) == (0, 0)
    return op, executor, inputs, out


def expected(samples: Samples, inputs: list[np.ndarray]) -> np.ndarray:
    return bits(compute(samples, inputs, ["f32"] * len(inputs), "f32"))


@every_op
def test_runs_once(samples: Samples) -> None:
    op, executor, inputs, out = prepared(samples)
    assert phase_two(op, None, 0, executor) == 0
    assert np.array_equal(bits(out), expected(samples, inputs))
    out[:] = 7
    assert phase_two(op, None, 0, executor) == 561000
    assert "has run already; make it repeatable" in message()
    assert (out == 7).all()
    assert aclnn.aclSetAclOpExecutorRepeatable(executor) == 561000  # too late
    assert aclnn.aclSetTensorAddr(executor, 0, out, out.ctypes.data) == 561000
    assert aclnn.aclDestroyAclOpExecutor(executor) == 0  # real clients do it
    assert aclnn.aclDestroyAclOpExecutor(executor) == 561000
    assert "was destroyed" in message()


@every_op
def test_repeatable(samples: Samples) -> None:
    op, executor, inputs, out = prepared(samples)
    assert aclnn.aclSetAclOpExecutorRepeatable(executor) == 0
    for scale in (1, 2, 3):
        inputs[0] *= scale
        out[:] = 7
        assert phase_two(op, None, 0, executor) == 0
        assert np.array_equal(bits(out), expected(samples, inputs))
    assert aclnn.aclDestroyAclOpExecutor(executor) == 0
    assert phase_two(op, None, 0, executor) == 561000
    assert "was destroyed" in message()
    assert aclnn.aclSetAclOpExecutorRepeatable(executor) == 561000


@every_op
def test_addresses_can_be_replaced(samples: Samples) -> None:
    op, executor, inputs, out = prepared(samples)
    assert aclnn.aclSetAclOpExecutorRepeatable(executor) == 0
    assert phase_two(op, None, 0, executor) == 0
    names = [argument.name for argument in op.tensors]
    inputs_only = [argument.name for argument in op.inputs]
    for number, name in enumerate(samples.inputs):
        inputs[number] = np.roll(inputs[number], 3) + 1
        address = inputs[number].ctypes.data
        if number % 2:
            assert aclnn.aclSetTensorAddr(executor, names.index(name), out, address) == 0
        else:
            index = inputs_only.index(name)
            assert aclnn.aclSetInputTensorAddr(executor, index, out, address) == 0
        assert phase_two(op, None, 0, executor) == 0
        assert np.array_equal(bits(out), expected(samples, inputs))
    elsewhere = np.full_like(out, 7)
    out[:] = 7
    assert aclnn.aclSetOutputTensorAddr(executor, 0, out, elsewhere.ctypes.data) == 0
    assert phase_two(op, None, 0, executor) == 0
    assert np.array_equal(bits(elsewhere), expected(samples, inputs))
    assert (out == 7).all()


@every_op
def test_indices_that_are_none(samples: Samples) -> None:
    op, executor, inputs, out = prepared(samples)
    address = inputs[0].ctypes.data
    for index in (-1, len(op.tensors), 2**40):
        assert aclnn.aclSetTensorAddr(executor, index, out, address) == 161002
        assert aclnn.aclSetInputTensorAddr(executor, index, out, address) == 161002
    assert aclnn.aclSetInputTensorAddr(executor, len(op.inputs), out, address) == 161002
    assert f"expected 0 to {len(op.inputs) - 1}" in message()
    assert aclnn.aclSetOutputTensorAddr(executor, 1, out, address) == 161002
    assert "there is no output tensor number 1; expected 0 to 0" in message()


@every_sampled_op
def test_replaced_addresses_that_overlap(samples: Samples) -> None:
    """The temporary that this takes is ours: the caller was told that there is no workspace."""
    op, executor, inputs, out = prepared(samples)
    assert aclnn.aclSetAclOpExecutorRepeatable(executor) == 0
    memory = np.random.default_rng(8).normal(0, 2, SIZE + 10).astype(np.float32)
    for shift in (1, 5, 0):
        before = memory.copy()
        inputs[1] = before[:SIZE]
        second = [argument.name for argument in op.tensors].index(samples.inputs[1])
        assert aclnn.aclSetTensorAddr(executor, second, out, memory.ctypes.data) == 0
        begin = memory.ctypes.data + 4 * shift
        assert aclnn.aclSetOutputTensorAddr(executor, 0, out, begin) == 0
        for _ in range(2):
            memory[:] = before
            assert phase_two(op, None, 0, executor) == 0, message()
            assert np.array_equal(bits(memory[shift : shift + SIZE]), expected(samples, inputs))
            assert np.array_equal(memory[:shift], before[:shift])
            assert np.array_equal(memory[shift + SIZE :], before[shift + SIZE :])
    # and back to a place of its own
    fresh = np.full(SIZE, 7, np.float32)
    assert aclnn.aclSetOutputTensorAddr(executor, 0, out, fresh.ctypes.data) == 0
    inputs[1] = memory[:SIZE].copy()
    assert phase_two(op, None, 0, executor) == 0
    assert np.array_equal(bits(fresh), expected(samples, inputs))


@every_op
def test_null_addresses(samples: Samples) -> None:
    """Phase 1 accepts them, phase 2 does not, and has not used the executor up."""
    op = all_ops()[samples.op]
    array = np.ones(5, np.float32)
    null = aclnn.aclCreateTensor([5], aclnn.ACL_FLOAT, None, 0, aclnn.ACL_FORMAT_ND, [5], None)
    names = [argument.name for argument in op.tensors]
    for name in (*samples.inputs, samples.output):
        null.move_to(0)
        named = dict.fromkeys((*samples.inputs, *samples.unread), array)
        arguments = in_order(op, {**named, name: null}, null if name == samples.output else array)
        status, _, executor = phase_one(op, arguments)
        assert status == 0
        assert phase_two(op, None, 0, executor) == 161001
        assert message() == (
            f"{op.c_name}: {name} has a null data address; expected memory for 5 elements"
        )
        replaced = np.ones(5, np.float32)
        index = names.index(name)
        assert aclnn.aclSetTensorAddr(executor, index, null, None) == 0  # null again
        assert phase_two(op, None, 0, executor) == 161001
        assert aclnn.aclSetTensorAddr(executor, index, null, replaced.ctypes.data) == 0
        assert phase_two(op, None, 0, executor) == 0


@every_op
@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "contiguous"])
def test_null_addresses_in_every_layout(samples: Samples, layout: str) -> None:
    """Views that differ need not be told apart before they lie somewhere."""
    op = all_ops()[samples.op]
    rng = np.random.default_rng(5)
    inputs = [place(rng.normal(0, 2, (4, 6)), "f32", layout) for _ in samples.inputs]
    out = output((4, 6), "f32")
    tensors = [*inputs, out]
    null = [Tensor(block.view, 0) for block in tensors]
    named = dict(zip(samples.inputs, null, strict=False))
    status, size, executor = phase_one(op, in_order(op, named, null[-1]))
    assert (status, size) == (0, 0), message()
    names = [argument.name for argument in op.tensors]
    for name, tensor, block in zip((*samples.inputs, samples.output), null, tensors, strict=True):
        address = block.tensor.address
        assert aclnn.aclSetTensorAddr(executor, names.index(name), tensor, address) == 0
    assert phase_two(op, None, 0, executor) == 0
    values = [block.array for block in inputs]
    assert np.array_equal(bits(out.result()), expected(samples, values))


@every_op
def test_a_replaced_address_is_the_tensors_too(samples: Samples) -> None:
    """The next call with the tensor reads there; executors made before keep what they know."""
    op = all_ops()[samples.op]
    rng = np.random.default_rng(6)
    old, new = ([rng.normal(0, 2, SIZE).astype(np.float32) for _ in samples.inputs] for _ in "ab")
    results = [np.full(SIZE, 7, np.float32) for _ in range(3)]
    described = view(dtypes.FLOAT, (SIZE,))
    tensors = [Tensor(described, array.ctypes.data) for array in (*old, results[0])]
    arguments = in_order(op, dict(zip(samples.inputs, tensors, strict=False)), tensors[-1])
    executors = [phase_one(op, arguments)[2] for _ in range(2)]
    names = [argument.name for argument in op.tensors]
    for name, tensor, array in zip(samples.inputs, tensors, new, strict=False):
        assert aclnn.aclSetTensorAddr(executors[1], names.index(name), tensor, 99) == 0
        address = array.ctypes.data
        assert aclnn.aclSetTensorAddr(executors[1], names.index(name), tensor, address) == 0
        assert tensor.address == address
    out = tensors[-1]
    assert aclnn.aclSetOutputTensorAddr(executors[1], 0, out, results[1].ctypes.data) == 0
    assert aclnn.aclSetOutputTensorAddr(executors[1], 1, out, results[2].ctypes.data) == 161002
    assert out.address == results[1].ctypes.data  # a refused address is nobody's
    assert phase_two(op, None, 0, executors[1]) == 0
    assert phase_two(op, None, 0, executors[0]) == 0
    assert np.array_equal(bits(results[0]), expected(samples, old))
    assert np.array_equal(bits(results[1]), expected(samples, new))
    results[1][:] = 7
    assert phase_two(op, None, 0, phase_one(op, arguments)[2]) == 0
    assert np.array_equal(bits(results[1]), expected(samples, new))


@every_op
def test_null_addresses_of_empty_tensors(samples: Samples) -> None:
    op = all_ops()[samples.op]
    null = aclnn.aclCreateTensor([0], aclnn.ACL_FLOAT, None, 0, aclnn.ACL_FORMAT_ND, [0], None)
    named = dict.fromkeys(samples.inputs, null)
    status, size, executor = phase_one(op, in_order(op, named, null))
    assert (status, size) == (0, 0)
    assert phase_two(op, None, 0, executor) == 0
    assert phase_two(op, None, 0, executor) == 561000


def test_the_unread_buffer_may_have_no_memory() -> None:
    samples = all_samples()["log_sigmoid_backward"]
    op = all_ops()[samples.op]
    null = aclnn.aclCreateTensor([5], aclnn.ACL_FLOAT, None, 0, aclnn.ACL_FORMAT_ND, [5], None)
    array, out = np.ones(5, np.float32), np.empty(5, np.float32)
    status, _, executor = phase_one(op, [array, array, null, out])
    assert status == 0
    assert phase_two(op, None, 0, executor) == 0


@every_op
def test_no_executor_and_others_executors(samples: Samples) -> None:
    op, executor, inputs, out = prepared(samples)
    assert phase_two(op, None, 0, None) == 161001
    assert message() == f"{op.c_name}: the executor is null"
    for other in all_ops().values():
        if other is not op:
            assert phase_two(other, None, 0, executor) == 161002
            assert f"the executor belongs to {op.c_name}" in message()
    for nonsense in (3, "executor", out, object()):
        assert phase_two(op, None, 0, nonsense) == 161002
        assert aclnn.aclDestroyAclOpExecutor(nonsense) == 161002
    assert aclnn.aclDestroyAclOpExecutor(None) == 561103
    assert aclnn.aclSetAclOpExecutorRepeatable(None) == 561103
    assert aclnn.aclSetTensorAddr(None, 0, out, 0) == 561103
    assert message() == "aclSetTensorAddr: the executor is null"
    assert aclnn.aclSetInputTensorAddr(executor, 0, None, 0) == 561103
    assert message() == "aclSetInputTensorAddr: the tensor is null"
    assert phase_two(op, None, 4, executor) == 161001
    assert message() == f"{op.c_name}: the workspace is null; expected 4 bytes"
    assert phase_two(op, None, 0, executor) == 0  # none of it used it up
    assert np.array_equal(bits(out), expected(samples, inputs))


@every_op
def test_destroyed_before_its_run(samples: Samples) -> None:
    op, executor, _, out = prepared(samples)
    assert aclnn.aclDestroyAclOpExecutor(executor) == 0
    assert phase_two(op, None, 0, executor) == 561000
    assert (out == 7).all()


@every_op
@pytest.mark.usefixtures("small_heap")
def test_tensors_may_be_destroyed_after_phase_one(samples: Samples) -> None:
    op = all_ops()[samples.op]
    result = np.zeros(SIZE, np.float32)
    out = Tensor(view(dtypes.FLOAT, (SIZE,)), result.ctypes.data)
    rng = np.random.default_rng(9)
    inputs = [rng.normal(0, 2, SIZE).astype(np.float32) for _ in samples.inputs]
    kept = [array.copy() for array in inputs]
    tensors = dict(zip(samples.inputs, inputs, strict=True))
    status, _, executor = phase_one(op, in_order(op, tensors, out))
    assert status == 0
    assert aclnn.aclDestroyTensor(out) == 0
    del inputs, tensors, out
    gc.collect()
    _ = [np.full(SIZE, 99, np.float32) for _ in range(50)]  # would land in memory that was freed
    assert phase_two(op, None, 0, executor) == 0
    assert np.array_equal(bits(result), expected(samples, kept))


@every_op
def test_two_threads_one_executor(samples: Samples) -> None:
    """Of two that run the same executor at once, one does, and the other is told."""
    for _ in range(40):
        op, executor, inputs, out = prepared(samples, 2000)
        barrier, statuses = threading.Barrier(2), []

        def work(op: Any = op, executor: Any = executor, barrier: Any = barrier,
                 statuses: Any = statuses) -> None:  # fmt: skip
            barrier.wait()
            statuses.append(phase_two(op, None, 0, executor))

        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(statuses) == [0, 561000]
    assert np.array_equal(bits(out), expected(samples, inputs))


@every_op
def test_one_repeatable_executor_in_many_threads(samples: Samples) -> None:
    op, executor, inputs, out = prepared(samples, 50_000)
    aclnn.aclSetAclOpExecutorRepeatable(executor)
    statuses: list[int] = []

    def work() -> None:
        statuses.extend(phase_two(op, None, 0, executor) for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(statuses) == {0}
    assert np.array_equal(bits(out), expected(samples, inputs))


@dataclass
class Slow:
    """Lays calls, and takes its time to find out the rest."""

    found: Executor
    asked: int = 0
    run: Any = None

    def settle(self, _: Sequence[Any]) -> Executor:
        self.asked += 1
        time.sleep(0.05)
        return self.found


def test_two_threads_ask_for_what_is_only_laid() -> None:
    _, executor, _, _ = prepared(next(iter(all_samples().values())))
    slow = Slow(executor)
    laid = Executor(executor.op, None, (), laid=(slow, None))
    answers: list[Any] = []
    threads = [threading.Thread(target=lambda: answers.append(laid.ready)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [executor.ready] * 2
    assert slow.asked == 1


def test_messages_are_per_thread_and_told_once() -> None:
    op = all_ops()["silu_backward"]
    assert phase_one(op, [None, None, None])[0] == 161001
    seen: list[Any] = []
    thread = threading.Thread(target=lambda: seen.append(take_recent()))
    thread.start()
    thread.join()
    assert seen == [None]
    assert aclnn.aclGetRecentErrMsg() == "aclnnSiluBackward: grad_output is null; expected a tensor"
    assert aclnn.aclGetRecentErrMsg() is None


def test_an_address_as_tensor_data() -> None:
    samples = all_samples()["silu_backward"]
    op = all_ops()[samples.op]
    memory = (ctypes.c_float * 6)(*[1.0] * 6)
    out = (ctypes.c_float * 6)()
    made = [
        aclnn.aclCreateTensor(
            [2, 3], aclnn.ACL_FLOAT, None, 0, aclnn.ACL_FORMAT_ND, [6], ctypes.addressof(data)
        )
        for data in (memory, out)
    ]
    status, _, executor = phase_one(op, [made[0], made[0], made[1]])
    assert status == 0
    assert phase_two(op, None, 0, executor) == 0
    assert list(out) == pytest.approx([0.927671] * 6, abs=1e-6)


def test_storage_that_an_array_does_not_have() -> None:
    """An array knows its size: a tensor that says more is none."""
    data = np.zeros(6, np.float32)
    assert aclnn.aclCreateTensor([7], aclnn.ACL_FLOAT, None, 0, 2, [7], data) is None
    assert "aclCreateTensor: " in message()
    assert aclnn.aclCreateTensor([3], aclnn.ACL_DOUBLE, None, 0, 2, [3], data) is not None
    assert aclnn.aclCreateTensor([4], aclnn.ACL_DOUBLE, None, 0, 2, [4], data) is None


def test_contiguous_views_beyond_their_storage() -> None:
    """Hardware does not look at the storage of a contiguous view; here the array must have room."""
    op, data, out = all_ops()["silu_backward"], np.zeros(12, np.float32), np.ones(8, np.float32)
    for offset, strides, status in ((4, [1], 0), (5, [1], 161002), (-1, [1], 161002)):
        tensor = aclnn.aclCreateTensor([8], aclnn.ACL_FLOAT, strides, offset, 2, [8], data)
        assert phase_one(op, [tensor, tensor, out])[0] == status
    spread = aclnn.aclCreateTensor([2], aclnn.ACL_FLOAT, [2], 7, 2, [8], data)
    assert phase_one(op, [spread, spread, out[:2]])[0] == 161002
    assert "of its storage" in message()


def test_read_only_storage_is_never_written() -> None:
    data = np.zeros(6, np.float32)
    data.flags.writeable = False
    tensor = aclnn.aclCreateTensor([6], aclnn.ACL_FLOAT, None, 0, 2, [6], data)
    op = all_ops()["silu_backward"]
    assert phase_one(op, [np.ones(6, np.float32), tensor, np.ones(6, np.float32)])[0] == 0
    status, _, _ = phase_one(op, [np.ones(6, np.float32), np.ones(6, np.float32), tensor])
    assert status == 161002
    assert "read-only" in message()


def test_handles_that_are_none() -> None:
    assert aclnn.aclDestroyTensor(None) == 0
    assert aclnn.aclDestroyTensor(3) == 161002
    assert aclnn.aclDestroyScalar(None) == 0
    assert aclnn.aclDestroyScalar("x") == 161002
    assert aclnn.aclCreateTensor(None, aclnn.ACL_FLOAT, None, 0, 2, [1], None) is None
    assert aclnn.aclCreateTensor([1], aclnn.ACL_FLOAT, None, 0, 2, None, None) is None
    assert aclnn.aclCreateTensor([-1], aclnn.ACL_FLOAT, None, 0, 2, [1], None) is None
    assert aclnn.aclCreateTensor([1, 1], aclnn.ACL_FLOAT, [1], 0, 2, [1], None) is None
    assert aclnn.aclCreateTensor([2**62, 2**62], aclnn.ACL_FLOAT, None, 0, 2, [1], None) is None
    assert aclnn.aclCreateScalar("x", aclnn.ACL_FLOAT) is None
    assert aclnn.aclCreateScalar([1, 2], aclnn.ACL_FLOAT) is None
    assert aclnn.aclCreateScalar(1.0, aclnn.ACL_STRING) is None
    assert aclnn.aclCreateScalar(None, aclnn.ACL_FLOAT) is None
    assert message() == "aclCreateScalar: value is null"


def test_numbers_that_are_not_pythons() -> None:
    """NumPy integers, which wrap, must not get into a view; nor floats that equal integers."""
    wide = np.int64(2**62)
    assert aclnn.aclCreateTensor([wide, wide], aclnn.ACL_FLOAT, None, 0, 2, [1], None) is None
    assert aclnn.aclCreateTensor([wide], aclnn.ACL_FLOAT, [wide], np.int64(3), 2, [1], None) is None
    made = aclnn.aclCreateTensor([np.int64(3), 5], aclnn.ACL_INT8, None, np.int8(1), 2, [99], None)
    assert [type(n) for n in (*made.shape, *made.strides, made.view.offset)] == [int] * 5
    assert aclnn.aclCreateTensor([11.0, 13.0], aclnn.ACL_INT8, None, 0, 2, [999], None) is None
    made = aclnn.aclCreateTensor([11, 13], aclnn.ACL_INT8, None, 0, 2, [999], None)
    assert [type(n) for n in made.shape] == [int, int]
    for sizes, kind in (([16, 16, 16], np.uint8), ([2, 50000, 50000], np.int32)):
        first = aclnn.aclCreateTensor(np.array(sizes, kind), 0, None, 0, 2, [1], None)
        assert first.strides == (sizes[1] * sizes[2], sizes[2], 1)
        assert [type(n) for n in first.strides] == [int] * 3


def test_addresses_of_a_lists_members() -> None:
    """By name, here and in the tensors; a list is no tensor, a tensor no list."""
    rows = [np.float32([1, 2]), np.float32([3]), np.float32([4]), np.zeros(3, np.float32)]
    sizes = [array.shape for array in rows]
    made = [
        aclnn.aclCreateTensor(shape, aclnn.ACL_FLOAT, None, 0, aclnn.ACL_FORMAT_ND, shape, array)
        for shape, array in zip(sizes, rows, strict=True)
    ]
    tensors, other, out = made[:2], rows[2], rows[3]
    status, size, executor = aclnn.aclnnCatGetWorkspaceSize(tensors, 0, made[3])
    assert (status, aclnn.aclSetAclOpExecutorRepeatable(executor)) == (0, 0)
    assert aclnn.aclnnCat(None, size, executor) == 0
    assert out.tolist() == [1, 2, 3]
    address = other.ctypes.data
    for setter in (aclnn.aclSetDynamicInputTensorAddr, aclnn.aclSetDynamicTensorAddr):
        assert setter(executor, 0, 1, tensors, address) == 0
        assert tensors[1].address == address
        assert aclnn.aclnnCat(None, size, executor) == 0
        assert out.tolist() == [1, 2, 4]
        assert setter(executor, 0, 2, tensors, address) == 161002
        assert "the list has 2 tensors" in str(aclnn.aclGetRecentErrMsg())
        assert setter(executor, 0, 0, None, address) == 561103
        assert setter(None, 0, 0, tensors, address) == 561103
    assert aclnn.aclSetDynamicOutputTensorAddr(executor, 0, 0, tensors, address) == 161002
    assert "out is a tensor; a list of tensors was given" in str(aclnn.aclGetRecentErrMsg())
    assert aclnn.aclSetInputTensorAddr(executor, 0, tensors[0], address) == 161002
    assert "tensors is a list of tensors; one tensor" in str(aclnn.aclGetRecentErrMsg())


def test_outputs_that_are_moved_together() -> None:
    x, first, second = (np.ones(8, np.float32) for _ in range(3))
    begin = aclnn.aclnnLogSigmoidForwardGetWorkspaceSize
    status, size, executor = begin(x, first, second)
    assert (status, aclnn.aclSetAclOpExecutorRepeatable(executor)) == (0, 0)
    assert aclnn.aclSetOutputTensorAddr(executor, 1, second, first.ctypes.data) == 0
    assert aclnn.aclnnLogSigmoidForward(None, size, executor) == 161002
    assert "out and buffer share memory" in str(aclnn.aclGetRecentErrMsg())
    assert aclnn.aclSetOutputTensorAddr(executor, 1, second, second.ctypes.data) == 0
    assert aclnn.aclnnLogSigmoidForward(None, size, executor) == 0
