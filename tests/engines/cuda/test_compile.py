"""Kernels compile to cubins on a machine without a GPU."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("triton", reason="needs triton")
pytest.importorskip("cuda.bindings", reason="needs cuda-bindings")

import cases
from conversions import SAME, compute_of
from openaclnn.arithmetic.lower import Body, lower
from openaclnn.base.dtypes import (
    BF16,
    BOOL,
    COMPLEX128,
    DOUBLE,
    FLOAT,
    FLOAT16,
    INT4,
    INT8,
    INT16,
    INT32,
    INT64,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    DType,
)
from openaclnn.base.tensors import Tensor, View, view
from openaclnn.capi.arguments import TracedCall
from openaclnn.cli.main import commands
from openaclnn.engines.cuda import precompile, ptx
from openaclnn.engines.cuda import tile_table as tiles
from openaclnn.engines.cuda.body import constant
from openaclnn.engines.cuda.choose_tiling import tiling_of
from openaclnn.engines.cuda.compile import binary, cached_at, compiled, program_of
from openaclnn.engines.cuda.kernel import FETCHED, divider, kernel_of
from openaclnn.engines.cuda.passes import kernels_of, passes_of
from openaclnn.engines.cuda.ptxas_fault import loses_an_index, memory_of_a_thread
from openaclnn.engines.cuda.tile_table import Tile, weight
from openaclnn.engines.cuda.tiling import ShiftedTiling, StagedTiling, Tiling
from openaclnn.ops import find
from openaclnn.plan import make_plan, pass_over
from openaclnn.plan.loop import Loop
from openaclnn.plan.routines import RoutinePass
from openaclnn.spec import describe
from openaclnn.spec.formula import (
    Expr,
    equal,
    erf,
    exp,
    expm1,
    gcd,
    log,
    log1p,
    rsqrt,
    sigmoid,
    sin,
    sqrt,
    tanh,
    tensor,
    trace,
    uniform,
)
from openaclnn.spec.op import Attr, Op
from openaclnn.spec.sample import sample_call
from openaclnn.spec.scatters import Scatter
from openaclnn.torch import shares
from openaclnn.verify import device
from walks import in_turn


@pytest.fixture(scope="module")
def some() -> list[precompile.Entry]:
    """A light and a heavy operator, every dtype, flat and turned."""
    wanted = ("leaky_relu_backward", "silu_backward")
    return [e for e in precompile.usual(90, ops=map(find, wanted)) if e.level == "exact"]


def test_usual_set() -> None:
    every = precompile.all_ops().values()
    without = [op for op in every if not any(precompile.usual(90, ops=[op]))]
    assert 0 < len(without) < len(every) / 50
    for op in without:  # it does nothing, or adds floats at indices
        passes = make_plan(sample_call(op, describe.dtypes(op)[:1], (64, 64)), "exact").passes
        routines = [one.routine for one in passes if isinstance(one, RoutinePass)]
        adds = [isinstance(one, Scatter) and one.kind == "add" for one in routines]
        assert any(adds) or not passes, op
    of_one = list(precompile.usual(90, ops=[find("add")]))
    assert {entry.layout for entry in of_one} == {"flat", "turned"}
    assert {entry.level for entry in of_one} == {"exact", "fast"}
    mixed = list(precompile.usual(90, every_mix=True, ops=[find("add")]))
    assert len(mixed) > 5 * len(of_one)


def test_cubins(some: list[precompile.Entry]) -> None:
    some = in_turn(some, 0, of=2)
    for _ in precompile.compile_all(entry.program for entry in some):
        pass
    for entry in some:
        code = binary(entry.program)
        assert code.cubin[:4] == b"\x7fELF"
        assert code.warps == entry.program.warps


@pytest.mark.parametrize(
    ("name", "dtype"), [("floor_divide", INT64), ("right_shift", INT8), ("arange", FLOAT)]
)
def test_whole_numbers_and_positions(name: str, dtype: DType) -> None:
    (one,) = make_plan(sample_call(find(name), (dtype,), (64, 128)), "exact").passes
    ((kernel, _),) = kernels_of(one, 90)
    assert binary(program_of(kernel, kernel.alignable)).cubin[:4] == b"\x7fELF"


@pytest.mark.parametrize(
    ("name", "dtype"),
    [("cumsum", BF16), ("cumprod", FLOAT), ("cummax", FLOAT16), ("sort", INT8)],
)
def test_routines(name: str, dtype: DType) -> None:
    (one,) = make_plan(sample_call(find(name), (dtype,), (3, 5)), "exact").passes
    programs = {program_of(kernel, kernel.alignable) for kernel, _ in kernels_of(one, 90)}
    assert len(programs) <= 3  # all steps of a sort are one
    for program in programs:
        assert binary(program).cubin[:4] == b"\x7fELF"


def test_a_row_of_one_number() -> None:
    (one,) = passes_of(make_plan(sample_call(find("softmax"), (FLOAT,), ()), "exact"))
    ((kernel, _),) = kernels_of(one, 90)
    assert compiled(program_of(kernel, kernel.alignable)).cubin[:4] == b"\x7fELF"


@pytest.mark.parametrize(("name", "dtype"), [("softmax", BF16), ("softmax_backward", FLOAT16)])
def test_a_row_of_one_number_repeated(name: str, dtype: DType) -> None:
    """What is read once for a row is read for each of its elements, which some instructions take
    in pairs."""

    def layout(number: int, dtype: DType, shape: tuple[int, ...]) -> View:
        return view(dtype, shape, (0, 1) if number < len(find(name).inputs) else None)

    call = sample_call(find(name), (dtype,), (4096, 300), layout=layout)
    (one,) = passes_of(make_plan(call, "exact"))
    ((kernel, _),) = kernels_of(one, 90)
    assert compiled(program_of(kernel, kernel.alignable)).cubin[:4] == b"\x7fELF"


def test_kernels_of_proofs_are_printed() -> None:
    assert "def judged" in device.judge_source(90)
    assert "def truth" in device.source(find("exp"), 90).text


def test_older_architecture(some: list[precompile.Entry]) -> None:
    entry = next(e for e in precompile.usual(80, ops=[find("silu_backward")]) if "bf16" in e.dtypes)
    assert compiled(entry.program).cubin[:4] == b"\x7fELF"
    assert entry.program.source != some[-1].program.source


def test_damaged_entry_is_rebuilt(some: list[precompile.Entry]) -> None:
    program = some[0].program
    good = binary(program)
    path = cached_at(program)
    path.write_bytes(path.read_bytes()[:-100])
    again = binary(program)  # debug information differs from one compilation to the next
    assert (again.name, again.shared, again.warps) == (good.name, good.shared, good.warps)
    assert again.cubin[:4] == b"\x7fELF"


def test_command_refuses_what_is_no_architecture() -> None:
    result = CliRunner().invoke(commands, ["compile", "--arch", "hopper"])
    assert result.exit_code == 2
    assert "sm_90" in result.output


def test_command_says_what_cannot_be_compiled(
    monkeypatch: pytest.MonkeyPatch, some: list[precompile.Entry]
) -> None:
    unknown = [replace(entry, program=replace(entry.program, arch=1)) for entry in some[:1]]
    monkeypatch.setattr(precompile, "usual", lambda arch, every_mix, ops: unknown)
    result = CliRunner().invoke(commands, ["compile", "--arch", "sm_1", "add"])
    assert result.exit_code == 1
    assert "Error: Triton cannot compile for sm_1: ptxas fatal" in result.output


def test_command(
    monkeypatch: pytest.MonkeyPatch, some: list[precompile.Entry], tmp_path: Path
) -> None:
    def usual(arch: int, every_mix: bool, ops: list[Op]) -> list[precompile.Entry]:
        return [entry for entry in some if entry.op == ops[0].name][:1]

    monkeypatch.setattr(precompile, "usual", usual)
    program = tmp_path / "program.cpp"
    program.write_text("int main() { return aclnnSiluBackward(0, 0, 0, 0) + aclnnMissing(); }")
    both = ["compile", "leaky_relu_backward", str(program), "aclnnLeakyReluBackward"]
    result = CliRunner().invoke(commands, [*both, "--json"])
    assert result.exit_code == 0, result.output
    kernels = json.loads(result.stdout)["kernels"]
    assert [kernel["operator"] for kernel in kernels] == ["leaky_relu_backward", "silu_backward"]
    printed = CliRunner().invoke(commands, both).output
    assert re.search(r"silu_backward +f16 +1 +\d+\n2 kernels, \d", printed)


def test_command_asks_what_to_compile(tmp_path: Path) -> None:
    for arguments in ([], ["--all", "add"]):
        result = CliRunner().invoke(commands, ["compile", *arguments])
        assert result.exit_code == 2
        assert "say what to compile: operators, programs that use some" in result.output
    result = CliRunner().invoke(commands, ["compile", "sillu"])
    assert (result.exit_code, "did you mean silu" in result.output) == (2, True)
    nothing = tmp_path / "nothing.c"
    nothing.write_text("int main(void) { return 0; }")
    result = CliRunner().invoke(commands, ["compile", str(nothing)])
    assert (result.exit_code, "uses no operator that is computed" in result.output) == (2, True)


CONVERSIONS = [
    (INT8, FLOAT16), (UINT8, BF16), (INT16, FLOAT), (UINT16, INT8), (INT32, DOUBLE),
    (UINT32, FLOAT), (INT64, BF16), (UINT64, FLOAT), (UINT64, DOUBLE), (BOOL, INT64),
    (FLOAT, BOOL), (BF16, INT8), (FLOAT16, UINT64), (DOUBLE, INT64), (BOOL, COMPLEX128),
]  # fmt: skip


@pytest.mark.parametrize(("source", "target"), CONVERSIONS, ids=str)
def test_conversions(source: DType, target: DType) -> None:
    assert _compiled(lower(SAME, (source,), source, (target,), compute_of(source)), 2)


@pytest.mark.parametrize("dtype", [INT8, UINT32, UINT64], ids=str)
def test_integer_formulas(dtype: DType) -> None:
    x, y, k = tensor("x"), tensor("y"), uniform("k")
    for tree in (abs(x * y + k), (x < y) & ~equal(x, 0), (x <= y) ^ (y > 1)):
        traced = trace(lambda x, y, k, tree=tree: tree, {"x": x, "y": y, "k": k})
        assert _compiled(lower(traced, (dtype, dtype), dtype, (dtype,), compute_of(dtype)), 3)


FUNCTIONS = [exp, expm1, log, log1p, sigmoid, sin]


@pytest.mark.parametrize(
    ("function", "arch"),
    [*((f, 90) for f in FUNCTIONS), *((f, 80) for f in in_turn(FUNCTIONS, 1, of=3))],
    ids=lambda one: getattr(one, "__name__", one),
)
def test_functions(function: Callable[[Any], Expr], arch: int) -> None:
    """As PTX of our own: a thread takes the long way only where it must."""
    traced = trace(lambda x: x * function(x), {"x": tensor("x")})
    for dtype, compute in ((FLOAT, "f32"), (FLOAT, "f64"), (BF16, "f32")):
        body = lower(traced, (dtype,), dtype, (dtype,), compute)
        assert ptx.fits(body)
        assert _compiled(body, 2, arch)


@pytest.mark.parametrize("function", [exp, sin], ids=lambda f: f.__name__)
def test_assembly_keeps_what_it_knows(function: Callable[[Any], Expr]) -> None:
    """A register is set once: what the short way was decided by, the long way may ask for again."""
    body = lower(trace(function, {"x": tensor("x")}), (FLOAT,), FLOAT, (FLOAT,), "f32")
    text = ptx.function_source("value", body, 90, 8)
    written = re.findall(r"; (?:LONG: |DONE: )?[a-z][\w.]* ([vwhp]\d+),", text)
    assert len(written) > 100
    assert len(set(written)) == len(written)


@pytest.mark.parametrize("function", [sqrt, rsqrt, tanh, erf], ids=lambda f: f.__name__)
def test_functions_with_one_way(function: Callable[[Any], Expr]) -> None:
    traced = trace(lambda x: function(x), {"x": tensor("x")})
    for dtype, compute in ((FLOAT, "f32"), (FLOAT, "f64"), (BF16, "f32")):
        assert _compiled(lower(traced, (dtype,), dtype, (dtype,), compute), 2)


def test_steps_are_a_loop_in_the_kernel() -> None:
    """Of a column and a row, whose elements meet before the first step."""
    traced = trace(lambda x, y: gcd(x, y), {"x": tensor("x"), "y": tensor("y")})
    body = lower(traced, (INT32, INT32), INT32, (INT32,), "i32")
    loop = Loop((1024, 1024), ((1, 0), (0, 1), (1024, 1)), (0,) * 3)
    kernel = kernel_of(body, tiling_of(loop, body.sizes, weight(body)), 90)
    assert kernel.source.count("for _ in range(31):") == 1
    assert binary(program_of(kernel, kernel.alignable)).cubin


def _compiled(body: Body, operands: int, arch: int = 90) -> bytes:
    loop = Loop((1 << 20,), ((1,),) * operands, (0,) * operands)
    kernel = kernel_of(body, tiling_of(loop, body.sizes, weight(body)), arch)
    return binary(program_of(kernel, kernel.alignable)).cubin


@pytest.mark.parametrize(
    ("kind", "sizes", "strides", "arch"),
    [
        (ShiftedTiling, (64, 249), [(145, 1)], 90),
        (ShiftedTiling, (64, 249), [(0, 1)], 80),
        (StagedTiling, (64, 249), [(253, 1), (1, 71)], 90),
        (StagedTiling, (64, 1017), [(1019, 1), (1, 71)], 90),  # tiles of 32 rows
        (StagedTiling, (575, 8201), [(8203, 1), (1, 577)], 90),  # of 64
        (StagedTiling, (127, 32801), [(1, 129), (1, 131)], 90),  # no input lies like the output
    ],
)
def test_rows_that_begin_anywhere(
    kind: type[Tiling], sizes: tuple[int, int], strides: list[tuple[int, int]], arch: int
) -> None:
    """Compiled or refused: what a thread shifts and stores has to be neighbours."""
    if len(strides) == 1:
        body = lower(SAME, (BF16,), BF16, (FLOAT16,), "f32")
    else:
        traced = trace(lambda x, y: x * y, {"x": tensor("x"), "y": tensor("y")})
        body = lower(traced, (BF16, BF16), BF16, (BF16,), "f32")
    loop = Loop(sizes, (*strides, (sizes[1] + 2, 1)), (3, *(0 for _ in strides)))
    tiling = tiling_of(loop, body.sizes, weight(body))
    assert isinstance(tiling, kind)
    kernel = kernel_of(body, tiling, arch)
    text = compiled(program_of(kernel, kernel.alignable)).cubin
    assert text[:4] == b"\x7fELF"


@pytest.mark.parametrize(
    ("layout", "tile", "fetched"),
    [
        ("columns that go on, rows turned", tiles.TURNED_ODD_IN_ORDER["light"], True),
        ("columns that do not go on, rows turned", tiles.TURNED_ODD_APART["light"], True),
        ("scattered, layers", tiles.CROSSED_OTHERS["light"][0], True),
        ("scattered, layers of long columns", tiles.CROSSED_OTHERS["light"][1], True),
        ("self turned, large windows of odd rows", tiles.STAGED_LARGE["light"], False),
    ],
)
def test_tiles_of_odd_rows(layout: str, tile: Tile, fetched: bool) -> None:
    """Rows of cases.py that are there for a tile have it; some fetch lines of memory."""
    shape, makers, out = cases.LAYOUTS[layout]
    views = [makers[number % len(makers)](BF16, shape) for number in range(2)]
    traced = trace(lambda x, y: x * y, {"x": tensor("x"), "y": tensor("y")})
    one = pass_over([*views, out(BF16, shape)], traced, BF16, "f32")
    tiling = tiling_of(one.loop, one.body.sizes, weight(one.body))
    assert tiling.tile == tile
    kernel = kernel_of(one.body, tiling, 90)
    assert (FETCHED in kernel.source) is fetched
    assert compiled(program_of(kernel, kernel.alignable)).cubin  # which is looked at


def test_light_kernels_keep_nothing_in_memory() -> None:
    """This one, given fewer registers than it needs, lost the threads' indices."""
    shape, makers, out = cases.LAYOUTS["sevens in three orders"]
    traced = trace(lambda x, y: x * y, {"x": tensor("x"), "y": tensor("y")})
    views = [maker(FLOAT16, shape) for maker in (*makers, out)]
    one = pass_over(views, traced, FLOAT16, "f32")
    tiling = tiling_of(one.loop, one.body.sizes, weight(one.body))
    assert tiling.tile == tiles.TURNED_ODD_IN_ORDER["light"]
    kernel = kernel_of(one.body, tiling, 90)
    program = program_of(kernel, kernel.alignable)
    assert memory_of_a_thread(compiled(replace(program, registers=40, spills=True)).cubin)
    assert not memory_of_a_thread(compiled(replace(program, registers=40)).cubin)


def test_a_lost_index() -> None:
    """It is one on the way that is gone on, not on the one that is left."""
    lines = ["S2R R4, SR_TID.X", "@P0 BRA `(.L_x_0)", "LDL R4, [R1]", "EXIT"]
    listing = [f"  /*{16 * n:04x}*/ {line} ;" for n, line in enumerate(lines)]
    assert loses_an_index("\n".join(listing))
    for line in ("STG.E desc[UR4][R2.64], R4", "IMAD.WIDE R6, R8, 0x2, R3", "DADD R6, R3, R8"):
        used = listing[0].replace("S2R R4, SR_TID.X", line)
        assert not loses_an_index("\n".join([listing[0], used, *listing[1:]]))
    assert not loses_an_index("\n".join([*listing[:2], ".L_x_0:", *listing[2:]]))


FOLDS = [
    ("reduce_sum", FLOAT, (1 << 20,), 90),  # in parts that are merged
    ("reduce_sum", DOUBLE, (300, 70), 90),
    ("mean", BF16, (3000,), 80),
    ("amax", FLOAT16, (70, 300), 90),
    ("mean_digits", FLOAT, (1 << 20,), 90),
    ("mean_digits", DOUBLE, (300, 70), 90),
]


@pytest.mark.parametrize(("name", "dtype", "shape", "arch"), FOLDS, ids=str)
def test_folds(name: str, dtype: DType, shape: tuple[int, ...], arch: int) -> None:
    op = shares.by_name(name) or find(name)
    (one,) = make_plan(sample_call(op, (dtype,), shape), "exact").passes
    for kernel, _ in kernels_of(one, arch):
        assert binary(program_of(kernel, kernel.alignable)).cubin[:4] == b"\x7fELF"


def test_sums_of_magnitudes_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM knows that |x| has no sign, a GPU's |NaN| may have one: whether there is a NaN is not
    told by the largest bits, or l1_loss goes on for ever."""
    import triton

    texts: list[str] = []

    def compile(*arguments: Any, **options: Any) -> Any:
        found = real(*arguments, **options)
        texts.append(found.asm["ptx"])
        return found

    real = triton.compile
    monkeypatch.setattr(triton, "compile", compile)
    (one,) = make_plan(sample_call(find("l1_loss"), (FLOAT,), (1 << 20,)), "exact").passes
    for kernel, _ in kernels_of(one, 90):
        compiled(program_of(kernel, kernel.alignable))
    bits: set[str] = set()
    for what, line in re.findall(r"(abs\.f64|selp\.f64|max\.s64)\s+(.*);", texts[0]):
        names = re.findall(r"%rd\d+", line)
        if what == "max.s64":
            assert not bits & {*names[1:]}
        elif what == "abs.f64" or bits & {*names[1:]}:
            bits.add(names[0])
    assert bits


def test_longer_folds_have_the_same_source() -> None:
    """Sizes are arguments: a kernel is compiled once for all of them."""
    plans = [
        make_plan(sample_call(find("mean"), (FLOAT,), (n,)), "exact") for n in (1 << 24, 1 << 25)
    ]
    first, second = (kernels_of(plan.passes[0], 90) for plan in plans)
    assert [kernel.source for kernel, _ in first] == [kernel.source for kernel, _ in second]


@pytest.mark.parametrize("size", [2, 3, 7, 10, 64, 1000, 12345, 2**20 + 1, 2**30, 2**31 - 1])
def test_division_by_multiplication(size: int) -> None:
    multiplier, shift = divider(size)
    for n in (0, 1, size - 1, size, 2 * size - 1, 2**30 + 5, 2**31 - 1):
        if n < 2**31:
            high = n * (multiplier % 2**32) >> 32
            assert (high + n) % 2**32 >> shift == n // size


@pytest.mark.parametrize("name", ["silu_backward", "log_sigmoid_backward"])
def test_slopes_before_rounding(name: str) -> None:
    """What the proof of a bound asks for: float64 results of an operator that has none."""
    body = lower(find(name).traced_in("f64"), (FLOAT, FLOAT), DOUBLE, (DOUBLE,), "f64")
    assert _compiled(body, 3)


def test_a_zero_keeps_its_sign() -> None:
    """As bits: on a GPU Triton's tl.full makes +0 of -0, its interpreter does not."""
    assert "bitcast" in constant("f32", -0.0)
    assert "bitcast" in constant("f64", -0.0)
    assert constant("f32", 0.0) == "tl.full((), 0.0, tl.float32)"


def test_tiles_of_a_few_elements() -> None:
    """What is computed several elements at once is computed for fewer, too."""
    body = find("silu_backward").traced_in("f64")
    lowered = lower(body, (FLOAT16, FLOAT), FLOAT, (FLOAT,), "f64")
    assert ptx.fits(lowered)
    for sizes, second in (((2, 2), (-2, 2)), ((2,), (-2,)), ((3,), (1,)), ((40, 2), (0, 0))):
        first = (0, 1) if second == (0, 0) else (2, 1)[: len(sizes)]
        loop = Loop(sizes, (first, second, (2, 1)[: len(sizes)]), (0, 2, 0))
        kernel = kernel_of(lowered, tiling_of(loop, lowered.sizes, weight(lowered)), 90)
        assert compiled(program_of(kernel, kernel.alignable)).cubin


@pytest.mark.parametrize("wide", [False, True])
def test_threads_have_room_for_digits_of_rows(wide: bool) -> None:
    """Of more than 64 numbers compilers spill, for minutes."""
    for size in (1, 2, 5, 8, 31, 64, 1000):
        tile = tiles.row_tile(10_000, size, 4, wide, False, inputs=2)
        assert tile.rows * 128 <= 64 * 32 * tile.warps


def _on_gpu(dtype: DType, *shape: int) -> Tensor:
    return Tensor(view(dtype, shape), 1 << 20, "cuda")


CALLS = {
    # windows of one element: what a fold reads are many positions, and no rows
    "avg_pool2d": {
        "self": _on_gpu(FLOAT, 10, 3, 2, 1), "kernel_size": (1, 1), "stride": (1, 1),
        "padding": (0, 0), "count_include_pad": True, "out": _on_gpu(FLOAT, 10, 3, 2, 1),
    },
    # two elements share a byte
    "weight_quant_batch_matmul_v2": {
        "x": _on_gpu(FLOAT16, 5, 64), "weight": _on_gpu(INT4, 64, 32),
        "antiquant_scale": _on_gpu(FLOAT16, 2, 32), "antiquant_group_size": 32,
        "y": _on_gpu(FLOAT16, 5, 32),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_calls_have_kernels(name: str) -> None:
    op = find(name)
    absent = {a.name: a.default if isinstance(a, Attr) else None for a in op.arguments}
    one = TracedCall(op, {**absent, **CALLS[name]})
    found = [program for _, program in precompile.of_calls([one], 90)]
    assert found
    assert all(binary(program).cubin[:4] == b"\x7fELF" for program in found)
