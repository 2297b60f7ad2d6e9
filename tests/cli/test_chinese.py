"""Commands in Chinese, for people whose LANG asks for it."""

from __future__ import annotations

import ast
import json
import re
import string
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np
import pytest
from shell import Shell

import openaclnn
from openaclnn.cli.chinese import _paragraph, chinese
from openaclnn.cli.chinese_texts import OURS, TEXTS
from openaclnn.cli.main import commands
from openaclnn.ops import all_ops

SOURCES = Path(openaclnn.__file__).parent


def all_commands() -> Iterator[click.Command]:
    context = click.Context(commands)
    yield commands
    for name in commands.list_commands(context):
        command = commands.get_command(context, name)
        assert command is not None
        yield command
        if isinstance(command, click.Group):
            yield from filter(None, (command.get_command(context, op) for op in all_ops()))


def test_every_help_is_there() -> None:
    for command in all_commands():
        texts = [_paragraph(text) for text in (command.help or "").split("\n\n")]
        texts += [chinese(o.help) for o in command.params if isinstance(o, click.Option) and o.help]
        texts += [chinese(command.get_short_help_str(limit=1000))]
        texts = [text for text in texts if text[:1] != "\b"]
        english = [text for text in texts if not re.search("[\u4e00-\u9fff]", text)]
        assert english == [], command.name


def constants() -> Iterator[str]:
    """Every piece of text in our sources, as Python joins them."""
    for path in SOURCES.rglob("*.py"):
        if path.name != "chinese_texts.py":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield " ".join(node.value.split())


# what others say, and what is joined from a list
NOT_IN_OUR_SOURCES = {
    "No such file or directory", "Permission denied", "No space left on device",
    "{} on cpu and cuda", "start Python", "check and plan",
}  # fmt: skip


def test_every_entry_is_said_somewhere() -> None:
    """What is no longer printed is no longer translated."""
    said = "\n".join(constants())
    stale = []
    for text in OURS:
        pieces = [piece.strip(" '():;,.") for piece in text.split("{}")]
        if any(len(piece) > 7 and piece not in said for piece in pieces):
            stale.append(text)
    assert set(stale) <= NOT_IN_OUR_SOURCES


@pytest.mark.parametrize(("english", "found"), TEXTS.items(), ids=list(TEXTS))
def test_entries_have_the_same_places(english: str, found: str) -> None:
    count = english.count("{}")
    fields = [field for _, field, _, _ in string.Formatter().parse(found) if field is not None]
    numbers = sorted(int(field) for field in fields) if any(fields) else [*range(len(fields))]
    assert numbers == [*range(count)]


@pytest.mark.parametrize(
    ("english", "found"),
    [
        ("Error: Invalid value for '--soc': 'x' is not one of 'a', 'b'.",
         "错误：'--soc' 的值无效：'x' 不是以下之一：'a', 'b'。"),
        ("aclnnSiluBackward: self has shape [3]; expected [2, 1], as grad_output has; Ascend950 "
         "accepts this call: choose it with --soc Ascend950",
         "aclnnSiluBackward：self 的 shape 为 [3]；应为 [2, 1]，与 grad_output 相同；Ascend950 接受该"
         "调用：请用 --soc Ascend950 选择"),
        ("FLOAT 2×3 against golden in DOUBLE: 4 of 6 elements equal, 1 NaN or infinite on one side "
         "only: no standard passes",
         "FLOAT 2×3，golden 为 DOUBLE：6 个元素中 4 个相等，1 个仅一侧为 NaN 或无穷：任何标准都不通过"),
        ("Error: a.npy cannot be read: No such file or directory",
         "错误：无法读取 a.npy：文件或目录不存在"),
        ("Error: there is no operator 'sillu'; did you mean silu or selu?",
         "错误：没有算子 'sillu'，是否想用 silu 或 selu？"),
        ("something else", "something else"),
        ("", ""),
    ],
)  # fmt: skip
def test_sentences(english: str, found: str) -> None:
    assert chinese(english) == found


@pytest.fixture
def in_chinese(shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shell:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    monkeypatch.chdir(tmp_path)
    return shell


def test_help(in_chinese: Shell) -> None:
    shown = in_chinese("--help").out
    assert shown.startswith("用法：")
    assert "没有 NPU，也能运行 aclnn 程序。" in shown
    assert re.search("^  doctor +显示环境信息并自检。$", shown, re.MULTILINE)
    assert re.search("^  -h, --help +显示本说明。$", shown, re.MULTILINE)
    shown = in_chinese("call smooth_l1_loss_backward --help").out
    assert "GRAD_OUT      损失的梯度" in shown
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.usefixtures("few_operators")
def test_doctor(in_chinese: Shell) -> None:
    shown = in_chinese("doctor").out
    for section in ("版本", "处理器", "设备与设置", "缓存", "C 程序", "自检"):
        assert f"\n{section}\n" in "\n" + shown
    assert shown.endswith("一切正常\n")
    assert set(json.loads(in_chinese("doctor --json").out)) >= {"versions", "self-check", "passed"}


def test_call_and_compare(in_chinese: Shell) -> None:
    np.save("x.npy", np.linspace(-3, 3, 600, dtype=np.float32))
    assert (
        "\n最小 -0.131041，最大 3.26431，平均 0.818478，"
        in in_chinese("call silu_backward x.npy x.npy").out
    )
    assert "用法：" in in_chinese("call silu_backward x.npy", 2).err
    in_chinese("golden silu_backward --shape 4,5 --dtype bf16 -o case")
    shown = in_chinese("compare case/golden_rounded.npy case").out
    assert "BF16 4×5，golden 为 DOUBLE：20 个元素中" in shown
    assert re.search(r"\n通过 +mixed ", shown)
    assert shown.splitlines()[-1].startswith("通过：mixed")
    assert in_chinese("compare x.npy y.npy", 2).err == "错误：文件 y.npy 不存在\n"
    code, why = in_chinese("call silu_backward x.npy x.npy --soc Ascend310P", 1).err.splitlines()
    assert code == "561003 ACLNN_ERR_INNER_FIND_KERNEL_ERROR"
    assert why.startswith("aclnnSiluBackward：Ascend310P (Atlas inference) 不支持该算子")
