"""Where each place of an image looks in another one: for each image a matrix times the place's own
coordinates, from −1 to 1 along each axis, and 1. These are the outermost elements' centres
(align_corners) or edges."""

from math import prod

from openaclnn.spec.call import Call
from openaclnn.spec.formula import Expr, tensor
from openaclnn.spec.host import FLAG, INT_ARRAY
from openaclnn.spec.op import Attr, In, Out
from openaclnn.spec.shaped import shape_fault, shaped
from openaclnn.spec.steps import Part, Step, integer, parts
from openaclnn.spec.windows import growing

Shape = tuple[int, ...]


def formula(spatial: int) -> Expr:
    """One coordinate of one place. Coordinates are integers here: what they and the matrix's last
    column are divided by is their own, and everything is divided by the product once."""
    found = tensor(f"theta {spatial}") * tensor("whole")
    for k in range(spatial):
        found = found + tensor(f"theta {k}") * (tensor(f"across {k}") * tensor(f"share {k}"))
    return found / tensor("whole")


def of_images() -> Expr:
    return formula(2)


def of_volumes() -> Expr:
    return formula(3)


def steps(call: Call) -> tuple[Step, ...]:
    known, out = parts(call), call["out"].shape
    rank, spatial = len(out), len(out) - 2
    theta, own = known["theta"], known["theta"].view
    sizes = [out[1 + spatial - 1 - k] for k in range(spatial)]  # across first, then down
    spans = [max(size - 1, 1) if call["align_corners"] else max(size, 1) for size in sizes]
    whole = prod(spans)
    reads: dict[str, Part | None] = {"whole": integer(whole)}
    for k in range(spatial + 1):  # a column: a number for each image and each coordinate
        shape, strides = (own.shape[0], *(1,) * spatial, spatial), (0,) * spatial
        column = own.seen(
            shape, (own.strides[0], *strides, own.strides[1]), own.offset + k * own.strides[2]
        )
        reads[f"theta {k}"] = Part(theta.tensor, column)
    for k, (size, span) in enumerate(zip(sizes, spans, strict=True)):
        reads[f"across {k}"] = growing(rank, [(spatial - k, size, 2)], 1 - size)
        reads[f"share {k}"] = integer(whole // span)
    return (Step(reads, (known["out"],), of_images if spatial == 2 else of_volumes),)


def result(call: Call) -> Shape:
    images, _, *sizes = call["size"]
    return (images, *sizes, len(sizes))


def fits(call: Call) -> str | None:
    size = call["size"]
    if len(size) not in (4, 5) or min(size) < 1:
        return f"size is {list(size)}; expected 4 or 5 sizes of at least 1"
    return shape_fault(call, theta=(size[0], len(size) - 2, len(size) - 1), out=result(call))


OP = shaped(
    "affine_grid",
    (
        In("theta", "a matrix for each image", "各图像的仿射矩阵"),
        Attr("size", "of the images: how many, channels, depth, height, width",
             "图像的大小：个数、通道、深、高、宽", INT_ARRAY, usual=(2, 3, 4, 5)),
        Attr("align_corners", "whether −1 and 1 are centres", "−1 与 1 是否为中心", FLAG, False),
        Out("out", "the coordinates: across, down", "坐标：横、纵"),
    ),
    of_images,
    steps,
    lambda call: [result(call)],
    fits,
    (
        "size has 4 or 5 sizes of at least 1; theta has a matrix for each image, of a row for each "
        "spatial dimension and one column more; out has a row of coordinates for each place",
        "size 为 4 或 5 个不小于 1 的值；theta 为每个图像给出一个矩阵，行数为空间维数，列数多一；"
        "out 为每个位置给出一组坐标",
    ),
    en="Coordinates of an affine map",
    zh="仿射变换的采样网格",
    shapes=lambda shape, attributes: {
        "theta": (attributes["size"][0], len(attributes["size"]) - 2, len(attributes["size"]) - 1)
    },
    source="signature: op-plugin, candle; values: PyTorch's affine_grid",
    example="""
>>> import numpy as np, openaclnn
>>> same = np.array([[[1, 0, 0], [0, 1, 0]]], np.float32)
>>> openaclnn.affine_grid(same, [1, 1, 1, 2])
array([[[[-0.5,  0. ],
         [ 0.5,  0. ]]]], dtype=float32)
""",
)  # fmt: skip
