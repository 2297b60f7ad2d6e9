"""New layouts are cut in C as they are in Python, to the last word."""

from __future__ import annotations

import ctypes
import random
import struct
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from openaclnn.base import settings
from openaclnn.base.compiler import BuildError, compiler
from openaclnn.base.dtypes import BF16, DOUBLE, DT_UNDEFINED, FLOAT, FLOAT16, DType
from openaclnn.base.scalars import scalar
from openaclnn.base.tensors import Tensor, product_of, view
from openaclnn.calls import door
from openaclnn.calls.executor import make_ready
from openaclnn.calls.form_in_c import compiled_form, compiled_passes
from openaclnn.calls.forms import Form, form_of
from openaclnn.engines import Cut
from openaclnn.engines.cpu import launch
from openaclnn.engines.cuda.compile import program_of
from openaclnn.engines.cuda.fold import fold_tiles
from openaclnn.engines.cuda.kernel import divider, kernel_of
from openaclnn.engines.cuda.passes import kernels_of, passes_of
from openaclnn.engines.cuda.rows import row_tiles
from openaclnn.engines.cuda.tiles import weight
from openaclnn.engines.cuda.tiling import any_tiling
from openaclnn.ops import find
from openaclnn.plan import make_plan
from openaclnn.plan.folds import Rows
from openaclnn.spec.call import Call
from openaclnn.spec.sample import sample_call

HARNESS = """
#include "folds.h"
#define EXPORT __attribute__((visibility("default")))

static bool laid(struct Form *form, const int64_t *dims, const int64_t *const *sizes,
                 const int64_t *const *strides, int64_t rank, const int64_t *shape,
                 struct Loop *loop, int64_t *numel, int64_t *starts)
{
    struct View views[OPERANDS];
    *numel = 1;
    for (int t = 0; t < form->tensors; t++)
        views[t] = (struct View){dims[t], sizes[t], strides[t]};
    for (int64_t d = 0; d < rank; d++)
        *numel *= shape[d];
    if (!lay(form, views, rank, shape, loop))
        return false;
    memcpy(starts, loop->starts, form->operands * sizeof *starts);
    return true;
}

EXPORT int64_t cpu_words(struct Form *form, const int64_t *dims, const int64_t *const *sizes,
                         const int64_t *const *strides, int64_t rank, const int64_t *shape,
                         uint64_t *words, int64_t *starts, int64_t *patterns)
{
    struct Loop loop;
    int64_t numel;
    if (!laid(form, dims, sizes, strides, rank, shape, &loop, &numel, starts))
        return -1;
    struct Tiling tiling;
    cut(form, &loop, numel, 0, &tiling);
    *patterns = tiling.patterns;
    form->kernel[0].patterns = tiling.patterns;
    for (int i = 0; i < 7; i++)
        form->lanes[i] = 0;
    form->kernel[0].lanes = 0;
    form->kernels = 1;
    uint64_t *end = words, units;
    on_cpu(form, &loop, numel, words, &end, &units);
    return end - words;
}

EXPORT int64_t gpu_words(struct Form *form, const int64_t *dims, const int64_t *const *sizes,
                         const int64_t *const *strides, int64_t rank, const int64_t *shape,
                         uint64_t *words, int64_t *starts, int64_t *programs)
{
    struct Loop loop;
    int64_t numel;
    if (!laid(form, dims, sizes, strides, rank, shape, &loop, &numel, starts))
        return -1;
    uint64_t *end;
    uint32_t found;
    if (!on_gpu(form, &loop, numel, form->below, true, words, &end, &found))
        return -2;
    *programs = found;
    return end - words;
}

EXPORT int64_t fold_words(struct Form *form, const int64_t *dims, const int64_t *const *sizes,
                          const int64_t *const *strides, const uint64_t *addresses,
                          uint64_t *words, uint64_t *key)
{
    struct View views[OPERANDS];
    struct Course course;
    struct GpuFold found;
    uint64_t *end;
    for (int t = 0; t < form->tensors; t++)
        views[t] = (struct View){dims[t], sizes[t], strides[t]};
    if (!course_of(form, views, false, &course) ||
        !cut_on_gpu(form, views, &course, addresses, &found))
        return -1;
    form->kernel[0].patterns = key[0] = found.patterns;
    form->kernel[0].lanes = key[1] = found.lanes;
    key[2] = found.programs;
    const struct Kernel *kernel = fold_on_gpu(form, &found, words, &end);
    if (!kernel)
        return -2;
    end = put_parameters(kernel, kernel->parameters, kernel->all_parameters, found.numbers, end);
    return end - words;
}

EXPORT uint64_t divides_by(int64_t size, int part) { return divides(size, part); }
EXPORT bool narrows(uint64_t *bits, int to) { return narrowed(bits, to); }
"""


@pytest.fixture(scope="module")
def planning(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """plan.h, with functions to call it by."""
    folder = tmp_path_factory.mktemp("planning")
    source, target = folder / "planning.c", folder / "planning.so"
    source.write_text(HARNESS)
    try:
        command = compiler("CC", "cc", "gcc", "clang")
    except BuildError as error:
        pytest.skip(str(error))
    include = Path(door.__file__).parent
    flags = ("-std=gnu99", "-O1", "-Wall", "-Wno-unused-function", "-fPIC", "-shared")
    subprocess.run([*command, *flags, f"-I{include}", str(source), "-o", str(target)], check=True)
    return ctypes.CDLL(str(target))


def form(name: str) -> Form:
    op = find(name)
    call = sample_call(op, (op.rules[0].allowed[0],), (2, 3))  # type: ignore[attr-defined]
    plan = make_plan(call, "exact")
    attributes = {a.name: call[a.name] for a in op.attributes}
    found = form_of(op, make_ready(plan, "cpu"), [g.tensor for g in call.used], attributes)
    assert found is not None
    return found


def drawn(chance: random.Random, shape: tuple[int, ...], written: bool) -> tuple[Any, Any]:
    """Shape and strides of something that broadcasts to a shape."""
    own = [size if written or chance.random() < 0.8 else 1 for size in shape]
    own = own if written or chance.random() < 0.8 else own[chance.randint(0, len(own)) :]
    order = chance.sample(range(len(own)), len(own))
    strides, step = [0] * len(own), chance.choice((1, 1, 1, 2))
    for dim in reversed(order):
        strides[dim] = step * chance.choice((1, 1, 1, 1, -1))
        step *= own[dim] + chance.choice((0, 0, 0, 1))
    return tuple(own), tuple(strides)


def arrays(values: list[tuple[int, ...]]) -> Any:
    kept = [(ctypes.c_int64 * max(1, len(one)))(*one) for one in values]
    pointers = (ctypes.POINTER(ctypes.c_int64) * len(kept))(
        *[ctypes.cast(one, ctypes.POINTER(ctypes.c_int64)) for one in kept]
    )
    pointers.kept = kept  # type: ignore[attr-defined]
    return pointers


def words_of(function: Callable[..., int], compiled: Any, layouts: list[Any], shape: Any) -> Any:
    dims = (ctypes.c_int64 * len(layouts))(*[len(own) for own, _ in layouts])
    words, starts = (ctypes.c_uint64 * 512)(), (ctypes.c_int64 * 12)()
    fact = ctypes.c_int64()
    sizes, strides = arrays([own for own, _ in layouts]), arrays([s for _, s in layouts])
    count = function(
        ctypes.byref(compiled), dims, sizes, strides, ctypes.c_int64(len(shape)),
        (ctypes.c_int64 * max(1, len(shape)))(*shape), words, starts, ctypes.byref(fact),
    )  # fmt: skip
    return count, words, starts, fact.value


def shapes(chance: random.Random) -> tuple[int, ...]:
    rank = chance.randint(0, 8)
    most = 80 if rank < 4 else 5
    return tuple(chance.choice((1, 2, 3, chance.randint(1, most))) for _ in range(rank))


@pytest.mark.parametrize("name", ["mul", "silu_backward", "inplace_add", "addcmul", "abs"])
def test_on_the_cpu(name: str, planning: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = launch._Kernel(1, 1, launch._HOLDING(1), launch._RELEASING(1))  # only words count
    monkeypatch.setattr(launch._Kernels, "_make", lambda *given: nothing)
    monkeypatch.setattr(launch, "_kernels_of_body", cache(launch._Kernels))  # which nobody else has
    chance, known = random.Random(name), form(name)
    compared, made = 0, known.over(known.one.loop, known.one.uniforms).launcher
    for _ in range(1500):
        shape = shapes(chance)
        if not product_of(shape):
            continue
        outputs = [known.output == k for k in range(len(known.itemsizes))]
        layouts = [drawn(chance, shape, written) for written in outputs]
        own, strides = [one for one, _ in layouts], [s for _, s in layouts]
        loop = known.loop(shape, own, strides, (0,) * len(own))
        launcher = known.over(loop, known.one.uniforms).launcher if loop is not None else None
        compiled = compiled_form(known, [made.cut(None)], False, [])  # type: ignore[union-attr,list-item]
        count, words, starts, patterns = words_of(planning.cpu_words, compiled, layouts, shape)
        if loop is None:
            assert count == -1
            continue
        assert launcher is not None
        cut = launcher.cut(None)
        one = getattr(launcher, "one", None) or launcher.passes[0]  # type: ignore[attr-defined]
        assert cut is not None
        assert patterns == sum("01st".index(p) << 2 * k for k, p in enumerate(cut.key[0]))
        rest = one.rest[8 * len(known.one.uniforms) :]
        assert bytes(words)[: 8 * count] == rest, (shape, layouts)
        assert [starts[k] for k in range(len(loop.starts))] == [*loop.starts]
        compared += 1
    assert compared > 1000


def test_on_the_gpu(planning: Any) -> None:
    chance, known = random.Random(7), form("mul")
    body, compared = known.one.body, 0
    for _ in range(1500):
        shape = shapes(chance)
        outputs = [known.output == k for k in range(len(known.itemsizes))]
        layouts = [drawn(chance, shape, written) for written in outputs]
        own, strides = [one for one, _ in layouts], [s for _, s in layouts]
        loop = known.loop(shape, own, strides, (0,) * len(own))
        tiling = None if loop is None else any_tiling(loop, weight(body))
        if loop is None or tiling is None:
            continue
        kernel = kernel_of(body, tiling, 90)
        cut = Cut(
            key=("", len(tiling.axes[0].dims)), function=1, below=1 << 17,
            tile=tiling.axes[0].tile, launch=1,
            parameters=tuple((p.at, p.part) for p in kernel.parameters if p.at is not None),
        )  # fmt: skip
        compiled = compiled_form(known, [cut], False, [])
        count, words, starts, programs = words_of(planning.gpu_words, compiled, layouts, shape)
        numbers = [number & 0xFFFFFFFF for number in kernel.numbers(tiling)]
        assert [words[k] & 0xFFFFFFFF for k in range(count)] == numbers
        assert programs == tiling.programs
        assert [starts[k] for k in range(len(loop.starts))] == [*loop.starts]
        compared += 1
    assert compared > 500


# an operator's arguments but for the output, of an array and a dimension
FOLDS: dict[str, Callable[[Any, int], tuple[Any, ...]]] = {
    "reduce_sum": lambda x, dim: (x, (dim,), False, DT_UNDEFINED),
    "mean": lambda x, dim: (x, (dim,), True, DT_UNDEFINED),
    "amax": lambda x, dim: (x, (dim,), True),
    "softmax": lambda x, dim: (x, dim),
    "softmax_backward": lambda x, dim: (x, x, dim),
}


ROUNDS = 150


def folds(chance: random.Random) -> tuple[int, ...]:
    """A shape whose sizes are now and then powers of two, or multiples of them."""
    if chance.random() < 0.2:
        return chance.choice((1, 3, 100, 3000)), chance.randint(30_000, 3_000_000)
    rank = chance.choice((1, 2, 2, 3))
    bits = [chance.randint(0, 16 // rank) for _ in range(rank)]
    return tuple(max(1, (1 << n) + chance.choice((0, 0, 16, -4, 1, -1))) for n in bits)


@pytest.mark.parametrize("name", FOLDS)
def test_folds_on_the_gpu(name: str, planning: Any) -> None:
    """Folds that one kernel computes have the words that Python gives it, and where C takes two
    for calls of one kernel, they are."""
    chance, op, compared = random.Random(name), find(name), 0
    texts: dict[tuple[Any, ...], list[Any]] = {}
    for _ in range(ROUNDS):
        shape, dtype = folds(chance), chance.choice((FLOAT, BF16, DOUBLE))
        dim = chance.randrange(-len(shape), len(shape))
        result = [*shape] if name.startswith("softmax") else [*shape[:dim], 1, *shape[dim:][1:]]
        if name == "reduce_sum":
            del result[dim]
        own, strides = drawn(chance, shape, True) if chance.random() < 0.5 else (shape, ())
        x = Tensor(view(dtype, own, strides or None), 1 << 20, "cuda")
        out = Tensor(view(dtype, result), (1 << 40) + 64 * chance.randint(0, 1) + 32, "cuda")
        given = dict(zip((a.name for a in op.arguments), (*FOLDS[name](x, dim), out), strict=True))
        plan = make_plan(Call(op, given, settings.current().product), "exact")
        (one, *more) = passes_of(plan)
        kernels = [kernel for kernel, _ in kernels_of(one, 90)]
        parameters = [p for kernel in kernels for p in kernel.parameters]
        if more or len(kernels) > 2 or any(p.at is None for p in parameters):
            continue
        cut = None
        for kernel in kernels[::-1]:
            cut = Cut(
                key=("", 0), function=1, below=0, tile=0, launch=1, merging=cut,
                parameters=tuple((p.at, p.part) for p in kernel.parameters),  # type: ignore[misc]
                tiles=row_tiles(one) if isinstance(one, Rows) else fold_tiles(one),
            )  # fmt: skip
        assert cut is not None
        tensors = [x, x, out] if name == "softmax_backward" else [x, out]
        attributes = {a.name: given[a.name] for a in op.attributes}
        ready = SimpleNamespace(plan=plan)
        forms = compiled_passes(ready, len(tensors), attributes, [[cut]], False)  # type: ignore
        assert forms is not None
        views = [tensor.view for tensor in tensors]
        words, key = (ctypes.c_uint64 * 512)(), (ctypes.c_uint64 * 3)()
        count = planning.fold_words(
            ctypes.byref(forms[0]), (ctypes.c_int64 * 3)(*[len(one.shape) for one in views]),
            arrays([one.shape for one in views]), arrays([one.strides for one in views]),
            (ctypes.c_uint64 * 3)(*[tensor.address for tensor in tensors]), words, key,
        )  # fmt: skip
        if count < 0:
            continue
        widths = [2 ** int(p.type[1:]) for p in parameters]
        numbers = [p.number % width for p, width in zip(parameters, widths, strict=True)]
        found = [w % width for w, width in zip(words[count - len(numbers) :], widths, strict=False)]
        assert found == numbers, (shape, dim, strides)
        assert key[2] == kernels[0].programs
        aligned = [
            can and not (tensor.address + start * size) % 16
            for can, tensor, start, size in zip(
                kernels[0].alignable, tensors, one.loop.starts, one.sizes, strict=True
            )
        ]
        programs = [program_of(kernels[0], aligned)]
        programs += [program_of(kernel, kernel.alignable) for kernel in kernels[1:]]
        assert texts.setdefault((dtype, key[0], key[1]), programs) == programs, (shape, strides)
        compared += 1
    assert compared > ROUNDS // 2


def test_division(planning: Any) -> None:
    planning.divides_by.restype = ctypes.c_uint64
    for size in (1, 2, 3, 7, 10, 64, 1000, 12345, 2**20 + 1, 2**30, 2**31 - 1):
        found = [planning.divides_by(ctypes.c_int64(size), part) for part in (1, 2)]
        assert found == [divider(size)[0] % 2**32, divider(size)[1]]


@pytest.mark.parametrize("dtype", [FLOAT, FLOAT16, BF16])
def test_narrowing(planning: Any, dtype: DType) -> None:
    """By bits, as the float32 nearest to a number, and that nearest to it; what is unusual there
    is left to Python."""
    to = [DOUBLE, FLOAT, FLOAT16, BF16].index(dtype)
    planning.narrows.restype = ctypes.c_bool
    rng = np.random.default_rng(0)
    values = [*rng.random(2000), *np.exp(rng.uniform(-95, 95, 2000)), 1.0, 0.1, 1e-45, 3.5e38]
    values += [float(x) for x in np.nextafter(np.float32(rng.random(500)), np.float32(2))]
    values += [1 + 2.0**-24, 1 + 3 * 2.0**-24, 1 + 2.0**-24 + 2.0**-52, 3.4028235677973366e38]
    values += [
        1 + 2.0**-11,
        1 + 3 * 2.0**-11,
        1 + 2.0**-8,
        1 + 3 * 2.0**-8 + 2.0**-52,
        65519,
        65520,
    ]
    least = float(np.finfo(np.float16).smallest_normal) if dtype is FLOAT16 else 2.0**-126
    for value in values:
        bits = ctypes.c_uint64(struct.unpack("Q", struct.pack("d", value))[0])
        fine = planning.narrows(ctypes.byref(bits), to)
        wanted = scalar(scalar(value, FLOAT).value, dtype).value
        usual = least <= wanted < np.inf
        assert fine == usual
        if fine:
            assert struct.unpack("d", struct.pack("Q", bits.value))[0] == wanted
