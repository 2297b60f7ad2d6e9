"""What kernels found, without a GPU: words that a stand-in of the driver copies."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("cuda.bindings", reason="needs cuda-bindings")

from openaclnn.base.acl_codes import Code
from openaclnn.runtime.cuda import findings
from openaclnn.runtime.interface import AclError


@pytest.fixture(autouse=True)
def _driver(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[int, Any] = {}

    def allocate(size: int) -> tuple[int, int]:
        block = ctypes.create_string_buffer(size)
        kept[ctypes.addressof(block)] = block
        return 0, ctypes.addressof(block)

    def copy(to: int, source: int, size: int, stream: int) -> tuple[int]:
        ctypes.memmove(to, source, size)
        return (0,)

    def free(address: int) -> None:
        del kept[address]

    driver = SimpleNamespace(cuMemAllocHost=allocate, cuMemcpyDtoHAsync=copy, cuMemFreeHost=free)
    monkeypatch.setattr(findings, "driver", driver)
    monkeypatch.setattr(findings, "check", lambda result, doing: (*result[1:], None)[0])


def found(stream: int, *words: int) -> None:
    block = (ctypes.c_int64 * len(words))(*words)

    def judge(seen: Any) -> str | None:
        return f"index has {seen[0]}" if seen[0] > 9 else None

    findings.expect(stream, ctypes.addressof(block), len(words), judge)


def test_who_waits_for_a_stream_is_told_once() -> None:
    found(1, 3, 0)
    found(2, 12, 0)
    found(2, 13, 0)
    findings.report(1)
    with pytest.raises(AclError, match="index has 12") as told:
        findings.report(2)
    assert told.value.code == Code.RT_AICORE_EXCEPTION
    findings.report(2)
    findings.report()


def test_who_waits_for_the_device_is_told() -> None:
    found(1, 3, 0)
    found(2, 12, 0)
    with pytest.raises(AclError, match="index has 12"):
        findings.report()
    findings.report()
