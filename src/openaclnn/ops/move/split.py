"""The pieces of a tensor along a dimension: of a size each, or of one size but the last."""

from collections.abc import Callable

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.host import INT64, INT_ARRAY, UINT64
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, never
from openaclnn.spec.rules import Castable, DimOf, Dtypes, MaxDims, ResultShape
from openaclnn.spec.steps import Part, Step, copied, narrowed, parts


def of_sizes(call: Call) -> list[int]:
    return list(call["split_sizes"])


def of_one_size(call: Call) -> list[int]:
    size, length = call["split_sections"], call["self"].shape[call["dim"]]
    return [min(size, length - start) for start in range(0, length, size)] or [0]


def splitting(name: str, attribute: Attr, sizes: Callable[[Call], list[int]], en: str, zh: str,
              example: str) -> Op:  # fmt: skip
    def fault(call: Call) -> str | None:
        shape, given = call["self"].shape, call[attribute.name]
        if not shape:
            return "self has no dimensions; expected at least 1"
        if attribute.name == "split_sections":
            if not given:
                return "split_sections is 0; expected at least 1"
        elif min(given, default=0) < 0 or sum(given) != shape[call["dim"]]:
            return f"split_sizes is {list(given)}; expected sizes that make {shape[call['dim']]}"
        found, wanted = len(call["out"]), len(sizes(call))
        return None if found == wanted else f"out has {found} tensors; expected {wanted}"

    def results(call: Call) -> tuple[Meta, ...]:
        shape, dtype = call["self"].shape, call["self"].dtype
        dim = call["dim"] % max(len(shape), 1)
        return tuple(Meta((*shape[:dim], size, *shape[dim + 1 :]), dtype) for size in sizes(call))

    def steps(call: Call) -> tuple[Step, ...]:
        known, start, found = parts(call), 0, []
        whole = known["self"]
        for number, size in enumerate(sizes(call)):
            piece = Part(whole.tensor, narrowed(whole.view, call["dim"], start, size))
            found.append(Step({"self": piece}, (known[f"out[{number}]"],), copied))
            start += size
        return tuple(found)

    return Op(
        name, en, zh,
        (In("self", "the tensor", "被切分的张量"), attribute,
         Attr("dim", "the dimension", "维度", INT64, 0, by_place=True),
         Out("out", "the pieces", "各部分", many=True)),
        (Dtypes(("self", "out"), ALL, lacks_complex=True), MaxDims(("self", "out")),
         DimOf("dim", "self"), Sound(fault, f"{attribute.name} says of how many elements the "
         "pieces are, which make self; out has as many tensors",
         f"{attribute.name} 决定各部分的大小，合起来为 self；out 的个数与之相同"),
         ResultShape(), Castable()),
        copied, example, results=results, steps=steps, wide=never,
        shapes=lambda shape, attributes: {"self": (3, *shape[1:])},
        source="signature: op-plugin, candle, InfiniTensor; values: PyTorch's split",
    )  # fmt: skip


HEAD = "\n>>> import numpy as np, openaclnn\n>>> openaclnn."
OPS = (
    splitting("split_with_size",
              Attr("split_sizes", "the sizes", "各部分的大小", INT_ARRAY, usual=(2, 1)), of_sizes,
              "Split into parts of given sizes", "按大小切分",
              f"{HEAD}split_with_size(np.arange(3), [2, 1])\n[array([0, 1]), array([2])]\n"),
    splitting("split_tensor",
              Attr("split_sections", "the size of all but the last", "每部分的大小", UINT64,
                   usual=2), of_one_size, "Split into parts of equal size", "等分",
              f"{HEAD}split_tensor(np.arange(3), 2)\n[array([0, 1]), array([2])]\n"),
)  # fmt: skip
