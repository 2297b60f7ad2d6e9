"""What is done when a module is imported."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from openaclnn.torch.imported import when_imported


def test_when_a_module_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "waited_for.py").write_text("value = 5\n")
    monkeypatch.syspath_prepend(tmp_path)
    finders, done = list(sys.meta_path), []

    def then() -> None:
        done.append(sys.modules["waited_for"].value)  # which is whole by now

    when_imported("waited_for", then)
    import json  # noqa: F401  another does not count

    assert not done
    importlib.import_module("waited_for")
    assert done == [5]
    assert sys.meta_path == finders
    when_imported("waited_for", then)  # it is there
    assert done == [5, 5]
    monkeypatch.delitem(sys.modules, "waited_for")
    when_imported("nowhere_at_all", then)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("nowhere_at_all")
    assert sys.meta_path == finders
