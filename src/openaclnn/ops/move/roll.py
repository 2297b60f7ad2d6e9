"""The elements further along dimensions, those that leave one end at the other. Without dimensions
they go further in the order of their indices."""

from openaclnn.spec.call import Call
from openaclnn.spec.host import INT_ARRAY
from openaclnn.spec.moves import Sound, moving
from openaclnn.spec.op import Attr
from openaclnn.spec.steps import Part, Step, copied, narrowed, scratch


def paired(call: Call) -> str | None:
    shifts, dims, rank = call["shifts"], call["dims"], max(len(call["self"].shape), 1)
    wanted = len(dims) or 1
    if len(shifts) != wanted:
        return f"shifts has {len(shifts)} members; expected {wanted}"
    for dim in dims:
        if not -rank <= dim < rank:
            return f"dims has {dim}; expected {-rank} to {rank - 1}"
    return None


def rolled(pairs: list[tuple[Part, Part]], dim: int, shift: int) -> list[tuple[Part, Part]]:
    """Parts that are read and written, further along one more dimension."""
    found = []
    for source, target in pairs:
        size = source.view.shape[dim]
        ahead = shift % size if size else 0
        for start, to, count in ((0, ahead, size - ahead), (size - ahead, 0, ahead)):
            read, written = (
                Part(part.tensor, narrowed(part.view, dim, at, count))
                for part, at in ((source, start), (target, to))
            )
            if count or not size:
                found.append((read, written))
    return found


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    dims, shifts, view = call["dims"], call["shifts"], self.view
    if dims:
        pairs, far = [(self, out)], [0] * max(len(view.shape), 1)
        for dim, shift in zip(dims, shifts, strict=True):
            far[dim] += shift
        for dim in range(len(view.shape)):
            pairs = rolled(pairs, dim, far[dim]) if far[dim] else pairs
        return [Step({"self": source}, (target,), copied) for source, target in pairs]
    first, second = (scratch(k, view.dtype, view.shape) for k in (0, 1))
    flat = [scratch(k, view.dtype, (view.numel,)) for k in (0, 1)]
    pairs = rolled([(flat[0], flat[1])], 0, shifts[0])
    return [
        Step({"self": self}, (first,), copied),
        *(Step({"self": source}, (target,), copied) for source, target in pairs),
        Step({"self": second}, (out,), copied),
    ]


OP = moving(
    "roll",
    "Cyclic shift along dimensions",
    "沿维度循环移位",
    attributes=(
        Attr("shifts", "how far", "移位量", INT_ARRAY, by_place=True),
        Attr("dims", "along which; empty: in the order of indices", "维度，为空时按展平顺序",
             INT_ARRAY, (), by_place=True),
    ),
    rules=(
        Sound(paired, "shifts has a number for each of dims, which are dimensions of self; one "
              "where dims is empty", "shifts 与 dims 一一对应；dims 为空时 shifts 仅 1 个"),
    ),
    shape=lambda call: call["self"].shape,
    steps=steps,
    torch="roll",
    source="signature: op-plugin, llama.cpp; values: PyTorch's roll",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.roll(np.array([[1, 2, 3], [4, 5, 6]]), [1], [1])
array([[3, 1, 2],
       [6, 4, 5]])
""",
)  # fmt: skip
