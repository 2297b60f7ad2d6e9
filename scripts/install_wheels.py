"""Unpack wheels into a folder, without what they depend on; say so in a line if that fails.

    python scripts/install_wheels.py FOLDER REQUIREMENT...

For tests of packages that must not be seen by others: a folder is seen by who has it in PYTHONPATH.
"""

import pathlib
import subprocess
import sys


def main(folder, *requirements):
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-input", "--no-deps", "--no-compile", "--only-binary", ":all:", "--upgrade"]
    command += ["--retries", "1", "--target", folder, *requirements]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        why = (done.stderr.strip() or "pip failed").splitlines()[-1]
        print(f"-- {requirements[0]} cannot be installed, its tests are left out: {why}")
        return
    print(f"-- {requirements[0]} unpacked in {folder}")
    (pathlib.Path(folder) / ".installed").touch()


if __name__ == "__main__":
    main(*sys.argv[1:])
