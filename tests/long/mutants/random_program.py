"""Writes random right programs, one call a line: operators, copies and fills in several streams,
with the synchronisation that they need and no more."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from happens import Graph, Use, conflict

from openaclnn.capi.runtime_api.function import function
from openaclnn.sanitize.records import RecordedCall

ELEMENTS = 24  # of a block; tensors have half of them
FLOAT = 4
_HEAD = """\
#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_leaky_relu_backward.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_silu_backward.h"

static float host[64];

int main()
{
    uint64_t size;
    float one = 1;
"""


@dataclass
class _Tensor:
    name: str
    block: int
    low: int
    high: int


@dataclass
class Writer:
    """A program that grows. Blocks have made-up addresses, which are their numbers."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    blocks: dict[int, int] = field(default_factory=dict)  # sizes in bytes
    tensors: list[_Tensor] = field(default_factory=list)
    streams: int = 3
    events: int = 0
    names: int = 0
    calls: int = 0
    graph: Graph = field(default_factory=Graph)

    def name(self, letter: str) -> str:
        self.names += 1
        return f"{letter}{self.names}"

    def call(self, name: str, text: str, uses: list[Use] | None = None, **arguments: int) -> None:
        """Make a call, and what has to come before it."""
        while True:
            made = self._made(name, **arguments)
            found = conflict(self.graph, made, uses or [], self.blocks)
            if found is None:
                break
            self._wait(found.others[-1], made)
        self.calls += 1
        self.graph.add(made, uses or [])
        self.lines.append(f"{name}({text});")

    def _made(self, name: str, **arguments: int) -> RecordedCall:
        first = function("", "void *address", "").parameters
        phase = 2 if name.startswith("aclnn") and not name.endswith("Size") else 0
        values: dict[str, int | float | tuple[int | float, ...]] = dict(arguments)
        return RecordedCall(0, 0, self.calls + 1, 0, (0, 0), name, first, values, phase=phase)

    def _wait(self, other: RecordedCall, made: RecordedCall) -> None:
        stream = other.number_of("stream")
        by_stream = "stream" in made.arguments and not made.name.startswith("aclrtDestroy")
        if by_stream and self.rng.random() < 0.6:
            event = self.name("e")
            self.events += 1
            key = self.events
            self.lines.append(f"aclrtEvent {event};")
            self.call("aclrtCreateEvent", f"&{event}")
            self.call("aclrtRecordEvent", f"{event}, s{stream}", event=key, stream=stream)
            mine = made.number_of("stream")
            self.call("aclrtStreamWaitEvent", f"s{mine}, {event}", event=key, stream=mine)
            self.call("aclrtSynchronizeStream", f"s{mine}", stream=mine) if (
                self.rng.random() < 0.2) else None  # fmt: skip
            self.ended_events.append((event, key))
        elif self.rng.random() < 0.85:
            self.call("aclrtSynchronizeStream", f"s{stream}", stream=stream)
        else:
            self.call("aclrtSynchronizeDevice", "")

    ended_events: list[tuple[str, int]] = field(default_factory=list)

    def stream(self) -> int:
        return self.rng.randrange(self.streams)

    def malloc(self) -> None:
        name = self.name("b")
        number = self.names << 12
        size = ELEMENTS * FLOAT
        self.lines.append(f"void *{name};")
        self.call("aclrtMalloc", f"&{name}, {size}, ACL_MEM_MALLOC_HUGE_FIRST")
        self.blocks[number] = size
        use = [Use("dst", number, number + size, False, True)]
        if self.rng.random() < 0.5:
            self.call("aclrtMemset", f"{name}, {size}, 0, {size}", use)
        else:
            kind = "ACL_MEMCPY_HOST_TO_DEVICE"
            self.call("aclrtMemcpy", f"{name}, {size}, host, {size}, {kind}", use)

    def block(self) -> int:
        return self.rng.choice(list(self.blocks))

    def tensor(self) -> None:
        block = self.block()
        name, count = self.name("t"), ELEMENTS // 2
        offset = self.rng.choice((0, 0, 1, 5, count))
        shape = self.rng.choice(((count,), (3, count // 3), (count // 2, 2)))
        dims = ", ".join(map(str, shape))
        self.lines.append(f"const int64_t {name}_shape[] = {{{dims}}};")
        self.lines.append(f"aclTensor *{name} =")
        view = f"{name}_shape, {len(shape)}, ACL_FLOAT, nullptr, {offset}, ACL_FORMAT_ND"
        self.call("aclCreateTensor", f"{view}, {name}_shape, {len(shape)}, b{block >> 12}")
        low = block + offset * FLOAT
        self.tensors.append(_Tensor(name, block, low, low + count * FLOAT))
        self.shapes[name] = shape

    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def operator(self) -> None:
        """One of some operators, on tensors of one shape."""
        first = self.rng.choice(self.tensors)
        alike = [t for t in self.tensors if self.shapes[t.name] == self.shapes[first.name]]
        x, y, out = (self.rng.choice(alike) for _ in range(3))
        op = self.rng.choice(
            ("SiluBackward", "LeakyReluBackward", "Relu", "InplaceRelu", "Add", "Cat")
        )
        reads = {"Relu": [x], "InplaceRelu": [out]}.get(op, [x, y])
        scalar = members = ""
        if op in ("LeakyReluBackward", "Add"):
            scalar = self.name("c")
            self.lines.append(f"aclScalar *{scalar} =")
            self.call("aclCreateScalar", "&one, ACL_FLOAT")
        if op == "Cat":
            whole = [t for t in self.tensors if self.shapes[t.name] == (ELEMENTS // 2,)]
            if not whole:
                return
            reads = [self.rng.choice(whole)]
            out = self.rng.choice(whole)
            if out.block == reads[0].block:
                return
            members = self._list(reads[0])
        arguments = {
            "SiluBackward": f"{x.name}, {y.name}, {out.name}",
            "LeakyReluBackward": f"{x.name}, {y.name}, {scalar}, false, {out.name}",
            "Relu": f"{x.name}, {out.name}", "InplaceRelu": out.name,
            "Add": f"{x.name}, {y.name}, {scalar}, {out.name}",
            "Cat": f"{members}, 0, {out.name}",
        }[op]  # fmt: skip
        shifted = [t for t in reads if t.block == out.block and t.low != out.low
                   and t.low < out.high and out.low < t.high]  # fmt: skip
        self._run(op, arguments, reads, out, bool(shifted))
        if scalar:
            self.call("aclDestroyScalar", scalar)
        if members:
            self.call("aclDestroyTensorList", members)

    def _list(self, source: _Tensor) -> str:
        """A list of a tensor of its own, like another one."""
        member, made = self.name("m"), self.name("l")
        dims = f"{source.name}_shape, 1"
        at = (source.low - source.block) // FLOAT
        self.lines.append(f"aclTensor *{member} =")
        self.call("aclCreateTensor", f"{dims}, ACL_FLOAT, nullptr, {at}, ACL_FORMAT_ND, {dims}, "
                  f"b{source.block >> 12}")  # fmt: skip
        self.lines.append(f"aclTensorList *{made} =")
        self.call("aclCreateTensorList", f"&{member}, 1")
        return made

    def _run(
        self, op: str, arguments: str, reads: list[_Tensor], out: _Tensor, space: bool
    ) -> None:
        executor, stream = self.name("x"), self.stream()
        self.lines.append(f"aclOpExecutor *{executor};")
        self.call(f"aclnn{op}GetWorkspaceSize", f"{arguments}, &size, &{executor}")
        uses = [Use("in", t.low, t.high, True, False) for t in reads]
        uses.append(Use("out", out.low, out.high, False, True))
        workspace = "nullptr, 0"
        number = 0
        if space:
            name = self.name("b")
            number = self.names << 12
            self.lines.append(f"void *{name};")
            self.call("aclrtMalloc", f"&{name}, size, ACL_MEM_MALLOC_HUGE_FIRST")
            self.blocks[number] = ELEMENTS * FLOAT
            uses.append(Use("workspace", number, number + (ELEMENTS // 2) * FLOAT, False, True))
            workspace = f"{name}, size"
        again = self.rng.random() < 0.25
        if again:
            self.call("aclSetAclOpExecutorRepeatable", executor)
        for _ in range(1 + again):
            self.call(f"aclnn{op}", f"{workspace}, {executor}, s{stream}", uses, stream=stream)
        if number:
            self.call("aclrtFree", workspace.split(",")[0], address=number)
            del self.blocks[number]
        if again:
            self.call("aclrtSynchronizeStream", f"s{stream}", stream=stream)
            self.call("aclDestroyAclOpExecutor", executor)

    def copy(self) -> None:
        source, to, size = self.block(), self.block(), self.rng.choice((8, 40, 96))
        read = Use("src", source, source + size, True, False)
        written = Use("dst", to, to + size, False, True)
        stream, later = self.stream(), self.rng.random() < 0.5
        name = "aclrtMemcpyAsync" if later else "aclrtMemcpy"
        end = f", s{stream}" if later else ""
        where = {"stream": stream} if later else {}
        way = self.rng.choice(("HOST_TO_DEVICE", "DEVICE_TO_HOST", "DEVICE_TO_DEVICE"))
        if way == "DEVICE_TO_DEVICE" and source == to:
            return
        to_name = "host" if way == "DEVICE_TO_HOST" else f"b{to >> 12}"
        source_name = "host" if way == "HOST_TO_DEVICE" else f"b{source >> 12}"
        uses = {"HOST_TO_DEVICE": [written], "DEVICE_TO_HOST": [read],
                "DEVICE_TO_DEVICE": [written, read]}[way]  # fmt: skip
        text = f"{to_name}, {size}, {source_name}, {size}, ACL_MEMCPY_{way}{end}"
        self.call(name, text, uses, **where)

    def fill(self) -> None:
        to, stream, later = self.block(), self.stream(), self.rng.random() < 0.5
        uses = [Use("devPtr", to, to + 32, False, True)]
        text = f"b{to >> 12}, {ELEMENTS * FLOAT}, 1, 32"
        if later:
            self.call("aclrtMemsetAsync", f"{text}, s{stream}", uses, stream=stream)
        else:
            self.call("aclrtMemset", text, uses)

    def end(self) -> None:
        """End a tensor, or a block that no tensor needs."""
        needed = {tensor.block for tensor in self.tensors}
        unneeded = [block for block in self.blocks if block not in needed]
        if unneeded and len(self.blocks) > 3:
            block = self.rng.choice(unneeded)
            self.call("aclrtFree", f"b{block >> 12}", address=block)
            del self.blocks[block]
        elif len(self.tensors) > 4:
            tensor = self.tensors.pop(self.rng.randrange(len(self.tensors)))
            self.call("aclDestroyTensor", tensor.name)


def program(rng: random.Random, steps: int) -> str:
    """The text of a program."""
    writer = Writer(rng)
    writer.call("aclInit", "nullptr")
    writer.call("aclrtSetDevice", "0")
    for stream in range(writer.streams):
        writer.lines.append(f"aclrtStream s{stream};")
        writer.call("aclrtCreateStream", f"&s{stream}")
    for _ in range(3):
        writer.malloc()
    for _ in range(5):
        writer.tensor()
    actions = [writer.operator] * 5 + [writer.copy] * 3 + [writer.fill] * 2
    actions += [writer.tensor, writer.malloc, writer.end, writer.end]
    for _ in range(steps):
        rng.choice(actions)()
    for tensor in writer.tensors:
        writer.call("aclDestroyTensor", tensor.name)
    for block in list(writer.blocks):
        writer.call("aclrtFree", f"b{block >> 12}", address=block)
        del writer.blocks[block]
    for stream in range(writer.streams):
        writer.call("aclrtDestroyStream", f"s{stream}", stream=stream)
    for event, key in writer.ended_events:
        writer.call("aclrtDestroyEvent", event, event=key)
    writer.call("aclrtResetDevice", "0")
    writer.call("aclFinalize", "")
    return _HEAD + "\n".join(f"    {line}" for line in writer.lines) + "\n}\n"


if __name__ == "__main__":
    import sys

    print(program(random.Random(int(sys.argv[1])), int(sys.argv[2])))
