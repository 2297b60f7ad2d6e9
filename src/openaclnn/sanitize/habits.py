"""The tool *habits*: calls that are legal and probably a mistake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from openaclnn.base.records import dataclass
from openaclnn.sanitize import order
from openaclnn.sanitize.findings import Finding
from openaclnn.sanitize.records import RecordedCall
from openaclnn.sanitize.world import World, handle_type

_OFTEN = 16  # equal first phases that are worth a word
_DIFFERENT = 1 << 14  # first phases to compare
_FAILED = 64  # failed writes to remember


@dataclass
class Habits:
    """What is remembered of one process."""

    refused: dict[tuple[int, str], RecordedCall] = field(
        default_factory=dict
    )  # by thread and operator
    failed: list[tuple[int, int, RecordedCall]] = field(
        default_factory=list
    )  # bytes that were to be there
    equal: dict[tuple[object, ...], tuple[RecordedCall, int]] = field(default_factory=dict)

    def began(self, world: World, call: RecordedCall) -> Iterator[Finding]:
        """Look at a call before it is made."""
        if call.phase == 2:
            refused = self.refused.get((call.thread, call.name))
            executor = world.things.get(call.number_of("executor"))
            if refused and (executor is None or executor.ended or executor.ran):
                yield Finding("error-ignored", call,
                              f"phase 1 has answered {refused.result} and made no executor",
                              "look at what phase 1 answers first", (("refused by", refused),),
                              )  # fmt: skip
        used = list(order.accesses(world, call)) if self.failed else []
        own = [(low, high) for _, low, high, _, writes in used if writes]  # it may be tried again
        for name, low, high, reads, _ in used:
            for start, end, failed in self.failed if reads else ():
                again = any(first <= start and last >= end for first, last in own)
                if start < high and low < end and not again:
                    yield Finding("error-ignored", call,
                                  f"{name}: {failed.name} was to write it, and has answered "
                                  f"{failed.result}", "look at what a call answers before its "
                                  "result is used", (("failed in", failed),))  # fmt: skip
                    self.failed = [row for row in self.failed if row[2] is not failed]
                    break

    def done(self, world: World, call: RecordedCall) -> None:
        """A call has come back."""
        if call.phase == 1:
            self._made(world, call)
            return
        if call.name.startswith("aclrtMalloc") and self.failed and not call.result:
            start = next(iter(call.outs.values()))  # what was to be there before is gone
            self._forget(start, start + call.number_of("size"))
        for _, low, high, _, writes in order.accesses(world, call):
            if writes and call.result:
                self.failed = [*self.failed, (low, high, call)][-_FAILED:]
            elif writes and self.failed:
                self._forget(low, high)

    def left(self) -> Iterator[Finding]:
        """What was done too often."""
        for first, count in self.equal.values():
            if count >= _OFTEN:
                yield Finding("phase-1-repeated", first,
                              f"{count} calls have the same tensors and attributes",
                              "call it once, then aclSetAclOpExecutorRepeatable, and phase 2 as "
                              "often as needed")  # fmt: skip

    def _forget(self, low: int, high: int) -> None:
        """These bytes are not what they were."""
        self.failed = [row for row in self.failed if row[1] <= low or row[0] >= high]

    def _made(self, world: World, call: RecordedCall) -> None:
        assert call.operator is not None
        if call.result:
            self.refused[call.thread, call.operator.name] = call
            return
        self.refused.pop((call.thread, call.operator.name), None)
        key: list[object] = [call.stack, call.operator.name]
        for parameter in call.operator.parameters:
            value: object = call.arguments.get(parameter.name)
            if handle_type(parameter.c_type) and isinstance(value, int):
                views, thing = world.tensors(value), world.things.get(value)
                value = tuple(views) if views else thing and thing.made.number
            key.append(value)
        first, count = self.equal.get(tuple(key), (call, 0))
        self.equal[tuple(key)] = first, count + 1
        if len(self.equal) > _DIFFERENT:
            self.equal = {key: row for key, row in self.equal.items() if row[1] > 1}
