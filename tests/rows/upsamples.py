"""Images in other sizes, larger and smaller, and the gradients."""

from typing import Any

import torch

from rows import FLOATS, Call, Case, Known, Rows, T
from rows.norms import numbers
from rows.pools import by_autograd, shaped

aten = torch.ops.aten
SIZES = {1: ([11], [3], [7]), 2: ([11, 4], [3, 13], [5, 9]), 3: ([6, 9, 4], [2, 3, 8])}
IMAGE = {1: (2, 3, 7), 2: (2, 3, 5, 9), 3: (2, 2, 4, 5, 6)}
NAMES = {1: ("scales",), 2: ("scales_h", "scales_w"), 3: ("scales_d", "scales_h", "scales_w")}


def nearest(function: Any, spatial: int, names: tuple[str, ...]) -> Any:
    def oracle(self: Any, output_size: Any, **given: float) -> Any:
        scales = [given.get(name) or None for name in names] or [None] * spatial
        return function(self, output_size, *scales)

    return oracle


def linear(function: Any, names: tuple[str, ...], called: str = "self") -> Any:
    def oracle(output_size: Any, align_corners: bool = False, **given: Any) -> Any:
        scales = [given.get(name) or None for name in names]
        return function(given[called], output_size, align_corners, *scales)

    return oracle


def usual(c_name: str, first: str, out: str) -> tuple[Call, ...]:
    return (
        Call({}),
        Call({first: None}, 161001, f"{c_name}: {first} is null; expected a tensor"),
        Call({first: T("s32")}, 161002, f"{first} has dtype INT32"),
        Call({"output_size": (0,) * 3}, 161002, "output_size is [0, 0, 0]; expected"),
        Call({out: T(shape=(7,))}, 161002, f"{out} has shape [7]; expected"),
    )


def plain(spatial: int) -> dict[str, Any]:
    image, wide = T(shape=(2, 2, *(3,) * spatial)), T(shape=(2, 2, *(5,) * spatial))
    scales = dict.fromkeys(("scales", "scales_d", "scales_h", "scales_w", "scale_l"), 0.0)
    return {"self": image, "input": image, "grad_input": image, "out": wide, "grad_output": wide,
            "output_size": (5,) * spatial, "input_size": image.shape, "align_corners": False,
            **scales}  # fmt: skip


def resized(op: str, c_name: str, spatial: int, oracle: Any, *more: dict[str, Any],
            first: str = "self") -> Rows:  # fmt: skip
    x = numbers(**{first: IMAGE[spatial]})
    cases = [
        Case(x, oracle, {"output_size": size, **one}, FLOATS if k == 0 else ("f32",))
        for one in more
        for k, size in enumerate(SIZES[spatial])
    ]
    return Rows(op=op, known=(), calls=usual(c_name, first, "out"), plain=plain(spatial),
                cases=tuple(cases))  # fmt: skip


def gradient(op: str, c_name: str, spatial: int, forward: Any, *more: dict[str, Any],
             first: str = "self") -> Rows:  # fmt: skip
    shape = IMAGE[spatial]

    def drawn(**attributes: Any) -> Any:
        def draw(rng: Any) -> dict[str, Any]:
            made = shaped(numbers(self=shape), lambda self: run(self, **attributes))(rng)
            return {"grad_output": made["grad_output"]}

        return draw

    def run(self: Any, **attributes: Any) -> Any:
        return forward(**{first: self}, **attributes)

    def oracle(grad_output: Any, input_size: Any, **attributes: Any) -> Any:
        x = torch.zeros(input_size, dtype=torch.float64)
        return by_autograd(run)(grad_output, x, **attributes)

    cases = [
        Case(drawn(output_size=size, **one), oracle,
             {"output_size": size, "input_size": list(shape), **one},
             FLOATS if k == 0 else ("f32",))
        for one in more
        for k, size in enumerate(SIZES[spatial])
    ]  # fmt: skip
    return Rows(op=op, known=(), calls=usual(c_name, "grad_output", "grad_input"),
                plain=plain(spatial), cases=tuple(cases))  # fmt: skip


EVEN, ALIGNED = {"align_corners": False}, {"align_corners": True}
LINEARS = {1: ("upsample_linear1d", "UpsampleLinear1d"),
           2: ("upsample_bilinear2d", "UpsampleBilinear2d"),
           3: ("upsample_trilinear3d", "UpsampleTrilinear3d")}  # fmt: skip


def near(spatial: int, names: tuple[str, ...] | None = None) -> Any:
    names = NAMES[spatial] if names is None else names
    return nearest(getattr(aten, f"upsample_nearest{spatial}d"), spatial, names)


def exact(spatial: int) -> Any:
    function = getattr(aten, f"_upsample_nearest_exact{spatial}d")
    return nearest(function, spatial, NAMES[spatial])


def mixed(spatial: int, first: str = "self", names: tuple[str, ...] | None = None) -> Any:
    return linear(getattr(aten, LINEARS[spatial][0]), names or NAMES[spatial], first)


X3 = "input"
CUBIC = linear(aten.upsample_bicubic2d, NAMES[2])


def sampled(input: Any, grid: Any, **how: int) -> Any:
    of = torch.grid_sampler_2d if input.dim() == 4 else torch.grid_sampler_3d
    return of(input, grid, *how.values())


def seen_from(rng: Any) -> dict[str, Any]:
    """Places inside, outside and far outside of images."""
    return {"input": rng.normal(0, 9, (2, 3, 5, 7)), "grid": rng.normal(0, 1.5, (2, 4, 6, 2))}


def seen_in_depth(rng: Any) -> dict[str, Any]:
    return {"input": rng.normal(0, 9, (2, 3, 4, 5, 6)), "grid": rng.normal(0, 1.5, (2, 3, 2, 4, 3))}


ROWS = (
    resized("upsample_nearest1d", "aclnnUpsampleNearest1d", 1, near(1, ()), {}),
    resized("upsample_nearest1d_v2", "aclnnUpsampleNearest1dV2", 1, near(1, ("scale_l",)), {}),
    resized("upsample_nearest2d", "aclnnUpsampleNearest2d", 2, near(2, ()), {}),
    resized("upsample_nearest3d", "aclnnUpsampleNearest3d", 3, near(3), {}),
    *(resized(f"upsample_nearest_exact{n}d", f"aclnnUpsampleNearestExact{n}d", n, exact(n), {})
      for n in (1, 2, 3)),
    *(gradient(f"upsample_nearest{n}d_backward", f"aclnnUpsampleNearest{n}dBackward", n, near(n),
               {}) for n in (1, 2, 3)),
    resized(LINEARS[1][0], f"aclnn{LINEARS[1][1]}", 1, mixed(1, names=("scales_h",)), EVEN,
            ALIGNED),
    resized(LINEARS[2][0], f"aclnn{LINEARS[2][1]}", 2, mixed(2), EVEN, ALIGNED),
    resized(LINEARS[3][0], f"aclnn{LINEARS[3][1]}", 3, mixed(3, X3), EVEN, ALIGNED, first=X3),
    *(gradient(f"{LINEARS[n][0]}_backward", f"aclnn{LINEARS[n][1]}Backward", n, mixed(n), EVEN,
               ALIGNED) for n in (1, 2, 3)),
    resized("upsample_bicubic2d", "aclnnUpsampleBicubic2d", 2, CUBIC, EVEN, ALIGNED),
    gradient("upsample_bicubic2d_backward", "aclnnUpsampleBicubic2dBackward", 2, CUBIC, EVEN,
             ALIGNED),
    Rows("grid_sampler2_d",
         (Known(([[[[1, 3]]]], [[[[0, 0]]]]), ([[[[2]]]],), dtypes=FLOATS),
          Known(([[[[1, 3]]]], [[[[9, 0], [-1, 0], [0.25, 0]]]]), ([[[[0, 0.5, 2.5]]]],)),
          Known(([[[[1, 3]]]], [[[[9, 0], [-9, 0]]]]), ([[[[3, 1]]]],),
                {"padding_mode": "border"}),
          Known(([[[[1, 3]]]], [[[[0.6, 0], [-0.6, 0]]]]), ([[[[3, 1]]]],),
                {"interpolation_mode": "nearest"})),
         (Call({}), Call({"input": None}, 161001, "aclnnGridSampler2D: input is null"),
          Call({"grid": None}, 161001, "grid is null"), Call({"out": None}, 161001, "out is null"),
          Call({"input": T("s32", (2, 2, 4, 5))}, 161002, "input has dtype INT32"),
          Call({"input": T(shape=(2, 4, 5))}, 161002, "input has 3 dimensions; expected 4"),
          Call({"grid": T(shape=(2, 3, 3, 3))}, 161002, "grid has shape [2, 3, 3, 3]; expected"),
          Call({"interpolation_mode": 2}, 161002, "interpolation_mode is 2"),
          Call({"padding_mode": 3}, 161002, "padding_mode is 3"),
          Call({"out": T(shape=(2, 2, 3))}, 161002, "out has shape [2, 2, 3]; expected")),
         plain={"input": T(shape=(2, 2, 4, 5)), "grid": T(shape=(2, 3, 3, 2)),
                "interpolation_mode": 0, "padding_mode": 0, "align_corners": False,
                "out": T(shape=(2, 2, 3, 3))},
         cases=tuple(
             Case(seen_from, sampled, {"interpolation_mode": mode,
                  "padding_mode": padding, "align_corners": aligned}, ("f32",))
             for mode in (0, 1) for padding in (0, 1, 2) for aligned in (False, True))),
    Rows("grid_sampler3_d",
         (Known(([[[[[1]], [[3]]]]], [[[[[0, 0, 0]]]]]), ([[[[[2]]]]],), dtypes=FLOATS),
          Known(([[[[[1]], [[3]]]]], [[[[[0, 0, 9], [0, 0, -1]]]]]), ([[[[[0, 0.5]]]]],)),
          Known(([[[[[1]], [[3]]]]], [[[[[0, 0, 0.6], [0, 0, -0.6]]]]]), ([[[[[3, 1]]]]],),
                {"interpolation_mode": "nearest"})),
         (Call({}), Call({"input": None}, 161001, "aclnnGridSampler3D: input is null"),
          Call({"input": T(shape=(2, 2, 4, 5))}, 161002, "input has 4 dimensions; expected 5"),
          Call({"grid": T(shape=(2, 2, 3, 3, 2))}, 161002, "expected 5 dimensions, 2 first and 3"),
          Call({"out": T(shape=(2, 2, 3))}, 161002, "out has shape [2, 2, 3]; expected")),
         plain={"input": T(shape=(2, 2, 3, 4, 5)), "grid": T(shape=(2, 2, 3, 3, 3)),
                "interpolation_mode": 0, "padding_mode": 0, "align_corners": False,
                "out": T(shape=(2, 2, 2, 3, 3))},
         cases=tuple(
             Case(seen_in_depth, sampled, {"interpolation_mode": mode,
                  "padding_mode": padding, "align_corners": aligned}, ("f32",))
             for mode in (0, 1) for padding, aligned in ((0, False), (1, True), (2, False)))),
)  # fmt: skip
