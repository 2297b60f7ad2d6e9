"""Runs the body of a formula on arrays, by the CPU engine's kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from interpreter import Array
from openaclnn.arithmetic.lower import Body
from openaclnn.base.dtypes import DType
from openaclnn.engines.cpu.launch import _Elementwise
from openaclnn.plan import Pass, Place
from openaclnn.plan.loop import Loop


def on_cpu(
    body: Body, inputs: Sequence[Array], out: DType, uniforms: Sequence[float] = ()
) -> Array:
    """The one result of a body for inputs of one dimension."""
    found = np.empty(inputs[0].size, out.numpy)
    arrays = [*map(np.ascontiguousarray, inputs), found]
    operands = len(arrays)
    loop = Loop(found.shape, ((1,),) * operands, (0,) * operands)
    places = tuple(map(Place, range(operands)))
    once = _Elementwise(Pass(body, loop, places, (), (), tuple(uniforms)))
    once.run(once.pack([array.ctypes.data for array in arrays]))
    return found
