"""How often each number from 0 on is among integers, or the exact sums of their weights. The result
says up to which number; one beyond is refused when the work is done."""

from openaclnn.base.dtypes import DOUBLE, FLOAT, INT64, DType
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL, INTEGERS
from openaclnn.spec.formula import Expr, constant, described
from openaclnn.spec.host import INT64 as INTEGER
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, always
from openaclnn.spec.rules import Dtypes, MaxDims, NotNegative
from openaclnn.spec.scatters import ADD, scattered, spread
from openaclnn.spec.steps import Limit, Step, copied, parts, scratch, zeros


def one() -> Expr:
    return constant(1)


def dtype_of(call: Call) -> DType:
    weights = call["weight"]
    if weights is None:
        return INT64
    return FLOAT if weights.dtype is FLOAT else DOUBLE


def fits(call: Call) -> str | None:
    self, weights, out = call["self"], call["weight"], call["out"]
    if len(self.shape) != 1:
        return f"self has {len(self.shape)} dimensions; expected 1"
    if weights is not None and weights.shape != self.shape:
        return f"weight has shape {list(weights.shape)}; expected {list(self.shape)}, as self has"
    least = max(call["minlength"], 1 if self.shape[0] else 0)
    if len(out.shape) != 1 or out.shape[0] < least:
        return f"out has shape {list(out.shape)}; expected at least [{least}]"
    if out.dtype is not dtype_of(call):
        return f"out has dtype {out.dtype}; expected {dtype_of(call)}"
    return None


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    self, out, weights = known["self"], known["out"], known.get("weight")
    shape, size = self.view.shape, out.view.shape[0]
    if not shape[0]:
        return (Step({}, (out,), zeros),)
    index, each = scratch(0, INT64, shape), scratch(1, out.view.dtype, shape)
    none = scratch(2, out.view.dtype, ())
    return (
        Step({"self": self}, (index,), copied, limits=(Limit(self, 0, size - 1),)),
        Step({}, (each,), one) if weights is None else Step({"self": weights}, (each,), copied),
        Step({}, (none,), zeros),
        scattered(spread(none, out.view.shape, ()), each, (index,), (-1,), out, ADD),
    )


def formula(self: Expr) -> Expr:
    return described("how often each number is in self", self)


OP = Op(
    "bincount",
    "Number of occurrences of each value",
    "统计各整数出现的次数",
    (
        In("self", "integers from 0 on", "非负整数"),
        In("weight", "what each counts; 1 where there is none", "权重，缺省为 1", optional=True),
        Attr("minlength", "the least size of the result", "结果的最小长度", INTEGER, 0, usual=64),
        Out("out", "the counts", "次数"),
    ),
    (
        Dtypes(("self",), INTEGERS),
        Dtypes(("weight",), ALL, lacks_complex=True),
        NotNegative("minlength"),
        MaxDims(("self", "out")),
        Sound(fits, "self has one dimension, as weight and out have; out has at least minlength "
              "elements, of INT64, or with weights of FLOAT or DOUBLE",
              "self、weight 与 out 均为一维；out 至少有 minlength 个元素，数据类型为 INT64，"
              "有权重时为 FLOAT 或 DOUBLE"),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> openaclnn.bincount(np.array([1, 3, 1]), minlength=5)
array([0, 2, 0, 1, 0])
""",
    promotes=lambda call: INT64 if call["weight"] is None else dtype_of(call),
    results=lambda call: (Meta((call["minlength"],), dtype_of(call)),),
    steps=steps,
    wide=always,
    shapes=lambda shape, attributes: dict.fromkeys(("self", "weight"), (70,)),
    source="signature: op-plugin, candle; values: PyTorch's bincount",
)  # fmt: skip
