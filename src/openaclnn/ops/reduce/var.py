"""The variance over dimensions: the sum of squared distances from the mean, divided by how many
there are less a correction, or by 0 where that is below. The deviation is its root."""

from collections.abc import Callable
from typing import Any

from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, extent, fold, maximum, sqrt
from openaclnn.spec.host import FLAG, INT64, INT_ARRAY
from openaclnn.spec.op import Attr, In, Op, Out, exact_level
from openaclnn.spec.results import OverDims
from openaclnn.spec.rules import Castable, DimsOf, Dtypes, MaxDims, ResultShape


def variance(self: Expr, correction: Expr | int) -> tuple[Expr, Expr]:
    mean = fold(self, "mean", over="dim")
    squares = fold((self - mean) * (self - mean), "add", over="dim")
    return squares / maximum(extent("dim") - correction, 0), mean


def formula(self: Expr, correction: Expr) -> Expr:
    return variance(self, correction)[0]


def corrected(self: Expr, unbiased: bool) -> Expr:
    return variance(self, int(unbiased))[0]


def deviation(self: Expr, correction: Expr) -> Expr:
    return sqrt(variance(self, correction)[0])


def deviation_and_mean(self: Expr, correction: Expr) -> tuple[Expr, Expr]:
    found, mean = variance(self, correction)
    return sqrt(found), mean


CORRECTION = Attr(
    "correction", "what is taken off the count", "自由度修正", INT64, 1, by_place=True
)
UNBIASED = Attr(
    "unbiased", "whether 1 is taken off the count", "是否无偏", FLAG, True, by_place=True
)


def spread(name: str, formula: Callable[..., Any], en: str, zh: str, result: str,
           outs: tuple[str, ...] = ("out",), correction: Attr = CORRECTION,
           aliases: tuple[str, ...] = ()) -> Op:  # fmt: skip
    called = ", ".join(f"array({one}, dtype=float32)" for one in result.split())
    return Op(
        name,
        en,
        zh,
        (
            In("self", "the input", "输入"),
            Attr("dim", "the dimensions that go; none means all", "被归约的维度，为空表示全部",
                 INT_ARRAY, (), by_place=True),
            correction,
            Attr("keepdim", "whether they stay, of size 1", "是否保留这些维度（大小为 1）", FLAG,
                 False, by_place=True),
            *(Out(one, "the result", "结果") for one in outs),
        ),
        (
            Dtypes(("self",), FLOATS),
            DimsOf("dim", "self"),
            Castable(),
            MaxDims(("self", *outs)),
            ResultShape(),
        ),
        formula,
        f"""
>>> import numpy as np, openaclnn
>>> openaclnn.{name}(np.array([1, 3, 8], np.float32))
{called if len(outs) == 1 else f"({called})"}
""",
        source="signature: op-plugin; values: PyTorch's var_mean and std_mean",
        wide=exact_level,
        aliases=aliases,
        results=OverDims("dim", "keepdim"),
    )  # fmt: skip


OPS = (
    spread("var", corrected, "Variance over dimensions", "沿维度求方差", "13.",
           correction=UNBIASED),
    spread("var_correction", formula, "Variance over dimensions", "沿维度求方差", "13."),
    spread("std", deviation, "Standard deviation over dimensions", "沿维度求标准差", "3.6055512"),
    spread("var_mean", variance, "Variance and mean", "方差与均值", "13. 4.", ("var", "mean")),
    spread("std_mean_correction", deviation_and_mean, "Standard deviation and mean", "标准差与均值",
           "3.6055512 4.", ("std_out", "mean_out"), aliases=("std_mean",)),
)  # fmt: skip
