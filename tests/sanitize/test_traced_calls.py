"""What a program called on a CPU, read from its trace: a GPU would compile the very kernels that
`openaclnn compile --trace` compiles."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from openaclnn.calls import two_phase
from openaclnn.cli.main import commands
from openaclnn.sanitize.traced_calls import TracedCalls, TraceError, read_trace

pytest.importorskip("triton", reason="needs triton")
pytest.importorskip("cuda.bindings", reason="needs cuda-bindings")

from openaclnn.engines.cuda import launch, precompile
from openaclnn.engines.cuda.compile import Program

# Arguments of all kinds; one call twice, one on tensors that overlap, one that is refused
PROGRAM = """
#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_gelu_backward_v2.h"
#include "aclnnop/aclnn_mean.h"
#include "aclnnop/aclnn_softmax.h"
#include <cstdlib>
#include <vector>

static char *memory;
static aclTensor *tensor(std::vector<int64_t> shape, size_t at, aclDataType dtype = ACL_FLOAT,
                         std::vector<int64_t> strides = {})
{
    return aclCreateTensor(shape.data(), shape.size(), dtype, strides.data(), 0, ACL_FORMAT_ND,
                           shape.data(), shape.size(), memory + at);
}

#define CALL(name, ...) \\
    if (!aclnn##name##GetWorkspaceSize(__VA_ARGS__, &size, &executor)) \\
        aclrtMalloc(&workspace, size + 1, ACL_MEM_MALLOC_HUGE_FIRST), \\
            aclnn##name(workspace, size, executor, nullptr);

int main()
{
    uint64_t size;
    aclOpExecutor *executor;
    void *workspace;
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtMalloc((void **)&memory, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST);
    float half = 0.5f;
    aclScalar *alpha = aclCreateScalar(&half, ACL_FLOAT);
    int64_t last[] = {1};
    aclIntArray *dims = aclCreateIntArray(last, 1);
    aclTensor *a = tensor({8, 640}, 0), *b = tensor({8, 640}, 40964);
    aclTensor *out = tensor({8, 640}, 1 << 17);
    for (int turn = 0; turn < 2; turn++)
        CALL(Add, a, b, alpha, out)
    CALL(Add, a, tensor({640}, 1 << 16, ACL_FLOAT16), alpha, out)
    CALL(Add, a, tensor({3, 3}, 0), alpha, out)
    CALL(InplaceAdd, tensor({8, 320}, 64), tensor({8, 320}, 128), alpha)
    CALL(Mean, a, dims, true, ACL_FLOAT, tensor({8, 1}, 1 << 18))
    char how[] = "tanh";
    CALL(GeluBackwardV2, a, b, how, out)
    aclTensor *some[] = {tensor({8, 320}, 1 << 16), tensor({8, 320}, 1 << 17)};
    CALL(Cat, aclCreateTensorList(some, 2), -1, tensor({8, 640}, 1 << 18))
    CALL(Softmax, a, 0, out)
    return 0;
}
"""


@pytest.fixture(scope="module")
def trace(toolkit: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("traced")
    (folder / "program.cpp").write_text(PROGRAM)
    done = toolkit.cli("trace", "--soc", "Ascend950", "program.cpp", cwd=folder)
    assert done.returncode == 0, done.stderr
    found: Path = folder / "trace.json"
    return found


@pytest.fixture(scope="module")
def calls(trace: Path) -> TracedCalls:
    return read_trace(trace)


def test_each_form_is_there_once(calls: TracedCalls) -> None:
    assert calls.count == 8
    names = ["add", "add", "inplace_add", "mean", "gelu_backward_v2", "cat", "softmax"]
    assert [one.op.name for one in calls.forms] == names
    assert (calls.level, calls.product) == ("exact", "Ascend950")
    add, half, _, mean, gelu, cat, softmax = (one.arguments for one in calls.forms)
    assert (add["alpha"].value, add["alpha"].dtype.name) == (0.5, "FLOAT")
    assert (add["other"].view.shape, add["other"].address % 16) == ((8, 640), 4)
    assert half["other"].dtype.name == "FLOAT16"
    assert (mean["dim"], mean["keep_dim"], mean["dtype"].name) == ((1,), True, "FLOAT")
    assert gelu["approximate"] == "tanh"
    assert [one.view.shape for one in cat["tensors"]] == [(8, 320)] * 2
    assert (cat["dim"], softmax["dim"]) == (-1, 0)


def test_a_gpu_compiles_nothing_else(calls: TracedCalls, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: set[Program] = set()

    def function(program: Program) -> Any:
        loaded.add(program)
        return SimpleNamespace(handle=1, threads=128, shared=0)

    monkeypatch.setattr(launch, "_function_of", function)
    monkeypatch.setattr(launch.runtime, "get_device_count", lambda: 1)
    monkeypatch.setattr(launch.runtime, "device_of", lambda address: 0)
    monkeypatch.setattr(launch.runtime, "architecture", lambda device: 90)
    expected = {program for _, program in precompile.of_calls(calls.forms, 90)}
    for one in calls.forms:
        executor = two_phase.prepare(one.op, [*one.arguments.values()])
        ready = executor.ready
        assert ready.launcher is not None
        ready.launcher.pack(executor._addresses, 1 << 20)
    assert loaded == expected
    assert len(expected) >= 7


def test_command(trace: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    one = json.loads(trace.read_text())
    events = [event for event in one["traceEvents"] if event["name"].startswith("aclnnAdd")]
    small = tmp_path / "small.json"
    small.write_text(json.dumps({**one, "traceEvents": events}))
    words = ["compile", "--trace", str(small), "--json"]
    for fresh in (True, False):
        result = CliRunner().invoke(commands, words)
        assert result.exit_code == 0, result.output
        said = json.loads(result.stdout)
        assert (said["arch"], said["calls"], said["forms"]) == ("sm_90", 3, 2)
        assert fresh or not said["compiled"]
        assert all(kernel["operators"] == ["aclnnAdd"] for kernel in said["kernels"])
        assert all(Path(kernel["file"]).exists() for kernel in said["kernels"])
    text = CliRunner().invoke(commands, words[:-1]).output
    assert "3 calls of 2 forms need 2 kernels, of which 2 were there" in text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda one: [], "is no trace"),
        (lambda one: {**one, "traceEvents": []}, "has no call of an operator"),
        (lambda one: {**one, "openaclnn": {}}, "write it anew"),
        (lambda one: {**one, "traceEvents": [_without(one, "arguments")]}, "write it anew"),
        (lambda one: {**one, "traceEvents": [_without(one, "name")]}, "there is no operator"),
    ],
)
def test_what_a_trace_lacks_is_said(trace: Path, tmp_path: Path, change: Any, said: str) -> None:
    changed = tmp_path / "trace.json"
    changed.write_text(json.dumps(change(json.loads(trace.read_text()))))
    with pytest.raises(TraceError, match=said):
        read_trace(changed)
    result = CliRunner().invoke(commands, ["compile", "--trace", str(changed)])
    assert result.exit_code == 1
    assert said in result.output


def _without(one: dict[str, Any], what: str) -> dict[str, Any]:
    """The first call, without a part."""
    event = next(event for event in one["traceEvents"] if event.get("cat") == "phase 1")
    if what == "name":
        return {**event, "name": "aclnnNobodysGetWorkspaceSize"}
    return {**event, "args": {k: v for k, v in event["args"].items() if k != what}}
