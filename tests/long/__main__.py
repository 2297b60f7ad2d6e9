"""Starts a program of this folder, with the tests' modules within its reach:

    python tests/long NAME [ARGUMENTS]

`make` has a target for most of them; each says at its top what it does and takes.
"""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
# what pyproject.toml has under `pythonpath`, and what other tests keep beside themselves
FOLDERS = [TESTS, TESTS / "support", HERE, TESTS / "engines" / "cuda", TESTS / "pytorch"]


def main() -> None:
    known = {path.stem: path for path in sorted(HERE.iterdir()) if path.suffix in ("", ".py")}
    programs = {name: path for name, path in known.items() if not name.startswith("_")}
    if len(sys.argv) < 2 or sys.argv[1] not in programs:
        sys.exit(f"usage: python tests/long NAME [ARGUMENTS]; names are {', '.join(programs)}")
    folders = [str(folder) for folder in FOLDERS]
    sys.path[:1] = folders
    given = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join([*folders, *filter(None, [given])])
    sys.argv = sys.argv[1:]
    runpy.run_path(str(programs[sys.argv[0]]), run_name="__main__")


if __name__ == "__main__":
    main()
