"""Elements where a mask holds become one number; the others stay."""

from openaclnn.base import dtypes
from openaclnn.base.dtypes import BOOL, DOUBLE, UINT8, DType
from openaclnn.base.tensors import Tensor
from openaclnn.spec.call import Call
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, InOut, Op, never
from openaclnn.spec.rules import Dtypes, Into, MaxDims, Rule

MASK = In("mask", "which elements are replaced", "要替换的元素")


def promoted(call: Call) -> DType:
    """What holds both numbers; the mask takes no part."""
    own, value = call["self"].dtype, call["value"]
    if own.kind == "float" or not isinstance(value, Tensor):
        return own  # type: ignore[no-any-return]
    return DOUBLE if value.dtype.kind == "float" else dtypes.promote(own, value.dtype) or own


def held(call: Call) -> str | None:
    own, value = call["self"].dtype, call["value"].dtype
    if own.kind == "float" or own.bits < 64 or value.kind != "float":
        return None
    return f"value has dtype {value}; expected integers beside {own}"


def masked_fill(kind: str, value: In | Attr, rules: tuple[Rule, ...], example: str) -> Op:
    return Op(
        name=f"inplace_masked_fill_{kind}",
        en="Fill where a mask holds, in place",
        zh="按掩码填充（原地）",
        arguments=(InOut("self", "what is filled", "被填充的张量"), MASK, value),
        rules=(
            Dtypes(("self",), ALL),
            Dtypes(("mask",), (BOOL, UINT8)),
            Dtypes(("value",), ALL),
            MaxDims(("self", "mask")),
            Into(("mask",), "self"),
            *rules,
        ),
        formula=lambda self, mask, value: where(mask, value, self),
        promotes=promoted,
        wide=never,
        torch="Tensor.masked_fill_",
        source="signatures: op-plugin; values: PyTorch's masked_fill_",
        example=example,
    )


OPS = (
    masked_fill(
        "scalar",
        Attr("value", "the number", "填充值", SCALAR),
        (),
        """
>>> import numpy as np, openaclnn
>>> x = np.array([1, 2, 3], np.float32)
>>> openaclnn.inplace_masked_fill_scalar(x, np.array([True, False, True]), -1)
array([-1.,  2., -1.], dtype=float32)
""",
    ),
    masked_fill(
        "tensor",
        In("value", "the number, a tensor of one element", "填充值，只有一个元素的张量"),
        (
            Sound(held, "value has integers beside 64 bits", "self 为 64 位整数时 value 须为整数"),
            Into(("value",), "self"),
        ),
        """
>>> import numpy as np, openaclnn
>>> x, value = np.array([1, 2, 3], np.float32), np.array(-1, np.float32)
>>> openaclnn.inplace_masked_fill_tensor(x, np.array([True, False, True]), value)
array([-1.,  2., -1.], dtype=float32)
""",
    ),
)
