"""verify: the promise is kept on a sample, and whatever is broken is found."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from openaclnn.arithmetic import compute_types, lower
from openaclnn.arithmetic.functions.exp import COEFFICIENTS
from openaclnn.arithmetic.nodes import Node
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, INT64, DType
from openaclnn.base.scalars import scalar
from openaclnn.base.settings import EXACT, FAST
from openaclnn.cli.verify import command
from openaclnn.ops import all_ops, by_default, find
from openaclnn.spec import describe
from openaclnn.spec.formula import Expr, clamp, constant, exp, where
from openaclnn.spec.op import Op
from openaclnn.verify import session, subjects, verify
from openaclnn.verify.form import form_of, numbers_of, shows_its_slope
from openaclnn.verify.tasks import Task
from openaclnn.verify.trials import numbered
from openaclnn.verify.work import parts_of, work
from walks import in_turn, operators

SLOPES = [op for op in by_default().values() if form_of(op).linear]  # a gradient times a slope
SWEEPS = [
    (op.name, dtype.short, number, part.batches)
    for op in SLOPES
    for dtype in describe.dtypes(op)
    for number, part in enumerate(parts_of(op.name, dtype.short, True))
    if part.name.startswith("every ") and part.batches > 1
]


def test_sample() -> None:
    some = in_turn([FLOAT, BF16, FLOAT16, DOUBLE], 0, of=3)  # by day FLOAT and DOUBLE
    report = verify(SLOPES, some, threads=2, torch=False)
    assert report.passed, str(report)
    assert {row.level for row in report.rows} == {EXACT, FAST}
    assert len(report.rows) == 2 * sum(len({*some} & {*describe.dtypes(op)}) for op in SLOPES)


OTHERS = [op for op in operators("verify", most=28).values() if op not in SLOPES]


@pytest.mark.parametrize("op", OTHERS, ids=lambda op: op.name)
def test_sample_of_one_dtype(op: Op) -> None:
    dtype = FLOAT16 if FLOAT16 in describe.dtypes(op) else describe.dtypes(op)[0]
    report = verify([op], [dtype], threads=1, torch=False)
    assert report.passed, str(report)


def test_statistics_have_more_digits() -> None:
    """The means of FLOAT16 are FLOAT, and were taken for FLOAT16 that is converted."""
    for name in ("layer_norm", "batch_norm"):  # and some are left as they were
        report = verify([find(name)], [FLOAT16], threads=1, torch=False)
        assert report.passed, str(report)


def test_zeros_of_products_have_their_sign() -> None:
    """A sum below the range was +0 in the reference, whatever its sign."""
    report = verify([find("addmv")], [FLOAT16], threads=1, torch=False)
    assert report.passed, str(report)


def test_forms() -> None:
    """Which proofs go by the slope, and which by all of either input."""
    assert {op.name for op in SLOPES if shows_its_slope(op)} >= {
        "log_sigmoid_backward", "silu_backward",
    }  # fmt: skip
    for name, thresholds in (("hardsigmoid_backward", {-3, 3}), ("leaky_relu_backward", {0})):
        form = form_of(find(name))
        assert form.gated
        assert set(form.thresholds or ()) == thresholds
    assert not form_of(find("smooth_l1_loss_backward")).gated


@pytest.mark.parametrize(("op", "dtype", "part", "batches"), SWEEPS)
def test_pieces_of_the_exhaustive_sweep(op: str, dtype: str, part: int, batches: int) -> None:
    """The first and last of either sign, the one of x = -1.28, one of many."""
    for index in (0, batches // 2, batches - 1, 0xBFA % batches):
        task = Task(op, dtype, part, index, True, (EXACT,), "cpu")
        tally = work(task)[1][EXACT]
        assert tally.worst.error <= 0.51, tally.worst
        assert tally.count == 1 << 20
        assert tally.wrong_zeros == tally.wrong_nans == tally.wrong_specials == 0


SMOOTH_L1 = find("smooth_l1_loss_backward").formula


SILU = find("silu_backward").in_float32


def rounded_too_early(grad_output: Expr, self: Expr) -> Expr:
    """1 + e, a number once it is clamped, has lost the bits that |x| leaves."""
    e = exp(-abs(self))
    below = e * (clamp(1 + e, 1, 2) - abs(self)) / ((1 + e) * (1 + e))
    return grad_output * where(self >= 0, 1 - below, below)


def no_tail(grad_output: Expr, self: Expr) -> Expr:
    return grad_output * where(self < -104, 0, SILU(constant(1), self))


def cancelling(grad_output: Expr, self: Expr) -> Expr:
    e = exp(-abs(self))
    tail = e / (1 + e)
    return grad_output * where(self <= 0, 1 - tail, 1 - (1 - tail))


def rough_sixth(grad_output: Expr, self: Expr) -> Expr:
    return where(abs(self) < 3, grad_output * float(np.float32(1 / 6)), 0)


def wrong_edge(grad_output: Expr, self: Expr) -> Expr:
    return where(abs(self) >= 3.0000002384185791, 0, grad_output / 6)


def not_divided(
    grad_out: Expr, self: Expr, target: Expr, inverse: Expr, rest: Expr, k: Expr, zero: Expr
) -> Expr:
    return SMOOTH_L1(grad_out, self, target, inverse, rest, constant(1), zero)


def wrong_zero(grad_output: Expr, self: Expr, negative_slope: Expr) -> Expr:
    return where(self > 0, grad_output, grad_output * negative_slope + 0)


BROKEN: list[tuple[str, DType, Callable[..., Expr]]] = [
    ("silu_backward", FLOAT, rounded_too_early),
    ("silu_backward", FLOAT16, rounded_too_early),
    ("silu_backward", FLOAT, no_tail),
    ("silu_backward", BF16, no_tail),
    ("log_sigmoid_backward", FLOAT, cancelling),
    ("log_sigmoid_backward", FLOAT16, cancelling),
    ("hardsigmoid_backward", FLOAT, rough_sixth),
    ("hardsigmoid_backward", FLOAT, wrong_edge),
    ("smooth_l1_loss_backward", FLOAT, not_divided),
    ("leaky_relu_backward", FLOAT, wrong_zero),
]


def alone(op: Op, dtype: DType, level: str = EXACT) -> Any:
    """The row of an operator at a level, worked out in this process."""
    report = verify([op], [dtype], [level], threads=1, torch=False)
    assert report.passed == (not report.rows[0].faults)
    return report.rows[0]


@pytest.mark.parametrize(
    ("name", "dtype", "formula"), BROKEN, ids=[f"{n}-{d}-{f.__name__}" for n, d, f in BROKEN]
)
def test_a_broken_formula_is_found(
    name: str, dtype: DType, formula: Callable[..., Expr], monkeypatch: pytest.MonkeyPatch
) -> None:
    computed_as(replace(find(name), formula=formula, in_float32=None), monkeypatch)
    assert alone(find(name), dtype).faults


def computed_as(broken: Op, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let kernels compute something else than what is meant."""
    ours, unrounded = subjects.ours, subjects.unrounded
    monkeypatch.setattr(subjects, "ours", lambda op, *rest: ours(broken, *rest))
    monkeypatch.setattr(subjects, "unrounded", lambda op, *rest: unrounded(broken, *rest))


def test_a_rounded_reciprocal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of numbers that divide exactly the reciprocal is as good."""
    broken = replace(find("muls"), name="divs")

    def multiplied(op: Op, level: str, device: str, given: Any, attributes: Any, *rest: Any) -> Any:
        number = np.float32(attributes["other"].value)
        inverse = {"other": scalar(float(np.float32(1) / number) if number else np.inf)}
        return called(broken, level, device, given, inverse, *rest)

    called = subjects.called
    with np.errstate(all="ignore"):
        monkeypatch.setattr(subjects, "called", multiplied)
        assert alone(find("divs"), FLOAT).faults


def test_numbers_of_all_kinds_are_tried() -> None:
    """Of every operator that has such, in every dtype: hard ones, and random ones."""
    for op in all_ops().values():
        if not numbers_of(op) or op.proof.attributes:
            continue
        for dtype in describe.dtypes(op)[:1]:
            if dtype.kind == "float":
                parts = {part.name: part.batches for part in numbered(op, dtype)}
                assert parts.get("numbers", 0) >= 10, (op, dtype)


@pytest.mark.parametrize("name", ["sin", "div", "atan2"])
def test_integers_become_float_first(name: str) -> None:
    assert not alone(find(name), INT64).faults


def nudged(part: int, by: float) -> Callable[[Any], Any]:
    """The exponential with one coefficient changed."""

    def change(using: Any) -> Any:
        even = [c * (1 + by * (n == part)) for n, c in enumerate(using.even)]
        return replace(using, even=tuple(even))

    return change


NUDGED: list[tuple[str, DType, str, str, Callable[[Any], Any]]] = [
    ("silu_backward", FLOAT, EXACT, "f64 for FLOAT", nudged(0, 1e-14)),
    ("silu_backward", FLOAT, EXACT, "f64 for FLOAT", nudged(1, 1e-7)),
    ("log_sigmoid_backward", FLOAT, EXACT, "f64 for FLOAT", nudged(1, 1e-6)),
    ("silu_backward", FLOAT16, EXACT, "f32 for FLOAT16", nudged(0, 2e-7)),
    ("silu_backward", BF16, EXACT, "f32 for BF16", lambda using: replace(using, max_y=100.0)),
]


@pytest.mark.parametrize(("name", "dtype", "level", "width", "change"), NUDGED)
def test_broken_arithmetic_is_found(
    name: str,
    dtype: DType,
    level: str,
    width: str,
    change: Callable[[Any], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(COEFFICIENTS, width, change(COEFFICIENTS[width]))
    assert alone(remade(name, monkeypatch), dtype, level).faults


@pytest.mark.parametrize("terms", [0, 1])
def test_a_shorter_series_is_found(terms: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute_types, "F32", replace(compute_types.F32, root_terms=terms))
    assert alone(remade("silu_backward", monkeypatch), FLOAT, FAST).faults


def remade(name: str, monkeypatch: pytest.MonkeyPatch) -> Op:
    """An operator of its own: prepared calls are remembered by operator."""
    fresh = replace(find(name))
    monkeypatch.setitem(all_ops(), name, fresh)
    return fresh


def test_one_wrong_bit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    op = find("hardsigmoid_backward")
    right = alone(op, FLOAT16)
    at = np.float16(-1.5).view(np.uint16)
    real = subjects.ours

    def wrong(op: Op, dtype: DType, level: str, device: str, inputs: Any, attributes: Any) -> Any:
        bits = real(op, dtype, level, device, inputs, attributes)
        if inputs[0].size == 1 << 16:  # every binade: gradient 1
            bits[inputs[1] == at] ^= 1
        return bits

    monkeypatch.setattr(subjects, "ours", wrong)
    row = alone(op, FLOAT16)
    assert row.tally.worst.inputs == (1.0, -1.5)
    assert row.tally.worst.error == pytest.approx(4 / 3)
    assert "grad_output=1.0 self=-1.5: 0.1665, true 0.166666666667" in row.faults[0]
    assert row.tally.digest != right.tally.digest


def test_wrong_zeros_and_nans_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = subjects.ours

    def wrong(*arguments: Any) -> Any:
        bits = real(*arguments)
        bits[bits == 0x8000] = 0
        bits[bits == 0x7E00] = 0x7E01
        return bits

    monkeypatch.setattr(subjects, "ours", wrong)
    row = alone(find("silu_backward"), FLOAT16)
    assert row.tally.wrong_zeros
    assert row.tally.wrong_nans
    assert len(row.faults) == 2


@pytest.mark.parametrize("name", ["hardsigmoid_backward", "silu_backward"])
def test_figures_do_not_depend_on_threads(name: str) -> None:
    one, two = (verify([find(name)], [FLOAT16], threads=n, torch=False) for n in (1, 2))
    assert [row.as_dict(profile=True) for row in one.rows] == [
        row.as_dict(profile=True) for row in two.rows
    ]


@pytest.mark.parametrize("name", ["hardsigmoid_backward", "leaky_relu_backward"])
@pytest.mark.parametrize("dtype", [FLOAT, FLOAT16, BF16], ids=str)
def test_self_only_decides(name: str, dtype: DType) -> None:
    """The proof walks through all gradients and all self one at a time: so self must reach the
    result through nothing but a comparison."""
    body = lower.lower(find(name).traced_in("f32"), (dtype, dtype), dtype, (dtype,), "f32")

    def values(node: Node) -> set[float]:
        """Loads that the value of a node depends on other than by a choice."""
        if node.op == "load":
            return {node.value}
        args = node.args[1:] if node.op == "select" else node.args
        return set().union(*map(values, args)) if args else set()

    assert values(body.results[0]) == {0}


def invoke(*arguments: str) -> Any:
    return CliRunner().invoke(command, [*arguments, "--threads", "1", "--no-torch"])


def test_command() -> None:
    result = invoke("hardsigmoid_backward", "--dtype", "f16", "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["passed"]
    assert [row["level"] for row in found["rows"]] == [EXACT, FAST]
    assert found["rows"][0]["digest"] == found["rows"][1]["digest"]
    told = invoke("aclnnHardsigmoidBackward", "--dtype", "f16", "--level", "exact")
    assert told.exit_code == 0
    assert "within the bounds (a sample" in told.stdout
    assert found["rows"][0]["digest"][:16] in told.stdout


def test_command_without_the_cuda_extra() -> None:
    """Where neither cuda-bindings nor triton is installed."""
    program = (
        "import sys\n"
        "sys.modules.update(dict.fromkeys(('cuda', 'triton')))\n"  # an import of these fails
        "from openaclnn.cli.verify import command\n"
        "command(sys.argv[1:])\n"
    )
    words = ["hardsigmoid_backward", "--dtype", "f32", "--no-torch", "--threads", "1"]
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "within the bounds" in done.stdout


def test_command_beside_pytorch() -> None:
    pytest.importorskip("torch")
    arguments = ["log_sigmoid_backward", "--dtype", "f16", "--threads", "1", "--json"]
    found = json.loads(CliRunner().invoke(command, arguments).stdout)
    assert found["rows"][0]["torch"]["max_ulp"] > 1
    assert found["rows"][0]["torch"]["count"] == found["rows"][0]["count"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sine"], "there is no operator 'sine'"),
        (["silu_backward", "--dtype", "f64"], "no inputs of silu_backward have dtype DOUBLE"),
        (["--dtype", "f12"], "'f12' is no dtype"),
        (["--threads", "0"], "0 is not in the range"),
        (
            [
                "--plot",
                "/nowhere/p.png",
                "hardsigmoid_backward",
                "--dtype",
                "f16",
                "--threads",
                "1",
            ],
            "the picture cannot be written to /nowhere/p.png",
        ),
    ],
)
def test_wrong_usage(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_violation_is_exit_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    computed_as(replace(find("hardsigmoid_backward"), formula=rough_sixth), monkeypatch)
    result = invoke("hardsigmoid_backward", "--dtype", "f32", "--level", "exact")
    assert result.exit_code == 1
    assert "FAIL  hardsigmoid_backward" in result.stdout
    assert "ULP > 0.51 at grad_output=" in result.stdout


def test_an_interrupt_shows_the_result_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    class Impatient(session.Bar):
        def __call__(self, share: float) -> None:
            if share > 0.3:
                raise KeyboardInterrupt

    monkeypatch.setattr(session, "Bar", Impatient)
    result = invoke("hardsigmoid_backward", "--dtype", "f16")
    assert result.exit_code == session.INTERRUPTED
    last = result.stdout.splitlines()[-1]
    assert last.startswith("nothing outside the bounds so far: a sample, interrupted after ")
    assert "pass  hardsigmoid_backward" in result.stdout


def test_picture_and_results(tmp_path: Any) -> None:
    pytest.importorskip("matplotlib")
    picture, saved = tmp_path / "p.png", tmp_path / "r.json"
    result = invoke(
        "silu_backward", "--dtype", "bf16", "--plot", str(picture), "--save", str(saved)
    )
    assert result.exit_code == 0
    assert picture.read_bytes()[:4] == b"\x89PNG"
    rows = json.loads(saved.read_text())["rows"]
    assert len(rows[0]["over_self"]) == 2 * 8 * 17 + 1
    assert 0.49 < max(rows[0]["over_self"]) < 0.51
