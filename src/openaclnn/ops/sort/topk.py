"""The largest or the smallest elements along a dimension, in order, and where they stood; or the
one of a rank."""

from openaclnn.ops.sort.sort import DIM, KEEP, PLACES, VALUES, along, dim_of, one_left, sorting
from openaclnn.spec.call import Call
from openaclnn.spec.host import FLAG, INT64
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, Out
from openaclnn.spec.rules.rule import Rule
from openaclnn.spec.sorts import Sort

K = Attr("k", "how many", "个数", INT64, usual=2)
RANK = Attr("k", "the rank, from 1 on", "名次，从 1 开始", INT64, usual=2)


def size(call: Call) -> int:
    shape = call["self"].shape
    return shape[dim_of(call)] if shape else 1


def enough(call: Call) -> str | None:
    count = size(call)
    return None if 0 <= call["k"] <= count else f"k is {call['k']}; expected 0 to {count}"


def ranked(call: Call) -> str | None:
    count = size(call)
    return None if 0 < call["k"] <= count else f"k is {call['k']}; expected 1 to {count}"


def some(call: Call) -> str | None:
    empty = size(call) == 0
    return f"self has size 0 along dimension {call['dim']}; expected at least 1" if empty else None


SOME: Rule = Sound(some, "dim is not empty", "dim 维不为空")
OUTPUTS = Out("out0", "the elements", "元素"), Out("out1", "where they stood", "原位置")

OPS = (
    sorting(
        "topk",
        (
            K,
            DIM,
            Attr(
                "largest", "the largest, or the smallest", "取最大或最小", FLAG, True, by_place=True
            ),
            Attr(
                "sorted",
                "whether in order: they are",
                "是否有序（始终有序）",
                FLAG,
                True,
                by_place=True,
            ),
        ),
        (VALUES, PLACES),
        (Sound(enough, "k is at most self's size along dim", "k 不大于 self 在 dim 上的大小"),),
        lambda call: along(call, call["k"]),
        lambda call: Sort(dim_of(call), descending=bool(call["largest"])),
        "The k largest elements along a dimension",
        "沿维度取最大的若干个",
        """
>>> import numpy as np, openaclnn
>>> openaclnn.topk(np.array([3, 1, 7, 2], np.float32), 2)
(array([7., 3.], dtype=float32), array([2, 0]))
""",
        "topk",
    ),
    sorting(
        "kthvalue",
        (RANK, DIM, KEEP),
        (VALUES, PLACES),
        (Sound(ranked, "k is from 1 to self's size along dim", "k 为 1 至 self 在 dim 上的大小"),),
        one_left,
        lambda call: Sort(dim_of(call), call["k"] - 1),
        "The k-th smallest element along a dimension",
        "沿维度第 k 小的元素",
        torch="kthvalue",
    ),
    sorting(
        "median_dim",
        (DIM, KEEP),
        OUTPUTS,
        (SOME,),
        one_left,
        lambda call: Sort(dim_of(call), (size(call) - 1) // 2, nan_wins=True),
        "Median along a dimension (the lower of two), and its index; NaN if there is one",
        "沿维度的中位数",
        """
>>> import numpy as np, openaclnn
>>> openaclnn.median_dim(np.array([[3, 1, 7, 2]], np.float32), 1)
(array([2.], dtype=float32), array([3]))
""",
    ),
)
