"""Devices other than the CPU: their memory, streams and events, as the acl runtime means them.

The CPU needs nothing from here: its memory is the host's, and its streams work when they are told.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from openaclnn.base import settings
from openaclnn.base.acl_codes import Code
from openaclnn.runtime.interface import AclError, Runtime

__all__ = ["AclError", "Runtime", "cuda_exists", "cuda_runtime", "device_kind"]


def cuda_runtime() -> Runtime:
    """NVIDIA's devices. Importing them takes a while, so it waits for the first who asks."""
    name = f"{__name__}.cuda"
    try:
        runtime: Runtime = import_module(name)
    except ImportError as error:
        raise AclError(
            Code.RT_DRV_INTERNAL_ERROR,
            f"the device cuda is not there: {error}; pip install triton cuda-bindings, or choose "
            "OPENACLNN_DEVICE=cpu",
        ) from None
    return runtime


@cache
def cuda_exists() -> bool:
    """Whether there is an NVIDIA device that can be used. Never raises."""
    try:
        return find_spec(f"{__name__}.cuda") is not None and cuda_runtime().get_device_count() > 0
    except Exception:  # a broken driver is no device
        return False


def device_kind() -> str:
    """The device that OPENACLNN_DEVICE chooses: "cpu" or "cuda"."""
    choice = settings.device_choice()
    if choice == "auto":
        return "cuda" if cuda_exists() else "cpu"
    return choice
