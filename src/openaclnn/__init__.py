"""openaclnn: run aclnn programs without an NPU.

>>> import numpy as np
>>> x = np.array([-1.0, 0.0, 1.0], np.float32)
>>> silu_backward(np.ones_like(x), x)
array([0.07232949, 0.5       , 0.92767054], dtype=float32)

The operators are functions of this module, made when they are first used; `openaclnn.aclnn` has
them in the shape of the C API. Names are aclnn's, and those that users of NumPy and PyTorch know.
Python's numbers and lists are arrays of float32.

>>> clip([-2.0, 0.5, 3.0], 0, 1)
array([0. , 0.5, 1. ], dtype=float32)
>>> sum([[1.0, 2.0], [3.0, 4.0]], axis=0)
array([4., 6.], dtype=float32)
"""

from importlib import import_module
from os import listdir
from typing import TYPE_CHECKING, Any

from openaclnn.base.fork_lock import fork_lock as _fork_lock
from openaclnn.base.status import AclnnError as AclnnError
from openaclnn.base.status import AclnnTypeError as AclnnTypeError
from openaclnn.base.status import AclnnValueError as AclnnValueError
from openaclnn.base.status import OpenaclnnError as OpenaclnnError
from openaclnn.base.status import Status as Status

if TYPE_CHECKING:  # one function for every operator; using, with the names of levels and chips
    from openaclnn.calls.operators import *  # noqa: F403
else:
    from openaclnn.base.settings import using as using

__version__ = "0.1.0"

_OWN = [
    "AclnnError",
    "AclnnTypeError",
    "AclnnValueError",
    "OpenaclnnError",
    "Status",
    "get_num_threads",
    "set_num_threads",
    "using",
]


def get_num_threads() -> int:
    """The number of threads that large calls on the CPU use."""
    with _fork_lock:
        from openaclnn.engines.cpu import threads

    return threads.get_num_threads()


def set_num_threads(count: int) -> None:
    """Share large calls on the CPU among this many threads; results do not depend on it."""
    with _fork_lock:
        from openaclnn.engines.cpu import threads

    threads.set_num_threads(count)


_MODULES = ["aclnn", "compare"]  # which are there without an import of their own

# the import system finds these by itself
_PARTS = {name.partition(".")[0] for folder in __path__ for name in listdir(folder)}  # noqa: F405


if not TYPE_CHECKING:  # checkers know every name, and are to find those that are none

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            with _fork_lock:
                return import_module(f"openaclnn.{name}")
        if name in _PARTS or (name.startswith("_") and name != "__all__"):
            raise AttributeError(f"module 'openaclnn' has no attribute {name!r}")
        with _fork_lock:
            from openaclnn.calls import by_name

            if name == "__all__":
                return [*_OWN, *by_name.shadowing_nothing(by_name.names())]
            try:
                found = by_name.function(name)
            except LookupError as error:
                raise AttributeError(
                    f"module 'openaclnn' has no attribute {name!r}: {error}"
                ) from None
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    from openaclnn.calls import by_name

    special = [name for name in globals() if name.startswith("__")]
    return sorted({*_OWN, *_MODULES, *special, *by_name.names()})
