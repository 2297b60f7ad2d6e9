"""The tool *objects*: handles have the right type, are used while they exist, and are destroyed
once; executors run once, by their own operator, with the workspace that they need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from openaclnn.sanitize.findings import Finding
from openaclnn.sanitize.records import RecordedCall
from openaclnn.sanitize.uses import is_replacement, replaced
from openaclnn.sanitize.world import Thing, World, handle_type

_MADE_AND_STORED = {
    "aclrtCreateStream": "aclrtStream", "aclrtCreateStreamWithConfig": "aclrtStream",
    "aclrtCreateEvent": "aclrtEvent", "aclrtCreateEventWithFlag": "aclrtEvent",
    "aclrtCreateEventExWithFlag": "aclrtEvent", "aclrtMallocPhysical": "aclrtDrvMemHandle",
}  # fmt: skip
_EXECUTOR, _LISTS = "aclOpExecutor", ("aclTensorList", "aclScalarList")
_PHYSICAL = "aclrtDrvMemHandle"  # memory, behind a handle
_DESTROYERS = {
    _EXECUTOR: "aclDestroyAclOpExecutor", "aclmdlRI": "aclmdlRIDestroy",
    _PHYSICAL: "aclrtFreePhysical",
}  # fmt: skip
_ALIGNMENT = 32  # of workspaces: what the smallest allocation of the runtime has


_handles: dict[str, list[tuple[str, str]]] = {}  # that a function takes: names, types


def _taken(call: RecordedCall) -> list[tuple[str, str]]:
    found = [(p.name, handle_type(p.c_type)) for p in call.parameters
             if not p.out and p.c_type.count("*") < 2]  # fmt: skip
    return [(name, wanted) for name, wanted in found if wanted]


def _ends(call: RecordedCall) -> bool:
    return call.name.startswith(("aclDestroy", "aclrtDestroy")) or call.name in (
        "aclmdlRIDestroy", "aclrtFreePhysical",
    )  # fmt: skip


def began(world: World, call: RecordedCall) -> Iterator[Finding]:
    """Look at a call's handles before it is made."""
    if call.name not in _handles:
        _handles[call.name] = _taken(call)
    for name, wanted in _handles[call.name]:
        handle = call.number_of(name)
        if handle:
            yield from _handle(world, call, name, wanted, handle)
    if call.name in ("aclCreateTensorList", "aclCreateScalarList"):
        wanted = call.name.removeprefix("aclCreate").removesuffix("List")
        for i, member in enumerate(_members(call)):
            if member:
                yield from _handle(world, call, f"value[{i}]", f"acl{wanted}", member)
    if call.phase == 2:
        yield from _workspace(world, call)
    if _ends(call):
        yield from _end(world, call)


def done(world: World, call: RecordedCall) -> None:
    """Keep what a call has made, and what it has not ended after all."""
    made = handle_type(call.returns)
    if made and call.result:
        thing = Thing(made, call, members=_members(call) if made in _LISTS else ())
        if made == "aclTensor":
            thing.view = world.view(call)
            world.use(thing.view.data)
        for member in thing.members:
            if member in world.things:
                world.things[member].owner = call
        world.things[call.result] = thing
    elif call.result:
        _undo(world, call)
    elif _ends(call):
        handle = call.number_of(call.parameters[0].name)
        ended = world.things.get(handle)
        if ended and ended.ended is call:
            for each in (handle, *ended.members):
                world.retire(each)
    elif call.name in _MADE_AND_STORED:
        (made_and_stored,) = call.outs.values()
        world.things[made_and_stored] = Thing(_MADE_AND_STORED[call.name], call)
    elif call.phase == 1:
        _keep_executor(world, call)
    elif call.phase == 2 or call.name == "aclSetAclOpExecutorRepeatable":
        executor = world.things.get(call.number_of("executor"))
        if executor:
            executor.ran = call if call.phase else executor.ran
            executor.repeatable |= not call.phase
            if call.phase and not executor.repeatable:
                world.retire(call.number_of("executor"))
    elif call.name == "aclInitTensor" or is_replacement(call):
        _move(world, call)


def left(world: World) -> Iterator[Finding]:
    """Objects that nobody ended, those from one place together."""
    places: dict[tuple[object, ...], list[Thing]] = {}
    for thing in world.things.values():
        ended_by_run = thing.type == _EXECUTOR and thing.ran and not thing.repeatable
        if not (thing.ended or thing.inherited or thing.owner or ended_by_run):
            places.setdefault((thing.type, thing.made.name, thing.made.stack), []).append(thing)
    for things in places.values():
        first, count = things[0], len(things)
        if first.type == _EXECUTOR and not first.ran:
            yield Finding("executor-never-run", first.made,
                          f"{count} of {_operator(first)} made and never run",
                          "run what phase 1 has made, or end it with aclDestroyAclOpExecutor",
                          count=count)  # fmt: skip
        elif first.type == _PHYSICAL:
            total = sum(thing.made.number_of("size") for thing in things)
            yield Finding("leak", first.made, f"{total} bytes of physical memory never freed",
                          f"call {destroyer(_PHYSICAL)} before the program ends",
                          count=count)  # fmt: skip
        else:
            yield Finding("object-leak", first.made, f"{count} {first.type} never destroyed",
                          f"call {destroyer(first.type)} before the program ends",
                          count=count)  # fmt: skip


def _operator(executor: Thing) -> str:
    assert executor.made.operator is not None
    return executor.made.operator.name


def destroyer(kind: str) -> str:
    if kind in _DESTROYERS:
        return _DESTROYERS[kind]
    return kind.replace("aclrt", "aclrtDestroy", 1) if kind.startswith("aclrt") else kind.replace(
        "acl", "aclDestroy", 1)  # fmt: skip


def _members(call: RecordedCall) -> tuple[int, ...]:
    value = call.arguments.get("value")
    return tuple(int(item) for item in value) if isinstance(value, tuple) else ()


def _handle(
    world: World, call: RecordedCall, name: str, wanted: str, handle: int
) -> Iterator[Finding]:
    """Whether a handle lives and is of the type that is wanted."""
    thing = world.things.get(handle)
    if thing is None:
        yield Finding("wrong-handle", call, f"{name}: {handle:#x} is no {wanted}",
                      "give a handle that the library has made")  # fmt: skip
    elif thing.type != wanted:
        yield Finding("wrong-handle", call, f"{name} is no {wanted} but an {thing.type}",
                      f"give an {wanted}", (("created by", thing.made),))  # fmt: skip
    elif thing.ended and wanted == _PHYSICAL and _ends(call):
        yield Finding("double-free", call, "the physical memory was freed already", "free it once",
                      (("freed before by", thing.ended), ("allocated by", thing.made)),
                      )  # fmt: skip
    elif thing.ended and _ends(call):
        with_list = " with the list that owns it" if "List" in thing.ended.name else ""
        yield Finding("double-destroy", call, f"{name} was destroyed already{with_list}",
                      "destroy it once; a list destroys its members",
                      (("destroyed before by", thing.ended), ("created by", thing.made)),
                      )  # fmt: skip
    elif thing.ended:
        yield Finding("use-after-destroy", call, f"{name} is an {wanted} that was destroyed",
                      "destroy it when nothing uses it any more",
                      (("destroyed by", thing.ended), ("created by", thing.made)))  # fmt: skip
    elif thing.type == _EXECUTOR:
        yield from _executor(call, thing)


def _executor(call: RecordedCall, executor: Thing) -> Iterator[Finding]:
    made = (("created by", executor.made),)
    if call.phase != 2:
        return
    assert call.operator is not None
    if call.operator.name != _operator(executor):
        yield Finding("executor-mismatch", call,
                      f"the executor is of {_operator(executor)}, not of {call.operator.name}",
                      "give an executor to the operator that made it", made)  # fmt: skip
    elif executor.ran and not executor.repeatable:
        yield Finding("executor-reused", call, "the executor has run already",
                      f"call {call.name}GetWorkspaceSize again, or aclSetAclOpExecutorRepeatable "
                      "before it runs", (("run before by", executor.ran), *made))  # fmt: skip


def _workspace(world: World, call: RecordedCall) -> Iterator[Finding]:
    executor = world.things.get(call.number_of("executor"))
    if executor is None or not executor.needs:
        return
    made = (("created by", executor.made),)
    address, advice = call.number_of("workspace"), "allocate as many bytes as phase 1 says"
    if not address:
        yield Finding("workspace-null", call, f"workspace is null; expected {executor.needs} bytes",
                      advice, made)  # fmt: skip
    elif call.number_of("workspaceSize") < executor.needs:
        yield Finding("workspace-too-small", call,
                      f"workspaceSize is {call.number_of('workspaceSize')}; expected at least "
                      f"{executor.needs}", advice, made)  # fmt: skip
    elif address % _ALIGNMENT:
        yield Finding("workspace-misaligned", call,
                      f"workspace lies at {address:#x}; expected a multiple of {_ALIGNMENT}",
                      "give an address that aclrtMalloc gave", made)  # fmt: skip


def _end(world: World, call: RecordedCall) -> Iterator[Finding]:
    thing = world.things.get(call.number_of(call.parameters[0].name))
    if thing is None or thing.ended or thing.type != handle_type(call.parameters[0].c_type):
        return
    thing.ended = call
    for i, handle in enumerate(thing.members):
        member = world.things.get(handle)
        if member and member.ended:
            yield Finding("double-destroy", call, f"member {i} of the list was destroyed already",
                          "a list destroys its members: do not destroy them",
                          (("destroyed before by", member.ended), ("created by", member.made)),
                          )  # fmt: skip
        elif member:
            member.ended = call


def _undo(world: World, call: RecordedCall) -> None:
    """A call that failed has ended nothing, but for a list some member of which was dead."""
    thing = world.things.get(call.number_of(call.parameters[0].name)) if _ends(call) else None
    if thing and thing.ended is call and thing.type not in _LISTS:
        thing.ended = None


def _keep_executor(world: World, call: RecordedCall) -> None:
    world.things[call.outs["executor"]] = Thing(
        _EXECUTOR, call, needs=call.outs["workspaceSize"], operands=world.operands(call)
    )


def _move(world: World, call: RecordedCall) -> None:
    """A tensor lies elsewhere, for an executor too that was told so."""
    address = call.number_of("addr")
    world.use(address)
    tensor = world.things.get(call.number_of("tensor"))
    if "Dynamic" in call.name:
        members = world.members(call.number_of("tensors"))
        at = call.number_of("relativeIndex")
        tensor = members[at] if at < len(members) else None
    if tensor and tensor.view:
        tensor.view = (
            world.view(call) if call.name == "aclInitTensor" else replace(tensor.view, data=address)
        )
    executor = world.things.get(call.number_of("executor"))
    if executor:
        moved = {operand.name: operand for operand in replaced(world, call)}
        executor.operands = tuple(moved.get(o.name, o) for o in executor.operands)
