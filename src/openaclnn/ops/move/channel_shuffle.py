"""Channels of so many groups in turn: the first of each group, then the second of each, …"""

from openaclnn.spec.call import Call
from openaclnn.spec.host import INT64
from openaclnn.spec.moves import Sound, move, moving, seen
from openaclnn.spec.op import Attr
from openaclnn.spec.steps import Part, Step


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    groups = call["groups"]
    first, channels, *rest = self.view.shape
    sizes = (first, channels // groups, groups, *rest)
    begin, channel, *others = self.view.strides
    read = seen(self.view, sizes, (begin, channel, channel * sizes[1], *others))
    begin, channel, *others = out.view.strides
    written = seen(out.view, sizes, (begin, channel * groups, channel, *others))
    return [move(self, read, out, written)]


def fits(call: Call) -> str | None:
    shape, groups = call["self"].shape, call["groups"]
    if len(shape) < 3:
        return f"self has {len(shape)} dimensions; expected at least 3"
    if groups < 1 or shape[1] % groups:
        return f"groups is {groups}; expected one of the divisors of {shape[1]}"
    return None


OP = moving(
    "channel_shuffle",
    "Channel shuffle: the channels of groups, interleaved",
    "通道重排",
    attributes=(Attr("groups", "how many groups", "组数", INT64, by_place=True, usual=2),),
    rules=(
        Sound(fits, "self has at least 3 dimensions; groups divides its channels",
              "self 至少 3 维；groups 整除通道数"),
    ),
    shape=lambda call: call["self"].shape,
    steps=steps,
    torch="channel_shuffle",
    shapes=lambda shape, attributes: {"self": (2, 4, *shape)},
    source="signature: op-plugin; values: PyTorch's channel_shuffle",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.channel_shuffle(np.arange(4).reshape(1, 4, 1), 2).ravel()
array([0, 2, 1, 3])
""",
)  # fmt: skip
