"""Writes random operators as the files that a user of OPENACLNN_OPS would write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from random_operators.dtypes import ALL, KINDS
from random_operators.formulas import WORDS
from random_operators.operators import MEMBERS, Operator


def write(operators: Sequence[Operator], folder: Path) -> None:
    """A folder for OPENACLNN_OPS, its user's alone: some files in it, some in a family's. Most are
    called as their operators are."""
    (folder / "own_family").mkdir(parents=True)
    for number, operator in enumerate(operators):
        place = folder / "own_family" if number % 3 == 2 else folder
        stem = operator.name if number % 5 else f"some_{operator.name}"
        (place / f"{stem}.py").write_text(text(operator), encoding="utf-8")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)


def text(operator: Operator) -> str:
    functions, facts = _shaped(operator)
    if operator.share:
        functions += _SHARE
        facts.append("uniforms=uniforms")
    if not operator.wide:
        facts.append("wide=never")
    name, results = operator.name, (formula.text for formula in operator.formulas)
    return _FILE.format(
        name=name,
        parameters=", ".join(operator.parameters),
        results=", ".join(results),
        functions=functions,
        arguments="".join(f"\n        {argument.source}," for argument in operator.arguments),
        rules="".join(f"\n        {rule}," for rule in _rules(operator)),
        facts="".join(f"\n    {fact}," for fact in facts),
        example=f"\n>>> import openaclnn\n>>> openaclnn.{name}.__name__\n'{name}'\n",
    )


_FILE = f'''"""{{name}}: drawn at random."""

from openaclnn.base.dtypes import {", ".join(kind.name for kind in KINDS.values())}
from openaclnn.spec import host
from openaclnn.spec.call import Meta
from openaclnn.spec.formula import {", ".join(WORDS)}
from openaclnn.spec.op import Attr, In, InOut, Op, Out, never
from openaclnn.spec.proof import Proof
from openaclnn.spec.results import broadcast_and_promote, compared, promoted_dtype
from openaclnn.spec.rules import (
    Broadcast, Castable, DimOf, Dtypes, Halved, Integral, Into, Joinable, MaxDims, NotNegative,
    OneOf, Promotable, ResultDtype, ResultShape, SameDtype, SameShape,
)
from openaclnn.spec.steps import Part, Step, halves, narrowed, parts


def formula({{parameters}}):
    return {{results}}

{{functions}}
OP = Op(
    name="{{name}}",
    en="Drawn: {{name}}",
    zh="随机：{{name}}",
    arguments=({{arguments}}
    ),
    rules=({{rules}}
    ),
    formula=formula,{{facts}}
    source="drawn at random",
    example="""{{example}}""",
)
'''
_SHARE = """
def uniforms(attributes, numel, promoted):
    return {**attributes, "share": 1 / max(numel, 1)}

"""
_OF_DTYPES = """
def results(call):
    shape = {0}
    return ({1})

"""
_JOINED = """
def results(call):
    shapes = [tensor.shape for tensor in call["tensors"]]
    shape = list(shapes[0])
    shape[call["dim"]] = sum(each[call["dim"]] for each in shapes)
    return (Meta(tuple(shape), promoted_dtype(call)),)


def steps(call):
    known, dim, start, found = parts(call), call["dim"], 0, []
    for label, tensor in call.of(("tensors",)):
        place = narrowed(known["out"].view, dim, start, tensor.shape[dim])
        found.append(Step({"self": known[label]}, (Part(known["out"].tensor, place),)))
        start += tensor.shape[dim]
    return tuple(found)

"""
_FOLDED = f"""
def steps(call):
    known = parts(call)
    reads = {{name: known.get(f"tensors[{{k}}]") for k, name in enumerate({MEMBERS!r})}}
    return (Step(reads, (known["out"],)),)

"""
_HALVED = """
def results(call):
    shape = list(call["self"].shape)
    shape[call["dim"]] //= 2
    return (Meta(tuple(shape), promoted_dtype(call)),)


def steps(call):
    known = parts(call)
    first, second = halves(known["self"], call["dim"])
    return (Step({"first": first, "second": second}, (known["out"],)),)

"""


def _shaped(operator: Operator) -> tuple[str, list[str]]:
    """The functions `results` and `steps`, where they are not the usual ones, and facts for Op."""
    if operator.how in ("joined", "halved"):
        found = _JOINED if operator.how == "joined" else _HALVED
        return found, ["results=results", "steps=steps"]
    if operator.how == "folded":
        return _FOLDED, ["steps=steps"]
    if operator.how == "created" and operator.changed:
        return "", ['promotes=lambda call: call["self"].dtype']
    if operator.made == ("bool",):
        return "", ["results=compared"]
    if set(operator.made) == {"promoted"}:
        return "", []
    known = {"promoted": "promoted_dtype(call)", "bool": "BOOL"}
    metas = [f"Meta(shape, {known.get(one) or f'call[{one!r}]'}), " for one in operator.made]
    if operator.how == "created":
        promotes = f'promotes=lambda call: call["{operator.made[0]}"]'
        proof = 'proof=Proof(attributes=({"size": (32, 64)},))'
        return _OF_DTYPES.format('call["size"]', metas[0]), ["results=results", promotes, proof]
    shape = "broadcast_and_promote(call)[0].shape"
    return _OF_DTYPES.format(shape, "".join(metas)), ["results=results"]


def _rules(operator: Operator) -> Iterator[str]:
    """Dtypes, shapes, attributes, conversion: the usual order."""
    by_dtypes: dict[tuple[str, ...], list[str]] = {}
    for tensor in operator.inputs:
        if tensor.read or tensor.role == "InOut":
            by_dtypes.setdefault(tensor.dtypes, []).append(tensor.name)
    for dtypes, names in by_dtypes.items():
        yield f"Dtypes({_names(names)}, {_listed(dtypes)})"
    read = [t.name for t in operator.reads]
    if operator.one_dtype:
        yield f"SameDtype({_names(read)})"
    elif read:
        yield "Promotable()"
    yield from _of_shapes(operator, read)
    scalars = [a.name for a in operator.attributes if a.kind.constant == "SCALAR"]
    if scalars and read:
        yield f"Integral({_names(scalars)})"
    yield from (f'OneOf("{a.name}")' for a in operator.attributes if a.host == "choice")
    yield from (f'NotNegative("{a.name}")' for a in operator.attributes if a.not_negative)
    if operator.casts:
        yield "Castable()"
    for attribute in operator.attributes:
        if attribute.name == operator.made[0]:
            yield f"ResultDtype({_listed(attribute.values or ALL)})"
    if operator.inputs:
        yield f"MaxDims({_names([t.name for t in operator.inputs])})"


def _of_shapes(operator: Operator, read: Sequence[str]) -> Iterator[str]:
    others = [t.name for t in operator.inputs if t.role == "In"]
    if operator.how == "joined":
        yield 'Joinable("tensors", "dim")'
        yield "ResultShape()"
    elif operator.how == "halved":
        yield 'DimOf("dim", "self")'
        yield 'Halved("self", "dim", ("out",))'
    elif operator.how == "created" and not operator.changed:
        yield "ResultShape()"
    elif operator.shapes == "into":
        yield from [f'Into({_names(others)}, "self")'] * bool(others)
    else:
        yield f"{'SameShape' if operator.shapes == 'same' else 'Broadcast'}({_names(read)})"


def _names(names: Sequence[str]) -> str:
    return f"({''.join(f'{name!r}, ' for name in names)})"


def _listed(dtypes: Sequence[str]) -> str:
    return f"({''.join(KINDS[dtype].name + ', ' for dtype in dtypes)})"
