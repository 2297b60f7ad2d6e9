"""A Python program that opens the library with ctypes: prints the statuses of an operator's two
calls, the result, and the message. Arguments: the library, and "pydll" to hold the
GIL while calling."""

import ctypes
import sys

library = (ctypes.PyDLL if "pydll" in sys.argv else ctypes.CDLL)(sys.argv[1])
library.aclCreateTensor.restype = ctypes.c_void_p
library.aclCreateTensor.argtypes = [
    ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int,
    ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p,
]  # fmt: skip
library.aclGetRecentErrMsg.restype = ctypes.c_char_p


def tensor(values):
    shape = (ctypes.c_int64 * 1)(len(values))
    return library.aclCreateTensor(shape, 1, 0, None, 0, 2, shape, 1, ctypes.addressof(values))


gradient, x, out = ((ctypes.c_float * 3)(*values) for values in ([1, 1, 1], [0, 1, 2], [0, 0, 0]))
tensors = [tensor(values) for values in (gradient, x, out)]
size, executor = ctypes.c_uint64(), ctypes.c_void_p()
status = library.aclnnSiluBackwardGetWorkspaceSize(
    *map(ctypes.c_void_p, tensors), ctypes.byref(size), ctypes.byref(executor)
)
print("phase 1:", status)
if status == 0:
    print("phase 2:", library.aclnnSiluBackward(None, size, executor, None))
    print("out:", *(f"{value:.6f}" for value in out))
message = library.aclGetRecentErrMsg()
print("message:", message.decode() if message else "none")

# "interrupt": Ctrl-C comes while calls are running, and must reach this program
if "interrupt" in sys.argv:
    import _thread
    import threading

    threading.Timer(0.3, _thread.interrupt_main).start()
    try:
        while True:
            library.aclnnSiluBackwardGetWorkspaceSize(
                *map(ctypes.c_void_p, tensors), ctypes.byref(size), ctypes.byref(executor)
            )
            library.aclnnSiluBackward(None, size, executor, None)
    except KeyboardInterrupt:
        print("interrupted")
