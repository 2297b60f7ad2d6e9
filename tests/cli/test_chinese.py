"""Commands in Chinese, for people whose LANG asks for it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np
import pytest
from shell import Shell

import openaclnn
from openaclnn.base import language
from openaclnn.base.language import catalogue
from openaclnn.cli.chinese import _paragraph, chinese
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
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield " ".join(node.value.split())


# what others say, and what is joined from a list
NOT_IN_OUR_SOURCES = {
    "No such file or directory", "Permission denied", "No space left on device",
    "{t} on cpu and cuda", "start Python", "check and plan",
}  # fmt: skip


def in_sections(*names: str) -> Iterator[str]:
    """The messages below some of the catalogue's headings. Those of reports are put together of
    more parts; findings are told in Chinese by tests/sanitize."""
    for block in re.split(
        r"^(?=# )", language.PATH.read_text(encoding="utf-8"), flags=re.MULTILINE
    ):
        if block.startswith(names):
            yield from (message for _, message, _ in language.entries_of(block))


def of_click() -> Iterator[str]:
    """What the installed click asks gettext for."""
    for path in Path(click.__file__).parent.glob("*.py"):
        if path.name.startswith("_") or path.name == "shell_completion.py":
            continue  # progress bars, editors, terminals of other systems
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_", "ngettext"):
                yield from (a.value for a in node.args if isinstance(a, ast.Constant))


# of click: what programmers read, and what nobody is asked here
OF_PROGRAMMERS = ("declar", "Name '", "Boolean option", "UUID", "format", "Unknown", "Choice(")
NOT_ASKED = ("Do you want", "Confirm", "Press any", "Repeat", "Error: ")


def test_clicks_own_messages_are_there() -> None:
    known = catalogue().entries[""]
    missing = [text for text in of_click() if text not in known]
    assert [text for text in missing if not any(word in text for word in OF_PROGRAMMERS)
            and not text.startswith(NOT_ASKED)] == []  # fmt: skip


def test_every_entry_is_said_somewhere() -> None:
    """What is no longer printed is no longer translated."""
    said = "\n".join(constants())
    stale = []
    for text in in_sections("# commands"):
        pieces = [piece.strip(" '():;,.") for piece in re.split(r"\{[svt]?\}", text)]
        if any(len(piece) > 7 and " ".join(piece.split()) not in said for piece in pieces):
            stale.append(text)
    assert set(stale) <= NOT_IN_OUR_SOURCES


ERRORS = re.compile("(Error|BadParameter|NotReadable|Finding|_complain|translated|fail|heading)$")
SAMPLE = "X9"  # stands for what a message has of its own


def messages(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(v.value if isinstance(v, ast.Constant) else SAMPLE for v in node.values)
    elif isinstance(node, ast.IfExp):
        yield from (*messages(node.body), *messages(node.orelse))


def errors_and_prints() -> Iterator[str]:
    """What is given to errors and printed, where commands and programs meet it."""
    for path in SOURCES.rglob("*.py"):
        if path.relative_to(SOURCES).parts[0] in (
            "arithmetic",
            "engines",
            "torch",
            "plan",
            "truth",
        ):
            continue  # mistakes of ours; PyTorch speaks English
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if ERRORS.search(called) and called not in ("AssertionError", "NotImplementedError"):
                for argument in node.args:
                    for text in messages(argument):
                        yield f"aclnnX: self {text}" if called == "UnusableError" else text


def test_every_message_is_there() -> None:
    """Sentences of errors and reports, but for those that are put together of parts."""
    found = [text for text in errors_and_prints() if len(text.split()) > 2]
    assert len(found) > 200
    english = [text for text in found if not re.search("[\u4e00-\u9fff]", chinese(text))]
    assert [text for text in english if not PUT_TOGETHER.search(text)] == []


# a plural's s, two clauses, a word that is one of several
PUT_TOGETHER = re.compile(
    r"^(aclnnX: self )?X9[:()]* (X9|is X9|missing|out is|exists)|X9$|thingX9|alreadyX9|^SUMMARY|^a number of"
    r"|^X9, X9 bytes into|first X9 byte$|bytes in X9 never|X9 memory|nothing waits for that$"
    r"|may still use it as X9$|^(this|text) is |no dtype of aclnn$|is frozen$|elements' X9 bytes"
    r"|^There is no command X9|^aclnnX: self X9;"
)


@pytest.mark.parametrize(
    ("english", "found"),
    [
        ("Error: a.npy is of an unknown kind; expected .npy, .npz",
         "错误：a.npy 的文件类型未知；应为 .npy、.npz"),
        ("/ops/a.py:7: `self > 0` may hold for one element and not for the next, so Python cannot "
         "decide by it; write where(condition, yes, no) for if",
         "/ops/a.py:7：`self > 0` 对有的元素成立、对有的不成立，Python 无法据此判断；请写 where(condition, yes, "
         "no) 代替 if"),
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


def test_wrong_usage(in_chinese: Shell) -> None:
    """Click's sentence, and ours in it."""
    for line, sentence in {
        "call silu x.npy --soc x": "错误：'--soc' 的值无效：'x' 不是产品；应为 Ascend910B",
        "run --device gpu x.cpp": "错误：'--device' 的值无效：'gpu' 不是以下之一：'auto', 'cpu', 'cuda'。",
        "golden silu --members 0": "错误：'--members' 的值无效：0 不在范围 x>=1 之内。",
        "sanitize --sarif /no/such/file x": "错误：'--sarif' 的值无效：目录 /no/such 不存在",
        "check nothing": "错误：'PATHS...' 的值无效：'nothing' 不存在。",
        "home --foo": "错误：没有选项 '--foo'。",
        "frob": "错误：没有命令 'frob'。",
    }.items():
        shown = in_chinese(line, 2).err
        assert sentence in shown
        assert re.search("[a-z]{2,} (is|has|not|the) ", shown) is None


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
