"""`openaclnn show`: all about one operator, down to its kernel."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from openaclnn import ops
from openaclnn.base import dtypes, products, settings
from openaclnn.base.dtypes import DType
from openaclnn.base.language import in_language
from openaclnn.base.records import dataclass
from openaclnn.base.status import Status
from openaclnn.base.tables import lined_up, width
from openaclnn.cli import style
from openaclnn.cli.ops import declared_facts
from openaclnn.spec import describe
from openaclnn.spec.call import Call
from openaclnn.spec.declared import Declared
from openaclnn.spec.formula import text as formula_text
from openaclnn.spec.op import Op
from openaclnn.spec.rules import Castable
from openaclnn.spec.sample import sample_call

if TYPE_CHECKING:
    from openaclnn.plan import Pass, RoutinePass

_TEXTS = {
    "arguments": "Arguments, in C order",
    "checks": "Checks, in this order; the first that fails decides the status",
    "products": "Products",
    "no": "does not have it",
    "default": "the default",
    "no_bf16": "no bf16",
    "bound": "Error bound, as openaclnn verify checks it",
    "at_most": "{level}: at most {ulp} ULP",
    "none": "{level}: measured, not promised",
    "arithmetic": "Arithmetic",
    "computes": "{dtype} at level {level}: {count} operations in {type} ({most})",
    "routine": "{dtype} at level {level}: a routine, no formula over elements",
    "nothing": "nothing is computed at level {level}",
    "more": "The kernel itself: openaclnn show {name} --kernel cpu",
    "declared": "Declared only: programs that use it compile and link; openaclnn does not "
    "compute it yet, and a call answers {status}.",
}
_READABLE = 180  # characters of a formula
_ARCHITECTURE = 90  # of the GPU that Triton's source is shown for: few lines depend on it
_NO_OPERATIONS = {"load", "const", "uniform", "bits", "float"}  # they cost nothing or are moves


@dataclass(frozen=True)
class _Choice:
    """Which of an operator's kernels is meant: that of a made-up call."""

    call: Call
    level: str

    @cached_property
    def one(self) -> Pass | RoutinePass | None:
        """The first pass; of an operator that leaves everything as it is there is none."""
        from openaclnn.plan import make_plan

        return next(iter(make_plan(self.call, self.level).passes), None)

    def __str__(self) -> str:
        loads = ", ".join(str(given.tensor.dtype) for given in self.call.reads)
        outs = ", ".join(str(given.tensor.dtype) for given in self.call.writes)
        op = self.call.op
        return f"{op.c_name}: {loads} to {outs}, contiguous, level {self.level}"


@click.command(short_help="Show everything about one operator, down to its kernel.")
@click.argument("operator", type=style.Operator())
@click.option("--kernel", type=click.Choice(["cpu", "cuda"]),
              help="Print the generated kernel: LLVM IR for a CPU, Triton for CUDA.")  # fmt: skip
@click.option("--asm", is_flag=True, help="With --kernel cpu: this machine's instructions.")
@click.option("--dtype", metavar="DTYPE[,DTYPE…]",
              help="Dtype of all inputs, or of each; f32 by default.")  # fmt: skip
@click.option(
    "--out-dtype", metavar="DTYPE", help="Dtype of the output; by default the promoted dtype."
)
@click.option("--level", type=click.Choice(settings.LEVELS), help="Level of arithmetic.")
@style.language
@style.as_json
def command(
    operator: str,
    kernel: str | None,
    asm: bool,
    dtype: str | None,
    out_dtype: str | None,
    level: str | None,
    language: str,
    as_json: bool,
) -> None:
    """Show OPERATOR: signatures, formula, arguments, checks, products, kernel.

    Both spellings work: silu_backward or aclnnSiluBackward.
    """
    try:
        op = ops.find(operator)
        chosen = _choice(op, dtype, out_dtype, level or settings.current().level)
    except (LookupError, ValueError) as error:
        only_declared = ops.declared().get(ops.snake(operator))
        if only_declared is None or kernel:
            raise click.UsageError(str(error)) from None
        _show_declared(only_declared, language, as_json)
        return
    if asm and kernel != "cpu":
        raise click.UsageError("--asm goes with --kernel cpu")
    if kernel:
        source = _kernel(chosen, kernel, asm)
        if as_json:
            style.print_json({"kernel": str(chosen), "engine": kernel, "source": source})
        else:
            click.echo(f"{'#' if kernel == 'cuda' or asm else ';'} {chosen}\n{source}")
    elif as_json:
        style.print_json(facts(op, language))
    else:
        click.echo("\n".join(_page(op, chosen, language)))


def facts(op: Op, language: str) -> dict[str, Any]:
    """All about one operator for programs to read."""
    from openaclnn.verify.promises import promises

    return {
        "name": op.name,
        "c_name": op.c_name,
        "header": f"aclnnop/{op.header_name}",
        "summary": describe.summary(op, language),
        "formula": formulas(op),
        "arguments": [
            {"name": a.name, "c_name": a.c_name, "kind": describe.kind(a, language),
             "text": describe.summary(a, language)}
            for a in op.arguments
        ],
        "checks": [
            {"status": int(check.status), "text": check.text}
            for check in describe.checks(op, language)
        ],
        "products": [product.name for product in op.products],
        "error_bound_ulp": {
            one.dtype.name: {
                level: limit and {"ulp": limit.ulp, "where": limit.where}
                for level, limit in one.bounds.items()
            }
            for one in promises(op)
        },
    }  # fmt: skip


def _show_declared(op: Declared, language: str, as_json: bool) -> None:
    if as_json:
        style.print_json({**declared_facts(op), "signatures": declarations(op)})
    else:
        click.echo("\n".join(_declared_page(op, language)))


def _declared_page(op: Declared, language: str) -> Iterator[str]:
    texts = {name: in_language(text, language) for name, text in _TEXTS.items()}
    yield style.heading(op.c_name)
    status = f"{int(Status.INNER_FIND_KERNEL_ERROR)} {Status.INNER_FIND_KERNEL_ERROR.c_name}"
    yield style.wrapped(texts["declared"].format(status=status), "  ", "  ")
    yield from ("", style.heading("C") + f'  #include "aclnnop/{op.header_name}"')
    yield from map(_wrapped_code, declarations(op))


def formulas(op: Op) -> dict[str, str]:
    """What every output is, by its name."""
    names = [output.name for output in op.outputs]
    return dict(zip(names, map(formula_text, op.expressions), strict=False))


def readable(op: Op) -> dict[str, str]:
    """The formulas that people can read; of others the operator's mathematics tells."""
    return {name: text for name, text in formulas(op).items() if len(text) <= _READABLE}


def declarations(op: Op | Declared) -> list[str]:
    """Both functions as the C header declares them."""
    from openaclnn.capi.entries import operator_headers

    lines = operator_headers([op])[op.header_name].splitlines()
    names = (f"aclnnStatus {op.c_name}GetWorkspaceSize(", f"aclnnStatus {op.c_name}(")
    return [line for line in lines if line.startswith(names)]


def mathematics(op: Op) -> str:
    """What the operator's file begins with."""
    return ops.file_of(op).mathematics()


def _choice(op: Op, dtype: str | None, out_dtype: str | None, level: str) -> _Choice:
    allowed = describe.dtypes(op)
    names = [name for name in (dtype or _usual(allowed).short).split(",") if name]
    count = max(1, len(op.reads))
    if len(names) not in (1, count):
        raise ValueError(f"--dtype names {len(names)} dtypes; expected 1 or {count}")
    inputs = tuple(map(dtypes.by_name, names))
    for found in inputs:
        if found not in allowed:
            listed = ", ".join(known.short for known in allowed)
            raise ValueError(f"{op.c_name} has no kernel for {found}; there are {listed}")
    outs = () if out_dtype is None else (dtypes.by_name(out_dtype),)
    call = sample_call(op, inputs, (1 << 10, 1 << 10), outs)
    complaint = Castable().complaint(call)
    if complaint:
        raise ValueError(complaint)
    return _Choice(call, level)


def _usual(allowed: Sequence[DType]) -> DType:
    return dtypes.FLOAT if dtypes.FLOAT in allowed else allowed[0]


def _kernel(chosen: _Choice, engine: str, asm: bool) -> str:
    from openaclnn.plan import Pass

    one = chosen.one
    if one is None:
        raise click.UsageError(f"{chosen.call.op.name} has no kernel: it computes nothing")
    if engine == "cuda":
        try:
            from openaclnn.engines.cuda.choose_tiling import tiling_of
            from openaclnn.engines.cuda.kernel import kernel_of
            from openaclnn.engines.cuda.routines import routine_kernels
            from openaclnn.engines.cuda.tile_table import weight
        except ImportError as error:
            raise click.ClickException(f"the engine cuda is not there: {error}") from None
        if not isinstance(one, Pass):
            found = (kernel.source for kernel, _ in routine_kernels(one, _ARCHITECTURE))
            return "\n\n".join(dict.fromkeys(found))
        tiling = tiling_of(one.loop, one.body.sizes, weight(one.body))
        return kernel_of(one.body, tiling, _ARCHITECTURE).source
    from openaclnn.engines.cpu import compile
    from openaclnn.engines.cpu.launch import source_of

    source = source_of(one)
    return compile.assembly(source) if asm else source


def _page(op: Op, chosen: _Choice, language: str) -> Iterator[str]:
    from openaclnn.plan import Pass

    texts = {name: in_language(text, language) for name, text in _TEXTS.items()}
    yield style.heading(op.c_name)
    yield style.wrapped(describe.summary(op, language), "  ", "  ")
    yield ""
    for name, formula in readable(op).items():
        yield style.wrapped(formula, f"  {name} = ", "    ")
    for paragraph in filter(None, mathematics(op).split("\n\n")):  # a user's file may say nothing
        yield from ("", style.wrapped(" ".join(paragraph.split()), "  ", "  "))
    yield from ("", style.heading("C") + f'  #include "aclnnop/{op.header_name}"')
    yield from map(_wrapped_code, declarations(op))
    yield from ("", style.heading("Python"))
    yield from map(_wrapped_code, _python(op))
    yield from ("", style.heading(texts["arguments"]))
    named = [["  " + a.name, describe.kind(a, language)] for a in op.arguments]
    for a, cells in zip(op.arguments, lined_up(named), strict=True):
        first = "  ".join([*cells, ""])
        yield style.wrapped(describe.summary(a, language), first, " " * width(first))
    yield from ("", style.heading(texts["checks"]))
    for check in describe.checks(op, language):
        yield style.wrapped(check.text, f"  {int(check.status)}  ", " " * 10)
    yield from ("", style.heading(texts["products"]))
    for product in products.ALL:
        notes = [] if product in op.products else [texts["no"]]
        notes += [texts["default"]] if product is products.DEFAULT else []
        notes += [texts["no_bf16"]] if product in op.products and not product.bf16 else []
        yield f"  {product.name:<14}{product.line:<20}{', '.join(notes)}".rstrip()
    if promised := list(_bounds(op, texts)):
        yield from ("", style.heading(texts["bound"]), *promised)
    yield from ("", style.heading(texts["arithmetic"]))
    if isinstance(chosen.one, Pass):
        told = _operations(chosen, chosen.one, texts["computes"])
    elif chosen.one is None:
        told = texts["nothing"].format(level=chosen.level)
    else:
        dtypes = ", ".join(dict.fromkeys(map(str, chosen.one.dtypes)))
        told = texts["routine"].format(dtype=dtypes, level=chosen.level)
    yield style.wrapped(told, "  ", "  ")
    yield from ("", style.wrapped(texts["more"].format(name=op.name)))


def _bounds(op: Op, texts: Mapping[str, str]) -> Iterator[str]:
    from openaclnn.verify.promises import promises

    for one in promises(op):
        said = []
        for level, limit in one.bounds.items():
            text = texts["at_most" if limit else "none"]
            where = f" ({limit.where})" if limit and limit.where else ""
            said.append(text.format(level=level, ulp=limit) + where)
        yield style.wrapped("; ".join(said), f"  {one.dtype.name:<9}", " " * 11)


def _wrapped_code(text: str) -> str:
    """A signature on one line, or its parameters on lines of their own, broken after commas."""
    if len(text) + 2 <= style.columns():
        return f"  {text}"
    name, _, parameters = text.partition("(")
    glued = parameters.replace(" ", "\xa0").replace(",\xa0", ", ")
    return f"  {name}(\n" + style.wrapped(glued, "      ", "      ").replace("\xa0", " ")


def _python(op: Op) -> Iterator[str]:
    import openaclnn
    from openaclnn import aclnn

    yield f"openaclnn.{op.name}{_bare(getattr(openaclnn, op.name))}"
    for name in (f"{op.c_name}GetWorkspaceSize", op.c_name):
        yield f"openaclnn.aclnn.{name}{_bare(getattr(aclnn, name))}"


def _bare(function: Any) -> inspect.Signature:
    """The signature without annotations, which repeat what the arguments' texts say."""
    signature = inspect.signature(function)
    parameters = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return inspect.Signature(parameters)


def _operations(chosen: _Choice, one: Pass, template: str) -> str:
    from openaclnn.arithmetic.nodes import in_order

    op = chosen.call.op
    assert one.promoted is not None
    nodes = [node for node in in_order(*one.body.results) if node.op not in _NO_OPERATIONS]
    counts = Counter(node.op for node in nodes).most_common()
    type = {"f32": "float32", "f64": "float64", "i32": "int32", "i64": "int64"}
    return template.format(
        dtype=", ".join(dict.fromkeys(map(str, one.dtypes))),
        level=chosen.level,
        count=len(nodes),
        type=type[op.computes_in(one.promoted, chosen.level, chosen.call.attributes)],
        most=", ".join(f"{count} {name}" for name, count in counts),
    )
