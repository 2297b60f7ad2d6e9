"""Parts of batch norm by themselves, which several devices make of their shares of a batch: sums of
every channel, the second dimension, and what is computed element by element of statistics. `OPS`
are the six. Statistics that are put together of those of shares have no error bound: of what each
share has rounded, the differences of means may cancel."""

from collections.abc import Callable, Sequence
from typing import Any

from openaclnn.base.dtypes import DOUBLE
from openaclnn.ops.norm.batch_norm import towards
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, constant, fold, rsqrt
from openaclnn.spec.host import FLAG, FLOAT64
from openaclnn.spec.op import Argument, Attr, In, InOut, Op, Out
from openaclnn.spec.proof import Proof
from openaclnn.spec.shaped import laid, shape_fault, shaped, statistic
from openaclnn.spec.steps import Step, parts

EPS = Attr("eps", "what is added to the variance", "加到方差上的小量", FLOAT64, 1e-5)
SCALE = ("weight", "what is multiplied", "缩放")
MEAN, ROOT = ("mean", "the means", "均值"), ("invstd", "the reciprocal deviations", "标准差的倒数")


def statistics(input: Expr, eps: Expr) -> tuple[Expr, Expr]:
    mean = fold(input, "mean", over="batch")
    return mean, rsqrt(fold((input - mean) * (input - mean), "mean", over="batch") + eps)


def sums(self: Expr) -> tuple[Expr, Expr]:
    return fold(self, "add", over="batch"), fold(self * self, "add", over="batch")


def applied(input: Expr, weight: Expr, bias: Expr, mean: Expr, invstd: Expr) -> Expr:
    return (input - mean) * invstd * weight + bias


def reduced(grad_out: Expr, self: Expr, mean: Expr, invstd: Expr) -> tuple[Expr, Expr, Expr, Expr]:
    sum_dy = fold(grad_out, "add", over="batch")
    sum_dy_xmu = fold(grad_out * (self - mean), "add", over="batch")
    return sum_dy, sum_dy_xmu, sum_dy_xmu * invstd, sum_dy


def pulled_back(
    grad_out: Expr, input: Expr, mean: Expr, invstd: Expr, weight: Expr | None,
    sum_dy: Expr, sum_dy_xmu: Expr, count: Expr,
) -> Expr:  # fmt: skip
    n = fold(count, "add", over="shares")
    slope = sum_dy_xmu / n * (invstd * invstd)
    scale = invstd * (constant(1) if weight is None else weight)
    return (grad_out - sum_dy / n - (input - mean) * slope) * scale


def gathered(
    mean: Expr, invstd: Expr, running_mean: Expr | None, running_var: Expr | None,
    momentum: Expr, eps: Expr, counts: Expr,
) -> tuple[Expr, ...]:  # fmt: skip
    n = fold(counts, "add", over="shares")
    whole = fold(mean * counts, "add", over="shares") / n
    apart = 1 / (invstd * invstd) - eps + (mean - whole) * (mean - whole)
    squares = fold(apart * counts, "add", over="shares")
    new_var = towards(running_var, squares / (n - 1), momentum)
    return towards(running_mean, whole, momentum), new_var, whole, rsqrt(squares / n + eps)


def of_batch(call: Call) -> tuple[Step, ...]:
    """One step: an axis for the shares of several devices, then those of the input."""
    known, x = parts(call), next(a.name for a in call.op.reads if a.name in ("input", "self"))
    rank = len(call[x].shape) + 1
    whole: Sequence[int] = range(1, rank)
    dims = {x: whole, "grad_out": whole, "out": whole, "count": (0,)}

    def placed(name: str) -> Any:
        return laid(known.get(name), rank, dims.get(name, (2,)))

    flags = {"sum_dy": "input_g", "sum_dy_xmu": "input_g",
             "grad_weight": "weight_g", "grad_bias": "bias_g"}  # fmt: skip
    asked = {name: call.arguments.get(flag, True) for name, flag in flags.items()}
    reads = {a.name: placed(a.name) for a in call.op.reads}
    writes = tuple(placed(a.name) if asked.get(a.name, True) else None for a in call.op.outputs)
    return (Step(reads, writes, axes={"batch": (1, *range(3, rank)), "shares": (0,)}),)


def of_shares(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    dims = {"mean": (0, 1), "invstd": (0, 1), "counts": (0,)}
    reads = {a.name: laid(known.get(a.name), 2, dims.get(a.name, (1,)))
             for a in call.op.reads if a.name != "input"}  # fmt: skip
    writes = tuple(laid(known.get(a.name), 2, (1,)) for a in call.op.outputs)
    return (Step(reads, writes, axes={"shares": (0,)}),)


def fault(call: Call) -> str | None:
    """Of tensors for each channel, and like the input."""
    x = next(a.name for a in call.op.reads if a.name in ("input", "self"))
    shape = call[x].shape
    if len(shape) < 2:
        return f"{x} has {len(shape)} dimensions; expected at least 2"
    if call.op.steps is of_shares:
        counts = call["counts"].shape
        shares = (*counts, shape[1]) if len(counts) == 1 else (0,)
        return shape_fault(
            call, mean=shares, invstd=shares,
            running_mean=shape[1:2], running_var=shape[1:2],
            mean_all=shape[1:2], invstd_all=shape[1:2],
        )  # fmt: skip
    others = {a.name: shape if a.name in ("out", "grad_out") else shape[1:2]
              for a in (*call.op.reads, *call.op.outputs)
              if a.name not in (x, "count")}  # fmt: skip
    if "count" in call.arguments and len(call["count"].shape) != 1:
        return f"count has shape {list(call['count'].shape)}; expected one dimension"
    return shape_fault(call, **others)


def results(call: Call) -> list[Meta]:
    x = next(call[a.name] for a in call.op.reads if a.name in ("input", "self"))
    each = Meta(x.shape[1:2], statistic(x.dtype))
    like = Meta(x.shape, x.dtype)
    return [like if a.name == "out" else each for a in call.op.outputs]


TEXTS = (
    "the input has at least 2 dimensions, gradients of it and what is like it its shape; all else "
    "has one element for each channel, its second dimension, or for each share one",
    "输入至少 2 维，其梯度及同形输出的 shape 与之相同；其余每个通道（第二维）一个元素，"
    "或每个分片各一份",
)


def part(name: str, arguments: Sequence[Argument], formula: Callable[..., Any], en: str, zh: str,
         example: str, steps: Any = of_batch, **more: Any) -> Op:  # fmt: skip
    return shaped(
        name,
        tuple(arguments),
        formula,
        steps,
        results,
        fault,
        TEXTS,
        en=en,
        zh=zh,
        shapes=lambda shape, attributes: {
            **{a.name: shape[1:2] for a in arguments
               if a.name not in ("input", "self", "grad_out", "out", "count", "counts")},
            **({"mean": (2, shape[1]), "invstd": (2, shape[1])} if steps is of_shares else {}),
            "count": (2,), "counts": (2,),
        },
        given=tuple(a.name for a in arguments if isinstance(a, (In, InOut)) and a.read
                    and a.name not in ("count", "counts")),
        source="signature: op-plugin; values: PyTorch's batch_norm_stats",
        example=example,
        **more,
    )  # fmt: skip


X = ">>> import numpy as np, openaclnn\n>>> x, one = np.array([[1], [3]], np.float32), "
X += "np.ones(1, np.float32)\n"
INPUT, GRAD = In("input", "the input", "输入"), In("grad_out", "the gradient", "梯度")

OPS = (
    part("batch_norm_stats", (INPUT, EPS, Out("out0", *MEAN[1:]), Out("out1", *ROOT[1:])),
         statistics, "Mean and reciprocal standard deviation of each channel",
         "每个通道的均值与标准差倒数",
         f"\n{X}>>> openaclnn.batch_norm_stats(x, eps=0.0)\n"
         "(array([2.], dtype=float32), array([1.], dtype=float32))\n"),
    part("batch_norm_reduce",
         (In("self", "the input", "输入"), Out("sum", "sums", "和"),
          Out("square_sum", "sums of squares", "平方和")),
         sums, "Sum and sum of squares of each channel", "每个通道的和与平方和",
         f"\n{X}>>> openaclnn.batch_norm_reduce(x)\n"
         "(array([4.], dtype=float32), array([10.], dtype=float32))\n"),
    part("batch_norm_elemt",
         (INPUT, In(*SCALE), In("bias", "what is added", "偏移"), In(*MEAN), In(*ROOT), EPS,
          Out("out", "the result", "结果")),
         applied, "Batch normalisation with given statistics", "用给定统计量的批归一化",
         f"\n{X}>>> openaclnn.batch_norm_elemt(x, one, one, 2 * one, one).ravel()\n"
         "array([0., 2.], dtype=float32)\n"),
    part("batch_norm_reduce_backward",
         (GRAD, In("self", "the input", "输入"), In(*MEAN), In(*ROOT),
          In(*SCALE, optional=True, read=False),
          Attr("input_g", "whether the sums are wanted", "是否需要和", FLAG, True),
          Attr("weight_g", "whether grad_weight is", "是否需要 grad_weight", FLAG, True),
          Attr("bias_g", "whether grad_bias is", "是否需要 grad_bias", FLAG, True),
          Out("sum_dy", "sums of the gradient", "梯度之和", optional=True),
          Out("sum_dy_xmu", "of it times x − mean", "梯度与 x − mean 之积的和", optional=True),
          Out("grad_weight", "gradient of weight", "weight 的梯度", optional=True),
          Out("grad_bias", "gradient of bias", "bias 的梯度", optional=True)),
         reduced, "Sums for the gradient of batch normalisation", "批归一化反向传播所需的和",
         f"\n{X}>>> openaclnn.batch_norm_reduce_backward(x, x, 2 * one, one)[1]\n"
         "array([2.], dtype=float32)\n"),
    part("batch_norm_elemt_backward",
         (GRAD, INPUT, In(*MEAN), In(*ROOT), In(*SCALE, optional=True),
          In("sum_dy", "sums of the gradient", "梯度之和"),
          In("sum_dy_xmu", "of it times x − mean", "梯度与 x − mean 之积的和"),
          In("count", "elements of every share", "各分片的元素个数"),
          Out("out", "gradient of the input", "输入的梯度")),
         pulled_back, "Gradient of batch normalisation from given sums",
         "用给定的和求批归一化的梯度",
         f"\n{X}>>> count = np.array([2], np.int32)\n"
         ">>> openaclnn.batch_norm_elemt_backward(x, x, 2 * one, one, 4 * one, 0 * one, count)"
         ".ravel()\narray([-1.,  1.], dtype=float32)\n"),
    part("batch_norm_gather_stats_with_counts",
         (In("input", "the input, of which the dtype and the channels count", "输入"), In(*MEAN),
          In(*ROOT), InOut("running_mean", "the running mean", "滑动均值", optional=True),
          InOut("running_var", "the running variance", "滑动方差", optional=True),
          Attr("momentum", "how far the running ones move", "动量", FLOAT64, 0.1), EPS,
          In("counts", "elements of every share", "各分片的元素个数"),
          Out("mean_all", *MEAN[1:]), Out("invstd_all", *ROOT[1:])),
         gathered, "Batch statistics merged from those of several devices", "由各分片的统计量合并",
         f"\n{X}>>> means, roots = np.array([[1], [3]], np.float32), np.ones((2, 1), np.float32)\n"
         ">>> openaclnn.batch_norm_gather_stats_with_counts(\n"
         "...     x, means, roots, np.ones(2, np.float32), eps=0.0)[2:]\n"
         "(array([2.], dtype=float32), array([0.70710677], dtype=float32))\n",
         of_shares, proof=Proof(exact=dict.fromkeys((*FLOATS, DOUBLE)))),
)  # fmt: skip
