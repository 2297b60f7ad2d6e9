"""x, but other numbers in place of NaN and of the infinities."""

from openaclnn.spec.families import ALL, unary
from openaclnn.spec.formula import not_equal, where
from openaclnn.spec.host import FLOAT32
from openaclnn.spec.op import Attr, never


def formula(self, nan, posinf, neginf):  # type: ignore[no-untyped-def]
    infinite = not_equal(self - self, 0)
    found = where(infinite, where(self > 0, posinf, neginf), self)
    return where(not_equal(self, self), nan, found)


LARGEST = 3.4028234663852886e38

OPS = unary(
    "nan_to_num",
    formula=formula,
    dtypes=ALL,
    attributes=(
        Attr("nan", "what NaN becomes", "NaN 的替换值", FLOAT32, default=0.0),
        Attr("posinf", "what infinity becomes", "正无穷的替换值", FLOAT32, default=LARGEST),
        Attr("neginf", "what -infinity becomes", "负无穷的替换值", FLOAT32, default=-LARGEST),
    ),
    en="Numbers for NaN and infinities",
    zh="替换 NaN 与无穷",
    in_place=True,
    wide=never,
    torch="nan_to_num",
    source="signatures: op-plugin; values: PyTorch's nan_to_num",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.nan_to_num(np.array([np.nan, np.inf, 1], np.float32), posinf=9)
array([0., 9., 1.], dtype=float32)
""",
)
