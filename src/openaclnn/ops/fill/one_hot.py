"""A new dimension in which the element at a class's place has one value, all others another."""

from openaclnn.base.dtypes import INT32, INT64, UINT8, DType
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import NUMBERS
from openaclnn.spec.formula import Expr, equal, where
from openaclnn.spec.host import INT64 as INTEGER
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, always
from openaclnn.spec.rules import Dtypes, MaxDims, NotNegative, ResultDtype, ResultShape, SameDtype
from openaclnn.spec.steps import Part, Step, parts, position


def sound(call: Call) -> str | None:
    rank = len(call["self"].shape)
    if not -1 <= call["axis"] <= rank:
        return f"axis is {call['axis']}; expected -1 to {rank}"
    for label, tensor in call.of(("on_value", "off_value")):
        if tensor.view.numel != 1:
            return f"{label} has shape {list(tensor.shape)}; expected one element"
    return None


def place(call: Call) -> int:
    axis: int = call["axis"]
    return len(call["self"].shape) if axis == -1 else axis


def results(call: Call) -> tuple[Meta, ...]:
    shape, at = call["self"].shape, place(call)
    return (Meta((*shape[:at], call["depth"], *shape[at:]), call["on_value"].dtype),)


def steps(call: Call) -> tuple[Step, ...]:
    known, at = parts(call), place(call)
    view, out = known["self"].view, known["out"].view
    shape = (*view.shape[:at], 1, *view.shape[at:])
    classes = view.seen(shape, (*view.strides[:at], 0, *view.strides[at:]), view.offset)
    values = {
        name: Part(known[name].tensor, known[name].view.seen((), (), known[name].view.offset))
        for name in ("on_value", "off_value")
    }
    reads = {"self": Part(known["self"].tensor, classes), "place": position(out, at)}
    return (Step({**reads, **values}, (known["out"],)),)


def formula(self: Expr, place: Expr, on_value: Expr, off_value: Expr) -> Expr:
    return where(equal(self, place), on_value, off_value)


def promotes(call: Call) -> DType | None:
    found: DType = call["on_value"].dtype
    return found if found.kind == "float" else INT64


OP = Op(
    name="one_hot",
    en="One-hot encoding",
    zh="独热编码",
    arguments=(
        In("self", "the classes", "类别"),
        Attr("depth", "how many classes there are", "类别数", INTEGER, usual=5),
        In("on_value", "the value of the class", "类别处的值"),
        In("off_value", "the value of all others", "其余位置的值"),
        Attr("axis", "where the new dimension stands; -1: last", "新维度的位置，-1 表示最后",
             INTEGER, default=-1),
        Out("out", "the result", "结果"),
    ),
    rules=(
        Dtypes(("self",), (UINT8, INT32, INT64)),
        Dtypes(("on_value", "off_value"), NUMBERS),
        SameDtype(("on_value", "off_value")),
        NotNegative("depth"),
        Sound(sound, "axis is -1 or a dimension of the result; on_value and off_value have one "
              "element", "axis 为 -1 或结果的维度；on_value 与 off_value 各含 1 个元素"),
        ResultDtype(NUMBERS),
        MaxDims(("self", "out")),
        ResultShape(),
    ),
    formula=formula,
    promotes=promotes,
    results=results,
    steps=steps,
    wide=always,
    shapes=lambda shape, attributes: {"on_value": (1,), "off_value": (1,)},
    source="signature: op-plugin, candle; values: PyTorch's one_hot",
    example="""
>>> import numpy as np, openaclnn
>>> one, zero = np.ones(1, np.float32), np.zeros(1, np.float32)
>>> openaclnn.one_hot(np.array([2, 0]), 3, one, zero)
array([[0., 0., 1.],
       [1., 0., 0.]], dtype=float32)
""",
)  # fmt: skip
