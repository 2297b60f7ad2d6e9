"""Executors: what phase 1 hands to phase 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openaclnn.base.overlap import overlapping
from openaclnn.base.status import AclnnError, Status
from openaclnn.base.tensors import Tensor
from openaclnn.engines import Engine, Launcher, engine_for
from openaclnn.plan import Plan
from openaclnn.spec.op import In, Op


@dataclass(frozen=True, eq=False, slots=True)
class Ready:
    """A plan and the launcher that an engine made of it, shared by all equal calls."""

    plan: Plan
    launcher: Launcher
    engine: Engine


class _Idle:
    """Launches nothing: what an empty output needs."""

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        return ()

    def launch(self, packed: object, stream: int | None) -> None: ...


def make_ready(plan: Plan, device: str) -> Ready:
    engine = engine_for(device)
    return Ready(plan, engine.prepare(plan) if plan.numel else _Idle(), engine)


class Executor:
    """One prepared call: runs once, or any number of times when made repeatable.

    It holds the tensors, so that their memory and descriptions outlive the caller's handles.
    """

    __slots__ = ("_packed", "_ready", "_turns", "destroyed", "op", "repeatable", "tensors")

    def __init__(self, op: Op, ready: Ready, tensors: Sequence[Tensor]) -> None:
        self.op = op
        self.tensors = list(tensors)  # in C order
        self.repeatable = False
        self.destroyed = False
        self._ready = ready
        # taking the one element is atomic: of two threads that try, one runs
        self._turns: list[None] = [None]
        self._packed: object = None

    @property
    def workspace_size(self) -> int:
        return self._ready.plan.workspace_size

    def allocate_workspace(self) -> tuple[int, object]:
        """The workspace that a run needs: its address, and the object that keeps it."""
        return self._ready.engine.allocate(self.workspace_size)

    def make_repeatable(self) -> None:
        self._refuse_dead()
        self.repeatable = True

    def destroy(self) -> None:
        self._refuse_destroyed()
        self.destroyed = True
        self.tensors.clear()
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
        old = self.tensors[positions[index]]
        self.tensors[positions[index]] = Tensor(old.view, address, old.device, old.owner)
        self._packed = None

    def run(self, workspace: int, workspace_size: int, stream: int | None) -> None:
        self._refuse_dead()
        plan = self._ready.plan
        if plan.numel == 0:
            self._take_turn()
            return
        if self._packed is None or plan.staged:
            self._check_run(workspace, workspace_size)
        temporary: object = None
        ready, packed = self._ready, self._packed
        if packed is None:
            if not plan.staged and self._overlaps():
                ready = self._staged()
                workspace, temporary = ready.engine.allocate(ready.plan.workspace_size)
            packed = ready.launcher.pack([t.address for t in self._used()], workspace)
            if self.repeatable and ready is self._ready and not plan.staged:
                self._packed = packed
        self._take_turn()
        ready.launcher.launch(packed, stream)
        del temporary  # only now: the launch used it

    def _used(self) -> list[Tensor]:
        return [
            tensor
            for tensor, argument in zip(self.tensors, self.op.tensors, strict=True)
            if not isinstance(argument, In) or argument.read
        ]

    def _overlaps(self) -> bool:
        *inputs, output = self._used()
        return any(overlapping(output, tensor) for tensor in inputs)

    def _staged(self) -> Ready:
        plan = self._ready.plan
        staged = Plan(
            op=plan.op,
            level=plan.level,
            inputs=plan.inputs,
            promoted=plan.promoted,
            out=plan.out,
            loop=plan.loop,
            numel=plan.numel,
            uniforms=plan.uniforms,
            staged=True,
        )
        return make_ready(staged, self.tensors[-1].device)

    def _check_run(self, workspace: int, workspace_size: int) -> None:
        for tensor, argument in zip(self.tensors, self.op.tensors, strict=True):
            if not tensor.address and not (isinstance(argument, In) and not argument.read):
                raise AclnnError(
                    Status.PARAM_NULLPTR,
                    f"{self.op.c_name}: {argument.name} has a null data address; expected memory "
                    f"for {tensor.view.numel} elements",
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

    def _take_turn(self) -> None:
        if not self.repeatable:
            try:
                self._turns.pop()
            except IndexError:
                self._refuse_dead()

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
