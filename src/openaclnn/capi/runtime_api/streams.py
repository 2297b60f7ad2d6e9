"""Streams and events."""

from __future__ import annotations

from openaclnn.base.acl_codes import Code
from openaclnn.capi.runtime_api.function import Section, function

_STREAM = (Code.RT_INVALID_HANDLE, Code.RT_STREAM_CONTEXT)
_EVENT = (Code.INVALID_PARAM, Code.RT_INVALID_HANDLE)

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
             "End a stream.", Code.INVALID_PARAM, Code.RT_INVALID_HANDLE, asks="destroy_stream"),
    function("aclrtSynchronizeStream", "aclrtStream stream",
             "Wait for what was started in a stream.", *_STREAM),
    function("aclrtSynchronizeStreamWithTimeout", "aclrtStream stream, int32_t timeout",
             "The same for so many milliseconds at most; -1 is for ever.",
             Code.RT_PARAM_INVALID, *_STREAM, Code.RT_STREAM_SYNC_TIMEOUT,
             asks="synchronize_stream"),
    function("aclrtStreamQuery", "aclrtStream stream, out aclrtStreamStatus *status",
             "Get whether all that was started in a stream is done.", *_STREAM),
    function("aclrtStreamWaitEvent", "aclrtStream stream, aclrtEvent event",
             "Let a stream wait for an event's latest record.", *_EVENT, Code.RT_STREAM_CONTEXT),
))  # fmt: skip

EVENTS = Section("acl/acl_rt.h", "Events", (
    function("aclrtCreateEvent", "out aclrtEvent *event",
             "Make an event that keeps its time.", Code.RT_CONTEXT_NULL),
    function("aclrtCreateEventWithFlag", "out aclrtEvent *event, uint32_t flag",
             "Make an event for what its ACL_EVENT_… flags say.", Code.RT_CONTEXT_NULL,
             asks="create_event"),
    function("aclrtCreateEventExWithFlag", "out aclrtEvent *event, uint32_t flag",
             "The same.", Code.RT_CONTEXT_NULL, asks="create_event"),
    function("aclrtDestroyEvent", "aclrtEvent event",
             "End an event.", *_EVENT),
    function("aclrtRecordEvent", "aclrtEvent event, aclrtStream stream",
             "Mark the place that a stream has reached.", *_EVENT, Code.RT_STREAM_CONTEXT),
    function("aclrtSynchronizeEvent", "aclrtEvent event",
             "Wait until an event's mark is reached.", *_EVENT),
    function("aclrtQueryEvent", "aclrtEvent event, out aclrtEventStatus *status",
             "Get whether an event's mark is reached; one that was never set is not.", *_EVENT),
    function("aclrtQueryEventStatus", "aclrtEvent event, out aclrtEventRecordedStatus *status",
             "The same, by other constants.", *_EVENT, asks="query_event"),
    function("aclrtEventElapsedTime",
             "out float *ms, aclrtEvent startEvent, aclrtEvent endEvent",
             "Get the milliseconds between two marks.", *_EVENT, Code.RT_PARAM_INVALID),
))  # fmt: skip

SECTIONS = (STREAMS, EVENTS)
