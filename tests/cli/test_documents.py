"""What is written about the project is true: generated files are current, examples run."""

from __future__ import annotations

import doctest
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import openaclnn
from openaclnn import aclnn
from openaclnn.base.status import Status
from openaclnn.calls import by_name, c_names, c_shaped, stubs
from openaclnn.calls.functions import make_function
from openaclnn.ops import all_ops

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
READMES = [ROOT / "README.md", ROOT / "README.zh-CN.md"]


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", path.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("script", ["pages.py", "torch_npu_page.py"])
def test_generated_pages_are_current(script: str) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / script, "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_the_words_of_operators_are_current() -> None:
    script = [sys.executable, ROOT / "scripts" / "operator_words.py", "--check"]
    done = subprocess.run(script, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_stubs_name_what_is_there() -> None:
    texts = {name.partition(".")[0]: text for name, text in stubs.stubs().items()}
    doors = {
        "operators": (openaclnn, by_name.names()),
        "c_names": (aclnn, [*c_names.__all__, *c_shaped.names()]),
    }
    for stem, (door, names) in doors.items():
        for name in names:
            pattern = rf"^(def {name}\(|{name}: |{name} = )"
            assert re.search(pattern, texts[stem], re.MULTILINE), name
            assert getattr(door, name) is not None


def test_stubs_are_written_where_they_are_stale(tmp_path: Path) -> None:
    stale = tmp_path / "operators.pyi"
    stale.write_text("old\n")
    assert stubs.main([str(tmp_path)]) == 0
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == stubs.stubs()


# what commands write, and the repository keeps
GENERATED = (
    "docs/*.json", "docs/data/*.json", "docs/benchmarks.md", "docs/operator*.md", "docs/runtime.md",
    "docs/sanitizer-bugs.md", "scripts/bench/results/*", "src/openaclnn/capi/python/acl/rt.py",
    "tests/long/digests.json", "src/**/*.pyi", "docs/operators/**/*",
)  # fmt: skip


def test_generated_files_of_the_repository_are_short() -> None:
    """5,000 lines at most; and no other file is so long that it must have been generated."""
    known = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if known.returncode:
        pytest.skip("a checkout without git")
    kept = {path for line in known.stdout.splitlines() if (path := ROOT / line).is_file()}
    written = kept & {path for pattern in GENERATED for path in ROOT.glob(pattern)}
    assert sum(path.read_bytes().count(b"\n") for path in written) <= 5000
    # a catalogue of messages has three lines for each, and no stale ones: test_chinese.py
    others = {path for path in kept - written if path.suffix not in (".png", ".po")}
    lengths = {path: path.read_bytes().count(b"\n") for path in others}
    assert {p: length for p, length in lengths.items() if length > 1500} == {}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text())
    missing = [t for t in targets if "://" not in t and not (path.parent / t).exists()]
    assert not missing


@pytest.mark.parametrize("path", READMES, ids=lambda path: path.name)
def test_the_readme_shows_what_happens(path: Path) -> None:
    (screen,) = blocks(path, "console")
    for part in screen.strip().split("\n\n"):
        typed, _, shown = part.partition("\n")
        line = typed.removeprefix("$ ").partition("  #")[0].strip()
        if line == "python":
            runner = doctest.DocTestRunner(verbose=False)
            test = doctest.DocTestParser().get_doctest(shown + "\n", {}, path.name, None, None)
            assert runner.run(test).failed == 0
        else:  # takes the process over; tests of the C library run it
            assert line == "openaclnn run examples/silu_backward.cpp"


TRANSLATED = sorted(
    str(path.relative_to(ROOT)).removesuffix(".zh-CN.md")
    for path in [*ROOT.glob("*.zh-CN.md"), *ROOT.glob("docs/*.zh-CN.md")]
)


@pytest.mark.parametrize("page", TRANSLATED)
def test_both_languages_have_the_same_parts(page: str) -> None:
    english, chinese = ((ROOT / f"{page}{end}").read_text() for end in (".md", ".zh-CN.md"))
    for part in (r"^#+ ", r"^\|", r"^- ", r"^```\w*", r"\*\*[^*]+\*\*"):
        counts = [len(re.findall(part, text, re.MULTILINE)) for text in (english, chinese)]
        assert counts[0] == counts[1], part


def test_the_chinese_page_of_own_operators_has_the_same_code() -> None:
    """The tests run the English page's."""
    pages = [(ROOT / f"docs/your-own-operators{end}").read_text() for end in (".md", ".zh-CN.md")]
    english, chinese = (re.findall(r"^```.*?^```$", p, re.MULTILINE | re.DOTALL) for p in pages)
    assert english == chinese


def test_both_readmes_have_the_same_figures() -> None:
    """Those between markers; what is measured anew must reach both."""
    found = []
    for path in READMES:
        text = path.read_text()
        parts = (re.search(rf"<!-- {name}, .*?<!-- end of {name}", text, re.DOTALL)
                 for name in ("operators", "accuracy", "speed"))  # fmt: skip
        found.append([sorted(re.findall(r"\d+(?:[.,]\d+)*", part[0])) for part in parts if part])
    assert len(found[0]) == 3
    assert found[0] == found[1]


def test_every_status_is_explained() -> None:
    """What it means, and what to do: in both languages, under a heading of its own."""
    for name in ("status-codes.md", "status-codes.zh-CN.md"):
        text = (ROOT / "docs" / name).read_text()
        for status in Status:
            if status:
                assert re.search(rf"^### {int(status)} {{ #{int(status)} }}$", text, re.MULTILINE)
                assert f"`{status.c_name}`" in text


def test_the_operator_in_contributing_works() -> None:
    (source,) = blocks(ROOT / "CONTRIBUTING.md", "python")
    names: dict[str, Any] = {"__name__": "relu_backward"}
    exec(compile(source, "relu_backward.py", "exec"), names)
    example = names["OP"].example.replace("openaclnn.relu_backward", "relu_backward")
    made = {"relu_backward": make_function(names["OP"])}
    test = doctest.DocTestParser().get_doctest(example, made, "relu", None, None)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def test_an_old_python_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    install = runpy.run_path(str(ROOT / "scripts" / "install.py"))
    monkeypatch.setattr(sys, "version_info", (3, 8, 2))
    with pytest.raises(SystemExit, match=r"needs Python 3\.10 or later; .* is 3\.8"):
        install["main"](".venv")


def test_what_the_quick_run_leaves_out_is_there() -> None:
    """A test that was renamed must not become quick by accident."""
    slow = runpy.run_path(str(ROOT / "conftest.py"))["SLOW"]
    assert [pattern for pattern in slow if not list(ROOT.glob(pattern))] == []


def test_make_says_what_it_can_do() -> None:
    said = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True).stdout
    named = set(re.findall(r"^make ([\w-]+)", said, re.MULTILINE))
    assert {"demo", "test", "test-quick", "test-nightly", "bench", "docs", "site"} <= named


def test_every_operator_names_a_source() -> None:
    """Each that docs/sources.md lists, by its exact name."""
    listed = names_of_sources((ROOT / "docs" / "sources.md").read_text())
    assert {"op-plugin", "PyTorch", "the document of aclnnSiluBackward"} <= listed
    for op in all_ops().values():
        assert unlisted(op.source, listed) == [], f"{op.name}: {op.source}"


def names_of_sources(page: str) -> set[str]:
    """What the page's table has in its second column; of operators with documents those."""
    _, _, *rows = re.findall(r"^\| (.*?) ?\| (.*?) \| .* \|$", page, re.MULTILINE)
    names = {name for _, cell in rows for name in cell.split(", ")}
    documents = {f"the document of {name}" for what, _ in rows for name in _OPERATOR.findall(what)}
    return names | documents


_OPERATOR = re.compile(r"aclnn\w+")


def unlisted(source: str, listed: set[str]) -> list[str]:
    """The sources that nobody lists: in `facts: one, another's function (a remark); facts: …` all
    but the facts and the remarks."""
    plain = re.sub(r" \((?:[^()]|\([^()]*\))*\)", "", source)
    clauses = [clause.rpartition(": ")[2] for clause in plain.split("; ")]
    names = [re.sub(r"'s [\w. ]+$", "", name) for clause in clauses for name in clause.split(", ")]
    return [name for name in names if name not in listed]


@pytest.mark.parametrize(
    ("source", "unknown"),
    [
        ("", [""]),
        ("sources", ["sources"]),
        (
            "signatures: a leaked repository; values: guesswork",
            ["a leaked repository", "guesswork"],
        ),
        ("signature: op-plugin, somebody's notes; values: PyTorch's relu", ["somebody"]),
        ("signature: op-plugin; values: PyTorch's relu, squared", ["squared"]),
        ("the document of aclnnMatmul", ["the document of aclnnMatmul"]),
        ("signature: DIOPI, C; values: mathematics (of x·σ(beta·x)), PyTorch's silu (for 1)", []),
    ],
)
def test_a_source_that_nobody_lists_is_found(source: str, unknown: list[str]) -> None:
    """Any word of more than five letters that the page has counted as a source."""
    listed = names_of_sources((ROOT / "docs" / "sources.md").read_text())
    assert unlisted(source, listed) == unknown


PIP = re.compile(r"pip install (?!torch|triton|cuda-bindings|matplotlib|\.|'\.\[|…)[^\s`]+")


def test_pip_installs_what_is_published() -> None:
    """Nobody must be led to a name that somebody else could register."""
    sources = [*DOCUMENTS, *ROOT.glob("src/**/*.py"), *ROOT.glob("examples/*")]
    for path in sources:
        if path.is_file():
            assert not PIP.search(path.read_text()), path


def test_paths_may_have_spaces() -> None:
    for path in [*DOCUMENTS, *ROOT.glob("src/**/*.py"), *ROOT.glob("examples/**/*")]:
        if path.is_file() and path.suffix != ".pyc":
            assert "source $(openaclnn home)" not in path.read_text(), path


def test_the_source_distribution_has_everything() -> None:
    """Whoever gets the sources without git can run the tests."""
    lines = (ROOT / "MANIFEST.in").read_text().splitlines()
    named = {
        word for line in lines if line.startswith(("graft", "include")) for word in line.split()
    }
    named |= {
        "src",
        "pyproject.toml",
        "setup.py",
        "README.md",
        "LICENSE",
        "MANIFEST.in",
    }  # go by themselves
    made = {"build", "dist", "site"}
    missing = {p.name for p in ROOT.iterdir() if not p.name.startswith((".", "__"))} - named - made
    assert missing == set()
