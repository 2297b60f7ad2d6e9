"""Forms of calls as plan.h and folds.h have them: by these C cuts the loops of calls in layouts
new."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from ctypes import (
    Structure,
    addressof,
    c_bool,
    c_int16,
    c_int32,
    c_int64,
    c_uint8,
    c_uint64,
    c_void_p,
    string_at,
)
from math import inf
from typing import TYPE_CHECKING, Any

from openaclnn.base import settings
from openaclnn.base.bounded import Bounded
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, DType
from openaclnn.base.scalars import Scalar, round_to_float
from openaclnn.base.tensors import View, product_of
from openaclnn.calls.executor import Ready
from openaclnn.calls.forms import KEPT_AT_MOST, Form
from openaclnn.calls.reckoning import Sums, sums_of
from openaclnn.check import asked_again, dims_allowed
from openaclnn.engines import Cut, FoldTiles
from openaclnn.plan import WORKSPACE, Pass, Place, Plan, kinds_of
from openaclnn.plan.loop import Loop
from openaclnn.spec.call import Call
from openaclnn.spec.formula import ALL
from openaclnn.spec.host import FLOAT32, SCALAR, Real, ScalarValue
from openaclnn.spec.op import (
    Attr,
    Op,
    RoundedFirst,
    always,
    exact_float,
    exact_level,
    exact_product,
    never,
    number_of,
)
from openaclnn.spec.results import Like, OverDims, ReducedBy, broadcast_and_promote
from openaclnn.spec.steps import POSITIONS, elementwise

if TYPE_CHECKING:
    from openaclnn.plan.folds import Fold, Rows

OPERANDS, KERNELS, _DIMS, _NUMBERS, _PARAMETERS = 12, 64, 16, 8, 96  # as in plan.h
_TILES_BY_BITS, _FOLD_TILES = 17 * 18 * 8 + 17, 192
LIKE, REDUCED = range(2)
_INVERSE, _FIXED = -2, -1
_AS_IT_IS, _TO_FLOAT, _TO_FLOAT16, _TO_BF16 = range(4)
_NOWHERE = -1  # in memory are positions
_OFTEN_IN_VAIN = 64
_LEAST_FLOAT = 2.0**-126  # that is no subnormal


class _Kernel(Structure):
    _fields_ = (
        ("patterns", c_uint64),
        ("lanes", c_int64),
        ("function", c_void_p),
        ("of_units", c_void_p),
        ("on_threads", c_void_p),
        ("tiles", c_int64 * 7),
        ("tile", c_int64),
        ("threads", c_int64),
        ("shared", c_int64),
        ("parameters", c_int64),
        ("merging", c_void_p),
        ("merging_threads", c_int64),
        ("merging_shared", c_int64),
        ("all_parameters", c_int64),
        ("at", c_int16 * _PARAMETERS),
        ("part", c_int16 * _PARAMETERS),
    )


class _FoldTiles(Structure):
    _fields_ = (
        ("of", c_uint8 * _TILES_BY_BITS),
        ("rows", c_int32 * _FOLD_TILES),
        ("columns", c_int32 * _FOLD_TILES),
        ("part", c_int64),
        ("most_parts", c_int64),
        ("most_states", c_int64),
    )


class FormInC(Structure):
    _fields_ = (
        ("operands", c_int32),
        ("tensors", c_int32),
        ("places", c_int32 * OPERANDS),
        ("read", c_bool * OPERANDS),
        ("itemsizes", c_int64 * OPERANDS),
        ("dims", c_int32),
        ("broadcasts", c_bool),
        ("into", c_bool),
        ("in_bytes", c_bool),
        ("on_gpu", c_bool),
        ("below", c_int64),
        ("serial_below", c_int64),
        ("holding_below", c_int64),
        ("tile", c_int64),
        ("line", c_int64),
        ("least", c_int64),
        ("most", c_int64),
        ("enough", c_int64),
        ("lanes", c_int64 * 7),
        ("numbers", c_int32),
        ("attribute_of", c_int32 * _NUMBERS),
        ("narrow", c_uint8 * _NUMBERS),
        ("words", c_uint64 * _NUMBERS),
        ("result", c_int32),
        ("over", c_int32),
        ("along", c_int64 * _DIMS),
        ("keeps", c_bool),
        ("folds", c_bool),
        ("states", c_int64),
        ("in_cache", c_int64),
        ("most_terms", c_int64),
        ("divisor", c_uint64),
        ("functions", c_uint64 * 9),
        ("tiles", _FoldTiles),
        ("kernels", c_int32),
        ("kernel", _Kernel * KERNELS),
    )


class LaidInC(Structure):
    """struct Laid in door.c."""

    _fields_ = (
        ("function", c_void_p),
        ("of_units", c_void_p),
        ("numel", c_int64),
        ("units", c_int64),
        ("count", c_int64),
        ("starts", c_int64 * OPERANDS),
        ("words", c_uint64 * 512),
    )


lay_call: Any = None  # of door.c, while that is loaded

_BY_DTYPES = (exact_float, exact_product, exact_level, always, never)


def free_numbers(op: Op) -> list[Attr]:
    """Attributes that are numbers of the formula as they come: any positive float passes what an
    operator demands of it, and is computed alike."""
    again = asked_again(op, settings.current().product)
    if op.derives or op.wide not in _BY_DTYPES or again is None or op.shorter:
        return []
    return [a for a in op.attributes if not a.static and isinstance(a.host, (Real, ScalarValue))]


def usual_numbers(op: Op, attributes: Mapping[str, Any]) -> list[Attr]:
    """Those of them that C reads from every call, in a call with these attributes: positive, a
    float32 that is no subnormal, not 1, for which there are kernels of their own."""
    return [a for a in free_numbers(op) if _is_usual(attributes[a.name])]


def _is_usual(value: Any) -> bool:
    if isinstance(value, Scalar):
        if value.dtype not in (FLOAT, DOUBLE):
            return False
        value = value.value
    found = 0.0 if value is None else round_to_float(value)
    return _LEAST_FLOAT <= found < inf and found != 1.0


def compiled_form(
    form: Form, cuts: Sequence[Cut], in_bytes: bool, free: Sequence[Attr]
) -> FormInC | None:
    """A form as plan.h has it; None where it has no room for it."""
    one = form.one
    numbers, names = one.uniforms, [a.name for a in free]
    taken = [names.index(name) if name in names else -1 for name in form.names]
    kinds_of_numbers = kinds_of(numbers)
    sized = _sized(form)
    if sized is None or len(numbers) > _NUMBERS:
        return None
    attributes = [
        form.op.attributes.index(free[k]) if k >= 0 else of_size
        for k, of_size in zip(taken, sized, strict=True)
    ]
    for number, (kind, attribute) in enumerate(zip(kinds_of_numbers, attributes, strict=True)):
        if attribute != _FIXED and (kind != 2.0 or one.body.uniforms[number] != "f64"):
            return None
    narrow = [_narrow(form.op, free[k], one.promoted) if k >= 0 else 0 for k in taken]
    found = _without_numbers(form, cuts, in_bytes)
    if found is not None:
        found.numbers = len(numbers)
        found.attribute_of[: len(numbers)] = attributes
        found.narrow[: len(numbers)] = narrow
        found.words[: len(numbers)] = struct.unpack(f"{len(numbers)}Q", one.words)
    return found


def _narrow(op: Op, attribute: Attr, promoted: DType | None) -> int:
    """The float that a number is rounded to before a kernel takes it, as plan.h counts them."""
    if isinstance(op.uniforms, RoundedFirst) and attribute.name in op.uniforms.names:
        to: dict[DType | None, int] = {FLOAT16: _TO_FLOAT16, BF16: _TO_BF16, DOUBLE: _AS_IT_IS}
        return to.get(promoted, _TO_FLOAT)
    short = attribute.host is FLOAT32 or (attribute.host is SCALAR and promoted is not DOUBLE)
    return _TO_FLOAT if short else _AS_IT_IS


class _Count:
    """How many elements a call has, more than one, for an operator's `uniforms` to say what it does
    with that: nothing, or one over it, which are what C knows. Anything else raises."""

    __hash__ = None  # type: ignore[assignment]  # a cache would know other counts

    def __init__(self) -> None:
        self.compared = False

    def __rtruediv__(self, other: Any) -> Any:
        if isinstance(other, (int, float)) and other == 1:
            return _INVERSE_OF_COUNT
        raise TypeError

    def _is_more(self, other: Any) -> bool:
        """Than a number: certain of 1 and below, where C leaves fewer elements to Python."""
        if isinstance(other, int) and other <= 1:
            self.compared = True
            return True
        raise TypeError

    def _is_other(self, other: Any) -> bool:
        return not self._is_more(other)

    def __bool__(self) -> bool:
        return self._is_more(0)

    def __repr__(self) -> str:
        raise TypeError

    __gt__ = __ge__ = __ne__ = _is_more
    __lt__ = __le__ = __eq__ = _is_other


_INVERSE_OF_COUNT = object()


def _sized(form: Form) -> list[int] | None:
    """Which of a form's numbers are one over how many elements there are; None where one depends on
    that in another way."""
    if not form.sized:
        return [_FIXED] * len(form.names)
    op, promoted, count = form.op, form.one.promoted, _Count()
    assert op.uniforms is not None
    assert promoted is not None
    try:
        values = op.uniforms(form.call.attributes, count, promoted)  # type: ignore[arg-type]
        found = [_INVERSE if values[name] is _INVERSE_OF_COUNT else _FIXED for name in form.names]
        numbers = [
            number if kind == _INVERSE else number_of(values[name], promoted)
            for name, kind, number in zip(form.names, found, form.one.uniforms, strict=True)
        ]
    except Exception:  # it does something else with the count; the call itself has gone well
        return None
    alike = [*map(repr, numbers)] == [*map(repr, form.one.uniforms)]
    # a count that was compared is one that C looks at
    return found if alike and (_INVERSE in found or not count.compared) else None


def _without_numbers(form: Form, cuts: Sequence[Cut], in_bytes: bool) -> FormInC | None:
    itemsizes = [form.itemsizes[k] for k in form.operands]
    found = _of_kernels(form.operands, itemsizes, cuts, in_bytes)
    if found is not None:
        again = form.again
        found.tensors = len(form.itemsizes)
        found.read[: len(form.itemsizes)] = [k in form.reads for k in range(found.tensors)]
        found.dims = min(again.dims, _DIMS)
        found.broadcasts, found.into = again.broadcasts, again.into
    return found


def _of_kernels(
    places: Sequence[int], itemsizes: Sequence[int], cuts: Sequence[Cut], in_bytes: bool
) -> FormInC | None:
    """What a pass's kernels say of its form, and where its operands are."""
    first = cuts[0]
    if len(places) > OPERANDS or len(cuts) > KERNELS:
        return None
    if any(len(_parameters(cut)) > _PARAMETERS for cut in cuts):
        return None
    return FormInC(
        operands=len(places),
        places=(c_int32 * OPERANDS)(*places),
        itemsizes=(c_int64 * OPERANDS)(*itemsizes),
        in_bytes=in_bytes,
        on_gpu=first.launch is not None,
        below=first.below,
        serial_below=first.serial_below,
        holding_below=first.holding_below,
        tile=first.tile,
        line=first.line,
        least=first.units[0],
        most=first.units[1],
        enough=first.units[2],
        lanes=(c_int64 * 7)(*first.lanes),
        kernels=len(cuts),
        kernel=(_Kernel * KERNELS)(*map(_kernel, cuts)),
    )


def compiled_passes(
    ready: Ready,
    tensors: int,
    attributes: Mapping[str, Any],
    cuts: Sequence[Sequence[Cut]],
    in_bytes: bool,
) -> list[FormInC] | None:
    """The forms of the passes of a call that folds, as folds.h has them: one for each, of rows that
    one kernel computes, one for all. None where each layout is a case of its own."""
    plan = ready.plan
    result, dims = _shape_of_result(plan, attributes), dims_allowed(plan.op)
    if result is None or dims is None or not cuts or not cuts[0]:
        return None
    kind, along, keeps = result
    tiles = cuts[0][0].tiles
    passes: Sequence[Pass | Rows] = plan.formulas
    if kind == LIKE and tiles is not None and plan.rows is not None:
        passes = (plan.rows,)
    if len(cuts) != len(passes) or (tiles is not None and len(cuts) > 1):
        return None
    slots: list[Place] = []
    found: list[FormInC] = []
    for one, kernels in zip(passes, cuts, strict=True):
        places = [
            place.tensor if place.tensor >= 0 else tensors + slots.index(place)
            for place in one.places[:-1]
        ]
        if one.places[-1].tensor == WORKSPACE:
            slots.append(one.places[-1])
        written = tensors - 1 if one is passes[-1] else tensors + len(found)
        form = _of_kernels([*places, written], one.sizes, kernels, in_bytes)
        words = struct.unpack(f"{len(one.words) // 8}Q", one.words)
        if form is None or tensors + len(slots) > OPERANDS or len(words) > _NUMBERS:
            return None
        form.tensors, form.dims, form.result = tensors, min(dims, _DIMS), kind
        form.over, form.keeps = len(along), keeps
        form.along[: len(along)] = along
        form.numbers = len(words)
        form.words[: len(words)] = words
        if tiles is not None:
            _add_tiles(form, plan, tiles)
        elif isinstance(one, Pass) and one.fold is not None:
            _add_fold(form, one.fold, kernels[0])
        found.append(form)
    return found


class Reckoned:
    """What is learnt of calls of one operator that are reckoned (reckoning.py), and alike but for
    whole attributes: the kernels that each of their passes may have."""

    def __init__(self) -> None:
        self.kernels: dict[tuple[Any, bytes], dict[tuple[str, int], Cut]] = {}
        self.told: Bounded[Sums, int] = Bounded(KEPT_AT_MOST)  # with how many of them
        self.in_vain = 0  # how often lately there was nothing new to tell

    def forms(
        self, call: Call, plan: Plan, cuts: Sequence[Cut], made: bool, in_bytes: bool
    ) -> tuple[list[FormInC], Sums] | None:
        """What C is to be told of a call that went well with these kernels, one for each pass; None
        where that is nothing."""
        if len(cuts) != len(plan.formulas):
            return None
        large = any(
            product_of(one.loop.sizes) >= cut.below
            for one, cut in zip(plan.formulas, cuts, strict=True)
            if cut.launch is None  # on a GPU C decides
        )
        if large:
            return None
        self.in_vain += 1
        if self.in_vain > _OFTEN_IN_VAIN and self.in_vain % _OFTEN_IN_VAIN:
            return None
        kinds = [(one.body, one.words) for one in plan.formulas]
        alike = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
        sums = sums_of(call, plan, made, [alike[kind] for kind in kinds])
        if sums is None:
            return None
        for kind, cut in zip(kinds, cuts, strict=True):
            self.kernels.setdefault(kind, {})[cut.key] = cut
        tables = [[*self.kernels[kind].values()][-KERNELS:] for kind in alike]
        forms = [
            compiled_reckoned(plan.formulas[kinds.index(kind)], table, in_bytes)
            for kind, table in zip(alike, tables, strict=True)
        ]
        count = sum(map(len, tables))
        if self.told.get(sums) != count:
            self.in_vain = 0
        self.told[sums] = count
        return None if None in forms else ([form for form in forms if form is not None], sums)


def compiled_reckoned(one: Pass, cuts: Sequence[Cut], in_bytes: bool) -> FormInC | None:
    """The form of a pass of a call that is reckoned: its operands are tensors of their own."""
    places = [_NOWHERE if p.tensor == POSITIONS else k for k, p in enumerate(one.places)]
    form = _of_kernels(places, one.sizes, cuts, in_bytes)
    words = struct.unpack(f"{len(one.words) // 8}Q", one.words)
    if form is None or len(words) > _NUMBERS:
        return None
    form.tensors, form.numbers = len(places), len(words)
    form.attribute_of[: len(words)] = [_FIXED] * len(words)
    form.words[: len(words)] = words
    return form


def _add_fold(form: FormInC, fold: Fold, cut: Cut) -> None:
    how = cut.fold
    assert how is not None
    form.folds = True
    form.states, form.in_cache, form.most_terms = how.states, how.in_cache, how.most
    form.functions[: len(how.functions)] = how.functions
    if fold.divided_by is not None:
        (form.divisor,) = struct.unpack("Q", struct.pack("d", float(fold.divided_by)))


def _add_tiles(form: FormInC, plan: Plan, tiles: FoldTiles) -> None:
    """What a GPU's kernels of folds say of a form."""
    folds = [one.fold for one in plan.formulas if one.fold is not None]
    form.folds = True
    form.states, form.most_terms = folds[0].state_size, min(fold.most for fold in folds)
    form.tiles.of[:] = tiles.of
    form.tiles.rows[: len(tiles.rows)] = tiles.rows
    form.tiles.columns[: len(tiles.columns)] = tiles.columns
    form.tiles.part, form.tiles.most_parts = tiles.part, tiles.most_parts
    form.tiles.most_states = tiles.most_states


def _shape_of_result(
    plan: Plan, attributes: Mapping[str, Any]
) -> tuple[int, tuple[int, ...], bool] | None:
    """What a result's shape is, the dimensions that are folded, as they were given, and whether
    they are kept; None where this is not certain for all layouts."""
    if plan.routines:
        return None
    op, first, last = plan.op, plan.formulas[0], plan.formulas[-1]
    extents = (one.formula is not None and one.formula.extents for one in plan.formulas)
    sized = (op.derives and any(one.uniforms for one in plan.formulas)) or any(extents)
    if plan.staged or plan.empty or sized or len(op.outputs) != 1 or op.in_place:
        return None
    if first.fold is None:
        return None
    over, divided_by = first.fold.over, first.fold.divided_by
    folds = [one.fold for one in plan.formulas if one.fold is not None]
    if divided_by == 0 or op.steps is not elementwise:
        return None
    if any(fold.over != over or fold.how.kind == "digits" for fold in folds):
        return None
    named = () if over == ALL else attributes[over]
    along = (named,) if isinstance(named, int) else tuple(named or ())
    if last.fold is None:  # what is computed of a row has its shape
        whole = len(folds) == len(plan.formulas) - 1 and last.places[0].tensor >= 0
        shape_is_known = isinstance(op.results, Like) or op.results is broadcast_and_promote
        return (LIKE, along, True) if whole and shape_is_known else None
    if len(plan.formulas) > 1:
        return None
    if isinstance(op.results, OverDims) and op.results.dims == over:
        return REDUCED, along, bool(attributes[op.results.keep])
    return (REDUCED, (), False) if isinstance(op.results, ReducedBy) and over == ALL else None


def _parameters(cut: Cut) -> tuple[tuple[int, int], ...]:
    """A kernel's, then those of the one that merges what it leaves."""
    return cut.parameters + (() if cut.merging is None else cut.merging.parameters)


def _kernel(cut: Cut) -> _Kernel:
    patterns, lanes = cut.key
    merging, parameters = cut.merging, _parameters(cut)
    return _Kernel(
        patterns=sum("01st".index(pattern) << 2 * k for k, pattern in enumerate(patterns)),
        lanes=lanes,
        function=cut.function,
        of_units=cut.of_units,
        on_threads=None if cut.fold is None else cut.fold.on_threads,
        tiles=(c_int64 * 7)(*(() if cut.fold is None else cut.fold.tiles)),
        tile=cut.tile,
        threads=cut.shape[0],
        shared=cut.shape[1],
        parameters=len(cut.parameters),
        merging=None if merging is None else merging.function,
        merging_threads=0 if merging is None else merging.shape[0],
        merging_shared=0 if merging is None else merging.shape[1],
        all_parameters=len(parameters),
        at=(c_int16 * _PARAMETERS)(*(at for at, _ in parameters)),
        part=(c_int16 * _PARAMETERS)(*(part for _, part in parameters)),
    )


class Layouts:
    """Makes calls of one form ready, whatever their layouts: in C, where their kernel was met
    before (8 µs in any layout), else in Python (25 to 90 µs)."""

    def __init__(self, form: Form) -> None:
        self.form = form
        # an engine that takes what C has laid: on a CPU
        self.launcher_of = getattr(form.engine, "laid", None) if form.one.in_order else None
        # by what kind the numbers are of, which have kernels of their own
        self.cuts: dict[tuple[float, ...], dict[tuple[str, int], Cut]] = {}
        self.compiled: dict[tuple[float, ...], FormInC | None] = {}

    def ready(self, views: Sequence[View], numbers: tuple[float, ...]) -> Ready | None:
        """For used tensors of these views; None where checks decide."""
        kinds = kinds_of(numbers)
        compiled = self.compiled.get(kinds) if lay_call is not None else None
        found = None if compiled is None else self._in_c(compiled, views, numbers)
        return found or self._in_python(views, numbers, kinds)

    def _in_c(
        self, compiled: FormInC, views: Sequence[View], numbers: tuple[float, ...]
    ) -> Ready | None:
        facts: list[int] = []
        for view in views:
            facts += (len(view.shape), view.offset)
            facts += view.shape
            facts += view.strides
        laid = LaidInC()
        if not lay_call(compiled, struct.pack(f"{len(facts)}q", *facts), laid):
            return None
        one = self.form.one
        launcher = self.launcher_of(  # type: ignore[misc]
            laid.function,
            laid.of_units,
            laid.numel,
            laid.units,
            laid.starts[: len(one.places)],
            one.body.packed(numbers) + string_at(addressof(laid.words), 8 * laid.count),
        )
        return Ready(lambda: self._plan(views, numbers), launcher, self.form.engine, 0)

    def _plan(self, views: Sequence[View], numbers: tuple[float, ...]) -> Plan:
        loop = self._loop(views)
        assert loop is not None
        return self.form.plan(loop, numbers, [views[k] for k in self.form.operands])

    def _loop(self, views: Sequence[View]) -> Loop | None:
        shapes = [view.shape for view in views]
        shape = self.form.shape(shapes)
        if shape is None or 0 in shape:
            return None
        strides, starts = [view.strides for view in views], [view.offset for view in views]
        return self.form.loop(shape, shapes, strides, starts)

    def _in_python(
        self, views: Sequence[View], numbers: tuple[float, ...], kinds: tuple[float, ...]
    ) -> Ready | None:
        form, loop = self.form, self._loop(views)
        if loop is None:
            return None
        ready = form.over(loop, numbers, [views[k] for k in form.operands])
        cut = ready.launcher.cut(None) if lay_call is not None and self.launcher_of else None  # type: ignore[union-attr]
        cuts = self.cuts.setdefault(kinds, {})
        if cut is not None and cut.key not in cuts:
            cuts[cut.key] = cut
            self.compiled[kinds] = _without_numbers(form, [*cuts.values()], in_bytes=False)
        return ready
