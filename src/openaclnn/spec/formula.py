"""The vocabulary of formulas. Running a formula on symbols leaves the tree of what it computes.

The tree says what is meant: `exp(-y)`, not how to get it. `openaclnn.arithmetic` decides how,
and every printer (kernels, NumPy, documentation) starts from here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from openaclnn.base.records import dataclass
from openaclnn.spec.mistakes import FormulaError, OperatorFileError, in_formula, place_of
from openaclnn.spec.undecided import Undecided


@dataclass(frozen=True, eq=False, slots=True)
class Expr(Undecided):
    """One operation of a formula; `args` are what it works on. Trees compare by identity: `==` is
    refused, as all is that Python would take for an answer (`openaclnn.spec.undecided`)."""

    op: str
    args: tuple[Expr, ...] = ()
    name: str = ""  # of an input or a uniform; the text of a `known_as`; what a fold does
    value: float | int = 0.0  # of a constant
    taylor: Taylor | None = None  # of a `near`
    over: str = ""  # of a fold
    count: str = ""  # of a mean, where something else says of how many
    within: tuple[float, float] | None = None  # of a `known_as`: what it lies between, or is NaN
    rises: tuple[Expr, Callable[[Expr], Expr]] | None = None  # of a `known_as`: see `with_slope`

    def __add__(self, other: Expr | float) -> Expr:
        return _apply("add", self, other)

    def __radd__(self, other: float) -> Expr:
        return _apply("add", other, self)

    def __sub__(self, other: Expr | float) -> Expr:
        return _apply("sub", self, other)

    def __rsub__(self, other: float) -> Expr:
        return _apply("sub", other, self)

    def __mul__(self, other: Expr | float) -> Expr:
        return _apply("mul", self, other)

    def __rmul__(self, other: float) -> Expr:
        return _apply("mul", other, self)

    def __truediv__(self, other: Expr | float) -> Expr:
        return _apply("div", self, other)

    def __rtruediv__(self, other: float) -> Expr:
        return _apply("div", other, self)

    def __pos__(self) -> Expr:
        return self

    def __neg__(self) -> Expr:
        return _apply("neg", self)

    def __abs__(self) -> Expr:
        return _apply("abs", self)

    def __lt__(self, other: Expr | float) -> Expr:
        return _apply("lt", self, other)

    def __le__(self, other: Expr | float) -> Expr:
        return _apply("le", self, other)

    def __ge__(self, other: Expr | float) -> Expr:
        return _apply("ge", self, other)

    def __gt__(self, other: Expr | float) -> Expr:
        return _apply("gt", self, other)

    def __and__(self, other: Expr) -> Expr:
        return _apply("and", self, other)

    def __or__(self, other: Expr) -> Expr:
        return _apply("or", self, other)

    def __xor__(self, other: Expr) -> Expr:
        return _apply("xor", self, other)

    def __invert__(self) -> Expr:
        return _apply("not", self)

    def __str__(self) -> str:
        return text(self)

    def at(self, **index: Expr | int) -> Expr:
        """The element of a mapped tensor at these places along its mapped axes; 0, and no memory is
        looked at, where one of them is outside. Places are integers, whatever is computed in."""
        places = {axis: constant(place) for axis, place in index.items()}
        address, there = tensor(self.name + ADDRESS), self.has(**places)
        for axis, place in places.items():
            address = address + place * tensor(f"{self.name} step {axis}")
        return Expr("peek", (address, there, *places.values()), name=self.name + ADDRESS)

    def has(self, **index: Expr | int) -> Expr:
        """Whether a mapped tensor has an element at these places."""
        there: Expr | None = None
        for axis, given in index.items():
            place = constant(given)
            inside = (place >= 0) & (place < self.size(axis))
            there = inside if there is None else there & inside
        assert there is not None
        return among_integers(there)

    def size(self, axis: str) -> Expr:
        """How many places there are along a mapped axis: an integer for places."""
        return tensor(f"{self.name} size {axis}")

    @staticmethod
    def number(value: float) -> Expr:
        return constant(value)


ADDRESS = " @"  # what the name of a mapped tensor's address ends with


@dataclass(frozen=True)
class Taylor:
    """A function beside its root: f(root + d) = d·(c₀ + c₁d + c₂d² + …).

    The root is the sum of `root` and `root_low`, more digits than a float64 has.
    """

    root: float
    root_low: float
    coefficients: tuple[float, ...]


def _apply(op: str, *operands: Expr | float) -> Expr:
    return Expr(op, tuple(constant(operand) for operand in operands))


def constant(value: Expr | float) -> Expr:
    if isinstance(value, Expr):
        return value
    if value is None:
        raise FormulaError(
            "None is no number",
            lambda source: "ask `x is None` first of an optional tensor, which may be absent",
        )
    return Expr("const", value=value if type(value) is int else float(value))


def where(condition: Expr, yes: Expr | float, no: Expr | float) -> Expr:
    """`yes` where the condition holds, else `no`; a comparison with NaN does not hold.

    Conditions are comparisons and what `&`, `|`, `^` and `~` make of them. A number is a condition
    that holds unless it is 0, a condition is a number, 0 or 1.
    """
    return _apply("where", condition, yes, no)


def among_integers(condition: Expr) -> Expr:
    """A condition on integers (positions, indices, constants): they are compared as integers, even
    if the formula is computed in floats."""
    return _apply("among_integers", condition)


def among_numbers(condition: Expr) -> Expr:
    """A condition on elements inside the computation of a position: they are compared as the
    formula's numbers, not as integers."""
    return _apply("among_numbers", condition)


def floored(x: Expr) -> Expr:
    """The largest integer not above a float, as a position; computed in float32, as in PyTorch."""
    return _apply("floored", x)


def whole_number(x: Expr) -> Expr:
    """`floored` in float64, which is exact for positions up to 2⁵³."""
    return replace(floored(x), name="wide")


def as_number(place: Expr) -> Expr:
    """An integer position or index, as a number of the formula."""
    return _apply("as_number", place)


def around(place: Expr, size: Expr) -> Expr:
    """A position; negative ones are counted from the end."""
    return where(place < 0, place + size, place)


def nearest(place: Expr, size: Expr) -> Expr:
    """A position, clamped to the first and last one."""
    return maximum(minimum(place, size - 1), 0)


def mirrored(place: Expr, size: Expr) -> Expr:
    """A position; one outside is reflected at the first or last one."""
    inner = where(place < 0, -place, place)
    return where(inner >= size, 2 * (size - 1) - inner, inner)


SELDOM = "seldom"


def seldom(condition: Expr, yes: Expr, no: Expr) -> Expr:
    """`yes` if the condition holds, which is rare; else `no`, which is accurate enough for results
    of up to 32 bits. DOUBLE uses `yes` everywhere."""
    return replace(where(condition, yes, no), name=SELDOM)


FOR_DOUBLE = "for DOUBLE"


def for_double(yes: Expr, no: Expr) -> Expr:
    """`yes` for DOUBLE, which is computed in its own precision; else `no`, the same value with
    fewer operations, for results with less precision than the computation."""
    return replace(where(constant(1), yes, no), name=FOR_DOUBLE)


def clamp(x: Expr, low: Expr | float, high: Expr | float) -> Expr:
    """x limited to [`low`, `high`]; NaN stays NaN."""
    return _apply("clamp", x, low, high)


def _of_one(op: str, meaning: str) -> Callable[[Expr], Expr]:
    """A word of the vocabulary: a function of one number."""

    def word(x: Expr) -> Expr:
        return _apply(op, x)

    word.__doc__, word.__name__, word.__qualname__ = meaning, op, op
    return word


def _of_two(op: str, meaning: str) -> Callable[[Expr, Expr | float], Expr]:
    """A word of the vocabulary: a function of two numbers."""

    def word(a: Expr, b: Expr | float) -> Expr:
        return _apply(op, a, b)

    word.__doc__, word.__name__, word.__qualname__ = meaning, op, op
    return word


equal = _of_two("equal", "Whether both are equal; NaN equals nothing.")
not_equal = _of_two("not_equal", "Whether both differ; NaN differs from everything.")
minimum = _of_two("minimum", "The smaller of both, or NaN if one of them is.")
maximum = _of_two("maximum", "The larger of both, or NaN if one of them is.")
floor = _of_one("floor", "The largest integer that is not above x.")
ceil = _of_one("ceil", "The smallest integer that is not below x.")
trunc = _of_one("trunc", "x rounded toward zero.")
rounded = _of_one("round", "The integer nearest to x; ties go to the even one.")
trunc_div = _of_two(
    "trunc_div", "a/b rounded toward zero. For integers, a/0 is 0, and overflow wraps."
)
floor_div = _of_two(
    "floor_div", "The largest integer that is not above a/b. For integers, a/0 is 0."
)
fmod = _of_two(
    "fmod",
    "The remainder of `trunc_div`, with the sign of a; for integers, the remainder of a/0 is a.",
)
remainder = _of_two(
    "remainder",
    "The remainder of `floor_div`, with the sign of b; for integers, the remainder of a/0 is a.",
)
gcd = _of_two("gcd", "The greatest common divisor; 0 for two zeros.")
bit_and = _of_two("bit_and", "Bitwise and.")
bit_or = _of_two("bit_or", "Bitwise or.")
bit_xor = _of_two("bit_xor", "Bitwise exclusive or.")
shift_left = _of_two(
    "shift_left",
    "a shifted left by b bits; 0 if b is negative or at least the width.",
)
shift_right = _of_two(
    "shift_right",
    "a shifted right by b bits, filled with its sign; only the sign if b is negative or at least "
    "the width.",
)
signbit = _of_one("signbit", "Whether the sign bit is set: x is below 0, -0, or a NaN with a sign.")
exp = _of_one(
    "exp",
    "e^x, with full relative accuracy for small results. In float32, exp(-abs(y)) is cheaper, "
    "because it cannot overflow.",
)
exp2 = _of_one("exp2", "2^x, exact for integers.")
expm1 = _of_one("expm1", "e^x − 1, with full relative accuracy for small x.")
log1p = _of_one(
    "log1p", "ln(1 + x), with full relative accuracy for small x; -inf for -1, NaN below."
)
log = _of_one("log", "ln(x); -inf for 0, NaN below.")
log2 = _of_one("log2", "log₂(x), exact for powers of two; -inf for 0, NaN below.")
log10 = _of_one("log10", "log₁₀(x); -inf for 0, NaN below.")
logaddexp = _of_two("logaddexp", "log(e^a + e^b), without overflow.")
logaddexp2 = _of_two("logaddexp2", "log₂(2^a + 2^b), without overflow.")
sqrt = _of_one("sqrt", "√x, correctly rounded; NaN below 0, -0 for -0.")
rsqrt = _of_one("rsqrt", "1/√x; an infinity for a zero, NaN below.")
sin = _of_one(
    "sin", "sin(x) for any x, with full relative accuracy near its zeros; NaN for infinities."
)
cos = _of_one(
    "cos", "cos(x) for any x, with full relative accuracy near its zeros; NaN for infinities."
)
tan = _of_one(
    "tan",
    "tan(x) for any x, with full relative accuracy near its zeros and poles; NaN for infinities.",
)
asin = _of_one("asin", "The angle whose sine is x; NaN beyond 1.")
acos = _of_one("acos", "The angle whose cosine is x; NaN beyond 1.")
atan = _of_one("atan", "The angle whose tangent is x.")
atan2 = _of_two("atan2", "The angle of the point (x, y), from -π to π.")
sinh = _of_one("sinh", "sinh(x), with full relative accuracy for small x.")
cosh = _of_one("cosh", "cosh(x).")
asinh = _of_one("asinh", "The inverse of sinh.")
acosh = _of_one("acosh", "The inverse of cosh, at least 0; NaN below 1.")
atanh = _of_one("atanh", "The inverse of tanh; infinite for ±1, NaN beyond.")
tanh = _of_one("tanh", "tanh(x), with full relative accuracy for small x.")
erf = _of_one("erf", "The error function, with full relative accuracy for small x.")
erfc = _of_one("erfc", "1 − erf(x), with full relative accuracy where it is small.")
erfinv = _of_one("erfinv", "The inverse of erf; infinite for ±1, NaN beyond.")
pow = _of_two(
    "pow", "x^y; NaN for an x below 0 unless y is an integer. x^0 and 1^y are 1, even for NaN."
)
sigmoid = _of_one("sigmoid", "1/(1 + e^-x), with full relative accuracy for small results.")

ALL = "all"  # what a fold may be over: every dimension …
STEP = "step"  # … or an axis that its step tells; this is one without another name

_FOLDS = {"add": "sum", "mean": "mean", "max": "max", "digits": "digits"}


def fold(x: Expr, kind: str, over: str = ALL, count: str = "") -> Expr:
    """A reduction of x over several elements: the sum ("add"), "mean" or "max".

    `over` names the attribute that tells the dimensions, an integer or several, or is ALL, or an
    axis that the step names. Sums are exact, whatever the order, and rounded once; a NaN among
    the elements is their "max". What a mean divides by may be an attribute, `count`. The "digits"
    of a sum are integers that can be added up further (`openaclnn.arithmetic.folding`), along a
    dimension of their own.
    """
    if kind not in _FOLDS:
        raise ValueError(f"a fold is one of {', '.join(_FOLDS)}, not {kind!r}")
    return Expr("fold", (constant(x),), name=kind, over=over, count=count)


BELOW_ZERO = float("-inf"), 0.0  # limits; e to the power of what has them is computed alone


def known_as(text: str, value: Expr, within: tuple[float, float] | None = None) -> Expr:
    """`value`, shown to readers as this text. `within` promises that it lies between these limits
    or is NaN; it is then computed to one number, with no division left open."""
    return Expr("known_as", (value,), name=text, within=within)


def described(text: str, *operands: Expr) -> Expr:
    """The formula of a step that runs a routine, as text for readers. It has no derivative, and
    engines never see it."""
    return Expr("described", operands, name=text)


WRAPPED = 1.0


def wrapped(x: Expr) -> Expr:
    """x wrapped to its dtype before a comparison: integers of 8 and 16 bits are computed in 32."""
    return replace(known_as(text(x), x), value=WRAPPED)


def with_slope(x: Expr, value: Expr, slope: Callable[[Expr], Expr]) -> Expr:
    """`value`, a function of x with the derivative `slope(x)`, for functions whose derived
    expression would lose digits by cancellation.

    >>> from openaclnn.spec.derivative import derivative
    >>> x = tensor("x")
    >>> text(derivative(3 * with_slope(x, x * exp(x), lambda x: (1 + x) * exp(x)), "x"))
    '3·(1 + x)·exp(x)'
    """
    return replace(known_as(text(value), value), rises=(x, slope))


def near(x: Expr, taylor: Taylor, value: Expr) -> Expr:
    """`value`, a function of x whose terms cancel at a root: near the root its Taylor series is
    used."""
    return Expr("near", (x, value), taylor=taylor)


@dataclass(frozen=True, eq=False)
class Traced:
    """What a formula computes: the trees of its results, over inputs and uniforms by name.

    Each is itself alone, so that what is made from it can be kept by it.
    """

    inputs: tuple[str, ...]
    uniforms: tuple[str, ...]
    results: tuple[Expr, ...]

    @property
    def extents(self) -> bool:
        """Whether it asks how many elements there are along an axis."""
        return any(name.startswith(EXTENT) for name in self.uniforms)


def tensor(name: str) -> Expr:
    """The symbol of an input: its element at the place that is computed."""
    return Expr("input", name=name)


def uniform(name: str) -> Expr:
    """The symbol of a number that holds for the whole call."""
    return Expr("uniform", name=name)


EXTENT = "extent "  # what the name of such a uniform begins with


def extent(axis: str) -> Expr:
    """The number of elements along an axis that a reduction may be over."""
    return uniform(EXTENT + axis)


def trace(
    formula: Callable[..., Expr | tuple[Expr, ...]], parameters: Mapping[str, object]
) -> Traced:
    """The trees of a formula for what its parameters are bound to: symbols, or plain values such
    as a flag, or None for a tensor that is absent, which a formula asks in Python.

    >>> twice = trace(lambda x, k, bias: x * k if bias is None else x * k + bias,
    ...     {"x": tensor("x"), "k": uniform("k"), "bias": None})
    >>> twice.inputs, twice.uniforms, text(twice.results[0])
    (('x',), ('k',), 'x·k')
    """
    symbols = [bound for bound in parameters.values() if isinstance(bound, Expr)]
    try:
        found = formula(**parameters)
    except OperatorFileError:
        raise
    except Exception as error:
        raise in_formula(formula, error) from error
    results = found if isinstance(found, tuple) else (found,)
    for result in results:
        if not isinstance(result, (Expr, int, float)):
            raise OperatorFileError(
                *place_of(formula),
                f"the formula returns {result!r}; expected what is computed of its symbols, or a "
                "tuple of that for several outputs",
            )
    trees = tuple(map(constant, results))
    leaves = [one for one in distinct(trees) if not one.args]
    extents = (one.name for one in leaves if one.name.startswith(EXTENT))
    given = [symbol.name for symbol in symbols if symbol.op == "input"]
    read = dict.fromkeys(one.name for one in leaves if one.op == "input")
    mapped = [name for name in read if name not in given]
    plain = (name for name in given if name in read or name + ADDRESS not in read)
    return Traced(
        inputs=(*plain, *mapped),
        uniforms=(
            *(symbol.name for symbol in symbols if symbol.op == "uniform"),
            *dict.fromkeys(extents),
        ),
        results=trees,
    )


def walk(expr: Expr) -> Iterator[Expr]:
    """A tree's expressions, the outermost first."""
    yield expr
    for arg in expr.args:
        yield from walk(arg)


def distinct(trees: Iterable[Expr]) -> Iterator[Expr]:
    """Every expression of several trees once, after its operands."""
    seen: set[int] = set()
    stack = [(tree, False) for tree in reversed(tuple(trees))]
    while stack:
        expr, ready = stack.pop()
        if id(expr) in seen:
            continue
        if ready:
            seen.add(id(expr))
            yield expr
        else:
            stack += [(expr, True), *((arg, False) for arg in reversed(expr.args))]


def is_among(expr: Expr, several: Iterable[Expr]) -> bool:
    """Whether a tree is one of several, by identity."""
    return any(one is expr for one in several)


def are_same(some: Sequence[Expr], others: Sequence[Expr]) -> bool:
    """Whether both are the same trees in the same order, by identity."""
    return len(some) == len(others) and all(map(operator.is_, some, others))


def inputs_of(expr: Expr) -> set[str]:
    """The tensors that a tree reads, by name."""
    return {one.name for one in walk(expr) if one.op == "input"}


def words_of(expr: Expr) -> set[str]:
    """The operations of a formula, by name; what a fold does counts as one.

    >>> sorted(words_of(exp(-tensor("x")) + 1))
    ['add', 'const', 'exp', 'input', 'neg']
    """
    return {
        f"{one.op} {one.name}" if one.op in ("fold", "described", "random") else one.op
        for one in walk(expr)
    }


# How an operation is written, and how tightly: where brackets are needed, an operand is looser than
# the least that its side takes.
_INFIX = {
    "or": (" or ", 1, (2, 2)),
    "xor": (" xor ", 1, (2, 2)),
    "and": (" and ", 1, (2, 2)),
    "lt": (" < ", 2, (3, 3)),
    "le": (" ≤ ", 2, (3, 3)),
    "gt": (" > ", 2, (3, 3)),
    "ge": (" ≥ ", 2, (3, 3)),
    "equal": (" = ", 2, (3, 3)),
    "not_equal": (" ≠ ", 2, (3, 3)),
    "add": (" + ", 3, (3, 4)),
    "sub": (" − ", 3, (3, 4)),
    "div": (" / ", 4, (4, 6)),
    "mul": ("·", 5, (5, 5)),
}
_CHOICE, _SUM, _PRODUCT, _ATOM = 0, 3, 4, 6


def text(expr: Expr) -> str:
    """The formula as people write it.

    >>> g, x = tensor("g"), tensor("x")
    >>> text(where(abs(x) < 3, g / 6, 0)), text(x - (g - x)), text(g / (2 * x))
    ('g / 6 where |x| < 3, else 0', 'x − (g − x)', 'g / (2·x)')
    """
    return _text(expr, _CHOICE)


def _text(expr: Expr, least: int = _CHOICE + 1) -> str:
    """An operand, in brackets where it is written more loosely than `least`."""
    found, tightness = _written(expr)
    return f"({found})" if tightness < least else found


def _written(expr: Expr) -> tuple[str, int]:
    if expr.op in ("input", "uniform"):
        return expr.name, _ATOM
    if expr.op == "const":
        return _number(expr.value), _SUM if expr.value < 0 else _ATOM
    if expr.op in ("known_as", "described"):
        return expr.name, _tightness(expr.name)
    if expr.op == "near":
        return _written(expr.args[1])
    if expr.op in ("among_integers", "among_numbers", "as_number"):
        return _written(expr.args[0])
    if expr.op == "peek":
        places = ", ".join(map(_text, expr.args[2:]))
        return f"{expr.name.removesuffix(ADDRESS)}[{places}]", _ATOM
    if expr.op == "random":
        return "vu"[expr.value == 0], _ATOM
    if expr.op == "where":
        condition, yes, no = map(_text, expr.args)
        return f"{yes} where {condition}, else {no}", _CHOICE
    if expr.op == "neg":
        return "−" + _text(expr.args[0], _PRODUCT), _SUM
    if expr.op == "not":
        return "not " + _text(expr.args[0], _ATOM), 2
    if expr.op == "abs":
        return f"|{_text(expr.args[0])}|", _ATOM
    if expr.op in _INFIX:
        sign, tightness, least = _INFIX[expr.op]
        first, second = expr.args
        if first.op == expr.op:
            least = (tightness, least[1])
        if second.op == expr.op and expr.op not in ("sub", "div"):  # a + (b + c) is a + b + c
            least = (least[0], tightness)
        return sign.join(map(_text, expr.args, least)), tightness
    name = {"sigmoid": "σ", "fold": _FOLDS.get(expr.name, "")}.get(expr.op, expr.op)
    return f"{name}({', '.join(map(_text, expr.args))})", _ATOM


def _number(value: float) -> str:
    short = f"{value:g}"
    return (short if float(short) == value else repr(value).removesuffix(".0")).replace("-", "−")


def _tightness(text: str) -> int:
    """How tightly the words of a `known_as` stand, by what is not in brackets there."""
    bare, depth = "", 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        bare += letter if not depth else ""
    signs = [tightness for sign, tightness, _ in _INFIX.values() if sign in bare]
    return min([*signs, _SUM if bare.startswith("−") else _ATOM])
