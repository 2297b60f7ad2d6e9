"""Plan: what phase 1 decides and phase 2 runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from openaclnn.base.dtypes import DType
from openaclnn.plan.loop import Loop, nest
from openaclnn.spec.op import Op


@dataclass(frozen=True, eq=False, slots=True)
class Plan:
    """One call, but for addresses: which loop runs which formula on which dtypes.

    `staged`: the output overlaps an input, so results go to the workspace first and are then
    copied. Plans are shared by all equal calls and compare by identity.
    """

    op: Op
    compute: str  # f32 or f64
    inputs: tuple[DType, ...]  # of the inputs that are read
    promoted: DType
    out: DType
    loop: Loop
    numel: int
    uniforms: tuple[float, ...]
    staged: bool

    @property
    def workspace_size(self) -> int:
        return self.numel * self.out.itemsize if self.staged else 0


def make_plan(
    op: Op, arguments: Mapping[str, Any], promoted: DType, level: str, staged: bool
) -> Plan:
    """The plan of a call that passed its checks."""
    views = [arguments[a.name].view for a in (*op.read_inputs, op.output)]
    *inputs, out = views
    attributes = {a.name: arguments[a.name] for a in op.attributes}
    uniforms = op.uniforms(attributes, out.numel, promoted)
    return Plan(
        op=op,
        compute=op.computes_in(promoted, level, attributes),
        inputs=tuple(view.dtype for view in inputs),
        promoted=promoted,
        out=out.dtype,
        loop=nest(views),
        numel=out.numel,
        uniforms=tuple(uniforms[name] for name in op.uniform_names),
        staged=staged,
    )
