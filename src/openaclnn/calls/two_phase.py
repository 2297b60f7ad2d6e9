"""The two calls of every operator, which return statuses.

Phase 1 checks and plans; equal calls share a plan, so that repeating it costs little. Phase 2 runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from openaclnn.base import settings
from openaclnn.base.bounded import Bounded
from openaclnn.base.floating import plain_arithmetic
from openaclnn.base.fork_lock import fork_lock
from openaclnn.base.records import dataclass
from openaclnn.base.status import AclnnError, OpenaclnnError, Status, remember
from openaclnn.base.tensors import Tensor
from openaclnn.calls import keys
from openaclnn.calls.executor import Check, Executor, Ready, make_ready
from openaclnn.check import verdict
from openaclnn.plan import make_plan, needs_staging, staged
from openaclnn.spec.call import Call
from openaclnn.spec.op import Argument, Attr, Op

_ready: Bounded[tuple[Any, ...], Ready] = Bounded(4096)


@dataclass(eq=False, slots=True)
class _LatestCall:
    """What the latest call that wrote to a tensor can hand to the next."""

    mark: tuple[Any, ...]
    ready: Ready
    addresses: tuple[int, ...]
    packed: object


class PhaseOne:
    """Phase 1 of one operator, raising AclnnError. Arguments stand in C order; None is null."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.mark = keys.reader(op, "serial")  # equal for the very same tensors
        self.key = keys.reader(op, "key")  # equal for tensors of the same views, anywhere
        self.addresses = keys.addresses(op)
        self.used = keys.used(op)
        self.inputs, self.outputs = keys.inputs(op), keys.outputs(op)
        output = op.arguments.index(op.outputs[0])
        # the tensor that is written first, which remembers the latest call
        self.first: Callable[[Sequence[Any]], Tensor] = itemgetter(output)
        if op.outputs[0].many:
            self.first = lambda arguments: arguments[output][0]

    def prepare(self, arguments: Sequence[Any]) -> Executor:
        found = self.recall(arguments)
        if found is not None:
            return found
        with fork_lock:
            return self._prepare_anew(arguments)

    def recall(self, arguments: Sequence[Any]) -> Executor | None:
        """The executor of a call like an earlier one that passed, or None: then checks decide.

        The same tensors as last time, most often a loop's, need not even be looked at.
        """
        try:
            mark = self.mark(*arguments)
            recent = self.first(arguments).recent
            if recent is not None and recent.mark == mark:
                return Executor(self.op, recent.ready, arguments, recent.addresses, recent.packed)
            ready = _ready.get(self.key(*arguments))
        except Exception:
            return None  # no tensor, too few, what cannot be hashed or compared
        if ready is None or ready.launcher is None or self._may_overlap(arguments, ready):
            return None
        addresses = self.addresses(*arguments)
        packed = None
        if 0 not in addresses and not ready.workspace_size:
            packed = ready.launcher.pack(addresses, 0)
        self.first(arguments).recent = _LatestCall(mark, ready, addresses, packed)
        return Executor(self.op, ready, arguments, addresses, packed)

    def _may_overlap(self, arguments: Sequence[Any], ready: Ready) -> bool:
        """Whether an output shares bytes with another tensor in a way that matters. Within one pass
        the same view may be read as it is written."""
        one_pass = ready.plan.elementwise
        if not one_pass and self.op.in_place:
            return True
        inputs, outputs = self.inputs(*arguments), self.outputs(*arguments)
        for number, output in enumerate(outputs):
            if not output.address:
                continue  # it is asked again when there is one
            first, end = output.first, output.end
            for tensor in inputs:
                shares = tensor.first < end and first < tensor.end
                if shares and not (one_pass and _same(tensor, output)):
                    return True
            for other in outputs[:number]:
                if other.first < end and first < other.end:
                    return True
        return False

    @plain_arithmetic()
    def _prepare_anew(self, arguments: Sequence[Any]) -> Executor:
        chosen = settings.current()
        call = Call(self.op, _named(self.op, arguments), chosen.product)
        fault = verdict(call)
        if fault is not None:
            raise fault.error
        key, tensors = self.key(*arguments), self.used(*arguments)
        ready = self._ready(key, call, chosen.level)
        if needs_staging(ready.plan, tensors):
            ready = self._ready((*key, "staged"), call, chosen.level)
        return Executor(self.op, ready, arguments, self.addresses(*arguments))

    def _ready(self, key: tuple[Any, ...], call: Call, level: str) -> Ready:
        ready = _ready.get(key)
        if ready is None:
            plan = make_plan(call, level)
            if key[-1] == "staged":
                plan = staged(plan)
            ready = _ready[key] = make_ready(plan, call.used[0].tensor.device)
        return ready


def _same(a: Tensor, b: Tensor) -> bool:
    """Whether both name the same elements in the same order; views are interned."""
    return a.view is b.view and a.address == b.address


@cache
def phase_one(op: Op) -> PhaseOne:
    """The operator's one object of this kind."""
    return PhaseOne(op)


def prepare(op: Op, arguments: Sequence[Any]) -> Executor:
    """Phase 1, raising AclnnError."""
    return phase_one(op).prepare(arguments)


def _named(op: Op, arguments: Sequence[Any]) -> dict[str, Any]:
    """Arguments by name, each of the kind that its place demands."""
    if len(arguments) != len(op.arguments):
        raise AclnnError(
            Status.PARAM_INVALID,
            f"{op.c_name}: {len(arguments)} arguments came; expected {len(op.arguments)}",
        )
    for argument, value in zip(op.arguments, arguments, strict=True):
        if value is None and not (isinstance(argument, Attr) and not argument.host.pointer):
            continue
        if not _fits(argument, value):
            raise AclnnError(
                Status.PARAM_INVALID,
                f"{op.c_name}: {argument.name} is {value!r}; expected {_kind(argument)}",
            )
    return {a.name: value for a, value in zip(op.arguments, arguments, strict=True)}


def _fits(argument: Argument, value: Any) -> bool:
    if isinstance(argument, Attr):
        return isinstance(value, argument.host.types)
    if argument.many:
        return isinstance(value, tuple) and all(v is None or isinstance(v, Tensor) for v in value)
    return isinstance(value, Tensor)


def _kind(argument: Argument) -> str:
    if isinstance(argument, Attr):
        return argument.host.c_type
    return "a tuple of tensors" if argument.many else "a tensor"


def answer(error: Exception) -> int:
    """The status of an error, its text kept for the thread: the one place where errors become
    numbers. A mistake of ours must not take the caller's process with it."""
    if isinstance(error, AclnnError):
        remember(error.message)
        return int(error.status)
    if isinstance(error, MemoryError):
        remember(f"out of memory: {error}")
        return int(Status.RUNTIME_ERROR)
    ours = not isinstance(error, OpenaclnnError)  # else an operator's file says what is wrong there
    remember(f"internal error: {type(error).__name__}: {error}" if ours else str(error))
    return int(Status.INNER)


def answering(work: Callable[[], Any]) -> tuple[int, Any]:
    """Status and result of some work."""
    try:
        return 0, work()
    except Exception as error:
        return answer(error), None


def get_workspace_size(op: Op, arguments: Sequence[Any]) -> tuple[int, int, Executor | None]:
    """Phase 1: (status, workspace size, executor)."""
    try:
        executor = prepare(op, arguments)
    except Exception as error:
        return answer(error), 0, None
    return 0, executor.workspace_size, executor


def run(
    op: Op, workspace: int, workspace_size: int, executor: Executor | None, stream: int | None
) -> int:
    """Phase 2: a status. A run that is refused has not used the executor up."""
    try:
        if type(executor) is not Executor or executor.op is not op:
            raise _not_its_executor(op, executor)
        executor.run(workspace, workspace_size, stream)
    except Exception as error:
        return answer(error)
    return 0


def _not_its_executor(op: Op, executor: Any) -> AclnnError:
    if executor is None:
        return AclnnError(Status.PARAM_NULLPTR, f"{op.c_name}: the executor is null")
    if not isinstance(executor, Executor):
        return AclnnError(
            Status.PARAM_INVALID, f"{op.c_name}: {executor!r} is no executor of phase 1"
        )
    return AclnnError(
        Status.PARAM_INVALID,
        f"{op.c_name}: the executor belongs to {executor.op.c_name}; expected one of "
        f"{op.c_name}GetWorkspaceSize",
    )


def _of(executor: Executor | None, name: str) -> Executor:
    if not isinstance(executor, Executor):
        if executor is None:
            raise AclnnError(Status.INNER_NULLPTR, f"{name}: the executor is null")
        raise AclnnError(Status.PARAM_INVALID, f"{name}: {executor!r} is no executor")
    return executor


def set_repeatable(executor: Executor | None) -> int:
    """Let an executor run any number of times."""
    name = "aclSetAclOpExecutorRepeatable"
    return answering(lambda: _of(executor, name).make_repeatable())[0]


def destroy(executor: Executor | None) -> int:
    """End an executor, before or after its run."""
    return answering(lambda: _of(executor, "aclDestroyAclOpExecutor").destroy())[0]


def set_address(
    kind: str,
    executor: Executor | None,
    index: int,
    address: int,
    check: Check | None = None,
    member: int | None = None,
) -> tuple[int, int]:
    """Replace the address of a tensor; `kind` ("input", "output", "tensor") says what `index`
    counts, from 0 and in C order, `member` is the place in a list. Gives a status, and the
    argument's position in C order."""
    name = setter(kind, member is not None)
    return answering(
        lambda: _of(executor, name).replace_address(kind, index, address, check, member)
    )


def setter(kind: str, of_list: bool = False) -> str:
    """The C function that replaces addresses of this kind."""
    which = "" if kind == "tensor" else kind.capitalize()
    return f"aclSet{'Dynamic' if of_list else ''}{which}TensorAddr"
