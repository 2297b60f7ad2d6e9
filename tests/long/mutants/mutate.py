"""Ways to break a right program at one of its calls, and what the sanitizer must then say.

Each takes the calls of a program and draws a mutant, or none where there is nothing to break."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from happens import Graph, Objects, Use, conflict

from openaclnn.sanitize.objects import destroyer
from openaclnn.sanitize.records import RecordedCall
from openaclnn.sanitize.world import HANDLES, handle_type


@dataclass(frozen=True)
class Mutant:
    how: str  # for the shim
    kinds: tuple[str, ...]  # one of which is right
    at: RecordedCall  # where it must be told
    cause: tuple[RecordedCall, ...] = ()  # one of which must be named with it


@dataclass(frozen=True)
class Step:
    """A call and what it uses, with the sizes of the blocks that live, and who made them."""

    call: RecordedCall
    uses: list[Use]
    blocks: dict[int, tuple[int, RecordedCall]]


@dataclass(frozen=True)
class Story:
    """A right program: its calls in order."""

    steps: list[Step]

    @property
    def calls(self) -> list[RecordedCall]:
        return [step.call for step in self.steps]


def story(calls: list[RecordedCall]) -> Story:
    objects, blocks, steps = Objects(), dict[int, tuple[int, RecordedCall]](), []
    for call in calls:
        steps.append(Step(call, objects.see(call), dict(blocks)))
        if call.name in ("aclrtMalloc", "aclrtMallocHost"):
            blocks[next(iter(call.outs.values()))] = call.number_of("size"), call
        elif call.name in ("aclrtFree", "aclrtFreeHost"):
            blocks.pop(call.number_of(call.parameters[0].name), None)
    return Story(steps)


def _sizes(step: Step) -> dict[int, int]:
    return {start: size for start, (size, _) in step.blocks.items()}


def _first(call: RecordedCall) -> int:
    return call.number_of(call.parameters[0].name) if call.parameters else 0


def _ends(call: RecordedCall) -> bool:
    return call.name.startswith(("aclDestroy", "aclrtDestroy", "aclrtFree", "aclmdlRIDestroy"))


def _makers(told: Story) -> dict[int, dict[int, RecordedCall]]:
    """For every call, what lives then: handles and addresses, and who made them."""
    living: dict[int, RecordedCall] = {}
    found = {}
    for call in told.calls:
        found[call.number] = dict(living)
        if handle_type(call.returns) and call.result:
            living[call.result] = call
        elif _ends(call):
            living.pop(_first(call), None)
        elif call.outs and not call.result:
            *_, made = call.outs.values()
            living[made] = call
    return found


def drop_synchronisation(told: Story, rng: random.Random) -> Mutant | None:
    waits = [s for s in told.steps if s.call.name in (
        "aclrtSynchronizeStream", "aclrtSynchronizeDevice", "aclrtSynchronizeEvent",
        "aclrtStreamWaitEvent")]  # fmt: skip
    for dropped in rng.sample(waits, len(waits)):
        graph = Graph()
        for step in told.steps:
            if step is dropped:
                continue
            found = conflict(graph, step.call, step.uses, _sizes(step))
            if found:
                how = f"{dropped.call.number} drop"
                cause = found.others if "Event" not in step.call.name else ()  # its record is named
                return Mutant(how, (found.kind,), step.call, cause)
            graph.add(step.call, step.uses)
    return None


def _block_of(step: Step, use: Use) -> RecordedCall | None:
    return next((made for start, (size, made) in step.blocks.items()
                 if start <= use.low < start + size), None)  # fmt: skip


def _phase_1_uses(told: Story) -> Iterator[tuple[Step, Use]]:
    """What operators will use, at their first phase."""
    objects = Objects()
    for step in told.steps:
        objects.see(step.call)
        if step.call.phase == 1 and not step.call.result:
            for use in objects.uses_of[step.call.outs["executor"]]:
                yield step, use


def free_early(told: Story, rng: random.Random) -> Mutant | None:
    uses = [(step, use) for step in told.steps for use in step.uses] + list(_phase_1_uses(told))
    for step, use in rng.sample(uses, len(uses)):
        made = _block_of(step, use)
        if made and use.low < use.high:
            function = "aclrtFree" if made.name == "aclrtMalloc" else "aclrtFreeHost"
            how = f"{step.call.number} end {function} {made.number}"
            return Mutant(how, ("use-after-free",), step.call, (made,))
    return None


def destroy_early(told: Story, rng: random.Random) -> Mutant | None:
    makers = _makers(told)
    for call in rng.sample(told.calls, len(told.calls)):
        handles = [p for p in call.parameters if handle_type(p.c_type) and not p.out
                   and call.number_of(p.name) in makers[call.number]]  # fmt: skip
        if handles and not _ends(call):
            parameter = rng.choice(handles)
            made = makers[call.number][call.number_of(parameter.name)]
            how = f"{call.number} end {destroyer(handle_type(parameter.c_type))} {made.number}"
            return Mutant(how, ("use-after-destroy",), call, (made,))
    return None


def shrink(told: Story, rng: random.Random) -> Mutant | None:
    allocations = [call for call in told.calls if call.name == "aclrtMalloc"]
    uses = sorted([(s, use) for s in told.steps for use in s.uses] + list(_phase_1_uses(told)),
                  key=lambda pair: pair[0].call.number)  # fmt: skip
    for made in rng.sample(allocations, len(allocations)):
        start, size = made.outs["devPtr"], made.number_of("size")
        smaller = rng.randrange(1, size) if size > 1 else 0
        for step, use in uses:
            if smaller and _block_of(step, use) is made and use.high > start + smaller:
                return Mutant(
                    f"{made.number} set 1 {smaller}", ("out-of-bounds",), step.call, (made,)
                )
    return None


def _runs(told: Story) -> list[RecordedCall]:
    """Second phases of executors that run once."""
    repeatable = {call.number_of("executor") for call in told.calls if "Repeatable" in call.name}
    return [c for c in told.calls if c.phase == 2 and c.number_of("executor") not in repeatable]


def twice(told: Story, rng: random.Random) -> Mutant | None:
    ends = [call for call in told.calls if _ends(call) and _first(call)]
    call = rng.choice(ends + _runs(told))
    kind = "executor-reused" if call.phase else (
        "double-free" if "Free" in call.name else "double-destroy")  # fmt: skip
    return Mutant(f"{call.number} twice", (kind,), call)


def swap_handles(told: Story, rng: random.Random) -> Mutant | None:
    """A handle of another kind, or an executor of another operator."""
    makers = _makers(told)
    for call in rng.sample(told.calls, len(told.calls)):
        places = [(i, handle_type(p.c_type)) for i, p in enumerate(call.parameters)
                  if handle_type(p.c_type) and not p.out and call.number_of(p.name)]  # fmt: skip
        if not places:
            continue
        place, wanted = rng.choice(places)
        others = []
        for handle, made in makers[call.number].items():
            kind = handle_type(made.returns) or next(
                (handle_type(p.c_type.replace("**", "*")) for p in made.parameters[::-1] if p.out),
                "",
            )
            if kind in HANDLES and kind != wanted:
                others.append((made, "wrong-handle"))
            elif kind == wanted == "aclOpExecutor" and call.phase == 2 and made.phase == 1:
                own = makers[call.number].get(call.number_of("executor"))
                if own and made.operator != own.operator and handle != call.number_of("executor"):
                    others.append((made, "executor-mismatch"))
        if others:
            made, kind = rng.choice(others)
            return Mutant(f"{call.number} set {place} r{made.number}", (kind,), call)
    return None


def forget(told: Story, rng: random.Random) -> Mutant | None:
    """An end, or the run of an executor."""
    makers = _makers(told)
    ends = [c for c in told.calls if _ends(c) and _first(c) in makers[c.number]]
    ended = {_first(c) for c in ends}  # an executor that is destroyed need not run
    call = rng.choice(ends + [c for c in _runs(told) if c.number_of("executor") not in ended])
    if call.phase == 2:
        made = makers[call.number][call.number_of("executor")]
        return Mutant(f"{call.number} drop", ("executor-never-run",), made)
    kind = "leak" if "Free" in call.name else "object-leak"
    return Mutant(f"{call.number} drop", (kind,), makers[call.number][_first(call)])


def spoil_workspace(told: Story, rng: random.Random) -> Mutant | None:
    runs = [call for call in told.calls if call.phase == 2 and call.number_of("workspaceSize")]
    if not runs:
        return None
    call = rng.choice(runs)
    if rng.random() < 0.5:
        return Mutant(f"{call.number} set 0 0", ("workspace-null",), call)
    smaller = rng.randrange(call.number_of("workspaceSize"))
    return Mutant(f"{call.number} set 1 {smaller}", ("workspace-too-small",), call)


def drop_first_write(told: Story, rng: random.Random) -> Mutant | None:
    """Bytes that nobody writes any more, and somebody reads."""
    writes = [s for s in told.steps for use in s.uses if use.writes and not use.reads
              and (s.call.name.startswith("aclrtMem"))]  # fmt: skip
    for dropped in rng.sample(writes, len(writes)):
        found = _first_unwritten(told, dropped)
        if found:
            step, made = found
            kind = "uninitialised-read" if step.call.phase else "uninitialised-copy"
            return Mutant(f"{dropped.call.number} drop", (kind,), step.call, (made,))
    return None


def _first_unwritten(told: Story, dropped: Step) -> tuple[Step, RecordedCall] | None:
    """The first operator or copy to the host that reads what one call would have written."""
    written: dict[int, set[int]] = {}
    for step in told.steps:
        blocks = [(use, _block_of(step, use)) for use in step.uses if step is not dropped]
        for use, made in blocks:
            if made is None or made.name != "aclrtMalloc" or not use.reads:
                continue
            if not written.get(made.number, set()).issuperset(range(use.low, use.high)):
                within = step.call.phase == 0 and len([b for _, b in blocks if b]) > 1
                return None if within else (step, made)  # copies on the device hand it on
        for use, made in blocks:
            if made and use.writes:
                written.setdefault(made.number, set()).update(range(use.low, use.high))
    return None


WAYS: dict[str, Callable[[Story, random.Random], Mutant | None]] = {
    function.__name__: function
    for function in (drop_synchronisation, free_early, destroy_early, shrink, twice, swap_handles,
                     forget, spoil_workspace, drop_first_write)
}  # fmt: skip
