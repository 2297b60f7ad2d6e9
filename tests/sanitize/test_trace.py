"""A trace is as Chrome's format wants it: slices nest, arrows have both ends, counters add up."""

from __future__ import annotations

import json
import re
from collections import defaultdict

import pytest

PROGRAM = """
#include "acl/acl.h"
#include "aclnnop/aclnn_silu_backward.h"
#include <thread>
#include <unistd.h>

static void wait(void *) { usleep(20000); }

static void work()
{
    const int64_t shape[] = {3, 4};
    void *memory;
    float host[12] = {};
    uint64_t size;
    aclOpExecutor *executor;
    aclrtStream stream;
    aclrtSetDevice(0);
    aclrtCreateStream(&stream);
    aclrtMalloc(&memory, 48, ACL_MEM_MALLOC_HUGE_FIRST);
    aclTensor *x =
        aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 2, memory);
    for (int queued = 0; queued < 2; queued++) {
        if (queued)
            aclrtLaunchHostFunc(stream, wait, nullptr);
        aclrtMemcpyAsync(memory, 48, host, 48, ACL_MEMCPY_HOST_TO_DEVICE, stream);
        aclnnSiluBackwardGetWorkspaceSize(x, x, x, &size, &executor);
        aclnnSiluBackward(nullptr, 0, executor, stream);
        aclrtSynchronizeStream(stream);
    }
    aclDestroyTensor(x);
    aclrtFree(memory);
    aclrtDestroyStream(stream);
}

int main()
{
    aclInit(nullptr);
    std::thread one(work), two(work);
    one.join();
    two.join();
    return 5;
}
"""


@pytest.fixture(scope="module")
def traced(toolkit, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trace")
    (folder / "program.cpp").write_text(PROGRAM)
    words = ["trace", "--log", "-o", "trace.json", "--cxxflags", "-pthread", "program.cpp"]
    done = toolkit.cli(*words, cwd=folder)
    assert done.returncode == 5, done.stderr
    return json.loads((folder / "trace.json").read_text()), done.stderr


@pytest.fixture(scope="module")
def events(traced) -> list[dict]:
    assert set(traced[0]) == {"traceEvents", "displayTimeUnit", "openaclnn"}
    return traced[0]["traceEvents"]


def of(events: list[dict], phase: str) -> list[dict]:
    return [event for event in events if event["ph"] == phase]


def track(event: dict) -> tuple[int, int]:
    return event["pid"], event["tid"]


def test_every_event_has_what_its_phase_needs(events):
    needed = {
        "M": {"name", "args"}, "X": {"name", "cat", "ts", "dur", "args"},
        "s": {"name", "cat", "id", "ts"}, "f": {"name", "cat", "id", "ts", "bp"},
        "C": {"name", "ts", "args"},
    }  # fmt: skip
    for event in events:
        assert set(event) == {"ph", "pid", "tid"} | needed[event["ph"]], event
        assert event.get("ts", 0) >= 0
        assert event.get("dur", 0) >= 0


def test_every_track_has_a_name(events):
    named = {track(event) for event in of(events, "M") if event["name"] == "thread_name"}
    assert {track(event) for event in of(events, "X")} == named


def test_slices_nest(events):
    tracks = defaultdict(list)
    for event in of(events, "X"):
        tracks[track(event)].append((event["ts"], -event["dur"]))
    for slices in tracks.values():
        ends: list[float] = []
        for begin, minus in sorted(slices):
            end = begin - minus
            while ends and ends[-1] <= begin + 1e-6:
                ends.pop()
            assert not ends or end <= ends[-1] + 1e-6
            ends.append(end)


def test_arrows_go_from_a_call_to_a_stream(events):
    starts = {event["id"]: event for event in of(events, "s")}
    ends = {event["id"]: event for event in of(events, "f")}
    assert len(starts) == len(of(events, "s"))
    assert set(starts) == set(ends)
    slices = {(track(event), event["ts"]): event for event in of(events, "X")}
    for number, start in starts.items():
        end = ends[number]
        call, work = slices[track(start), start["ts"]], slices[track(end), end["ts"]]
        assert work["cat"] == "stream"
        assert call["args"]["call"] == work["args"]["call"]
        assert start["ts"] <= end["ts"]
        assert end["bp"] == "e"


def test_what_streams_did(events):
    names = sorted(event["name"] for event in of(events, "X") if event["cat"] == "stream")
    assert names == sorted(
        2 * (["aclnnSiluBackward", "aclrtMemcpyAsync"] * 2 + ["aclrtLaunchHostFunc"])
    )
    copies = [e for e in of(events, "X") if e["cat"] == "stream" and "Memcpy" in e["name"]]
    assert all(copy["args"].get("bytes", 48) == 48 for copy in copies)
    kernels = [e for e in of(events, "X") if e["cat"] == "stream" and "aclnn" in e["name"]]
    assert all(kernel["args"]["bytes"] == 3 * 48 for kernel in kernels)
    phases = {event["cat"] for event in of(events, "X")}
    assert phases == {"phase 1", "phase 2", "runtime", "objects", "stream", "once"}


def test_what_takes_long_once_is_apart(traced, events):
    """A newcomer is not to take Python's start for the operator's own time."""
    slices = of(events, "X")
    once = [event for event in slices if event["cat"] == "once"]
    assert {"start Python", "check and plan"} <= {event["name"] for event in once}
    calls = {e["args"]["call"]: e for e in slices if e["cat"] not in ("stream", "once")}
    for event in once:
        call = calls[event["args"]["call"]]
        assert call["cat"] == "phase 1"
        assert call["ts"] <= event["ts"]
        assert event["ts"] + event["dur"] <= call["ts"] + call["dur"] + 1e-6
    rows = dict(re.findall(r"^(\S.*?)  +\d+ +([\d.]+) ", traced[1], re.MULTILINE))
    whole = sum(event["dur"] for event in slices if event["cat"] == "phase 1") / 1000
    apart = sum(float(ms) for name, ms in rows.items() if name.startswith("("))
    assert abs(apart + float(rows["aclnnSiluBackwardGetWorkspaceSize"]) - whole) < 0.01 * whole


def test_arguments_are_structured(events):
    copy = next(event for event in of(events, "X") if event["name"] == "aclrtMemcpyAsync")
    assert copy["args"]["kind"] == "ACL_MEMCPY_HOST_TO_DEVICE"
    assert copy["args"]["count"] == "48"


def test_memory_adds_up(events):
    counts = [event["args"]["device bytes"] for event in of(events, "C")]
    assert len(counts) == 4
    assert set(counts) <= {0, 48, 96}
    assert counts[-1] == 0


def test_the_log_and_the_table(traced):
    text = traced[1]
    assert re.search(
        r"\[\d+\.\d+\] aclrtMalloc\(size = 48, policy = ACL_MEM_MALLOC_HUGE_FIRST, "
        r"devPtr → 0x\w+\) = 0 <",
        text,
    )
    assert "gradOutput: FLOAT [3, 4] strides [4, 1], 0 bytes into block #" in text
    assert re.search(r"aclnnSiluBackwardGetWorkspaceSize +4 ", text)
    assert re.search(r"\d+ events in trace.json\n$", text)


DEVICE = """
import ctypes, sys, time, types

cuda = types.ModuleType("openaclnn.runtime.cuda")
events, memory = {}, ctypes.create_string_buffer(64)

def create_event(flags):
    events[len(events) + 1] = 0
    return len(events)

def record_event(event, stream):
    assert stream == 1001
    events[event] = time.monotonic_ns()

cuda.get_device_count = lambda: 1
cuda.set_device = lambda device: None
cuda.malloc = lambda size: ctypes.addressof(memory)
cuda.free = lambda address: None
cuda.memset_async = lambda to, value, count, stream: time.sleep(0.001)
cuda.create_stream = lambda priority, flags: 1001
cuda.destroy_stream = cuda.synchronize_stream = lambda *values: None
cuda.create_event, cuda.record_event = create_event, record_event
cuda.query_event = lambda event: events[event] > 0
cuda.event_get_timestamp = lambda event: events[event]
cuda.destroy_event = lambda event: events.__setitem__(event, -1)
sys.modules["openaclnn.runtime.cuda"] = cuda

import acl
acl.init()
acl.rt.set_device(0)
stream, _ = acl.rt.create_stream()
block, _ = acl.rt.malloc(64, 0)
assert acl.rt.memset_async(block, 64, 0, 64, stream) == 0
assert acl.rt.memset_async(block, 64, 0, 32, stream) == 0
assert acl.rt.memset_async(block, 64, 0, 32, stream + 8) != 0  # no stream
assert acl.rt.synchronize_stream(stream) == 0
assert set(events.values()) == {-1}, events
acl.rt.free(block)
acl.rt.destroy_stream(stream)
"""


def test_a_device_with_a_time_of_its_own_tells_it(toolkit, tmp_path):
    """A stand-in for a GPU: its streams' work is between two events of ours."""
    (tmp_path / "device.py").write_text(DEVICE)
    done = toolkit.on("cuda").cli("trace", "-o", "trace.json", "device.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    work = [event for event in of(events, "X") if event["cat"] == "stream"]
    assert [event["name"] for event in work] == ["aclrtMemsetAsync"] * 2
    assert [event["args"]["bytes"] for event in work] == [64, 32]
    assert all(event["dur"] >= 1000 for event in work)
    calls = {event["args"]["call"]: event for event in of(events, "X") if event not in work}
    for event in work:
        call = calls[event["args"]["call"]]
        assert call["ts"] <= event["ts"] <= call["ts"] + call["dur"]


def test_calls_name_the_lines_that_they_came_from(events, toolkit, tmp_path):
    (line,) = (n for n, text in enumerate(PROGRAM.splitlines(), 1) if "aclnnSiluBackward(" in text)
    calls = [
        e for e in of(events, "X") if e["name"] == "aclnnSiluBackward" and "result" in e["args"]
    ]
    assert calls
    for call in calls:
        assert re.match(rf"work\b.*program\.cpp:{line}$", call["args"]["stack"][0])
    script = tmp_path / "script.py"
    script.write_text("import acl\ndef start():\n    acl.init()\nstart()\n")
    done = toolkit.cli("trace", script, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    written = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    (call,) = (event for event in written if event["name"] == "aclInit")
    assert call["args"]["stack"] == [f"start {script}:3", f"<module> {script}:4"]
