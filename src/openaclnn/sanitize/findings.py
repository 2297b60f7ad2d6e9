"""Findings: equal ones once with a count, without those that are suppressed."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatch
from pathlib import Path

from openaclnn.base.records import dataclass
from openaclnn.base.status import OpenaclnnError
from openaclnn.sanitize.records import RecordedCall

KINDS = {  # of each tool, and what is wrong
    "memory": {
        "leak": "device or host memory that the program never frees",
        "double-free": "memory that is freed a second time",
        "invalid-free": "an address that no allocation gave, or one inside a block",
        "use-after-free": "an operator, a copy or a fill uses memory that was freed",
        "out-of-bounds": "a view, a copy or a fill reaches beyond its block",
        "wrong-side": "host memory where device memory is expected, or the reverse",
        "uninitialised-read": "an operator reads bytes of device memory that were never written",
        "uninitialised-copy": "such bytes are copied to the host; a warning",
    },
    "objects": {
        "object-leak": "an object that is never destroyed",
        "double-destroy": "an object that is destroyed a second time; a list destroys its members",
        "use-after-destroy": "an object that is used after it was destroyed",
        "wrong-handle": "a scalar where a tensor is expected, or not a handle at all",
        "executor-reused": "an executor that runs twice and is not repeatable",
        "executor-never-run": "an executor from phase 1 is neither run nor destroyed",
        "executor-mismatch": "an executor that is given to another operator",
        "workspace-too-small": "the workspace has fewer bytes than phase 1 asked for",
        "workspace-null": "the workspace is null, and phase 1 asked for one",
        "workspace-misaligned": "the workspace's address is not a multiple of 32",
        "workspace-shared": "two executors that may run concurrently share a workspace",
    },
    "order": {
        "unsynchronised-read": "the host copies what a stream writes without waiting for it",
        "race": "two streams, or a stream and the host, access the same bytes concurrently",
        "free-while-queued": "memory is freed while queued work may still use it",
        "destroy-while-queued": "a stream, an event or an executor is destroyed before its work is "
        "done",
        "api-order": "calls before aclInit, after aclFinalize, or in a thread without a device",
    },
    "habits": {
        "error-ignored": "a call was refused, and the object or memory that it should have made or "
        "written is used",
        "phase-1-repeated": "equal calls of phase 1, where a repeatable executor would do",
        "memory-unused": "memory that is allocated and freed, and never used",
    },
    "calls": {
        "refused": "a call was refused, with the reason; a note, not an error",
    },
}
WARNINGS = {"uninitialised-copy", *KINDS["habits"]}
NOTES = {"refused"}  # which change no exit status


@dataclass(frozen=True)
class Finding:
    """One mistake: the call that shows it, what is wrong, and the calls that led to it."""

    kind: str
    call: RecordedCall
    message: str
    advice: str
    others: tuple[tuple[str, RecordedCall], ...] = ()  # "freed by", and the call
    count: int = 1  # of a leak: how many like this

    @property
    def level(self) -> str:
        return level_of(self.kind)


def level_of(kind: str) -> str:
    """How bad a kind is: error, warning or note."""
    return "warning" if kind in WARNINGS else "note" if kind in NOTES else "error"


@dataclass(frozen=True)
class Suppression:
    """A line `kind:pattern`; the pattern is for a function, a file or an operator."""

    kind: str
    pattern: str

    def hides(self, kind: str, names: Iterable[str]) -> bool:
        """
        >>> Suppression("leak", "load_*").hides("leak", ["main", "load_weights"])
        True
        """
        return fnmatch(kind, self.kind) and any(fnmatch(name, self.pattern) for name in names)


def suppressions(path: Path) -> list[Suppression]:
    """The lines of a file; empty ones and those that begin with # are none."""
    found = []
    for number, line in enumerate(_text(path).splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        kind, colon, pattern = text.partition(":")
        if not colon or not pattern.strip():
            raise OpenaclnnError(f"{path}:{number}: {text!r} came; expected kind:pattern")
        if not any(fnmatch(known, kind.strip()) for kinds in KINDS.values() for known in kinds):
            raise OpenaclnnError(f"{path}:{number}: there is no kind {kind.strip()!r}")
        found.append(Suppression(kind.strip(), pattern.strip()))
    return found


def _text(path: Path) -> str:
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # to read a FIFO may be to wait for ever
            raise OpenaclnnError(f"{path} is no regular file")
        return path.read_text("utf-8")
    except OSError as error:
        raise OpenaclnnError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise OpenaclnnError(f"{path} is not text in UTF-8") from None


class Findings:
    """Collects findings; tells those that are new."""

    def __init__(
        self,
        tell: Callable[[Finding], None],
        names: Callable[[Finding], list[str]],
        hidden: Sequence[Suppression] = (),
    ) -> None:
        self._tell = tell
        self._names = names
        self._hidden = hidden
        self._seen: set[tuple[object, ...]] = set()
        self.counts: Counter[str] = Counter()
        self.suppressed = 0

    def total(self, level: str) -> int:
        """How many there are."""
        return sum(count for kind, count in self.counts.items() if level_of(kind) == level)

    def add(self, finding: Finding) -> None:
        if any(s.hides(finding.kind, self._names(finding)) for s in self._hidden):
            self.suppressed += finding.count
            return
        self.counts[finding.kind] += finding.count
        self._tell_once(finding)

    def fold(self, findings: Sequence[Finding], into: Finding) -> None:
        """Count findings that follow from one thing, and tell that once in their place."""
        left = [
            one
            for one in findings
            if not any(s.hides(one.kind, self._names(one)) for s in self._hidden)
        ]
        self.suppressed += sum(one.count for one in findings if one not in left)
        for one in left:
            self.counts[one.kind] += one.count
        if left:
            self._tell_once(into)

    def _tell_once(self, finding: Finding) -> None:
        call = finding.call
        key = (finding.kind, call.name, call.stack, *(o.stack for _, o in finding.others))
        if key not in self._seen:
            self._seen.add(key)
            self._tell(finding)
