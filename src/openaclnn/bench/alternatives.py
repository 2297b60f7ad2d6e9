"""The alternatives that operators are compared with, derived from the operator: NumPy and JAX
evaluate its formula, PyTorch has the function that the operator's file names."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from importlib import metadata
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.dtypes import UINT64, DType
from openaclnn.base.layouts import elements
from openaclnn.base.records import dataclass
from openaclnn.base.settings import EXACT
from openaclnn.base.tensors import Tensor
from openaclnn.bench.operands import Operands, array
from openaclnn.engines.plain import WORDS
from openaclnn.spec import formula as words
from openaclnn.spec.call import Call
from openaclnn.spec.formula import Expr, Traced, walk
from openaclnn.spec.op import In, InOut
from openaclnn.spec.stages import dims_of, extents_of
from openaclnn.spec.steps import POSITIONS, Part, Step, elementwise
from openaclnn.truth import pytorch

COPY = "copy"  # the machine's own limit: never an alternative, measured beside them


@dataclass(frozen=True)
class Prepared:
    """A call that does the same as ours, and how to read its results from what it returns."""

    call: Callable[[], Any]
    read: Callable[[Any], list[NDArray[Any]]]


@dataclass(frozen=True)
class Alternative:
    """`prepare` gives the call for some operands and so many threads, or a sentence that says why
    there is none. `package` must be installed."""

    name: str
    package: str
    title: str
    meaning: str
    prepare: Callable[[Operands, int], Prepared | str]

    @property
    def version(self) -> str | None:
        """The version that is installed; None where it is not."""
        try:
            return metadata.version(self.package)
        except metadata.PackageNotFoundError:
            return None


def _eager(operands: Operands, threads: int) -> Prepared | str:
    import torch

    torch.set_num_threads(threads)
    made = torch_call(operands.call, _torch_tensor, into=True)
    prepared = Prepared(made, lambda result: operands.outputs) if made is not None else None
    if prepared is None:
        made = torch_call(operands.call, _torch_tensor)
        if made is None:
            return "it has no such operator"
        prepared = Prepared(made, _from_torch)
    try:
        result = prepared.call()
    except (RuntimeError, TypeError) as error:  # dtypes that it does not take together, say
        return f"it failed: {str(error).splitlines()[0]}"
    finally:
        operands.restore()
    return "it moves nothing: its result is a view" if _is_view(operands, result) else prepared


def _is_view(operands: Operands, result: Any) -> bool:
    """Whether a result lies in an operand that is not written, as a cast to the same dtype does."""
    written = [given.tensor for given in operands.call.writes]
    read = {given.tensor.first for given in operands.call.reads if given.tensor not in written}
    return getattr(result, "data_ptr", int)() in read


def _compiled(operands: Operands, threads: int) -> Prepared | str:
    import torch

    torch.set_num_threads(threads)
    compiled = torch_compiled(operands.call, _torch_tensor)
    if compiled is None:
        return "it has no such operator"
    try:
        compiled()
    except Exception as error:
        return f"it failed: {str(error).splitlines()[0]}"
    return Prepared(compiled, lambda result: operands.outputs)


Form = Callable[[Tensor], Any]


def torch_call(call: Call, form: Form, into: bool = False) -> Callable[[], Any] | None:
    """PyTorch's function on tensors that `form` makes of ours, if it has one; one that writes
    `into` the outputs. What the forward pass would leave for it, and we do without, it makes in its
    own time."""
    import torch

    op = call.op
    function = pytorch.function(op, into and not op.in_place)
    if function is None:
        return None
    tensors = {
        a.name: _formed(call[a.name], form) for a in op.tensors if isinstance(a, (In, InOut))
    }
    first = None
    for argument in op.inputs:
        if argument.left is not None:
            made = tensors[argument.name] = torch.empty_like(tensors[op.reads[0].name])
            if made.device.type == "cpu":  # elsewhere PyTorch does without it, too
                first = pytorch.leaving(argument, tensors, made)
    outs = [form(given.tensor) for given in call.writes] if function.outs else []
    bound = function.bound(tensors, call.attributes, outs)
    if first is None:
        return bound

    def both() -> Any:
        first()
        return bound()

    return both


def torch_compiled(call: Call, form: Form) -> Callable[[], Any] | None:
    """The same in one kernel that writes into the outputs."""
    import torch

    torch._dynamo.reset()  # every case is compiled for its own shapes and strides
    made = torch_call(call, form)
    if made is None:
        return None
    outs = [] if call.op.in_place else [form(given.tensor) for given in call.writes]

    def into() -> None:
        found = made()
        results = found if isinstance(found, tuple) else (found,)
        for out, result in zip(outs, results, strict=False):
            out.copy_(result)

    compiled: Callable[[], Any] = torch.compile(into, dynamic=False)
    return compiled


def _formed(value: Any, form: Form) -> Any:
    if value is None:
        return None
    return [form(one) for one in value] if isinstance(value, tuple) else form(value)


def _torch_tensor(tensor: Tensor) -> Any:
    return pytorch.tensor(array(tensor), tensor.dtype)


def _from_torch(result: Any) -> list[NDArray[Any]]:
    results = result if isinstance(result, tuple) else (result,)
    return [one.float().numpy() if one.is_floating_point() else one.numpy() for one in results]


def _numpy(operands: Operands, threads: int) -> Prepared | str:
    call = operands.call
    if call.op.repeats is not None:
        return "it repeats another operator"
    storages = {number: given.tensor.owner for number, given in enumerate(call.used)}

    def seen(part: Part) -> NDArray[Any]:
        if part.tensor not in storages:  # scratch memory
            storages[part.tensor] = np.empty(part.view.storage_numel, part.view.dtype.numpy)
        found: NDArray[Any] = elements(storages[part.tensor], part.view)
        return found

    steps = []
    for step in call.op.steps(call):
        if step.routine is not None:
            return "it runs a routine"
        if any(name.endswith(words.ADDRESS) for name in step.reads):
            return "it looks up elements"
        formula = _Formula(operands, step)
        if formula.unknown:
            return f"the formula has {formula.unknown}"
        if any(part is not None and part.tensor == POSITIONS for part in step.reads.values()):
            return "the formula has positions"
        inputs = {name: seen(part) for name, part in step.reads.items() if part is not None}
        outs = [seen(part) for part in step.writes if part is not None]
        steps.append((formula, inputs, outs))

    def run() -> None:
        with np.errstate(all="ignore"):
            for formula, inputs, outs in steps:
                for out, value in zip(outs, formula(np, inputs), strict=True):
                    out[...] = value

    return Prepared(run, lambda result: operands.outputs)


def _jax(operands: Operands, threads: int) -> Prepared | str:
    call = operands.call
    if call.op.repeats is not None:
        return "it repeats another operator"
    views = [given.tensor.view for given in call.used]
    if call.op.steps is not elementwise:
        return "an operator takes its tensors in parts"
    if not all(view.contiguous for view in views):
        return "an operand is strided: its arrays are not"
    (step,) = call.op.steps(call)
    if step.routine is not None:
        return "it runs a routine"
    formula = _Formula(operands, step)
    if formula.dtype.itemsize == 8 or any(view.dtype.bits == 64 for view in views):
        return "an operand has 64 bits: it computes in 32"
    if formula.unknown:
        return f"the formula has {formula.unknown}"
    import jax

    inputs = {
        name: jax.numpy.asarray(elements(call.used[part.tensor].tensor.owner, part.view))
        for name, part in step.reads.items()
        if part is not None
    }
    outs = [(given.tensor.shape, given.tensor.dtype.numpy) for given in call.writes]

    def results(inputs: Mapping[str, Any]) -> list[Any]:
        found = zip(formula(jax.numpy, inputs), outs, strict=True)
        return [jax.numpy.broadcast_to(value, shape).astype(to) for value, (shape, to) in found]

    compiled = jax.jit(results)
    return Prepared(
        lambda: jax.block_until_ready(compiled(inputs)),
        lambda found: [np.asarray(one) for one in found],
    )


ALL = {
    one.name: one
    for one in (
        Alternative("torch", "torch", "PyTorch eager",
                    "its operators, writing into a given output where they can", _eager),
        Alternative("torch.compile", "torch", "torch.compile",
                    "its operators fused into one kernel, writing into a given output", _compiled),
        Alternative("jax", "jax", "JAX",
                    "the formula jit-compiled; a new output, and threads of its own", _jax),
        Alternative("numpy", "numpy", "NumPy",
                    "the formula as it stands, with temporaries, on one thread; 16 bits as float32",
                    _numpy),
    )
}  # fmt: skip


def installed() -> list[str]:
    return [name for name, one in ALL.items() if one.version is not None]


class _Formula:
    """A step's formula over arrays of a library that speaks NumPy. `unknown` is an operation that
    it has no word for."""

    def __init__(self, operands: Operands, step: Step) -> None:
        call = operands.call
        promoted = call.promoted
        assert promoted is not None
        compute = call.op.computes_in(promoted, EXACT, call.attributes)
        self.dtype = _computed_in(promoted, compute)
        self.attributes, self.axes = call.attributes, step.axes
        self.shapes = [part.view.shape for part in step.writes if part is not None]
        self.traced = self._traced(operands, step)
        names = self.traced.uniforms
        reads = [part.view.shape for part in step.reads.values() if part is not None]
        shape = np.broadcast_shapes(*reads, *(self.shapes if not reads else ()))
        given = {**call.attributes, **extents_of(names, call.attributes, shape, step.axes)}
        values = call.op.numbers(names, given, call.numel, promoted)
        self.uniforms = dict(zip(names, map(self.number, values), strict=True))
        words = (one.op for result in self.traced.results for one in walk(result))
        self.unknown = next(filter(_unknown, words), "")

    def _traced(self, operands: Operands, step: Step) -> Traced:
        call = operands.call
        compute = "f32" if self.dtype == np.float32 else "f64"
        return call.op.traced(
            step.formula or call.op.formula_in(compute),
            {name: part is not None for name, part in step.reads.items()},
            call.attributes,
            tuple(part is not None for part in step.writes),
        )

    def number(self, value: float) -> Any:
        """A number beside arrays; an integer wraps."""
        if self.dtype.kind == "f":
            return value
        bits = 8 * self.dtype.itemsize
        return np.array(int(value) % 2**bits, f"u{bits // 8}").astype(self.dtype)[()]

    def __call__(self, xp: Any, inputs: Mapping[str, Any]) -> list[Any]:
        known: dict[Expr, Any] = {}  # what occurs twice is computed once
        given = {
            name: one if one.dtype == self.dtype else one.astype(self.dtype)
            for name, one in inputs.items()
        }

        def value(expr: Expr) -> Any:
            if expr.op in ("input", "uniform"):
                return (given if expr.op == "input" else self.uniforms)[expr.name]
            if expr.op == "const":
                return self.number(expr.value)
            if expr.op in ("known_as", "near"):
                return value(expr.args[-1])
            if expr not in known:
                arguments = [value(arg) for arg in expr.args]
                if expr.op in ("add", "sub"):  # a condition is a number, 0 or 1
                    arguments = [self.as_number(xp, one) for one in arguments]
                if expr.op == "sigmoid":
                    known[expr] = 1 / (1 + xp.exp(-arguments[0]))
                elif expr.op == "rsqrt":
                    known[expr] = 1 / xp.sqrt(arguments[0])
                elif expr.op == "fold":
                    known[expr] = self.folded(xp, expr, arguments[0])
                else:
                    known[expr] = getattr(xp, WORDS.get(expr.op, expr.op))(*arguments)
            return known[expr]

        found = map(value, self.traced.results)
        return [
            one.reshape(shape) if np.size(one) == math.prod(shape) else one
            for one, shape in zip(found, self.shapes, strict=True)
        ]

    def as_number(self, xp: Any, one: Any) -> Any:
        found = xp.asarray(one)
        return found.astype(self.dtype) if found.dtype == bool else one

    def folded(self, xp: Any, expr: Expr, terms: Any) -> Any:
        """What terms make together, along dimensions that stay with size 1."""
        dims = dims_of(expr.over, self.attributes, terms.ndim, self.axes)
        fold = getattr(xp, {"add": "sum"}.get(expr.name, expr.name))
        return fold(terms, axis=dims, keepdims=True)


def _computed_in(promoted: DType, compute: str) -> np.dtype[Any]:
    """As kernels do, but float32 for all floats of up to 32 bits."""
    if promoted.kind == "float":
        return np.dtype(np.float32 if promoted.bits <= 32 else np.float64)
    return np.dtype(
        np.uint64 if promoted is UINT64 else {"i32": np.int32, "i64": np.int64}[compute]
    )


_PLAIN = ("input", "uniform", "const", "known_as", "near", "sigmoid", "rsqrt", "fold")


def _unknown(op: str) -> bool:
    return op not in _PLAIN and not hasattr(np, WORDS.get(op, op))
