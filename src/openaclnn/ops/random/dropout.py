"""Dropout in two parts: a mask of random bits, each 1 with probability 1 − p, and x/(1 − p) where a
bit is 1, else 0. Element k has bit k % 8 of byte k // 8; a mask has a multiple of 16 bytes."""

from collections.abc import Mapping
from typing import Any

from openaclnn.base.dtypes import DOUBLE, UINT8, DType
from openaclnn.base.tensors import product_of
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, floor, not_equal, where
from openaclnn.spec.host import DATA_TYPE, FLOAT64, INT_ARRAY
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, always
from openaclnn.spec.random import STREAM, numbers, of_number, steps
from openaclnn.spec.results import Like
from openaclnn.spec.rules import Castable, Dtypes, MaxDims, ResultShape
from openaclnn.spec.steps import Part, Step, parts, position, scratch

SOURCE = "signatures: op-plugin, candle; values: openaclnn's own stream"


def probable(name: str) -> Sound:
    def check(call: Call) -> str | None:
        p = call[name]
        return None if 0 <= p <= 1 else f"{name} is {p:g}; expected a number from 0 to 1"

    return Sound(check, f"{name} is a number from 0 to 1", f"{name} 为 0 到 1 之间的数")


def mask_bytes(shape: tuple[int, ...]) -> int:
    return -(-product_of(shape) // 128) * 16


def sized(call: Call) -> str | None:
    sizes = call["shape_array"]
    return f"shape_array is {list(sizes)}; expected sizes" if min(sizes, default=0) < 0 else None


def byte(p: Expr, **stream: Expr) -> Expr:
    """Eight bits; element for element what bernoulli draws of 1 − p."""
    place = stream["position"] * 8
    drawn = (of_number(place + k, stream) for k in range(8))
    found = [where(unit < 1 - p, 1 << k, 0) for k, unit in enumerate(drawn)]
    return sum(found[1:], found[0])


def gen_mask(
    p: Expr, position: Expr, seed_low: Expr, seed_high: Expr, offset_low: Expr, offset_high: Expr
) -> Expr:
    return byte(p, position=position, seed_low=seed_low, seed_high=seed_high,
                offset_low=offset_low, offset_high=offset_high)  # fmt: skip


def mask_op(name: str, *more: Attr) -> Op:
    sizes = Attr("shape_array", "the shape of what is masked", "被遮盖张量的 shape", INT_ARRAY,
                 usual=(3, 70))  # fmt: skip
    return Op(
        name,
        "A mask of random bits for dropout",
        "dropout 的随机掩码",
        (
            sizes,
            Attr("p", "the probability of 0", "置零的概率", FLOAT64, usual=0.5),
            *STREAM,
            *more,
            Out("mask", "the bits, eight in a byte", "掩码，每字节 8 位"),
        ),
        (
            Dtypes(("mask",), (UINT8,)),
            Sound(sized, "shape_array has sizes", "shape_array 各值不小于 0"),
            probable("p"),
            MaxDims(("mask",)),
            ResultShape(),
        ),
        gen_mask,
        promotes=lambda call: DOUBLE,
        results=lambda call: (Meta((mask_bytes(call["shape_array"]),), UINT8),),
        uniforms=numbers,
        steps=steps,
        wide=always,
        header="aclnn_dropout_gen_mask.h" if not more else "aclnn_dropout_gen_mask_v2.h",
        source=SOURCE,
    )


def keeping(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, Any]:
    return {"keep": 1 - attributes["scale"]}


def masked(call: Call) -> tuple[Step, ...]:
    """The bits become bytes in scratch memory, which lie like the elements."""
    known = parts(call)
    mask, given, out = known["mask"], known["grad_output"], known["out"]
    count = mask_bytes(given.view.shape)
    bits = scratch(0, UINT8, (count, 8))
    each = mask.view.seen((count, 8), (*mask.view.strides, 0), mask.view.offset)
    flat = scratch(0, UINT8, given.view.shape)
    return (
        Step({"mask": Part(mask.tensor, each), "place": position(each, 1)}, (bits,), bit),
        Step({"grad_output": given, "mask": Part(bits.tensor, flat.view)}, (out,)),
    )


def bit(mask: Expr, place: Expr) -> Expr:
    halved: Expr = mask / 128
    for k in reversed(range(7)):
        halved = where(place <= k, mask / (1 << k), halved)
    whole = floor(halved)
    return whole - 2 * floor(whole / 2)


def do_mask(grad_output: Expr, mask: Expr, keep: Expr) -> Expr:
    return where(not_equal(mask, 0), grad_output / keep, 0)


def fitting(call: Call) -> str | None:
    count = mask_bytes(call["grad_output"].shape)
    if call["mask"].shape != (count,):
        return f"mask has shape {list(call['mask'].shape)}; expected [{count}]"
    return None


OPS = (
    mask_op("dropout_gen_mask"),
    mask_op("dropout_gen_mask_v2",
            Attr("prob_data_type", "which dtype p has", "p 的数据类型", DATA_TYPE)),
    Op(
        "dropout_do_mask",
        "Dropout with a given mask: kept elements scaled by 1/(1 - p)",
        "按 dropout 掩码保留并放大",
        (
            In("grad_output", "what is masked", "被遮盖的张量"),
            In("mask", "the bits", "掩码"),
            Attr("scale", "the probability of 0", "置零的概率", FLOAT64, usual=0.5),
            Out("out", "the result", "结果"),
        ),
        (
            Dtypes(("grad_output",), (*FLOATS, DOUBLE)),
            Dtypes(("mask",), (UINT8,)),
            probable("scale"),
            Sound(fitting, "mask has one dimension, of a bit for each element in multiples of 16 "
                  "bytes", "mask 为一维，每元素 1 位，字节数为 16 的倍数"),
            MaxDims(("grad_output", "out")),
            ResultShape(),
            Castable(),
        ),
        do_mask,
        """
>>> import numpy as np, openaclnn
>>> mask = openaclnn.dropout_gen_mask((6,), 0.5, seed=42, offset=0)
>>> kept = openaclnn.dropout_do_mask(np.ones(6, np.float32), mask, 0.5)
>>> sorted({*kept.tolist()})
[0.0, 2.0]
""",
        promotes=lambda call: call["grad_output"].dtype,
        results=Like("grad_output"),
        steps=masked,
        uniforms=keeping,
        shapes=lambda shape, attributes: {"mask": (mask_bytes(shape),)},
        source=SOURCE,
    ),
)  # fmt: skip
