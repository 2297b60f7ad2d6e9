"""Golden cases: inputs and true results as files, the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openaclnn.golden.memory import Golden

Shape = int | Sequence[int]


def golden(
    operator: str,
    *,
    shape: Shape | dict[str, Shape] = (128, 1024),
    dtype: str | dict[str, str] = "",
    layout: str | dict[str, str] = "contiguous",
    attributes: dict[str, Any] | None = None,
    without: Sequence[str] = (),
    members: int = 2,
    distribution: str = "standard",
    special: bool = False,
    seed: int = 0,
) -> Golden:
    """A golden case in memory: inputs that are the same on every machine, and their true results.

    `shape`, `dtype` and `layout` are of all tensors, or by name.

    >>> case = golden("silu_backward", shape=(2, 3), dtype="f16", seed=7)
    >>> case.inputs["self"].dtype, case.expected.dtype, case.rounded.dtype
    (dtype('float16'), dtype('float64'), dtype('float16'))
    >>> import openaclnn
    >>> case.compare(openaclnn.silu_backward(**case.inputs)).passed
    True
    """
    from openaclnn.golden import options
    from openaclnn.golden.memory import Golden

    return Golden(
        options.case(
            operator, shape=_words(shape), dtype=_words(dtype), layout=_words(layout),
            attribute=[f"{name}={_word(value)}" for name, value in (attributes or {}).items()],
            without=without, members=members, distribution=distribution, special=special, seed=seed,
        )
    )  # fmt: skip


def golden_suite(file: str | Path) -> dict[str, Golden]:
    """The cases of a file by name, as `openaclnn golden --suite` has them."""
    from openaclnn.golden import options
    from openaclnn.golden.memory import Golden

    return {named.name: Golden(named.case) for named in options.suite(Path(file))}


def _words(given: Any) -> list[str]:
    if isinstance(given, dict):
        return [f"{name}={_word(value)}" for name, value in given.items()]
    return [] if given == "" else [_word(given)]


def _word(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return ",".join(map(str, value)) or "()"
    return str(value)
