"""Phase 1 on arrays by the compiled call cache: a call of a form that is known is laid in C,
whatever its layout and its numbers, and phase 2 runs it there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from openaclnn.base import settings
from openaclnn.base.bounded import Bounded
from openaclnn.calls import door, two_phase
from openaclnn.calls.door import Door, Library
from openaclnn.calls.executor import Executor
from openaclnn.calls.form_in_c import Reckoned, compiled_passes
from openaclnn.calls.forms import KEPT_AT_MOST
from openaclnn.calls.kinds import kind_of
from openaclnn.calls.reckoning import reckons, whole_attributes
from openaclnn.calls.shortcut import is_told_apart
from openaclnn.engines import Cut
from openaclnn.plan import kinds_of
from openaclnn.spec.op import In, InOut, Op

Convert = Callable[[tuple[Any, ...]], list[Any]]


class FirstPhase:
    """What one operator has learnt; `convert` makes of arguments what phase 1 takes."""

    run: Callable[[Any, int], bool]

    def __init__(self, op: Op, convert: Convert) -> None:
        self.op, self.convert, self.phase = op, convert, two_phase.phase_one(op)
        takes = [a for a in op.arguments if isinstance(a, (In, InOut))]
        alone = not any(a.optional or getattr(a, "many", False) for a in takes)
        self.possible = alone and len(op.outputs) == 1 and bool(op.reads) and door.possible(op)
        self.takes, self.output = takes, op.arguments.index(op.outputs[0])
        door.whenever(self._use)

    def _use(self, library: Library | None) -> None:
        found = Door(library, self.op) if library is not None and self.possible else None
        self.door = found
        # what phase 2 is to run, of arguments in C order; None: they are not like earlier ones
        self.lay: Callable[..., Any] = (lambda *_: None) if found is None else found.first_phase()
        if library is not None:
            self.run = library.c.second_phase()
        # the kernels that it was told of, by forms and arguments' types
        self.taught: Bounded[tuple[Any, ...], dict[tuple[str, int], Cut]] = Bounded(KEPT_AT_MOST)
        self.reckoned: Bounded[tuple[Any, ...], Reckoned] = Bounded(KEPT_AT_MOST)

    def settle(self, arguments: Sequence[Any]) -> Executor:
        """The executor of a call that was laid."""
        return self.phase.prepare(self.convert(tuple(arguments)))

    def learn(self, given: Sequence[Any], converted: Sequence[Any], executor: Executor) -> None:
        """Remember the form of a call that went well, and what kernels there are for it."""
        result = given[self.output]
        kind, launcher = kind_of(result), executor.ready.launcher
        if self.door is None or kind is None or launcher is None:
            return
        if reckons(executor.ready.plan):
            self._learn_sums(self.door, given, executor, kind.in_bytes)
            return
        if not executor.ready.elementwise:
            self._learn_fold(self.door, given, converted, executor, kind.in_bytes)
            return
        known = self.phase.forms.get(self.phase.form(*converted))
        if known is None or not self._has_its_numbers(known.form.attributes, given, converted):
            return
        kinds = kinds_of(known.form.one.uniforms)
        alike = known, *map(type, given)
        taught = self.taught.get(alike)
        if taught is None:
            taught = self.taught[alike] = {}
        cuts = dict(known.cuts.get(kinds, {}))
        cut = launcher.cut(executor.packed())
        if cut is not None and kinds_of(executor.ready.plan.formulas[0].uniforms) == kinds:
            cuts[cut.key] = cut
        if cuts.keys() <= taught.keys():
            return
        taught.update(cuts)
        self.door.library.use_threads_of(taught.values())
        self.door.learn_form(
            self._ordered(given), result, known.form, [*taught.values()], kind.in_bytes, None
        )

    def _learn_sums(
        self, door: Door, given: Sequence[Any], executor: Executor, in_bytes: bool
    ) -> None:
        """How a call of one pass over parts of its tensors is reckoned."""
        wholes, plan, packed = whole_attributes(self.op), executor.ready.plan, executor.packed()
        others = [(place, a) for place, a in self.phase.attributes if a not in wholes]
        told_apart = all(is_told_apart(given[place]) for place, _ in others)
        if len(plan.formulas) > 1 or packed is None or not told_apart:
            return
        launcher = executor.ready.launcher
        assert launcher is not None
        cuts = launcher.cuts(packed)
        alike = [*map(type, given), *(repr(given[place]) for place, _ in others)]
        key = settings.choice(), *alike, *(one.tensor.dtype for one in executor.call().used)
        known = self.reckoned.get(key)
        if known is None:
            known = self.reckoned[key] = Reckoned()
        found = known.forms(executor.call(), plan, cuts, False, in_bytes)
        if found is None:
            return
        door.library.use_threads_of(cuts)
        forms, sums = found
        door.learn_passes(
            self._ordered(given), given[self.output], executor.ready, forms, cuts[-1], None, sums
        )

    def _ordered(self, given: Sequence[Any]) -> tuple[Any, ...]:
        """Arguments as the call cache has them: tensors, attributes, and the output."""
        by_name = dict(zip((a.name for a in self.op.arguments), given, strict=True))
        ordered = [by_name[a.name] for a in (*self.takes, *self.op.attributes)]
        return (*ordered, None if self.op.in_place else given[self.output])

    def _learn_fold(
        self,
        door: Door,
        given: Sequence[Any],
        converted: Sequence[Any],
        executor: Executor,
        in_bytes: bool,
    ) -> None:
        """The same of a call that folds by one kernel, and needs no workspace."""
        ready, attributes = executor.ready, [given[place] for place, _ in self.phase.attributes]
        lists = [tuple(value) if type(value) is list else value for value in attributes]
        if ready.workspace_size or ready.plan.staged:
            return
        if door.free or not all(map(is_told_apart, lists)):
            return
        cuts = ready.launcher.cuts(executor.packed())  # type: ignore[union-attr]
        if len(cuts) != 1:
            return
        alike = self.phase.form(*converted), *map(type, given), repr(lists)
        taught = self.taught.get(alike)
        if taught is None:
            taught = self.taught[alike] = {}
        if all(cut.key in taught and cut.tiles is None for cut in cuts):
            return
        taught.update({cut.key: cut for cut in cuts})
        door.library.use_threads_of(cuts)
        tables = [[*taught.values()]]
        used = len(executor.used())
        forms = compiled_passes(ready, used, executor.attributes(), tables, in_bytes)
        if forms is not None:
            door.learn_passes(
                self._ordered(given), given[self.output], ready, forms, cuts[-1], None
            )

    def _has_its_numbers(self, first: Any, given: Sequence[Any], converted: Sequence[Any]) -> bool:
        """Whether a call has the attributes of its form's first, but for numbers that are read from
        every call."""
        assert self.door is not None
        return all(
            (a in self.door.free and type(given[place]) is float)
            or (converted[place] == first[a.name] and is_told_apart(given[place]))
            for place, a in self.phase.attributes
        )
