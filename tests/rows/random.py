"""Random numbers: refusals here, distributions in tests/ops/test_random_numbers.py."""

from rows import FLOATS, Call, Known, Rows, S, T

STREAM = {"seed": 5, "offset": 0}
NINE = (1,) * 9


def filling(c_name: str, wrong: str) -> tuple[Call, ...]:
    return (
        Call({}),
        Call({"self": T(shape=(0, 3))}),
        Call({"self": T(shape=())}),
        Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
        Call({"self": T(wrong)}, 161002, f"{c_name}: self has dtype"),
        Call({"self": T(shape=NINE)}, 161002, "self has 9 dimensions"),
        Call({"self": T(strides=(0, 1))}, 161002, "self has two indices for one element"),
    )


def drawn(c_name: str, *tensors: str) -> tuple[Call, ...]:
    first = tensors[0]
    return (
        Call({}),
        Call({first: T("f16"), "out": T("f32")}),
        Call({first: None}, 161001, f"{c_name}: {first} is null; expected a tensor"),
        Call({"out": None}, 161001, "out is null"),
        Call({first: T("s32")}, 161002, f"{c_name}: {first} has dtype INT32"),
        Call({"out": T("s32")}, 161002, "out has dtype INT32"),
        Call({"out": T(shape=(3,))}, 161002, "out has shape [3]; expected [2, 3]"),
    )


ROWS = (
    Rows(
        op="inplace_normal",
        # no deviation: the mean
        known=(Known(([0, 0, 0],), ([2.5, 2.5, 2.5],), {"mean": 2.5, "std": 0.0, **STREAM},
                     (*FLOATS, "f64")),),
        calls=(
            *filling("aclnnInplaceNormal", "s32"),
            Call({"std": -1.0}, 161002, "std is -1; expected at least 0"),
        ),
        plain={"mean": 0.0, "std": 1.0, **STREAM},
    ),
    Rows("normal_tensor_tensor",
         (Known(([1, 2], [0, 0]), ([1, 2],), STREAM, (*FLOATS, "f64")),),
         drawn("aclnnNormalTensorTensor", "mean", "std"), plain=STREAM),
    Rows("normal_tensor_float", (Known(([1, 2],), ([1, 2],), {"std": 0.0, **STREAM}),),
         (*drawn("aclnnNormalTensorFloat", "mean"),
          Call({"std": -1.0}, 161002, "std is -1; expected at least 0")),
         plain={"std": 1.0, **STREAM}),
    Rows("normal_float_float", (),
         (Call({}), Call({"out": None}, 161001, "out is null"),
          Call({"out": T("s32")}, 161002, "out has dtype INT32"),
          Call({"std": -1.0}, 161002, "std is -1; expected at least 0")),
         plain={"mean": 0.0, "std": 1.0, **STREAM}),
    Rows("normal_float_tensor", (Known((3.0, [0, 0]), ([3, 3],), STREAM),),
         drawn("aclnnNormalFloatTensor", "std"), plain={"mean": 0.0, **STREAM}),
    Rows(
        op="inplace_uniform",
        known=(Known(([0, 0],), ([3, 3],), {"low": 3.0, "high": 3.0, **STREAM}, FLOATS),),
        calls=(
            *filling("aclnnInplaceUniform", "s32"),
            Call({"low": 2.0}, 161002, "from is 2 and to is 1; expected from to be at most to"),
        ),
        plain={"low": 0.0, "high": 1.0, **STREAM},
    ),
    Rows(
        op="inplace_random",
        known=(
            Known(([0, 0],), ([7, 7],), {"low": 7, "high": 8, **STREAM}, ("s64", "f32", "u8")),
            Known(([0],), ([-(2**63)],), {"low": -(2**63), "high": -(2**63) + 1, **STREAM},
                  ("s64",)),
        ),
        calls=(
            *filling("aclnnInplaceRandom", "c64"),
            Call({"high": 0}, 161002, "from is 0 and to is 0; expected from below to"),
        ),
        plain={"low": 0, "high": 9, **STREAM},
    ),
    Rows(
        op="inplace_bernoulli",
        known=(
            Known(([5, 5], 1.0), ([1, 1],), STREAM, (*FLOATS, "s8", "s64")),
            Known(([5, 5], 0.0), ([0, 0],), STREAM, (*FLOATS, "bool")),
        ),
        calls=(
            *filling("aclnnInplaceBernoulli", "c64"),
            Call({"prob": None}, 161001, "prob is null; expected a scalar"),
            Call({"prob": S(1.5)}, 161002, "prob is 1.5; expected a number from 0 to 1"),
        ),
        plain={"prob": S(0.5), **STREAM},
    ),
    Rows(
        op="inplace_bernoulli_tensor",
        known=(Known(([5, 5, 5], [1, 0, 1]), ([1, 0, 1],), STREAM, (*FLOATS, "f64")),),
        calls=(
            Call({}),
            Call({"self": None}, 161001, "aclnnInplaceBernoulliTensor: self is null"),
            Call({"self": T("c64")}, 161002, "self has dtype COMPLEX64"),
            Call({"self": T(shape=NINE)}, 161002, "self has 9 dimensions"),
            Call({"prob": T(shape=(3,))}),
            Call({"prob": None}, 161001, "prob is null"),
            Call({"prob": T("s32")}, 161002, "prob has dtype INT32"),
            Call({"prob": T(shape=(2, 2))}, 161002, "prob has shape [2, 2]"),
        ),
        plain=STREAM,
    ),
    *(
        Rows(
            op=name,
            known=(Known(((3,), 0.0), ([255] * 16,), {**STREAM, **more}, out="u8"),),
            calls=(
                Call({}),
                Call({"mask": None}, 161001, "mask is null"),
                Call({"shape_array": None}, 161001, "shape_array is null"),
                Call({"mask": T("f32", (16,))}, 161002, "mask has dtype FLOAT; expected UINT8"),
                Call({"mask": T("u8", (1,))}, 161002, "mask has shape [1]; expected [16]"),
                Call({"p": 2.0}, 161002, "p is 2; expected a number from 0 to 1"),
                Call({"shape_array": (-1, 2)}, 161002, "shape_array is [-1, 2]; expected sizes"),
            ),
            plain={"shape_array": (2, 3), "p": 0.5, **STREAM, **more, "mask": T("u8", (16,))},
        )
        for name, more in (
            ("dropout_gen_mask", {}),
            ("dropout_gen_mask_v2", {"prob_data_type": "float32"}),
        )
    ),
    Rows(
        op="dropout_do_mask",
        known=(),
        calls=(
            Call({}),
            Call({"grad_output": None}, 161001, "grad_output is null"),
            Call({"mask": None}, 161001, "mask is null"),
            Call({"out": None}, 161001, "out is null"),
            Call({"grad_output": T("s32")}, 161002, "grad_output has dtype INT32"),
            Call({"mask": T("s8", (16,))}, 161002, "mask has dtype INT8; expected UINT8"),
            Call({"mask": T("u8", (32,))}, 161002, "mask has shape [32]; expected [16]"),
            Call({"out": T(shape=(3, 2))}, 161002, "out has shape [3, 2]; expected [2, 3]"),
            Call({"scale": -1.0}, 161002, "scale is -1; expected a number from 0 to 1"),
        ),
        plain={"scale": 0.5, "mask": T("u8", (16,))},
    ),
)  # fmt: skip
