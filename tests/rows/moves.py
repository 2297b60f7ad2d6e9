"""Elements at other places."""

import torch

from rows import NUMBERS, Call, Known, Rows, S, T
from rows.families import in_place

MATRIX = [[1, 2, 3], [4, 5, 6]]
IMAGE = {"self": T(shape=(1, 3, 3)), "out": T(shape=(4, 4))}


def usual(c_name: str) -> tuple[Call, ...]:
    """What every move refuses; the shapes of a plain call are the row's own."""
    return (
        Call({}),
        Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
        Call({"out": None}, 161001, "out is null"),
        Call({"self": T("c64")}, 161002, f"{c_name}: self has dtype COMPLEX64"),
        Call({"self": T(shape=(1,) * 9)}, 161002, "self has 9 dimensions"),
        Call({"out": T(shape=(7, 7))}, 161002, "out has shape [7, 7]; expected"),
    )


ROWS = (
    Rows(
        op="permute",
        known=(
            Known((MATRIX, (1, 0)), ([[1, 4], [2, 5], [3, 6]],), dtypes=NUMBERS),
            Known(([[[1, 2]]], (-1, 0, 1)), ([[[1]], [[2]]],)),
        ),
        calls=(
            *usual("aclnnPermute"),
            Call({"dims": None}, 161001, "dims is null"),
            Call({"dims": (0, 0)}, 161002, "dims has dimension 0 twice; expected each once"),
            Call({"dims": (0,)}, 161002, "dims has 1 members; expected 2"),
            Call({"dims": (0, 2)}, 161002, "dims has 2; expected -2 to 1"),
        ),
        plain={"dims": (1, 0), "out": T(shape=(3, 2))},
    ),
    Rows(
        op="repeat",
        known=(
            Known(([1, 2], (3,)), ([1, 2, 1, 2, 1, 2],), dtypes=NUMBERS),
            Known(([1, 2], (2, 2)), ([[1, 2, 1, 2], [1, 2, 1, 2]],)),
            Known(([1, 2], (0,)), ([],)),
        ),
        calls=(
            *usual("aclnnRepeat"),
            Call({"repeats": None}, 161001, "repeats is null"),
            Call({"repeats": (2,)}, 161002, "repeats has 1 members; expected at least 2"),
            Call({"repeats": (2, -1)}, 161002, "repeats has -1; expected at least 0"),
        ),
        plain={"repeats": (2, 1), "out": T(shape=(4, 3))},
    ),
    Rows(
        op="slice",
        known=(
            Known(([0, 1, 2, 3, 4], 0, 1, -1, 2), ([1, 3],), dtypes=NUMBERS),
            Known((MATRIX, -1, -2, 99, 1), ([[2, 3], [5, 6]],)),
            Known(([0, 1], 0, 5, 9, 1), ([],)),
        ),
        calls=(
            *usual("aclnnSlice"),
            Call({"self": T(shape=()), "dim": 0}, 161002, "self has no dimensions"),
            Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1"),
            Call({"step": 0}, 161002, "step is 0; expected at least 1"),
        ),
        plain={"dim": 1, "start": 0, "end": 2, "step": 1, "out": T(shape=(2, 2))},
    ),
    Rows(
        op="slice_v2",
        known=(
            Known(([0, 1, 2, 3, 4], (1,), (-1,), (0,), (2,)), ([1, 3],), dtypes=NUMBERS),
            Known((MATRIX, (-2, 5), (99, -9), (-1, 0), (1, -1)), ([[5, 6], [2, 3]],)),
            Known((MATRIX, (), (), (), ()), (MATRIX,)),
            Known(([0, 1], (5,), (9,), (0,), (1,)), ([],)),
        ),
        calls=(
            *usual("aclnnSliceV2"),
            Call({"axes": (2,)}, 161002, "axes has 2; expected -2 to 1"),
            Call({"steps": (0,)}, 161002, "steps has a 0; expected other numbers"),
            Call({"ends": (1, 2)}, 161002, "ends has 2 numbers, axes has 1 numbers"),
        ),
        plain={"starts": (0,), "ends": (2,), "axes": (1,), "steps": (1,), "out": T(shape=(2, 2))},
    ),
    Rows(
        op="constant_pad_nd",
        known=(
            Known(([1, 2], (1, 2)), ([9, 1, 2, 9, 9],), {"value": 9}, NUMBERS),
            Known((MATRIX, (-1, 0, 0, 1)), ([[2, 3], [5, 6], [0, 0]],)),
            Known((MATRIX, ()), (MATRIX,)),
            Known(([1, 2], (1, -3)), ([],)),
        ),
        calls=(
            *usual("aclnnConstantPadNd"),
            Call({"padding": None}, 161001, "padding is null"),
            Call({"value": None}, 161001, "value is null; expected a scalar"),
            Call({"padding": (1,)}, 161002, "padding has 1 members; expected pairs, at most 2"),
            Call({"padding": (1,) * 6}, 161002, "padding has 6 members; expected pairs"),
            Call({"padding": (-2, -2)}, 161002, "padding leaves size -1 along dimension 1"),
        ),
        plain={"padding": (1, 1), "value": S(0.0), "out": T(shape=(2, 5))},
    ),
    Rows(
        op="reflection_pad1d",
        known=(
            Known(([[1, 2, 3]], (2, 1)), ([[3, 2, 1, 2, 3, 2]],), dtypes=NUMBERS),
            Known((MATRIX, (0, 0)), (MATRIX,)),
        ),
        calls=(
            *usual("aclnnReflectionPad1d"),
            Call({"self": T(shape=(3,))}, 161002, "self has 1 dimensions; expected 2 or 3"),
            Call({"padding": None}, 161001, "padding is null"),
            Call({"padding": (1,)}, 161002, "padding has 1 members; expected 2"),
            Call({"padding": (3, 0)}, 161002, "padding has 3; expected 0 to 2"),
        ),
        plain={"padding": (1, 1), "out": T(shape=(2, 5))},
    ),
    Rows(
        op="repeat_interleave_int_with_dim",
        known=(
            Known(([1, 2], 3, 0, 6), ([1, 1, 1, 2, 2, 2],), dtypes=NUMBERS),
            Known((MATRIX, 2, -2, 4), ([MATRIX[0]] * 2 + [MATRIX[1]] * 2,)),
        ),
        calls=(
            *usual("aclnnRepeatInterleaveIntWithDim"),
            Call({"self": T(shape=()), "dim": 0}, 161002, "self has no dimensions"),
            Call({"repeats": -1}, 161002, "repeats is -1; expected at least 0"),
            Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1"),
            Call({"output_size": 5}, 161002, "output_size is 5; expected 6"),
        ),
        plain={"repeats": 2, "dim": 1, "output_size": 6, "out": T(shape=(2, 6))},
    ),
    *(
        rows
        for name, kept in (("tril", torch.tril), ("triu", torch.triu))
        for rows in (
            Rows(
                op=name,
                known=tuple(
                    Known((MATRIX,), (kept(torch.tensor(MATRIX), k).tolist(),), {"diagonal": k},
                          NUMBERS if k == 0 else ("f32",))
                    for k in (0, 1, -1, 9)
                ) + tuple(
                    Known(([[1] * 4] * 4,), (kept(torch.ones(4, 4), k).tolist(),), {"diagonal": k},
                          ("bool",))
                    for k in (2, -1)
                ),
                calls=(
                    *usual(f"aclnn{name.capitalize()}"),
                    Call({"self": T(shape=(3,))}, 161002, "self has 1 dimensions; expected at"),
                ),
                in_place=f"inplace_{name}",
                plain={"diagonal": 0},
            ),
            Rows(f"inplace_{name}", (), in_place(f"aclnnInplace{name.capitalize()}"),
                 plain={"diagonal": 0}),
        )
    ),
    Rows(
        op="im2col",
        known=(
            Known(([MATRIX], (2, 2), (1, 1), (0, 0), (1, 1)),
                  ([[1, 2], [2, 3], [4, 5], [5, 6]],), dtypes=NUMBERS),
            Known(([MATRIX], (1, 2), (1, 1), (0, 1), (2, 2)), ([[0, 2], [1, 3]],)),
        ),
        calls=(
            Call({}),
            Call({"self": None}, 161001, "aclnnIm2col: self is null; expected a tensor"),
            Call({"out": None}, 161001, "out is null"),
            Call({"self": T("c64", (1, 3, 3))}, 161002, "self has dtype COMPLEX64"),
            Call({"self": T()}, 161002, "self has 2 dimensions; expected 3 or 4"),
            Call({"kernel_size": None}, 161001, "kernel_size is null"),
            Call({"kernel_size": (2,)}, 161002, "kernel_size is [2]; expected two numbers"),
            Call({"dilation": (0, 1)}, 161002, "dilation is [0, 1]; expected two numbers"),
            Call({"padding": (0, -1)}, 161002, "padding is [0, -1]; expected two numbers"),
            Call({"stride": (0, 1)}, 161002, "stride is [0, 1]; expected two numbers"),
            Call({"kernel_size": (9, 1)}, 161002, "the window stands at [-5, 3] places"),
            Call({"out": T(shape=(4, 5))}, 161002, "out has shape [4, 5]; expected [4, 4]"),
        ),
        plain={"kernel_size": (2, 2), "dilation": (1, 1), "padding": (0, 0), "stride": (1, 1),
               **IMAGE},
    ),
)  # fmt: skip
