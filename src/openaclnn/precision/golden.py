"""Golden cases: inputs and true outputs of one operator, the same files on every machine, for
people to run on their device and to `compare`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base import dtypes, settings
from openaclnn.base.dtypes import DType
from openaclnn.base.scalars import Scalar
from openaclnn.base.status import AclnnError
from openaclnn.base.tensors import Tensor, View, broadcast
from openaclnn.check import verdict
from openaclnn.precision import draws, layouts, manifest, npy
from openaclnn.precision.double_double import Pair
from openaclnn.precision.reference import reference
from openaclnn.precision.ulp import round_to
from openaclnn.spec.call import Call
from openaclnn.spec.op import Attr, Op


@dataclass(frozen=True)
class Case:
    """One case in full. Shapes, dtypes and layouts are by argument name, inputs and output."""

    op: Op
    shapes: Mapping[str, tuple[int, ...]]
    dtypes: Mapping[str, DType]
    layouts: Mapping[str, str]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    output_dtype: DType | None = None
    distribution: str = "standard"
    special: bool = False
    seed: int = 0
    raw: bool = False  # .bin files instead of .npy

    @property
    def shape(self) -> tuple[int, ...]:
        """The output's; where the inputs' do not broadcast, the first of them, to be refused."""
        shapes = [self.shapes[a.name] for a in self.op.reads]
        shape = broadcast(*shapes)
        return shapes[0] if shape is None else shape

    @property
    def promoted(self) -> DType:
        """The type that results are rounded to first."""
        found = dtypes.promote(*(self.dtypes[a.name] for a in self.op.reads))
        assert found is not None, "float types always meet"
        return found

    def view(self, name: str) -> View:
        """Of an input or the output."""
        is_output = name == self.op.outputs[0].name
        dtype = (self.output_dtype or self.promoted) if is_output else self.dtypes[name]
        shape = self.shape if is_output else self.shapes[name]
        return layouts.by_name(self.layouts[name]).make(dtype, shape)


def refuse_what_is_refused(case: Case) -> None:
    """Raise AclnnError where the operator, on the chosen product, would not take the call."""
    arguments = dict(case.attributes)
    arguments |= {a.name: Tensor(case.view(a.name), 0) for a in case.op.tensors}
    found = verdict(Call(case.op, arguments, settings.current().product))
    if found is not None:
        raise AclnnError(found.status, found.message)


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


def defaults(op: Op) -> dict[str, Any]:
    """The attributes that hold where nothing is said."""
    return {a.name: a.plain for a in op.attributes}


def write(case: Case, folder: Path) -> None:
    """Write the case's files: one per input, golden.npy in float64, golden_rounded.npy in the
    output's type, and manifest.json."""
    refuse_what_is_refused(case)
    output, place, promoted = case.op.outputs[0], case.view(case.op.outputs[0].name), case.promoted
    views = {a.name: case.view(a.name) for a in case.op.inputs}
    storages = {name: _storage(case, name, view) for name, view in views.items()}
    exact = _exact(case, {n: layouts.elements(storages[n], view) for n, view in views.items()})
    once = round_to(promoted, exact).astype(np.float64)
    rounded = round_to(place.dtype, Pair(once, np.zeros_like(once)))
    wide = round_to(dtypes.DOUBLE, exact)  # not just exact.high: processors differ in their NaN

    folder.mkdir(parents=True, exist_ok=True)
    manifest.forget(folder)
    ending = ".bin" if case.raw else ".npy"
    entries, digests = [], {}
    for argument in case.op.inputs:
        view, file = views[argument.name], argument.name + ending
        digests[file] = _save(folder / file, storages[argument.name], view.dtype)
        entries.append(manifest.tensor(argument.name, argument.c_name, view, file))
    digests["golden.npy"] = _save(folder / "golden.npy", wide, dtypes.DOUBLE)
    file = f"golden_rounded{ending}"
    digests[file] = _save(folder / file, rounded, place.dtype)
    manifest.write(
        folder,
        {
            "operator": case.op.name,
            "c_name": case.op.c_name,
            "inputs": entries,
            "attributes": {name: _typed(value) for name, value in case.attributes.items()},
            "output": manifest.tensor(output.name, output.c_name, place, None),
            "promoted": promoted.name,
            "golden": {"exact": "golden.npy", "rounded": file},
            "distribution": case.distribution,
            "special": case.special,
            "seed": case.seed,
            "sha256": digests,
        },
    )


def _storage(case: Case, name: str, view: View) -> NDArray[Any]:
    """The storage of an input, with the tensor drawn into it."""
    draw = draws.distribution(case.distribution)
    stream = draws.Stream(case.seed, name)
    values = draws.draw(stream, view.numel, view.dtype, draw, case.special)
    # what lies between the elements must not be read: a number that none of them is near
    storage = np.full(view.storage_shape, 1234.0, np.float32).astype(view.dtype.numpy)
    layouts.elements(storage, view)[...] = values.reshape(view.shape)
    return storage


def _exact(case: Case, tensors: Mapping[str, NDArray[Any]]) -> Pair:
    inputs = [tensors[a.name].astype(np.float64) for a in case.op.reads]
    return reference(case.op, inputs, case.attributes, promoted=case.promoted)


def _typed(value: Any) -> Any:
    if isinstance(value, Scalar):
        return {"value": value.value, "dtype": value.dtype.name}
    return value


def _save(path: Path, array: NDArray[Any], dtype: DType) -> str:
    """Write a file and return its SHA-256."""
    if path.suffix == ".bin":
        path.write_bytes(npy.little_endian(array, dtype))
    else:
        npy.write(path, array, dtype)
    return manifest.sha256(path)
