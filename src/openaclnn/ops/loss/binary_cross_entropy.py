"""−(t·log x + (1 − t)·log(1 − x)), whose logarithms are at least −100, times a weight; its mean or
its sum. Of logits x is σ(x), and pos_weight multiplies what t is a factor of."""

from openaclnn.spec.families import FLOATS, loss
from openaclnn.spec.formula import Expr, exp, log, log1p, maximum
from openaclnn.spec.op import In, exact_level
from openaclnn.spec.proof import Bound, Proof


def formula(self: Expr, target: Expr, weight: Expr | None) -> Expr:
    both = (target - 1) * maximum(log1p(-self), -100) - target * maximum(log(self), -100)
    return both if weight is None else both * weight


def of_logits(self: Expr, target: Expr, weight: Expr | None, pos_weight: Expr | None) -> Expr:
    # of a term that is small no digit is lost beside one that is large
    shared = log1p(power_of(self))
    true, false = maximum(-self, 0) + shared, maximum(self, 0) + shared  # −log σ(x), −log σ(−x)
    both = (target if pos_weight is None else pos_weight * target) * true + (1 - target) * false
    return both if weight is None else both * weight


def power_of(x: Expr) -> Expr:
    """e^−|x|, as small as it is: exp itself ends where two factors do not bring it back."""
    root = exp(-abs(x) * 0.5)
    return root * root


def between(target: Expr) -> Expr:
    return (target >= 0) & (target <= 1)


# beyond, the terms have two signs and cancel
PROOF = Proof(exact=dict.fromkeys(FLOATS, Bound(0.51, "target is 0 to 1", between)))
WEIGHT = In("weight", "weights of the elements", "各元素的权重", optional=True)

OPS = (
    loss(
        "binary_cross_entropy",
        formula=formula,
        dtypes=FLOATS,
        weights=(WEIGHT,),
        en="Binary cross entropy",
        zh="二元交叉熵",
        wide=exact_level,
        proof=PROOF,
        torch="nn.functional.binary_cross_entropy",
        source="signature: op-plugin; values: PyTorch's binary_cross_entropy (rounded once)",
        example="""
>>> import numpy as np, openaclnn
>>> openaclnn.binary_cross_entropy(np.array([0.5, 1], np.float32), np.array([1, 0], np.float32))
array(50.346573, dtype=float32)
""",
    ),
    loss(
        "binary_cross_entropy_with_logits",
        formula=of_logits,
        dtypes=FLOATS,
        weights=(
            WEIGHT,
            In("pos_weight", "weights of what was to be 1", "正样本的权重", optional=True),
        ),
        en="Binary cross entropy with logits",
        zh="带 logits 的二元交叉熵",
        wide=exact_level,
        proof=PROOF,
        torch="nn.functional.binary_cross_entropy_with_logits",
        source="signature: op-plugin; values: PyTorch's function of this name (rounded once)",
        example="""
>>> import numpy as np, openaclnn
>>> x, target = np.array([0, 100], np.float32), np.array([1, 0], np.float32)
>>> openaclnn.binary_cross_entropy_with_logits(x, target)
array(50.346573, dtype=float32)
""",
    ),
)
