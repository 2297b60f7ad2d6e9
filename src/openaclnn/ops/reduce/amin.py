"""The smallest number over dimensions, or that and the largest; NaN where there is one."""

from openaclnn.spec import extremes
from openaclnn.spec.families import ALL, reduction
from openaclnn.spec.op import Out

EXAMPLE = """
>>> import numpy as np, openaclnn
>>> openaclnn.amin(np.array([[1, 7], [3, 6]], np.float32), dim=[0], keep_dim=True)
array([[1., 6.]], dtype=float32)
"""

AMIN = reduction(
    "amin",
    "max",
    dtypes=ALL,
    en="Minimum over dimensions",
    zh="沿维度求最小值",
    torch="amin",
    formula=lambda self: extremes.smallest(self, "dim"),
    shorter=extremes.for_integers(lambda self: extremes.smallest_integer(self, "dim")),
    source="signature: op-plugin; values: PyTorch's amin",
    example=EXAMPLE,
)
BOTH = reduction(
    "aminmax",
    "max",
    dtypes=ALL,
    en="Minimum and maximum over dimensions",
    zh="沿维度求最小值与最大值",
    outputs=(Out("min", "the smallest", "最小值"), Out("max", "the largest", "最大值")),
    formula=lambda self: (extremes.smallest(self, "dim"), extremes.largest(self, "dim")),
    shorter=extremes.for_integers(
        lambda self: (extremes.smallest_integer(self, "dim"), extremes.largest(self, "dim"))
    ),
    source="signature: op-plugin, candle; values: PyTorch's aminmax",
    example="",
)
OPS = (AMIN, BOTH)
