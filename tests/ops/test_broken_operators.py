"""Broken files of one's own operators: random mutations of a right one are all refused with a
sentence, the file and a line. A failure tells its seed: BROKEN_SEED=… repeats it."""

from __future__ import annotations

import os
import random
import re
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from openaclnn import ops
from openaclnn.calls import by_name, c_shaped
from openaclnn.cli.check import _checked
from openaclnn.cli.main import commands
from openaclnn.cli.new import _FILE
from openaclnn.ops import files
from openaclnn.ops.files import File
from openaclnn.spec.op import In, Op, Out

SEED = int(os.environ.get("BROKEN_SEED") or secrets.randbelow(1 << 32))
COUNT = 60
RIGHT = _FILE.replace("@NAME@", "right_one")
FORMULA = "    return scale * self * sigmoid(self)\n"

Mutation = Callable[[random.Random, str], str]


def replaced(old: str, *new: str) -> Mutation:
    """Something that stands in the file becomes one of others."""

    def mutated(draw: random.Random, text: str) -> str:
        assert old in text, old
        return text.replace(old, draw.choice(new))

    return mutated


def misspelt(*words: str) -> Mutation:
    """Two letters of a word are exchanged, or one is lost, in one place."""

    def mutated(draw: random.Random, text: str) -> str:
        word = draw.choice(words)
        code = text.index("\n")  # behind what the file says of itself
        place = draw.choice([m.start() for m in re.finditer(rf"\b{word}\b", text[code:])]) + code
        k = draw.randrange(len(word) - 1)
        other = word[:k] + word[k + 1] + word[k] + word[k + 2 :]
        if other == word or draw.random() < 0.5:
            other = word[:k] + word[k + 1 :]
        return text[:place] + other + text[place + len(word) :]

    return mutated


def formula(*bodies: str) -> Mutation:
    """The formula is another."""
    return replaced(FORMULA, *(f"    {body}\n" for body in bodies))


MUTATIONS: dict[str, Mutation] = {
    "a name in the formula": formula("return scale * slef", "return scales * self", "return x"),
    "a parameter of the formula": replaced(
        "def formula(self, scale)", "def formula(x, scale)", "def formula(self, scale, bias)",
        "def formula(self, factor)", "def formula()",
    ),
    "a rule's argument": replaced(
        'Dtypes(("self",), FLOATS)', 'Dtypes(("slef",), FLOATS)', 'Dtypes(("input",), FLOATS)',
    ),
    "another rule's argument": replaced('MaxDims(("self",))', 'MaxDims(("other",))'),
    "a shape rule's argument": replaced('SameShape(("self",))', 'SameShape(("self", "gate"))'),
    "a misspelt import": misspelt("Castable", "MaxDims", "Promotable", "FLOATS", "sigmoid", "Attr"),
    "a misspelt field": replaced("    rules=(", "    rule=(", "    checks=(", "    Rules=("),
    "another misspelt field": replaced("default=1.0", "defualt=1.0", "standard=1.0"),
    "an import that is gone": replaced(
        "from openaclnn.spec.formula import sigmoid\n", "", "from math import exp\n",
    ),
    "a module that is not there": replaced(
        "openaclnn.spec.host import", "openaclnn.spec.hosts import", "openaclnn.host import",
    ),
    "numbers of other libraries": replaced(
        "from openaclnn.spec.formula import sigmoid\n",
        "from math import tanh as sigmoid\n", "from numpy import tanh as sigmoid\n",
        "from math import exp as sigmoid\n", "from numpy import sqrt as sigmoid\n",
    ),
    "no name": replaced('"right_one"', '"RightOne"', '"right-one"', '"1one"', '"lambda"', "5"),
    "a name that exists": replaced('"right_one"', '"silu"', '"add"', '"relu"'),
    "an argument that is no name": replaced('In("self")', 'In("Self")', 'In("self x")', "In(7)"),
    "two of one name": replaced('Attr("scale"', 'Attr("self"', 'Attr("out"'),
    "a word of C": replaced('Attr("scale"', 'Attr("int"', 'Attr("struct"', 'Attr("executor"'),
    "no output": replaced('        Out("out"),\n', ""),
    "no operator": replaced("OP = Op(", "OPERATOR = Op(", "OP = dict("),
    "no formula": replaced("    formula=formula,\n", "", "    formula=None,\n", "    formula=3,\n"),
    "a Python type": replaced("host=FLOAT32", "host=float", 'host="float"', "host=None"),
    "a wrong default": replaced("default=1.0", 'default="one"', "default=(1, 2)", "default=dict"),
    "a rule that is none": replaced("        Castable(),", "        Castable,", '        "cast",'),
    "rules that are none": replaced("    rules=(  #", "    rules=5 or (  #"),
    "an argument that is none": replaced('        In("self"),', '        "self",', "        In,"),
    "dtypes that are none": replaced("FLOATS),", '("f32",)),', "(float,)),", "5),"),
    "arguments in no tuple": replaced('Dtypes(("self",), FLOATS)', "Dtypes(5, FLOATS)"),
    "a text that is none": replaced('example="""', 'en=5, example="""', 'zh=b"1", example="""'),
    "a wrong example": replaced("array([ 0., 50.]", "array([ 0., 51.]", "array([ 1., 50.]"),
    "two results": formula("return self, scale * self", "return self, self, scale"),
    "no result": formula("pass", "scale * self", "return None"),
    "no number": formula('return "self"', "return [self]", "return {}", "return object()"),
    "too few for a function": formula("return scale * sigmoid()", "return clamp(self, scale)"),
    "too many for a function": formula("return sigmoid(self, scale)"),
    "a syntax error": replaced("OP = Op(", "OP = Op((", "OP == = Op("),
    "if": formula("return self if self > 0 else scale", "return scale if self else self"),
    "an if of its own": replaced(FORMULA, f"    if self > scale:\n        return self\n{FORMULA}"),
    "and": formula("return sigmoid(self > 0 and self)", "return (self or scale) * 2"),
    "not": formula("return scale * (not self)"),
    "equal": formula("return self * (self == 0)", "return scale * (self != 1)"),
    "a chain": formula("return scale * (0 < self < 1)"),
    "max": formula("return scale * max(self, 0)", "return min(max(self, -1), scale)"),
    "a loop": formula("return sum(x for x in self) * scale", "return sum(range(self)) + scale"),
    "a conversion": formula("return float(self)", "return int(self)", "return round(self, 2)"),
    "an index": formula("return self[0] * scale", "return self[:, 0]", "return len(self) * scale"),
    "math": formula("return __import__('math').sqrt(self) * scale"),
    "an attribute": formula("return self.exp()", "return self.shape[0] * scale", "return self.T"),
    "while": replaced(FORMULA, f"    while self > 0:\n        self = self - scale\n{FORMULA}"),
}  # fmt: skip


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder of one's own, chosen as if the process began now."""

    def forget() -> None:
        for cached in (ops._own, ops.all_ops, files._own_module, c_shaped.function):
            cached.cache_clear()

    for module, name in ((ops, "_loaded"), (ops, "_c_names"), (by_name, "_made")):
        monkeypatch.setattr(module, name, dict(getattr(module, name)))
    monkeypatch.setenv("OPENACLNN_OPS", str(tmp_path))
    forget()
    tmp_path.chmod(0o755)
    yield tmp_path
    forget()


def wrong(path: Path, text: str) -> list[str]:
    """What is said of a file."""
    path.write_text(text)
    path.chmod(0o644)
    found = _checked(File(path, path.parent.name, own=True, guarded=True))
    return [one for one in found if not isinstance(one, Op)]


def test_the_right_one_is_right(own: Path) -> None:
    assert wrong(own / "right_one.py", RIGHT) == []


def test_all_are_refused(own: Path) -> None:
    """Sixty mutations; each has a sentence that begins with its file and a line in it."""
    draw = random.Random(SEED)
    silent = []
    for number in range(COUNT):
        name = draw.choice(list(MUTATIONS))
        text = MUTATIONS[name](draw, RIGHT)
        path = own / f"broken_{number}.py"
        said = wrong(path, text)
        lines = text.count("\n") + 1
        match = re.match(rf"{re.escape(str(path))}:(\d+): (.+)", said[0]) if said else None
        if match is None or not 1 <= int(match[1]) <= lines or len(match[2].split()) < 3:
            silent.append((name, said[:1], text))
    assert not silent, f"BROKEN_SEED={SEED}: {[(name, said) for name, said, _ in silent]}"


def test_the_commands(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new file is right; what is broken then is told, of every file."""
    monkeypatch.chdir(own)
    run = CliRunner().invoke
    done = run(commands, ["new", "aclnnSecondOne", "--folder", "mine"])
    assert done.exit_code == 0, done.output
    assert done.output.startswith("written: mine/second_one.py\n")
    assert "is there already" in run(commands, ["new", "second_one", "--folder", "mine"]).output
    assert "exists already" in run(commands, ["new", "silu", "--folder", "mine"]).output
    assert "is no name" in run(commands, ["new", "Second", "--folder", "mine"]).output
    done = run(commands, ["check", "mine"])
    assert (done.exit_code, done.output) == (0, "files: 1, operators: 1, mistakes: 0\n")
    for name, old, new in (("third", "sigmoid(self)", "max(self, 0)"), ("fourth", "Out(", "Ot(")):
        text = RIGHT.replace("right_one", name).replace(old, new)
        (own / "mine" / f"{name}.py").write_text(text)
        (own / "mine" / f"{name}.py").chmod(0o644)
    done = run(commands, ["check", "mine"])
    assert done.exit_code == 1
    first, second, last = done.output.splitlines()
    assert re.match(r".*mine/fourth.py:19: NameError: name 'Ot' is not defined", first)
    assert re.match(r".*mine/third.py:11: .*write maximum\(a, b\) for max\(a, b\)", second)
    assert last == "files: 3, operators: 2, mistakes: 2"


def test_texts_may_be_missing(own: Path) -> None:
    bare = Op(
        name="no_texts", arguments=(In("self", zh="输入"), Out("out")), formula=lambda self: self
    )
    assert (bare.en, bare.zh) == ("no texts", "no texts")
    assert [(a.en, a.zh) for a in bare.arguments] == [("输入", "输入"), ("out", "out")]
