"""Every element becomes the one of another tensor."""

from openaclnn.spec.call import Call
from openaclnn.spec.families import ALL
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import In, InOut, Op, never
from openaclnn.spec.rules import Dtypes, MaxDims
from openaclnn.spec.steps import Part, Step, copied, parts


def single(call: Call) -> str | None:
    other = call["other"]
    if other.view.numel != 1:
        return f"other has shape {list(other.shape)}; expected one element"
    return None


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    view = known["other"].view
    value = Part(known["other"].tensor, view.seen((), (), view.offset))
    return (Step({"self": value}, (known["self"],), copied),)


OP = Op(
    "inplace_fill_tensor",
    "Fill with the value of a one-element tensor",
    "以张量的元素填充",
    (
        InOut("self", "what is overwritten", "被覆盖的张量", read=False),
        In("other", "one element", "单个元素"),
    ),
    (
        Dtypes(("self", "other"), ALL, lacks_complex=True),
        Sound(single, "other has one element", "other 含 1 个元素"),
        MaxDims(("self", "other")),
    ),
    lambda other: other,
    """
>>> import numpy as np, openaclnn
>>> openaclnn.inplace_fill_tensor(np.empty(2, np.float32), np.array(3, np.float32))
array([3., 3.], dtype=float32)
""",
    promotes=lambda call: call["other"].dtype,
    steps=steps,
    wide=never,
    shapes=lambda shape, attributes: {"other": (1,)},
    source="signature: op-plugin; values: PyTorch's fill_",
)
