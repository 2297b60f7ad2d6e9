"""Every function of the acl runtime, described once.

The C headers' declarations and the library's entries (`capi/runtime_c.py`), the module acl.rt
(`scripts/runtime_python.py`) and the page docs/runtime.md are written from these tables. What they
ask of a device stands in `runtime/interface.py`, in the same words: aclrtMallocHost is
`malloc_host` in Python, in pyACL and in the C library's table of a device."""

from __future__ import annotations

from openaclnn.capi.runtime_api import (
    base,
    collectives,
    devices,
    frameworks,
    memory,
    models,
    objects,
    sharing,
    single_operators,
    streams,
    system,
    weights,
)  # fmt: skip
from openaclnn.capi.runtime_api.function import UNDECLARED, Function, Parameter, Section

__all__ = [
    "ENTRIES", "FUNCTIONS", "OBJECTS", "SECTIONS", "UNDECLARED", "Function", "Parameter", "Section",
]  # fmt: skip

_PARTS = (
    base,
    devices,
    memory,
    streams,
    models,
    system,
    single_operators,
    sharing,
    collectives,
    frameworks,
)
SECTIONS = tuple(section for part in _PARTS for section in part.SECTIONS)
FUNCTIONS = tuple(function for section in SECTIONS for function in section.functions)

# The functions around operators and their objects have entries like the runtime's.
OBJECTS = objects.SECTIONS + weights.SECTIONS
ENTRIES = FUNCTIONS + tuple(function for section in OBJECTS for function in section.functions)
