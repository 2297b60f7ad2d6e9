"""Operators beside PyTorch's functions, on the samples that PyTorch tests those with.

    make test-samples        every operator, dtype and sample, and a table of what is refused

`make test` takes a few samples of an operator of each kind.
"""

from __future__ import annotations

import os
import sys
import warnings
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
from openaclnn.spec.op import REQUIRED, Attr, Op
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
    """A sample's values by the names of our arguments; None where it has others, or leaves out what
    we demand."""
    function = pytorch.function(op)
    if function is None:
        return None
    formals = {formal.name: ours for formal, ours in function.taken}
    values = (sample.input, *sample.args)
    given = dict(zip(in_order(op, len(values)), values, strict=False)) | sample.kwargs
    found: dict[str, Any] = {}
    for name, value in given.items():
        ours = formals.get(name)
        if ours is None or isinstance(ours, Attr) == isinstance(value, torch.Tensor):
            return None
        found[ours.name] = value
    needed = {a.name for a in op.attributes if a.default is REQUIRED}
    return found if len(given) == len(values) + len(sample.kwargs) and needed <= {*found} else None


def in_order(op: Op, count: int) -> list[str]:
    """The names of what PyTorch's function takes by position: of the overload that takes most."""
    packet = getattr(torch.ops.aten, op.torch.rpartition(".")[2], None)
    taken = [
        [a.name for a in getattr(packet, overload)._schema.arguments if not a.kwarg_only]
        for overload in (packet.overloads() if packet is not None else ())
    ]
    function = pytorch.function(op)
    assert function is not None
    known = [formal.name for formal, _ in function.taken]
    fitting = [names for names in taken if {*names[:count]} <= {*known}]
    return max([known, *fitting], key=len) if not fitting else max(fitting, key=len)


def takes_stable(op: Op) -> bool:
    """Whether PyTorch's function keeps equal elements in order only where that is asked for."""
    packet = getattr(torch.ops.aten, op.torch.rpartition(".")[2], None)
    overloads = packet.overloads() if packet is not None else ()
    return any(
        argument.name == "stable"
        for overload in overloads
        for argument in getattr(packet, overload)._schema.arguments
    )


def samples(op: Op) -> Iterator[tuple[Any, Any]]:
    """The samples of an operator, and what PyTorch makes of them."""
    info, taken = info_of(op), {dtype.numpy_name for dtype in describe.dtypes(op)}
    stable = takes_stable(op)
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
            args, kwargs = more.args, more.kwargs
            if stable:  # which is taken by name only, with all others
                names = in_order(op, 1 + len(args))[1:]
                args, kwargs = (
                    (),
                    {**dict(zip(names, args, strict=False)), **kwargs, "stable": True},
                )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # what some defaults will be
                expected = info.op(more.input, *args, **kwargs)
            if isinstance(expected, tuple) and len(op.outputs) == 1:  # other results are asked for
                continue
            yield sample, _narrowed(expected, dtype)


def _narrowed(expected: Any, dtype: torch.dtype) -> Any:
    """PyTorch's results as tensors of the sample's dtype."""
    if isinstance(expected, (tuple, list)):
        return tuple(_narrowed(one, dtype) for one in expected)
    expected = torch.as_tensor(expected)
    return expected.to(dtype) if dtype in _NARROW and expected.dtype is torch.float32 else expected


_NARROW = (torch.float16, torch.bfloat16)


def _widened(value: Any) -> Any:
    return value.float() if isinstance(value, torch.Tensor) and value.dtype in _NARROW else value


def computed(op: Op, values: Mapping[str, Any]) -> Any:
    return getattr(openaclnn, op.name)(**values)


def compare(op: Op, values: Mapping[str, Any], found: Any, expected: Any) -> None:
    """Of equal elements PyTorch gives the place of any: what is found there counts."""
    if [out.name for out in op.outputs] == ["values", "indices"] and values["self"].ndim:
        dim = values.get("dim", -1)
        places = [
            one[1] if one[1].ndim == values["self"].ndim else one[1].unsqueeze(dim)
            for one in (found, expected)
        ]
        there = [torch.take_along_dim(values["self"], place, dim) for place in places]
        found, expected = (found[0], there[0]), (expected[0], there[1])
    elif isinstance(found, torch.Tensor) and found.dtype is torch.bool:
        expected = expected.bool()  # PyTorch's of bytes are bytes
    torch.testing.assert_close(found, expected, equal_nan=True)


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
        compare(op, values, found, expected)


def test_few_are_refused() -> None:
    """Sentences that say why, and how often."""
    if not compared:
        pytest.skip("nothing was compared by this process")
    for sentence, count in refused.most_common():
        print(f"{count:6} {sentence}")
    print(f"{sum(compared.values())} compared, {sum(refused.values())} refused")
    assert sum(refused.values()) < sum(compared.values())
