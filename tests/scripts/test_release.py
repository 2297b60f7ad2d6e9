"""What a release is packed into does not depend on when and where."""

from __future__ import annotations

import io
import runpy
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def packed(path: Path, names: list[str], when: int, owner: str) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.uname = len(name), when, owner
            member.mode = 0o600
            archive.addfile(member, io.BytesIO(name.encode()))
    return path


def test_source_distributions_of_one_commit_are_the_same_bytes(tmp_path: Path) -> None:
    normalise = runpy.run_path(str(ROOT / "scripts" / "release.py"))["normalise"]
    one = packed(tmp_path / "one.tar.gz", ["p/a", "p/b"], 5, "me")
    other = packed(tmp_path / "other.tar.gz", ["p/b", "p/a"], 7, "you")
    assert one.read_bytes() != other.read_bytes()
    for path in (one, other):
        normalise(path, 1_700_000_000)
    assert one.read_bytes() == other.read_bytes()
    with tarfile.open(one) as archive:
        assert archive.getnames() == ["p/a", "p/b"]
        assert archive.extractfile("p/b").read() == b"p/b"  # type: ignore[union-attr]
        assert {member.mode for member in archive} == {0o644}
