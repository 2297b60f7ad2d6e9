"""Random operators on PyTorch's tensors on a GPU: the truth, and the CPU's bits where `bits` has
written them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
import torch

import openaclnn
from random_operators.calls import Call
from random_operators.doors.bits import FILE, digest
from random_operators.doors.functions import listed
from random_operators.dtypes import KINDS, Array, short
from random_operators.layouts import LAYOUTS, Layout, backwards, relaid, storage_of
from random_operators.truths import truths

_TORCH = {
    "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64,
    "s8": torch.int8, "u8": torch.uint8, "s16": torch.int16, "s32": torch.int32,
    "s64": torch.int64, "bool": torch.bool,
}  # fmt: skip


def together(calls: Sequence[Call]) -> Iterator[str]:
    rng = Random(len(calls))
    known, compared = json.loads(FILE.read_text()) if FILE.exists() else {}, 0
    for number, call in enumerate(calls):
        layout = rng.choice([one for one in LAYOUTS if one is not backwards])  # as torch has none
        for level in ("fast", "exact"):
            with openaclnn.using(math=level):
                results = _run(call, layout)
            for truth, result in zip(truths(call, level), results, strict=True):
                complaint = truth.complaint(result)
                if complaint:
                    yield f"{call}: level {level}: {complaint}"
        bits = known.get(f"{number} {call}")
        compared += bits is not None
        if bits not in (None, digest(results)):
            yield f"{call}: the bits differ from the CPU's"
    print(f"{compared} calls were compared with {FILE}")


def _run(call: Call, layout: Layout) -> list[Array]:
    given = {name: _there(relaid(value, layout)) for name, value in call.arguments.items()}
    if not call.operator.inputs:  # nothing else says where
        dtype = _TORCH[call.promoted]
        given["out"] = torch.empty(call.arguments["size"], dtype=dtype, device="cuda")
    return [_back(result) for result in listed(getattr(openaclnn, call.operator.name)(**given))]


def _there(value: Any) -> Any:
    """Arrays as tensors of the same strides; what is no array is as it was."""
    if isinstance(value, list):
        return [_there(one) for one in value]
    if not isinstance(value, np.ndarray):
        return value
    storage, offset = storage_of(value)
    bits = torch.from_numpy(storage.ravel("A").copy().view(f"i{value.itemsize}"))
    typed = bits.cuda().view(_TORCH[short(value.dtype)])
    return typed.as_strided(value.shape, [s // value.itemsize for s in value.strides], offset)


def _back(tensor: Any) -> Array:
    name = next(name for name, one in _TORCH.items() if one is tensor.dtype)
    bits = tensor.cpu().contiguous().view(_TORCH[f"s{8 * tensor.element_size()}"]).numpy()
    return bits.view(KINDS[name].numpy)
