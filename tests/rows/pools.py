"""Pools and pads with their gradients: padding, dilation, last windows that reach beyond, NaN."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from rows import FLOATS, Call, Case, Rows, T
from rows.norms import numbers

aten = torch.ops.aten
MOVED = ("f16", "f32", "bf16", "f64", "s8", "s32")
FLAT, DEEP = numbers(self=(2, 3, 11, 13)), numbers(self=(2, 2, 5, 6, 7))


def pooled(function: Callable[..., Any]) -> Callable[..., Any]:
    """PyTorch's function by aclnn's names."""

    def oracle(self: Any, kernel_size: Any, stride: Any = None, padding: Any = (0,),
               ceil_mode: bool = False, count_include_pad: bool = True,
               divisor_override: int = 0) -> Any:  # fmt: skip
        given = (kernel_size, stride, padding, ceil_mode, count_include_pad)
        return function(self, *given, divisor_override or None)

    return oracle


def by_autograd(forward: Callable[..., Any]) -> Callable[..., Any]:
    """The gradient of what a function gives of `self`."""

    def oracle(grad_output: Any, self: Any, **attributes: Any) -> Any:
        x = self.clone().requires_grad_()
        return torch.autograd.grad(forward(x, **attributes), x, grad_output)[0]

    return oracle


def largest(self: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
            ceil_mode: bool = False) -> Any:  # fmt: skip
    function = functional.max_pool3d if self.dim() == 5 else functional.max_pool2d
    given = (kernel_size, stride, padding, dilation, ceil_mode)
    return function(self, *given, return_indices=True)


def usual(c_name: str, *refused: Call, first: str = "self", out: str = "out") -> tuple[Call, ...]:
    return (
        Call({}),
        Call({first: None}, 161001, f"{c_name}: {first} is null; expected a tensor"),
        Call({first: T("c64")}, 161002, f"{first} has dtype COMPLEX64"),
        Call({out: T(shape=(7,))}, 161002, f"{out} has shape [7]; expected"),
        *refused,
    )


def windows(spatial: int) -> dict[str, Any]:
    shape, small = T(shape=(2, *(4,) * spatial)), T(shape=(2, *(2,) * spatial))
    return {"self": shape, "grad_input": shape, "out": small, "output": small, "grad_output": small,
            "indices": T("s64", small.shape), "kernel_size": (2,), "stride": (), "padding": (0,),
            "dilation": (1,), "ceil_mode": False, "count_include_pad": True,
            "divisor_override": 0, "cube_math_type": 0}  # fmt: skip


def faults(spatial: int) -> tuple[Call, ...]:
    wrong = T(shape=(4,) * (spatial - 1))
    dims = f"self has {spatial - 1} dimensions; expected {spatial + 1} or {spatial + 2}"
    return (
        Call({"self": wrong}, 161002, dims),
        Call({"kernel_size": (0,)}, 161002, "kernel_size is [0]; expected 1 or"),
        Call({"padding": (2,)}, 161002, "at most half of kernel_size"),
        Call({"stride": (1,) * 4}, 161002, "stride is [1, 1, 1, 1]; expected 1 or"),
    )


AVERAGES = (
    {"kernel_size": [3, 2], "stride": [2, 1], "padding": [1, 1]},
    {"kernel_size": [3], "ceil_mode": True, "count_include_pad": False, "padding": [1]},
    {"kernel_size": [2], "divisor_override": 5, "ceil_mode": True},
)
LARGEST = (
    {"kernel_size": [3, 2], "stride": [2, 1], "padding": [1, 1]},
    {"kernel_size": [3], "dilation": [2], "ceil_mode": True, "padding": [1]},
)


def shaped(draw: Callable[[Any], Any], forward: Callable[..., Any], **attributes: Any) -> Any:
    """With a gradient of the result's shape."""

    def made(rng: Any) -> dict[str, Any]:
        found = draw(rng)
        result = forward(torch.from_numpy(found["self"]), **attributes)
        return {**found, "grad_output": rng.normal(0, 3, tuple(result.shape))}

    return made


def average(spatial: int) -> tuple[Rows, ...]:
    function = pooled(functional.avg_pool2d if spatial == 2 else functional.avg_pool3d)
    given = AVERAGES if spatial == 2 else (AVERAGES[1], AVERAGES[2])
    x, name = (FLAT if spatial == 2 else DEEP), f"aclnnAvgPool{spatial}d"
    return (
        Rows(op=f"avg_pool{spatial}d", known=(), calls=usual(name, *faults(spatial)),
             plain=windows(spatial),
             cases=tuple(Case(x, function, one, FLOATS if k == 0 else ("f32",))
                         for k, one in enumerate(given))),
        Rows(op=f"avg_pool{spatial}d_backward", known=(),
             calls=usual(f"{name}Backward", *faults(spatial), first="grad_output",
                         out="grad_input"),
             plain=windows(spatial),
             cases=tuple(Case(shaped(x, function, **one), by_autograd(function), one,
                              FLOATS if k == 0 else ("f32",)) for k, one in enumerate(given))),
    )  # fmt: skip


def with_nan(rng: Any) -> dict[str, Any]:
    x = rng.integers(-3, 4, (2, 3, 9, 10)).astype(np.float64)
    x[rng.random(x.shape) < 0.1] = np.nan
    return {"self": x}


def adaptive(spatial: int) -> tuple[Rows, ...]:
    sizes = ([3, 5], [13, 20]) if spatial == 2 else ([2, 6, 9],)
    mean = getattr(functional, f"adaptive_avg_pool{spatial}d")
    most = getattr(functional, f"adaptive_max_pool{spatial}d")
    x, name = (FLAT if spatial == 2 else DEEP), f"AvgPool{spatial}d"
    plain = {"self": T(shape=(2, *(4,) * spatial)), "output_size": (2,) * spatial}
    plain |= {one: T(shape=(2, *(2,) * spatial)) for one in ("grad_output", "indices")}
    small = T(shape=(2, *(2,) * spatial))
    wrong = (Call({"output_size": (2,)}, 161002, "output_size is [2]; expected"),)

    def forward(self: Any, output_size: Any) -> Any:
        return mean(self, output_size)

    def back(size: Any) -> Any:
        return by_autograd(lambda self: mean(self, size))

    def drawn(size: Any) -> Any:
        return shaped(x, lambda self: mean(self, size))

    return (
        Rows(op=f"adaptive_avg_pool{spatial}d", known=(),
             calls=usual(f"aclnnAdaptive{name}", *wrong), plain={**plain, "out": small},
             cases=tuple(Case(x, forward, {"output_size": one}, FLOATS if k == 0 else ("f32",))
                         for k, one in enumerate(sizes))),
        Rows(op=f"adaptive_avg_pool{spatial}d_backward", known=(),
             calls=usual(f"aclnnAdaptive{name}Backward", first="grad_output"),
             plain={**plain, "out": plain["self"]},
             cases=tuple(Case(drawn(one), back(one)) for one in sizes)),
        Rows(op=f"adaptive_max_pool{spatial}d", known=(),
             calls=usual(f"aclnnAdaptiveMaxPool{spatial}d", *wrong),
             plain={**plain, "out": small, "indices": T("s64", small.shape)},
             cases=tuple(Case(x, lambda self, output_size: most(
                 self, output_size, return_indices=True), {"output_size": one}, ("f32", "f16"))
                         for one in sizes)),
    )  # fmt: skip


def pads(kind: str, spatial: int) -> tuple[Rows, ...]:
    function = getattr(aten, f"{kind}_pad{spatial}d")
    c_name = f"aclnn{kind.capitalize()}Pad{spatial}d"
    shape = T(shape=(2, *(4,) * spatial))
    wide = T(shape=(2, *(6,) * spatial))
    x = numbers(self=(2, 3, *(7, 6, 5)[:spatial]))
    padding = [2, 1, 0, 3, 4, 2][: 2 * spatial]
    plain = {"self": shape, "out": wide, "grad_output": wide, "grad_input": shape,
             "padding": (1,) * 2 * spatial}  # fmt: skip
    wrong = Call({"padding": (1,)}, 161002, "padding has 1 members; expected")
    below = Call({"padding": (-1,) * 2 * spatial}, 161002, "padding has -1; expected 0")

    def forward(self: Any, padding: Any) -> Any:
        return function(self, padding)

    rows = Rows(op=f"{kind}_pad{spatial}d", known=(), calls=usual(c_name, wrong, below),
                plain=plain, cases=(Case(x, forward, {"padding": padding}, MOVED),))  # fmt: skip
    back = Rows(op=f"{kind}_pad{spatial}d_backward", known=(),
                calls=usual(f"{c_name}Backward", wrong, below, first="grad_output",
                            out="grad_input"), plain=plain,
                cases=(Case(shaped(x, forward, padding=padding), by_autograd(forward),
                            {"padding": padding}),))  # fmt: skip
    return (back,) if (kind, spatial) == ("reflection", 1) else (rows, back)


def to_indices(rng: Any) -> dict[str, Any]:
    x = torch.from_numpy(rng.normal(0, 3, (2, 3, 11, 13)))
    found, indices = largest(x, **LARGEST[0])
    grad = rng.normal(0, 3, tuple(found.shape))
    return {"self": x.numpy(), "grad_output": grad, "indices": indices.numpy()}


def masked(self: Any, **attributes: Any) -> Any:
    """The largest, and a mask made of where PyTorch found them."""
    found, indices = largest(self, **attributes)
    (high, wide), (down, over) = attributes["kernel_size"], attributes["stride"]
    above, before = attributes["padding"]
    across, width = found.shape[-1], self.shape[-1]
    mask = torch.zeros(*self.shape[:2], high * wide, (-(-found[0, 0].numel() // 16) + 1) * 32)
    for at in np.ndindex(*found.shape):
        y, x = divmod(int(indices[at]), width)
        element = (y - at[2] * down + above) * wide + x - at[3] * over + before
        mask[at[0], at[1], element, at[2] * across + at[3]] = 1
    return found, mask.to(torch.int8)


SMALL = {"kernel_size": [1, 2], "stride": [1, 2], "padding": [0, 0]}


def many(rng: Any) -> dict[str, Any]:
    return {"self": rng.integers(-99, 100, (1, 1, 2, 2600)).astype(np.float64)}


def to_mask(rng: Any) -> dict[str, Any]:
    x = torch.from_numpy(rng.integers(-99, 100, (2, 3, 11, 13)) / 8)  # in every dtype the same
    found, mask = masked(x, **LARGEST[0])
    grad = rng.normal(0, 3, tuple(found.shape))
    return {"self": x.numpy(), "grad_output": grad, "indices": mask.numpy()}


def backward(grad_output: Any, self: Any, indices: Any, **attributes: Any) -> Any:
    return by_autograd(lambda x: largest(x, **attributes)[0])(grad_output, self)


MASK = T("s8", (2, 4, 64))

ROWS = (
    *average(2),
    *average(3),
    *adaptive(2),
    *adaptive(3),
    Rows(
        op="max_pool2d_with_indices", known=(), plain=windows(2),
        calls=usual("aclnnMaxPool2dWithIndices", *faults(2), out="output"),
        cases=(*(Case(FLAT, largest, one, FLOATS if one is LARGEST[0] else ("f32",))
                 for one in LARGEST), Case(with_nan, largest, {"kernel_size": [3]}, ("f32",))),
    ),
    Rows(
        op="max_pool3d_with_argmax", known=(), plain=windows(3),
        calls=usual("aclnnMaxPool3dWithArgmax", *faults(3), out="output"),
        cases=(Case(DEEP, largest, LARGEST[1], ("f32",)),),
    ),
    Rows(
        op="max_pool2d_with_indices_backward", known=(), plain=windows(2),
        calls=usual("aclnnMaxPool2dWithIndicesBackward", *faults(2), first="grad_output",
                    out="grad_input"),
        cases=(Case(to_indices, backward, LARGEST[0]),),
    ),
    Rows(
        op="max_pool2d_with_mask", known=(), plain={**windows(2), "indices": MASK},
        calls=usual("aclnnMaxPool2dWithMask", *faults(2), Call(
            {"indices": T("s8", (2, 4, 32))}, 161002, "indices has shape [2, 4, 32]; expected")),
        cases=(
            Case(FLAT, masked, LARGEST[0]),
            # more places than numbers of 16 bits tell apart
            Case(many, masked, SMALL, ("f16", "bf16")),
        ),
    ),
    Rows(
        op="max_pool2d_with_mask_backward", known=(), plain={**windows(2), "indices": MASK},
        calls=usual("aclnnMaxPool2dWithMaskBackward", *faults(2), Call(
            {"indices": T("u8", MASK.shape)}, 161002, "indices has dtype UINT8"),
            first="grad_output", out="grad_input"),
        cases=(Case(to_mask, backward, LARGEST[0]),),
    ),
    Rows(
        op="max_pool", known=(),
        calls=usual(
            "aclnnMaxPool",
            Call({"pads": (1, 0, 0, 0)}, 161002, "pads is [1, 0, 0, 0]; expected as many"),
        ),
        plain={"self": T(shape=(2, 4, 4)), "out": T(shape=(2, 2, 2)), "kernel_shape": (2, 2),
               "strides": (2, 2), "auto_pad": 0, "pads": (0, 0, 0, 0), "dilations": (1, 1),
               "ceil_mode": 0},
        cases=(
            Case(FLAT, lambda self, kernel_shape, strides, pads: functional.max_pool2d(
                self, kernel_shape, strides, pads[:2]),
                {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 1, 1, 1]}, ("f32",)),
        ),
    ),
    *(rows for kind in ("reflection", "replication") for n in (1, 2, 3) for rows in pads(kind, n)),
)  # fmt: skip
