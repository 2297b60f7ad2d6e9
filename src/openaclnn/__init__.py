"""openaclnn: run aclnn programs without an NPU.

>>> import numpy as np
>>> x = np.array([-1.0, 0.0, 1.0], np.float32)
>>> silu_backward(np.ones_like(x), x)
array([0.07232949, 0.5       , 0.92767054], dtype=float32)

The operators are functions of this module; `openaclnn.aclnn` has them in the shape of the C API.
"""

from openaclnn.base.settings import math, product
from openaclnn.base.status import AclnnError, Status

__version__ = "0.1.0"

from openaclnn.calls import operators as _operators
from openaclnn.calls.operators import *  # noqa: F403  one function for every operator


def get_num_threads() -> int:
    """How many threads a large call on the CPU is shared among."""
    from openaclnn.engines.cpu import threads

    return threads.get_num_threads()


def set_num_threads(count: int) -> None:
    """Share large calls on the CPU among this many threads; results do not depend on it."""
    from openaclnn.engines.cpu import threads

    threads.set_num_threads(count)


__all__ = [
    "AclnnError",
    "Status",
    "get_num_threads",
    "math",
    "product",
    "set_num_threads",
]
__all__ += _operators.__all__
