"""Capture and replay of the work of streams."""

from __future__ import annotations

from openaclnn.base.acl_codes import Code
from openaclnn.capi.runtime_api.function import Section, function

_STREAM = (Code.RT_INVALID_HANDLE, Code.RT_STREAM_CONTEXT)

MODELS = Section("acl/acl_mdl.h", "Captured work", (
    function("aclmdlRICaptureBegin", "aclrtStream stream, aclmdlRICaptureMode mode",
             "Keep what is asked of a stream from now on, instead of doing it. Streams that wait "
             "for an event that was recorded there take part. Until the end, what would be done at "
             "once (copies, fills, waiting) is refused: everywhere, in this thread, or "
             "nowhere, as the mode says.",
             Code.RT_PARAM_INVALID, *_STREAM, Code.RT_STREAM_CAPTURED,
             Code.RT_STREAM_CAPTURE_IMPLICIT, python=None, asks="capture_begin"),
    function("aclmdlRICaptureGetInfo",
             "aclrtStream stream, out aclmdlRICaptureStatus *status, out aclmdlRI *modelRI",
             "Get whether a stream is captured, and the model that it will be part of.",
             *_STREAM, python=None, asks="capture_get_info"),
    function("aclmdlRICaptureEnd", "aclrtStream stream, out aclmdlRI *modelRI",
             "End a capture where it began; the model does what was kept.",
             *_STREAM, Code.RT_STREAM_CAPTURE_IMPLICIT, Code.RT_STREAM_NOT_CAPTURED,
             Code.RT_STREAM_CAPTURE_UNMATCHED, Code.RT_STREAM_UNJOINED, python=None,
             asks="capture_end"),
    function("aclmdlRIExecuteAsync", "aclmdlRI modelRI, aclrtStream stream",
             "Do a model's work in the order of a stream.",
             Code.INVALID_PARAM, *_STREAM, Code.RT_MODEL_CAPTURED, Code.RT_MODEL_EXECUTE,
             python=None, asks="execute_async"),
    function("aclmdlRIExecute", "aclmdlRI modelRI, int32_t timeout",
             "Do a model's work and wait for it, so many milliseconds at most; -1 is for ever.",
             Code.INVALID_PARAM, *_STREAM, Code.RT_CONTEXT_NULL, Code.RT_PARAM_INVALID,
             Code.RT_MODEL_CAPTURED, Code.RT_MODEL_EXECUTE, Code.RT_STREAM_SYNC_TIMEOUT,
             python=None, asks="execute_async"),
    function("aclmdlRICaptureThreadExchangeMode", "aclmdlRICaptureMode *mode",
             "Choose which captures forbid the calling thread what would be done at once: those "
             "of all threads (global, at first), its own, or none. The choice before comes back.",
             Code.INVALID_PARAM, Code.RT_PARAM_INVALID, python=None),
    function("aclmdlRISetName", "aclmdlRI modelRI, const char *name",
             "Give a model a name of fewer than 128 bytes.",
             Code.INVALID_PARAM, Code.RT_INVALID_HANDLE, python=None),
    function("aclmdlRIGetName", "aclmdlRI modelRI, uint32_t maxLen, out char *name",
             "Get the name, empty where there is none.",
             Code.INVALID_PARAM, Code.RT_INVALID_HANDLE, python=None),
    function("aclmdlRIGetId", "aclmdlRI modelRI, out uint32_t *modelRIId",
             "Get a number that no other model has.",
             Code.INVALID_PARAM, Code.RT_INVALID_HANDLE, python=None),
    function("aclmdlRIDestroy", "aclmdlRI modelRI",
             "End a model.", Code.INVALID_PARAM, Code.RT_INVALID_HANDLE, Code.RT_MODEL_CAPTURED,
             python=None, asks="destroy_model"),
))  # fmt: skip

SECTIONS = (MODELS,)
