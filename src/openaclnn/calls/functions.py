"""The operators as NumPy users write them: arrays in, an array of the same kind out.

One function is made for every operator, with a signature of its own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cached_property
from operator import is_
from typing import Any

from openaclnn.base import scalars
from openaclnn.base.dtypes import FLOAT, DType, promote
from openaclnn.base.status import AclnnError, Status
from openaclnn.base.tensors import Tensor, broadcast
from openaclnn.calls import advice, arrays, two_phase
from openaclnn.calls.executor import Executor
from openaclnn.calls.shortcut import Shortcut
from openaclnn.ops import all_ops
from openaclnn.spec.formula import text
from openaclnn.spec.op import Attr, In, Op

Function = Callable[..., Any]


def functions() -> dict[str, Function]:
    """Every operator's function by its name."""
    return {op.name: make_function(op) for op in all_ops().values()}


def make_function(op: Op) -> Function:
    """The function of one operator, compiled from a line of source so that Python itself binds
    its arguments: that is ten times as fast as binding them to a signature object."""
    signature = signature_of(op)
    read = "".join(f"{a.name}, " for a in op.inputs if a.read)
    others = "".join(f"{a.name}, " for a in (*op.inputs, *op.attributes) if a not in op.read_inputs)
    bare = signature.replace(
        parameters=[p.replace(annotation=p.empty) for p in signature.parameters.values()],
        return_annotation=inspect.Signature.empty,
    )
    source = f"def {op.name}{bare}:\n    return _call(({read}), ({others}), out)\n"
    namespace: dict[str, Any] = {"_call": Caller(op).call}
    exec(compile(source, f"<openaclnn.{op.name}>", "exec"), namespace)
    function: Function = namespace[op.name]
    function.__module__ = "openaclnn"
    function.__doc__ = docstring(op)
    function.__annotations__ = {
        parameter.name: parameter.annotation for parameter in signature.parameters.values()
    } | {"return": Any}
    return function


class Caller:
    """Calls one operator on arrays: by the short cut where it knows the way, else by the road."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.defaults = tuple(a.default for a in op.attributes)
        self.unread = len(op.inputs) - len(op.read_inputs)
        self.shortcut = Shortcut(op)

    def call(self, read: tuple[Any, ...], others: tuple[Any, ...], out: Any) -> Any:
        """The result; `others` are inputs that are not read, then attributes."""
        result = self.shortcut.take(read, others, out)
        if result is not None:
            return result
        inputs, values = self.named(read, others), self.converted(others[self.unread :])
        result, executor = call(self.op, inputs, values, out)
        self.shortcut.learn(read, others, out, result, executor)
        return result

    def named(self, read: tuple[Any, ...], others: tuple[Any, ...]) -> dict[str, Any]:
        """The inputs by name, in C order."""
        left, unread = iter(read), iter(others)
        return {a.name: next(left if a.read else unread) for a in self.op.inputs}

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


def call(
    op: Op, inputs: dict[str, Any], attributes: dict[str, Any], out: Any
) -> tuple[Any, Executor]:
    """One call on arrays: finds or makes the output, runs both phases, raises AclnnError.

    Returns the output and the executor that made it.
    """
    tensors = {
        a.name: None
        if inputs[a.name] is None
        else arrays.as_tensor(inputs[a.name], called=f"{op.c_name}: {a.name}")
        for a in op.inputs
    }
    for array in inputs.values():
        arrays.wait_for(array)
    read = [tensors[a.name] for a in op.read_inputs]
    first = inputs[op.read_inputs[0].name]
    for a in op.inputs:
        if not a.read and tensors[a.name] is None:
            tensors[a.name] = read[0]  # demanded and never read: any tensor serves
    made = out is None
    if made:
        out = arrays.empty_like(first, *_result(read))
        arrays.wait_for(out)
    tensors[op.output.name] = arrays.as_tensor(out, not made, f"{op.c_name}: out")
    values = tensors | attributes
    arguments = [values[a.name] for a in op.arguments]
    try:
        executor = two_phase.prepare(op, arguments)
    except AclnnError as error:
        raise advice.added(error, op, inputs, tensors) from None
    output = tensors[op.output.name]
    assert output is not None
    stream = arrays.current_stream(first) if output.device != "cpu" else None
    workspace, keep = 0, None
    if executor.workspace_size:
        workspace, keep = executor.allocate_workspace()
    executor.run(workspace, executor.workspace_size, stream)
    del keep
    if not made:
        arrays.mark_written(out)
    arrays.hand_over(out, output.device)
    return out, executor


def _result(read: list[Tensor | None]) -> tuple[tuple[int, ...], DType]:
    """Shape and dtype of the result; where there is none, what the checks will refuse."""
    present = [tensor for tensor in read if tensor is not None]
    if not present:
        return (), FLOAT
    shape = broadcast(*(tensor.shape for tensor in present))
    dtype = promote(*(tensor.dtype for tensor in present))
    first = present[0]
    dtype = first.dtype if dtype is None or not dtype.numpy_name else dtype
    return first.shape if shape is None else shape, dtype


def attribute(op: Op, argument: Attr, value: Any) -> Any:
    """A Python value as the attribute's C type has it."""
    if isinstance(value, str) and value in argument.choices:
        return argument.choices[value]
    try:
        if isinstance(value, str):  # float() and bool() would take some
            raise TypeError
        if argument.c_type == "int64_t":
            return value if type(value) is int else value.__index__()
        if argument.c_type == "float":
            return scalars.round_to_float(float(value))
        if argument.c_type == "bool":
            return bool(value)
        if value is None or isinstance(value, scalars.Scalar):
            return value
        return scalars.scalar(value)
    except (TypeError, ValueError, AttributeError, OverflowError, RuntimeError):
        expected = f"one of {', '.join(argument.choices)}" if argument.choices else "a number"
        raise AclnnError(
            Status.PARAM_INVALID, f"{op.c_name}: {argument.name} is {value!r}; expected {expected}"
        ) from None


def signature_of(op: Op) -> inspect.Signature:
    """grad_output, self, …; then attributes and out by keyword."""
    parameters = [
        inspect.Parameter(
            a.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            annotation=Any,
            default=inspect.Parameter.empty if a.read else None,
        )
        for a in op.inputs
    ]
    parameters += [
        inspect.Parameter(
            a.name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation(a), default=a.default
        )
        for a in op.attributes
    ]
    parameters.append(
        inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, annotation=Any, default=None)
    )
    return inspect.Signature(parameters, return_annotation=Any)


def annotation(argument: Attr) -> Any:
    if argument.choices:
        return str | int
    return {"int64_t": int, "float": float, "bool": bool}.get(argument.c_type, float)


def docstring(op: Op) -> str:
    """Summary, formula, arguments and an example that the tests run."""
    lines = [f"{op.en}: {text(op.expression)}.", ""]
    lines += [f"{a.name}: {a.en}." for a in op.arguments if isinstance(a, (In, Attr))]
    lines += ["out: where to write the result; a new array where it is not given.", ""]
    lines += [f"Raises AclnnError where {op.c_name} answers with an error status.", ""]
    lines += op.example.strip().splitlines()
    return "\n".join(lines)
