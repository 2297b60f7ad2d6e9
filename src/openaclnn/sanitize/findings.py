"""What was found: each thing once, counted, unless somebody asked not to hear of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from openaclnn.base.status import OpenaclnnError
from openaclnn.capi.records import Call

KINDS = {  # of each tool
    "memory": ("leak", "double-free", "invalid-free", "use-after-free", "out-of-bounds",
               "wrong-side", "uninitialised-read", "uninitialised-copy"),
    "objects": ("object-leak", "double-destroy", "use-after-destroy", "wrong-handle",
                "executor-reused", "executor-never-run", "executor-mismatch",
                "workspace-too-small", "workspace-null", "workspace-misaligned",
                "workspace-shared"),
    "order": ("unsynchronised-read", "race", "free-while-queued", "destroy-while-queued",
              "api-order"),
    "habits": ("error-ignored", "phase-1-repeated", "memory-unused"),
}  # fmt: skip
WARNINGS = {"uninitialised-copy", *KINDS["habits"]}


@dataclass(frozen=True)
class Finding:
    """One mistake: the call that shows it, what is wrong, and the calls that led to it."""

    kind: str
    call: Call
    message: str
    advice: str
    others: tuple[tuple[str, Call], ...] = ()  # "freed by", and the call
    count: int = 1  # of a leak: how many like this

    @property
    def level(self) -> str:
        return "warning" if self.kind in WARNINGS else "error"


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
    for number, line in enumerate(path.read_text().splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        kind, colon, pattern = text.partition(":")
        if not colon or not pattern.strip():
            raise OpenaclnnError(f"{path}:{number}: {text!r} came; expected kind:pattern")
        found.append(Suppression(kind.strip(), pattern.strip()))
    return found


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
        warnings = sum(count for kind, count in self.counts.items() if kind in WARNINGS)
        return warnings if level == "warning" else sum(self.counts.values()) - warnings

    def add(self, finding: Finding) -> None:
        if any(s.hides(finding.kind, self._names(finding)) for s in self._hidden):
            self.suppressed += finding.count
            return
        self.counts[finding.kind] += finding.count
        call = finding.call
        key = (finding.kind, call.name, call.stack, *(o.stack for _, o in finding.others))
        if key not in self._seen:
            self._seen.add(key)
            self._tell(finding)
