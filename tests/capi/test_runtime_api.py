"""The tables of the runtime are true: names, codes, and what a device is asked."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from openaclnn.base.acl_codes import Code
from openaclnn.capi import methods
from openaclnn.capi.runtime_api import FUNCTIONS
from openaclnn.runtime import AclError

PROGRAMS = Path(__file__).parent / "programs"
BY_NAME = {function.name: function for function in FUNCTIONS}


def test_every_function_is_described_once():
    assert len(BY_NAME) == len(FUNCTIONS)
    for function in FUNCTIONS:
        assert function.sentence.endswith("."), function.name
        assert len(set(function.codes)) == len(function.codes), function.name


def test_every_request_to_a_device_is_some_functions():
    asked = {function.method for function in FUNCTIONS}
    assert {method.name for method in methods.methods()} <= asked
    for function in FUNCTIONS:
        assert not function.asks or function.method, function.name


def test_the_gpu_answers_every_request():
    """By the names and parameters of the description."""
    cuda = pytest.importorskip("openaclnn.runtime.cuda")
    for method in methods.methods():
        found = inspect.signature(getattr(cuda, method.name))
        assert list(found.parameters) == [name for _, name in method.parameters], method.name


def test_a_stream_that_is_not_done_in_time(monkeypatch):
    streams = pytest.importorskip("openaclnn.runtime.cuda.streams")
    monkeypatch.setattr(streams, "enter", lambda: None)
    monkeypatch.setattr(streams, "stream_query", lambda stream: False)
    with pytest.raises(AclError) as caught:
        streams.synchronize_stream(1, 1)
    assert caught.value.code == 507046


def test_codes_are_documented():
    """What the programs that do everything wrongly expect is what the tables say."""
    rows = [
        row
        for path in sorted(PROGRAMS.glob("*.cpp"))
        for row in re.findall(r"EXPECT\((\d+), (acl\w+)\(", path.read_text())
    ]
    assert len(rows) > 100
    for number, name in rows:
        if name in BY_NAME and int(number):
            assert Code(int(number)) in BY_NAME[name].codes, (number, name)


def test_the_names_in_python(toolkit):
    names = [function.python_name for function in FUNCTIONS if function.python_name]
    text = f"import acl\nfor name in {names}: assert callable(eval(name)), name"
    done = toolkit.cli("run", "python3", "-c", text)
    assert done.returncode == 0, done.stderr
