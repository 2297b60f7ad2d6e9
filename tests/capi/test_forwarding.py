"""A device that the C library does not know: requests reach the runtime module, and errors return.

The module here is a stand-in that keeps a diary; its memory is the host's."""

from __future__ import annotations

import sys

SCRIPT = """
import ctypes, sys, threading, types
from openaclnn.runtime import AclError

diary = []
blocks = {}
cuda = types.ModuleType("openaclnn.runtime.cuda")

Called = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

def told(name, answer=None):
    def function(*values):
        diary.append((name, *values))
        return answer(*values) if callable(answer) else answer
    setattr(cuda, name, function)

def allocate(size):
    if size > 1 << 40:
        raise AclError(207001, f"malloc: the device has no {size} bytes")
    buffer = ctypes.create_string_buffer(size)
    blocks[ctypes.addressof(buffer)] = buffer
    return ctypes.addressof(buffer)

told("get_device_count", 2)
told("set_device")
told("synchronize_device")
told("malloc", allocate)
told("free", lambda address: blocks.pop(address) and None)
told("malloc_host", allocate)
told("free_host", lambda address: blocks.pop(address) and None)
told("memcpy", lambda to, source, count, *rest: ctypes.memmove(to, source, count) and None)
told("memcpy_async", lambda to, source, count, *rest: ctypes.memmove(to, source, count) and None)
told("memset", lambda to, value, count: ctypes.memset(to, value, count) and None)
told("memset_async", lambda to, value, count, stream: ctypes.memset(to, value, count) and None)
told("get_mem_info", (5, 7))
told("get_device_info", lambda device, attribute: 1000 * device + attribute)
told("host_register", lambda address, size: address)
told("host_unregister")
told("memcpy2d")
told("memcpy2d_async")
told("mem_get_allocation_granularity", 4096)
told("reserve_mem_address", 1 << 40)
told("release_mem_address")
told("malloc_physical", 3003)
told("free_physical")
told("map_mem")
told("unmap_mem")
told("device_can_access_peer", True)
told("create_stream", 1001)
told("destroy_stream")
told("synchronize_stream")
told("stream_query", False)
told("stream_wait_event")
told("create_event", 2002)
told("capture_begin")
told("capture_get_info", (True, 77))
told("capture_end", 4004)
told("execute_async")
told("destroy_model")
told("destroy_event")
told("record_event")
told("synchronize_event")
told("event_get_timestamp", 7000)
told("set_stream_failure_mode")
told("launch_host_func", lambda stream, function, data: Called(function)(data))
told("query_event", True)
told("event_elapsed_time", 1250000)
sys.modules["openaclnn.runtime.cuda"] = cuda

import acl
assert acl.rt.get_device_count() == (2, 0)
assert acl.rt.set_device(2) == 107001
assert acl.rt.set_device(1) == 0
assert acl.rt.device_can_access_peer(0, 1) == (1, 0)
assert acl.rt.get_mem_info(1) == (5, 7, 0)
ptr, code = acl.rt.malloc(64, 0)
host, code = acl.rt.malloc_host(64)
assert (code, ptr in blocks) == (0, True)
assert acl.rt.malloc(1 << 41, 0) == (0, 207001)
assert "the device has no" in acl.get_recent_err_msg()
stream, code = acl.rt.create_stream_with_config(3, 2)
event, code = acl.rt.create_event_with_flag(8)
assert acl.rt.memset(host, 64, 7, 64) == 0
assert acl.rt.memcpy(ptr, 64, host, 64, 1) == 0
assert acl.rt.memcpy(ptr, 64, host, 65, 1) == 107000
assert acl.rt.memcpy_async(host, 64, ptr, 64, 2, stream) == 0
assert acl.rt.memset_async(ptr, 64, -1, 64, stream) == 0
assert acl.util.ptr_to_bytes(host, 64) == bytes([7]) * 64
assert acl.rt.record_event(event, stream) == 0
assert acl.rt.stream_wait_event(stream, event) == 0
assert acl.rt.query_event(event) == (0, 0)
assert acl.rt.synchronize_event(event) == 0
assert acl.rt.synchronize_event_with_timeout(event, 40) == 0
assert acl.rt.event_elapsed_time(event, event) == (1.25, 0)
assert acl.rt.event_get_timestamp(event) == (7, 0)
assert acl.rt.set_stream_failure_mode(stream, 1) == 0
called = []
assert acl.rt.subscribe_report(threading.get_ident(), stream) == 0
assert acl.rt.launch_callback(called.append, "data", 0, stream) == 0
assert acl.rt.process_report(1000) == 0 and called == ["data"]
assert acl.rt.stream_query(stream) == (1, 0)
assert acl.rt.synchronize_stream_with_timeout(stream, 30) == 0
assert acl.rt.synchronize_stream(stream) == 0
assert acl.rt.synchronize_stream(0) == 0
assert acl.rt.synchronize_device() == 0
assert acl.rt.synchronize_device_with_timeout(50) == 0
assert acl.rt.destroy_event(event) == 0
assert acl.rt.destroy_stream(stream) == 0
assert acl.rt.free(ptr) == 0 and acl.rt.free_host(host) == 0 and not blocks
assert acl.rt.free(ptr) == 107000

assert acl.rt.get_device_info(1, 302) == (1302, 0)
assert acl.get_device_capability(1, 2) == (1302, 0)
freed, (ptr, code) = ptr, acl.rt.malloc(64, 0)
copied, (host, code) = host, acl.rt.malloc_host(64)
assert acl.rt.memcpy2d(ptr, 16, host, 8, 4, 3, 1) == 0
assert acl.rt.memcpy2d_async(host, 8, ptr, 16, 4, 3, 2, 0) == 0
mine = ctypes.create_string_buffer(8)
address = ctypes.addressof(mine)
assert acl.rt.host_register(address, 8, 0) == (address, 0)
assert acl.rt.host_unregister(address) == 0

class Property(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("handle", "allocation", "attribute")]
    _fields_ += [("id", ctypes.c_uint32), ("type", ctypes.c_int), ("reserve", ctypes.c_uint64)]

library = ctypes.CDLL("libascendcl.so")
pointer, size = ctypes.c_void_p, ctypes.c_size_t
library.aclrtMallocPhysical.argtypes = [pointer, size, pointer, ctypes.c_uint64]
library.aclrtMapMem.argtypes = [pointer, size, size, pointer, ctypes.c_uint64]
library.aclrtUnmapMem.argtypes = library.aclrtFreePhysical.argtypes = [pointer]
memory = ctypes.c_void_p()
wanted = Property(id=1, type=1)
place, code = acl.rt.reserve_mem_address(5000, 0, 0, 1)
assert (place, code) == (1 << 40, 0)
assert library.aclrtMallocPhysical(ctypes.byref(memory), 4096, ctypes.byref(wanted), 0) == 0
assert library.aclrtMapMem(place + 4096, 4096, 0, memory, 0) == 0
assert library.aclrtUnmapMem(place + 4096) == 0
assert library.aclrtFreePhysical(memory) == 0
assert acl.rt.release_mem_address(place) == 0

stream, code = acl.rt.create_stream()
model, captured = ctypes.c_void_p(), ctypes.c_int()
library.aclmdlRICaptureBegin.argtypes = [pointer, ctypes.c_int]
library.aclmdlRICaptureGetInfo.argtypes = [pointer, pointer, pointer]
library.aclmdlRICaptureEnd.argtypes = library.aclmdlRIExecuteAsync.argtypes = [pointer, pointer]
library.aclmdlRIDestroy.argtypes = [pointer]
assert library.aclmdlRICaptureBegin(stream, 0) == 0
assert library.aclmdlRICaptureGetInfo(stream, ctypes.byref(captured), ctypes.byref(model)) == 0
assert captured.value == 1 and model.value
assert acl.rt.memset(ptr, 64, 0, 64) == 107030
assert library.aclmdlRICaptureEnd(stream, ctypes.byref(model)) == 0
assert library.aclmdlRIExecuteAsync(model, stream) == 0
assert library.aclmdlRIDestroy(model) == 0

del cuda.synchronize_device
assert acl.rt.synchronize_device() == 500000
assert "AttributeError" in acl.get_recent_err_msg()

answers = []
thread = threading.Thread(target=lambda: answers.append(acl.rt.malloc(8, 0)[1]))
thread.start(); thread.join()
assert answers == [0]

for entry in [
    ("set_device", 1), ("device_can_access_peer", 0, 1), ("malloc", 64), ("create_stream", 3, 2),
    ("create_event", 8), ("memset", copied, 7, 64), ("memcpy", freed, copied, 64, 1),
    ("memcpy_async", copied, freed, 64, 2, 1001), ("memset_async", freed, -1, 64, 1001),
    ("record_event", 2002, 1001), ("stream_wait_event", 1001, 2002),
    ("event_elapsed_time", 2002, 2002),
    ("synchronize_stream", 1001, 30), ("synchronize_stream", 1001, -1),
    ("memcpy2d", ptr, 16, host, 8, 4, 3, 1), ("memcpy2d_async", host, 8, ptr, 16, 4, 3, 2, 0),
    ("host_register", address, 8), ("reserve_mem_address", 8192, 4096, 0),
    ("malloc_physical", 4096, 1), ("map_mem", place + 4096, 4096, 0, 3003),
    ("unmap_mem", place + 4096, 4096), ("free_physical", 3003, 4096),
    ("synchronize_device", -1), ("synchronize_device", 50), ("synchronize_event", 2002, -1),
    ("synchronize_event", 2002, 40), ("set_stream_failure_mode", 1001, 1),
    ("capture_begin", 1001, 0), ("capture_end", 1001), ("execute_async", 4004, 1001),
    ("destroy_model", 4004), ("release_mem_address", place, 8192), ("synchronize_stream", 0, -1),
    ("destroy_event", 2002), ("destroy_stream", 1001, 0), ("free", freed),
]:
    assert entry in diary, entry
assert diary.count(("set_device", 1)) == 2  # once for each thread, not for each call
print("right")
"""


def test_every_request_arrives(toolkit, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = toolkit.cli("run", "--device", "cuda", script)
    assert done.stdout == "right\n", done.stderr


def test_a_device_that_is_not_there(toolkit, tmp_path):
    """cuda asked for by name and missing: an error with what to do, not the CPU in secret."""
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nsys.modules['openaclnn.runtime.cuda'] = None\nimport acl\n"
        "print(acl.rt.set_device(0), acl.get_recent_err_msg())\n"
    )
    done = toolkit.cli("run", "--device", "cuda", script)
    assert done.stdout.startswith("507899 ")
    assert "pip install triton cuda-bindings" in done.stdout


def test_a_device_of_no_name(toolkit):
    env = {**toolkit.environment, "OPENACLNN_DEVICE": "abacus"}
    env["PYTHONPATH"] = f"{toolkit.home}/python/site-packages"
    text = "import acl\nprint(acl.rt.set_device(0), acl.get_recent_err_msg())"
    done = toolkit.execute([sys.executable, "-c", text], env=env)
    assert done.stdout.startswith("100000 ")
    assert "expected auto, cpu or cuda" in done.stdout
