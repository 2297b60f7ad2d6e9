"""A user's own operators in Python: found, as good as built-in ones, and where they cannot be used
told of by file and line. What is built in works, whatever they are like."""

from __future__ import annotations

import doctest
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import openaclnn
from openaclnn import OpenaclnnError, aclnn, ops
from openaclnn.base import trust
from openaclnn.calls import by_name, c_shaped
from openaclnn.ops import files
from own_operators import make_folder

X = np.float32([-1, 0, 2])

Choose = Callable[..., None]


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Iterator[Choose]:
    """Chooses folders, as if the process began now."""

    def forget() -> None:
        for cached in (ops._own, ops.all_ops, files._own_module, c_shaped.function):
            cached.cache_clear()

    known = {*vars(openaclnn), *vars(aclnn)}
    for module, name in ((ops, "_loaded"), (ops, "_c_names"), (by_name, "_made")):
        monkeypatch.setattr(module, name, {})

    def chosen(*folders: Path) -> None:
        monkeypatch.setenv("OPENACLNN_OPS", os.pathsep.join(map(str, folders)))
        forget()

    yield chosen
    forget()
    for module in (openaclnn, aclnn):
        for name in set(vars(module)) - known:
            delattr(module, name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_folder(tmp_path / "mine")


def test_they_are_as_good_as_built_in(choose: Choose, folder: Path) -> None:
    choose(folder)
    own = ops.own_ops()
    assert set(own) == {"doubled_rows", "every_kind", "inplace_triple", "relu_backward", "triple"}
    assert set(own) < set(ops.all_ops())
    assert {ops.family_of(op) for op in own.values()} == {"mine", "lists"}
    assert openaclnn.relu_backward(np.float32(2), X).tolist() == [0, 0, 2]
    assert {"triple_", "relu_backward"} <= set(dir(openaclnn))
    assert aclnn.aclnnReluBackwardGetWorkspaceSize(X, X, np.empty_like(X))[0] == 0
    assert "aclnnInplaceTriple" in dir(aclnn)
    with pytest.raises(openaclnn.AclnnError, match=r"aclnnTriple: self has dtype INT64"):
        openaclnn.triple(np.arange(3))


def test_their_examples_run(choose: Choose, folder: Path) -> None:
    choose(folder)
    for name, op in ops.own_ops().items():
        found = doctest.DocTestParser().get_doctest(op.example, {}, name, None, None)
        report: list[str] = []
        runner = doctest.DocTestRunner(verbose=False)
        assert runner.run(found, out=report.append).failed == 0, "".join(report)


def test_a_file_is_loaded_when_it_is_used(choose: Choose, folder: Path) -> None:
    choose(folder)
    assert openaclnn.silu_backward(X, X).shape == (3,)
    assert not ops._own.cache_info().currsize
    before = set(sys.modules)
    assert openaclnn.inplace_triple(X.copy()).tolist() == [-3, 0, 6]
    added = set(sys.modules) - before
    assert sum(name.startswith("openaclnn_own_ops_") for name in added) == 1


def test_several_folders_each_once(choose: Choose, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir(mode=0o700)
    (folder / "triple.py").rename(other / "triple.py")
    (tmp_path / "link").symlink_to(folder)
    choose(folder, other, folder, tmp_path / "link")
    assert {"triple", "relu_backward"} < set(ops.own_ops())


SOURCE = '''"""Every fact of an operator, without a family."""

from openaclnn.base.dtypes import FLOAT
from openaclnn.spec.op import In, Op, Out
from openaclnn.spec.rules import Dtypes, SameShape


def formula(grad_output, self):
    return grad_output * self


OP = Op(
    name="mine",
    en="Something",
    zh="某种运算",
    arguments=(
        In("grad_output", "the first", "第一个"),
        In("self", "the second", "第二个"),
        Out("grad_input", "the result", "结果"),
    ),
    rules=(Dtypes(("self",), (FLOAT,)), SameShape(("self",))),
    formula=formula,
    example="",
)
'''


def source(name: str = "mine") -> str:
    """A file with an operator of a name."""
    return SOURCE.replace('"mine"', f'"{name}"')


def numbered(text: str, word: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if word in line)


NAME = numbered(source(), 'name="mine"')

FORMULA = numbered(source(), "return grad_output")

BUILT_IN = Path(ops.__file__).parent

WRONG = {
    "no Python": ("x = (\n", 1, "SyntaxError: '(' was never closed"),
    "fails": ("import math\n\n\nmath.nothing\n", 4, "AttributeError: module 'math' has no"),
    "fails below": ("def f():\n    return 1 / 0\n\nf()\n", 2, "ZeroDivisionError: division"),
    "ends": ("import sys\nsys.exit(3)\n", 2, "SystemExit: 3"),
    "no module": ("import nothing_of_the_kind\n", 1, "ModuleNotFoundError: No module named"),
    "bytes": ("# \N{LATIN SMALL LETTER E WITH ACUTE}\nx = 1 +\n", 2, "SyntaxError: invalid syntax"),
    "nothing": ("", 1, "expected an OP, or a tuple of them as OPS"),
    "no operator": ("OP = 3\n", 1, "expected an OP, or a tuple of them as OPS"),
    "an empty tuple": ("OPS = ()\n", 1, "expected an OP, or a tuple of them as OPS"),
    "no name": (source("my op"), NAME, "my op: 'my op' is no name; expected words in lower"),
    "a name of C": (source("aclnnMine"), NAME, "aclnnMine: 'aclnnMine' is no name"),
    "a word of Python": (
        source().replace('In("self"', 'In("lambda"'), NAME, "mine: 'lambda' is no name"),
    "a word of C": (
        source().replace('In("self"', 'In("double"'), NAME,
        "mine: no parameter of a C function can be called double"),
    "a parameter that is there": (
        source().replace('In("self"', 'In("workspace_size"'), NAME,
        "mine: no parameter of a C function can be called workspaceSize"),
    "twice": (
        source().replace('In("self"', 'In("grad_output"'), NAME,
        "mine: two arguments are called grad_output"),
    "no output": (
        source().replace("Out(", "In("), NAME, "mine: there is no output; expected an Out"),
    "a formula that asks for more": (
        source().replace('In("self"', 'In("slef"'), NAME,
        "mine: the formula asks for 'self', which is no argument"),
    "a condition of Python's": (
        source().replace("return grad_output", "return grad_output if self > 0 else grad_output"),
        FORMULA, "`self > 0` may hold for one element and not for the next, so Python cannot"),
    "a name that is not defined": (
        source().replace("grad_output * self", "sqrt(grad_output * self)"), FORMULA,
        "NameError: name 'sqrt' is not defined; use sqrt from openaclnn.spec.formula"),
    "a function of numbers": (
        source().replace("return grad_output", "from math import sqrt; return sqrt(self)"), FORMULA,
        "`self` is a symbol and no number yet; use sqrt from openaclnn.spec.formula"),
    "NumPy's function": (
        source().replace("return grad_output", "from numpy import exp; return exp(self)"), FORMULA,
        "NumPy's exp does not know the symbol `self`; use exp from openaclnn.spec.formula"),
    "no result": (
        source().replace("return ", ""), FORMULA - 1,
        "the formula returns None; expected what is computed"),
    "two results": (
        source().replace("return grad_output", "return self, grad_output"), FORMULA - 1,
        "mine: results: the formula has 2, expected 1"),
    "a tensor that may be absent": (
        source().replace('"第二个"', '"第二个", optional=True'), FORMULA,
        "None is no number; ask `x is None` first of an optional tensor, which may be absent"),
    "a rule of another argument": (
        source().replace('SameShape(("self"', 'SameShape(("slef"'), numbered(source(), "rules="),
        "mine: 'slef' is no argument; expected one of grad_output, self, grad_input"),
    "an attribute of no kind": (
        source().replace("        Out(", '        Attr("by", "by", "数", float),\n        Out(')
        .replace("import In", "import Attr, In"), NAME,
        "mine: by is an Attr of <class 'float'>; expected a kind of openaclnn.spec.host"),
    "a built-in name": (
        source("silu_backward"), NAME,
        f"silu_backward exists already, in {BUILT_IN}/activation/silu_backward.py"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_a_file_that_cannot_be_used(choose: Choose, folder: Path, what: str) -> None:
    text, line, why = WRONG[what]
    path = folder / "wrong.py"
    path.write_text(text)
    choose(folder)
    for ask in (ops.all_ops, lambda: openaclnn.wrong, lambda: dir(openaclnn)):
        with pytest.raises(OpenaclnnError) as told:
            ask()
        assert str(told.value).startswith(f"{path}:{line}: {why}")
    assert openaclnn.silu_backward(X, X).shape == (3,)
    assert ops.file_of(ops.find("aclnnSiluBackward")).own is False
    assert openaclnn.triple(X).tolist() == [-3, 0, 6]  # nor does it break another of the user's


def test_a_word_of_python_that_is_none_of_c(choose: Choose, folder: Path) -> None:
    text = source().replace('In("grad_output"', 'In("from_"').replace("grad_output", "from_")
    (folder / "mine.py").write_text(text)
    choose(folder)
    assert ops.find("mine").arguments[0].c_name == "from"
    assert openaclnn.mine(from_=X, self=X).tolist() == [1, 0, 4]
    first = aclnn.aclnnMineGetWorkspaceSize
    assert first(from_=X, self=X, gradInput=np.empty_like(X))[0] == 0


def test_a_built_in_name_in_a_file_of_that_name(choose: Choose, folder: Path) -> None:
    """What is built in is found first; whoever asks for all is told."""
    (folder / "silu_backward.py").write_text(source("silu_backward"))
    choose(folder)
    assert openaclnn.silu_backward(np.float32([2]), np.float32([0])).tolist() == [1]
    with pytest.raises(
        OpenaclnnError, match=rf"silu_backward.py:{NAME}: silu_backward exists alre"
    ):
        ops.all_ops()


def test_one_name_in_two_files(choose: Choose, folder: Path) -> None:
    (folder / "one.py").write_text(source("mine_1"))
    (folder / "other.py").write_text(source("mine1"))
    choose(folder)
    assert openaclnn.ops.at_hand("mine_1") is None  # a name that no file suggests
    with pytest.raises(OpenaclnnError) as told:
        ops.all_ops()
    where = f"{folder}/other.py:{NAME}: aclnnMine1 exists already, in {folder}/one.py"
    assert str(told.value) == where
    (folder / "other.py").write_text(source("mine_1"))
    choose(folder)
    with pytest.raises(OpenaclnnError, match=r"other\.py:\d+: mine_1 exists already, in .*one\.py"):
        ops.all_ops()


def test_a_name_that_nobody_has(choose: Choose, folder: Path) -> None:
    choose(folder)
    with pytest.raises(AttributeError, match="there is no operator 'tripel'; did you mean triple"):
        _ = openaclnn.tripel
    (folder / "broken.py").write_text("1 +")
    choose(folder)
    assert not hasattr(openaclnn, "_repr_html_")  # what looks at modules asks for this


YOURS = r"; operators are code, so only what is yours alone is loaded \(chown, chmod go-w\)"


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_folder_that_others_can_write(choose: Choose, folder: Path, mode: int) -> None:
    folder.chmod(mode)
    choose(folder)
    with pytest.raises(
        OpenaclnnError, match=f"OPENACLNN_OPS: {folder} can be written by oth.*{YOURS}"
    ):
        _ = openaclnn.triple
    assert openaclnn.silu_backward(X, X).shape == (3,)


def test_a_family_or_a_file_that_others_can_write(choose: Choose, folder: Path) -> None:
    (folder / "lists").chmod(0o777)
    (folder / "triple.py").chmod(0o666)
    choose(folder)
    with pytest.raises(OpenaclnnError, match=rf"triple.py:1: can be written by others{YOURS}"):
        _ = openaclnn.triple
    with pytest.raises(
        OpenaclnnError, match=r"doubled_rows.py:1: its folder .*/lists can be written"
    ):
        _ = openaclnn.doubled_rows
    assert openaclnn.relu_backward(X, X).shape == (3,)


def test_a_folder_of_somebody_else(
    choose: Choose, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trust.os, "geteuid", lambda: os.getuid() + 1)
    choose(folder)
    with pytest.raises(OpenaclnnError, match=f"{folder} belongs to user {os.getuid()}{YOURS}"):
        _ = openaclnn.triple


@pytest.mark.parametrize("there", [False, True])
def test_no_folder(choose: Choose, tmp_path: Path, there: bool) -> None:
    path = tmp_path / "file"
    if there:
        path.write_text("")
    choose(path)
    with pytest.raises(OpenaclnnError, match=f"OPENACLNN_OPS: {path} is no folder$"):
        ops.all_ops()


def installed(at: Path, folder: Path, value: str) -> None:
    """A package with an entry point, as pip leaves it."""
    folder.rename(at / "my_package")
    (at / "my_package" / "__init__.py").write_text("")
    facts = at / "my_package-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[openaclnn.ops]\nmine = {value}\n")


def test_an_entry_point(
    choose: Choose, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path, folder, "my_package")
    (tmp_path / "my_package").chmod(0o777)  # whoever installs packages decides what is code
    monkeypatch.syspath_prepend(tmp_path)
    choose()
    assert openaclnn.triple(X).tolist() == [-3, 0, 6]
    assert ops.family_of(ops.find("triple")) == "my_package"


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("no_such_package", "ModuleNotFoundError: No module"),
        ("math", "AttributeError: module 'math'"),
    ],
)
def test_an_entry_point_that_leads_nowhere(
    choose: Choose,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    value: str,
    why: str,
) -> None:
    installed(tmp_path, folder, value)
    monkeypatch.syspath_prepend(tmp_path)
    choose()
    with pytest.raises(
        OpenaclnnError, match=f"the entry point mine = {value} of openaclnn.ops: {why}"
    ):
        ops.all_ops()
    assert openaclnn.silu_backward(X, X).shape == (3,)


def test_every_built_in_operator_is_found_without_the_user_s_folders() -> None:
    """Most files are named after their operators, or those whose variants they are: others take the
    time in which all are loaded."""
    known = ops.all_ops()
    assert all(ops.find(name) is op for name, op in known.items())
    near = [name for name, op in known.items() if ops._search(ops._built_in(), name) is op]
    assert len(near) > 0.75 * len(known)
