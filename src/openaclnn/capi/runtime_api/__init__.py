"""Every function of the acl runtime, described once.

The C headers' declarations and the library's entries (`capi/runtime_c.py`), the module acl.rt
(`capi/runtime_python.py`) and the page docs/runtime.md are written from these tables. What they ask
of a device stands in `runtime/interface.py`, in the same words: aclrtMallocHost is `malloc_host` in
Python, in pyACL and in the C library's table of a device."""

from __future__ import annotations

from openaclnn.capi.runtime_api.base import INITIALISATION, MESSAGES, NUMBERS
from openaclnn.capi.runtime_api.devices import CONTEXTS, DEVICES
from openaclnn.capi.runtime_api.function import Function, Parameter, Section
from openaclnn.capi.runtime_api.memory import MEMORY, VIRTUAL
from openaclnn.capi.runtime_api.streams import EVENTS, STREAMS

__all__ = ["FUNCTIONS", "SECTIONS", "Function", "Parameter", "Section"]

SECTIONS = (INITIALISATION, NUMBERS, MESSAGES, DEVICES, CONTEXTS, MEMORY, VIRTUAL, STREAMS, EVENTS)
FUNCTIONS = tuple(function for section in SECTIONS for function in section.functions)
