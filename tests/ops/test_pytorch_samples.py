"""Operators beside PyTorch's functions, on the samples that PyTorch tests those with.

    make test-samples        every operator, dtype and sample, and a table of what is refused

`make test` takes a few samples of an operator of each kind.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any
from unittest import TestCase

import pytest
import torch

import openaclnn
from openaclnn.base.status import AclnnError
from openaclnn.ops import all_ops
from openaclnn.spec import describe
from openaclnn.spec.op import Attr, Op
from openaclnn.truth import pytorch
from walks import operators

EVERY = bool(os.environ.get("EVERY_SAMPLE"))
_FEW = 3  # samples of a dtype
_DTYPES = ("float32", "int32", "float16", "bfloat16", "float64", "uint8", "int64", "bool")


@cache
def infos() -> dict[str, Any]:
    """What PyTorch knows of its functions, by name."""
    if find_spec("expecttest") is None:  # which its own tests are made with, and not the samples
        sys.modules["expecttest"] = SimpleNamespace(TestCase=TestCase)  # type: ignore[assignment]
    from torch.testing._internal.common_methods_invocations import op_db

    return {info.name: info for info in op_db if not info.variant_test_name}


def info_of(op: Op) -> Any:
    """Of the function with an operator's meaning, where its samples are that function's own."""
    info = infos().get(op.torch)
    found: Any = torch
    for part in op.torch.split("."):
        found = getattr(found, part, None)
    return info if info is not None and info.op is found else None


def bound(op: Op, sample: Any) -> dict[str, Any] | None:
    """A sample's values by the names of our arguments; None where it has others."""
    function = pytorch.function(op)
    if function is None:
        return None
    formals = {formal.name: ours for formal, ours in function.taken}
    given = dict(zip(formals, (sample.input, *sample.args), strict=False)) | sample.kwargs
    found: dict[str, Any] = {}
    for name, value in given.items():
        ours = formals.get(name)
        if ours is None or isinstance(ours, Attr) == isinstance(value, torch.Tensor):
            return None
        found[ours.name] = value
    return found if len(given) == 1 + len(sample.args) + len(sample.kwargs) else None


def samples(op: Op) -> Iterator[tuple[Any, Any]]:
    """The samples of an operator, and what PyTorch makes of them."""
    info, taken = info_of(op), {dtype.numpy_name for dtype in describe.dtypes(op)}
    for name in (d for d in _DTYPES if d in taken):
        dtype = getattr(torch, name)
        if dtype not in info.dtypes or (not EVERY and name not in ("float32", "int32")):
            continue
        for number, sample in enumerate(info.sample_inputs("cpu", dtype)):
            if not EVERY and number >= _FEW:
                break
            # of 16 bits PyTorch rounds some results on their way: they are computed in float32,
            # as its own tests do it
            more = sample.transform(_widened)
            expected = info.op(more.input, *more.args, **more.kwargs)
            if isinstance(expected, tuple) and len(op.outputs) == 1:  # other results are asked for
                continue
            narrow = dtype in _NARROW and expected.dtype is torch.float32
            yield sample, expected.to(dtype) if narrow else expected


_NARROW = (torch.float16, torch.bfloat16)


def _widened(value: Any) -> Any:
    return value.float() if isinstance(value, torch.Tensor) and value.dtype in _NARROW else value


def computed(op: Op, values: Mapping[str, Any]) -> Any:
    return getattr(openaclnn, op.name)(**values)


TRIED = [
    op
    for op in (all_ops() if EVERY else operators("samples")).values()
    if op.torch and not op.in_place and not op.torch.startswith(("ops.", "Tensor."))
]
refused: Counter[str] = Counter()
compared: Counter[str] = Counter()


@pytest.mark.parametrize("op", TRIED, ids=lambda op: op.name)
def test_as_pytorch_s_own_tests(op: Op) -> None:
    if info_of(op) is None:
        pytest.skip("PyTorch has no samples of this function's own")
    for sample, expected in samples(op):
        values = bound(op, sample)
        if values is None:
            continue
        try:
            found = computed(op, values)
        except AclnnError as error:
            refused[str(error).partition(" ")[2]] += 1
            continue
        compared[op.name] += 1
        torch.testing.assert_close(found, expected, equal_nan=True)


def test_few_are_refused() -> None:
    """Sentences that say why, and how often."""
    if not compared:
        pytest.skip("nothing was compared by this process")
    for sentence, count in refused.most_common():
        print(f"{count:6} {sentence}")
    print(f"{sum(compared.values())} compared, {sum(refused.values())} refused")
    assert sum(refused.values()) < sum(compared.values())
