"""Elements, or slices along a dimension, each so many times in a row as repeats says: one number
for all, or one for each. And the gradient, in which those of a run are added up."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from openaclnn.base.dtypes import INT32, INT64
from openaclnn.base.tensors import product_of
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL, FLOATS
from openaclnn.spec.formula import Expr, as_number, described
from openaclnn.spec.host import INT64 as INTEGER
from openaclnn.spec.indexed import within
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, always
from openaclnn.spec.rules import Castable, Dtypes, MaxDims, NotNegative, ResultShape
from openaclnn.spec.scans import Scan
from openaclnn.spec.scatters import ADD, scattered, spread
from openaclnn.spec.selections import first_beyond, looking_up, lying, promotes
from openaclnn.spec.steps import Limit, Part, Step, copied, mapped, parts, places, scratch, zeros

SIZE = Attr("output_size", "how long the result is there", "结果在该维的大小", INTEGER, usual=64)
DIM = Attr("dim", "the dimension", "维度", INTEGER)
REPEATS = In("repeats", "how often each", "重复次数")
SELF = In("self", "the input", "输入")


def rows_of(call: Call) -> int:
    """How many elements or slices there are."""
    if "self" not in call.arguments:
        return int(product_of(call["repeats"].shape))
    own = call["self"]
    if "dim" not in call.arguments:
        return int(product_of(own.shape))
    return int(own.shape[call["dim"]]) if own.shape else 1


def shape_of(call: Call) -> tuple[int, ...]:
    if "dim" not in call.arguments:
        return (call["output_size"],)
    shape = list(call["self"].shape or (1,))
    shape[call["dim"]] = call["output_size"]
    return tuple(shape)


def fits(call: Call) -> str | None:
    if "dim" in call.arguments and "self" in call.arguments:
        wrong = within(call, "self", "dim")
        if wrong:
            return wrong
    count, shape = rows_of(call), call["repeats"].shape
    if shape not in ((), (1,), (count,)):
        return f"repeats has shape {list(shape)}; expected [1] or [{count}]"
    if call["output_size"] and not count:
        return f"output_size is {call['output_size']}; expected 0, for there are no elements"
    return None


@cache
def run_of(count: int, looks_up: bool) -> Any:
    """Which element's run a place is in; or that element."""
    if looks_up:
        return lambda self, at, sums: self.at(place=first_beyond(at, sums, count, right=True))
    return lambda at, sums: as_number(first_beyond(at, sums, count, right=True))


def ends(repeats: Part, count: int, size: int) -> tuple[tuple[Step, ...], Part, tuple[Limit, ...]]:
    """Where runs end: the steps that find it, and the demands that this meets."""
    every, sums = scratch(0, repeats.view.dtype, (count,)), scratch(1, INT64, (count,))
    last = Part(sums.tensor, sums.view.seen((), (), count - 1))
    only = size // count if repeats.view.numel == 1 and size % count == 0 else None
    low, high = (0, max(size, 0)) if only is None else (only, only)
    limits = (Limit(repeats, low, high),
              Limit(last, size, size, called="the sum of repeats is"))  # fmt: skip
    found = (
        Step({"self": repeats}, (every,), copied),
        Step({"self": every}, (sums,), routine=Scan("add", 0)),
    )
    return found, sums, limits


def steps(call: Call) -> tuple[Step, ...]:
    known, count, out = parts(call), rows_of(call), parts(call)["out"]
    if not count:
        return ()
    found, sums, limits = ends(known["repeats"], count, call["output_size"])
    reads: dict[str, Part | None] = looking_up("sums", sums)
    if "self" not in known:
        reads["at"] = places(out.view.shape, (1,))
        return (*found, Step(reads, (out,), run_of(count, False), limits=limits))
    whole, dim = known["self"], 0
    if "dim" in call.arguments and whole.view.shape:
        dim = call["dim"] % len(whole.view.shape)
    else:
        copy = scratch(2, whole.view.dtype, whole.view.shape)
        found = (*found, Step({"self": whole}, (copy,), copied))
        whole = lying(copy)
    own = whole.view
    around = own.seen((*own.shape[:dim], 1, *own.shape[dim + 1 :]),
                      (*own.strides[:dim], 0, *own.strides[dim + 1 :]), own.offset)  # fmt: skip
    reads |= mapped("self", Part(whole.tensor, around), place=(count, own.strides[dim]))
    reads["at"] = places(out.view.shape, [int(k == dim) for k in range(len(own.shape))])
    return (*found, Step(reads, (out,), run_of(count, True), limits=limits))


def steps_back(call: Call) -> tuple[Step, ...]:
    known, out, grad = parts(call), parts(call)["out"], parts(call)["grad"]
    rank = len(grad.view.shape)
    dim, none = call["dim"] % rank, scratch(3, out.view.dtype, ())
    size, count = grad.view.shape[dim], out.view.shape[dim]
    if not count:
        return ()
    found, sums, limits = ends(known["repeats"], count, size)
    run = scratch(2, INT64, (size,))
    reads = {"at": places((size,), (1,)), **looking_up("sums", sums)}
    each = spread(run, grad.view.shape, (dim,))
    coordinates = [-1 if k == dim else k for k in range(rank)]
    added = scattered(spread(none, out.view.shape, ()), grad, (each,), coordinates, out, ADD)
    return (
        *found,
        Step(reads, (run,), run_of(count, False), limits=limits),
        Step({}, (none,), zeros),
        added,
    )


def back_fits(call: Call) -> str | None:
    wrong = within(call, "grad", "dim")
    if wrong or not call["grad"].shape:
        return wrong or "grad has no dimensions; expected at least 1"
    rank = len(call["repeats"].shape)
    return None if rank == 1 else f"repeats has {rank} dimensions; expected 1"


def shape_back(call: Call) -> tuple[int, ...]:
    shape = list(call["grad"].shape or (1,))
    shape[call["dim"]] = product_of(call["repeats"].shape)
    return tuple(shape)


def repeating(
    name: str,
    of: tuple[In, ...],
    attributes: tuple[Attr, ...],
    rule: Any,
    example: str,
    **more: Any,
) -> Op:
    read = tuple(a.name for a in of if a is not REPEATS)
    dtypes = more.pop("dtypes", ALL)
    return Op(
        name, "Repetition of each element by the counts in a tensor" + more.pop("en", ""),
        "逐元素按次数重复" + more.pop("zh", ""),
        (*of, *attributes, Out("out", "the result", "结果")),
        (*((Dtypes(read, dtypes, lacks_complex=True),) if read else ()),
         Dtypes(("repeats",), (INT64, INT32)), MaxDims((*read, "repeats", "out")),
         *((NotNegative("output_size"),) if SIZE in attributes else ()), rule, ResultShape(),
         Castable()),
        **{"formula": words, "steps": steps, "wide": always, **more}, example=example,
        promotes=promotes, shapes=made_up,
        source="signature: op-plugin, candle; values: PyTorch's repeat_interleave",
    )  # fmt: skip


def made_up(shape: tuple[int, ...], attributes: Mapping[str, Any]) -> Any:
    """What a made-up call has: one number for all, which fits."""
    found: dict[str, tuple[int, ...]] = {"repeats": (1,)}
    if "output_size" in attributes:
        size = attributes["output_size"]
        found["self"] = (size, *shape[1:]) if "dim" in attributes else (size,)
    return found


def words(self: Expr, repeats: Expr) -> Expr:
    return described("the elements of self, each repeats times", self, repeats)


def own_shape(call: Call) -> tuple[Meta, ...]:
    try:
        return (Meta(shape_of(call), call.reads[0].tensor.dtype),)
    except IndexError:  # of a wrong call
        return (Meta((), call.reads[0].tensor.dtype),)


def back_shape(call: Call) -> tuple[Meta, ...]:
    try:
        return (Meta(shape_back(call), call["grad"].dtype),)
    except IndexError:
        return (Meta((), call["grad"].dtype),)


FITS = Sound(fits, "dim is one of self's dimensions; repeats has one number, or one for each",
             "dim 为 self 的维度；repeats 为一个数，或每个元素一个")  # fmt: skip
BACK = Sound(back_fits, "dim is one of grad's dimensions; repeats has one",
             "dim 为 grad 的维度；repeats 为一维")  # fmt: skip
GRAD = In("grad", "gradient of the result", "结果的梯度")
HEAD = "\n>>> import numpy as np, openaclnn\n>>> x, repeats = np.array([5, 6]), np.array([2, 1])\n"

OPS = (
    repeating("repeat_interleave", (SELF, REPEATS), (SIZE,), FITS,
              f"{HEAD}>>> openaclnn.repeat_interleave(x, repeats, 3)\narray([5, 5, 6])\n",
              results=own_shape),
    repeating("repeat_interleave_with_dim", (SELF, REPEATS), (DIM, SIZE), FITS,
              f"{HEAD}>>> openaclnn.repeat_interleave_with_dim(x, repeats, 0, 3)\n"
              "array([5, 5, 6])\n", results=own_shape, en=", along a dimension", zh="，沿维度"),
    repeating("repeat_interleave_tensor", (REPEATS,), (SIZE,), FITS,
              f"{HEAD}>>> openaclnn.repeat_interleave_tensor(repeats, 3)\narray([0, 0, 1])\n",
              results=own_shape, en=": their indices", zh="：编号",
              formula=lambda repeats: described("which element's run a place is in", repeats)),
    repeating("repeat_interleave_grad", (GRAD, REPEATS), (DIM,), BACK,
              f"{HEAD}>>> openaclnn.repeat_interleave_grad(np.float32([1, 2, 4]), repeats, 0)\n"
              "array([3., 4.], dtype=float32)\n", results=back_shape, steps=steps_back,
              dtypes=FLOATS, en=": its gradient", zh="，反向",
              formula=lambda grad, repeats: described("the sum of grad over a run", grad, repeats)),
)  # fmt: skip
