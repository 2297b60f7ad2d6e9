"""An emulated arm64 machine in a folder: a Debian whose programs run under qemu.

Nothing of the machine that it runs on is changed: qemu is registered for arm64 programs inside a
user namespace, which Linux 6.7 and later can do, and everything else stays in the folder.
"""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO

PROJECT = Path(__file__).resolve().parents[2]
QEMU = "qemu-aarch64-static"
RELEASE, PYTHON = "bookworm", "3.11"
DEBIAN = (
    f"python{PYTHON}", f"libpython{PYTHON}", f"python{PYTHON}-venv", "python3-pip", "gcc", "g++",
    "libgomp1", "make", "cmake", "git", "coreutils", "bash", "sed", "grep", "binutils",
    "ca-certificates",
)  # fmt: skip
# PyPI's later PyTorch for aarch64 is built for CUDA, at ten times the size
PACKAGES = (
    "numpy", "llvmlite>=0.45", "ml_dtypes", "click", "pytest", "hypothesis", "mpmath<1.4",
    "setuptools>=77", "wheel", "typing_extensions", "sympy", "networkx", "jinja2", "fsspec",
    "filelock",
)  # fmt: skip
PYTORCH = "torch==2.10.0"
PLATFORMS = [f"manylinux_2_{minor}_aarch64" for minor in (28, 27, 17)] + ["manylinux2014_aarch64"]

# How the kernel knows an arm64 program: the head of its file, and which bits of it count
_MAGIC = r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
_MASK = r"\xff\xff\xff\xff\xff\xff\xff\x00" + r"\xff" * 8 + r"\xfe\xff\xff\xff"
_OWN_NAMESPACES = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-ec")
_REGISTER = "mount -t binfmt_misc none /proc/sys/fs/binfmt_misc"
_ENTER = f"""{_REGISTER}
printf '%s' "$RULE" > /proc/sys/fs/binfmt_misc/register
mount --bind "$CPUINFO" /proc/cpuinfo
for each in proc dev sys; do mount --rbind /$each "$FOLDER/$each"; done
exec chroot "$FOLDER" "$@"
"""


@dataclass(frozen=True)
class Cpu:
    """What /proc/cpuinfo says: LLVM makes code for that, and qemu runs whatever comes."""

    implementer: int
    part: int
    features: str

    def text(self) -> str:
        facts = {
            "BogoMIPS": "200.00",
            "Features": self.features,
            "CPU implementer": f"{self.implementer:#04x}",
            "CPU architecture": "8",
            "CPU variant": "0x1",
            "CPU part": f"{self.part:#05x}",
            "CPU revision": "0",
        }
        listed = "".join(f"{name}\t: {fact}\n" for name, fact in facts.items())
        return "".join(f"processor\t: {cpu}\n{listed}\n" for cpu in range(os.cpu_count() or 1))


_V8 = "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm jscvt fcma"
CPUS = {
    "kunpeng920": Cpu(0x48, 0xD01, f"{_V8} dcpop asimddp asimdfhm"),
    "neoverse-v1": Cpu(
        0x41, 0xD40, f"{_V8} lrcpc dcpop asimddp sve asimdfhm svei8mm svebf16 i8mm bf16"
    ),
    "cortex-a53": Cpu(0x41, 0xD03, "fp asimd evtstrm cpuid"),
}


class Missing(Exception):
    """What this machine lacks, in a sentence."""


def check_this_machine() -> None:
    """Raises Missing where an emulated machine cannot be made here."""
    if platform.machine() == "aarch64":
        raise Missing("this machine is an aarch64 itself; make test does it without emulation")
    if platform.system() != "Linux":
        raise Missing(f"this machine runs {platform.system()}; expected Linux 6.7 or later")
    if os.geteuid():
        raise Missing("only root can make the emulated machine; try again as root: sudo make arm")
    packages = {QEMU: "qemu-user-static", "mmdebstrap": "mmdebstrap", "unshare": "util-linux"}
    absent = [package for program, package in packages.items() if not shutil.which(program)]
    if absent:
        raise Missing(
            f"{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not installed; on "
            f"Debian and Ubuntu: apt-get install --no-install-recommends {' '.join(absent)}"
        )
    tried = subprocess.run([*_OWN_NAMESPACES, _REGISTER], capture_output=True, text=True)
    if tried.returncode:
        raise Missing(
            "emulators cannot be registered inside a user namespace here; expected Linux 6.7 or "
            f"later and leave to make one ({platform.release()} says: {tried.stderr.strip()})"
        )


@dataclass(frozen=True)
class Machine:
    """The emulated machine in a folder. `cpu` names one of `CPUS`."""

    folder: Path = PROJECT / "build" / "arm"
    cpu: str = "kunpeng920"

    @property
    def root(self) -> Path:
        return self.folder / "root"

    def _command(self, *words: str, **environment: str) -> tuple[list[str], dict[str, str]]:
        """What runs a command in the machine, and in which environment to start that."""
        inside = {
            "PATH": "/opt/venv/bin:/usr/local/bin:/usr/bin:/bin",
            "HOME": "/root",
            "LANG": "C.UTF-8",
            "QEMU_CPU": "max,pauth-impdef=on",  # the architecture's own hash takes much time
        } | environment
        named = [f"{name}={value}" for name, value in inside.items()]
        emulator = shutil.which(QEMU)
        outside = {
            "RULE": f":openaclnn-aarch64:M::{_MAGIC}:{_MASK}:{emulator}:FP",
            "CPUINFO": str(self.folder / f"cpuinfo-{self.cpu}"),
            "FOLDER": str(self.root),
        }
        entering = [*_OWN_NAMESPACES, _ENTER, "sh", "/usr/bin/env", "-i", *named, *words]
        return entering, os.environ | outside

    def run(
        self, *words: str, quiet: bool = False, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in the machine; what it prints is kept where it is to be quiet."""
        command, started_in = self._command(*words, **environment)
        return subprocess.run(command, env=started_in, text=True, capture_output=quiet)

    def must_run(self, *words: str, **environment: str) -> str:
        """What a command prints in the machine, which must end well."""
        done = self.run(*words, quiet=True, **environment)
        if done.returncode:
            sys.exit(f"in the emulated machine, {' '.join(words)} failed:\n{done.stderr}")
        return done.stdout

    def lock(self) -> IO[str]:
        """Keep others from making or using the machine until the file is closed."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        file = self.folder.with_suffix(".lock").open("w")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise Missing(f"another make arm is at work in {self.folder}; wait for it") from None
        return file

    def make(self) -> None:
        """Make the machine, unless it is there and was made in the same way."""
        stamp, recipe = self.folder / "made", sha256(Path(__file__).read_bytes()).hexdigest()
        if stamp.exists() and stamp.read_text() == recipe:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for name, cpu in CPUS.items():
            (self.folder / f"cpuinfo-{name}").write_text(cpu.text())
        self._unpack_debian()
        self._install_packages()
        stamp.write_text(recipe)

    def _unpack_debian(self) -> None:
        """Packages are unpacked, not configured: their scripts would run emulated, for nothing."""
        _must_run(
            "mmdebstrap", "--quiet", "--architectures=arm64", "--variant=extract",
            f"--include={','.join(DEBIAN)}", RELEASE, str(self.root),
            *os.environ.get("MIRROR", "").split(),
        )  # fmt: skip
        for link, target in (("bin/sh", "bash"), ("usr/bin/cc", "gcc"), ("usr/bin/c++", "g++")):
            (self.root / link).unlink(missing_ok=True)
            (self.root / link).symlink_to(target)
        (self.root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/bash\n")
        (self.root / "etc/group").write_text("root:x:0:\n")

    def _install_packages(self) -> None:
        """Into a virtual environment, by the pip of this machine: that takes no emulation."""
        self.must_run(f"python{PYTHON}", "-m", "venv", "--without-pip", "/opt/venv")
        site = self.root / f"opt/venv/lib/python{PYTHON}/site-packages"
        wheels = [f"--platform={name}" for name in PLATFORMS]
        for packages in (PACKAGES, ("--no-deps", PYTORCH)):
            _must_run(
                sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                "--upgrade", f"--target={site}", f"--python-version={PYTHON}",
                "--only-binary=:all:", *wheels, *packages,
            )  # fmt: skip

    def install_project(self) -> str:
        """Copy the working tree into the machine and install it there; where it is."""
        place = self.root / "openaclnn"
        shutil.rmtree(place, ignore_errors=True)
        for path in _files_of_the_project():
            target = place / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(PROJECT / path, target, follow_symlinks=False)
        self.must_run(
            f"/usr/bin/python{PYTHON}", "-m", "pip", "--python", "/opt/venv/bin/python", "install",
            "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--editable",
            f"/{place.name}",
        )  # fmt: skip
        return f"/{place.name}"


def _files_of_the_project() -> list[str]:
    """Tracked ones, and new ones that git does not ignore."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    return [path for path in listed.stdout.split("\0") if path and (PROJECT / path).is_file()]


def _must_run(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{words[0]} failed:\n{done.stderr}\nThe command was: {' '.join(words)}")


def main(words: Sequence[str]) -> int:
    """Run a command in the machine that `make arm` has made, to look into a failure."""
    return Machine().run(*(words or ("bash",))).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
