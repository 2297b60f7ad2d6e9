"""The calls of operators in a trace file, each form once, for who wants to plan them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from openaclnn.base.records import dataclass
from openaclnn.base.status import OpenaclnnError
from openaclnn.capi.arguments import TracedCall, read

_ALIGNED = 16  # bytes, of which kernels see whether an address is a multiple


class TraceError(OpenaclnnError):
    """A file is no trace, or does not say what its calls were given."""


@dataclass(frozen=True)
class TracedCalls:
    """What a program called: how often, and each form of call once."""

    count: int
    forms: tuple[TracedCall, ...]
    level: str
    product: str


def read_trace(path: Path) -> TracedCalls:
    """The calls of a trace that were accepted; an operator that is not here is an error, too."""
    try:
        trace = json.loads(path.read_bytes())
        events = [event for event in trace["traceEvents"] if event.get("cat") == "phase 1"]
        chosen = trace.get("openaclnn", {})
    except (ValueError, KeyError, TypeError, AttributeError):
        raise TraceError(f"{path} is no trace; openaclnn trace writes one") from None
    accepted = [event for event in events if event["args"].get("result") == "0"]
    if not accepted:
        raise TraceError(f"{path} has no call of an operator that was accepted")
    if "level" not in chosen or not all("arguments" in event["args"] for event in accepted):
        raise TraceError(
            f"{path} does not say what all calls were given; write it anew with this version of "
            "openaclnn trace"
        )
    try:
        return TracedCalls(
            len(accepted), tuple(_forms(accepted)), chosen["level"], chosen["product"]
        )
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise TraceError(f"{path}: {error}") from None


def _forms(events: list[dict[str, Any]]) -> Iterator[TracedCall]:
    """Calls that differ in more than where their tensors lie."""
    seen = set()
    for event in events:
        given = event["args"]["arguments"]
        name = event["name"].removesuffix("GetWorkspaceSize")
        plain = {key: _without_addresses(value) for key, value in given.items()}
        key = name, json.dumps(plain), _places(given)
        if key not in seen:
            seen.add(key)
            yield read(name, given)


def _tensors(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    members = (one for value in given.values()
               for one in (value if isinstance(value, list) else [value]))  # fmt: skip
    return [one for one in members if isinstance(one, dict)]


def _without_addresses(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_addresses(member) for member in value]
    if isinstance(value, dict):
        return {key: item for key, item in value.items() if key != "address"}
    return value


def _places(given: Mapping[str, Any]) -> tuple[int, ...]:
    """What kernels and plans may depend on of the addresses: their remainders, and where some are
    near enough to overlap, how far they are apart."""
    tensors = _tensors(given)
    addresses = [int(one["address"], 16) for one in tensors]
    spans = [_span(one) for one in tensors]
    near = any(
        a + spans[i][0] < b + spans[k][1] and b + spans[k][0] < a + spans[i][1]
        for (i, a), (k, b) in combinations(enumerate(addresses), 2)
    )
    base = min(addresses, default=0) // _ALIGNED * _ALIGNED if near else 0
    return tuple(at - base if near else at % _ALIGNED for at in addresses)


def _span(one: Mapping[str, Any]) -> tuple[int, int]:
    """More bytes than a tensor has, from its address on."""
    steps = [(size - 1) * stride for size, stride in zip(one["shape"], one["strides"], strict=True)]
    low = one["offset"] + sum(step for step in steps if step < 0)
    high = one["offset"] + sum(step for step in steps if step > 0) + 1
    return 16 * min(low, 0), 16 * high
