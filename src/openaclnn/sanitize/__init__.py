"""The sanitizer and the tracer: they read the record of a program's calls (sanitize/records.py).

`world.py` keeps what each process has: blocks of memory, objects. A tool looks at every call and at
what is left in the end: `memory.py`, `objects.py`, both through `tools.py`; `order.py` and
`habits.py` have a memory of their own. `uses.py` tells which bytes a call uses, `written.py` which
bytes of a block were written.
`findings.py` counts and suppresses, `report.py` prints, `stacks.py` finds lines, `watch.py` follows
a record while it grows. `trace.py` makes Chrome's trace events of it."""
