"""Every call of a program can be recorded, and what is read back is what was called."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from openaclnn.sanitize import records
from openaclnn.sanitize.records import Began, Done, Ended, Started

PROGRAM = """
#include "acl/acl.h"
#include "aclnnop/aclnn_leaky_relu_backward.h"
#include <sys/wait.h>
#include <unistd.h>

int main() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    int64_t shape[] = {2, 3}, strides[] = {1, -2};
    void *memory = nullptr;
    aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
    aclTensor *tensor =
        aclCreateTensor(shape, 2, ACL_FLOAT, strides, 4, ACL_FORMAT_ND, nullptr, 0, memory);
    uint64_t size;
    aclOpExecutor *executor;
    float slope = 0.5f;
    aclScalar *scalar = aclCreateScalar(&slope, ACL_FLOAT);
    aclnnLeakyReluBackwardGetWorkspaceSize(tensor, tensor, scalar, true, tensor, &size, &executor);
    aclnnLeakyReluBackward(nullptr, 0, executor, nullptr);
    if (fork() == 0) {
        aclrtFree(memory);
        _exit(0);
    }
    wait(nullptr);
    aclrtFree(memory);  // a line that stacks name
}
"""


def recorded(toolkit, tmp_path: Path, text: str, name: str, *flags: str):
    source, file = tmp_path / name, tmp_path / "record"
    source.write_text(text)
    file.write_bytes(b"")
    watched = replace(toolkit, environment={**toolkit.environment, records.FILE: str(file)})
    done = watched.cli("run", *flags, source)
    assert done.returncode == 0, done.stderr
    with file.open("rb") as opened:
        reader = records.Reader(opened)
        return reader, list(reader.events())


def test_a_program_of_cpp(toolkit, tmp_path):
    reader, events = recorded(toolkit, tmp_path, PROGRAM, "program.cpp", "--cxxflags", "-g")
    assert isinstance(events[0], Started)
    assert isinstance(events[-1], Ended)
    calls = {event.call.name: event.call for event in events if isinstance(event, Done)}
    tensor = calls["aclCreateTensor"]
    assert tensor.arguments["viewDims"] == (2, 3)
    assert tensor.arguments["stride"] == (1, -2)
    assert tensor.arguments["storageDims"] == 0
    assert tensor.arguments["offset"] == 4
    assert tensor.arguments["tensorData"] == calls["aclrtMalloc"].outs["devPtr"]
    first = calls["aclnnLeakyReluBackwardGetWorkspaceSize"]
    assert first.arguments["gradOutput"] == tensor.result
    assert first.arguments["selfIsResult"] == 1
    assert first.outs["executor"] == calls["aclnnLeakyReluBackward"].arguments["executor"]
    assert all(frame.module for frame in reader.frames(first.stack))


def test_a_forked_child(toolkit, tmp_path):
    _, events = recorded(toolkit, tmp_path, PROGRAM, "program.cpp")
    parent, child = (event for event in events if isinstance(event, Started))
    assert (parent.forked, child.forked, child.parent) == (False, True, parent.process)
    freed = [e.call.process for e in events if isinstance(e, Began) and e.call.name == "aclrtFree"]
    assert freed == [child.process, parent.process]
    assert [e.process for e in events if isinstance(e, Ended)] == [parent.process]


def test_a_program_of_python_has_its_own_stack(toolkit, tmp_path):
    text = "import acl\n\ndef begin():\n    acl.init()\n\nbegin()\nacl.rt.set_device(0)\n"
    reader, events = recorded(toolkit, tmp_path, text, "program.py")
    calls = {event.call.name: event.call for event in events if isinstance(event, Done)}
    places = [
        (frame.name, frame.line)
        for frame in reader.frames(calls["aclInit"].stack)
        if frame.module == str(tmp_path / "program.py")
    ]
    assert places == [("begin", 4), ("<module>", 6)]


MANY = """
#include "acl/acl.h"

int main() {
    int32_t device;
    aclInit(nullptr);
    aclrtSetDevice(0);
    for (int i = 0; i < 300000; i++)
        if (aclrtGetDevice(&device))
            return 1;
    return aclFinalize();
}
"""


def test_a_record_without_room_is_said_and_changes_nothing(toolkit, tmp_path):
    (tmp_path / "many.cpp").write_text(MANY)
    program, file = toolkit.compile(tmp_path / "many.cpp", tmp_path / "many"), tmp_path / "record"
    file.write_bytes(b"")
    watched = replace(toolkit, environment={**toolkit.environment, records.FILE: str(file)})
    done = watched.execute(["bash", "-c", f"ulimit -f 20000; exec {program}"])  # KiB
    assert done.returncode == 0
    assert "there is no more room for the record of calls" in done.stderr
    taken = file.stat().st_blocks
    with file.open("r+b") as opened:  # what was read need not be kept
        events = list(records.Reader(opened).events(over=True))
    assert sum(isinstance(event, Done) for event in events) > 10000
    assert file.stat().st_blocks < taken // 2
    file.unlink()
    done = watched.execute([program])
    assert done.returncode == 0
    assert "calls cannot be recorded" in done.stderr
