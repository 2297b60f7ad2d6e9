"""Executors: what phase 1 hands to phase 2."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import attrgetter
from operator import index as as_integer
from typing import Any

from openaclnn.base.overlap import overlapping
from openaclnn.base.status import AclnnError, Status
from openaclnn.base.tensors import Tensor
from openaclnn.engines import Engine, Launcher, engine_for
from openaclnn.plan import Plan
from openaclnn.spec.op import In, Op

_address = attrgetter("address")


@dataclass(frozen=True, eq=False, slots=True)
class Ready:
    """A plan and the launcher that an engine made of it, shared by all equal calls."""

    plan: Plan
    launcher: Launcher | None  # None where there is nothing to compute
    engine: Engine
    workspace_size: int


def make_ready(plan: Plan, device: str) -> Ready:
    engine = engine_for(device)
    launcher = engine.prepare(plan) if plan.numel else None
    return Ready(plan, launcher, engine, plan.workspace_size)


class Executor:
    """One prepared call: runs once, or any number of times when made repeatable.

    It holds the tensors, so that their memory and descriptions outlive the caller's handles.
    """

    __slots__ = (
        "_moved",
        "_packed",
        "_ready",
        "_turns",
        "destroyed",
        "op",
        "repeatable",
        "tensors",
    )

    def __init__(
        self, op: Op, ready: Ready, tensors: tuple[Tensor, ...], packed: object = None
    ) -> None:
        self.op = op
        self.tensors = tensors  # in C order
        self._ready = ready
        self._packed = packed  # what a launch needs, once it is known
        # taking the one element is atomic: of two threads that try, one runs
        self._turns: list[None] = [None]
        # whether an address was replaced: overlap is open again then
        self.repeatable = self.destroyed = self._moved = False

    @property
    def workspace_size(self) -> int:
        return self._ready.workspace_size

    def allocate_workspace(self) -> tuple[int, object]:
        """The workspace that a run needs: its address, and the object that keeps it."""
        return self._ready.engine.allocate(self.workspace_size)

    def make_repeatable(self) -> None:
        self._refuse_dead()
        self.repeatable = True

    def destroy(self) -> None:
        self._refuse_destroyed()
        self.destroyed = True
        self.tensors = ()
        self._packed = None

    def replace_address(self, kind: str, index: int, address: int) -> None:
        """Put another storage address under a tensor; `kind` says what `index` counts."""
        self._refuse_dead()
        positions = [
            position
            for position, argument in enumerate(self.op.tensors)
            if kind == "tensor" or isinstance(argument, In) == (kind == "input")
        ]
        if not 0 <= index < len(positions):
            raise AclnnError(
                Status.PARAM_INVALID,
                f"{self.op.c_name}: there is no {kind} tensor number {index}; "
                f"expected 0 to {len(positions) - 1}",
            )
        tensors = list(self.tensors)
        old = tensors[positions[index]]
        tensors[positions[index]] = Tensor(
            old.view, as_integer(address or 0), old.device, old.owner
        )
        self.tensors = tuple(tensors)
        self._packed = None
        self._moved = True

    def run(self, workspace: int, workspace_size: int, stream: int | None) -> None:
        ready, packed, temporary = self._ready, self._packed, None
        launcher: Any = ready.launcher
        if packed is None or self.destroyed:
            if self.destroyed or not self._turns:
                self._refuse_dead()
            if launcher is None:
                if not self.repeatable:
                    self._turns.clear()
                return
            addresses = [*map(_address, self.op.pick_used(self.tensors))]
            if 0 in addresses or ready.workspace_size:
                self._check_run(addresses, workspace, workspace_size)
            if self._moved and not ready.workspace_size and self._overlaps():
                ready = self._staged()
                workspace, temporary = ready.engine.allocate(ready.workspace_size)
                launcher = ready.launcher
            packed = launcher.pack(addresses, workspace)
            if self.repeatable and not ready.workspace_size:
                self._packed = packed
        if not self.repeatable:
            try:
                self._turns.pop()
            except IndexError:  # another thread was faster
                self._refuse_dead()
        launcher.launch(packed, stream)
        del temporary  # only now: the launch used it

    @property
    def launcher(self) -> Launcher | None:
        return self._ready.launcher

    def used(self) -> tuple[Tensor, ...]:
        """The tensors that are read or written, the output last."""
        return self.op.pick_used(self.tensors)

    def _overlaps(self) -> bool:
        *inputs, output = self.used()
        return any(overlapping(output, tensor) for tensor in inputs)

    def _staged(self) -> Ready:
        staged = replace(self._ready.plan, staged=True)
        return make_ready(staged, self.tensors[-1].device)

    def _check_run(self, addresses: list[int], workspace: int, workspace_size: int) -> None:
        if 0 in addresses:
            position = addresses.index(0)
            raise AclnnError(
                Status.PARAM_NULLPTR,
                f"{self.op.c_name}: {self.op.used_tensors[position].name} has a null data "
                f"address; expected memory for {self.used()[position].view.numel} elements",
            )
        needed = self.workspace_size
        if workspace_size < needed:
            raise AclnnError(
                Status.PARAM_INVALID,
                f"{self.op.c_name}: the workspace has {workspace_size} bytes; expected {needed}",
            )
        if needed and not workspace:
            raise AclnnError(
                Status.PARAM_NULLPTR,
                f"{self.op.c_name}: the workspace is null; expected {needed} bytes",
            )

    def _refuse_dead(self) -> None:
        self._refuse_destroyed()
        if not self._turns:
            raise AclnnError(
                Status.INNER,
                f"{self.op.c_name}: this executor has run already; make it repeatable with "
                "aclSetAclOpExecutorRepeatable before its first run, or ask for a new one",
            )

    def _refuse_destroyed(self) -> None:
        if self.destroyed:
            raise AclnnError(Status.INNER, f"{self.op.c_name}: this executor was destroyed")
