"""Norms over rows, groups of channels and batches, and their gradients."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from rows import Call, Case, Known, Rows, T

aten = torch.ops.aten
Draw = Callable[[Any], dict[str, Any]]
ALL_THREE = [True, True, True]
FIRST, THIRD = [True, False, False], [False, False, True]


def numbers(**shapes: tuple[int, ...]) -> Draw:
    """Normally distributed numbers, positive ones where the name says that these are deviations."""

    def draw(rng: Any) -> dict[str, Any]:
        found = {}
        for name, shape in shapes.items():
            drawn = rng.normal(0.5, 2, shape)
            positive = any(word in name for word in ("std", "var"))
            found[name] = np.asarray(abs(drawn) + 0.25 if positive else drawn)
        return found

    return draw


def layer_norm(
    input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Any:
    return aten.native_layer_norm(input, normalized_shape, weight, bias, eps)


def layer_norm_backward(
    grad_out: Any,
    input: Any,
    mean: Any,
    rstd: Any,
    weight: Any = None,
    normalized_shape: Any = (),
    output_mask: Any = ALL_THREE,
) -> Any:
    kept = (*input.shape[: input.dim() - len(normalized_shape)], *(1,) * len(normalized_shape))
    # PyTorch gives no gradient of what is not there
    bias = torch.zeros(normalized_shape, dtype=torch.float64)
    weight = 1 + bias if weight is None else weight
    given = (grad_out, input, normalized_shape, mean.reshape(kept), rstd.reshape(kept), weight)
    found = aten.native_layer_norm_backward(*given, bias, ALL_THREE)
    return [one if asked else None for one, asked in zip(found, output_mask, strict=True)]


def add_layer_norm(
    x1: Any, x2: Any, gamma: Any, beta: Any, bias: Any = 0, epsilon: float = 1e-5,
    additional_output: bool = False,
) -> Any:  # fmt: skip
    x = x1 + x2 + bias
    return *aten.native_layer_norm(x, gamma.shape, gamma, beta, epsilon), x


def group_norm_swish(
    input: Any, weight: Any, bias: Any, num_groups: int, activate_swish: bool = True,
    swish_scale: float = 1.0,
) -> Any:  # fmt: skip
    n, c, *spatial = input.shape
    whole = int(np.prod(spatial))
    y, mean, rstd = aten.native_group_norm(input, weight, bias, n, c, whole, num_groups, 1e-5)
    return y * torch.sigmoid(swish_scale * y) if activate_swish else y, mean, rstd


def rms(x: Any, gamma: Any, epsilon: float) -> tuple[Any, Any]:
    dims = tuple(range(x.dim() - gamma.dim(), x.dim()))
    rstd = torch.rsqrt((x * x).mean(dim=dims, keepdim=True) + epsilon)
    return x * rstd * gamma, rstd


def rms_norm(x: Any, gamma: Any, epsilon: float = 1e-6) -> tuple[Any, Any]:
    return rms(x, gamma, epsilon)


def gemma_rms_norm(self: Any, gamma: Any, epsilon: float = 1e-6) -> tuple[Any, Any]:
    return rms(self, 1 + gamma, epsilon)


def add_rms_norm(x1: Any, x2: Any, gamma: Any, epsilon: float = 1e-6) -> tuple[Any, ...]:
    return *rms(x1 + x2, gamma, epsilon), x1 + x2


def rms_norm_grad(dy: Any, self: Any, rstd: Any, gamma: Any) -> tuple[Any, Any]:
    """By PyTorch's autograd, of a norm whose root is the given one."""
    dims = tuple(range(self.dim() - gamma.dim(), self.dim()))
    x = self.clone().requires_grad_()
    weight = gamma.clone().requires_grad_()
    # the root that has this value now, and the slope that the norm's has
    square = (x * x).mean(dim=dims, keepdim=True)
    kept = rstd.reshape(square.shape)
    root = kept - 0.5 * kept**3 * (square - square.detach())
    return torch.autograd.grad(x * root * weight, (x, weight), dy)


def group_norm(
    self: Any, n: int, c: int, hxw: int, group: int, gamma: Any = None, beta: Any = None,
    eps: float = 1e-5,
) -> Any:  # fmt: skip
    return aten.native_group_norm(self.contiguous(), gamma, beta, n, c, hxw, group, eps)


def group_norm_backward(
    grad_out: Any, input: Any, mean: Any, rstd: Any, n: int, c: int, hxw: int, group: int,
    gamma: Any = None, output_mask: Any = ALL_THREE,
) -> Any:  # fmt: skip
    given = (grad_out, input, mean, rstd, gamma, n, c, hxw, group)
    found = aten.native_group_norm_backward(*given, ALL_THREE)
    return [one if asked else None for one, asked in zip(found, output_mask, strict=True)]


def batch_norm(
    input: Any, weight: Any = None, bias: Any = None, running_mean: Any = None,
    running_var: Any = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Any:  # fmt: skip
    given = (input, weight, bias, running_mean, running_var, training, momentum, eps)
    y, mean, rstd = aten.native_batch_norm(*given)
    if not training:
        return running_mean, running_var, y, None, None
    return running_mean, running_var, y, mean, rstd


def batch_norm_backward(
    grad_out: Any, self: Any, weight: Any = None, running_mean: Any = None,
    running_var: Any = None, save_mean: Any = None, save_invstd: Any = None,
    train: bool = True, eps: float = 1e-5,
) -> Any:  # fmt: skip
    given = (grad_out, self, weight, running_mean, running_var, save_mean, save_invstd)
    return aten.native_batch_norm_backward(*given, train, eps, ALL_THREE)


def over_batch(x: Any) -> tuple[int, ...]:
    return (0, *range(2, x.dim()))


def of_channels(value: Any, x: Any) -> Any:
    return value.reshape(1, -1, *[1] * (x.dim() - 2))


def stats(input: Any, eps: float = 1e-5) -> tuple[Any, Any]:
    var, mean = torch.var_mean(input, over_batch(input), correction=0)
    return mean, torch.rsqrt(var + eps)


def reduced(grad_out: Any, self: Any, mean: Any, invstd: Any) -> tuple[Any, ...]:
    dims = over_batch(self)
    of_gradient = grad_out.sum(dims)
    along = (grad_out * (self - of_channels(mean, self))).sum(dims)
    return of_gradient, along, along * invstd, of_gradient


def elemt_backward(
    grad_out: Any, input: Any, mean: Any, invstd: Any, sum_dy: Any, sum_dy_xmu: Any, count: Any,
    weight: Any = None,
) -> Any:  # fmt: skip
    n = count.sum()
    slope = of_channels(sum_dy_xmu / n * invstd**2, input)
    scale = of_channels(invstd if weight is None else invstd * weight, input)
    away = input - of_channels(mean, input)
    return (grad_out - of_channels(sum_dy / n, input) - away * slope) * scale


def gathered(
    input: Any, mean: Any, invstd: Any, counts: Any, running_mean: Any, running_var: Any,
    momentum: float = 0.1, eps: float = 1e-5,
) -> tuple[Any, ...]:  # fmt: skip
    n, each = counts.sum(), counts[:, None]
    whole = (mean * each).sum(0) / n
    squares = ((invstd**-2 - eps + (mean - whole) ** 2) * each).sum(0)
    means = running_mean + momentum * (whole - running_mean)
    variances = running_var + momentum * (squares / (n - 1) - running_var)
    return means, variances, whole, torch.rsqrt(squares / n + eps)


def counted(draw: Draw, name: str, *counts: float) -> Draw:
    return lambda rng: {**draw(rng), name: np.array(counts, np.float64)}


ROW, GROUPS = {"normalized_shape": [37]}, {"n": 2, "c": 6, "hxw": 35, "group": 3}
NINE = T(shape=(1,) * 9)
KEPT = {"mean": T(shape=(2, 1)), "rstd": T(shape=(2, 1))}
ROW_OF_3 = {one: T(shape=(3,)) for one in ("weight", "bias", "gamma", "beta")}
CHANNELS = {
    one: T(shape=(3,))
    for one in (
        *("weight", "bias", "running_mean", "running_var", "save_mean", "save_invstd"),
        *("grad_weight", "grad_bias", "mean", "invstd", "sum", "square_sum", "out0", "out1"),
        *("sum_dy", "sum_dy_xmu", "mean_all", "invstd_all", "count", "counts"),
    )
}
X234 = {one: T(shape=(2, 4, 3)) for one in ("self", "out", "input", "grad_out", "grad_x")}
OF_4 = {one: T(shape=(4,)) for one in ("gamma", "beta", "grad_gamma", "grad_beta")}
OF_GROUPS = {one: T(shape=(2, 2)) for one in ("mean", "rstd", "mean_out", "rstd_out")}
SIZES = {"n": 2, "c": 4, "hxw": 3, "group": 2}


def usual(c_name: str, first: str, out: str) -> tuple[Call, ...]:
    """Faults that every one of them has."""
    return (
        Call({}),
        Call({first: None}, 161001, f"{c_name}: {first} is null; expected a tensor"),
        Call({first: T("s32")}, 161002, f"{first} has dtype INT32"),
        Call({first: NINE}, 161002, f"{first} has 9 dimensions"),
        Call({out: T(shape=(7,))}, 161002, f"{out} has shape [7]; expected"),
        Call({out: T("s32", (7,))}, 161002, f"{out} has shape [7]; expected"),
    )


ROWS = (
    Rows(
        op="layer_norm",
        known=(),
        calls=(
            *usual("aclnnLayerNorm", "input", "out"),
            Call({"weight": None, "bias": None, "mean_out": None, "rstd_out": None}),
            Call({"normalized_shape": (2,)}, 161002, "normalized_shape is [2]; expected the last"),
            Call({"normalized_shape": ()}, 161002, "normalized_shape is []; expected the last"),
            Call({"weight": T(shape=(2,))}, 161002, "weight has shape [2]; expected [3]"),
            Call({"rstd_out": T(shape=(2,))}, 161002, "rstd_out has shape [2]; expected [2, 1]"),
        ),
        plain={**ROW_OF_3, "mean_out": T(shape=(2, 1)), "rstd_out": T(shape=(2, 1)),
               "normalized_shape": (3,), "eps": 1e-5},
        cases=(
            Case(numbers(input=(5, 37), weight=(37,), bias=(37,)), layer_norm, ROW),
            Case(numbers(input=(2, 3, 37)), layer_norm, {**ROW, "eps": 0.5}, ("f32", "f16")),
            Case(numbers(input=(3, 5, 7), weight=(5, 7)), layer_norm,
                 {"normalized_shape": [5, 7]}, ("f32", "bf16")),
            Case(numbers(input=(0, 37)), layer_norm, ROW, ("f32",)),
            Case(numbers(input=(2, 5000), bias=(5000,)), layer_norm,
                 {"normalized_shape": [5000]}, ("f32", "bf16")),
        ),
    ),
    Rows(
        op="layer_norm_backward",
        known=(),
        calls=(
            *usual("aclnnLayerNormBackward", "grad_out", "grad_input"),
            Call({"output_mask": (False, True, True), "grad_input": None}),
            Call({"output_mask": (True,)}, 161002, "output_mask has 1 members; expected 3"),
            Call({"grad_bias": None}, 161002, "grad_bias is null; expected a tensor, since"),
            Call({"normalized_shape": (4,)}, 161002, "normalized_shape is [4]; expected the last"),
            Call({"mean": T(shape=(3,))}, 161002, "mean has shape [3]; expected [2, 1] or [2]"),
        ),
        plain={**ROW_OF_3, **KEPT, "grad_weight": T(shape=(3,)), "grad_bias": T(shape=(3,)),
               "normalized_shape": (3,), "output_mask": (True, True, True)},
        cases=(
            Case(numbers(grad_out=(5, 37), input=(5, 37), mean=(5, 1), rstd=(5, 1), weight=(37,)),
                 layer_norm_backward, ROW),
            Case(numbers(grad_out=(5, 37), input=(5, 37), mean=(5,), rstd=(5,)),
                 layer_norm_backward, {**ROW, "output_mask": FIRST}, ("f32",)),
            Case(numbers(grad_out=(2, 3, 9), input=(2, 3, 9), mean=(2, 3), rstd=(2, 3)),
                 layer_norm_backward, {"normalized_shape": [9], "output_mask": THIRD}, ("f32",)),
        ),
    ),
    Rows(
        op="rms_norm",
        known=(Known(([3, 4], [1, 1]), ([0.75, 1], [0.25]), {"epsilon": 3.5}),),
        calls=(
            *usual("aclnnRmsNorm", "x", "y_out"),
            Call({"rstd_out": T(shape=(2,))}),
            Call({"gamma": T(shape=(2,))}, 161002, "gamma has shape [2]; expected the last"),
            Call({"rstd_out": T(shape=(3,))}, 161002, "rstd_out has shape [3]; expected [2, 1] or"),
        ),
        plain={**ROW_OF_3, "rstd_out": T(shape=(2, 1)), "epsilon": 1e-6},
        cases=(
            Case(numbers(x=(5, 37), gamma=(37,)), rms_norm),
            Case(numbers(x=(2, 3, 4, 9), gamma=(4, 9)), rms_norm, {"epsilon": 10.0}, ("f32",)),
        ),
    ),
    Rows(
        op="gemma_rms_norm",
        known=(),
        calls=usual("aclnnGemmaRmsNorm", "self", "y"),
        plain={**ROW_OF_3, "rstd": T(shape=(2, 1)), "epsilon": 1e-6},
        cases=(Case(numbers(self=(5, 37), gamma=(37,)), gemma_rms_norm),),
    ),
    Rows(
        op="add_rms_norm",
        known=(),
        calls=(
            *usual("aclnnAddRmsNorm", "x1", "y_out"),
            Call({"x2": T(shape=(3,))}, 161002, "x2 has shape [3]; expected [2, 3]"),
        ),
        plain={**ROW_OF_3, "rstd_out": T(shape=(2, 1)), "epsilon": 1e-6},
        cases=(Case(numbers(x1=(5, 37), x2=(5, 37), gamma=(37,)), add_rms_norm),),
    ),
    Rows(
        op="add_layer_norm",
        known=(),
        calls=(
            *usual("aclnnAddLayerNorm", "x1", "y"),
            Call({"bias": None, "x": None}),
            Call({"x": None, "additional_output": True}, 161002, "x is null; expected a tensor"),
            Call({"gamma": T(shape=(2,))}, 161002, "gamma has shape [2]; expected the last"),
            Call({"mean": T(shape=(2,))}, 161002, "mean has shape [2]; expected [2, 1]"),
        ),
        plain={**ROW_OF_3, **KEPT, "epsilon": 1e-5, "additional_output": False},
        cases=(
            Case(numbers(x1=(5, 37), x2=(5, 37), gamma=(37,), beta=(37,)), add_layer_norm),
            Case(numbers(x1=(5, 37), x2=(5, 37), gamma=(37,), beta=(37,), bias=(5, 37)),
                 add_layer_norm, {"additional_output": True}, ("f32",)),
        ),
    ),
    Rows(
        op="rms_norm_grad",
        known=(),
        calls=(
            *usual("aclnnRmsNormGrad", "dy", "dx"),
            Call({"dgamma": T(shape=(2,))}, 161002, "dgamma has shape [2]; expected [3]"),
        ),
        plain={**ROW_OF_3, "rstd": T(shape=(2,)), "dgamma": T(shape=(3,))},
        cases=(
            Case(numbers(dy=(5, 37), self=(5, 37), rstd=(5, 1), gamma=(37,)), rms_norm_grad),
        ),
    ),
    Rows(
        op="group_norm",
        known=(),
        calls=(
            *usual("aclnnGroupNorm", "self", "out"),
            Call({"gamma": None, "beta": None}),
            Call({"group": 3}, 161002, "group is 3; expected one of the divisors of c, 4"),
            Call({"group": 0}, 161002, "group is 0; expected one of the divisors"),
            Call({"hxw": 4}, 161002, "self has shape [2, 4, 3]; expected [2, 4, …] with 4"),
            Call({"mean_out": T(shape=(2, 4))}, 161002, "mean_out has shape [2, 4]; expected"),
        ),
        plain={**X234, **OF_4, **OF_GROUPS, **SIZES, "eps": 1e-5},
        cases=(
            Case(numbers(self=(2, 6, 5, 7), gamma=(6,), beta=(6,)), group_norm, GROUPS),
            Case(numbers(self=(2, 6, 35)), group_norm, {**GROUPS, "group": 6}, ("f32",)),
        ),
    ),
    Rows(
        op="group_norm_swish",
        known=(),
        calls=(
            *usual("aclnnGroupNormSwish", "input", "out"),
            Call({"num_groups": 3}, 161002, "num_groups is 3; expected one of the divisors of"),
            Call({"data_format": "NHWC"}, 161002, "data_format is NHWC; expected NCHW"),
            Call({"mean": T(shape=(2, 4))}, 161002, "mean has shape [2, 4]; expected [2, 2]"),
        ),
        plain={**X234, "weight": T(shape=(4,)), "bias": T(shape=(4,)), **OF_GROUPS,
               "num_groups": 2, "data_format": "NCHW", "eps": 1e-5, "activate_swish": True,
               "swish_scale": 1.0},
        cases=(
            Case(numbers(input=(2, 6, 5, 7), weight=(6,), bias=(6,)), group_norm_swish,
                 {"num_groups": 3}),
            Case(numbers(input=(2, 6, 35), weight=(6,), bias=(6,)), group_norm_swish,
                 {"num_groups": 6, "swish_scale": 1.5}, ("f32",)),
            Case(numbers(input=(3, 6), weight=(6,), bias=(6,)), group_norm_swish,
                 {"num_groups": 2, "activate_swish": False}, ("f32",)),
        ),
    ),
    Rows(
        op="group_norm_backward",
        known=(),
        calls=(
            *usual("aclnnGroupNormBackward", "grad_out", "grad_x"),
            Call({"output_mask": (True,)}, 161002, "output_mask has 1 members; expected 3"),
            Call({"grad_gamma": T(shape=(2,))}, 161002, "grad_gamma has shape [2]; expected [4]"),
        ),
        plain={**X234, **OF_4, **OF_GROUPS, **SIZES, "output_mask": (True, True, True)},
        cases=(
            Case(numbers(grad_out=(2, 6, 5, 7), input=(2, 6, 5, 7), mean=(2, 3), rstd=(2, 3),
                         gamma=(6,)), group_norm_backward, GROUPS),
        ),
    ),
    Rows(
        op="batch_norm",
        known=(),
        calls=(
            *usual("aclnnBatchNorm", "input", "output"),
            Call({"running_mean": None, "running_var": None}),
            Call({"running_var": None}, 161002, "one of running_mean and running_var is null"),
            Call({"training": False, "save_mean": T(shape=(0,)), "save_invstd": T(shape=(0,))}),
            Call({"training": False, "running_mean": None, "running_var": None}, 161002,
                 "running_mean is null; expected a tensor, since training is false"),
            Call({"weight": T(shape=(2,))}, 161002, "weight has shape [2]; expected [3]"),
            Call({"save_mean": T(shape=(0,))}, 161002, "save_mean has shape [0]; expected [3]"),
        ),
        plain={**CHANNELS, "training": True, "momentum": 0.1, "eps": 1e-5},
        cases=(
            Case(numbers(input=(4, 5, 3, 7), weight=(5,), bias=(5,)), batch_norm,
                 {"training": True}),
            Case(numbers(input=(40, 5), running_mean=(5,), running_var=(5,)), batch_norm,
                 {"training": True, "momentum": 0.25}, ("f32",)),
            Case(numbers(input=(4, 5, 7), weight=(5,), running_mean=(5,), running_var=(5,)),
                 batch_norm, {"training": False}, ("f32",)),
        ),
    ),
    Rows(
        op="batch_norm_backward",
        known=(),
        calls=(
            *usual("aclnnBatchNormBackward", "grad_out", "grad_input"),
            Call({"save_mean": None}, 161002, "save_mean is null; expected a tensor, since train"),
            Call({"train": False, "running_var": None}, 161002, "running_var is null; expected"),
            Call({"grad_input_mask": (True,)}, 161002, "grad_input_mask has 1 members"),
        ),
        plain={**CHANNELS, "train": True, "eps": 1e-5, "grad_input_mask": (True, True, True)},
        cases=(
            Case(numbers(grad_out=(4, 5, 7), self=(4, 5, 7), weight=(5,), save_mean=(5,),
                         save_invstd=(5,)), batch_norm_backward, {"train": True}),
            Case(numbers(grad_out=(4, 5, 7), self=(4, 5, 7), running_mean=(5,), running_var=(5,)),
                 batch_norm_backward, {"train": False}, ("f32",)),
        ),
    ),
    Rows(
        op="batch_norm_stats",
        known=(),
        calls=usual("aclnnBatchNormStats", "input", "out0"),
        plain={**CHANNELS, "eps": 1e-5},
        cases=(Case(numbers(input=(4, 5, 3, 7)), stats),),
    ),
    Rows(
        op="batch_norm_reduce",
        known=(),
        calls=usual("aclnnBatchNormReduce", "self", "sum"),
        plain=CHANNELS,
        cases=(
            Case(numbers(self=(4, 5, 3, 7)),
                 lambda self: (self.sum((0, 2, 3)), (self * self).sum((0, 2, 3)))),
        ),
    ),
    Rows(
        op="batch_norm_elemt",
        known=(),
        calls=usual("aclnnBatchNormElemt", "input", "out"),
        plain={**CHANNELS, "eps": 1e-5},
        cases=(
            Case(numbers(input=(4, 5, 7), weight=(5,), bias=(5,), mean=(5,), invstd=(5,)),
                 lambda input, weight, bias, mean, invstd: (input - of_channels(mean, input))
                 * of_channels(invstd * weight, input) + of_channels(bias, input)),
        ),
    ),
    Rows(
        op="batch_norm_reduce_backward",
        known=(),
        calls=usual("aclnnBatchNormReduceBackward", "grad_out", "sum_dy"),
        plain={**CHANNELS, "input_g": True, "weight_g": True, "bias_g": True},
        cases=(
            Case(numbers(grad_out=(4, 5, 7), self=(4, 5, 7), mean=(5,), invstd=(5,)), reduced),
        ),
    ),
    Rows(
        op="batch_norm_elemt_backward",
        known=(),
        calls=(
            *usual("aclnnBatchNormElemtBackward", "grad_out", "out"),
            Call({"count": T("s32", (2, 2))}, 161002, "count has shape [2, 2]; expected one"),
        ),
        plain={**CHANNELS, "count": T("s32", (2,))},
        cases=(
            Case(counted(numbers(grad_out=(4, 5, 7), input=(4, 5, 7), mean=(5,), invstd=(5,),
                                 sum_dy=(5,), sum_dy_xmu=(5,), weight=(5,)), "count", 3, 28, 9),
                 elemt_backward),
        ),
    ),
    Rows(
        op="batch_norm_gather_stats_with_counts",
        known=(),
        calls=(
            *usual("aclnnBatchNormGatherStatsWithCounts", "input", "mean_all"),
            Call({"counts": T(shape=(3,))}, 161002, "mean has shape [2, 3]; expected [3, 3]"),
        ),
        plain={**CHANNELS, "mean": T(), "invstd": T(), "counts": T(shape=(2,)),
               "momentum": 0.1, "eps": 1e-5},
        cases=(
            Case(counted(numbers(input=(4, 5), mean=(3, 5), invstd=(3, 5), running_mean=(5,),
                                 running_var=(5,)), "counts", 3, 28, 9), gathered, {}, ("f32",)),
        ),
    ),
)  # fmt: skip
