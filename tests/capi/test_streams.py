"""Streams in which something has to be waited for, and captured work, from C++ and from Python."""

from __future__ import annotations

CALLBACKS = """
import acl, threading

stop = []
def process(arguments):
    context, timeout = arguments
    assert acl.rt.set_context(context) == 0
    while not stop:
        acl.rt.process_report(timeout)

called = []
def callback(data):
    called.append((data, threading.get_ident()))

acl.init()
context, code = acl.rt.create_context(0)
stream, code = acl.rt.create_stream()
assert acl.rt.launch_callback(callback, ["early"], 1, stream) == 107015
number, code = acl.util.start_thread(process, [context, 20])
assert code == 0
assert acl.rt.subscribe_report(number, stream) == 0
for i in range(50):
    assert acl.rt.launch_callback(callback, [i], 1, stream) == 0
assert acl.rt.synchronize_stream(stream) == 0
assert called == [([i], number) for i in range(50)], called
assert acl.rt.unsubscribe_report(number, stream) == 0
stop.append(True)
assert [acl.util.stop_thread(number), acl.util.stop_thread(number)] == [0, 100000]

import numpy as np
turned = np.arange(6, dtype=np.int32).reshape(2, 3).T
address, packed = acl.util.numpy_contiguous_to_ptr(turned)
assert np.frombuffer(acl.util.ptr_to_bytes(address, 24), np.int32).tolist() == [0, 3, 1, 4, 2, 5]
flat = np.arange(3)
assert acl.util.numpy_contiguous_to_ptr(flat)[0] == flat.ctypes.data
print("right")
"""


def test_streams(toolkit, device, program):
    done = toolkit.on(device).execute([program("streams"), device])
    assert (done.returncode, done.stdout) == (0, "streams: right\n")


def test_callbacks_in_python(toolkit, device, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(CALLBACKS)
    done = toolkit.cli("run", "--device", device, script)
    assert done.stdout == "right\n", done.stderr


def test_models(toolkit, device, program):
    done = toolkit.on(device).execute([program("models"), device])
    assert (done.returncode, done.stdout) == (0, "models: right\n")
