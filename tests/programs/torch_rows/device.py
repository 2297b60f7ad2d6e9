"""Printing, streams and events, memory, saving and loading."""

from __future__ import annotations

import copy
import io
import pickle
import re
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

from torch_rows.row import Maker, Row


def shown(x: torch.Tensor) -> str:
    return re.sub(r",\s+device='npu:0'", "", repr(x))


def printing() -> Iterator[Row]:
    yield Row("repr of floats", lambda m: shown(m(3, 4)))
    yield Row("repr of integers", lambda m: shown(m.whole(5)))
    yield Row("repr of booleans", lambda m: shown(m.true(5)))
    yield Row("repr of half", lambda m: shown(m(3, dtype=torch.float16)))
    yield Row("repr of a scalar", lambda m: shown(m(1)[0]))
    yield Row("repr of nothing", lambda m: shown(m(0)))
    yield Row("repr of many", lambda m: shown(m(2000)))
    yield Row("repr of a leaf", lambda m: shown(m.leaf(2)))
    yield Row(
        "repr with inf and nan",
        lambda m: shown(m(3) / torch.tensor([0.0, 1.0, float("nan")], device=m.device)),
    )
    yield Row("item", lambda m: m(1).item())
    yield Row("tolist", lambda m: m.whole(2, 3).tolist())
    yield Row("format", lambda m: f"{m(1)[0]:.3f}")
    yield Row("bool of a tensor", lambda m: bool(m(1) > 100))
    yield Row("int of a tensor", lambda m: int(m.whole(1)))
    yield Row("len, shape, stride", lambda m: (len(m(3, 4)), m(3, 4).t().stride(), m(3).numel()))
    yield Row("iteration", lambda m: [x.item() for x in m(4)])
    yield Row("is_npu", lambda m: m(1).is_npu and m(1).device.type == "npu", alone=True)


def runtime() -> Iterator[Row]:
    def npu() -> Any:
        return torch.npu  # type: ignore[attr-defined]

    def events(m: Maker) -> bool:
        start, end = npu().Event(enable_timing=True), npu().Event(enable_timing=True)
        start.record()
        m(1000).exp_()
        end.record()
        end.synchronize()
        return end.query() and start.elapsed_time(end) >= 0

    def other_stream(m: Maker) -> bool:
        stream, x = npu().Stream(), m(100)
        stream.wait_stream(npu().current_stream())
        with npu().stream(stream):
            y = x * 2
        npu().current_stream().wait_stream(stream)
        y.record_stream(npu().current_stream())
        return torch.equal(y.cpu(), x.cpu() * 2)

    def waits(m: Maker) -> bool:
        first, second, event = npu().Stream(), npu().Stream(), npu().Event()
        with npu().stream(first):
            x = m(100) + 1
            event.record()
        with npu().stream(second):
            second.wait_event(event)
            y = x * 3
        second.synchronize()
        return torch.equal(y.cpu(), x.cpu() * 3)

    def allocated(m: Maker) -> bool:
        before = npu().memory_allocated()
        x = m(1 << 20)
        during = npu().memory_allocated()
        del x
        return during - before >= 1 << 22 and npu().memory_allocated() == before

    def pinned(m: Maker) -> bool:
        x = torch.arange(1000.0).pin_memory()
        y = x.to(m.device, non_blocking=True)
        npu().synchronize()
        return x.is_pinned() and torch.equal(y.cpu(), x)

    def seeded(m: Maker) -> bool:
        npu().manual_seed(3)
        state = npu().get_rng_state()
        npu().set_rng_state(state)
        return npu().initial_seed() == 3

    def reduced(m: Maker) -> bool:
        """One process is a world of its own."""
        import torch.distributed as dist

        dist.init_process_group("hccl", store=dist.HashStore(), rank=0, world_size=1)
        x = m(4)
        before = x.cpu()
        dist.all_reduce(x)
        dist.destroy_process_group()
        return torch.equal(x.cpu(), before)

    def name(_: Maker) -> bool:
        return npu().get_device_name().startswith("Ascend910")

    yield Row("is_available", lambda _: npu().is_available(), alone=True)
    yield Row("device_count", lambda _: npu().device_count() >= 1, alone=True)
    yield Row("get_device_name", name, alone=True)
    yield Row("current_device", lambda _: npu().current_device() == 0, alone=True)
    yield Row("set_device", lambda _: npu().set_device(0) is None, alone=True)
    yield Row(
        "get_device_properties",
        lambda _: npu().get_device_properties(0).total_memory > 0,
        alone=True,
    )
    yield Row(
        "mem_get_info", lambda _: 0 < npu().mem_get_info()[0] <= npu().mem_get_info()[1], alone=True
    )
    yield Row("memory_allocated", allocated, alone=True)
    yield Row(
        "max_memory_allocated",
        lambda m: m(9) is not None and npu().max_memory_allocated() > 0,
        alone=True,
    )
    yield Row(
        "memory_reserved", lambda m: m(9) is not None and npu().memory_reserved() > 0, alone=True
    )
    yield Row(
        "memory_stats", lambda _: "allocated_bytes.all.peak" in npu().memory_stats(), alone=True
    )
    yield Row("empty_cache", lambda _: npu().empty_cache() is None, alone=True)
    yield Row(
        "reset_peak_memory_stats", lambda _: npu().reset_peak_memory_stats() is None, alone=True
    )
    yield Row("synchronize", lambda _: npu().synchronize() is None, alone=True)
    yield Row(
        "current_stream", lambda _: npu().current_stream() == npu().default_stream(), alone=True
    )
    yield Row("stream.query", lambda _: npu().current_stream().query(), alone=True)
    yield Row("events", events, alone=True)
    yield Row("another stream", other_stream, alone=True)
    yield Row("a stream waits for an event", waits, alone=True)
    yield Row("pinned memory", pinned, alone=True)
    yield Row("seed and generator state", seeded, alone=True)
    yield Row("all_reduce in one process", reduced, alone=True)
    yield Row("torch.device", lambda _: torch.device("npu").type == "npu", alone=True)
    yield Row(
        "torch.accelerator",
        lambda _: torch.accelerator.current_accelerator().type == "npu",
        alone=True,
    )
    yield Row("with torch.device", lambda m: torch.zeros(2, device=torch.device(m.device)) + 1)
    yield Row("is_bf16_supported", lambda _: npu().is_bf16_supported(), alone=True)


def storage() -> Iterator[Row]:
    def saved(x: Any, **options: Any) -> Any:
        file = io.BytesIO()
        torch.save(x, file)
        file.seek(0)
        return torch.load(file, **options)

    def states(m: Maker) -> Any:
        one, other = m.module(nn.PReLU(3)), nn.PReLU(3).to(m.device)
        other.load_state_dict(saved(one.state_dict()))
        return other.weight

    yield Row("save, load", lambda m: saved(m(3, 5)))
    yield Row("save, load to the CPU", lambda m: saved(m(3, 5), map_location="cpu"))
    yield Row("save, load of views", lambda m: saved([m(3, 5).t(), m(4)[1:]]))
    yield Row("state_dict", states)
    yield Row("deepcopy", lambda m: copy.deepcopy(m(3, 5)))
    yield Row("pickle", lambda m: pickle.loads(pickle.dumps(m(3, 5))))
    yield Row("share a storage", lambda m: m(3, 5).untyped_storage().nbytes())


ROWS = (printing, runtime, storage)
