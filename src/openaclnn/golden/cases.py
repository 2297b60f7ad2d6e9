"""Golden cases: inputs and true outputs of one operator, the same files on every machine, for
people to run on their device and to `compare`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base import layouts, settings
from openaclnn.base.dtypes import DOUBLE, DType
from openaclnn.base.records import dataclass
from openaclnn.base.scalars import Scalar
from openaclnn.base.tensors import Tensor, View
from openaclnn.check import verdict
from openaclnn.compare import npy
from openaclnn.golden import draws, manifest
from openaclnn.spec.call import Call, Given, of_outputs
from openaclnn.spec.op import Argument, Attr, InOut, Op, Out
from openaclnn.spec.steps import Limit
from openaclnn.truth.double_double import Pair
from openaclnn.truth.reference import results
from openaclnn.truth.stored import Truth, stored, worth
from openaclnn.truth.ulp import round_to


@dataclass(frozen=True)
class GoldenCase:
    """One case in full. Shapes, dtypes and layouts are by argument name, `dtypes` of tensors that
    are read; of an output only where it is not what the operator makes of them."""

    op: Op
    shapes: Mapping[str, tuple[int, ...]]
    dtypes: Mapping[str, DType]
    layouts: Mapping[str, str]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    without: frozenset[str] = frozenset()  # optional tensors that are absent
    members: int = 2  # of lists
    distribution: str = "standard"
    seed: int = 0
    _: KW_ONLY
    special: bool = False
    raw: bool = False  # .bin files instead of .npy

    @cached_property
    def call(self) -> Call:
        """The call, on tensors without memory."""
        values: dict[str, Any] = dict(self.attributes)
        for a in self.op.tensors:
            made = type(a) is not Out and a.name not in self.without
            values[a.name] = self._given(a) if made else None
        product = settings.current().product
        unfinished = Call(self.op, values, product)
        metas = of_outputs(self.op.outputs, unfinished.results)
        for output, meta in zip(self.op.outputs, metas, strict=True):
            if type(output) is not Out or output.name in self.without:
                continue
            tensors = [
                self._tensor(output.name, self.dtypes.get(output.name, one.dtype), one.shape)
                for one in (meta if isinstance(meta, tuple) else (meta,))
            ]
            if output.optional and not any(one.view.numel for one in tensors):
                continue  # an attribute says that it is not wanted
            values[output.name] = tuple(tensors) if output.many else tensors[0]
        return Call(self.op, values, product)

    def _given(self, argument: Argument) -> Any:
        def one() -> Tensor:
            return self._tensor(
                argument.name, self.dtypes[argument.name], self.shapes[argument.name]
            )

        return tuple(one() for _ in range(self.members)) if argument.many else one()

    def _tensor(self, name: str, dtype: DType, shape: tuple[int, ...]) -> Tensor:
        return Tensor(layouts.by_name(self.layouts[name]).make(dtype, shape), 0)

    @property
    def promoted(self) -> DType:
        """The type that results are rounded to first."""
        found = self.call.promoted
        assert found is not None, "the call was refused"
        return found


def refuse_what_is_refused(case: GoldenCase) -> None:
    """Raise AclnnError where the operator, on the chosen product, would not take the call."""
    found = verdict(case.call)
    if found is not None:
        raise found.error


def refuse_what_cannot_be_made_up(case: GoldenCase) -> None:
    """Inputs whose elements must fit together, and results whose shape elements decide."""
    name = case.op.c_name
    if case.op.sized is not None:
        raise ValueError(f"{name}: elements decide the shape of its results, which a case has not")
    if any(one.part.tensor < 0 for one in _every_limit(case.call)):
        raise ValueError(f"{name}: its elements must fit together, as those of a case do not")


def refuse_what_is_empty(case: GoldenCase) -> None:
    """Results without elements pass every standard: such a case proves nothing."""
    if any(given.tensor.view.numel for given in case.call.writes):
        return
    for given in case.call.writes[:1]:
        raise ValueError(
            f"{case.op.c_name}: {given.label} has shape {list(given.tensor.shape)}, no element "
            "to compare; expected at least one: choose --shape or --attribute"
        )


def attribute(argument: Attr, text: str) -> Any:
    """The value of an attribute from what a user typed; a scalar may say its dtype: 0.1:f16.

    >>> from openaclnn.ops import find
    >>> reduction, beta = find("smooth_l1_loss_backward").attributes
    >>> attribute(reduction, "sum"), attribute(reduction, "1"), attribute(beta, "0.1")
    (2, 1, 0.10000000149011612)
    """
    try:
        if text in argument.choices:
            return argument.choices[text]
        value = argument.host.from_text(text)
        if argument.choices and value not in argument.choices.values():
            raise ValueError
        return value
    except (ValueError, KeyError, OverflowError):
        expected = ", ".join(argument.choices) or argument.host.expected
        raise ValueError(f"{argument.name} is {text!r}; expected {expected}") from None


def write(case: GoldenCase, folder: Path) -> None:
    """Write the case's files: one for each tensor that goes in; for each output its true values,
    floats in float64 and in the output's type; and manifest.json."""
    refuse_what_is_refused(case)
    refuse_what_cannot_be_made_up(case)
    refuse_what_is_empty(case)
    given_by = {given.label: given for given in inputs(case)}
    storages = memories(case)
    true = results(case.call, [storages.get(given.label) for given in case.call.used])
    found = [value for value in true if value is not None]

    folder.mkdir(parents=True, exist_ok=True)
    manifest.forget(folder)
    files = _Files(folder, ".bin" if case.raw else ".npy")
    entries = []
    for label, given in given_by.items():
        view = given.tensor.view
        file = _file_name(label) + files.ending
        files.save(file, storages[label], view.dtype)
        entries.append(manifest.tensor(label, given.argument.c_name, view, file))
    written = []
    for output, value in zip(case.call.writes, found, strict=True):
        suffix = "" if len(found) == 1 else f"_{_file_name(output.label)}"
        view = output.tensor.view
        golden = _write_golden(files, suffix, value, case.promoted, view.dtype)
        entry = manifest.tensor(output.label, output.argument.c_name, view, None)
        written.append((entry, golden))
    manifest.write(folder, _described(case, entries, written) | {"sha256": files.digests})


def _file_name(label: str) -> str:
    """What a tensor's file is called: that of tensors[1] is tensors_1."""
    return label.replace("[", "_").replace("]", "")


def _described(
    case: GoldenCase,
    inputs: list[dict[str, Any]],
    outputs: list[tuple[dict[str, Any], dict[str, str]]],
) -> dict[str, Any]:
    """The manifest but for the digests."""
    absent = [a.c_name for a in case.op.tensors if case.call[a.name] is None]
    one = len(outputs) == 1
    return {
        "operator": case.op.name,
        "c_name": case.op.c_name,
        "inputs": inputs,
        **({"absent": absent} if absent else {}),
        "attributes": {name: _typed(value) for name, value in case.attributes.items()},
        **({"output": outputs[0][0]} if one else {}),
        "promoted": case.promoted.name,
        **({"golden": outputs[0][1]} if one else {}),
        **({} if one else {"outputs": [{**entry, "golden": files} for entry, files in outputs]}),
        "distribution": case.distribution,
        "special": case.special,
        "seed": case.seed,
    }


def inputs(case: GoldenCase) -> Iterator[Given]:
    """What goes in: tensors that are only inputs, and those that the operator changes."""
    call = case.call
    for a in case.op.tensors:
        if type(a) is not Out and not (isinstance(a, InOut) and not a.read):
            yield from (Given(a, tensor, label) for label, tensor in call.of((a.name,)))


class _Files:
    """What is written to a folder, and the digests of it."""

    def __init__(self, folder: Path, ending: str) -> None:
        self.folder, self.ending = folder, ending
        self.digests: dict[str, str] = {}

    def save(self, name: str, array: NDArray[Any], dtype: DType) -> None:
        path = self.folder / name
        if path.suffix == ".bin":
            path.write_bytes(npy.little_endian(array, dtype))
        else:
            npy.write(path, array, dtype)
        self.digests[name] = manifest.sha256(path)


def _write_golden(
    files: _Files, suffix: str, true: Truth, promoted: DType, out: DType
) -> dict[str, str]:
    """Write the true values of an output; integers and conditions are no other in a wider type."""
    exact, rounded = f"golden{suffix}.npy", f"golden{suffix}_rounded{files.ending}"
    if not suffix:
        rounded = f"golden_rounded{files.ending}"
    narrow = stored(true, promoted, out)
    if out.kind == "float":
        # not just the high part: processors differ in their NaN
        pair = true if isinstance(true, Pair) else worth(true)
        files.save(exact, round_to(DOUBLE, pair), DOUBLE)
    else:
        files.save(exact, narrow, out)
    files.save(rounded, narrow, out)
    return {"exact": exact, "rounded": rounded}


def memories(case: GoldenCase) -> dict[str, NDArray[Any]]:
    """The storages of all inputs, by the tensors' labels."""
    limits = _limits(case.call)
    return {
        given.label: storage(case, given.label, given.tensor.view, limits.get(given.label))
        for given in inputs(case)
    }


def _limits(call: Call) -> dict[str, Limit]:
    """What the elements of tensors of indices may be, by the tensors' labels."""
    return {call.used[one.part.tensor].label: one for one in _every_limit(call)}


def _every_limit(call: Call) -> list[Limit]:
    if call.op.repeats is not None:
        return []
    return [limit for step in call.op.steps(call) for limit in step.limits]


def storage(case: GoldenCase, label: str, view: View, limit: Limit | None = None) -> NDArray[Any]:
    """The storage of an input, with the tensor drawn into it."""
    draw = draws.distribution(case.distribution)
    stream = draws.Stream(case.seed, label)
    values = draws.draw(stream, view.numel, view.dtype, draw, case.special)
    if limit is not None:
        values = draws.within(limit, values)
    # what lies between the elements must not be read: a number that none of them is near
    between = 1234 if view.dtype.bits > 8 else 123
    storage = np.full(view.storage_shape, between, np.int32).astype(view.dtype.numpy)
    layouts.elements(storage, view)[...] = values.reshape(view.shape)
    return storage


def _typed(value: Any) -> Any:
    if isinstance(value, Scalar):
        return {"value": value.value, "dtype": value.dtype.name}
    if isinstance(value, DType):
        return value.name
    return [*map(_typed, value)] if isinstance(value, tuple) else value
