"""Executors: what phase 1 hands to phase 2."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from operator import index as as_integer
from typing import Any, Protocol

from openaclnn.base import settings
from openaclnn.base.floating import plain_arithmetic
from openaclnn.base.fork_lock import fork_lock
from openaclnn.base.overlap import sharing
from openaclnn.base.status import AclnnError, Status
from openaclnn.base.tensors import Tensor
from openaclnn.engines import Compiled, Engine, Launcher, engine_for
from openaclnn.plan import Plan, needs_staging, staged
from openaclnn.spec.call import Call
from openaclnn.spec.op import Argument, Attr, In, InOut, Op, Out

Check = Callable[[Argument, Tensor], None]

_KINDS = {"input": (In, InOut), "output": (Out,)}  # a tensor that is changed is both


class Ready:
    """A plan and the launcher that an engine made of it, shared by all equal calls."""

    __slots__ = ("engine", "launcher", "plan", "workspace_size")

    def __init__(
        self,
        plan: Plan,
        launcher: Launcher | None,  # None where there is nothing to compute
        engine: Engine,
        workspace_size: int,
    ) -> None:
        self.plan, self.launcher, self.engine = plan, launcher, engine
        self.workspace_size = workspace_size

    def allocate(self, stream: int | None = None) -> tuple[int, object]:
        """The workspace that a run needs: its address, and the object that keeps it."""
        return self.engine.allocate(self.workspace_size, stream)


@plain_arithmetic()
def make_ready(plan: Plan, device: str) -> Ready:
    engine = engine_for(device)
    launcher = None if plan.empty else engine.prepare(plan)
    return Ready(plan, launcher, engine, engine.workspace_size(plan))


def label(op: Op, argument: Argument, member: int = 0) -> str:
    """How a sentence about a tensor begins: operator, argument, and of a list the place."""
    place = f"[{member}]" if argument.many else ""
    return f"{op.c_name}: {argument.name}{place}"


class Laying(Protocol):
    """Who lays an operator's calls in C: what it packed is run on a stream, if that can be; the
    rest of a call is learnt from its arguments."""

    run: Callable[[Any, int], bool]

    def settle(self, arguments: Sequence[Any]) -> Executor: ...


class Executor:
    """One prepared call: runs once, or any number of times when made repeatable.

    It holds the arguments, so that the tensors' memory and descriptions outlive the caller's
    handles. Addresses are its own: those that the tensors had in phase 1, until one is replaced.
    """

    __slots__ = (
        "_addresses", "_arguments", "_laid", "_moved", "_packed", "_ready", "_turns",
        "count", "destroyed", "op", "repeatable",
    )  # fmt: skip

    def __init__(
        self,
        op: Op,
        ready: Ready | None,
        arguments: Sequence[Any],
        addresses: tuple[int, ...] = (),
        packed: object = None,
        laid: tuple[Laying, object] | None = None,
    ) -> None:
        self.op = op
        self._arguments = arguments  # in C order
        self._addresses = addresses  # of the tensors that are used
        self._ready = ready  # None for as long as a call is only laid
        self._laid = laid  # by whom, and what it packed
        self._packed = packed  # what a launch needs, once it is known
        # taking the one element is atomic: of two threads that try, one runs
        self._turns: list[None] = [None]
        # whether an address was replaced: overlap is open again then
        self.repeatable = self.destroyed = self._moved = False
        self.count = 0  # of the elements that a run found, where data decide it

    @property
    def ready(self) -> Ready:
        if self._laid is not None:
            self._settle()
        return self._ready  # type: ignore[return-value]  # what is not laid is known

    def _settle(self) -> None:
        """Find out all that there is to know of a call that is only laid."""
        if self._laid is None:
            return
        self._refuse_destroyed()
        with fork_lock:
            if self._laid is not None:  # no other thread was faster
                found = self._laid[0].settle(self._arguments)
                self._ready, self._packed = found.ready, found._packed
                self._arguments, self._addresses = found._arguments, found._addresses
                self._laid = None  # last: what is not laid is known

    @property
    def workspace_size(self) -> int:
        if self._laid is not None:
            self._settle()
        return self._ready.workspace_size  # type: ignore[union-attr]

    def compiled(self) -> Compiled | None:
        """What it runs in a workspace at 0, where that needs no Python."""
        launcher = self.ready.launcher
        if launcher is None or 0 in self._addresses:
            return None
        packed = self._packed or launcher.pack(self._addresses, 0)
        if not self.workspace_size:
            self._packed = packed
        return launcher.compiled(packed)

    def make_repeatable(self) -> None:
        self._refuse_dead()
        self._settle()
        self.repeatable = True

    def destroy(self) -> None:
        self._refuse_destroyed()
        self.destroyed = True
        self._arguments = ()
        self._packed = None

    def replace_address(
        self,
        kind: str,
        index: int,
        address: int,
        check: Check | None = None,
        member: int | None = None,
    ) -> int:
        """Put another storage address under a tensor; `kind` says what `index` counts, `member` is
        the place in a list. `check` gets the argument and the tensor that it would be, and may
        raise. Gives the argument's position."""
        self._refuse_dead()
        self._settle()
        argument = self._argument(kind, index)
        self._refuse_other_kind(argument, member)
        old = self._member(argument, member or 0)
        tensor = Tensor(old.view, as_integer(address or 0), old.device)
        if check is not None:
            check(argument, tensor)
        if argument in self.op.used:
            addresses = list(self._addresses)
            addresses[self._labels().index((argument, member or 0))] = tensor.address
            self._addresses = tuple(addresses)
        self._packed = None
        self._moved = True
        return self.op.arguments.index(argument)

    def _refuse_other_kind(self, argument: Argument, member: int | None) -> None:
        """A tensor has an address, of a list only the members have."""
        if argument.many and member is None:
            complaint = "is a list of tensors; one tensor was given for it"
        elif member is not None and not argument.many:
            complaint = "is a tensor; a list of tensors was given for it"
        else:
            return
        raise AclnnError(Status.PARAM_INVALID, f"{self.op.c_name}: {argument.name} {complaint}")

    def _argument(self, kind: str, index: int) -> Argument:
        """The argument that has this number among its kind."""
        arguments = [a for a in self.op.tensors if kind == "tensor" or isinstance(a, _KINDS[kind])]
        if not 0 <= index < len(arguments):
            named = "tensor" if kind == "tensor" else f"{kind} tensor"
            raise AclnnError(
                Status.PARAM_INVALID,
                f"{self.op.c_name}: there is no {named} number {index}; "
                f"expected 0 to {len(arguments) - 1}",
            )
        return arguments[index]

    def _member(self, argument: Argument, member: int) -> Tensor:
        """The tensor that an argument is, or one of its list."""
        given = self._arguments[self.op.arguments.index(argument)]
        if given is None:
            raise AclnnError(
                Status.PARAM_INVALID,
                f"{self.op.c_name}: {argument.name} was null in phase 1; expected a tensor, whose "
                "address could be replaced",
            )
        tensors = given if isinstance(given, tuple) else (given,)
        if not 0 <= member < len(tensors):
            raise AclnnError(
                Status.PARAM_INVALID,
                f"{self.op.c_name}: {argument.name} has no tensor number {member}; it has "
                f"{len(tensors)}",
            )
        found: Tensor = tensors[member]
        return found

    def _labels(self) -> list[tuple[Argument, int]]:
        """The argument of every used tensor, and its place there."""
        given = zip(self.op.arguments, self._arguments, strict=True)
        return [
            (argument, member)
            for argument, value in given
            if argument in self.op.used and value is not None
            for member in range(len(value) if isinstance(value, tuple) else 1)
        ]

    def run(self, workspace: int, workspace_size: int, stream: int | None) -> None:
        """Run, for the only time or once more. A run that is refused takes no turn."""
        laid = self._laid
        if laid is not None:
            if not workspace_size and self._run_laid(*laid, stream):
                return
            self._settle()
        ready, packed, temporary = self._ready, self._packed, None
        if workspace_size and not workspace:
            self._refuse_null_workspace(workspace_size)
        if packed is None:
            ready, packed, temporary = self._pack(workspace, workspace_size, stream)
        if not self.repeatable:
            try:
                self._turns.pop()
            except IndexError:  # it ran before, or another thread was faster
                self._refuse_dead()
        launcher = ready.launcher  # type: ignore[union-attr]  # what is not laid is known
        if launcher is not None:
            self.count = launcher.launch(packed, stream) or 0
        del temporary  # only now: the launch used it

    def _run_laid(self, laid_by: Laying, packed: object, stream: int | None) -> bool:
        """Whether it could be run as it was laid."""
        self._refuse_destroyed()
        try:
            self._turns.pop()
        except IndexError:
            self._refuse_dead()
        if laid_by.run(packed, stream or 0):
            return True
        self._turns.append(None)
        return False

    def _pack(
        self, workspace: int, workspace_size: int, stream: int | None
    ) -> tuple[Ready, object, object]:
        """What to launch, with what; and what must live for as long as the launch."""
        self._refuse_dead()
        ready, temporary = self.ready, None
        if ready.launcher is None:
            return ready, None, None
        addresses = self._addresses
        if 0 in addresses or ready.workspace_size:
            self._check_run(addresses, workspace_size)
        if self._moved:
            tensors = self._moved_to()
            self._refuse_shared_outputs(tensors)
            if not ready.plan.staged and needs_staging(ready.plan, tensors):
                with fork_lock:
                    ready = make_ready(staged(ready.plan), self.used()[0].device)
                workspace, temporary = ready.allocate(stream)
        packed = ready.launcher.pack(addresses, workspace)  # type: ignore[union-attr]
        if self.repeatable and not ready.workspace_size:
            self._packed = packed
        return ready, packed, temporary

    def used(self) -> tuple[Tensor, ...]:
        """The tensors that are read or written, in C order; those of lists one by one."""
        self._settle()
        return tuple(self._member(argument, member) for argument, member in self._labels())

    def call(self) -> Call:
        """As the rules see it."""
        self._settle()
        named = zip((a.name for a in self.op.arguments), self._arguments, strict=True)
        return Call(self.op, dict(named), settings.current().product)

    def attributes(self) -> dict[str, Any]:
        """What is no tensor, by name."""
        self._settle()
        given = zip(self.op.arguments, self._arguments, strict=True)
        return {a.name: value for a, value in given if isinstance(a, Attr)}

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """What data decided the last run's results are like, by name."""
        if self.op.sized is None:
            return {}
        each = zip(self.op.outputs, self.op.sized(self.call(), self.count), strict=True)
        return {output.name: tuple(shape) for output, shape in each if shape is not None}

    def _moved_to(self) -> list[Tensor]:
        """The used tensors where they are now."""
        return [
            Tensor(tensor.view, address, tensor.device)
            for tensor, address in zip(self.used(), self._addresses, strict=True)
        ]

    def _refuse_shared_outputs(self, tensors: Sequence[Tensor]) -> None:
        """Phase 1 has checked it for the addresses of then."""
        named = zip(self._labels(), tensors, strict=True)
        outputs = [(a.name, tensor) for (a, _), tensor in named if isinstance(a, Out)]
        for (one, first), (other, second) in combinations(outputs, 2):
            if sharing(first, second):
                raise AclnnError(
                    Status.PARAM_INVALID,
                    f"{self.op.c_name}: {one} and {other} share memory; expected outputs apart "
                    "from each other",
                )

    def _check_run(self, addresses: Sequence[int], workspace_size: int) -> None:
        if 0 in addresses:
            for address, tensor, (argument, member) in zip(
                addresses, self.used(), self._labels(), strict=True
            ):
                if not address and tensor.view.numel:
                    raise AclnnError(
                        Status.PARAM_NULLPTR,
                        f"{label(self.op, argument, member)} has a null data address; expected "
                        f"memory for {tensor.view.numel} elements",
                    )
        needed = self.workspace_size
        if workspace_size < needed:
            raise AclnnError(
                Status.PARAM_INVALID,
                f"{self.op.c_name}: the workspace has {workspace_size} bytes; expected {needed}",
            )

    def _refuse_null_workspace(self, size: int) -> None:
        self._refuse_dead()
        raise AclnnError(
            Status.PARAM_NULLPTR, f"{self.op.c_name}: the workspace is null; expected {size} bytes"
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
