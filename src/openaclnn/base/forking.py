"""A lock for what a fork must not cut in half: imports on first use, the compiler at work.

A child has only the thread that forked. It would wait for ever for an import or a lock that another
thread was in; so whoever forks waits for this lock first. A signal's handler may call an operator
while its thread holds it.
"""

from __future__ import annotations

import os
import threading

whole = threading.RLock()
os.register_at_fork(
    before=whole.acquire, after_in_parent=whole.release, after_in_child=whole.release
)
