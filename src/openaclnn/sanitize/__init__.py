"""The sanitizer: reads the record of a program's calls (capi/records.py) and tells what is wrong.

`world.py` keeps what each process has: blocks of memory, objects. A tool looks at every call and at
what is left in the end: `memory.py`, `objects.py`. `findings.py` counts and suppresses, `report.py`
prints, `stacks.py` finds lines, `watch.py` follows a record while it grows."""
