"""What small calls cost beside PyTorch's own function, in the same run.

    python scripts/bench/torch_costs.py [--elements 1024] [--rounds 40] [OPERATOR]...

For each operator that PyTorch has, in float32 on one thread: µs of the plain function, of PyTorch's
and their ratio; what torch.ops takes more; forward and backward together, and their ratio. Calls
take turns, and the best of many short runs counts. `!` marks what is above the bounds.
"""

from __future__ import annotations

import argparse
import dataclasses
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch

import openaclnn
import openaclnn.torch
from openaclnn.base.dtypes import FLOAT, DType
from openaclnn.base.status import AclnnError
from openaclnn.calls.functions import tensor_parameters
from openaclnn.calls.replay import native
from openaclnn.ops import all_ops
from openaclnn.spec import describe
from openaclnn.spec.op import Argument, Attr, Op
from openaclnn.spec.sample import sample_call
from openaclnn.torch.fake import torch_dtype
from openaclnn.torch.schema import called, default_of, keywords, positional
from openaclnn.truth import pytorch

_PLAIN, _OPS, _BOTH = 1.0, 2.5, 1.5  # the bounds: ratio, µs more, ratio
_AT_ONCE = 40  # calls
Call = Callable[[], Any]
Tensors = dict[str, Any]


def best(calls: list[Call], rounds: int) -> list[float]:
    """Microseconds of each, alternating."""
    found = [float("inf")] * len(calls)
    for call in calls:
        for _ in range(_AT_ONCE):  # call caches learn, and compilers come to an end
            call()
    for _ in range(rounds):
        for number, call in enumerate(calls):
            start = time.perf_counter()
            for _ in range(_AT_ONCE):
                call()
            took = (time.perf_counter() - start) / _AT_ONCE
            found[number] = min(found[number], took * 1e6)
    return found


class Case:
    """One operator, and PyTorch's function of its meaning on the same tensors."""

    def __init__(self, op: Op, elements: int) -> None:
        self.op = op
        self.call = sample_call(op, (FLOAT,), self.shape(elements))
        self.random = torch.Generator().manual_seed(1)

    def shape(self, elements: int) -> tuple[int, ...]:
        """One dimension where an operator takes it."""
        for shape in ((elements,), (elements // 32, 32), (1, elements), (4, elements // 64, 16)):
            try:
                sample_call(self.op, (FLOAT,), shape)
            except (AclnnError, IndexError, ValueError):
                continue
            return shape
        raise AssertionError(f"{self.op.name} takes no shape of these")

    def tensors(self, grad: bool) -> Tensors:
        least = 1.1 if "acosh" in self.op.name else 0.1  # where functions have values

        def made(one: Any) -> Any:
            drawn = torch.rand(one.shape, generator=self.random) * 0.8 + least
            found = drawn.to(torch_dtype(one.dtype))
            return found.requires_grad_(grad and found.is_floating_point())

        found: Tensors = {}
        for a in tensor_parameters(self.op):
            value = self.call[a.name]
            found[a.name] = (
                [*map(made, value)] if isinstance(value, tuple) else value and made(value)
            )
        return found

    def ours(self, function: Any, given: Tensors, name: Callable[[Argument], str]) -> Call:
        def value(a: Argument) -> Any:
            return self.attribute(a) if isinstance(a, Attr) else given[a.name]

        args = [value(a) for a in positional(self.op)]
        told = {name(a): value(a) for a in keywords(self.op) if value(a) != default_of(a)}
        return lambda: function(*args, **told)

    def attribute(self, a: Attr) -> Any:
        value = self.call[a.name]
        if a.choices:
            return next(word for word, number in a.choices.items() if number == value)
        if isinstance(value, DType):
            return None if value is a.default else torch_dtype(value)
        return [*value] if isinstance(value, tuple) else getattr(value, "value", value)

    def theirs(self, given: Tensors) -> Call | None:
        for function in self.candidates():
            bound = function.bound(given, self.call.attributes)
            try:
                bound()
            except (RuntimeError, TypeError, ValueError):  # its other name takes them
                continue
            return bound
        return None

    def candidates(self) -> Iterator[pytorch.TorchFunction]:
        """As people call it first: `torch.exp` takes less than `torch.ops.aten.exp`."""
        found, last = pytorch.function(self.op), self.op.torch.rpartition(".")[2]
        if found is None:
            return
        for module in (torch, torch._C._nn, torch.nn.functional, torch.special):
            if hasattr(module, last):
                yield dataclasses.replace(found, function=getattr(module, last))
        yield found

    def row(self, rounds: int) -> str | None:
        name, given = self.op.name, self.tensors(grad=False)
        theirs, of = self.theirs(given), getattr(torch.ops.openaclnn, self.op.name)
        if theirs is None:
            return None
        plain = self.ours(getattr(openaclnn, name), given, lambda a: a.name)
        cost, by_ops, its = best([plain, self.ours(of, given, called), theirs], rounds)
        ratio, more = cost / its, by_ops - cost
        row = f"{name:28} {cost:7.2f} {its:7.2f} {marked(ratio, _PLAIN)} {marked(more, _OPS)}"
        both = self.both(of)
        if both is not None:
            cost, its = best(both, rounds)
            row += f" {cost:8.1f} {its:7.1f} {marked(cost / its, _BOTH)}"
        return row

    def both(self, of: Any) -> list[Call] | None:
        """Forward and backward, where both have such."""
        given = self.tensors(grad=True)
        lists = [value if isinstance(value, list) else [value] for value in given.values()]
        leaves = [one for some in lists for one in some if one is not None and one.requires_grad]
        found = []
        for call in (self.ours(of, given, called), self.theirs(given)):
            result = None if call is None else call()
            if not isinstance(result, torch.Tensor) or not result.requires_grad:
                return None
            found.append(partial(_there_and_back, call, leaves, torch.ones_like(result)))
        try:
            found[1]()
        except RuntimeError:  # it has no derivative
            return None
        return found


def _there_and_back(call: Call, leaves: list[Any], seed: Any) -> Any:
    return torch.autograd.grad(call(), leaves, seed, allow_unused=True)


def marked(value: float, bound: float) -> str:
    return f"{value:5.2f}{'!' if value > bound else ' '}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("operators", nargs="*", metavar="OPERATOR")
    parser.add_argument("--elements", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=40)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    native.build(wait=True)  # the compiled call cache, which calls would not wait for
    print(f"{'':31}plain PyTorch  ratio  ops  both PyTorch's ratio")
    for name, op in all_ops().items():
        wanted = name in given.operators if given.operators else bool(op.torch)
        if wanted and not op.in_place and tensor_parameters(op) and FLOAT in describe.dtypes(op):
            row = Case(op, given.elements).row(given.rounds)
            if row is not None:
                print(row, flush=True)


if __name__ == "__main__":
    main()
