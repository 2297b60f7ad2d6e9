"""self[i, j, …] and self[i, j, …] = values: elements at the places that several tensors of indices
name together. They broadcast; dimensions without one, for which an empty tensor stands, are taken
as they are. Where the indexed dimensions are not neighbours, what they make comes first."""

from functools import cache
from typing import Any

from openaclnn.base.records import dataclass
from openaclnn.base.tensors import Tensor, broadcast
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr, around, tensor
from openaclnn.spec.host import FLAG
from openaclnn.spec.indexed import INDICES, limit
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, InOut, Op, Out, never
from openaclnn.spec.rules import Castable, Dtypes, MaxDims, ResultShape, SameDtype
from openaclnn.spec.rules.rule import any_of, said
from openaclnn.spec.scatters import ADD, PUT, scattered, spread, words
from openaclnn.spec.shaped import laid
from openaclnn.spec.steps import Part, Step, mapped, parts

MOST = 8  # indices


def dims_of(call: Call) -> list[int]:
    """The dimensions that have indices. An empty tensor stands for none; one of integers may be
    an index without elements, which it is where no other one has any."""
    given = [(k, one) for k, one in enumerate(call["indices"]) if not stands_for_none(one)]
    shapes = {k: one.shape for k, one in given}
    taken = [k for k, shape in shapes.items() if shape != (0,)]
    empty = not taken or (call["self"].shape and any(0 in shapes[k] for k in taken))
    return [*shapes] if empty and shapes else taken


def stands_for_none(one: Tensor) -> bool:
    return one.shape == (0,) and one.dtype not in INDICES


def shape_of(call: Call) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """The shape of self[indices], that of the indices, and where that stands in it."""
    dims, whole = dims_of(call), call["self"].shape
    made = broadcast(*(call["indices"][k].shape for k in dims)) if dims else None
    if made is None or len(call["indices"]) > len(whole):
        raise ValueError("indices that do not broadcast, or too many")
    beside = dims == [*range(dims[0], dims[-1] + 1)]
    at = dims[0] if beside else 0
    rest = [size for k, size in enumerate(whole) if k not in dims]
    return (*rest[:at], *made, *rest[at:]), made, at


def placed(call: Call) -> tuple[dict[int, Part], list[int], tuple[int, ...]]:
    """Indices along the result's dimensions, by self's dimension; those of the others."""
    known, dims = parts(call), dims_of(call)
    shape, made, at = shape_of(call)
    indices = {}
    for k in dims:
        own = known[f"indices[{k}]"].view
        first = at + len(made) - len(own.shape)
        each = Part(known[f"indices[{k}]"].tensor, own)
        indices[k] = spread(each, shape, range(first, first + len(own.shape)))
    others = [k for k in range(len(shape)) if not at <= k < at + len(made)]
    return indices, others, shape


@cache
def looking_up(dims: tuple[int, ...]) -> Any:
    """The formula for indices of these dimensions."""

    def formula(self: Expr) -> Expr:
        places = {f"d{k}": around(tensor(f"index {k}"), self.size(f"d{k}")) for k in dims}
        return self.at(**places)

    return formula


def reading(call: Call) -> tuple[Step, ...]:
    known, (indices, others, shape) = parts(call), placed(call)
    own, rank = known["self"].view, len(shape)
    free = [k for k in range(len(own.shape)) if k not in indices]
    kept = own.seen([own.shape[k] for k in free], [own.strides[k] for k in free], own.offset)
    along = laid(Part(known["self"].tensor, kept), rank, others) if len(free) < rank else None
    axes = {f"d{k}": (own.shape[k], own.strides[k]) for k in indices}
    reads = mapped("self", along or Part(known["self"].tensor, kept), **axes)
    reads |= {f"index {k}": part for k, part in indices.items()}
    limits = tuple(limit(known[f"indices[{k}]"], own.shape[k]) for k in indices)
    return (Step(reads, (known["out"],), looking_up(tuple(indices)), limits=limits),)


def writing(call: Call) -> tuple[Step, ...]:
    known, (indices, others, shape) = parts(call), placed(call)
    values = known["values"]
    own, first = values.view, len(shape) - len(values.view.shape)
    src = spread(Part(values.tensor, own), shape, range(first, len(shape)))
    order = {k: number for number, k in enumerate(indices)}
    rest = iter(others)
    coordinates = [
        -1 - order[k] if k in order else next(rest) for k in range(len(call["self"].shape))
    ]
    kind = ADD if call["accumulate"] else PUT
    self = known["self"]
    return (scattered(self, src, tuple(indices.values()), coordinates, self, kind),)


@dataclass(frozen=True)
class Integers(Dtypes):
    """Indices have one of these dtypes, but for what stands for none."""

    def complaint(self, call: Call) -> str | None:
        for label, one in call.of(self.of):
            if one.dtype not in self.allowed and not stands_for_none(one):
                choices = any_of(self.allowed)
                return f"{label} has dtype {one.dtype}; expected {choices}"
        return None

    def sentence(self, op: Op, language: str) -> str:
        choices = any_of(self.allowed, language)
        return said(
            language,
            f"indices have dtype {choices}; an empty tensor of another one stands for none",
            f"indices 的数据类型为 {choices}；其他类型的空张量表示该维无索引",
        )


def fits(call: Call) -> str | None:
    count, rank = len(call["indices"]), len(call["self"].shape)
    if not 0 < count <= min(rank, MOST):
        return f"indices has {count} tensors; expected 1 to {rank}, as self has {rank} dimensions"
    try:
        shape, _, _ = shape_of(call)
    except ValueError:
        came = ", ".join(str(list(one.shape)) for one in call["indices"])
        return f"indices have shapes {came}; expected ones that broadcast to a common one"
    if "values" in call.arguments and broadcast(call["values"].shape, shape) != shape:
        return (
            f"values has shape {list(call['values'].shape)}; expected one that broadcasts to "
            f"{list(shape)}"
        )
    return None


def results(call: Call) -> tuple[Meta, ...]:
    try:
        return (Meta(shape_of(call)[0], call["self"].dtype),)
    except (ValueError, IndexError, TypeError):  # of a wrong call
        return (Meta((), call["self"].dtype),)


TEXTS = (
    "there are as many indices as self has dimensions, or fewer, and they broadcast; values "
    "broadcasts to what they name",
    "索引张量的个数不超过 self 的维数，且可以相互广播；values 可以广播为所索引元素的 shape",
)
INDEX = In("indices", "places along the first dimensions", "各维的索引", many=True)
RULES = (Integers(("indices",), INDICES), Sound(fits, *TEXTS))

OPS = (
    Op(
        "index",
        "Elements selected by tensors of indices",
        "多维索引",
        (In("self", "the tensor", "被索引的张量"), INDEX, Out("out", "the result", "结果")),
        (Dtypes(("self",), ALL, lacks_complex=True), MaxDims(("self", "out")), *RULES,
         ResultShape(), Castable()),
        looking_up((0,)),
        """
>>> import numpy as np, openaclnn
>>> openaclnn.index(np.array([[1, 2], [3, 4]]), [np.array([1, 0]), np.array([-1, 0])])
array([4, 1])
""",
        source="signature: op-plugin; values: PyTorch's index",
        steps=reading,
        wide=never,
        promotes=lambda call: call["self"].dtype,
        results=results,
        shapes=lambda shape, attributes: {"self": (4, 5), "indices": (3,)},
    ),
    Op(
        "index_put_impl",
        "Elements written or accumulated at tensors of indices",
        "按多维索引赋值",
        (InOut("self", "the tensor", "被修改的张量"), INDEX, In("values", "new elements", "值"),
         Attr("accumulate", "whether they are added", "是否累加", FLAG, False),
         Attr("unsafe", "no effect: all are checked", "不起作用", FLAG, False)),
        (Dtypes(("self", "values"), ALL, lacks_complex=True), SameDtype(("self", "values")),
         MaxDims(("self", "values")), *RULES),
        words("self, with values in the places that indices name"),
        """
>>> import numpy as np, openaclnn
>>> openaclnn.index_put_impl(np.zeros((2, 2)), [np.array([1, 1])], np.ones(2), accumulate=True)
array([[0., 0.],
       [2., 2.]])
""",
        source="signature: op-plugin; values: PyTorch's index_put",
        steps=writing,
        wide=never,
        promotes=lambda call: call["self"].dtype,
        results=lambda call: (Meta(call["self"].shape, call["self"].dtype),),
        shapes=lambda shape, attributes: {"self": (4, 5), "indices": (3,), "values": (3,)},
    ),
)  # fmt: skip
