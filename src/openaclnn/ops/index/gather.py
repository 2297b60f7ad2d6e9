"""An element for every index: where the index stands, but along one dimension, where it says."""

from openaclnn.spec.call import Call
from openaclnn.spec.host import INT64
from openaclnn.spec.indexed import OUT, added_back, at_index, indexed, limit, within
from openaclnn.spec.op import Attr, In
from openaclnn.spec.steps import Part, Step, mapped, parts


def beside(part: Part, index: Part, dim: int) -> Part:
    """A tensor's part where indices stand, which does not move along a dimension."""
    own, shape = part.view, index.view.shape
    strides = tuple(0 if k == dim else stride for k, stride in enumerate(own.strides))
    return Part(part.tensor, own.seen(shape, strides, own.offset))


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    for name, part in known.items():
        if not part.view.shape:  # a number is a tensor of one element
            known[name] = Part(part.tensor, part.view.seen((1,), (0,), part.view.offset))
    whole, index = known["self"], known["index"]
    dim = call["dim"] % len(whole.view.shape)
    size, stride = whole.view.shape[dim], whole.view.strides[dim]
    reads = mapped("self", beside(whole, index, dim), place=(size, stride))
    return (Step({**reads, "index": index}, (known["out"],), limits=(limit(index, size),)),)


def fits(call: Call) -> str | None:
    whole, index = call["self"].shape or (1,), call["index"].shape or (1,)
    wrong = within(call, "self", "dim")
    if wrong:
        return wrong
    dim = call["dim"] % len(whole)
    pairs = zip(whole, index, strict=False)
    smaller = all(few <= many or k == dim for k, (many, few) in enumerate(pairs))
    if len(whole) != len(index) or not smaller:
        return (
            f"index has shape {list(index)}; expected {len(whole)} dimensions, none longer than "
            f"self's, {list(whole)}, but dimension {dim}"
        )
    return None


def pulled_back(call: Call, name: str) -> tuple[Step, ...]:
    rank = len(call["grad_input"].shape or (1,))
    dim = call["dim"] % rank
    coordinates = tuple(-1 if k == dim else k for k in range(rank))
    found: tuple[Step, ...] = added_back(call, "index", coordinates, range(rank))
    return found


OP = indexed(
    "gather",
    (
        In("self", "the tensor", "被索引的张量"),
        Attr("dim", "the dimension along which indices say where", "索引所指的维度", INT64),
        In("index", "places along that dimension", "索引"),
        OUT,
    ),
    at_index,
    steps,
    lambda call: call["index"].shape,
    fits,
    (
        "index has as many dimensions as self, and is nowhere longer but along dim, one of them; "
        "out has index's shape",
        "index 与 self 维数相同，除 dim 维外各维不大于 self；out 的 shape 与 index 相同",
    ),
    en="Gather: elements by indices along a dimension",
    zh="沿维度按索引取元素",
    source="signature: op-plugin; values: PyTorch's gather",
    pulled_back=pulled_back,
    torch="gather",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.gather(np.array([[1, 2], [3, 4]]), 1, np.array([[1, 1], [0, -1]]))
array([[2, 2],
       [3, 4]])
""",
)
