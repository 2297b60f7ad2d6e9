"""A golden case whose tensors are arrays, not files."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base import layouts
from openaclnn.base.dtypes import DOUBLE
from openaclnn.base.tensors import View
from openaclnn.compare.judge import judge
from openaclnn.compare.result import Comparison
from openaclnn.compare.sources import from_array
from openaclnn.golden import cases, manifest
from openaclnn.golden.cases import GoldenCase
from openaclnn.spec.op import REQUIRED, Argument, InOut, Out
from openaclnn.truth.double_double import Pair
from openaclnn.truth.reference import results
from openaclnn.truth.stored import Truth, stored, worth
from openaclnn.truth.ulp import round_to


class Golden:
    """Inputs and true outputs of a case; of several outputs these are by name."""

    def __init__(self, case: GoldenCase) -> None:
        cases.refuse_what_is_refused(case)
        cases.refuse_what_cannot_be_made_up(case)
        cases.refuse_what_is_empty(case)
        self.case = case

    def __repr__(self) -> str:
        inputs = ", ".join(f"{name} {list(a.shape)}" for name, a in self._views.items())
        return f"<golden case of {self.case.op.c_name}: {inputs}>"

    @cached_property
    def _storages(self) -> dict[str, NDArray[Any]]:
        return cases.memories(self.case)

    @cached_property
    def _views(self) -> dict[str, NDArray[Any]]:
        views = {given.label: given.tensor.view for given in cases.inputs(self.case)}
        return {label: layouts.elements(storage, views[label]).reshape(views[label].shape)
                for label, storage in self._storages.items()}  # fmt: skip

    @property
    def inputs(self) -> dict[str, Any]:
        """The tensors and attributes by the names of the Python function's arguments: arrays in
        the case's layouts, a list for a list of tensors."""
        found: dict[str, Any] = {}
        for a in self.case.op.tensors:
            given = self.case.call[a.name]
            if type(a) is not Out and given is not None:
                members = [self._input(a, label) for label, _ in self.case.call.of((a.name,))]
                found[a.name] = members if a.many else members[0]
        said = {
            a.name: self.case.attributes[a.name]
            for a in self.case.op.attributes
            if a.default is REQUIRED or self.case.attributes[a.name] != a.default
        }
        return found | said

    def _input(self, argument: Argument, label: str) -> NDArray[Any]:
        """One tensor; what the operator writes to is a copy, so that the case stays as it is."""
        if label not in self._views:  # only overwritten
            view = self._outputs[label]
            return np.zeros(view.shape, view.dtype.numpy)
        return self._views[label].copy() if isinstance(argument, InOut) else self._views[label]

    @cached_property
    def _true(self) -> dict[str, Truth]:
        call = self.case.call
        found = results(call, [self._storages.get(given.label) for given in call.used])
        values = (value for value in found if value is not None)
        return {given.label: value for given, value in zip(call.writes, values, strict=True)}

    @cached_property
    def _outputs(self) -> dict[str, View]:
        return {given.label: given.tensor.view for given in self.case.call.writes}

    def _by_name(self, exact: bool) -> dict[str, NDArray[Any]]:
        found = {}
        for name, true in self._true.items():
            view = self._outputs[name]
            if exact and view.dtype.kind == "float":
                values = round_to(DOUBLE, true if isinstance(true, Pair) else worth(true))
            else:
                values = stored(true, self.case.promoted, view.dtype)
            found[name] = np.asarray(values).reshape(view.shape)
        return found

    @property
    def expected(self) -> Any:
        """The true results, floats in float64; of a list of tensors a list."""
        return self._grouped(self._by_name(exact=True))

    @property
    def rounded(self) -> Any:
        """The true results in the output's type."""
        return self._grouped(self._by_name(exact=False))

    def _grouped(self, flat: dict[str, NDArray[Any]]) -> Any:
        outputs = [a for a in self.case.op.outputs if self.case.call[a.name] is not None]
        found = {
            a.name: [flat[label] for label, _ in self.case.call.of((a.name,))]
            if a.many
            else flat[a.name]
            for a in outputs
        }
        return next(iter(found.values())) if len(found) == 1 else found

    def compare(self, actual: Any, output: str = "", **options: Any) -> Comparison:
        """Judge results; of several outputs `output` says which. Options as `compare` has them,
        but for dtypes."""
        true = self._by_name(exact=True)
        name = output or next(iter(true))
        if name not in true or (not output and len(true) > 1):
            raise ValueError(f"say of which output: {', '.join(true)}")
        view = self._outputs[name]
        source = from_array(actual, "actual", view.dtype)
        dtype = manifest.through(self.case.promoted, view.dtype)
        return judge(source, from_array(true[name], "golden", None), dtype=dtype, **options)

    def write(self, folder: str | Path) -> None:
        """Write the case as `openaclnn golden` does."""
        cases.write(self.case, Path(folder))
