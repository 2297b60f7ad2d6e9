"""The shape of the source: one way for imports, samples for every operator, examples that run."""

from __future__ import annotations

import ast
import doctest
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import openaclnn
from openaclnn.calls import executor, two_phase
from openaclnn.engines.plain import PlainEngine
from openaclnn.ops import all_ops, file_of
from openaclnn.spec.op import Op
from samples import all_samples
from walks import A_DAY, nightly, operators

SOURCE = Path(openaclnn.__file__).parent

# what a folder may import besides itself: one line for each arrow of docs/architecture.md
STAGES = {
    "base": set(),
    "spec": {"base"},
    "ops": {"base", "spec"},
    "check": {"base", "spec"},
    "plan": {"base", "spec", "arithmetic"},
    "arithmetic": {"base", "spec"},
    "runtime": {"base"},
    "engines": {"base", "spec", "ops", "check", "plan", "arithmetic", "runtime"},
    "calls": {"base", "spec", "ops", "check", "plan", "engines", "runtime"},
}
TOOLS = ("truth", "compare", "golden", "verify")
# what judges and shows the stages may use all of them, and each other as far as said
AROUND = {
    "aclnn": set(STAGES),
    "truth": set(STAGES),
    "compare": {"base", "truth"},
    "golden": {*STAGES, "aclnn", "truth", "compare"},
    "verify": {*STAGES, "aclnn", "truth", "compare", "golden"},
    "capi": {*STAGES, "aclnn"},
    "sanitize": {"base", "capi"},
    "bench": {*STAGES, "aclnn", "truth", "capi"},
    "cli": {*STAGES, "aclnn", *TOOLS, "capi", "bench", "sanitize"},
    "torch": set(STAGES),
    "__init__": set(STAGES),
    "__main__": {"cli"},
}
ALLOWED = STAGES | AROUND


def part_of(path: Path) -> str:
    """The folder of openaclnn that a file is in, or its own name."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def booleans_by_position(record: ast.ClassDef) -> int:
    """How many booleans of a dataclass can be given without their names."""
    fields = [line for line in record.body if isinstance(line, ast.AnnAssign)]
    kinds = [ast.unparse(line.annotation).rpartition(".")[2] for line in fields]
    before = kinds[: kinds.index("KW_ONLY")] if "KW_ONLY" in kinds else kinds
    return sum(
        kind == "bool" and "kw_only=True" not in ast.unparse(line)
        for line, kind in zip(fields, before, strict=False)
    )


@dataclass(frozen=True)
class Class:
    """What the tests ask of a class."""

    name: str
    bases: set[str]
    is_record: bool
    booleans_by_position: int


@dataclass(frozen=True)
class Source:
    """What the tests ask of a module: the parts of openaclnn that it imports, its classes, and what
    its code says (names, attributes, and texts that are not documentation)."""

    imports: set[str]
    classes: list[Class]
    words: set[str]


@cache
def source(path: Path) -> Source:
    names: list[str] = []
    found = Source(set(), [], set())
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 or path.parts[-2] == "acl", f"{path}: a relative import"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ClassDef):
            bases = {ast.unparse(base) for base in node.bases}
            is_record = any("dataclass" in ast.unparse(one) for one in node.decorator_list)
            found.classes.append(Class(node.name, bases, is_record, booleans_by_position(node)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.words.add(node.value)
        elif isinstance(node, (ast.Name, ast.Attribute)):
            found.words.add(node.id if isinstance(node, ast.Name) else node.attr)
    parts = (name.split(".") for name in names)
    found.imports.update(
        name[1] if len(name) > 1 else "__init__" for name in parts if name[0] == "openaclnn"
    )
    return found


FILES = sorted(SOURCE.rglob("*.py"))


def test_imports_point_one_way() -> None:
    for path in FILES:
        part = part_of(path)
        assert part in ALLOWED, f"say what {part} may import"
        known = {p for p in source(path).imports if p in ALLOWED and p != "__init__"}
        assert known <= ALLOWED[part] | {part}, path


def test_booleans_of_records_have_names_where_they_are_given() -> None:
    """Two that are given by position can be swapped, and no type checker sees it."""
    records = [(path, one) for path in FILES for one in source(path).classes if one.is_record]
    assert len(records) > 100
    for path, record in records:
        assert record.booleans_by_position < 2, f"{path}: {record.name}: _: KW_ONLY before them"


def test_what_is_packaged_is_there() -> None:
    text = (SOURCE.parents[1] / "pyproject.toml").read_text()
    patterns = re.findall(r'"([^"]+)"', text.partition("package-data]\n")[2].partition("\n\n")[0])
    others = [path for path in SOURCE.rglob("*.*") if path.suffix not in (".py", ".pyi", ".pyc")]
    for pattern in patterns[1:]:  # after the packages that it is for
        assert any(path.match(pattern) for path in others), f"no file is {pattern}"
    for path in others:
        assert any(path.match(pattern) for pattern in patterns[1:]), f"{path} is not packaged"


def test_the_stages_have_no_cycle() -> None:
    done: set[str] = set()
    while len(done) < len(STAGES):
        ready = {part for part, needs in STAGES.items() if part not in done and needs <= done}
        assert ready, f"a cycle among {set(STAGES) - done}"
        done |= ready


def test_every_operator_has_samples() -> None:
    """In depth; the others have rows, see test_rows.py."""
    assert set(all_samples()) <= set(all_ops())
    for name, samples in all_samples().items():
        op = all_ops()[name]
        assert samples.op == name
        assert samples.inputs == tuple(a.name for a in op.reads)
        assert samples.unread == tuple(a.name for a in op.inputs if not a.read)
        assert samples.output == op.outputs[0].name
        assert set(samples.plain) == {a.name for a in op.attributes}
        assert samples.known
        assert samples.hard
        assert samples.edges


@pytest.mark.parametrize("samples", all_samples().values(), ids=lambda samples: samples.op)
def test_the_rows_cover_every_argument(samples: object) -> None:
    """Each argument is null in some row and wrong in some row; each status is met."""
    op = all_ops()[samples.op]  # type: ignore[attr-defined]
    calls = samples.calls  # type: ignore[attr-defined]
    names = {a.name for a in op.arguments}
    for call in calls:
        assert set(call.arguments) <= names
    pointers = {a.name for a in op.tensors} | {a.name for a in op.attributes if a.host.pointer}
    null = {name for call in calls for name, v in call.arguments.items() if v is None}
    assert pointers <= null
    refused = {name for call in calls if call.status == 161002 for name in call.arguments}
    assert names - {a.name for a in op.inputs if not a.read} <= refused


def test_every_file_has_an_example_and_a_source() -> None:
    files = {file_of(op).path for op in all_ops().values()}
    assert {file_of(op).path for op in all_ops().values() if op.example} == files
    assert all(op.source for op in all_ops().values())


@pytest.fixture
def plain_but_of_some(name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The plain engine, but for operators that stand for all, and by night: to compile kernels for
    the few elements of every example took half a minute."""
    if name not in operators("examples"):
        monkeypatch.setattr(executor, "engine_for", lambda device: PlainEngine())
    two_phase._ready.clear()  # prepared calls remember their engine
    yield
    two_phase._ready.clear()


@pytest.mark.parametrize("name", [name for name, op in all_ops().items() if op.example])
@pytest.mark.usefixtures("plain_but_of_some")
def test_operators_examples_run(name: str) -> None:
    function = getattr(openaclnn, name)
    assert all_ops()[name].example.strip() in function.__doc__
    found = doctest.DocTestParser().get_doctest(function.__doc__, {}, name, None, None)
    assert found.examples
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(found, out=report.append)
    assert result.failed == 0, "".join(report)


def test_operators_texts_are_complete() -> None:
    for op in all_ops().values():
        assert op.products, op.name
        told = [(op.name, op.en, op.zh), *((a.name, a.en, a.zh) for a in op.arguments)]
        for called, en, zh in told:  # what is left out becomes the name, or the other text
            assert en not in ("", called.replace("_", " ")), (op.name, called)
            assert zh not in ("", en), (op.name, called)


CHECKOUT = Path(__file__).parents[1]
OURS = (SOURCE, CHECKOUT / "scripts")
OUTSIDE = [
    path
    for folder in OURS
    for path in sorted(folder.rglob("*.py"))
    if SOURCE / "ops" not in path.parents
]
C_FILES = [
    path for folder in OURS for path in sorted(folder.rglob("*")) if path.suffix in (".c", ".h")
]


def test_operators_are_written_down_once() -> None:
    """No file but its own knows an operator by name."""
    # a single word may be one of the vocabulary's: add, exp; logical_and is one of NumPy's
    names = {name for name in all_ops() if "_" in name and not hasattr(np, name)}
    names |= {op.c_name for op in all_ops().values()}
    for path in OUTSIDE:
        known = source(path).words & names
        assert not known, f"{path} knows {known}"


def test_no_c_file_knows_an_operator() -> None:
    known = {name for op in all_ops().values() for name in (op.c_name, op.header_name)}
    any_name = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(known, reverse=True)))})")
    for path in C_FILES:
        found = {*any_name.findall(path.read_text())}
        assert not found, f"{path} knows {found}"


# what is the same idea in nodes and in numbers, of every function, in pyACL
TWINS = {"Coefficients", "Function", "Out", "Pair", "Parameter", "Step"}


def test_one_word_for_one_idea() -> None:
    """No two classes that others may use have one name."""
    classes = (one.name for path in FILES for one in source(path).classes)
    found = Counter(name for name in classes if not name.startswith("_"))
    assert {name for name, count in found.items() if count > 1} <= TWINS


def test_all_errors_have_one_base() -> None:
    """Who catches OpenaclnnError catches all that is ours; the command line's are click's."""
    known = {"OpenaclnnError", "AclnnError", "click.ClickException", "Exception"}
    for path in FILES:
        for one in source(path).classes:
            if one.name.endswith("Error"):
                assert one.bases & known, f"{path}: {one.name}"
                assert "Exception" not in one.bases or one.name == "OpenaclnnError", one.name


def test_no_two_test_files_have_one_name() -> None:
    """pytest imports them by their names alone: of two it collects one, where both are given."""
    found = Counter(path.name for path in Path(__file__).parent.rglob("test_*.py"))
    assert [name for name, count in found.items() if count > 1] == []


# What takes milliseconds with each operator, or a GPU's time, or is the operator's own example
EACH_OPERATOR = {
    "test_attributes_by_position_come_first", "test_calls",
    "test_known_results", "test_as_pytorch_has_it", "test_phases_and_levels", "test_bits",
    "test_operators_examples_run", "test_gradients_are_the_numerical_ones",
    "test_first_gradients_are_within_the_bound", "test_a_complex_number_is_refused",
    "test_operators_are_what_programs_expect", "test_replay_is_python",
    "test_in_place_gives_the_same_bits",
}  # fmt: skip


@pytest.mark.skipif(nightly(), reason="by night tests walk over every operator")
def test_few_tests_walk_over_every_operator(request: pytest.FixtureRequest) -> None:
    """Operators are added by the hundred: others walk over `walks.operators`, which has few."""
    assert len(operators()) <= A_DAY
    walked: dict[str, set[str]] = defaultdict(set)
    for item in request.session.items:
        given = getattr(item, "callspec", None)
        for value in given.params.values() if given else ():
            name = str(getattr(value, "op", value) if not isinstance(value, Op) else value.name)
            if name in all_ops():
                walked[item.originalname].add(name)  # type: ignore[attr-defined]
    long = {name for name, found in walked.items() if len(found) > A_DAY}
    assert long <= EACH_OPERATOR, long - EACH_OPERATOR
