"""The bytes that calls read and write: operators, copies, fills, and models of those."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from openaclnn.sanitize.records import RecordedCall, RecordedOperator
from openaclnn.sanitize.world import Operand, Use, World
from openaclnn.sanitize.written import Runs

_SIDES = {0: "hh", 1: "dh", 2: "hd", 3: "dd"}  # by the kind of copy: of dst, of src


def uses(world: World, call: RecordedCall) -> list[Use]:
    """What a call uses."""
    if call.phase == 2:
        executor = world.things.get(call.number_of("executor"))
        if executor is None or (executor.spent and executor.ran is not call):
            return []
        found = [
            Use(o.name, o.view.runs, reads=o.reads, writes=o.writes) for o in executor.operands
        ]
        if executor.needs and call.number_of("workspace"):
            where = Runs(call.number_of("workspace"), executor.needs)
            found.append(Use("workspace", where, reads=False, writes=True))
        return found
    if call.name == "aclmdlRIExecuteAsync":
        return [use for _, used in captured(world, call) for use in used]
    return [
        Use(name, where, reads=name.startswith("src"), writes=not name.startswith("src"))
        for name, where, _ in ranges(call)
    ]


def captured(world: World, call: RecordedCall) -> tuple[tuple[RecordedCall, list[Use]], ...]:
    model = world.things.get(call.number_of("modelRI"))
    return model.captured if model and not model.ended else ()


def ranges(call: RecordedCall) -> Iterator[tuple[str, Runs, str]]:
    """What a copy or a fill reads and writes: name, bytes, side (d, h, or nothing). Of copies, what
    is written comes first."""
    if call.name.startswith("aclrtMemset"):
        yield "devPtr", Runs(call.number_of("devPtr"), call.number_of("count")), ""
    elif call.name.startswith("aclrtMemcpyBatch"):
        sizes = _items(call, "sizes")
        for name in ("dsts", "srcs"):
            for i, (start, size) in enumerate(zip(_items(call, name), sizes, strict=False)):
                yield f"{name}[{i}]", Runs(start, size), ""
    elif call.name.startswith("aclrtMemcpy"):
        sides = _SIDES.get(call.number_of("kind"), "  ")
        for name, pitch, side in (("dst", "dpitch", sides[0]), ("src", "spitch", sides[1])):
            where = Runs(call.number_of(name), call.number_of("count"))
            if "width" in call.arguments:
                rows, width = call.number_of("height"), call.number_of("width")
                where = Runs(where.start, width if rows else 0,
                              ((rows, call.number_of(pitch)),) if rows > 1 else ())  # fmt: skip
            yield name, where, side.strip()


def pairs(call: RecordedCall) -> Iterator[tuple[Runs, Runs, str]]:
    """What a copy writes, what it reads for that, and the name of this."""
    found = list(ranges(call))
    half = len(found) // 2
    for (_, to, _), (name, source, _) in zip(found[:half], found[half:], strict=True):
        yield to, source, name


def is_replacement(call: RecordedCall) -> bool:
    """Whether a call gives a tensor another address."""
    return "Set" in call.name and "TensorAddr" in call.name


def replaced(world: World, call: RecordedCall) -> Iterator[Operand]:
    """The operands of an executor that get another address by this call, with that."""
    executor = world.things.get(call.number_of("executor"))
    if executor is None or executor.made.operator is None:
        return
    place = f"[{call.number_of('relativeIndex')}]" if "Dynamic" in call.name else ""
    name = _argument(executor.made.operator, call) + place
    for operand in executor.operands:
        if operand.name == name:
            view = replace(operand.view, data=call.number_of("addr"))
            yield replace(operand, view=view, since=call.number)


def _argument(op: RecordedOperator, call: RecordedCall) -> str:
    """Which argument's address is replaced: the inputs, the outputs, or all are counted."""
    tensors = [p for p in op.parameters if "aclTensor" in p.c_type]
    if "Input" in call.name:
        tensors = [p for p in tensors if p.c_type.startswith("const") or p.name.endswith("Ref")]
    elif "Output" in call.name:
        tensors = [p for p in tensors if not p.c_type.startswith("const")]
    index = call.number_of("irIndex" if "Dynamic" in call.name else "index")
    return tensors[index].name if index < len(tensors) else ""


def _items(call: RecordedCall, name: str) -> tuple[int, ...]:
    value = call.arguments.get(name)
    return tuple(int(item) for item in value) if isinstance(value, tuple) else ()
