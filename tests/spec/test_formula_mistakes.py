"""What formulas cannot do with symbols: each is refused in one sentence that says what to write
instead. Python would have gone on with some answer, and the operator computed something else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from openaclnn import OpenaclnnError
from openaclnn.spec.formula import Expr, are_same, is_among, tensor, text, trace

WHERE = "where(condition, yes, no) for if"
AND_OR = "(a) & (b), (a) | (b) and ~(a) for and, or and not"
ONE = "a formula says what becomes of one element of each tensor"
ITEMS = "`self` is one element, which has no length and no items"

# what a formula says, why it is refused, and what is to be written instead
REFUSED = {
    "max(self, 0)": ("`self < 0` may hold for one element", "write maximum(a, b) for max(a, b)"),
    "min(max(self, -1), 1)": ("`self < −1` may hold", "minimum(a, b) for min(a, b)"),
    "self if self > 0 else 0 * self": ("`self > 0` may hold", f"write {WHERE}"),
    "(self > 0) and self": ("`self > 0` may hold", f"write {AND_OR}"),
    "not self": ("`self` may hold", f"write {AND_OR}"),
    "0 < self < 1": ("`self > 0` may hold", "write (a < x) & (x < b) for a < x < b"),
    "bool(self)": ("`self` may hold", WHERE),
    "any([self, 1])": ("`self` may hold", AND_OR),
    "self == 0": ("== does not compare", "write equal(a, b) from openaclnn.spec.formula"),
    "self != other": ("!= does not compare", "write not_equal(a, b) from openaclnn.spec.formula"),
    "self in (1, 2)": ("== does not compare", "write equal(a, b)"),
    "1 in self": (ITEMS, ONE),
    "len(self)": (ITEMS, ONE),
    "[*self]": (ITEMS, ONE),
    "self[0]": (ITEMS, ONE),
    "math.sqrt(self)": (
        "`self` is a symbol and no number yet",
        "use sqrt from openaclnn.spec.form",
    ),
    "float(self)": (
        "`self` is a symbol and no number yet",
        "use the functions from openaclnn.spec",
    ),
    "int(self)": ("`self` is a symbol and no number yet", "write trunc(x) from openaclnn.spec"),
    "[1, 2][self]": ("`self` is a symbol and no number yet", "use the functions"),
    "math.floor(self)": ("`self` is a symbol and no number yet", "write floor(x)"),
    "round(self)": ("`self` is a symbol and no number yet", "write rounded(x)"),
    "np.sqrt(self)": ("NumPy's sqrt does not know the symbol `self`", "use sqrt from openaclnn"),
    "np.where(self > 0, self, 0)": ("NumPy's where does not know the symbol", "use where from"),
    "np.float32(0) == self": ("== does not compare", "write equal(a, b)"),
    "self**2": ("formulas do not have **", "write pow(x, y), or x * x, from"),
    "2 % self": ("formulas do not have %", "write remainder(a, b) or fmod(a, b) from"),
    "self // 2": ("formulas do not have //", "write floor_div(a, b) from"),
    "sqrt(self)": ("NameError: name 'sqrt' is not defined", "use sqrt from openaclnn.spec.formula"),
    "cmath.sqrt(self)": ("NameError: name 'cmath' is not defined", ""),
    "self.exp()": ("AttributeError: 'Expr' object has no attribute 'exp'", ""),
    "None": ("the formula returns None", "expected what is computed of its symbols"),
    "'1'": ("the formula returns '1'", "expected what is computed of its symbols"),
}


def formula_of(folder: Path, said: str) -> tuple[Path, int, object]:
    """A formula in a file of its own, and the line in which it says that."""
    path = folder / "own.py"
    path.write_text(
        f"import math\n\nimport numpy as np\n\n\ndef f(self, other):\n    return {said}\n"
    )
    known: dict[str, object] = {}
    exec(compile(path.read_text(), str(path), "exec"), known)
    return path, 6 if said in ("None", "'1'") else 7, known["f"]


@pytest.mark.parametrize("said", REFUSED)
def test_it_is_refused(said: str, tmp_path: Path) -> None:
    path, line, formula = formula_of(tmp_path, said)
    with pytest.raises(OpenaclnnError) as refused:
        trace(formula, {"self": tensor("self"), "other": tensor("other")})  # type: ignore[arg-type]
    sentence, (why, instead) = str(refused.value), REFUSED[said]
    assert sentence.startswith(f"{path}:{line}: {why}")
    assert instead in sentence
    assert "\n" not in sentence


def test_numbers_of_numpy_are_numbers() -> None:
    x = tensor("x")
    (found,) = trace(
        lambda x: np.float32(2) * x + np.float64(1) / +x - np.int64(3), {"x": x}
    ).results
    assert text(found) == "2·x + 1 / x − 3"
    assert text(np.float32(2) < x) == "2 < x"  # type: ignore[arg-type]


def test_trees_are_known_by_identity() -> None:
    a, b = tensor("x"), tensor("x")
    assert {a: 1, b: 2}[a] == 1
    assert is_among(a, (b, a))
    assert not is_among(a, (b,))
    assert are_same((a, b), [a, b])
    assert not are_same((a, b), (b, a))
    assert not are_same((a,), (a, b))
    assert isinstance(a, Expr)
