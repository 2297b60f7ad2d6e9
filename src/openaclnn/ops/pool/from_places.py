"""Images made of what pools took from them, by the places that these say: the gradient of adaptive
max pooling, where several windows may have taken one element, is their exact sum; unpooling puts
the largest back, zeros elsewhere."""

from openaclnn.base.dtypes import DOUBLE, INT32, INT64, DType
from openaclnn.base.tensors import product_of
from openaclnn.ops.pool.avg_pool import spatial_of
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL, FLOATS
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.host import INT_ARRAY
from openaclnn.spec.op import Attr, In, Op, Out, always
from openaclnn.spec.rules import Dtypes
from openaclnn.spec.scatters import ADD, PUT, scattered, spread
from openaclnn.spec.shaped import shape_fault, shaped
from openaclnn.spec.steps import Limit, Step, copied, parts, scratch, zeros


def steps(call: Call) -> tuple[Step, ...]:
    known, spatial = parts(call), spatial_of(call)
    given, indices = known[call.op.inputs[0].name], known["indices"]
    out = known[call.op.outputs[0].name]
    shape, outer = given.view.shape, product_of(given.view.shape[:-spatial])
    size, count = product_of(out.view.shape[-spatial:]), product_of(shape[-spatial:])
    dtype, kind = given.view.dtype, ADD if "grad_output" in call.arguments else PUT
    if not (outer and count):
        return (Step({}, (out,), zeros),)
    none = scratch(3, dtype, ())
    zero = spread(none, (outer, size), ())
    values, places = scratch(0, dtype, (outer, count)), scratch(1, INT64, (outer, count))
    made = scratch(2, dtype, (outer, size))
    inside = (Limit(indices, 0, size - 1),)
    return (
        Step({"self": given}, (scratch(0, dtype, shape),), copied),
        Step({"self": indices}, (scratch(1, INT64, shape),), copied, limits=inside),
        Step({}, (none,), zeros),
        scattered(zero, values, (places,), (0, -1), made, kind),
        Step({"self": scratch(2, dtype, out.view.shape)}, (out,), copied),
    )


def promotes(call: Call) -> DType:
    """What holds values and places: a FLOAT16 has room for places up to 2048 only."""
    return DOUBLE if call.reads[0].tensor.dtype.kind == "float" else INT64


def results(call: Call) -> list[Meta]:
    return [Meta(result(call), call.reads[0].tensor.dtype)]


def result(call: Call) -> tuple[int, ...]:
    if "grad_output" in call.arguments:
        return tuple(call["self"].shape)
    return (*call["self"].shape[: -spatial_of(call)], *call["output_size"])


def fits(call: Call) -> str | None:
    spatial, given = spatial_of(call), call.op.inputs[0].name
    shape = call[given].shape
    if len(shape) not in (spatial + 1, spatial + 2):
        return f"{given} has {len(shape)} dimensions; expected {spatial + 1} or {spatial + 2}"
    if "output_size" in call.arguments:
        sizes = call["output_size"]
        if len(sizes) != spatial or min(sizes) < 1:
            return f"output_size is {list(sizes)}; expected {spatial} numbers, at least 1"
    else:
        whole = call["self"].shape
        if len(whole) != len(shape) or whole[:-spatial] != shape[:-spatial]:
            return (
                f"grad_output has shape {list(shape)}; expected {list(whole)}, as self has, but "
                "for the spatial dimensions"
            )
    return shape_fault(call, indices=shape, **{call.op.outputs[0].name: result(call)})


TEXTS = (
    "the spatial dimensions are last, behind one or two others; indices has a place in the image "
    "for each element",
    "最后各维为空间维，其前有一或两维；indices 为各元素在图像中的位置",
)
PLACES = In("indices", "places in the image", "在图像中的位置")
LARGEST, IMAGE = In("self", "the largest", "最大值"), Out("out", "the image", "图像")
HEAD = "\n>>> import numpy as np, openaclnn\n>>> x, at = np.float32([[[5]]]), np.array([[[2]]])\n"
SOURCE = "signature: op-plugin, candle; values: PyTorch's"


def sizes(spatial: int) -> Attr:
    return Attr("output_size", "the image's sizes", "图像的大小", INT_ARRAY, usual=(4,) * spatial)


def gradient(grad_output: Expr, indices: Expr) -> Expr:
    return described("the sum of grad_output of the windows that took it", grad_output, indices)


def image(self: Expr, indices: Expr) -> Expr:
    return described("self at its places, zeros elsewhere", self, indices)


def adaptive(n: int) -> Op:
    shape, ones = (2, *(2,) * n), f"(1,) * {n + 1}"
    return shaped(
        f"adaptive_max_pool{n}d_backward",
        (In("grad_output", "gradient with respect to the largest", "最大值的梯度"),
         In("self", "the image", "输入", read=False), PLACES,
         Out("grad_input", "gradient with respect to the image", "输入的梯度")),
        gradient, steps, results, fits, TEXTS,
        f"Gradient of adaptive max pooling, {n}-dimensional", "自适应最大池化反向",
        given=("grad_output",), rules=(Dtypes(("indices",), (INT64, INT32)),), wide=always,
        promotes=promotes, dtypes=FLOATS,
        source=f"{SOURCE} adaptive_max_pool",
        shapes=lambda _shape, attributes: {
            "self": (2, *(5,) * n), "grad_output": shape, "indices": shape},
        example=f"{HEAD}>>> x, at, image = x.reshape({ones}), at.reshape({ones}), np.zeros(3)\n"
        f">>> image = image.reshape(*(1,) * {n}, 3)\n"
        f">>> openaclnn.adaptive_max_pool{n}d_backward(x, at, self=image).ravel()\n"
        "array([0., 0., 5.], dtype=float32)\n",
    )  # fmt: skip


def unpool(n: int, more: tuple[Attr, ...]) -> Op:
    ones = f"(1,) * {n + 1}"
    return shaped(
        f"max_unpool{n}d", (LARGEST, PLACES, sizes(n), *more, IMAGE), image, steps,
        results, fits, TEXTS, f"Max unpooling, {n}-dimensional", "最大反池化",
        given=("self",), rules=(Dtypes(("indices",), (INT64, INT32)),), wide=always,
        promotes=promotes, dtypes=ALL, source=f"{SOURCE} max_unpool",
        shapes=lambda shape, attributes: dict.fromkeys(("self", "indices"), (2,) * (n + 1)),
        example=f"{HEAD}>>> x, at = x.reshape({ones}), at.reshape({ones})\n"
        f">>> openaclnn.max_unpool{n}d(x, at, {[1] * (n - 1) + [3]}).ravel()\n"
        "array([0., 0., 5.], dtype=float32)\n",
    )  # fmt: skip


IGNORED = tuple(
    Attr(name, "no effect", "不起作用", INT_ARRAY, (0,)) for name in ("stride", "padding")
)
OPS = (adaptive(2), adaptive(3), unpool(2, ()), unpool(3, IGNORED))
