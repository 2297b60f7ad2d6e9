"""Builds the wheel and the source distribution of the last commit in folder dist, and tries them.

    python scripts/release.py             build twice, compare, install, run a program
    python scripts/release.py --no-try    build and compare only

Both are the same bytes wherever and whenever they are built from one commit with one version of
setuptools: times are the commit's, owners and orders are fixed. Each is installed into a clean
environment, the wheel for every Python from 3.10 on that is found. Nothing is uploaded.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
PROGRAM = min((ROOT / "examples").glob("*.cpp"))  # prints its name and numbers


def main(arguments: list[str]) -> int:
    """The exit status: 1 where builds differ or something does not work."""
    target = ROOT / "dist"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        built = [build(Path(folder)) for folder in (first, second)]
        digests = [{path.name: digest(path) for path in files} for files in built]
        if digests[0] != digests[1]:
            print(f"two builds differ: {digests[0]} and {digests[1]}", file=sys.stderr)
            return 1
        for path in built[0]:
            print(f"{digest(path)}  {shutil.copy(path, target)}")
    if "--no-try" in arguments:
        return 0
    wheel, source = sorted(target.iterdir(), key=lambda path: path.suffix != ".whl")
    tried = {version: found for version in VERSIONS if (found := interpreter(version))}
    works = [attempt(python, wheel) for python in tried.values()]
    works.append(attempt(sys.executable, source))
    missing = [version for version in VERSIONS if version not in tried]
    if missing:
        print(f"not tried, as there is no such Python here: {', '.join(missing)}")
    return int(not all(works))


def interpreter(version: str) -> str | None:
    """A Python of a version that is found and starts: on the path, or where pyenv and uv put it."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    uv = Path.home() / ".local" / "share" / "uv" / "python"
    elsewhere = [*pyenv.glob(f"{version}*/bin/python{version}"),
                 *uv.glob(f"cpython-{version}*/bin/python{version}")]  # fmt: skip
    for found in filter(None, [shutil.which(f"python{version}"), *map(str, elsewhere)]):
        if subprocess.run([found, "-c", ""], capture_output=True).returncode == 0:
            return found
    return None


def build(folder: Path) -> list[Path]:
    """The wheel and the source distribution of the last commit, made below a folder."""
    tree, out = folder / "tree", folder / "out"
    packed = subprocess.check_output(["git", "archive", "HEAD"], cwd=ROOT)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(tree)
    when = subprocess.check_output(["git", "log", "-1", "--format=%ct"], cwd=ROOT, text=True)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": when.strip(), "PYTHONHASHSEED": "0"}
    environment.pop("PYTHONPATH", None)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", out, tree]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"the build failed:\n{done.stdout}{done.stderr}")
    for path in out.glob("*.tar.gz"):
        normalise(path, int(when))
    return sorted(out.iterdir())


def normalise(path: Path, when: int) -> None:
    """Write a source distribution again with fixed times, owners, rights and order."""
    with tarfile.open(path) as archive:
        found = sorted(archive.getmembers(), key=lambda member: member.name)
        members = [(one, archive.extractfile(one)) for one in found]
        contents = [(one, file.read() if file else b"") for one, file in members]
    with (
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", 9, raw, mtime=when) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for member, data in contents:
            member.mtime, member.uid, member.gid = when, 0, 0
            member.uname = member.gname = ""
            member.pax_headers = {}
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            archive.addfile(member, io.BytesIO(data))


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def attempt(python: str, package: Path) -> bool:
    """Whether a package works in a clean environment of a Python: import, doctor, a C++ program."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as folder:
        clean["OPENACLNN_CACHE"] = f"{folder}/cache"
        inside = f"{folder}/env/bin"
        steps = (
            [python, "-m", "venv", f"{folder}/env"],
            [f"{inside}/python", "-m", "pip", "install", "--quiet", package],
            [f"{inside}/python", "-W", "error", "-c", "import openaclnn"],
            [f"{inside}/openaclnn", "doctor"],
            [f"{inside}/openaclnn", "run", PROGRAM],
        )
        for step in steps:
            done = subprocess.run(step, env=clean, cwd=folder, capture_output=True, text=True)
            if done.returncode:
                said = done.stdout + done.stderr
                print(f"{package.name} with {python}: {step[1:]} failed:\n{said}")
                return False
        if not done.stdout.startswith(f"{PROGRAM.stem}: "):
            print(f"{package.name} with {python}: the program said {done.stdout!r}")
            return False
    print(f"{package.name} with {python}: works")
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
