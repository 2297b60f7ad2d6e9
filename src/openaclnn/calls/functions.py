"""The operators as NumPy users write them: arrays in, arrays of the same kind out.

One function is made for every operator, with a signature of its own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from operator import is_
from typing import Any

from openaclnn import check, ops
from openaclnn.base import settings
from openaclnn.base.floating import plain_arithmetic
from openaclnn.base.status import AclnnError, AclnnTypeError, Status
from openaclnn.base.tensors import Tensor
from openaclnn.calls import advice, arrays, conventions, two_phase
from openaclnn.calls.executor import Executor
from openaclnn.calls.replay import native
from openaclnn.calls.replay.table import call_table_of
from openaclnn.spec.call import Call, Meta, of_outputs
from openaclnn.spec.formula import text
from openaclnn.spec.host import Array
from openaclnn.spec.op import REQUIRED, Argument, Attr, In, InOut, Op, Out, may_be_absent

Function = Callable[..., Any]


@plain_arithmetic()  # Python rounds the defaults when it compiles them
def make_function(op: Op, scalar_twin: Function | None = None) -> Function:
    """The function of one operator, compiled from a line of source so that Python itself binds
    its arguments: that is ten times as fast as binding them to a signature object. Where a number
    stands for the second tensor, the variant for scalars takes the call."""
    signature = signature_of(op)
    parameters = conventions.compiled_parameters(op, signature)
    given = "".join(f"{_given(a)}, " for a in (*tensor_parameters(op), *op.attributes))
    defaults = {p.name: p.default for p in parameters if p.default is not p.empty}
    bare = inspect.Signature(
        [
            p.replace(annotation=p.empty, default=p.empty if p.default is p.empty else None)
            for p in parameters
        ]
    )
    out = "out" if op.separate else "None"
    lines = [f"return _call({given}{out})"]
    if scalar_twin is not None:
        passed = ", ".join(_passed(p) for p in signature.parameters.values())
        second = tensor_parameters(op)[1].name
        lines[:0] = [f"if _type({second}) in _numbers:", f"    return _twin({passed})"]
    for other, argument in reversed(conventions.other_names(op).items()):
        name = argument.name
        words = f"{op.name!r}, {name!r}, {name}, _defaults[{name!r}], {other!r}, {other}"
        lines[:0] = [f"if {other} is not None:", f"    {name} = _chosen({words})"]
    ranged = conventions.like_range(op)
    if ranged is not None:
        start, end = (a.name for a in ranged)
        defaults |= {start: conventions.MISSING, end: conventions.MISSING}
        lines[:0] = [
            f"if {end} is _missing: {start}, {end} = _missing, {start}",
            f"if {start} is _missing: {start} = _start",
        ]
    source = f"def {op.name}{bare}:\n" + "".join(f"    {line}\n" for line in lines)
    namespace: dict[str, Any] = {
        "_twin": scalar_twin,
        "_chosen": conventions.chosen,
        "_defaults": defaults,
        "_missing": conventions.MISSING,
        "_start": ranged and ranged[0].default,
        "_type": type,  # an argument may have this name
        "_list": list,
        "_tuple": tuple,
        "_numbers": frozenset((int, float, bool)),
    }
    Caller(op).enter_by(namespace, "_call")
    exec(compile(source, f"<openaclnn.{op.name}>", "exec"), namespace)
    function: Function = namespace[op.name]
    function.__module__ = "openaclnn"
    function.__doc__ = docstring(op)
    # not by their text: inf and a dtype have none
    function.__defaults__ = tuple(defaults.values()) or None
    function.__signature__ = signature  # type: ignore[attr-defined]  # what is promised
    function.__annotations__ = {
        parameter.name: parameter.annotation for parameter in signature.parameters.values()
    } | {"return": Any}
    return function


def _given(argument: Argument) -> str:
    """An argument as the call cache takes it: of several numbers a tuple, which can be hashed."""
    name = argument.name
    if isinstance(argument, Attr) and isinstance(argument.host, Array):
        return f"_tuple({name}) if _type({name}) is _list else {name}"
    return name


def _passed(parameter: inspect.Parameter) -> str:
    """A parameter handed on under its own name."""
    return f"{parameter.name}={parameter.name}" if _by_name(parameter) else parameter.name


def _by_name(parameter: inspect.Parameter) -> bool:
    return parameter.kind is inspect.Parameter.KEYWORD_ONLY


def tensor_parameters(op: Op) -> tuple[Argument, ...]:
    """The tensors that a function takes, in C order; outputs are given by `out`, or made."""
    return tuple(a for a in op.arguments if isinstance(a, (In, InOut)))


class Caller:
    """Calls one operator on arrays: by the call cache where it has the call, else by the full
    path."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.defaults = tuple(a.default for a in op.attributes)
        self.table = call_table_of(op)
        self.take: Function  # the call cache's
        self.enter_by(vars(self), "take", only_known=True)

    def enter_by(self, namespace: dict[str, Any], name: str, only_known: bool = False) -> None:
        """Give compiled lines a function of this name for all arguments by their places, tensors,
        attributes, `out`: `call`, or `take` of the call cache; compiled, once that is done."""
        slow = self.table.take if only_known else self.call

        def bind(library: native.Library | None) -> None:
            compiled = self.table.native
            namespace[name] = slow if compiled is None else compiled.entrance(slow)

        native.whenever(bind)

    def call(self, *arguments: Any) -> Any:
        """The result, or a tuple of them."""
        alike = [tuple(a) if type(a) is list else a for a in arguments]  # what can be hashed
        result = self.table.take(*alike)
        if result is not None:
            return result
        names = [a.name for a in tensor_parameters(self.op)]
        attribute_names = [a.name for a in self.op.attributes]
        named = dict(zip([*names, *attribute_names], arguments, strict=False))
        conventions.refuse_missing(self.op.name, named)
        tensors, attributes = arguments[: len(names)], arguments[len(names) : -1]
        given = dict(zip(names, tensors, strict=True))
        outs = self.outputs(arguments[-1])
        results, executor = call(self.op, given, self.converted(attributes), outs)
        if self.op.sized is None:
            self.table.learn(tuple(alike), results, executor)
        return results[0] if len(results) == 1 else results

    def outputs(self, out: Any) -> Sequence[Any]:
        """What `out` says of every output."""
        op, count = self.op, len(self.op.separate)
        if out is None:
            return (None,) * len(op.outputs)
        if conventions.is_plain(out) or isinstance(out, str):
            raise _no_output(op, out)
        given = (out,) if count == 1 else out
        if not isinstance(given, (tuple, list)) or len(given) != count:
            names = ", ".join(output.name for output in op.separate)
            raise AclnnError(
                Status.PARAM_INVALID,
                f"{op.c_name}: out is {_a(type(out).__name__)}; expected a tuple of {count} "
                f"arrays: {names}",
            )
        by_name = {output.name: one for output, one in zip(op.separate, given, strict=True)}
        return [by_name.get(output.name) for output in op.outputs]

    def converted(self, attributes: tuple[Any, ...]) -> dict[str, Any]:
        """The attributes by name, as their C types have them."""
        if all(map(is_, attributes, self.defaults)):
            return self.converted_defaults
        return self._convert(attributes)

    @cached_property
    def converted_defaults(self) -> dict[str, Any]:
        return self._convert(self.defaults)

    def _convert(self, attributes: tuple[Any, ...]) -> dict[str, Any]:
        pairs = zip(self.op.attributes, attributes, strict=True)
        return {a.name: attribute(self.op, a, value) for a, value in pairs}


def _no_output(op: Op, out: Any) -> AclnnError:
    """A number where the output goes: most likely an attribute, given by position."""
    by_name = conventions.by_keyword(op)
    hint = f"; {', '.join(by_name)} and out are given by name" if by_name else ""
    along = f"{op.name}_dim"  # the variant that takes a dimension
    if not by_name and ops.at_hand(along) is not None:
        hint = f"; {along} takes a dimension"
    return AclnnTypeError(
        Status.PARAM_INVALID,
        f"{op.c_name}: out is {_a(type(out).__name__)}; expected an array that can be written"
        f"{hint}",
    )


def _a(noun: str) -> str:
    """
    >>> _a("int"), _a("float")
    ('an int', 'a float')
    """
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def call(
    op: Op, given: Mapping[str, Any], attributes: Mapping[str, Any], outs: Sequence[Any]
) -> tuple[tuple[Any, ...], Executor]:
    """One call on arrays: finds or makes the outputs, runs both phases, raises AclnnError.

    `given` are arrays by name, lists of them where the operator takes lists, `outs` the outputs in
    C order, None where one is to be made. Returns the outputs and the executor that made them.
    """
    as_given, given = given, conventions.with_arrays(op, given)
    tensors = {a.name: _tensors(op, a, given[a.name]) for a in tensor_parameters(op)}
    flat = [array for value in given.values() for array in _flat(value)]
    for array in flat:
        arrays.wait_for(array)
    first = flat[0] if flat else None
    if given is not as_given:  # results are like what is an array already
        known = (array for value in as_given.values() for array in _flat(value))
        first = next((array for array in known if not conventions.is_plain(array)), first)
    for a in op.inputs:
        if not (a.read or a.optional) and tensors[a.name] is None:
            # demanded and never read: any tensor serves
            tensors[a.name] = next((t for t in tensors.values() if isinstance(t, Tensor)), None)
    results = tuple(
        given[output.name] if isinstance(output, InOut) else made
        for output, made in zip(
            op.outputs, _made(op, tensors, attributes, outs, first), strict=True
        )
    )
    for output, result, out in zip(op.outputs, results, outs, strict=True):
        if not isinstance(output, InOut):
            called = f"{op.c_name}: {'out' if len(outs) == 1 else output.name}"
            tensors[output.name] = _written(output, result, out is not None, called)
    values = {**tensors, **attributes}
    try:
        executor = two_phase.prepare(op, [values[a.name] for a in op.arguments])
    except AclnnError as error:
        raise advice.added(error, op, given, tensors) from None
    device = executor.used()[0].device
    stream = arrays.current_stream(first) if device != "cpu" else None
    workspace, keep = 0, None
    if executor.workspace_size:
        workspace, keep = executor.ready.allocate(stream)
    executor.run(workspace, executor.workspace_size, stream)
    del keep
    for output, result, out in zip(op.outputs, results, outs, strict=True):
        for one in _flat(result):
            if out is not None or isinstance(output, InOut):
                arrays.mark_written(one)
            arrays.hand_over(one, device)
    shapes = executor.shapes()
    if shapes:
        each = zip(op.outputs, results, strict=True)
        results = tuple(
            arrays.begin_of(one, shapes[a.name]) if a.name in shapes else one for a, one in each
        )
    return results, executor


def made_outputs(
    op: Op, given: Mapping[str, Any], attributes: Mapping[str, Any], outs: Sequence[Any]
) -> Sequence[Any]:
    """The outputs as given, or new arrays like the first input's kind."""
    tensors = {a.name: _tensors(op, a, given[a.name]) for a in tensor_parameters(op)}
    flat = [array for value in given.values() for array in _flat(value)]
    return _made(op, tensors, attributes, outs, flat[0] if flat else None)


def one_by_one(results: Sequence[Any]) -> list[Any]:
    """A call's results, those of lists one after the other.

    >>> one_by_one(([1, 2], 3))
    [1, 2, 3]
    """
    return [one for each in results for one in (each if isinstance(each, list) else (each,))]


def _flat(value: Any) -> Sequence[Any]:
    if value is None:
        return ()
    return value if isinstance(value, (list, tuple)) else (value,)


def _tensors(op: Op, argument: Argument, value: Any) -> Any:
    """An argument's tensor, or tuple of them; None where there is none."""
    called = f"{op.c_name}: {argument.name}"
    return None if value is None else _written(argument, value, isinstance(argument, Out), called)


def _written(argument: Argument, value: Any, written: bool, called: str) -> Any:
    """The tensor of an array, or those of a list; `written`: they must allow that."""
    if not argument.many:
        return arrays.as_tensor(value, written, called)
    if not isinstance(value, (list, tuple)) and written:
        raise AclnnTypeError(
            Status.PARAM_INVALID,
            f"{called} is a {type(value).__name__}; expected a list of arrays",
        )
    return tuple(
        None if array is None else arrays.as_tensor(array, written, f"{called}[{place}]")
        for place, array in enumerate(_flat(value))
    )


def _made(
    op: Op,
    tensors: Mapping[str, Any],
    attributes: Mapping[str, Any],
    outs: Sequence[Any],
    like: Any,
) -> Sequence[Any]:
    """The outputs as given, or new ones like an array."""
    wanted = [
        out is None and output in op.separate for output, out in zip(op.outputs, outs, strict=True)
    ]
    if not any(wanted):
        return outs
    known = {**dict.fromkeys(a.name for a in op.arguments), **tensors, **attributes}
    metas = check.results(Call(op, known, settings.current().product))
    made = [
        _like(like, meta) if wants else out
        for meta, out, wants in zip(of_outputs(op.outputs, metas), outs, wanted, strict=True)
    ]
    for array in (one for each in made for one in _flat(each)):
        arrays.wait_for(array)
    return made


def _like(array: Any, meta: Meta | tuple[Meta, ...]) -> Any:
    """A new array of the kind of another one, or a list of them."""
    if isinstance(meta, tuple):
        return [_like(array, each) for each in meta]
    return arrays.empty_like(array, meta.shape, meta.dtype)


def attribute(op: Op, argument: Attr, value: Any) -> Any:
    """A Python value as the attribute's C type has it."""
    if isinstance(value, str) and value in argument.choices:
        return argument.choices[value]
    try:
        return argument.host.from_python(value)
    except (TypeError, ValueError, AttributeError, OverflowError, RuntimeError) as error:
        expected = argument.host.expected
        if argument.choices:
            expected = f"one of {', '.join(argument.choices)}"
        mistyped = isinstance(error, TypeError) or isinstance(value, str)
        kind = AclnnTypeError if mistyped and not argument.choices else AclnnError
        raise kind(
            Status.PARAM_INVALID, f"{op.c_name}: {argument.name} is {value!r}; expected {expected}"
        ) from None


def signature_of(op: Op) -> inspect.Signature:
    """What must be given in C order; tensors that need not be; attributes where PyTorch has them;
    other attributes and out by keyword."""
    needed: list[inspect.Parameter] = []
    optional: list[inspect.Parameter] = []
    by_place: list[inspect.Parameter] = []
    keyword: list[inspect.Parameter] = []
    ranged = conventions.like_range(op) or ()
    for a in op.arguments:
        if a in ranged[1:]:
            by_place.append(_parameter(a, inspect.Parameter.POSITIONAL_OR_KEYWORD, None))
        elif isinstance(a, Attr) and a.default is not REQUIRED and a.by_place:
            by_place.append(_parameter(a, inspect.Parameter.POSITIONAL_OR_KEYWORD, a.default))
        elif isinstance(a, Attr) and a.default is not REQUIRED:
            keyword.append(_parameter(a, inspect.Parameter.KEYWORD_ONLY, a.default))
        elif may_be_absent(a):
            optional.append(_parameter(a, inspect.Parameter.POSITIONAL_OR_KEYWORD, None))
        elif isinstance(a, (Attr, In, InOut)):
            needed.append(_parameter(a, inspect.Parameter.POSITIONAL_OR_KEYWORD, REQUIRED))
    if op.separate:
        keyword.append(
            inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, annotation=Any, default=None)
        )
    return inspect.Signature([*needed, *optional, *by_place, *keyword], return_annotation=Any)


def _parameter(argument: Argument, kind: Any, default: Any) -> inspect.Parameter:
    annotation = "str | int" if getattr(argument, "choices", None) else _annotation(argument)
    return inspect.Parameter(argument.name, kind, annotation=annotation, default=default)


def _annotation(argument: Argument) -> Any:
    if not isinstance(argument, Attr):
        return Any
    return argument.host.annotation + (" | None" if argument.default is None else "")


def docstring(op: Op) -> str:
    """Summary, formula, arguments and an example that the tests run."""
    lines = [f"{op.en}: {', '.join(map(text, op.expressions))}.", ""]
    lines += [f"{a.name}: {a.en}." for a in op.arguments if isinstance(a, (In, InOut, Attr))]
    if op.separate:
        lines += ["out: where to write the result; a new array where it is not given."]
    lines += ["", f"Raises AclnnError where {op.c_name} answers with an error status.", ""]
    lines += op.example.strip().splitlines()
    return "\n".join(lines)
