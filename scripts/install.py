"""Set up a virtual environment with the project and some of its dependency groups, saying what
happens.

    python3 scripts/install.py .venv [GROUP,GROUP]

Runs under whatever Python 3 the user has, so that one too old can be told so.
"""

import collections
import os
import re
import subprocess
import sys
import time

OLDEST = (3, 10)


def main(folder, groups=""):
    if sys.version_info < OLDEST:
        found, oldest = (".".join(map(str, version[:2])) for version in (sys.version_info, OLDEST))
        sys.exit(
            f"openaclnn needs Python {oldest} or later; {sys.executable} is {found}.\n"
            "Name another one: make PYTHON=python3.12 …"
        )
    began = time.time()
    python = os.path.join(folder, "bin", "python")
    if not works(python):
        say(f"making the virtual environment {folder}")
        make_environment(folder)
    say("installing openaclnn" + (f" with what {groups} need" if groups else ""))
    names = [name for name in groups.split(",") if name]
    install(python, requirements(python, names))
    compile_modules(folder, python)
    for name in {"run", *names}:
        with open(os.path.join(folder, f".installed-{name}"), "w"):
            pass  # the stamps that make looks at
    say(f"ready after {time.time() - began:.0f} s")


def say(text):
    print("-- " + text, flush=True)


def works(python):
    """Whether an environment is there and its Python has not moved away since."""
    try:
        return subprocess.call([python, "-c", "import pip"], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def make_environment(folder):
    try:
        import ensurepip  # noqa: F401  Debian packs it apart, and venv fails halfway without it
        import venv
    except ImportError:
        sys.exit(
            f"{sys.executable} cannot make virtual environments: its modules venv and ensurepip "
            "are missing.\nOn Debian and Ubuntu: apt install python3-venv"
        )
    venv.create(folder, clear=True, with_pip=True, symlinks=True)


def requirements(python, groups):
    """What [dependency-groups] of pyproject.toml list. Older versions of pip cannot read them, but
    every pip has what reads the file."""
    if not groups:
        return []
    read = (
        "import sys\n"
        "try: import tomllib\n"
        "except ImportError: from pip._vendor import tomli as tomllib\n"
        "table = tomllib.load(open('pyproject.toml', 'rb'))['dependency-groups']\n"
        "print('\\n'.join(line for name in sys.argv[1:] for line in table[name]))"
    )
    return subprocess.check_output([python, "-c", read, *groups]).decode().splitlines()


def install(python, others):
    """Run pip: a line for each larger download, and pip's own words where it fails."""
    command = [python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    command += ["--progress-bar", "off", "--no-compile", "--editable", ".", *others]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True
    )
    last = collections.deque(maxlen=30)
    for line in process.stdout:
        last.append(line)
        large = re.match(r"\s*Downloading (?:\S*/)?(\w+)-(\d[^-]*)-\S+ \(([\d.]+ [MG]B)\)", line)
        if large:
            say("  downloading {} {}, {}".format(*large.groups()))
        elif line.startswith("Installing collected packages"):
            count = line.count(",") + 1
            say(f"  unpacking {count} package{'s' if count > 1 else ''}")
    if process.wait():
        words = "".join(last)
        sys.exit(f"pip failed:\n\n{words}\nThe command was: {' '.join(command)}")


def compile_modules(folder, python):
    """What pip would do on one core, on all of them: 8000 modules take 24 s of a core's time."""
    command = [python, "-m", "compileall", "-q", "-j", "0", os.path.join(folder, "lib")]
    with open(os.devnull, "w") as nowhere:  # some packages have templates that are no Python
        subprocess.call(command, stdout=nowhere, stderr=nowhere)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
