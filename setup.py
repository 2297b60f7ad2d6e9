"""The build's own steps: stubs for editors and type checkers, written from the operators' files;
and nothing of an earlier build."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.build import build
from setuptools.command.build_py import build_py

SOURCE = Path(__file__).resolve().parent / "src"
WRITE = "from openaclnn.calls import stubs; sys.exit(stubs.main(sys.argv[1:]))"
STUBS = ("operators.pyi", "c_names.pyi")


class BuildWithStubs(build_py):
    """Beside the modules in the wheel; in the checkout where the install is editable."""

    def run(self) -> None:
        if not self.editable_mode:  # an earlier build's modules may be gone from the sources
            shutil.rmtree(Path(self.build_lib) / "openaclnn", ignore_errors=True)
        super().run()
        self._folder().mkdir(parents=True, exist_ok=True)
        # not by PYTHONPATH, from which pip's build environments drop an earlier editable install
        program = f"import sys; sys.path.insert(0, {str(SOURCE)!r}); {WRITE}"
        command = [sys.executable, "-c", program, str(self._folder())]
        environment = {k: v for k, v in os.environ.items() if k != "OPENACLNN_OPS"}
        subprocess.run(command, env=environment, check=True)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        written = [] if self.editable_mode else [str(self._folder() / name) for name in STUBS]
        return [*super().get_outputs(include_bytecode), *written]

    def _folder(self) -> Path:
        root = SOURCE if self.editable_mode else Path(self.build_lib)
        return root / "openaclnn" / "calls"


class BuildElsewhere(build):
    """In a new folder: one in the checkout keeps modules that are gone and installs them."""

    def initialize_options(self) -> None:
        super().initialize_options()
        self.build_base = tempfile.mkdtemp(prefix="openaclnn-build-")
        atexit.register(shutil.rmtree, self.build_base, ignore_errors=True)


setup(cmdclass={"build": BuildElsewhere, "build_py": BuildWithStubs})
