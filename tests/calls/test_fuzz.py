"""Nothing bad input can do crashes the process, hangs, raises through the C-shaped entry point, or
writes outside the output view."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

import openaclnn
from arena import GUARD, Block, elements, message, phase_one, phase_two
from openaclnn import aclnn
from openaclnn.base import dtypes, products
from openaclnn.base.dtypes import DType
from openaclnn.base.status import Status
from openaclnn.base.tensors import Tensor, view
from openaclnn.ops import all_ops
from openaclnn.spec.op import Attr
from samples import all_samples
from walks import examples

STATUSES = {int(status) for status in Status}
OPS = [all_ops()[name] for name in all_samples()]

wild_numbers = st.one_of(
    st.integers(-3, 9),
    st.integers(-(2**70), 2**70),
    st.sampled_from([2**31, 2**32, 2**62, 2**63 - 1, -(2**63), 2**63, 2**64]),
)
wild_floats = st.one_of(
    st.floats(), st.sampled_from([float("nan"), float("inf"), -0.0, 10**400, 1e-45, -1e-45, 1j])
)
nonsense = st.one_of(
    st.none(), st.booleans(), wild_numbers, wild_floats, st.text(max_size=3), st.binary(max_size=3),
    st.lists(wild_numbers, max_size=3), st.dictionaries(st.integers(), st.none(), max_size=1),
    st.sampled_from([object(), int, np.int64(5), np.float16(2), np.bool_(True), ..., len]),
)  # fmt: skip
strange_arrays = st.sampled_from([
    np.zeros(3, ">f4"), np.zeros(3, "M8[s]"), np.zeros(3, object), np.zeros(3, "U2"),
    np.zeros((0, 2)), np.zeros((1,) * 30, np.float32),
    np.zeros(3, [("a", "f4"), ("b", "u1")])["a"], np.broadcast_to(np.float32(1), (2, 3)),
    np.array(1.0, np.float32), np.float32(3), np.ma.masked_array([1.0, 2.0], [True, False]),
    torch.zeros(2, 3), torch.zeros(2, 3, device="meta"), torch.zeros(3).to_sparse(),
    torch.zeros(3, requires_grad=True),
    memoryview(b"abc"), bytearray(8), range(4),
])  # fmt: skip
anything = st.one_of(nonsense, strange_arrays)


# made once: to make a strategy takes longer than to draw from it
tenths, twentieths, thirds, fifths = (st.integers(0, last) for last in (9, 19, 2, 4))
few = st.lists(st.sampled_from([0, 1, 1, 2, 3, 5]), max_size=4)
small_numbers = st.integers(-4, 6)
shapes = {
    numbers: st.one_of(few, st.lists(numbers, max_size=10))
    for numbers in (wild_numbers, small_numbers)
}
offsets = {
    numbers: st.one_of(st.just(0), numbers, st.integers(0, 30))
    for numbers in (wild_numbers, small_numbers)
}
stored = st.sampled_from([d for d in dtypes.ALL if d.kind != "other" and d.numpy_name])
formats, sizes = st.integers(-2, 60), st.sampled_from([0, 8, 30, 60, 200])
wild_attributes = st.one_of(wild_numbers, wild_floats)
floats_alike = st.tuples(
    st.sampled_from([dtypes.FLOAT, dtypes.FLOAT16, dtypes.BF16]),
    st.lists(st.sampled_from([1, 2, 3, 5, 0]), max_size=4),
)  # a dtype and a shape that every operator takes


@cache
def strides_of(numbers: st.SearchStrategy[int], count: int) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), st.lists(numbers, min_size=count, max_size=count))


@st.composite
def blocks(draw: st.DrawFn, common: tuple[DType, list[int]] | None) -> Block:
    """A storage with a view that may well reach outside it, or be none at all: then all of it.

    What is `common` to the tensors of a call gives it a chance to be accepted.
    """
    numbers = wild_numbers if draw(twentieths) == 0 else small_numbers
    if common is None:
        dtype, storage = draw(stored), draw(few)
        shape = storage if draw(thirds) == 0 else draw(shapes[numbers])
    else:
        dtype, shape = common
        storage = [draw(sizes)]
    block = Block(view(dtype, tuple(storage)))
    block.before = block.bytes.copy()
    strides, offset = draw(strides_of(numbers, len(shape))), draw(offsets[numbers])
    address = 0 if draw(tenths) == 0 else block.tensor.address
    format = draw(formats)
    made = aclnn.aclCreateTensor(shape, dtype.code, strides, offset, format, storage, address)
    if made is None:
        assert message()
        made = block.tensor
    block.tensor = made
    return block


def written_only_inside(block: Block) -> bool:
    """Whether all that has changed lies in the tensor's view."""
    facts: Any = block.tensor.view
    if block.unchanged():
        return True
    if not facts.inside_storage:
        return False
    size = facts.storage_numel * facts.dtype.itemsize
    after = block.bytes.copy()
    old = block.before[GUARD : GUARD + size].view(facts.dtype.numpy)
    new = after[GUARD : GUARD + size].view(facts.dtype.numpy)
    elements(new, facts)[...] = elements(old, facts)
    return np.array_equal(after, block.before)


@examples(750)
@given(st.data())
def test_bad_views_and_attributes(data: st.DataObject) -> None:
    op = data.draw(st.sampled_from(OPS))
    made: dict[str, Any] = {}
    common = data.draw(floats_alike) if data.draw(thirds) else None
    shared = data.draw(blocks(common)) if data.draw(st.booleans()) else None
    for argument in op.arguments:
        if isinstance(argument, Attr):
            good = all_samples()[op.name].plain[argument.name]
            if argument.host.pointer:
                code = data.draw(st.sampled_from(dtypes.ALL)).code
                wild = aclnn.aclCreateScalar(data.draw(wild_floats), code)
                good = data.draw(st.sampled_from([aclnn.aclCreateScalar(0.5, 0), wild]))
            odd = data.draw(fifths) == 0
            made[argument.name] = data.draw(wild_attributes) if odd else good
        else:
            own = shared is None or data.draw(st.booleans())
            made[argument.name] = data.draw(blocks(common)) if own else shared
    arguments = [
        value.tensor if isinstance(value := made[a.name], Block) else value for a in op.arguments
    ]
    with openaclnn.using(product=data.draw(st.sampled_from(products.ALL)).name):
        status, size, executor = phase_one(op, arguments)
    assert status in STATUSES
    if status:
        assert (size, executor) == (0, None)
        assert message()
    else:
        workspace = np.zeros(size, np.uint8)
        assert phase_two(op, workspace if size else None, size, executor) in (0, 161001)
        message()
    for argument in op.tensors:
        block = made[argument.name]
        if argument is op.outputs[0] or block is made[op.outputs[0].name]:
            continue
        assert block.unchanged()
    out = made[op.outputs[0].name]
    assert out.unchanged() if status else written_only_inside(out)


@examples(450)
@given(st.data())
def test_arguments_of_the_wrong_kind(data: st.DataObject) -> None:
    """Anything in any place: a status, and no exception."""
    op = data.draw(st.sampled_from(OPS))
    good = np.ones((2, 3), np.float32)
    arguments = []
    for argument in op.arguments:
        plain = all_samples()[op.name].plain.get(argument.name, good)
        plain = aclnn.aclCreateScalar(0.5, 0) if argument.name == "negative_slope" else plain
        if argument is op.outputs[0]:
            plain = np.ones((2, 3), np.float32)
        wrong = data.draw(thirds) == 0
        arguments.append(data.draw(anything) if wrong else plain)
    status, size, executor = phase_one(op, arguments)
    assert status in STATUSES
    if status:
        assert message()
    else:
        workspace = data.draw(st.one_of(st.none(), st.just(np.zeros(size, np.uint8)), nonsense))
        if not hasattr(workspace, "__index__"):  # an address is the caller's word
            length = data.draw(st.one_of(st.just(size), nonsense))
            assert phase_two(op, workspace, length, executor) in STATUSES
    assert (good == 1).all()


@examples(150)
@given(st.lists(nonsense, min_size=7, max_size=7))
def test_makers_and_setters(values: list[Any]) -> None:
    shape, code, strides, offset, format, storage, more = values
    assert isinstance(
        aclnn.aclCreateTensor(shape, code, strides, offset, format, storage, None),
        (Tensor, type(None)),
    )
    aclnn.aclCreateTensor([2], 0, strides, offset, format, storage, None)
    if hasattr(more, "__index__"):  # an address, and what is wrong with it is C's to suffer
        more = None
    aclnn.aclCreateTensor([2], 0, None, 0, 2, [2], more)
    aclnn.aclCreateScalar(shape, code)
    aclnn.aclCreateScalar(shape, 0)
    array = np.ones(3, np.float32)
    _, _, executor = aclnn.aclnnSiluBackwardGetWorkspaceSize(array, array.copy(), array.copy())
    for setter in (
        aclnn.aclSetInputTensorAddr, aclnn.aclSetOutputTensorAddr, aclnn.aclSetTensorAddr,
    ):  # fmt: skip
        assert setter(executor, shape, None, None) in STATUSES
        assert setter(executor, 0, None, more) in STATUSES
        assert setter(shape, 0, None, None) in STATUSES
    for other in (
        aclnn.aclDestroyTensor, aclnn.aclDestroyScalar, aclnn.aclDestroyAclOpExecutor,
        aclnn.aclSetAclOpExecutorRepeatable,
    ):  # fmt: skip
        assert other(shape) in STATUSES
    assert aclnn.aclnnSiluBackward(None, strides, executor, offset) in STATUSES


@examples(150)
@given(st.data())
def test_functions_raise_one_kind_of_error(data: st.DataObject) -> None:
    op = data.draw(st.sampled_from(OPS))
    good = np.ones((2, 3), np.float32)
    arrays = [data.draw(st.one_of(st.just(good), nonsense, strange_arrays)) for _ in op.inputs]
    attributes = {a.name: data.draw(st.one_of(st.just(a.default), nonsense)) for a in op.attributes}
    out = data.draw(st.one_of(st.none(), st.just(np.ones((2, 3), np.float32)), nonsense))
    refused = None
    try:
        getattr(openaclnn, op.name)(*arrays, **attributes, out=out)
    except openaclnn.AclnnError as error:
        refused = error
    if refused is not None:
        assert refused.status in STATUSES - {0, 561000}
        assert refused.message
    assert (good == 1).all()
