"""`openaclnn coverage`: what a program uses, from every kind of file, and what of it is here."""

from __future__ import annotations

import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from openaclnn.base import products
from openaclnn.capi import coverage, runtime_api, usage
from openaclnn.capi.coverage import ABSENT, AVAILABLE, COMPUTED, DECLARED, OTHER_PRODUCT
from openaclnn.cli.main import commands
from openaclnn.ops import all_ops, declared

PROGRAM = """
#include "aclnnop/aclnn_silu.h"
#include <aclnnop/aclnn_not_there.h>
#include "acl/acl.h"
#include "aclnn_mine.h"
#define PASTE(OP, ...) aclnn##OP##GetWorkspaceSize(__VA_ARGS__)
#define TWICE(CONTEXT, OP) PASTE(OP, CONTEXT); PASTE(OP, CONTEXT)
// aclnnInAComment(); aclrtInAComment();
/* "aclnnInAComment */
static int aclMine(aclDataType type) { return int(aclFormat(type)); }
int main() {
    puts("aclnnInASentence failed");
    aclnnStatus status = aclMine(ACL_FLOAT);
    if (aclrtSetDevice(0)) { return 1; }
    aclnnSiluGetWorkspaceSize(0, 0, 0, 0);
    aclnnSilu(0, 0, 0, 0);
    TWICE(f(1, 2), Matmul);
    void *found = dlsym(0, "aclnnLookedUp");
    GET_FUNC(aclrtFunction)
    return aclrtNotThere(3) + HcclNotThere();
}
"""
STATES = {
    "aclnn_silu.h": AVAILABLE, "aclnn_not_there.h": ABSENT,
    "aclnnSilu": COMPUTED, "aclnnMatmul": DECLARED, "aclnnLookedUp": ABSENT,
    "aclrtSetDevice": AVAILABLE, "aclrtNotThere": ABSENT, "aclrtFunction": ABSENT,
    "HcclNotThere": ABSENT,
}  # fmt: skip


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    operator = next(iter(declared().values()))  # whichever is not computed yet
    monkeypatch.setitem(STATES, operator.c_name, DECLARED)
    if operator.c_name != "aclnnMatmul":
        monkeypatch.delitem(STATES, "aclnnMatmul")
    name = operator.c_name.removeprefix("aclnn")
    path = tmp_path / "program.cpp"
    path.write_text(PROGRAM.replace("Matmul", name))
    (tmp_path / "aclnn_mine.h").touch()
    return path


def states(*paths: Path, soc: str = "Ascend910B") -> dict[str, str]:
    found = coverage.covered(usage.in_paths(paths), products.by_name(soc))
    return {one.name: one.state for one in found}


def test_sources(source: Path) -> None:
    found = coverage.covered(usage.in_paths([source]), products.DEFAULT)
    assert {one.name: one.state for one in found} == STATES
    assert {one.name for one in found if one.by_name} == {"aclnnLookedUp"}
    lines = source.read_text().splitlines()
    for one in found:
        file, _, line = one.where.rpartition(":")
        assert file == str(source)
        assert one.name.removeprefix("aclnn") in lines[int(line) - 1]
    assert states(source.parent) == STATES


def test_other_chips(tmp_path: Path) -> None:
    op = next(op for op in all_ops().values() if len(op.products) < len(products.ALL))
    other = next(p for p in products.ALL if p not in op.products)
    path = tmp_path / "a.c"
    path.write_text(f"int f() {{ return {op.c_name}(); }}")
    assert states(path, soc=op.products[0].name) == {op.c_name: COMPUTED}
    assert states(path, soc=other.name) == {op.c_name: OTHER_PRODUCT}


def test_object_files_libraries_and_wheels(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "int aclnnSilu(void); int aclrtNotThere(void); int aclDefined(void) { return 0; }\n"
        'const char *name = "aclnnLookedUp", *text = "aclnnSentence is text";\n'
        "int f(void) { return aclnnSilu() + aclrtNotThere() + aclDefined() + !name + !text; }\n"
    )
    expected = {"aclnnSilu": COMPUTED, "aclrtNotThere": ABSENT, "aclnnLookedUp": ABSENT}
    compiler = shutil.which("cc") or shutil.which("gcc") or "clang"
    for flags, name in ((["-c"], "a.o"), (["-shared", "-fPIC"], "a.so")):
        subprocess.run([compiler, *flags, "a.c", "-o", name], cwd=tmp_path, check=True)
        assert states(tmp_path / name) == expected
    with zipfile.ZipFile(tmp_path / "a.whl", "w") as wheel:
        wheel.write(tmp_path / "a.so", "a/a.so")
    assert states(tmp_path / "a.whl") == expected
    damaged = tmp_path / "damaged"
    damaged.write_bytes((tmp_path / "a.so").read_bytes()[:300])
    with pytest.raises(usage.NotReadable, match="damaged"):
        states(damaged)


def test_scripts_and_traces(tmp_path: Path) -> None:
    script = tmp_path / "a.py"
    script.write_text(
        'import acl\n"acl.rt.in_a_text()"\nacl.rt.set_device(0)  # acl.rt.in_a_comment()\n'
        "acl.rt.not_there(1)\n"
    )
    assert states(script) == {"acl.rt.set_device": AVAILABLE, "acl.rt.not_there": ABSENT}
    events = [{"name": "aclnnSiluGetWorkspaceSize"}, {"name": "aclnnSilu"}, {"name": "thread"}]
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps({"traceEvents": events}))
    assert states(trace) == {"aclnnSilu": COMPUTED}


def test_every_function_of_ours_is_known(tmp_path: Path) -> None:
    """What the tables have is available, whoever calls it."""
    calls = "".join(f"{f.name}();" for f in runtime_api.ENTRIES if f.name.startswith("acl"))
    calls += "".join(f"{op.c_name}();" for op in all_ops().values())
    (tmp_path / "a.c").write_text(f"int f() {{ {calls} }}")
    assert set(states(tmp_path, soc="Ascend950").values()) <= {AVAILABLE, COMPUTED, OTHER_PRODUCT}


def run(*arguments: str) -> tuple[str, int]:
    from click.testing import CliRunner

    done = CliRunner().invoke(commands, ["coverage", *arguments])
    return done.output, done.exit_code


def test_the_command(source: Path, tmp_path: Path) -> None:
    shown, status = run(str(source))
    assert status == 1
    assert shown.startswith("operators of Ascend910B: 1 computed, 1 declared, 1 absent\n")
    assert "aclnnSilu " not in shown
    assert "absent: the program does not compile or link." in shown
    assert "aclnnSilu " in run("--all", str(source))[0]
    facts = json.loads(run("--json", str(source))[0])
    assert {one["name"]: one["state"] for one in facts["names"]} == STATES
    assert facts["complete"] is False
    assert facts["counts"]["operator"] == {"computed": 1, "declared": 1, "absent": 1}
    good = tmp_path / "good.c"
    good.write_text("int f() { return aclnnSilu(0, 0, 0, 0); }")
    assert run(str(good)) == ("operators of Ascend910B: 1 computed\nruntime functions: 0\n", 0)
    (tmp_path / "notes.txt").write_text("words")
    shown, status = run(str(tmp_path / "notes.txt"))
    assert (status, "is of an unknown kind" in shown) == (2, True)
