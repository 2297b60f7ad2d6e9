"""The compiled call cache: what it does is what Python's does, whatever comes."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import openaclnn
from call_tables import BOTH, library, open_only, own_functions
from openaclnn.base.dtypes import FLOAT
from openaclnn.base.scalars import scalar
from openaclnn.calls import functions
from openaclnn.calls.replay import native, table
from openaclnn.engines import Compiled
from openaclnn.engines.cpu import threads
from openaclnn.ops import all_ops

SIZE = 60


@pytest.fixture(autouse=True, scope="module")
def functions_of_this_file() -> Iterator[None]:
    with own_functions():
        yield


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    open_only("compiled")
    yield
    if native._library is not library():
        open_only("compiled")


class Sub(torch.Tensor):
    """A subclass that does nothing of its own."""


class Masked(np.ndarray):
    pass


class Seeing(torch.overrides.TorchFunctionMode):
    """Sees every function, and lets it be."""

    def __torch_function__(
        self, function: Any, types: Any, given: Any = (), named: Any = None
    ) -> Any:
        return function(*given, **(named or {}))


def fake_mode() -> Any:
    from torch._subclasses.fake_tensor import FakeTensorMode

    return FakeTensorMode(allow_non_fake_inputs=True)


@dataclass(frozen=True)
class Odd:
    """A call of silu like a plain one but for this."""

    why: str
    input: Callable[[], Any] = lambda: torch.linspace(-3, 3, SIZE)
    out: Callable[[], Any] = lambda: None
    within: Callable[[], Any] = nullcontext
    called: Callable[..., Any] = lambda function, x, out: function(x, out=out)


def plain() -> torch.Tensor:
    return torch.linspace(-3, 3, SIZE)


ODD = [
    Odd("a tensor that requires grad", lambda: plain().requires_grad_()),
    Odd("the same without gradients", lambda: plain().requires_grad_(), within=torch.no_grad),
    Odd("an output that requires grad", out=lambda: plain().requires_grad_()),
    Odd("a result of autograd's", lambda: plain().requires_grad_() * 2),
    Odd("a parameter", lambda: torch.nn.Parameter(plain())),
    Odd("a subclass", lambda: plain().as_subclass(Sub)),
    Odd("inference", within=torch.inference_mode),
    Odd("a tensor of inference", lambda: torch.inference_mode()(plain)()),
    Odd("an output of inference", out=lambda: torch.inference_mode()(plain)()),
    Odd("lazily negated", lambda: torch.complex(plain(), plain()).conj().imag),
    Odd("sparse", lambda: plain().to_sparse()),
    Odd("on no device", lambda: torch.empty(SIZE, device="meta")),
    Odd("quantised", lambda: torch.quantize_per_tensor(plain(), 0.1, 0, torch.quint8)),
    Odd("bits of a float", lambda: plain().view(torch.int32)),
    Odd("complex", lambda: torch.complex(plain(), plain())),
    Odd("a mode that sees functions", within=Seeing),
    Odd("a mode of tensors without memory", within=fake_mode),
    Odd("autocast", within=lambda: torch.autocast("cpu", torch.bfloat16)),
    Odd("another default device", within=lambda: torch.device("meta")),
    Odd("inside vmap", called=lambda f, x, out: torch.vmap(f)(x)),
    Odd("beside vmap", called=lambda f, x, out: torch.vmap(lambda y: y + f(x))(torch.ones(2))),
    Odd("inside grad", called=lambda f, x, out: torch.func.grad(lambda y: f(y).sum())(x)),
    Odd("beside grad", called=lambda f, x, out: torch.func.grad(lambda y: (y * f(x)).sum())(x)),
    Odd("a copy on write", lambda: torch._lazy_clone(plain())),
    Odd("expanded", lambda: torch.ones(1).expand(SIZE)),
    Odd("an expanded output", out=lambda: torch.ones(1).expand(SIZE)),
    Odd("NumPy's for an output", out=lambda: np.zeros(SIZE, np.float32)),
    Odd("without memory", lambda: freed()),
    Odd("an output without memory", out=lambda: freed()),
    Odd("no dimensions", lambda: torch.tensor(1.0)),
    Odd("empty", lambda: torch.empty(0)),
    Odd("an array", lambda: plain().numpy()),
    Odd("a read-only output", lambda: plain().numpy(), lambda: read_only()),
    Odd("an array of another order of bytes", lambda: plain().numpy().astype(">f4")),
    Odd("a subclass of arrays", lambda: plain().numpy().view(Masked)),
    Odd("a masked array", lambda: np.ma.masked_array(plain().numpy(), np.zeros(SIZE, bool))),
    Odd("a list", lambda: [1.0, 2.0]),
    Odd("a number", lambda: 1.0),
    Odd("nothing", lambda: None),
    Odd("a string", lambda: "x"),
    Odd("an output of another shape", out=lambda: torch.zeros(SIZE + 1)),
    Odd("an output of another dtype", out=lambda: torch.zeros(SIZE, dtype=torch.float64)),
]


def freed() -> torch.Tensor:
    tensor = plain()
    tensor.untyped_storage().resize_(0)
    return tensor


def read_only() -> Any:
    array = np.zeros(SIZE, np.float32)
    array.flags.writeable = False
    return array


def outcome(row: Odd) -> Any:
    """What comes of a call: what it raises, or all there is to see of its result."""
    with ExitStack() as stack:
        input, out = row.input(), row.out()
        stack.enter_context(row.within())
        try:
            result = row.called(openaclnn.silu, input, out)
        except Exception as error:
            return type(error), str(error).split(" at 0x")[0]
        if isinstance(result, torch.Tensor):
            state = result.requires_grad, result.is_inference(), result.stride()
            version = None if result.is_inference() else result._version
            dense = type(result) is torch.Tensor and result.device.type == "cpu"
            values = result.detach().numpy().tobytes() if dense else None
            return type(result), result.dtype, result.shape, state, version, values
        return type(result), result.dtype, result.shape, result.strides, result.tobytes()


def learn_plainly() -> None:
    for make in (plain, lambda: plain().numpy()):
        for _ in range(3):
            openaclnn.silu(make())
            openaclnn.silu(make(), out=make())


@pytest.mark.parametrize("row", ODD, ids=lambda row: row.why)
@pytest.mark.filterwarnings("ignore")  # PyTorch's, of what is new or old
def test_odd_calls_end_alike(row: Odd) -> None:
    found = {}
    for name in BOTH:
        open_only(name)
        learn_plainly()
        found[name] = [outcome(row) for _ in range(3)]
    assert found["compiled"] == found["python"]


def counted(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The calls that Python's call cache sees."""
    seen: list[Any] = []
    own = table.CallTable.take

    def take(self: Any, *arguments: Any) -> Any:
        seen.append(arguments)
        return own(self, *arguments)

    monkeypatch.setattr(table.CallTable, "take", take)
    return seen


@pytest.mark.parametrize("count", [37, 40000])
def test_which_calls_python_sees(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """The first of its kind, and none after it; of others that differ in numbers and sizes the
    first few, which are recorded. Threads may share them."""
    if count > 37 and threads.sharer_in_c() is None:
        pytest.skip("there is no OpenMP here: Python shares large calls")
    seen = counted(monkeypatch)
    function = functions.make_function(all_ops()["leaky_relu"])  # which has learnt nothing yet
    x = torch.rand(count)
    for _ in range(5):
        found = function(x, negative_slope=0.375)
        assert len(seen) == 1
        assert torch.equal(found, x)
    for slope in (0.5, 0.25, 0.125):
        function(x, negative_slope=slope)
    for size in range(38, 44):
        function(torch.rand(size), negative_slope=0.375)
    assert len(seen) <= 4


SEVERAL = {  # passes, parts, folds whose results later passes read, tensors in lists or absent
    "clamp_tensor": lambda f, x: f(x, None, x * 0.5 + 0.2),
    "glu": lambda f, x: f(x),
    "constant_pad_nd": lambda f, x: f(x, [3, -1, 1, 2], value=0.5),
    "reflection_pad1d": lambda f, x: f(x, (2, 5)),
    "softmax": lambda f, x: f(x, 1),
    "softmax_backward": lambda f, x: f(x, x * 2, 0),
    "cat": lambda f, x: f([x, x[1:], x]),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_calls_of_several_passes(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Python sees two at most; a layout of a known form, once more after it has come often."""
    seen, call = counted(monkeypatch), SEVERAL[name]
    function = functions.make_function(all_ops()[name])
    found = {}
    for x in (torch.rand(6, 10), torch.rand(14, 7).t()):
        seen.clear()
        results = [call(function, x.clone()) for _ in range(40)]
        assert len(seen) <= 2
        assert all(torch.equal(one, results[0]) for one in results)
        found[x] = results[0]
    open_only("python")
    assert all(torch.equal(call(function, x), one) for x, one in found.items())


@pytest.mark.parametrize("count", [1, 2])
def test_several_passes_that_threads_share(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Python sees the first ones only; a pass too small to be shared runs between the others."""
    seen, before, x = counted(monkeypatch), openaclnn.get_num_threads(), torch.rand(300, 200)
    pad, cat = (functions.make_function(all_ops()[name]) for name in ("constant_pad_nd", "cat"))
    openaclnn.set_num_threads(count)
    try:
        for _ in range(6):
            assert torch.equal(pad(x, [1, 2]), torch.nn.functional.pad(x, [1, 2]))
            assert torch.equal(cat([x, x[:3], x]), torch.cat([x, x[:3], x]))
    finally:
        openaclnn.set_num_threads(before)
    assert len(seen) <= 4


@pytest.mark.parametrize("count", [1, 4095, 4096, 30000])
def test_with_pythons_lock_and_without(count: int) -> None:
    x = torch.linspace(-4, 4, count)
    found = [openaclnn.silu(x) for _ in range(4)]
    open_only("python")
    assert all(torch.equal(one, openaclnn.silu(x)) for one in found)


def test_more_kinds_of_calls_than_it_keeps() -> None:
    x = np.linspace(-2, 2, 7).astype(np.float32)
    for turn in range(2):
        for slope in range(1500):
            found = openaclnn.leaky_relu(x, negative_slope=slope / 4)
            if slope % 97 == turn:
                again = openaclnn.leaky_relu(x, negative_slope=slope / 4)
                assert np.array_equal(found, np.where(x > 0, x, x * np.float32(slope / 4)))
                assert np.array_equal(found, again)


@pytest.mark.parametrize("count", [37, 40000])
@pytest.mark.parametrize(("name", "given"), [("inplace_neg", ()), ("inplace_muls", (-1.0,))])
def test_python_sees_few_calls_in_place(
    monkeypatch: pytest.MonkeyPatch, name: str, given: tuple[float, ...], count: int
) -> None:
    if count > 37 and threads.sharer_in_c() is None:
        pytest.skip("there is no OpenMP here: Python shares large calls")
    seen = counted(monkeypatch)
    function = functions.make_function(all_ops()[name])
    x = torch.arange(1.0, count)
    for _ in range(5):
        function(x, *given)
    assert torch.equal(x, -torch.arange(1.0, count))
    assert len(seen) == 1


def test_in_place() -> None:
    tensors = [torch.linspace(-2, 2, 9) for _ in range(4)]
    for tensor in tensors:
        version = tensor._version
        openaclnn.inplace_add(tensor, torch.ones(9), alpha=2.0)
        assert torch.equal(tensor, torch.linspace(-2, 2, 9) + 2)
        assert tensor._version > version


def test_nothing_is_lost() -> None:
    """References are as many as before, of what is read, made or remembered."""
    x, out, slope = torch.rand(11), torch.empty(11), float("0.0625")
    objects = (x, out, slope, torch.Tensor, openaclnn.base.settings.choice)
    for _ in range(3):
        openaclnn.leaky_relu(x, negative_slope=slope)
        openaclnn.leaky_relu(x, negative_slope=slope, out=out)
    before = [*map(sys.getrefcount, objects)]
    for _ in range(100):
        openaclnn.leaky_relu(x, negative_slope=slope)
        openaclnn.leaky_relu(x, negative_slope=slope, out=out)
    assert [*map(sys.getrefcount, objects)] == before


@pytest.mark.usefixtures("small_heap")
def test_a_result_is_its_owners_alone() -> None:
    x = torch.rand(1000)
    results = [openaclnn.silu(x) for _ in range(20)]
    assert len({one.data_ptr() for one in results}) == 20
    del results
    gc.collect()
    assert sys.getrefcount(openaclnn.silu(x)) == 1 + (sys.version_info < (3, 14))


def test_a_child_takes_it_too() -> None:
    learn_plainly()
    x, right = plain(), openaclnn.silu(plain())
    child = os.fork()
    if not child:
        os._exit(0 if torch.equal(openaclnn.silu(x), right) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_gpus_launch() -> None:
    """What the driver would be asked for, on the stream of the moment; what it refuses, or what
    begins elsewhere than kernels were made for, is Python's."""
    seen: list[Any] = []
    words = ctypes.POINTER(ctypes.POINTER(ctypes.c_uint64))
    answers = iter([0, 0, 700])

    @ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_void_p, *[ctypes.c_uint] * 7, ctypes.c_void_p, words, ctypes.c_void_p
    )
    def launch(function: int, *others: Any) -> int:
        *shape, stream, arguments, _ = others
        seen.append((function, shape, stream, [arguments[i][0] for i in range(4)]))
        return next(answers)

    op = all_ops()["silu"]
    opened = native.NativeTable(library(), op)
    x, out = torch.rand(64), torch.rand(64)
    streams = iter([70, 71, 72, 73])
    block = np.array([x.data_ptr() + 32, out.data_ptr(), 5, 6], np.uint64).tobytes()
    address = ctypes.cast(launch, ctypes.c_void_p).value
    made = Compiled(99, block, ((0, 0), (1, 1)), launch=address, shape=(3, 128, 1024))
    addresses = x.data_ptr(), out.data_ptr()
    opened.learn((x, out), out, made, addresses, [(0, 0, True)] * 2, lambda: next(streams))
    slow: list[Any] = []
    call = opened.entrance(lambda *arguments: slow.append(arguments))
    other = torch.rand(64)
    assert call(x, out) is out
    assert call(other, out) is out
    shape = [3, 1, 1, 128, 1, 1, 1024]
    assert seen == [
        (99, shape, 70, [x.data_ptr() + 32, out.data_ptr(), 5, 6]),
        (99, shape, 71, [other.data_ptr() + 32, out.data_ptr(), 5, 6]),
    ]
    call(x, out)
    crooked = torch.rand(65)[1:]
    call(crooked, out)
    assert len(seen) == 3
    assert [given[0] is one for given, one in zip(slow, (x, crooked), strict=True)] == [True] * 2


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("CC", str(tmp_path / "none"))
    monkeypatch.setattr(native, "_place", lambda: tmp_path / "table.so")
    native.use(None)
    native.want.__wrapped__()
    assert native.pending
    assert not (tmp_path / "table.so").exists()
    x = torch.rand(5)
    assert torch.equal(openaclnn.silu(x), openaclnn.silu(x))
    monkeypatch.setattr(native, "_until", 0.0)
    openaclnn.silu(x)
    assert not native.pending


def test_it_comes_later(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """Calls go on in Python until the compiler is done."""
    target = tmp_path / "table.so"
    built = library().c._name
    monkeypatch.setattr(native, "_place", lambda: target)
    monkeypatch.setattr(native, "build", lambda: None)
    native.use(None)
    native.want.__wrapped__()
    x = torch.rand(6)
    right = openaclnn.silu(x)
    assert native.pending
    os.symlink(built, target)
    for _ in range(3):
        assert torch.equal(openaclnn.silu(x), right)
    assert not native.pending
    assert type(openaclnn.silu.__globals__["_call"]).__name__ == "builtin_function_or_method"


@pytest.mark.parametrize("damage", ["other", "short", "half", "last", "zeros"])
def test_a_damaged_one_is_made_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, damage: str
) -> None:
    """To load one that is too short would be a SIGBUS."""
    target = tmp_path / "table.so"
    whole = Path(library().c._name).read_bytes()
    half = len(whole) // 2
    target.write_bytes(
        {
            "other": b"no library",
            "short": whole[:3000],
            "half": whole[:half],
            "last": whole[:-1],
            "zeros": whole[:half] + bytes(512) + whole[half + 512 :],
        }[damage]
    )
    built: list[Any] = []
    monkeypatch.setattr(native, "_place", lambda: target)
    monkeypatch.setattr(native, "build", lambda: built.append(target))
    native.use(None)
    native.want.__wrapped__()
    assert built == [target]
    assert native.pending


@pytest.mark.parametrize("wrong", ["head -c 20000 $made >$to", "echo garbage >$to", "rm $made"])
def test_what_a_broken_compiler_leaves_is_not_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, wrong: str
) -> None:
    """It answers 0."""
    compiler = tmp_path / "cc"
    made = Path(library().c._name)
    compiler.write_text(
        '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\n'
        f"to=$2 made={tmp_path}/copy\ncp {made} $made\n{wrong}\nexit 0\n"
    )
    compiler.chmod(0o700)
    monkeypatch.setenv("CC", str(compiler))
    monkeypatch.setattr(native, "_place", lambda: tmp_path / "table.so")
    assert not native.build(wait=True).exists()
    native.use(None)
    native._load()
    assert native._library is None


def test_another_compiler_makes_another(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    names = []
    for compiler in (None, "gcc", "gcc -O1", "a 'b"):
        monkeypatch.setenv("CC", compiler or "")
        names.append(native._name.__wrapped__())
    assert len(set(names)) == 4


def test_scalars_are_known_again(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = counted(monkeypatch)
    x = torch.linspace(-2, 2, 41)
    for value in (0.125, 0.5, 0.125):
        for _ in range(4):
            found = openaclnn.leaky_relu(x, negative_slope=scalar(value, FLOAT))
            assert torch.equal(found, torch.where(x > 0, x, x * value))
    assert len(seen) <= 4


def test_numbers_that_came_before_are_known_in_new_shapes() -> None:
    """Also those from which others are made: smooth L1 divides by beta and by how many elements
    there are."""
    of = functions.Caller(all_ops()["smooth_l1_loss_backward"])
    draw = torch.Generator().manual_seed(1)
    for length, beta in enumerate([1.0] * 3 + [0.5] * 3 + [2.0] * 3, 15):
        for reduction in ("none", "mean"):
            of.call(*torch.rand(3, length, 5, generator=draw), reduction, beta, None)
    for length, beta in enumerate((1.0, 0.5, 2.0), 30):
        for reduction in ("none", "mean"):
            given = *torch.rand(3, length, 5, generator=draw), reduction, beta
            assert "take" not in python_functions(of, *given, None)
            fresh = functions.Caller(all_ops()["smooth_l1_loss_backward"])
            assert torch.equal(of.take(*given, None), fresh.call(*given, None))


def python_functions(of: functions.Caller, *given: Any) -> list[str]:
    """Those that take part in a call by the call cache."""
    found: list[str] = []
    sys.setprofile(lambda frame, event, arg: found.append(frame.f_code.co_name))
    try:
        of.take(*given)
    finally:
        sys.setprofile(None)
    return found


def test_folds_and_forms_are_told_in_every_state() -> None:
    """Of PyTorch's: what was learnt in inference mode first is known outside of it, too."""
    softmax = functions.Caller(all_ops()["softmax"])
    silu = functions.Caller(all_ops()["silu"])
    for state, lengths in ((torch.inference_mode, (7, 8, 9)), (nullcontext, (17, 18, 19))):
        with state():
            for length in lengths:
                silu.call(torch.rand(length, 5).t(), None)
                softmax.call(torch.rand(length, 10), 1, None)
    assert "take" not in python_functions(softmax, torch.rand(11, 10), 1, None)
    assert "take" not in python_functions(silu, torch.rand(11, 5).t(), None)
