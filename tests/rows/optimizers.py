"""Steps of optimizers, and other operators of no family."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from rows import FLOATS, NUMBERS, Call, Case, Known, Rows, S, T
from rows.counts import SOME, normal, tensors
from rows.families import binary_rows, unary

NAN, INF = math.nan, math.inf
ONE = ("beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon")
FIVE = {"lr": 0.01, "beta1": 0.9, "beta2": 0.99, "weight_decay": 0.1, "eps": 1e-3}


def moved(c_name: str, numbers: tuple[str, ...]) -> tuple[Call, ...]:
    return (
        Call({}),
        *(Call({name: None}, 161001, f"{name} is null") for name in ("var", "m", "v", "grad")),
        Call({"var": T("s32")}, 161002, f"{c_name}: var has dtype INT32"),
        Call({"grad": T("f16")}, 161002, "grad has dtype FLOAT16; expected FLOAT"),
        Call({"m": T(shape=(3,))}, 161002, "m has shape [3]; expected [2, 3]"),
        *(Call({name: T(shape=(2,))}, 161002, f"{name} has shape [2]; expected [] or [1]")
          for name in numbers[:2]),
    )  # fmt: skip


def state(largest: bool) -> Callable[[Any], dict[str, Any]]:
    """A parameter, its moments, a gradient, steps; the largest moment so far."""

    def draw(rng: Any) -> dict[str, Any]:
        found = {name: rng.normal(0, 1, (40,)) for name in ("var", "m", "grad")}
        found |= {name: rng.random(40) for name in ("v", *("max_grad_norm",) * largest)}
        return {**found, "step": rng.integers(0, 9, 1).astype(np.float64)}

    return draw


def adam_w(var: Any, m: Any, v: Any, grad: Any, step: Any, lr: float, beta1: float, beta2: float,
           weight_decay: float, eps: float, max_grad_norm: Any = None, amsgrad: bool = False,
           maximize: bool = False) -> Any:  # fmt: skip
    """One step of PyTorch's, its attributes rounded as float has them."""
    lr, beta1, beta2, decay, eps = (
        float(np.float32(one)) for one in (lr, beta1, beta2, weight_decay, eps)
    )
    p = torch.nn.Parameter(var.clone())
    optimizer = torch.optim.AdamW([p], lr, (beta1, beta2), eps, decay, amsgrad, maximize=maximize)
    optimizer.state[p] = {"step": step[0].clone(), "exp_avg": m.clone(), "exp_avg_sq": v.clone()}
    if amsgrad:
        optimizer.state[p]["max_exp_avg_sq"] = max_grad_norm.clone()
    p.grad = grad
    optimizer.step()
    known = optimizer.state[p]
    kept = known.get("max_exp_avg_sq", max_grad_norm)
    return p.detach(), known["exp_avg"], known["exp_avg_sq"], kept


V2 = {"max_grad_norm": None, "step": T(shape=(1,)), **FIVE, "amsgrad": False, "maximize": False}


ROWS = (
    Rows("apply_adam", (), moved("aclnnApplyAdam", ONE),
         plain={**dict.fromkeys(ONE, T(shape=(1,))), "use_locking": False, "use_nesterov": False}),
    Rows("apply_adam_w", (),
         (*moved("aclnnApplyAdamW", ONE),
          Call({"amsgrad": True}, 161002, "max_grad_norm is null; expected a tensor"),
          Call({"amsgrad": True, "max_grad_norm": T()})),
         plain={**dict.fromkeys((*ONE, "weight_decay"), T(shape=(1,))), "max_grad_norm": None,
                "amsgrad": False, "maximize": False}),
    Rows("apply_adam_w_v2", (),
         (*moved("aclnnApplyAdamWV2", ("step",)),
          Call({"step": T("s32", (1,))}, 161002, "step has dtype INT32; expected"),
          Call({"amsgrad": True}, 161002, "max_grad_norm is null; expected a tensor")),
         plain=V2,
         cases=(Case(state(False), adam_w, FIVE, ("f32",)),
                Case(state(True), adam_w, {**FIVE, "amsgrad": True, "maximize": True},
                     ("f32",)))),
    Rows("sinc",
         (Known(([0, -0.0, 0.5, 1, -2],), ([1, 1, 2 / math.pi, 0, 0],),
                dtypes=("f32",), within=2**-25),
          Known(([NAN, INF, -INF],), ([NAN, NAN, NAN],), dtypes=FLOATS),
          Known(([0],), ([1],), dtypes=("s32", "bool"), out="f32")),
         unary("aclnnSinc"),
         edges=(0.0, 1.0)),
    *binary_rows("x_log_y_tensor",
                 Known(([0, 0, 2], [-1, NAN, 1]), ([0, NAN, 0],), dtypes=FLOATS),
                 Known(([0, 3], [0, 0]), ([0, -INF],), dtypes=("f32",)),
                 oracle=torch.xlogy, dtypes=FLOATS, scalar="x_log_y_scalar_other",
                 of_numbers=(Known(([0, 2, NAN], 0), ([0, -INF, NAN],), dtypes=FLOATS),
                             Known(([3, 0], 1), ([0, 0],), dtypes=("f32", "f64")))),
    Rows("x_log_y_scalar_self",
         (Known((2, [1, 0]), ([0, -INF],), dtypes=("f32",)),
          Known((0, [NAN, 0]), ([NAN, 0],), dtypes=FLOATS)),
         (Call({}), Call({"self": None}, 161001, "self is null"),
          Call({"other": None}, 161001, "other is null"),
          Call({"other": T("c64")}, 161002, "other has dtype COMPLEX64"),
          Call({"out": T(shape=(3, 2))}, 161002, "out has shape [3, 2]")),
         plain={"self": S(2)}),
    Rows("swi_glu_grad",
         (Known(([1], [0, 100]), ([50, 0],), dtypes=FLOATS),
          Known(([[2]], [[0], [1]]), ([[1], [0]],), {"dim": 0}, ("f32",))),
         (*tensors("aclnnSwiGluGrad", "grad_output", "self", "out"),
          Call({"grad_output": T()}, 161002, "grad_output has shape [2, 3]"),
          Call({"self": T(shape=(2, 5))}, 161002, "self has size 5"),
          Call({"grad_output": T("f16", (2, 2))}, 161002, "FLOAT16")),
         plain={"grad_output": T(shape=(2, 2)), "self": T(shape=(2, 4)), "dim": 1,
                "out": T(shape=(2, 4))},
         cases=(Case(normal(grad_output=(5, 8), self=(5, 16)), lambda grad_output, self, **_:
                     torch.autograd.grad(gated(self.requires_grad_()), self, grad_output)[0],
                     dtypes=SOME),)),
    Rows("inplace_fill_diagonal",
         (Known(([[0, 1], [2, 3], [4, 5], [6, 7]], 9), ([[9, 1], [2, 9], [4, 5], [6, 7]],),
                dtypes=NUMBERS),
          Known(([[0, 1], [2, 3], [4, 5], [6, 7]], 9), ([[9, 1], [2, 9], [4, 5], [9, 7]],),
                {"wrap": True}),
          Known(([[0, 1], [2, 3]], NAN), ([[NAN, 1], [2, NAN]],), dtypes=FLOATS)),
         (Call({}), Call({"self": None}, 161001, "aclnnInplaceFillDiagonal: self is null"),
          Call({"fill_value": None}, 161001, "fill_value is null"),
          Call({"self": T("c64")}, 161002, "self has dtype COMPLEX64"),
          Call({"self": T(shape=(3,))}, 161002, "self has 1 dimensions; expected at least 2"),
          Call({"self": T(shape=(2, 2, 3))}, 161002, "self has shape [2, 2, 3]; expected one size"),
          Call({"self": T(shape=(2, 2, 2))})),
         plain={"fill_value": S(2), "wrap": False}),
    Rows("unfold_grad",
         (Known(([[1, 1], [1, 1]], (3,), 0, 2, 1), ([1, 2, 1],), dtypes=FLOATS),
          Known(([[2.0**24, 1], [1, 1]], (3,), 0, 2, 1), ([2.0**24, 2, 1],))),
         (Call({}), Call({"grad_in": None}, 161001, "aclnnUnfoldGrad: grad_in is null"),
          Call({"out": None}, 161001, "out is null"),
          Call({"grad_in": T("s32", (2, 3, 2))}, 161002, "grad_in has dtype INT32"),
          Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1"),
          Call({"size": 4}, 161002, "size is 4; expected 1 to 3"),
          Call({"step": 0}, 161002, "step is 0; expected at least 1"),
          Call({"grad_in": T(shape=(2, 2, 2))}, 161002, "grad_in has shape [2, 2, 2]; expected"),
          Call({"out": T(shape=(3, 2))}, 161002, "out has shape [3, 2]; expected [3, 3]")),
         plain={"grad_in": T(shape=(2, 3, 2)), "input_sizes": (3, 3), "dim": 0, "size": 2,
                "step": 1, "out": T(shape=(3, 3))},
         cases=(Case(normal(grad_in=(4, 3, 5, 3)), lambda grad_in, **how:
                     torch.ops.aten.unfold_backward(grad_in, *how.values()),
                     {"input_sizes": (4, 8, 5), "dim": 1, "size": 3, "step": 2}, dtypes=SOME),)),
)  # fmt: skip


def gated(x: Any) -> Any:
    first, second = x.chunk(2, -1)
    return torch.nn.functional.silu(first) * second
