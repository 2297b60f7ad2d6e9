"""Products of matrices and vectors."""

import math

import numpy as np

from rows import FLOATS, INTEGERS, Call, Known, Rows, S, T

A, B = [[1, 2, 3], [4, 5, 6]], [[1, 0], [0, 1], [1, 1]]
AB = [[4, 5], [10, 11]]
NUMBERS = (*FLOATS, "f64", *INTEGERS)
# 2^-60 beside 1: what float64 adds up to is a tie of float32
TIE = [[1, 2.0**-24, 2.0**-60]]
BEYOND = [[3e38, 3e38, -3e38]]

WEIGHT = np.array([[1, -1], [0, 0], [1, -1]], np.int8)
TALL, MORE = np.array([[64], [1], [1]], np.int8), np.array([1984], np.float16)

KEPT = {"cube_math_type": 0}
FACTORS = {"beta": S(1), "alpha": S(1)}
SUM = {**FACTORS, **KEPT}


def factor(name: str, c_name: str, wrong: tuple[int, ...]) -> tuple[Call, ...]:
    """What every factor is refused for."""
    return (
        Call({name: None}, 161001, f"{c_name}: {name} is null; expected a tensor"),
        Call({name: T("c64")}, 161002, f"{c_name}: {name} has dtype COMPLEX64"),
        Call({name: T(shape=wrong)}, 161002, f"{name} has {len(wrong)} dimensions; expected"),
    )


def calls(
    c_name: str, first: str, second: str, wrong: tuple[int, ...] = (2, 3, 4, 5)
) -> tuple[Call, ...]:
    known = "self" if first != "self" and second != "tensor" else first
    return (
        Call({}),
        *factor(first, c_name, wrong),
        *factor(second, c_name, wrong),
        Call({second: T("s32")}, 161002, f"{second} has dtype INT32, {known} has FLOAT; expected"),
    )


CUBE = (
    Call({"cube_math_type": 3}),
    Call({"cube_math_type": 4}, 161002, "cube_math_type is 4; expected 0 (keep_dtype)"),
)

ROWS = (
    Rows(
        op="mm",
        known=(
            Known((A, B), (AB,), dtypes=NUMBERS),
            Known((TIE, [[1], [1], [1]]), ([[1 + 2.0**-23]],)),
            Known((TIE, [[1], [1], [-1]]), ([[1]],)),
            Known(([[1, 2.0**-24]], [[1], [1]]), ([[1]],)),
            Known((BEYOND, [[1], [1], [1]]), ([[3e38]],)),
            Known((BEYOND, [[1], [1], [-1]]), ([[math.inf]],)),
            Known(([[1e-30]], [[1e-15]]), ([[1e-45]],)),
            Known(([[math.inf, 1]], [[0], [1]]), ([[math.nan]],)),
            Known(([[math.inf, -1]], [[1], [math.inf]]), ([[math.nan]],)),
            Known(([[math.inf, 1]], [[1], [5]]), ([[math.inf]],)),
            Known(([[-1.0]], [[0.0]]), ([[0.0]],)),
            Known(([[100, 100]], [[1], [1]]), ([[-56]],), dtypes=("s8",)),
            Known(([[255, 1]], [[257], [0]]), ([[65535]],)),
        ),
        calls=(
            *calls("aclnnMm", "self", "mat2"),
            *CUBE,
            Call({"out": None}, 161001, "out is null"),
            Call({"mat2": T(shape=(2, 2))}, 161002, "mat2 has shape [2, 2]; expected 3 along"),
            Call({"out": T(shape=(3, 3))}, 161002, "out has shape [3, 3]; expected [2, 2]"),
            Call({"out": T("s32", (2, 2))}, 161002, "out has dtype INT32; expected one that"),
            Call({"self": T("f16"), "mat2": T("f16", (3, 2))}),
            Call({"self": T("f16")}),
        ),
        plain={**KEPT, "mat2": T(shape=(3, 2)), "out": T(shape=(2, 2))},
    ),
    Rows(
        op="matmul",
        known=(
            Known((A, B), (AB,), dtypes=NUMBERS),
            Known(([1, 2, 3], B), ([4, 5],)),
            Known((A, [1, 0, 1]), ([4, 10],)),
            Known(([1, 2, 3], [1, 0, 1]), ([4],)),
            Known(([A, A], B), ([AB, AB],)),
            Known((A, [B, B]), ([AB, AB],)),
            Known(([[A], [A]], [B, B]), ([[AB, AB], [AB, AB]],)),
        ),
        calls=(
            Call({}),
            *CUBE,
            Call({"self": None}, 161001, "aclnnMatmul: self is null; expected a tensor"),
            Call({"mat2": T("c64")}, 161002, "aclnnMatmul: mat2 has dtype COMPLEX64"),
            Call({"mat2": T("s32")}, 161002, "mat2 has dtype INT32, self has FLOAT; expected"),
            Call({"mat2": T(shape=())}, 161002, "mat2 has no dimensions; expected at least 1"),
            Call({"mat2": T(shape=(2, 2))}, 161002, "mat2 has shape [2, 2]; expected 3 along"),
            Call({"self": T(shape=(2, 2, 3)), "mat2": T(shape=(3, 3, 2))}, 161002,
                 "expected dimensions before the last two that broadcast"),
            Call({"self": T(shape=(1,) * 9)}, 161002, "self has 9 dimensions"),
            Call({"out": T(shape=(2,))}, 161002, "out has shape [2]; expected [2, 2]"),
        ),
        plain={**KEPT, "mat2": T(shape=(3, 2)), "out": T(shape=(2, 2))},
    ),
    Rows(
        op="batch_mat_mul",
        known=(
            Known(([A, A], [B, B]), ([AB, AB],), dtypes=NUMBERS),
            Known(([A], [B, B]), ([AB, AB],)),
            Known(([A, A], [B]), ([AB, AB],)),
        ),
        calls=(
            *calls("aclnnBatchMatMul", "self", "mat2"),
            *CUBE,
            Call({"self": T(shape=(3, 2, 3))}, 161002, "expected 3 along dimension 0, as self has"),
        ),
        plain={**KEPT, "self": T(shape=(2, 2, 3)), "mat2": T(shape=(2, 3, 2)),
               "out": T(shape=(2, 2, 2))},
    ),
    Rows(
        op="mv",
        known=(Known((A, [1, 0, 1]), ([4, 10],), dtypes=NUMBERS),),
        calls=(*calls("aclnnMv", "self", "vec"), *CUBE),
        plain={**KEPT, "vec": T(shape=(3,)), "out": T(shape=(2,))},
    ),
    Rows(
        op="dot",
        known=(
            Known(([1, 2, 3], [4, 5, 6]), ([32],), dtypes=NUMBERS),
            Known(([], []), ([0],)),
            Known(([1e20, 1, -1e20], [1, 1, 1]), ([1],)),
        ),
        calls=calls("aclnnDot", "self", "tensor"),
        plain={"self": T(shape=(3,)), "tensor": T(shape=(3,)), "out": T(shape=())},
    ),
    Rows(
        op="ger",
        known=(Known(([1, 2], [3, 4]), ([[3, 4], [6, 8]],), dtypes=NUMBERS),),
        calls=calls("aclnnGer", "self", "vec2"),
        plain={"self": T(shape=(2,)), "vec2": T(shape=(3,)), "out": T(shape=(2, 3))},
    ),
    Rows(
        op="addmm",
        known=(
            Known(([[1, 1]], A, B), ([[5, 6], [11, 12]],), dtypes=NUMBERS),
            Known(([[2, 4], [6, 8]], A, B), ([[9, 12], [23, 26]],), {"beta": 0.5, "alpha": 2}),
            Known(([[math.nan]], A, B), (AB,), {"beta": 0}),
            # products with alpha need more than 53 bits
            Known(([[1]], [[1 + 2.0**-23]], [[1 + 2.0**-23]]), ([[2 + 2.0**-22]],),
                  {"alpha": 1 - 2.0**-24}),
            Known(([[-(2.0**24)]], [[2.0**24, 2.0**-24]], [[1], [1]]), ([[2.0**-24]],)),
        ),
        calls=(
            *calls("aclnnAddmm", "mat1", "mat2"),
            *CUBE,
            Call({"self": T(shape=(3,))}, 161002, "self has shape [3]; expected one that broad"),
            Call({"self": T(shape=())}),
        ),
        plain={**SUM, "self": T(shape=(2,)), "mat1": T(), "mat2": T(shape=(3, 2)),
               "out": T(shape=(2, 2))},
        in_place="inplace_addmm",
    ),
    Rows(
        op="gemm",
        known=(
            Known((A, B, [[1, 1]]), ([[5, 6], [11, 12]],), dtypes=FLOATS),
            Known((A, B, [[2, 4], [6, 8]]), ([[9, 12], [23, 26]],), {"beta": 0.5, "alpha": 2.0}),
            Known((A, B, [[math.nan]]), (AB,), {"beta": 0.0}),
            Known(([[1, 2]], [[3, 4]], [1]), ([[12]],), {"trans_b": 1}),
            Known(([[1], [2]], [[3], [4]], [1]), ([[12]],), {"trans_a": 1}),
            Known(([[1], [2]], [[3, 4]], [1]), ([[12]],), {"trans_a": 1, "trans_b": 1}),
        ),
        calls=(
            Call({}),
            Call({"a": T(shape=(3, 2)), "trans_a": 1}),
            Call({"b": T(shape=(2, 3)), "trans_b": 1}),
            Call({"c": T(shape=())}),
            *CUBE,
            Call({"a": None}, 161001, "aclnnGemm: a is null; expected a tensor"),
            Call({"c": None}, 161001, "c is null"),
            Call({"out": None}, 161001, "out is null"),
            Call({"a": T("s32")}, 161002, "a has dtype INT32; expected FLOAT"),
            Call({"trans_a": 2}, 161002, "trans_a is 2"),
            Call({"a": T(shape=(3,))}, 161002, "a has 1 dimensions; expected 2"),
            Call({"trans_b": 1}, 161002, "b has shape [3, 2]; expected 3 along dimension 1, as a"),
            Call({"c": T(shape=(3,))}, 161002, "c has shape [3]; expected one that broadcasts"),
            Call({"out": T(shape=(2, 3))}, 161002, "out has shape [2, 3]; expected [2, 2]"),
        ),
        plain={"b": T(shape=(3, 2)), "c": T(shape=(2,)), "alpha": 1.0, "beta": 1.0, "trans_a": 0,
               "trans_b": 0, "cube_math_type": 0, "out": T(shape=(2, 2))},
    ),
    Rows(
        op="inplace_addmm",
        known=(),
        calls=(*calls("aclnnInplaceAddmm", "mat1", "mat2"), *CUBE),
        plain={**SUM, "self": T(shape=(2, 2)), "mat1": T(), "mat2": T(shape=(3, 2))},
    ),
    Rows(
        op="addmv",
        known=(
            Known(([1, 2], A, [1, 0, 1]), ([5, 12],), dtypes=NUMBERS),
            Known(([1], A, [1, 0, 1]), ([9, 21],), {"alpha": 2}),
        ),
        calls=(*calls("aclnnAddmv", "mat", "vec"), *CUBE),
        plain={**SUM, "self": T(shape=(2,)), "mat": T(), "vec": T(shape=(3,)),
               "out": T(shape=(2,))},
    ),
    Rows(
        op="addr",
        known=(Known(([1, 1], [1, 2], [3, 4]), ([[4, 5], [7, 9]],), dtypes=NUMBERS),),
        calls=calls("aclnnAddr", "vec1", "vec2"),
        plain={**FACTORS, "self": T(shape=(3,)), "vec1": T(shape=(2,)), "vec2": T(shape=(3,)),
               "out": T()},
        in_place="inplace_addr",
    ),
    Rows(
        op="inplace_addr",
        known=(),
        calls=calls("aclnnInplaceAddr", "vec1", "vec2"),
        plain={**FACTORS, "self": T(), "vec1": T(shape=(2,)), "vec2": T(shape=(3,))},
    ),
    Rows(
        op="baddbmm",
        known=(Known(([[[1, 1]]], [A, A], [B, B]), ([[[5, 6], [11, 12]]] * 2,), dtypes=NUMBERS),),
        calls=(*calls("aclnnBaddbmm", "batch1", "batch2"), *CUBE),
        plain={**SUM, "self": T(shape=(2, 2, 2)), "batch1": T(shape=(2, 2, 3)),
               "batch2": T(shape=(2, 3, 2)), "out": T(shape=(2, 2, 2))},
        in_place="inplace_baddbmm",
    ),
    Rows(
        op="inplace_baddbmm",
        known=(),
        calls=(*calls("aclnnInplaceBaddbmm", "batch1", "batch2"), *CUBE),
        plain={**SUM, "self": T(shape=(2, 2, 2)), "batch1": T(shape=(2, 2, 3)),
               "batch2": T(shape=(2, 3, 2))},
    ),
    Rows(
        op="addbmm",
        known=(
            Known(([[1, 1]], [A, A], [B, B]), ([[9, 11], [21, 23]],), dtypes=NUMBERS),
            Known(([[1]], [[[1e20]], [[-1e20]]], [[[1]], [[1]]]), ([[1]],)),
        ),
        calls=(*calls("aclnnAddbmm", "batch1", "batch2"), *CUBE),
        plain={**SUM, "self": T(shape=(2, 2)), "batch1": T(shape=(2, 2, 3)),
               "batch2": T(shape=(2, 3, 2)), "out": T(shape=(2, 2))},
    ),
    Rows(
        op="weight_quant_batch_matmul_v2",
        known=(
            Known((A, WEIGHT, [2, 1]), ([[8, -4], [20, -10]],), dtypes=("f16", "bf16")),
            Known((A, WEIGHT, [2]), ([[8, -8], [20, -20]],), dtypes=("bf16", "f16")),
            Known((A, WEIGHT, [2, 1], [1, -1]), ([[20, -10], [50, -25]],), dtypes=("f16", "bf16")),
            # 2048 + 1 is a tie of f16, and 2^-20 more decides
            Known(([[1, 1, 0]], TALL, [1]), ([[2048]],), {"bias": MORE}, ("f16",)),
            Known(([[1, 1, 2.0**-20]], TALL, [1]), ([[2050]],), {"bias": MORE}, ("f16",)),
            Known(([[1, 1, 2.0**-20]], TALL, [1], [0]), ([[2050]],), {"bias": MORE}, ("f16",)),
        ),
        calls=(
            Call({}),
            Call({"x": None}, 161001, "x is null; expected a tensor"),
            Call({"weight": None}, 161001, "weight is null; expected a tensor"),
            Call({"x": T("f32", (2, 3))}, 161002, "x has dtype FLOAT; expected FLOAT16 or BF"),
            Call({"weight": T("u8", (3, 2))}, 161002, "weight has dtype UINT8; expected INT8"),
            Call({"bias": T("s8", (2,))}, 161002, "bias has dtype INT8; expected FLOAT16"),
            Call({"quant_scale": T("f32", (2,))}, 161002, "quant_scale has shape [2]; expec"),
            Call({"quant_offset": T("f32", (2,))}, 161002, "quant_offset has shape [2]; expected"),
            Call({"x": T("f16", (2, 3, 1))}, 161002, "x has 3 dimensions; expected 2"),
            Call({"weight": T("s8", (2, 2))}, 161002, "weight has shape [2, 2]; expected 3 along"),
            Call({"antiquant_group_size": 2}, 161002, "antiquant_group_size is 2; expected 0 or"),
            Call({"antiquant_scale": T("f16", (3,))}, 161002,
                 "antiquant_scale has shape [3]; expected [1] or [2] or [1, 2] or [1, 1]"),
            Call({"antiquant_offset": T("f16", (2, 2))}, 161002, "antiquant_offset has shape"),
            Call({"bias": T("f16", (3,))}, 161002, "bias has shape [3]; expected [2] or [1, 2]"),
            Call({"y": T("f16", (3, 3))}, 161002, "y has shape [3, 3]; expected [2, 2]"),
            Call({"y": T("bf16", (2, 2))}, 161002, "y has dtype BF16; expected FLOAT16"),
        ),
        plain={"x": T("f16"), "weight": T("s8", (3, 2)), "antiquant_scale": T("f16", (2,)),
               "antiquant_offset": None, "quant_scale": None, "quant_offset": None, "bias": None,
               "antiquant_group_size": 0, "y": T("f16", (2, 2))},
    ),
    Rows(
        op="weight_quant_batch_matmul_v3",
        known=(Known((A, WEIGHT, [2, 1]), ([[8, -4], [20, -10]],), dtypes=("f16", "bf16")),),
        calls=(
            Call({}),
            Call({"inner_precise": 1}),
            Call({"inner_precise": 2}, 161002, "inner_precise is 2; expected 0 (high_precision)"),
            Call({"x": T("f32", (2, 3))}, 161002, "x has dtype FLOAT; expected FLOAT16 or BF16"),
        ),
        plain={"x": T("f16"), "weight": T("s8", (3, 2)), "antiquant_scale": T("f16", (2,)),
               "antiquant_offset": None, "quant_scale": None, "quant_offset": None, "bias": None,
               "antiquant_group_size": 0, "inner_precise": 0, "y": T("f16", (2, 2))},
    ),
    Rows(
        op="trans_matmul_weight",
        known=(Known((A,), (A,), dtypes=FLOATS),),
        calls=(
            Call({}),
            Call({"mm_weight": None}, 161001, "mm_weight is null; expected a tensor"),
            Call({"mm_weight": T("s32")}, 161002, "mm_weight has dtype INT32; expected FLOAT16"),
            Call({"mm_weight": T(shape=(1,) * 7)}, 161002, "mm_weight has 7 dimensions; expected"),
        ),
    ),
)  # fmt: skip
