"""The cache folder is used only where it is its owner's alone."""

from __future__ import annotations

import os

import pytest

from openaclnn.base import cache


@pytest.fixture
def at(monkeypatch, tmp_path):
    """Choose a cache folder for one test."""

    def choose(path) -> None:
        monkeypatch.setenv("OPENACLNN_CACHE", str(path))
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        cache._root.cache_clear()

    yield choose
    cache._root.cache_clear()


def test_made_for_its_owner_alone(at, tmp_path):
    at(tmp_path / "a" / "b")
    made = cache.folder("kernels", "x86")
    assert made == tmp_path / "a" / "b" / "kernels" / "x86"
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700
    assert made.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_can_write_is_not_used(at, tmp_path, mode):
    open_folder = tmp_path / "open"
    open_folder.mkdir()
    open_folder.chmod(mode)
    at(open_folder)
    with pytest.warns(RuntimeWarning, match="can be written by others"):
        made = cache.folder("kernels")
    assert made == tmp_path / f"openaclnn-{os.geteuid()}" / "kernels"
    assert not list(open_folder.iterdir())


def test_a_folder_of_somebody_else_is_not_used(at, tmp_path, monkeypatch):
    folder = tmp_path / "other"
    folder.mkdir(mode=0o700)
    at(folder)
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    with pytest.warns(RuntimeWarning, match="belongs to user"):
        made = cache.folder()
    assert made.parent == tmp_path
    assert made != folder


def test_a_folder_that_cannot_be_made(at, tmp_path):
    (tmp_path / "file").write_text("")
    at(tmp_path / "file" / "cache")
    with pytest.warns(RuntimeWarning, match="cannot be made"):
        assert cache.folder().is_dir()


def test_the_usual_place(monkeypatch, tmp_path):
    monkeypatch.delenv("OPENACLNN_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.wanted_root() == tmp_path / "openaclnn"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.wanted_root() == tmp_path / ".cache" / "openaclnn"


def test_files_are_written_whole(at, tmp_path):
    at(tmp_path / "cache")
    path = cache.folder() / "entry"
    cache.write_atomically(path, b"first")
    cache.write_atomically(path, b"second")
    assert path.read_bytes() == b"second"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["entry"]
