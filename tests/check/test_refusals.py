"""What is accepted and what is refused, with which status and sentence, on every product."""

from __future__ import annotations

from contextlib import suppress
from itertools import product

import numpy as np
import pytest

import openaclnn
from arena import described_call, message, phase_one, phase_two
from openaclnn.base import dtypes, products
from openaclnn.base.status import AclnnError
from openaclnn.base.tensors import Tensor, view
from openaclnn.check import results, verdict
from openaclnn.ops import all_ops
from openaclnn.spec import describe
from openaclnn.spec.call import Call as Made
from openaclnn.spec.call import Meta
from openaclnn.spec.host import INT64, INT_ARRAY, Array
from samples import Call, S, Samples, T, all_samples
from walks import ALL, every_sampled_op

BF16_ON = ("Ascend910B", "Ascend910_93", "Ascend950")
PRODUCTS = (*BF16_ON, "Ascend910", "Ascend310P", "Ascend310B")


def view_rows(samples: Samples) -> list[Call]:
    """Views outside their storage and outputs onto themselves: alike for every operator."""
    first, out = samples.inputs[0], samples.output
    twice = f"{out} has two indices for one element"
    rows = [
        Call({name: T(storage=(5,))}, 161002, f"{name} reaches elements 0 to 5 of its storage")
        for name in (*samples.inputs, out)
    ]
    return [
        *rows,
        Call({first: T(storage=(6,))}),
        Call({first: T(storage=(0,))}, 161002, "expected 0 to -1"),
        Call({first: T(offset=1, storage=(6,))}, 161002, f"{first} reaches elements 1 to 6"),
        Call({first: T(offset=-1)}, 161002, f"{first} reaches elements -1 to 4"),
        Call({first: T(strides=(-3, 1), storage=(6,))}, 161002, "reaches elements -3 to 2"),
        Call({first: T(strides=(-3, 1), offset=3)}),
        Call({first: T(strides=(0, 0), storage=(1,))}),
        Call({first: T(strides=(2**40, 1))}, 161002, f"{first} reaches elements 0 to"),
        Call({out: T(strides=(0, 1), storage=(6,))}, 161002, twice),
        Call({out: T(strides=(1, 1), storage=(6,))}, 161002, twice),
        Call({out: T(strides=(2, 1), storage=(6,))}, 161002, twice),
        Call({out: T(strides=(1, 2), storage=(6,))}),
        Call({out: T(strides=(2, 3), storage=(9,))}),
        Call({out: T(strides=(3, -1), offset=2)}),
        Call({out: T(strides=(1, -1), offset=2)}, 161002, twice),
        # outside first, then twice; and both only after the shapes
        Call({first: T(storage=(5,)), out: T(strides=(0, 0))}, 161002, "reaches elements 0 to 5"),
        Call({out: T(strides=(0, 9), storage=(5,))}, 161002, f"{out} reaches elements 0 to 18"),
        Call({first: T(storage=(5,)), out: T(shape=(7, 7))}, 161002, "has shape"),
        # an operator that the product lacks comes last of all
        Call({first: T(storage=(5,))}, 161002, f"{first} reaches", "Ascend310B"),
        Call({}, 561003, "Ascend310B (Atlas 200I/500 A2) does not have this op", "Ascend310B"),
    ]  # fmt: skip


ROWS = [(s, row) for s in ALL for row in (*s.calls, *view_rows(s))]


@pytest.mark.parametrize(("samples", "row"), ROWS, ids=[f"{s.op}-{row}" for s, row in ROWS])
def test_rows(samples: Samples, row: Call) -> None:
    op = all_ops()[samples.op]
    arguments = described_call(samples, row.arguments)
    with openaclnn.using(product=row.product):
        status, size, executor = phase_one(op, arguments)
    text = message()
    assert status == row.status, text
    assert row.message in text
    if status:
        assert (size, executor) == (0, None)
        assert text.startswith(f"{op.c_name}: ")
        # the other door says the same
        named = dict(zip((a.name for a in op.arguments), arguments, strict=True))
        with openaclnn.using(product=row.product):
            found = verdict(Made(op, named, openaclnn.base.settings.current().product))
        assert found is not None
        assert (int(found.status), found.message) == (status, text)
    else:
        assert phase_two(op, None, size, executor) == 0, message()


@every_sampled_op
def test_every_dtype_of_every_tensor(samples: Samples) -> None:
    """One tensor after the other takes every dtype there is, on every product that has the op."""
    op = all_ops()[samples.op]
    for name, dtype, where in product(
        (*samples.inputs, samples.output), dtypes.ALL, samples.products
    ):
        if not dtype.itemsize:
            continue
        mix = tuple(dtype.short if i == name else "f32" for i in samples.inputs)
        out = dtype.short if name == samples.output else "f32"
        expected = (
            all(one in samples.dtypes for one in mix)
            and samples.takes(mix, out, where)
            and (where in BF16_ON or "bf16" not in mix)
            # LogSigmoid, Silu and SmoothL1 list the output among the tensors
            and (where in BF16_ON or out != "bf16" or samples.takes(mix, "f64", where))
        )
        call = described_call(samples, {name: T(dtype.name)})
        with openaclnn.using(product=where):
            status, _, _ = phase_one(op, call)
        assert status == (0 if expected else 161002), (name, dtype, where, message())


@every_sampled_op
def test_every_mix_of_dtypes(samples: Samples) -> None:
    op = all_ops()[samples.op]
    outputs = ("f16", "f32", "bf16", "f64", "c64", "c128", "s32")
    for *inputs, out, where in product(
        *[samples.dtypes] * len(samples.inputs), outputs, samples.products
    ):
        mix = tuple(inputs)
        narrow_output = not samples.takes(("f32",) * len(mix), "f64", where)
        no_bf16 = where not in BF16_ON and ("bf16" in mix or (out == "bf16" and narrow_output))
        expected = samples.takes(mix, out, where) and not no_bf16
        tensors = dict(zip(samples.inputs, map(T, mix), strict=True))
        with openaclnn.using(product=where):
            status, _, _ = phase_one(
                op, described_call(samples, {**tensors, samples.output: T(out)})
            )
        assert status == (0 if expected else 161002), (mix, out, where, message())


@pytest.mark.parametrize("name", ["Ascend910", "Ascend310P"])
@every_sampled_op
def test_bf16_is_refused_where_the_chip_lacks_it(samples: Samples, name: str) -> None:
    op = all_ops()[samples.op]
    all_bf16 = {tensor: T("bf16") for tensor in (*samples.inputs, samples.output)}
    with openaclnn.using(product=name):
        status, _, _ = phase_one(op, described_call(samples, all_bf16))
    text = message()
    assert status == 161002
    assert f"{samples.inputs[0]} has dtype BF16; expected FLOAT16" in text
    assert f"on {name}; Ascend910B accepts this call: choose it with OPENACLNN_SOC=Asc" in text
    # what no product accepts gets no hint
    all_bf16[samples.output] = T("bf16", (5, 5))
    with openaclnn.using(product=name):
        phase_one(op, described_call(samples, all_bf16))
    assert "accepts" not in message()


@every_sampled_op
def test_products_without_the_operator(samples: Samples) -> None:
    op = all_ops()[samples.op]
    for where in PRODUCTS:
        with openaclnn.using(product=where):
            status, _, _ = phase_one(op, described_call(samples, {}))
        assert status == (0 if where in samples.products else 561003)
        if status:
            text = message()
            assert where in text
            assert all(name in text for name in samples.products)
        # a refusal comes before the product
        with openaclnn.using(product=where):
            status, _, _ = phase_one(op, described_call(samples, {samples.output: None}))
        assert status == 161001


@every_sampled_op
def test_broadcasting(samples: Samples) -> None:
    op = all_ops()[samples.op]
    for where in samples.products:
        row = {samples.inputs[0]: T(shape=(3,)), samples.inputs[1]: T(shape=(2, 1))}
        with openaclnn.using(product=where):
            status, _, _ = phase_one(op, described_call(samples, row))
        assert status == (0 if where in samples.broadcasts_on else 161002), message()


@every_sampled_op
def test_nothing_is_written_when_refused(samples: Samples) -> None:
    op = all_ops()[samples.op]
    out = np.full((2, 3), 7.0, np.float32)
    arguments = described_call(samples, {samples.inputs[1]: T(shape=(4, 4))})
    arguments[list(op.arguments).index(op.outputs[0])] = out
    assert phase_one(op, arguments)[0] == 161002
    assert (out == 7).all()


@every_sampled_op
def test_formats_are_labels(samples: Samples) -> None:
    from openaclnn import aclnn
    from openaclnn.base import formats

    op = all_ops()[samples.op]
    for format in (*formats.ALL.values(), 1234):
        data = np.zeros((2, 3), np.float32)
        tensor = aclnn.aclCreateTensor([2, 3], aclnn.ACL_FLOAT, None, 0, format, [2, 3], data)
        arguments = described_call(samples, {samples.inputs[0]: tensor})
        assert phase_one(op, arguments)[0] == 0


@every_sampled_op
def test_verdict_of_a_good_call(samples: Samples) -> None:
    op = all_ops()[samples.op]
    arguments = described_call(samples, {})
    named = dict(zip((a.name for a in op.arguments), arguments, strict=True))
    call = Made(op, named, products.DEFAULT)
    assert verdict(call) is None
    assert (call.promoted, call.results) == (dtypes.FLOAT, (Meta((2, 3), dtypes.FLOAT),))


def test_slope_scalars_of_every_dtype() -> None:
    samples = all_samples()["leaky_relu_backward"]
    op = all_ops()[samples.op]
    allowed = {"f32", "f16", "f64", "s32", "s64", "s8", "u8", "bool", "s16", "bf16"}
    for dtype in dtypes.ALL:
        if dtype.kind == "other" or not dtype.numpy_name:
            continue
        arguments = described_call(samples, {"negative_slope": S(1, dtype.short)})
        status, _, _ = phase_one(op, arguments)
        assert status == (0 if dtype.short in allowed else 161002), (dtype, message())


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3, 4, 5)])
def test_what_results_are_like_is_said_or_refused(shape: tuple[int, ...]) -> None:
    """Whatever the shape and the attributes, there are no other errors."""
    for op in all_ops().values():
        tensor = Tensor(view(describe.dtypes(op)[0], shape), 0)
        tensors = {a.name: (tensor, tensor) if a.many else tensor for a in op.inputs}
        plain = {a.name: a.plain for a in op.attributes}
        for odd in (None, 7, -9):
            numbers = {
                a.name: (odd, odd, odd) if isinstance(a.host, Array) else odd
                for a in op.attributes
                if odd is not None and (a.host is INT64 or a.host is INT_ARRAY) and not a.choices
            }
            outs = dict.fromkeys((a.name for a in op.outputs), None)
            call = Made(op, {**outs, **tensors, **plain, **numbers}, products.DEFAULT)
            if not op.in_place:
                with suppress(AclnnError):
                    assert all(size >= 0 for meta in results(call) for size in meta.shape)
