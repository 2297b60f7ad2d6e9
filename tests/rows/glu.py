"""The first half times the sigmoid of the second."""

import torch

from rows import FLOATS, Call, Known, Rows, T

EVEN = T(shape=(2, 4))

ROWS = (
    Rows(
        op="glu",
        known=(
            Known(([[4, 8, 0, 100]],), ([[2, 8]],), dtypes=FLOATS),
            Known(([[4, 8], [0, 100]],), ([[2, 8]],), {"dim": 0}, FLOATS),
        ),
        calls=(
            Call({"self": EVEN, "out": T(shape=(2, 2))}),
            Call({"self": EVEN, "out": T(shape=(1, 4)), "dim": 0}),
            Call({"self": None}, 161001, "self is null"),
            Call({"out": None}, 161001, "out is null"),
            Call({"self": T("s32", (2, 4))}, 161002, "self has dtype INT32"),
            Call({"self": T()}, 161002, "self has size 3 along dimension -1; expected an even one"),
            Call({"self": EVEN, "dim": 2}, 161002, "dim is 2; expected -2 to 1"),
            Call({"self": T(shape=()), "dim": 0}, 161002, "self has no dimensions"),
            Call({"self": EVEN}, 161002, "out has shape [2, 3]; expected [2, 2]"),
        ),
        oracle=lambda x, dim=-1: torch.nn.functional.glu(x, dim),
        plain={"dim": -1},
    ),
    Rows(
        op="glu_backward",
        known=(Known(([[8]], [[3, 0]]), ([[4, 6]],), dtypes=FLOATS),),
        calls=(
            Call({"grad_out": T(shape=(2, 2)), "self": EVEN, "out": EVEN}),
            Call({"grad_out": None}, 161001, "grad_out is null"),
            Call({"self": T("f16")}, 161002, "self has dtype FLOAT16; expected FLOAT"),
            Call({"self": EVEN, "out": EVEN}, 161002, "expected [2, 2], half of self"),
            Call({"grad_out": T(shape=(2, 2)), "self": EVEN}, 161002, "out has shape [2, 3]"),
        ),
        plain={"dim": -1},
    ),
)
