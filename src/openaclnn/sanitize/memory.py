"""The tool *memory*: every address that is freed, read or written belongs to an allocation that
exists."""

from __future__ import annotations

from collections.abc import Iterator

from openaclnn.sanitize.findings import Finding
from openaclnn.sanitize.records import Damaged, RecordedCall
from openaclnn.sanitize.uses import captured, is_replacement, pairs, ranges, replaced, uses
from openaclnn.sanitize.world import Allocation, Capture, Operand, RecordedView, Thing, World
from openaclnn.sanitize.written import Runs

_ALLOCATED = {"aclrtMalloc": False, "aclrtMallocAlign32": False, "aclrtMallocHost": True}
_FREED = {"aclrtFree": False, "aclrtFreeHost": True}
_REGISTERED = ("aclrtHostRegister", "aclrtHostRegisterV2")
_ENDED = (*_FREED, "aclrtHostUnregister", "aclrtUnmapMem")
_NAMES = {False: "aclrtMalloc", True: "aclrtMallocHost"}
_FREES = {False: "aclrtFree", True: "aclrtFreeHost"}


def began(world: World, call: RecordedCall) -> Iterator[Finding]:
    """Look at a call before it is made."""
    if call.name in _ENDED:
        yield from _freed(world, call)
    elif call.phase == 1:
        yield from _arguments(world, call)
    elif call.phase == 2:
        yield from _run(world, call)
    elif call.name == "aclmdlRIExecuteAsync":
        yield from _executed(world, call)
    elif is_replacement(call):
        for operand in replaced(world, call):
            yield from _tensor(world, call, operand.name, operand.view)
    else:
        for name, where, side in ranges(call):
            yield from _checked(world, call, name, where.start, where.end - where.start, side)
        if call.name.startswith(("aclrtMemcpy", "aclrtMemset")):
            yield from _room(call)
        yield from _copied(world, call)


def done(world: World, call: RecordedCall) -> None:
    """Keep what a call has made, and what it has not ended after all."""
    if call.name in _ENDED:
        block = world.blocks.get(call.number_of(call.parameters[0].name))
        if block and block.freed is call and call.result:
            block.freed = None
        elif block and block.freed is call and block.device_too:
            world.forget(block)  # it is the program's own again
        elif block and block.freed is call:
            world.rest(block)
    elif call.result:
        return
    elif call.name == "aclmdlRICaptureBegin":
        world.captures.append(Capture({call.number_of("stream")}))
    elif world.capture(call):
        _kept(world, call)
    elif call.phase == 2:
        for use in uses(world, call):
            _write(world, use.where if use.writes else None)
    elif call.name.startswith(("aclrtMemcpy", "aclrtMemset")):
        _moved(world, call)
    elif call.name in _ALLOCATED:
        (start,) = call.outs.values()
        world.add(start, call.number_of("size"), call, host=_ALLOCATED[call.name])
    elif call.name in _REGISTERED:
        world.add(call.number_of("ptr"), call.number_of("size"), call, host=True, own=False,
                  device_too=True)  # fmt: skip
    elif call.name == "aclrtReleaseMemAddress":
        world.release(call.number_of("virPtr"))
    elif call.name == "aclrtReserveMemAddress":
        world.reserved[call.outs["virPtr"]] = call.number_of("size")
    elif call.name == "aclrtMapMem":
        world.add(call.number_of("virPtr"), call.number_of("size"), call, host=False, own=False,
                  mapped=True)  # fmt: skip


def damaged(world: World, event: Damaged) -> Iterator[Finding]:
    """Bytes beside a block were written over, by somebody who is not seen."""
    block = world.blocks.get(event.block)
    if block:
        before, behind = block.start - event.place, event.place - block.end + 1
        where = f"{before} before its first" if before > 0 else f"{behind} behind its last"
        yield Finding("out-of-bounds", event.call or block.made,
                      f"{block}: somebody has written beside it, first {where} byte",
                      "look for loops that are too long, in code that uses its address",
                      (("allocated by", block.made),) if event.call else ())  # fmt: skip


def left(world: World) -> Iterator[Finding]:
    """The leaks: blocks that nobody freed, those from one place together. Physical memory that was
    freed stays for as long as it is mapped; what was not freed is told as such."""
    places: dict[tuple[object, ...], list[Allocation]] = {}
    for block in world.blocks.values():
        physical = world.things.get(block.made.number_of("handle")) if block.mapped else None
        stays = block.own or (physical is not None and physical.ended is not None)
        if stays and not block.freed and not block.inherited:
            places.setdefault((block.made.name, block.made.stack), []).append(block)
    for blocks in places.values():
        first, total = blocks[0], sum(block.size for block in blocks)
        free = "aclrtUnmapMem" if first.mapped else _FREES[first.host]
        number = f"{len(blocks)} block{'' if len(blocks) == 1 else 's'}"
        yield Finding("leak", first.made, f"{total} bytes in {number} never freed",
                      f"call {free} before the program ends", count=len(blocks))  # fmt: skip


def _freed(world: World, call: RecordedCall) -> Iterator[Finding]:
    address = call.number_of(call.parameters[0].name)
    if call.name not in _FREED:  # what does not begin there is not registered or mapped
        begins = world.blocks.get(address)
        if begins and not begins.freed:
            begins.freed = call
        return
    block = world.block_at(address)
    if not address:
        return
    if block is None:
        yield Finding("invalid-free", call, "the address was never allocated",
                      f"free only what {_NAMES[_FREED[call.name]]} gave")  # fmt: skip
    elif block.freed:
        yield Finding("double-free", call, f"{block} was freed already", "free it once",
                      (("freed before by", block.freed), ("allocated by", block.made)))  # fmt: skip
    elif block.start != address or not block.own:
        ended = "free the address that the allocation gave" if block.own else (
            "aclrtUnmapMem or aclrtHostUnregister ends it")  # fmt: skip
        yield Finding("invalid-free", call,
                      f"the address lies {address - block.start} bytes into {block}", ended,
                      (("allocated by", block.made),))  # fmt: skip
    elif block.host != _FREED[call.name]:
        yield Finding("wrong-side", call, f"{block} is {_side(block)} memory",
                      f"free it with {_FREES[block.host]}",
                      (("allocated by", block.made),))  # fmt: skip
    else:
        block.freed = call
        if not (block.used or block.host or block.inherited):
            yield Finding("memory-unused", block.made, f"{block} is freed, and nothing has used it",
                          "do not allocate it", (("freed by", call),))  # fmt: skip


def _arguments(world: World, call: RecordedCall) -> Iterator[Finding]:
    """The tensors of an operator's first phase."""
    assert call.operator is not None
    for parameter, used in zip(call.operator.parameters, call.operator.used, strict=True):
        if used and "aclTensor" in parameter.c_type:
            for place, view in world.tensors(call.number_of(parameter.name)):
                yield from _tensor(world, call, parameter.name + place, view)


def _tensor(world: World, call: RecordedCall, name: str, view: RecordedView) -> Iterator[Finding]:
    low, high = view.extent
    if low == high or not view.data:
        return
    block = world.block_at(view.data)
    if block and not block.freed and _reaches_beyond(block, view):
        yield Finding("out-of-bounds", call,
                      f"{name}: {world.placed(view)}, reaches from byte "
                      f"{low - block.start} to {high - block.start}",
                      "allocate as many bytes as the view reaches, or mend shape, strides, offset",
                      (("allocated by", block.made),))  # fmt: skip
        return
    yield from _checked(world, call, f"{name}: {view}", view.data, 1, "d")


def _operands(world: World, call: RecordedCall) -> tuple[Operand, ...]:
    executor = world.things.get(call.number_of("executor"))
    return executor.operands if executor else ()


def _run(world: World, call: RecordedCall) -> Iterator[Finding]:
    """What was freed between the phases or lies elsewhere now, what nobody wrote, and the
    workspace."""
    for operand in _operands(world, call):
        view, block = operand.view, world.block_at(operand.view.data)
        if block and block.freed and block.freed.number > operand.since:
            yield from _checked(world, call, f"{operand.name}: {view}", view.data, 1, "d")
        elif block and block.made.number > operand.since and view.runs.run:
            yield Finding("use-after-free", call,
                          f"{operand.name}: {view}: its memory was freed, and given out again",
                          "call phase 1 again, with a tensor of the new memory",
                          (("allocated again by", block.made),))  # fmt: skip
        elif block and not block.freed and _reaches_beyond(block, view):
            yield from _beyond(world, call, operand, block)
        elif operand.reads and not world.capture(call):
            yield from _unwritten(world, call, f"{operand.name}: {view}", view.runs,
                                  "uninitialised-read")  # fmt: skip
    size = call.number_of("workspaceSize")
    if call.number_of("workspace") and size:
        yield from _checked(world, call, "workspace", call.number_of("workspace"), size, "d")


def _reaches_beyond(block: Allocation, view: RecordedView) -> bool:
    low, high = view.extent
    return low != high and (low < block.start or high > block.end)


def _beyond(
    world: World, call: RecordedCall, operand: Operand, block: Allocation
) -> Iterator[Finding]:
    """A tensor reached no farther than its memory in phase 1, and does now: part was unmapped."""
    low, high = operand.view.extent
    beside = world.block_at(block.end) or world.block_at(block.start - 1)
    where = f"{operand.name}: {world.placed(operand.view)}"
    if beside and beside.freed and beside.mapped and beside.freed.number > operand.since:
        yield Finding("use-after-free", call, f"{where}: part of its memory was unmapped",
                      "unmap it when nothing uses it any more",
                      (("unmapped by", beside.freed), ("mapped by", beside.made)))  # fmt: skip
    else:
        yield Finding("out-of-bounds", call,
                      f"{where}, reaches from byte {low - block.start} to {high - block.start}",
                      "give an address with as many bytes as the tensor reaches",
                      (("allocated by", block.made),))  # fmt: skip


def _kept(world: World, call: RecordedCall) -> None:
    """A call becomes part of a capture, or ends it."""
    capture = world.capture(call)
    assert capture is not None
    if call.name == "aclmdlRICaptureEnd":
        world.captures.remove(capture)
        world.things[call.outs["modelRI"]] = Thing("aclmdlRI", call, captured=tuple(capture.work))
    elif call.name == "aclrtRecordEvent":
        capture.events.add(call.number_of("event"))
    elif call.name == "aclrtStreamWaitEvent":
        capture.streams.add(call.number_of("stream"))
    else:
        capture.work.append((call, uses(world, call)))


def _executed(world: World, call: RecordedCall) -> Iterator[Finding]:
    """What a model does, one after the other."""
    for kept, used in captured(world, call):
        for use in used:
            block = world.block_at(use.where.start) if use.where.run else None
            name = f"{use.name} of {kept.name}"
            if block and (block.freed or block.made.number > kept.number):
                yield Finding("use-after-free", call, f"{name}: its memory was freed since",
                              "free it when no model needs it any more",
                              (("captured in", kept), ("freed by", block.freed) if block.freed
                               else ("allocated again by", block.made)))  # fmt: skip
            elif use.reads:
                yield from _unwritten(world, call, name, use.where, "uninitialised-read")
        for use in used:
            _write(world, use.where if use.writes else None)


def _unwritten(
    world: World, call: RecordedCall, name: str, where: Runs, kind: str
) -> Iterator[Finding]:
    block = world.block_at(where.start) if where.run else None
    missing = block.written.first_missing(where) if block and not block.freed else None
    if block is None or missing is None:
        return
    verb = "reads" if kind == "uninitialised-read" else "copies to the host"
    yield Finding(kind, call,
                  f"{name}, {where.start - block.start} bytes into {block}: nobody wrote byte "
                  f"{missing - block.start} of it, which the call {verb}",
                  "copy or fill it first", (("allocated by", block.made),))  # fmt: skip
    block.written.add(where)  # said once


def _copied(world: World, call: RecordedCall) -> Iterator[Finding]:
    """A copy to the host of what nobody wrote."""
    if not call.name.startswith("aclrtMemcpy") or world.capture(call):
        return
    found = list(pairs(call))
    written = {to.start for to, _, _ in found}  # a batch may read what it has written
    for to, source, name in found:
        target = world.block_at(to.start)
        if (target is None or target.host) and source.start not in written:
            yield from _unwritten(world, call, name, source, "uninitialised-copy")


def _moved(world: World, call: RecordedCall) -> None:
    """What a copy or a fill has written."""
    if call.name.startswith("aclrtMemset"):
        _write(world, next(ranges(call))[1])
        return
    for to, source, _ in pairs(call):
        target, origin = world.block_at(to.start), world.block_at(source.start)
        if target and origin and to.dims == source.dims:
            target.written.copy(to, origin.written, source.start)
        else:
            _write(world, to)


def _write(world: World, where: Runs | None) -> None:
    block = world.block_at(where.start) if where and where.run else None
    if block and where:
        block.written.add(where)


def _room(call: RecordedCall) -> Iterator[Finding]:
    room = "destMax" if "destMax" in call.arguments else "maxCount"
    if room in call.arguments and "count" in call.arguments:
        count, most = call.number_of("count"), call.number_of(room)
        if count > most:
            yield Finding("out-of-bounds", call, f"count is {count} and {room} only {most}",
                          f"let {room} be the bytes that are there")  # fmt: skip


def _checked(
    world: World, call: RecordedCall, name: str, start: int, size: int, side: str
) -> Iterator[Finding]:
    """Whether bytes lie in one living block, on the side that is meant."""
    if not start or not size:
        return
    block = world.block_at(start)
    if block:
        block.used = True
    if block is None:
        if side == "d":
            yield Finding("wrong-side", call,
                          f"{name}: {start:#x} is no device memory: aclrtMalloc did not give it",
                          "give an address of the device, or another kind of copy"
                          if "kind" in call.arguments else "copy it to the device first",
                          )  # fmt: skip
        return
    where = f"{name}, {start - block.start} bytes into {block}"
    allocated = ("allocated by", block.made)
    if block.freed:
        yield Finding("use-after-free", call, f"{where}, which was freed",
                      "free it when nothing uses it any more",
                      (("freed by", block.freed), allocated))  # fmt: skip
    elif start + size > block.end:
        yield Finding("out-of-bounds", call,
                      f"{where}: {size} bytes are {start + size - block.end} more than are left",
                      "allocate more, or use less", (allocated,))  # fmt: skip
    elif (side == "d" and block.host and not block.device_too) or (side == "h" and not block.host):
        meant = "device" if side == "d" else "host"
        yield Finding("wrong-side", call, f"{where}: that is {_side(block)} memory, and {meant} "
                      "memory is meant", "choose the kind of copy that fits, or the other memory",
                      (allocated,))  # fmt: skip


def _side(block: Allocation) -> str:
    return "host" if block.host else "device"
