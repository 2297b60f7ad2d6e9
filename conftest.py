"""What no test may depend on: who runs it, in which language, and what that shell ignores."""

from __future__ import annotations

import os
import signal

for name in list(os.environ):
    # our own settings, but for the cache, which only decides what is compiled anew
    if name.startswith("OPENACLNN_") and name != "OPENACLNN_CACHE":
        del os.environ[name]
    if name.startswith("LC_") or name in ("LANGUAGE", "NO_COLOR", "FORCE_COLOR"):
        del os.environ[name]
os.environ["LANG"] = "C.UTF-8"

# a script that starts the tests with `&` ignores these for them, and children would inherit it
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):
    if signal.getsignal(number) is signal.SIG_IGN:
        default = signal.default_int_handler if number is signal.SIGINT else signal.SIG_DFL
        signal.signal(number, default)
