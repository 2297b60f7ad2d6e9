"""Pages of the site that are written from the program itself: the command line from click, the
Python functions from their docstrings."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from openaclnn.cli.main import commands as group
from openaclnn.spec.describe import ZH

_TEXTS = {
    "en": (
        "# Commands\n\nWhat `openaclnn COMMAND --help` prints. Exit status: 0 done, 1 refused or a "
        "check failed, 2 wrong usage or an unreadable file. Commands that print figures take "
        "`--json`; [settings](settings.md) lists the environment variables.\n"
    ),
    "zh": (
        "# 命令\n\n以下即 `openaclnn 命令 --help` 的输出。退出码：0 完成，1 被拒绝或检查未通过，"
        "2 用法错误或文件无法读取。输出数字的命令都支持 `--json`；环境变量见[设置](settings.md)。\n"
    ),
}

# What users import, by module; operators have pages of their own.
_PUBLIC = {
    "openaclnn": ("using", "get_num_threads", "set_num_threads", "Status", "AclnnError",
                  "OpenaclnnError"),
    "openaclnn.torch": ("patched", "NoGradientError"),
    "openaclnn.compare": ("compare",),
}  # fmt: skip

_API = {
    "en": """# Python functions

Every operator is a function of the module `openaclnn`: tensors first, attributes by name, `out=` \
for a result that exists already. [The operators](operators/index.md) have a page each. The module \
`openaclnn.aclnn` has the same operators in the shape of the C API, both calls of each. \
[Arrays](arrays.md) says what counts as a tensor.
""",
    "zh": """# Python 函数

每个算子都是模块 `openaclnn` 的一个函数：张量在前，属性按名字传入，`out=` 指定已有的输出。\
[每个算子](operators/index.md)都有单独的页面。模块 `openaclnn.aclnn` 以 C 接口的形式提供同样的算子，\
每个算子有两段调用。哪些对象可以作为张量，见[数组](arrays.md)。
""",
}


def commands(language: str) -> str:
    """The help of every command, in one language."""
    return "\n".join(_commands(language))


def _commands(language: str) -> Iterator[str]:
    yield _TEXTS[language]
    with _speaking(language), click.Context(group, info_name="openaclnn") as context:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            inner = click.Context(command, info_name=name, parent=context, terminal_width=78)
            inner.max_content_width = 78
            yield f"## openaclnn {name} {{ #{name} }}\n"
            text = click.unstyle(command.get_help(inner)).rstrip()
            if isinstance(command, click.Group):  # of `call`: the operators, which have pages
                text = text[: text.rindex("\n\n")]
            yield f"```text\n{text}\n```\n"


@contextmanager
def _speaking(language: str) -> Iterator[None]:
    before = os.environ.get("LC_ALL")
    os.environ["LC_ALL"] = "zh_CN.UTF-8" if language == ZH else "C.UTF-8"
    try:
        yield
    finally:
        if before is None:
            del os.environ["LC_ALL"]
        else:
            os.environ["LC_ALL"] = before


def functions(language: str) -> str:
    """What users import besides the operators, with docstrings."""
    return "\n".join(_functions(language))


def _functions(language: str) -> Iterator[str]:
    yield _API[language]
    for name, names in _PUBLIC.items():
        module = import_module(name)
        yield f"## {name}\n"
        for one in names:
            thing = getattr(module, one)
            yield f"### {one} {{ #{name.replace('.', '-')}-{one} }}\n"
            yield f"```python\n{_signature(thing, f'{name}.{one}')}\n```\n"
            yield _docstring(thing)


def _signature(thing: Any, name: str) -> str:
    if inspect.isclass(thing) and issubclass(thing, BaseException):
        return f"class {name}({thing.__mro__[1].__name__})"
    if inspect.isclass(thing) and hasattr(thing, "__members__"):
        members = "\n".join(f"    {m.name} = {int(m)}  # {m.c_name}" for m in thing)
        return f"class {name}(IntEnum):\n{members}"
    try:
        return f"{name}{inspect.signature(thing)}"
    except (TypeError, ValueError):
        return name


def _docstring(thing: Any) -> str:
    """The prose, and the examples as a console."""
    lines, inside = [], False
    for line in (inspect.getdoc(thing) or "").splitlines():
        if line.startswith(">>>") and not inside:
            lines.append("```pycon")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join([*lines, *(["```"] if inside else []), ""])
