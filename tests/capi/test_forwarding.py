"""A device that the C library does not know: requests reach the runtime module, and errors return.

The module here is a stand-in that keeps a diary; its memory is the host's."""

from __future__ import annotations

import sys

SCRIPT = """
import ctypes, sys, types
from openaclnn.runtime import AclError

diary = []
blocks = {}
cuda = types.ModuleType("openaclnn.runtime.cuda")

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
told("device_can_access_peer", True)
told("create_stream", 1001)
told("destroy_stream")
told("synchronize_stream")
told("stream_query", False)
told("stream_wait_event")
told("create_event", 2002)
told("destroy_event")
told("record_event")
told("synchronize_event")
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
assert acl.rt.event_elapsed_time(event, event) == (1.25, 0)
assert acl.rt.stream_query(stream) == (1, 0)
assert acl.rt.synchronize_stream_with_timeout(stream, 30) == 0
assert acl.rt.synchronize_stream(stream) == 0
assert acl.rt.synchronize_stream(0) == 0
assert acl.rt.synchronize_device() == 0
assert acl.rt.destroy_event(event) == 0
assert acl.rt.destroy_stream(stream) == 0
assert acl.rt.free(ptr) == 0 and acl.rt.free_host(host) == 0 and not blocks
assert acl.rt.free(ptr) == 107000

del cuda.synchronize_device
assert acl.rt.synchronize_device() == 500000
assert "AttributeError" in acl.get_recent_err_msg()

import threading
answers = []
thread = threading.Thread(target=lambda: answers.append(acl.rt.malloc(8, 0)[1]))
thread.start(); thread.join()
assert answers == [0]

for entry in [
    ("set_device", 1), ("device_can_access_peer", 0, 1), ("malloc", 64), ("create_stream", 3, 2),
    ("create_event", 8), ("memset", host, 7, 64), ("memcpy", ptr, host, 64, 1),
    ("memcpy_async", host, ptr, 64, 2, 1001), ("memset_async", ptr, -1, 64, 1001),
    ("record_event", 2002, 1001), ("stream_wait_event", 1001, 2002),
    ("event_elapsed_time", 2002, 2002),
    ("synchronize_stream", 1001, 30), ("synchronize_stream", 1001, -1),
    ("synchronize_stream", 0, -1), ("destroy_event", 2002), ("destroy_stream", 1001), ("free", ptr),
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
    assert "openaclnn[cuda]" in done.stdout


def test_a_device_of_no_name(toolkit):
    env = {**toolkit.environment, "OPENACLNN_DEVICE": "abacus"}
    env["PYTHONPATH"] = f"{toolkit.home}/python"
    text = "import acl\nprint(acl.rt.set_device(0), acl.get_recent_err_msg())"
    done = toolkit.execute([sys.executable, "-c", text], env=env)
    assert done.stdout.startswith("100000 ")
    assert "expected auto, cpu or cuda" in done.stdout
