"""The cache folder: its owner's alone, marked as ours, and never a reason for a call to fail."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from openaclnn.base import cache

Choose = Callable[[Path], None]


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Choose]:
    """Choose a cache folder for one test."""

    def choose(path: Path) -> None:
        monkeypatch.setenv("OPENACLNN_CACHE", str(path))
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
        (tmp_path / "tmp").mkdir(exist_ok=True)
        cache._root.cache_clear()

    yield choose
    cache._root.cache_clear()


def said(caplog: pytest.LogCaptureFixture) -> str:
    return "\n".join(record.getMessage() for record in caplog.records)


def test_made_for_its_owner_alone(at: Choose, tmp_path: Path) -> None:
    at(tmp_path / "a" / "b")
    made = cache.folder("kernels")
    assert made == tmp_path / "a" / "b" / "openaclnn" / "kernels"
    for folder in (made.parents[1], made.parents[0], made):
        assert folder.stat().st_mode & 0o777 == 0o700
    tag = (made.parent / "CACHEDIR.TAG").read_text()
    assert tag.startswith("Signature: 8a477f597d28d172789f06886806bc55\n")


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
@pytest.mark.parametrize("inner", [False, True])
def test_a_folder_that_others_can_write_is_not_used(
    at: Choose, tmp_path: Path, mode: int, inner: bool, caplog: pytest.LogCaptureFixture
) -> None:
    open_folder = tmp_path / "open" / "openaclnn" if inner else tmp_path / "open"
    open_folder.mkdir(mode=0o700, parents=True)
    open_folder.chmod(mode)
    at(tmp_path / "open")
    made = cache.folder("kernels")
    assert "can be written by others; using" in said(caplog)
    assert made == tmp_path / "tmp" / f"openaclnn-{os.geteuid()}" / "kernels"
    assert not list(open_folder.iterdir())


def test_a_folder_of_somebody_else_is_not_used(
    at: Choose,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    folder = tmp_path / "other"
    folder.mkdir(mode=0o700)
    at(folder)
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    made = cache.folder()
    assert "belongs to user" in said(caplog)
    assert made.parent == tmp_path / "tmp"


def test_a_folder_that_cannot_be_made(
    at: Choose, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    at(tmp_path / "file" / "cache")
    assert cache.folder().is_dir()
    assert "cannot be made" in said(caplog)


def test_a_folder_with_something_else_in_it_is_not_used(
    at: Choose, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The name is ours and the files are not: somebody's checkout, say."""
    (tmp_path / "openaclnn" / "programs").mkdir(parents=True)
    at(tmp_path)
    assert cache.folder().parent == tmp_path / "tmp"
    assert "has files in it and no CACHEDIR.TAG of openaclnn's" in said(caplog)
    assert [path.name for path in (tmp_path / "openaclnn").rglob("*")] == ["programs"]


def test_a_folder_on_a_full_disk_is_not_used(
    at: Choose,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def full(path: Path, data: bytes, mode: int = 0o600) -> None:
        if "tmp" not in path.parts[-3:]:
            raise OSError(28, os.strerror(28))
        write(path, data, mode)

    write = cache.write_atomically
    monkeypatch.setattr(cache, "write_atomically", full)
    at(tmp_path / "full")
    assert cache.folder().parent == tmp_path / "tmp"
    assert "cannot be written (No space left on device)" in said(caplog)


def test_the_temporary_folder_is_the_same_for_all(at: Choose, tmp_path: Path) -> None:
    """Also where its usual name is taken: by a link into the user's own folders, for example."""
    (tmp_path / "mine" / "triton").mkdir(parents=True)
    (tmp_path / "file").write_text("")
    made = []
    for _ in range(3):
        at(tmp_path / "file")
        usual = tmp_path / "tmp" / f"openaclnn-{os.geteuid()}"
        if not usual.is_symlink():
            usual.symlink_to(tmp_path / "mine")
        made.append(cache.folder())
        cache.clear()
    assert made[0].parent == tmp_path / "tmp"
    assert made[0].name.startswith(f"openaclnn-{os.geteuid()}-")
    assert made == made[:1] * 3
    assert (tmp_path / "mine" / "triton").is_dir()


def test_the_usual_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("OPENACLNN_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.wanted_root() == tmp_path / "openaclnn"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.wanted_root() == tmp_path / ".cache" / "openaclnn"


def test_without_a_home(
    at: Choose,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """No folder named ~ appears."""
    at(tmp_path)
    for name in ("OPENACLNN_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # what it does then
    monkeypatch.chdir(tmp_path)
    assert cache.wanted_root() is None
    assert cache.folder().parent == tmp_path / "tmp"
    assert "the cache folder is unknown, as there is no home" in said(caplog)
    assert not Path("~").exists()


def test_a_folder_that_cannot_be_used_is_no_error_where_warnings_are(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "from openaclnn.base import cache; cache.folder()"],
        capture_output=True, text=True, timeout=600,
        env={**os.environ, "OPENACLNN_CACHE": str(tmp_path / "file"), "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("openaclnn: the cache folder ")


def test_files_are_written_whole(at: Choose, tmp_path: Path) -> None:
    at(tmp_path / "cache")
    path = cache.folder("kernels") / "entry"
    cache.write_atomically(path, b"first")
    cache.write_atomically(path, b"second")
    assert path.read_bytes() == b"second"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["entry"]


def test_what_cannot_be_kept_is_not(at: Choose, tmp_path: Path) -> None:
    at(tmp_path / "cache")
    path = cache.place("kernels", "entry")
    assert cache.read(path) is None
    cache.keep(path, b"whole")
    assert cache.read(path) == b"whole"
    (cache.folder() / "cubins").write_text("a file in its place")
    cache.keep(cache.place("cubins", "entry"), b"whole")
    assert cache.read(cache.place("cubins", "entry")) is None


def test_what_is_no_file_is_no_entry(at: Choose, tmp_path: Path) -> None:
    at(tmp_path / "cache")
    os.mkfifo(cache.folder("kernels") / "fifo")
    (cache.folder("kernels") / "folder").mkdir()
    for name in ("fifo", "folder"):
        assert cache.read(cache.place("kernels", name)) is None


def test_clearing_deletes_entries_and_nothing_else(at: Choose, tmp_path: Path) -> None:
    chosen = tmp_path / "w"
    for name in ("triton/.git", "programs", "kernels"):
        (chosen / name).mkdir(parents=True)
        (chosen / name / "thesis.c").write_text("x")
    chosen.chmod(0o700)
    mine = sorted(chosen.rglob("*"))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "letter").write_text("x")
    at(chosen)
    cache.keep(cache.place("kernels", "entry"), b"x")
    (cache.folder() / "toolkit").symlink_to(elsewhere)
    cache.clear()
    assert [path.name for path in cache.folder().iterdir()] == ["CACHEDIR.TAG"]
    assert sorted(p for p in chosen.rglob("*") if "openaclnn" not in p.parts) == mine
    assert (elsewhere / "letter").exists()


def test_what_was_left_half_made_is_swept_away(at: Choose, tmp_path: Path) -> None:
    at(tmp_path / "cache")
    old, new = cache.folder("toolkit") / ".making-old", cache.folder("toolkit") / ".making-new"
    entry, file = cache.folder("toolkit") / "entry", cache.folder("kernels") / ".entry.o.x"
    for folder in (old, new, entry):
        folder.mkdir()
    file.write_text("")
    for path in (old, entry, file):
        os.utime(path, (0, 0))
    cache.sweep()
    assert [path.exists() for path in (old, new, entry, file)] == [False, True, True, False]


def test_trouble_is_told(at: Choose, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at(tmp_path / "cache")
    assert cache.trouble() is None

    def full(**options: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    assert cache.trouble() == "No space left on device"
