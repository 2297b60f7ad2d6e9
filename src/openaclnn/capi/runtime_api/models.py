"""Work of streams that is captured and executed again."""

from __future__ import annotations

from openaclnn.base.acl_codes import Code
from openaclnn.capi.runtime_api.function import Section, function

_STREAM = (Code.RT_INVALID_HANDLE, Code.RT_STREAM_CONTEXT)

MODELS = Section("acl/acl_mdl.h", "Captured work", (
    function("aclmdlRICaptureBegin", "aclrtStream stream, aclmdlRICaptureMode mode",
             "Keep what is asked of a stream from now on, instead of doing it. Streams that wait "
             "for an event that was recorded there take part. Until the end, what would be done at "
             "once (copies, fills, allocation, waiting) is refused: everywhere, in this thread, or "
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
    function("aclmdlRIDestroy", "aclmdlRI modelRI",
             "End a model.", Code.INVALID_PARAM, Code.RT_INVALID_HANDLE, Code.RT_MODEL_CAPTURED,
             python=None, asks="destroy_model"),
))  # fmt: skip

SECTIONS = (MODELS,)
