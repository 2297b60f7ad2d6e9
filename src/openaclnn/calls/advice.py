"""What to do about a refused dtype, for people who call operators on arrays: NumPy and Python turn
plain numbers into float64 and int64, which few operators take."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from openaclnn.base.dtypes import BF16, FLOAT, DType
from openaclnn.base.status import AclnnError
from openaclnn.base.tensors import Tensor
from openaclnn.spec import describe
from openaclnn.spec.op import Op


def added(
    error: AclnnError, op: Op, inputs: Mapping[str, Any], tensors: Mapping[str, Any]
) -> AclnnError:
    """The same refusal, with the cast that would mend it where an input's dtype is what is
    refused."""
    for name, array in inputs.items():
        tensor = tensors[name]
        if not isinstance(tensor, Tensor) or tensor.dtype in describe.dtypes(op):
            continue
        if f"{name} has dtype {tensor.dtype};" in error.message:
            cast = _cast(name, array, _wanted(op, tensors))
            return type(error)(error.status, f"{error.message}; cast it: {cast}")
    return error


def _wanted(op: Op, tensors: Mapping[str, Any]) -> DType:
    """What another input has that the operator takes; float32 where none has."""
    found = (tensors[a.name] for a in op.inputs)
    allowed = describe.dtypes(op)
    return next((t.dtype for t in found if isinstance(t, Tensor) and t.dtype in allowed), FLOAT)


def _cast(name: str, array: Any, dtype: DType) -> str:
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        return f"{name}.to(torch.{dtype.numpy_name})"
    module = "ml_dtypes" if dtype is BF16 else "np"
    if hasattr(array, "astype"):
        return f"{name}.astype({module}.{dtype.numpy_name})"
    return f"np.asarray({name}, {module}.{dtype.numpy_name})"
