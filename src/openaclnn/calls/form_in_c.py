"""Forms of calls as plan.h has them: by these C cuts the loops of calls in layouts never met."""

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
    c_uint64,
    c_void_p,
    string_at,
)
from math import inf
from typing import Any

from openaclnn.base import settings
from openaclnn.base.dtypes import DOUBLE, FLOAT
from openaclnn.base.scalars import Scalar, round_to_float
from openaclnn.base.tensors import View
from openaclnn.calls.executor import Ready
from openaclnn.calls.forms import Form
from openaclnn.check import asked_again
from openaclnn.engines import Cut
from openaclnn.plan import Plan, kinds_of
from openaclnn.plan.loop import Loop
from openaclnn.spec.host import FLOAT32, SCALAR, Real, ScalarValue
from openaclnn.spec.op import (
    Attr,
    Op,
    always,
    exact_float,
    exact_level,
    exact_product,
    never,
)

OPERANDS, KERNELS, _NUMBERS, _PARAMETERS = 12, 64, 8, 96  # as in plan.h
_LEAST_FLOAT = 2.0**-126  # that is no subnormal


class _Kernel(Structure):
    _fields_ = (
        ("patterns", c_uint64),
        ("lanes", c_int64),
        ("function", c_void_p),
        ("of_units", c_void_p),
        ("tile", c_int64),
        ("threads", c_int64),
        ("shared", c_int64),
        ("parameters", c_int64),
        ("at", c_int16 * _PARAMETERS),
        ("part", c_int16 * _PARAMETERS),
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
        ("narrow", c_bool * _NUMBERS),
        ("words", c_uint64 * _NUMBERS),
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
    if op.uniforms is not None or op.wide not in _BY_DTYPES or again is None or op.shorter:
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
    if form.sized or len(numbers) > _NUMBERS:
        return None
    attributes = [form.op.attributes.index(free[k]) if k >= 0 else -1 for k in taken]
    for number, (kind, attribute) in enumerate(zip(kinds_of_numbers, attributes, strict=True)):
        if attribute >= 0 and (kind != 2.0 or one.body.uniforms[number] != "f64"):
            return None
    narrow = [
        k >= 0
        and (free[k].host is FLOAT32 or (free[k].host is SCALAR and one.promoted is not DOUBLE))
        for k in taken
    ]
    found = _without_numbers(form, cuts, in_bytes)
    if found is not None:
        found.numbers = len(numbers)
        found.attribute_of[: len(numbers)] = attributes
        found.narrow[: len(numbers)] = narrow
        found.words[: len(numbers)] = struct.unpack(f"{len(numbers)}Q", one.words)
    return found


def _without_numbers(form: Form, cuts: Sequence[Cut], in_bytes: bool) -> FormInC | None:
    again, first = form.again, cuts[0]
    if len(form.operands) > OPERANDS or len(cuts) > KERNELS:
        return None
    if any(len(cut.parameters) > _PARAMETERS for cut in cuts):
        return None
    return FormInC(
        operands=len(form.operands),
        tensors=len(form.itemsizes),
        places=(c_int32 * OPERANDS)(*form.operands),
        read=(c_bool * OPERANDS)(*[k in form.reads for k in range(len(form.itemsizes))]),
        itemsizes=(c_int64 * OPERANDS)(*(form.itemsizes[k] for k in form.operands)),
        dims=min(again.dims, 16),
        broadcasts=again.broadcasts,
        into=again.into,
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


def _kernel(cut: Cut) -> _Kernel:
    patterns, lanes = cut.key
    return _Kernel(
        patterns=sum("01st".index(pattern) << 2 * k for k, pattern in enumerate(patterns)),
        lanes=lanes,
        function=cut.function,
        of_units=cut.of_units,
        tile=cut.tile,
        threads=cut.shape[0],
        shared=cut.shape[1],
        parameters=len(cut.parameters),
        at=(c_int16 * _PARAMETERS)(*(at for at, _ in cut.parameters)),
        part=(c_int16 * _PARAMETERS)(*(part for _, part in cut.parameters)),
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
