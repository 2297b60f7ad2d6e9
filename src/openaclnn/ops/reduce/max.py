"""The largest or the smallest of all elements; NaN where there is one."""

from collections.abc import Callable
from typing import Any

from openaclnn.spec import extremes
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import In, Op, Out, never
from openaclnn.spec.results import promoted_dtype
from openaclnn.spec.rules import Dtypes, MaxDims, ResultDtype, ResultShape
from openaclnn.spec.rules.rule import Rule

SELF = In("self", "the input", "输入")


def some(call: Call) -> str | None:
    shape = list(call["self"].shape)
    return f"self has shape {shape}; expected some element" if 0 in shape else None


SOME: Rule = Sound(some, "self has elements", "self 不为空")


def results(call: Call) -> tuple[Meta, ...]:
    return (Meta((), promoted_dtype(call)),) * len(call.op.outputs)


def of_all(
    name: str, outputs: tuple[str, ...], formula: Callable[..., Any], whole: Callable[..., Any],
    en: str, zh: str, example: str,
) -> Op:  # fmt: skip
    """Extremes of all elements, as floats and as integers have them."""
    return Op(
        name,
        en,
        zh,
        (SELF, *(Out(output, "the result", "结果") for output in outputs)),
        (
            Dtypes(("self",), ALL, lacks_complex=True),
            ResultDtype(ALL),
            SOME,
            MaxDims(("self", *outputs)),
            ResultShape(),
        ),
        formula,
        example,
        shorter=extremes.for_integers(whole),
        results=results,
        wide=never,
        source="signature: op-plugin; values: PyTorch's amax and amin",
    )


def both(smallest: Callable[..., Expr]) -> Callable[..., Any]:
    return lambda self: (smallest(self), extremes.largest(self))


OPS = (
    of_all("max", ("out",), lambda self: extremes.largest(self),
           lambda self: extremes.largest(self), "Maximum of all elements", "全部元素的最大值", """
>>> import numpy as np, openaclnn
>>> openaclnn.max(np.array([[1, 7], [3, 6]], np.float32))
array(7., dtype=float32)
"""),
    of_all("min", ("out",), lambda self: extremes.smallest(self),
           lambda self: extremes.smallest_integer(self), "Minimum of all elements",
           "全部元素的最小值", """
>>> import numpy as np, openaclnn
>>> openaclnn.min(np.array([[1, 7], [3, 6]]))
array(1)
"""),
    of_all("aminmax_all", ("out0", "out1"), both(extremes.smallest),
           both(extremes.smallest_integer), "Minimum and maximum of all elements",
           "全部元素的最小值与最大值", ""),
)  # fmt: skip
