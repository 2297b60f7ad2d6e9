"""The build's own step: stubs for editors and type checkers, written from the operators' files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import setup
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


setup(cmdclass={"build_py": BuildWithStubs})
