"""Streams, events, and functions of the host in a stream."""

from __future__ import annotations

from openaclnn.base.acl_codes import Code
from openaclnn.capi.runtime_api.function import Section, function

_STREAM = (Code.RT_INVALID_HANDLE, Code.RT_STREAM_CONTEXT)
# a captured stream does nothing; an operator failed when the stream came to it
_WAITED = (*_STREAM, Code.RT_STREAM_CAPTURED, Code.RT_AICORE_EXCEPTION)
_EVENT = (Code.INVALID_PARAM, Code.RT_INVALID_HANDLE)
_REACHED = (*_EVENT, Code.RT_EVENT_CAPTURED)  # one of a capture is never reached

STREAMS = Section("acl/acl_rt.h", "Streams; null is the default stream", (
    function("aclrtCreateStream", "out aclrtStream *stream",
             "Make a stream.", Code.RT_CONTEXT_NULL),
    function("aclrtCreateStreamWithConfig",
             "out aclrtStream *stream, uint32_t priority, uint32_t flag",
             "Make a stream; 0 is the highest priority.", Code.RT_CONTEXT_NULL,
             asks="create_stream"),
    function("aclrtDestroyStream", "aclrtStream stream",
             "End a stream once its work is done.", Code.INVALID_PARAM, Code.RT_INVALID_HANDLE),
    function("aclrtDestroyStreamForce", "aclrtStream stream",
             "End a stream at once; what it has not begun may not be done.",
             Code.INVALID_PARAM, Code.RT_INVALID_HANDLE, asks="destroy_stream"),
    function("aclrtSynchronizeStream", "aclrtStream stream",
             "Wait for what was started in a stream.", *_WAITED),
    function("aclrtSynchronizeStreamWithTimeout", "aclrtStream stream, int32_t timeout",
             "Wait for a stream, at most so many milliseconds; -1 waits for ever.",
             Code.RT_PARAM_INVALID, *_WAITED, Code.RT_STREAM_SYNC_TIMEOUT,
             asks="synchronize_stream"),
    function("aclrtStreamQuery", "aclrtStream stream, out aclrtStreamStatus *status",
             "Get whether all that was started in a stream is done.", *_STREAM,
             Code.RT_STREAM_CAPTURED),
    function("aclrtStreamGetId", "aclrtStream stream, out int32_t *streamId",
             "Get a number that no other stream has; the default stream's is 0.", *_STREAM),
    function("aclrtSetStreamFailureMode", "aclrtStream stream, uint64_t mode",
             "Choose whether a stream goes on (0) or stops (1) where queued work has failed.",
             Code.INVALID_PARAM, Code.RT_PARAM_INVALID, *_STREAM),
    function("aclrtSetStreamAttribute",
             "aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue *value",
             "Set what happens after a failure, as aclrtSetStreamFailureMode does, or whether "
             "facts about operators are kept for a profiler, which none reads; others are refused.",
             Code.INVALID_PARAM, Code.RT_PARAM_INVALID, *_STREAM, Code.RT_FEATURE_NOT_SUPPORT,
             python=None, asks="set_stream_failure_mode"),
    function("aclrtStreamWaitEvent", "aclrtStream stream, aclrtEvent event",
             "Let a stream wait for an event's latest record.", *_REACHED, Code.RT_STREAM_CONTEXT,
             Code.RT_CAPTURE_DEPENDENCY, Code.STREAM_CAPTURE_CONFLICT),
))  # fmt: skip

EVENTS = Section("acl/acl_rt.h", "Events", (
    function("aclrtCreateEvent", "out aclrtEvent *event",
             "Make an event that keeps its time.", Code.RT_CONTEXT_NULL),
    function("aclrtCreateEventWithFlag", "out aclrtEvent *event, uint32_t flag",
             "Make an event for what its ACL_EVENT_… flags say.", Code.RT_CONTEXT_NULL,
             asks="create_event"),
    function("aclrtCreateEventExWithFlag", "out aclrtEvent *event, uint32_t flag",
             "As aclrtCreateEventWithFlag.", Code.RT_CONTEXT_NULL, asks="create_event"),
    function("aclrtDestroyEvent", "aclrtEvent event",
             "End an event.", *_EVENT),
    function("aclrtRecordEvent", "aclrtEvent event, aclrtStream stream",
             "Mark the place that a stream has reached.", *_EVENT, Code.RT_STREAM_CONTEXT),
    function("aclrtResetEvent", "aclrtEvent event, aclrtStream stream",
             "Forget that an event was recorded.", *_EVENT, Code.RT_STREAM_CONTEXT),
    function("aclrtSynchronizeEvent", "aclrtEvent event",
             "Wait until an event's mark is reached.", *_REACHED),
    function("aclrtSynchronizeEventWithTimeout", "aclrtEvent event, int32_t timeout",
             "Wait for an event, at most so many milliseconds; -1 waits for ever.",
             *_REACHED, Code.RT_PARAM_INVALID, Code.RT_EVENT_SYNC_TIMEOUT,
             asks="synchronize_event"),
    function("aclrtQueryEvent", "aclrtEvent event, out aclrtEventStatus *status",
             "Get whether an event's mark is reached; one that was never set is not.", *_REACHED),
    function("aclrtQueryEventStatus", "aclrtEvent event, out aclrtEventRecordedStatus *status",
             "As aclrtQueryEvent, with other constants.", *_REACHED, asks="query_event"),
    function("aclrtQueryEventWaitStatus", "aclrtEvent event, out aclrtEventWaitStatus *status",
             "Get whether no stream has to wait for an event any more.", *_REACHED,
             asks="query_event"),
    function("aclrtEventGetTimestamp", "aclrtEvent event, out uint64_t *timestamp",
             "Get when an event's mark was reached, in microseconds.", *_REACHED,
             Code.RT_EVENT_TIMESTAMP_INVALID, Code.RT_EVENT_NOT_COMPLETE),
    function("aclrtEventElapsedTime",
             "out float *ms, aclrtEvent startEvent, aclrtEvent endEvent",
             "Get the milliseconds between two marks.", *_REACHED, Code.RT_PARAM_INVALID,
             Code.RT_EVENT_NOT_COMPLETE),
))  # fmt: skip

CALLBACKS = Section("acl/acl_rt.h", "Functions of the host in a stream", (
    function("aclrtLaunchHostFunc", "aclrtStream stream, aclrtHostFunc func, void *args",
             "Call a function, on a thread of the runtime, when the stream comes to it.",
             Code.INVALID_PARAM, *_STREAM, python=None),
    function("aclrtSubscribeReport", "uint64_t threadId, aclrtStream stream",
             "Lend a thread to a stream: callbacks that are launched there run in it.",
             *_STREAM, Code.RT_STREAM_SUBSCRIBE),
    function("aclrtUnSubscribeReport", "uint64_t threadId, aclrtStream stream",
             "Undo aclrtSubscribeReport.", Code.RT_STREAM_NO_CB_REG, Code.RT_THREAD_SUBSCRIBE,
             python="acl.rt.unsubscribe_report"),
    function("aclrtLaunchCallback",
             "aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType, "
             "aclrtStream stream",
             "Let the stream's thread call a function when the stream comes to it; with "
             "ACL_CALLBACK_BLOCK the stream waits until it has.",
             Code.INVALID_PARAM, Code.RT_PARAM_INVALID, *_STREAM, Code.RT_STREAM_NO_CB_REG,
             Code.RT_STREAM_CAPTURED, asks="launch_host_func"),
    function("aclrtProcessReport", "int32_t timeout",
             "Wait for a callback, so many milliseconds at most (-1 is for ever), and run it.",
             Code.RT_PARAM_INVALID, Code.RT_THREAD_SUBSCRIBE, Code.RT_REPORT_TIMEOUT),
))  # fmt: skip

SECTIONS = (STREAMS, EVENTS, CALLBACKS)
