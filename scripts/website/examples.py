"""An example for operators whose files have none (in-place variants, variants that take a number,
operators of lists): a small call that is made up, run and printed when the site is built."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import openaclnn
from openaclnn.base.dtypes import DType
from openaclnn.base.scalars import Scalar
from openaclnn.base.status import OpenaclnnError
from openaclnn.base.tensors import Tensor
from openaclnn.spec import describe
from openaclnn.spec.call import Call
from openaclnn.spec.host import SCALAR_LIST
from openaclnn.spec.op import REQUIRED, Op
from openaclnn.verify import trials
from openaclnn.verify.form import tried

_SHAPES = ((3,), (2, 2), (1, 2, 2), (1, 2, 2, 2))
# Of every tensor other values; the first set whose results are all finite is shown.
_FLOATS: tuple[tuple[tuple[float, ...], ...], ...] = (
    ((-1, 0.5, 2), (3, -0.25, 1), (0.5, 2, -4)),
    ((0.25, 0.5, 0.75), (0.5, 0.25, 0.125), (0.75, 0.25, 0.5)),
    ((1.5, 2, 3), (2, 0.5, 1), (4, 1, 2)),
)
_INTEGERS = ((6, 3, 5), (2, 1, 3), (1, 0, 2))
_NUMBERS = (2, 0.5, 1)  # of an attribute without a default; the first that is accepted


def made_up(op: Op) -> str:
    """A console session, or nothing where no small call is accepted.

    >>> from openaclnn.ops import find
    >>> made_up(find("inplace_relu")).splitlines()[-1]
    'array([0. , 0.5, 2. ], dtype=float32)'
    """
    found = ""
    for text, finite in _sessions(op):
        if finite:
            return text
        found = found or text
    return found


def _sessions(op: Op) -> Iterator[tuple[str, bool]]:
    """Sessions, and whether all their results are finite."""
    dtypes = sorted(describe.dtypes(op), key=lambda dtype: dtype.name != "FLOAT")
    for dtype in dtypes[:2]:
        for shape in _SHAPES:
            for row in _attributes(op):
                try:
                    call = trials.call_in(op, dtype, shape, row)
                    for values in _FLOATS:
                        yield _session(op, call, values)
                except (OpenaclnnError, ValueError, TypeError):
                    continue


def _attributes(op: Op) -> Iterator[dict[str, Any]]:
    first = {a.name: [2, 3] for a in op.attributes if a.host is SCALAR_LIST} | tried(op)[0]
    needed = [a.name for a in op.attributes if a.default is REQUIRED and a.name not in first]
    for number in _NUMBERS if needed else ((),):
        yield {**first, **dict.fromkeys(needed, number)}


def _session(op: Op, call: Call, values: tuple[tuple[float, ...], ...]) -> tuple[str, bool]:
    lines, said, count = ["import numpy as np, openaclnn"], [], 0
    by_place = True  # until an argument is left out
    for name, parameter in inspect.signature(getattr(openaclnn, op.name)).parameters.items():
        value = None if name == "out" else call[name]
        each = value if isinstance(value, tuple) else (value,)
        if each and isinstance(each[0], Tensor):
            literals = [_literal(_filled(one, values, count + k)) for k, one in enumerate(each)]
            text = ", ".join(literals)
            lines.append(f"{name} = [{text}]" if isinstance(value, tuple) else f"{name} = {text}")
            count += len(each)
            shown = name
        elif value is None or value == op.defaults.get(name, REQUIRED):
            by_place = False
            continue
        else:
            shown = _attribute(value)
        by_place &= parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        said.append(shown if by_place else f"{name}={shown}")
    line = f"openaclnn.{op.name}({', '.join(said)})"
    result = _run(lines, line)
    return "\n".join([*(f">>> {text}" for text in (*lines, line)), repr(result)]), _finite(result)


def _run(lines: list[str], line: str) -> Any:
    names: dict[str, Any] = {}
    exec("\n".join(lines), names)
    with np.errstate(all="ignore"):
        return eval(line, names)


def _filled(tensor: Tensor, values: tuple[tuple[float, ...], ...], number: int) -> NDArray[Any]:
    dtype, count = tensor.dtype, int(np.prod(tensor.shape))
    if dtype.kind == "float":
        some = values[number % len(values)]
    elif dtype.kind == "bool":
        some = (True, False, True)
    else:
        some = _INTEGERS[number % len(_INTEGERS)]
    return np.resize(np.array(some), count).reshape(tensor.shape).astype(dtype.numpy)


def _literal(array: NDArray[Any]) -> str:
    numbers = str(array.tolist()).replace(".0,", ",").replace(".0]", "]")
    dtype = array.dtype.name
    return f"np.array({numbers}, {'bool' if dtype == 'bool' else f'np.{dtype}'})"


def _attribute(value: Any) -> str:
    if isinstance(value, Scalar):
        value = value.value
    if isinstance(value, DType):
        return f"np.{value.numpy.name}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_attribute, value))}]"
    return f"{value:g}" if isinstance(value, float) else repr(value)


def _finite(result: Any) -> bool:
    parts = result if isinstance(result, (list, tuple)) else (result,)
    return all(np.isfinite(part).all() for part in parts)
