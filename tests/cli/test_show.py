"""`openaclnn`, `openaclnn ops`, `openaclnn show`: what they tell, in lines that fit."""

from __future__ import annotations

import itertools
import json
import re

import pytest
from shell import Shell

from openaclnn.base import settings
from openaclnn.cli import style
from openaclnn.cli.main import commands
from openaclnn.ops import all_ops, declared
from openaclnn.spec import describe
from openaclnn.spec.op import Op
from openaclnn.spec.sample import sample_call
from walks import operators

OPS = list(all_ops().values())
DTYPES = r"(b?f|s|u|bool|c)\d*"


def fits(text: str, columns: int = 80) -> bool:
    return all(style.width(line) <= columns for line in text.splitlines())


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def test_help_describes_every_command(shell: Shell) -> None:
    shown = shell("").out
    assert shown == shell("--help").out
    assert "..." not in shown.partition("Commands:")[2]  # a description cut short
    with commands.make_context("openaclnn", ["ops"]) as context:
        names = commands.list_commands(context)
    assert {"ops", "show", "call", "doctor", "run", "home", "compare", "golden"} <= set(names)
    for name in names:
        assert re.search(rf"^  {name}  +\S", shown, re.MULTILINE), f"{name} has no description"
        assert "Usage" in shell(f"{name} --help").out


def test_an_unknown_command_is_wrong_usage(shell: Shell) -> None:
    assert "No such command" in shell("perform", 2).err


def test_ops(shell: Shell) -> None:
    shown = shell("ops").out
    assert fits(shown)
    assert all(re.search(rf"^{op.name}  +{DTYPES}", shown, re.MULTILINE) for op in OPS)
    assert "算子" in shell("ops --lang zh").out


def test_ops_for_programs(shell: Shell) -> None:
    facts = {op["name"]: op for op in json.loads(shell("ops --json").out)}
    assert list(facts) == [op.name for op in OPS]
    assert facts["silu_backward"]["broadcasts_on"] == ["Ascend950"]
    assert "Ascend310P" not in facts["silu_backward"]["products"]
    assert "DOUBLE" in facts["leaky_relu_backward"]["dtypes"]


def test_ops_that_are_declared_only(shell: Shell) -> None:
    names = list(declared())
    shown = shell("ops --all").out
    assert fits(shown)
    column = re.search(r"^operator +", shown).end()  # type: ignore[union-attr]
    lines = {line.split()[0]: line for line in shown.splitlines() if line}
    assert all(lines[name][column:] == "declared" for name in names)
    assert all(re.match(DTYPES, lines[op.name][column:]) for op in OPS)
    assert f"Computed: {len(OPS)}. Declared: {len(names)};" in shown
    assert not any(f"\n{name}  " in shell("ops").out for name in names)
    facts = json.loads(shell("ops --all --json").out)
    assert [op["name"] for op in facts] == [op.name for op in OPS] + names
    assert [op["name"] for op in facts if not op["computed"]] == names
    assert "仅声明" in shell(f"ops {names[0]} --all --lang zh").out
    assert re.search(rf"^{names[0]} +declared$", shell(f"ops {names[0]}").out, re.MULTILINE)
    assert "is declared, so that programs link" in shell(f"ops {names[0]} --family math", 2).err
    assert "the families are" in shell("ops --family mathematics", 2).err
    refused = shell("ops nothing_like_it", 2).err
    assert "there is no operator 'nothing_like_it'; openaclnn ops lists them" in refused
    assert refused.splitlines()[-1] == shell("show nothing_like_it", 2).err.splitlines()[-1]


@pytest.mark.parametrize("name", ["recurrent_gated_delta_rule", "aclnnRecurrentGatedDeltaRule"])
def test_show_what_is_declared_only(shell: Shell, name: str) -> None:
    shown = shell(f"show {name}").out
    assert fits(shown)
    assert "Declared only" in shown
    assert "floatscaleValue,aclTensor*out," in squeezed(shown)
    assert "仅声明" in shell(f"show {name} --lang zh").out
    facts = json.loads(shell(f"show {name} --json").out)
    assert facts["computed"] is False
    assert len(facts["signatures"]) == 2
    refused = shell(f"show {name} --kernel cpu", 2).err
    assert "aclnnRecurrentGatedDeltaRule is declared" in refused


def test_wide_terminals_get_summaries(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    shown = shell("ops").out
    assert fits(shown, 120)
    assert all(op.en in shown for op in OPS)


@pytest.mark.parametrize("variable", ["LANG", "LC_ALL"])
def test_the_environment_chooses_the_language(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "zh_CN.UTF-8")
    assert "数据类型" in shell("ops").out
    assert "数据类型" not in shell("ops --lang en").out


@pytest.mark.parametrize("language", describe.LANGUAGES)
@pytest.mark.parametrize("op", operators("show").values(), ids=lambda op: op.name)
def test_show(shell: Shell, op: Op, language: str) -> None:
    shown = shell(f"show {op.name} --lang {language}").out
    assert shown == shell(f"show {op.c_name} --lang {language}").out
    assert fits(shown)
    text = squeezed(shown)
    for check in describe.checks(op, language):
        assert squeezed(f"{int(check.status)} {check.text}") in text
    for argument in op.arguments:
        assert squeezed(describe.summary(argument, language)) in text
    assert f"aclnnStatus{op.c_name}GetWorkspaceSize(" in text
    assert f"openaclnn.{op.name}(" in text
    assert shown.index("161001") < shown.index("161002") < shown.index("561003")


def test_show_for_programs(shell: Shell) -> None:
    facts = json.loads(shell("show silu_backward --json").out)
    assert facts["header"] == "aclnnop/aclnn_silu_backward.h"
    assert [check["status"] for check in facts["checks"]][::9] == [161001, 561003]


def test_the_rules_read_as_the_documents_say(shell: Shell) -> None:
    text = squeezed(shell("show smooth_l1_loss_backward").out)
    for sentence in (
        "reduction is 0 (none), 1 (mean) or 2 (sum)",
        "beta is at least 0 and not NaN",
        "grad_out, self and target broadcast, and grad_input has the resulting shape",
    ):
        assert squeezed(sentence) in text
    text = squeezed(shell("show leaky_relu_backward").out)
    assert squeezed("negative_slope is at least 0 where self_is_result is true") in text


def test_the_kernel_is_the_one_that_runs(shell: Shell) -> None:
    """A change of sign in 16 bits is one of integers there, without a conversion."""
    assert "fpext" not in shell("show neg --dtype f16 --kernel cpu").out


@pytest.mark.parametrize("op", operators("kernels").values(), ids=lambda op: op.name)
def test_kernels(shell: Shell, op: Op) -> None:
    dtypes = describe.dtypes(op)
    for dtype, level in zip(dtypes, itertools.cycle(settings.LEVELS), strict=False):
        line = f"show {op.name} --dtype {dtype.short} --level {level}"
        if not op.steps(sample_call(op, [dtype], (2, 3))):
            assert "has no kernel: it computes nothing" in shell(f"{line} --kernel cpu", 2).err
            continue
        assert "define void @openaclnn_kernel" in shell(f"{line} --kernel cpu").out
    assert f"at level {level}" in shell(line).out


@pytest.mark.parametrize("op", operators("CUDA kernels").values(), ids=lambda op: op.name)
def test_cuda_kernels(shell: Shell, op: Op) -> None:
    pytest.importorskip("cuda.bindings", reason="the engine cuda is not installed")
    dtypes = describe.dtypes(op)
    for dtype, level in zip(dtypes, itertools.cycle(settings.LEVELS), strict=False):
        line = f"show {op.name} --dtype {dtype.short} --level {level} --kernel cuda"
        if not op.steps(sample_call(op, [dtype], (2, 3))):
            assert "has no kernel: it computes nothing" in shell(line, 2).err
            continue
        compile(shell(line).out, op.name, "exec")


def test_instructions(shell: Shell) -> None:
    line = "show leaky_relu_backward --dtype f16,bf16 --out-dtype c64 --kernel cpu"
    assert "openaclnn_kernel:" in shell(f"{line} --asm").out
    facts = json.loads(shell(f"{line} --json").out)
    assert "FLOAT16, BF16 to COMPLEX64" in facts["kernel"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("show silu_backwards", "there is no operator 'silu_backwards'; did you mean"),
        ("show silu_backward --dtype f64", "no kernel for DOUBLE; there are f16, f32, bf16"),
        ("show silu_backward --dtype f16,f16,f16", "names 3 dtypes; expected 1 or 2"),
        ("show silu_backward --dtype float33", "'float33' is no dtype"),
        ("show silu_backward --out-dtype s32", "has dtype INT32; expected one that FLOAT"),
        ("show silu_backward --asm", "--asm goes with --kernel cpu"),
    ],
)
def test_wrong_usage(shell: Shell, line: str, words: str) -> None:
    assert words in shell(line, 2).err
