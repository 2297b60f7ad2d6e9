"""Phase 1 on arrays by the compiled table: a call of which there are recordings is laid in C, and
phase 2 runs it there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from openaclnn.calls import two_phase
from openaclnn.calls.array_readers import kind_of
from openaclnn.calls.executor import Executor
from openaclnn.calls.replay import native
from openaclnn.calls.replay.native import Library, NativeTable
from openaclnn.calls.replay.recordings import Recordings
from openaclnn.calls.replay.table import is_told_apart
from openaclnn.spec.op import In, InOut, Op

Convert = Callable[[tuple[Any, ...]], list[Any]]


class FirstPhase:
    """What one operator has learnt; `convert` makes of arguments what phase 1 takes."""

    run: Callable[[Any, int], bool]

    def __init__(self, op: Op, convert: Convert) -> None:
        self.op, self.convert, self.phase = op, convert, two_phase.phase_one(op)
        takes = [a for a in op.arguments if isinstance(a, (In, InOut))]
        alone = not any(a.optional or a.many for a in (*takes, *op.outputs))
        self.possible = alone and len(op.outputs) == 1 and bool(op.reads) and native.possible(op)
        self.takes, self.output = takes, op.arguments.index(op.outputs[0])
        self.recordings = Recordings(op, of_arrays=True)
        native.whenever(self._use)

    def _use(self, library: Library | None) -> None:
        found = NativeTable(library, self.op) if library is not None and self.possible else None
        self.native = found
        # what phase 2 is to run, of arguments in C order; None: they are not like earlier ones
        self.lay: Callable[..., Any] = (lambda *_: None) if found is None else found.first_phase()
        if library is not None:
            self.run = library.c.second_phase()

    def settle(self, arguments: Sequence[Any]) -> Executor:
        """The executor of a call that was laid."""
        return self.phase.prepare(self.convert(tuple(arguments)))

    def learn(self, given: Sequence[Any], executor: Executor) -> None:
        """Record a call that went well."""
        kind, ready = kind_of(given[self.output]), executor.ready
        if self.native is None or kind is None or ready.launcher is None or ready.workspace_size:
            return
        by_name = dict(zip((a.name for a in self.op.arguments), given, strict=True))
        attributes = {a.name: by_name[a.name] for a in self.op.attributes}
        lists = [tuple(v) if type(v) is list else v for v in attributes.values()]
        if not all(map(is_told_apart, lists)):
            return
        call = executor.call()
        tree = self.recordings.record(call, attributes)
        if not tree.leaves:
            return
        # as the table has them: tensors, attributes, and the output
        ordered = [by_name[a.name] for a in (*self.takes, *self.op.attributes)]
        out = None if self.op.in_place else given[self.output]
        sizes = [one.tensor.dtype.itemsize if kind.in_bytes else 1 for one in call.used]
        self.native.learn_tree((*ordered, out), given[self.output], tree, sizes, None)
