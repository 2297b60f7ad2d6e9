"""What frameworks look up by name and no header declares."""

from __future__ import annotations

from openaclnn.capi.runtime_api.function import UNDECLARED, Function, Section, function


def _private(name: str, prototype: str, sentence: str, returns: str) -> Function:
    return function(name, prototype, sentence, returns=returns, python=None)


FRAMEWORKS = Section(UNDECLARED, "Looked up by name, declared nowhere", (
    _private("InitHugeMemThreadLocal", "void *arg, bool shared",
             "Begin to keep memory for a thread's calls; there is nothing to keep.", "int "),
    _private("UnInitHugeMemThreadLocal", "void *arg, bool shared",
             "End that.", "void "),
    _private("ReleaseHugeMem", "void *arg, bool shared",
             "Give such memory back.", "void "),
    _private("CanUsePTACache", "const char *api",
             "Get whether executors of an operator are kept by a caller's key: never.", "bool "),
    _private("InitPTACacheThreadLocal", "",
             "Begin to keep them; nothing is kept.", "void "),
    _private("UnInitPTACacheThreadLocal", "",
             "End that.", "void "),
    _private("SetPTAHashKey", "uint64_t hash",
             "Name the key of the next call.", "void "),
    _private("SetPTACacheHashKey", "uint8_t *key, size_t size",
             "Name the key of the next call.", "void "),
    _private("AddTensorAddrToCachedList", "void *addr",
             "Add an address to what is kept.", "void "),
    _private("PTAGetExecCache", "uint64_t hash, uint64_t *workspaceSize",
             "Get the executor of a key: null, so that the two calls are made.",
             "aclOpExecutor *"),
    _private("PTAFindExecCache", "uint8_t *key, size_t size, uint64_t *workspaceSize",
             "Get the executor of a key: null, so that the two calls are made.",
             "aclOpExecutor *"),
))  # fmt: skip

SECTIONS = (FRAMEWORKS,)
