"""The shape of the source: one way for imports, samples for every operator, examples that run."""

from __future__ import annotations

import ast
import doctest
from pathlib import Path

import pytest

import openaclnn
from openaclnn.ops import all_ops
from samples import all_samples

SOURCE = Path(openaclnn.__file__).parent

# what a folder may import besides itself; an arrow of the design is a line here
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
# what judges and shows the stages may use all of them, and each other as far as said
AROUND = {
    "aclnn": set(STAGES),
    "precision": {*STAGES, "aclnn"},
    "capi": {*STAGES, "aclnn"},
    "bench": {*STAGES, "aclnn", "precision", "capi", "cli"},
    "cli": {*STAGES, "aclnn", "precision", "capi", "bench"},
    "__init__": set(STAGES),
    "__main__": {"cli"},
}
ALLOWED = STAGES | AROUND


def part_of(path: Path) -> str:
    """The folder of openaclnn that a file is in, or its own name."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """The parts of openaclnn that a module imports, anywhere in it."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 or path.parts[-2] == "acl", f"{path}: a relative import"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    parts = (name.split(".") for name in names)
    return {name[1] if len(name) > 1 else "__init__" for name in parts if name[0] == "openaclnn"}


FILES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(path: Path) -> None:
    part = part_of(path)
    assert part in ALLOWED, f"say what {part} may import"
    known = {p for p in imported(path) if p in ALLOWED and p != "__init__"}
    assert known <= ALLOWED[part] | {part}


def test_the_stages_have_no_cycle() -> None:
    done: set[str] = set()
    while len(done) < len(STAGES):
        ready = {part for part, needs in STAGES.items() if part not in done and needs <= done}
        assert ready, f"a cycle among {set(STAGES) - done}"
        done |= ready


def test_every_operator_has_samples() -> None:
    assert set(all_samples()) == set(all_ops())
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


@pytest.mark.parametrize("name", all_ops())
def test_operators_examples_run(name: str) -> None:
    function = getattr(openaclnn, name)
    assert all_ops()[name].example.strip() in function.__doc__
    found = doctest.DocTestParser().get_doctest(function.__doc__, {}, name, None, None)
    assert found.examples
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(found, out=report.append)
    assert result.failed == 0, "".join(report)


@pytest.mark.parametrize("name", all_ops())
def test_operators_are_written_down_once(name: str) -> None:
    """No stage but its own file knows an operator's name, and its texts are complete."""
    op = all_ops()[name]
    assert op.products
    assert op.en
    assert op.zh
    for argument in op.arguments:
        assert argument.en
        assert argument.zh
    for path in FILES:
        if part_of(path) in STAGES and part_of(path) != "ops":
            strings = [
                n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Constant)
            ]
            known = {n.value for n in strings} & {name, op.c_name}
            assert not known, f"{path} knows {known}"
