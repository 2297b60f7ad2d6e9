"""A golden case from options, as given by the command line, a suite file or Python."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from openaclnn import ops
from openaclnn.base import layouts
from openaclnn.base.dtypes import FLOAT, DType
from openaclnn.base.records import dataclass
from openaclnn.base.status import OpenaclnnError
from openaclnn.golden import draws
from openaclnn.golden.cases import GoldenCase, attribute
from openaclnn.golden.description import real_dtype, said, shape_of
from openaclnn.spec import describe
from openaclnn.spec.op import In, InOut, Op

SHAPE = "128,1024"


def case(
    operator: str,
    *,
    shape: Sequence[str] = (SHAPE,),
    dtype: Sequence[str] = (),
    out_dtype: Sequence[str] = (),
    attribute: Sequence[str] = (),
    without: Sequence[str] = (),
    members: int = 2,
    layout: Sequence[str] = ("contiguous",),
    distribution: str = "standard",
    special: bool = False,
    seed: int = 0,
    raw: bool = False,
) -> GoldenCase:
    """A case; words are `VALUE` for all tensors or `NAME=VALUE` for one.

    >>> found = case("silu_backward", shape=["2,3", "self=3"], dtype=["f16"])
    >>> found.shapes, found.call.promoted
    ({'grad_output': (2, 3), 'self': (3,)}, FLOAT16)
    """
    op = ops.find(operator)
    draws.distribution(distribution)
    attributes = _attributes(op, attribute)
    return GoldenCase(
        op, _shapes(op, shape, attributes), _dtypes(op, dtype, out_dtype), _layouts(op, layout),
        attributes, _absent(op, without, shape), members, distribution, seed,
        special=special, raw=raw,
    )  # fmt: skip


@dataclass(frozen=True)
class NamedCase:
    """A case of a suite, and the name of its folder."""

    name: str
    case: GoldenCase


def suite(path: Path) -> Iterator[NamedCase]:
    """The cases of a file: each line has an operator and the options of `openaclnn golden`, and
    {a|b} stands for as many lines. Empty lines and what follows # are passed over."""
    names: set[str] = set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for text in alternatives(line.partition("#")[0].strip()):
            try:
                words = shlex.split(text)
                found = case(words[0], **_parsed(words[1:]))
            except (ValueError, LookupError) as error:
                raise ValueError(f"{path}:{number}: {error}") from None
            except OpenaclnnError as error:
                raise ValueError(f"{path}:{number}: {error}") from None
            name = wanted = _name(words)
            for more in itertools.count(2):
                if name not in names:
                    break
                name = f"{wanted}-{more}"
            names.add(name)
            yield NamedCase(name, found)


def alternatives(line: str) -> Iterator[str]:
    """
    >>> [*alternatives("relu --dtype {f16|f32} --seed {1|2}")][:2], [*alternatives("")]
    (['relu --dtype f16 --seed 1', 'relu --dtype f16 --seed 2'], [])
    """
    if not line:
        return
    pieces = [piece.split("|") for piece in re.split(r"\{([^{}]*)\}", line)]
    for chosen in itertools.product(*pieces):
        yield "".join(chosen)


_MANY = {"--shape", "--dtype", "--out-dtype", "--attribute", "--without", "--layout"}
_ONE = {"--members": int, "--seed": int, "--distribution": str}
_FLAGS = {"--special", "--raw"}


def _parsed(words: list[str]) -> dict[str, Any]:
    """Options by name, as `case` takes them."""
    found: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        option = "--attribute" if option == "-a" else option
        name = option.strip("-").replace("-", "_")
        if option in _FLAGS:
            found[name] = True
            continue
        if option not in _MANY and option not in _ONE:
            known = ", ".join(sorted({*_MANY, *_ONE, *_FLAGS}))
            raise ValueError(f"there is no option {word!r} of a case; there are {known}")
        if not equals:
            value = next(rest, "")
        if option in _ONE:
            found[name] = _ONE[option](value)
        else:
            found.setdefault(name, []).append(value)
    return found


def _name(words: list[str]) -> str:
    """
    >>> _name(["silu", "--shape", "8,16", "--dtype", "self=bf16", "--special"])
    'silu-8x16-self=bf16-special'
    """
    told = [word.lstrip("-") for word in words if word not in (*_MANY, *_ONE, "-a")]
    return re.sub(r"[^\w=.+-]", "_", "-".join(told).replace(",", "x"))


def _given(op: Op) -> list[str]:
    """The tensors that go in."""
    return [a.name for a in op.tensors if isinstance(a, (In, InOut))]


def _attributes(op: Op, given: Sequence[str]) -> dict[str, Any]:
    attributes = dict(op.defaults)
    for text in given:
        name, _, value = text.partition("=")
        found = next((a for a in op.attributes if name in (a.name, a.c_name)), None)
        if found is None:
            known = ", ".join(attributes) or "none"
            raise ValueError(f"{op.c_name} has no attribute {name!r}; it has {known}")
        attributes[found.name] = attribute(found, value)
    return attributes


def _shapes(op: Op, given: Sequence[str], attributes: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    for_all, by_name = said(given, _given(op), shape_of)
    shape = (128, 1024) if for_all is None else for_all
    return dict.fromkeys(_given(op), shape) | dict(op.shapes(shape, attributes)) | by_name


def _dtypes(op: Op, given: Sequence[str], outputs: Sequence[str]) -> dict[str, DType]:
    for_all, by_name = said(given, _given(op), real_dtype)
    found = describe.alike(op, for_all or FLOAT)
    if for_all is not None and for_all not in found.values():
        found = dict.fromkeys(found, for_all)  # the operator will say what it takes
    written = [output.name for output in op.outputs if output.name not in found]
    if outputs and not written:
        raise ValueError(f"{op.c_name} writes to {', '.join(found)}: --dtype says of which dtype")
    for_all, of_outputs = said(outputs, written, real_dtype)
    made = {} if for_all is None else dict.fromkeys(written, for_all)
    return {**found, **by_name, **made, **of_outputs}


def _layouts(op: Op, given: Sequence[str]) -> dict[str, str]:
    names = [a.name for a in op.tensors]
    for_all, by_name = said(given, names, lambda name: layouts.by_name(name).name)
    return dict.fromkeys(names, for_all or "contiguous") | by_name


def _absent(op: Op, names: Sequence[str], shapes: Sequence[str]) -> frozenset[str]:
    """The optional tensors that are left out, and those that are not read, unless they have a
    shape of their own."""
    optional = [a.name for a in op.tensors if getattr(a, "optional", False)]
    for name in names:
        if name not in optional:
            known = ", ".join(optional) or "none"
            raise ValueError(f"{op.c_name} has no optional tensor {name!r}; it has {known}")
    named = {text.partition("=")[0] for text in shapes if "=" in text}
    unread = {a.name for a in op.inputs if a.optional and not a.read}
    return frozenset({*names} | (unread - named))
