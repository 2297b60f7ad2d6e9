"""A lock around all work that only a first call does (imports, compilation), so that a fork cannot
interrupt it.

A child has only the thread that forked. It would wait for ever for an import or a lock that another
thread was in; so a fork waits for this lock first. A signal's handler may call an operator
while its thread holds it.
"""

from __future__ import annotations

import logging  # noqa: F401  it has a lock for forks too, and must not register it while one waits
import os
import threading

fork_lock = threading.RLock()
os.register_at_fork(
    before=fork_lock.acquire, after_in_parent=fork_lock.release, after_in_child=fork_lock.release
)
