"""Copy what cases.py and model.py need of a build of llama.cpp, to be run on another machine.

    python scripts/llama/carry.py BUILD FOLDER

FOLDER then serves them as BUILD does, without llama.cpp's sources, a compiler or this path: the
build must have been configured with -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON
-DCMAKE_INSTALL_RPATH='$ORIGIN' and -DGGML_NATIVE=OFF.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

import model

import cases

NAMES = ("libggml*.so.0", "libllama.so.0", "test-backend-ops", "llama-simple")
ALONG = ("libgomp.so.1",)  # which a machine may lack


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="build folder of llama.cpp")
    parser.add_argument("folder", type=pathlib.Path, help="where to copy to")
    options = parser.parse_args()
    to = options.folder / "bin"
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    cases.compiled(options.build, to).rename(to / "survive.so")
    model.compiled(options.build, to, "$ORIGIN").rename(to / "model")
    found = [path for name in NAMES for path in (options.build / "bin").glob(name)]
    for path in found:
        shutil.copy2(path, to)
        subprocess.run(["strip", to / path.name], check=True)
    lines = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    for name in ALONG:
        place = re.search(rf"^\s*{re.escape(name)} .*=> (.*)$", lines, re.M)
        if place:
            shutil.copy(place[1], to)
    bound = [path.name for path in to.iterdir() if path.is_file() and not is_movable(path)]
    if bound:
        print(f"bound to this machine's paths: {', '.join(bound)}", file=sys.stderr)
    return int(bool(bound))


def is_movable(path: pathlib.Path) -> bool:
    """Whether a file names no folder in which it looks for libraries but its own."""
    said = subprocess.run(["readelf", "-d", path], capture_output=True, text=True).stdout
    found = re.search(r"\(R(?:UN)?PATH\).*\[(.*)\]", said)
    return not found or set(found[1].split(":")) <= {"$ORIGIN", ""}


if __name__ == "__main__":
    sys.exit(main())
