"""Elements and slices written where tensors of indices say, below 0, repeated, outside; losses and
gradients by class; rotary position embedding."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from rows import FLOATS, NUMBERS, Call, Case, Known, Rows, S, T
from rows.lookups import FEW, MOST, positive
from rows.norms import numbers

Draw = Callable[[Any], dict[str, Any]]


def beside(
    draw: Draw, name: str, shape: tuple[int, ...], size: int, low: int | None = None
) -> Draw:
    """With indices of so many places, from their negatives on if nothing is said."""
    least = -size if low is None else low
    return lambda rng: {**draw(rng), name: np.asarray(rng.integers(least, size, shape))}


def slices(self: Any, dim: int, index: Any, source: Any) -> Any:
    return self.index_copy(dim, positive(index, self.shape[dim]), source)


def added(self: Any, dim: int, index: Any, source: Any, alpha: float = 1) -> Any:
    return self.index_add(dim, positive(index, self.shape[dim]), source, alpha=alpha)


def filled(self: Any, dim: int, index: Any, value: float) -> Any:
    index = torch.as_tensor(index)
    return self.index_fill(dim, positive(index, self.shape[dim]), value)


def scatter(self: Any, dim: int, index: Any, src: Any = None, value: Any = None,
            reduce: str = "none", reduction: str = "none") -> Any:  # fmt: skip
    index, how = positive(index, self.shape[dim]), reduce if reduce != "none" else reduction
    given = src if value is None else value
    return self.scatter(dim, index, given, **({} if how == "none" else {"reduce": how}))


def scatter_add(self: Any, dim: int, index: Any, src: Any) -> Any:
    return self.scatter_add(dim, positive(index, self.shape[dim]), src)


def index(self: Any, indices: Any) -> Any:
    return self[tuple(slice(None) if tuple(one.shape) == (0,) else one for one in indices)]


def index_put(self: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    places = tuple(slice(None) if tuple(one.shape) == (0,) else one for one in indices)
    found = self.clone()
    if not accumulate:
        found[places] = values
        return found
    each = [None if isinstance(one, slice) else one for one in places]
    return torch.ops.aten.index_put(found, each, values, True)


def listed(draw: Draw, *shapes: tuple[tuple[int, ...], int]) -> Draw:
    def made(rng: Any) -> dict[str, Any]:
        each = [np.asarray(rng.integers(-size, max(size, 1), shape)) for shape, size in shapes]
        return {**draw(rng), "indices": each}

    return made


def embedding_back(grad_output: Any, indices: Any, num_weights: int, padding_idx: int = -1,
                   scale_grad_by_freq: bool = False) -> Any:  # fmt: skip
    return torch.ops.aten.embedding_dense_backward(
        grad_output, indices, num_weights, padding_idx, scale_grad_by_freq
    )


REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


def nll(self: Any, target: Any, weight: Any, reduction: str = "mean",
        ignore_index: int = -100) -> Any:  # fmt: skip
    name = "nll_loss2d_forward" if self.dim() == 4 else "nll_loss_forward"
    forward = getattr(torch.ops.aten, name)
    return forward(self, target, weight, REDUCTIONS[reduction], ignore_index)


def nll_back(grad_output: Any, self: Any, target: Any, weight: Any, total_weight: Any,
             reduction: str = "mean", ignore_index: int = -100) -> Any:  # fmt: skip
    name = "nll_loss2d_backward" if self.dim() == 4 else "nll_loss_backward"
    back = getattr(torch.ops.aten, name)
    given = (self, target, weight, REDUCTIONS[reduction], ignore_index, total_weight)
    return back(grad_output, *given)


def _of_classes(shape: tuple[int, ...], rows: tuple[int, ...]) -> Draw:
    def draw(rng: Any) -> dict[str, Any]:
        return {"self": rng.normal(0, 3, shape), "target": rng.integers(0, 9, rows),
                "weight": rng.random(9) + 0.5}  # fmt: skip

    return draw


def _of_gradient(shape: tuple[int, ...], rows: tuple[int, ...], how: str) -> Draw:
    def draw(rng: Any) -> dict[str, Any]:
        grad = np.asarray(rng.normal(0, 3, rows if how == "none" else ()))
        total = {"total_weight": np.asarray(rng.random() + 5)}
        return {"grad_output": grad, **_of_classes(shape, rows)(rng), **total}

    return draw


def rope(x: Any, cos: Any, sin: Any, mode: str = "half") -> Any:
    if mode == "half":
        first, second = x.chunk(2, -1)
        return x * cos + torch.cat([-second, first], -1) * sin
    first, second = x[..., ::2], x[..., 1::2]
    turned = torch.stack([-second * sin[..., ::2], first * sin[..., 1::2]], -1)
    return x * cos + turned.reshape(x.shape)


def both(query: Any, key: Any, cos: Any, sin: Any) -> Any:
    return rope(query, cos, sin), rope(key, cos, sin)


def usual(
    c_name: str, *refused: Call, first: str = "self", index: str = "index"
) -> tuple[Call, ...]:
    return (
        Call({}),
        Call({first: None}, 161001, f"{c_name}: {first} is null; expected a tensor"),
        Call({first: T("c64")}, 161002, f"{first} has dtype COMPLEX64"),
        Call({index: T("f32")}, 161002, f"{index} has dtype FLOAT; expected INT32 or INT64"),
        *refused,
    )


DIM = Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1, as self has 2 dimensions")
SOURCE = Call({"source": T(shape=(3, 3))}, 161002, "source has shape [3, 3]; expected [4, 3]")
OUT = Call({"out": T("f16")}, 161002, "out has dtype FLOAT16")
SLICES = {"dim": 0, "index": T("s64", (4,)), "source": T(shape=(4, 3))}
LIST = {"dim": 0, "index": (0, -1), "value": S(2.0)}
X = numbers(self=(7, 6, 5), source=(7, 9, 5))
XS = numbers(self=(7, 60), src=(7, 70))
AT = {"dim": 1, "index": T("s64", (2, 3))}
LONG = Call({"index": T("s64", (3, 3))}, 161002, "index has shape [3, 3]; expected 2 dimensions")


def scatters(op: str, c_name: str, drawn: Draw, *attributes: dict[str, Any], **plain: Any) -> Rows:
    cases = tuple(
        Case(beside(drawn, "index", (7, 65), 60) if k == 0 else
             # PyTorch's order of products is not ours
             (lambda rng: {**drawn(rng), "index": rng.permutation(60)[None].repeat(7, 0)}),
             scatter, {"dim": 1, **one}, MOST if k == 0 else ("f32", "bf16"))
        for k, one in enumerate(attributes)
    )  # fmt: skip
    return Rows(op=op, known=(), calls=usual(c_name, DIM, LONG), plain={**AT, **plain},
                cases=cases, beyond={"index": 60})  # fmt: skip


ROWS = (
    Rows(
        op="index_copy", known=(), calls=usual("aclnnIndexCopy", DIM, SOURCE, OUT), plain=SLICES,
        beyond={"index": 6},
        cases=(Case(beside(X, "index", (9,), 6), slices, {"dim": 1}, MOST),
               Case(beside(numbers(self=(70, 40), source=(9, 40)), "index", (9,), 70), slices,
                    {"dim": 0}, FEW)),
    ),
    Rows(
        op="inplace_index_copy", known=(), calls=usual("aclnnInplaceIndexCopy", DIM, SOURCE),
        plain=SLICES, beyond={"index": 6},
        cases=(Case(beside(X, "index", (9,), 6), slices, {"dim": 1}, MOST),
               Case(beside(numbers(self=(70, 40), source=(0, 40)), "index", (0,), 70), slices,
                    {"dim": 0}, FEW)),
    ),
    Rows(
        op="index_add",
        known=(
            Known(([1e8, 0], 0, np.array([0, 0, 0]), [1, -1e8, 1]), ([2, 0],)),
            Known(([1, 1], 0, np.array([1, -1]), [3, 4]), ([1, 8],), {}, NUMBERS),
        ),
        calls=usual("aclnnIndexAdd", DIM, SOURCE, OUT), plain={**SLICES, "alpha": S(1.0)},
        beyond={"index": 6},
        cases=(Case(beside(X, "index", (9,), 6), added, {"dim": 1}, (*FLOATS, "f64", "s16")),
               Case(beside(numbers(self=(7,), source=(4000,)), "index", (4000,), 7), added,
                    {"dim": 0}, FLOATS),
               Case(beside(X, "index", (9,), 6), added, {"dim": 1, "alpha": 2.0}, ("f32",))),
    ),
    *(
        Rows(op=op, known=(), calls=usual(c_name, DIM), plain={**SLICES, "value": S(2.0)},
             beyond={"index": 6},
             cases=(Case(beside(numbers(self=(7, 6, 5)), "index", (4,), 6), filled,
                         {"dim": 1, "value": 3.5}, ("f32", "bf16", "f64")),
                    Case(beside(numbers(self=(7, 6, 0)), "index", (4,), 6), filled,
                         {"dim": 1, "value": 3.5}, ("f32",))))
        for op, c_name in (("index_fill", "aclnnIndexFill"),
                           ("inplace_index_fill", "aclnnInplaceIndexFill"))
    ),
    *(
        Rows(op=op, known=(),
             calls=(Call({}), DIM, Call({"self": None}, 161001, "self is null; expected a tensor"),
                    Call({"index": (2,)}, 161002, "index has 2; expected -2 to 1")),
             plain=LIST,
             cases=(Case(numbers(self=(7, 6, 5)), filled,
                         {"dim": 1, "index": [0, -1, 3], "value": 3.5}, ("f32", "f64")),))
        for op in ("index_fill_tensor", "inplace_index_fill_tensor")
    ),
    scatters("scatter", "aclnnScatter", XS, {}, {"reduce": "add"}, {"reduce": "multiply"},
             src=T(), reduce=0),
    scatters("inplace_scatter", "aclnnInplaceScatter", XS, {}, {"reduction": "add"}, src=T(),
             reduction=0),
    scatters("scatter_value", "aclnnScatterValue", numbers(self=(7, 60)), {"value": 2.5},
             {"value": 2.5, "reduction": "multiply"}, value=S(2.0), reduction=0),
    scatters("inplace_scatter_value", "aclnnInplaceScatterValue", numbers(self=(7, 60)),
             {"value": 2.5}, value=S(2.0), reduction=0),
    Rows(
        op="scatter_add",
        known=(Known(([1, 1], 0, np.array([1, -1]), [3, 4]), ([1, 8],), {}, NUMBERS),),
        calls=usual("aclnnScatterAdd", DIM, LONG), plain={**AT, "src": T()},
        beyond={"index": 60},
        cases=(Case(beside(XS, "index", (7, 65), 60), scatter_add, {"dim": 1},
                    (*FLOATS, "f64", "s64")),
               Case(beside(XS, "index", (5, 60), 7), scatter_add, {"dim": 0}, ("f32",))),
    ),
    Rows(
        op="index",
        known=(),
        calls=(Call({}), Call({"self": None}, 161001, "self is null; expected a tensor"),
               Call({"indices": (T("f32", (4,)),)}, 161002, "indices[0] has dtype FLOAT; expected"),
               Call({"indices": (T("f32", (0,)), T("s64", (4,))), "out": T(shape=(2, 4))}),
               Call({"indices": (T("f32", (0,)), T("s64", (0,))), "out": T(shape=(2, 0))}),
               Call({"indices": (T("f32", (0,)),)}, 161002, "expected ones that broadcast"),
               Call({"indices": ()}, 161002, "indices has 0 tensors; expected 1 to 2"),
               Call({"indices": (T("s64", (3,)), T("s64", (2,)))}, 161002, "indices have shapes"),
               Call({"out": T(shape=(5,))}, 161002, "out has shape [5]; expected [4, 3]")),
        plain={"indices": (T("s64", (4,)),), "out": T(shape=(4, 3))},
        cases=(
            Case(listed(numbers(self=(7, 6, 5)), ((9,), 7)), index, {}, MOST),
            Case(listed(numbers(self=(7, 6, 5)), ((0,), 1), ((4, 1), 6), ((3,), 5)), index),
            Case(listed(numbers(self=(7, 6, 5)), ((4, 1), 7), ((0,), 1), ((3,), 5)), index, {},
                 FEW),
        ),
    ),
    Rows(
        op="index_put_impl",
        known=(),
        calls=(Call({}), Call({"self": None}, 161001, "self is null; expected a tensor"),
               Call({"indices": ()}, 161002, "indices has 0 tensors; expected 1 to 2"),
               Call({"values": T(shape=(5,))}, 161002, "values has shape [5]; expected one that"),
               Call({"values": T("f16", (3,))}, 161002, "values has dtype FLOAT16")),
        plain={"indices": (T("s64", (4,)),), "values": T(shape=(3,)), "accumulate": False,
               "unsafe": False},
        cases=(
            Case(listed(numbers(self=(7, 6, 5), values=(9, 6, 5)), ((9,), 7)), index_put, {}, MOST),
            Case(listed(numbers(self=(7, 6, 5), values=(3,)), ((0,), 1), ((4, 1), 6), ((3,), 5)),
                 index_put, {"accumulate": True}, (*FLOATS, "f64")),
            Case(listed(numbers(self=(7, 6, 5), values=(4, 1, 6)), ((4, 1), 7), ((0,), 1),
                        ((3,), 5)), index_put, {"accumulate": True}, ("f32",)),
        ),
    ),
    Rows(
        op="embedding_dense_backward",
        known=(),
        calls=(Call({}), Call({"grad_output": None}, 161001, "grad_output is null"),
               Call({"indices": T("f32", (2,))}, 161002, "indices has dtype FLOAT; expected INT32"),
               Call({"grad_output": T(shape=(3, 3))}, 161002, "grad_output has shape [3, 3]"),
               Call({"out": T()}, 161002, "out has shape [2, 3]; expected [4, 3]")),
        plain={"indices": T("s64", (2,)), "out": T(shape=(4, 3)), "num_weights": 4,
               "padding_idx": -1, "scale_grad_by_freq": False},
        cases=(
            Case(beside(numbers(grad_output=(9, 4, 30)), "indices", (9, 4), 20, 0), embedding_back,
                 {"num_weights": 20}, FLOATS),
            Case(beside(numbers(grad_output=(90, 3)), "indices", (90,), 20, 0), embedding_back,
                 {"num_weights": 20, "padding_idx": 3}, ("f32",)),
            Case(beside(numbers(grad_output=(90, 3)), "indices", (90,), 20, 0), embedding_back,
                 {"num_weights": 20, "scale_grad_by_freq": True}, ("f32",)),
        ),
    ),
    *(
        Rows(op=op, known=(),
             calls=(Call({}), Call({"self": None}, 161001, "self is null; expected a tensor"),
                    Call({"target": T("f32", rows)}, 161002, "target has dtype FLOAT; expected"),
                    Call({"weight": T(shape=(2,))}, 161002, "weight has shape [2]; expected [3]"),
                    Call({"reduction": 3}, 161002, "reduction is 3; expected"),
                    Call({"out": T(shape=(7,))}, 161002, "out has shape [7]; expected [] or [1]")),
             plain={"self": T(shape=shape), "target": T("s64", rows), "weight": T(shape=(3,)),
                    "reduction": 1, "ignore_index": -100, "out": T(shape=()),
                    "total_weight": T(shape=())},
             cases=tuple(
                 Case(_of_classes(more, of), nll,
                      {"reduction": how, "ignore_index": ignored}, dtypes)
                 for how, ignored, dtypes in (("mean", -100, FLOATS), ("sum", 3, ("f32",)),
                                              ("none", 2, ("f32",)))
             ))
        for op, shape, rows, more, of in (
            ("n_l_l_loss", (2, 3), (2,), (40, 9), (40,)),
            ("n_l_l_loss2d", (2, 3, 1, 1), (2, 1, 1), (4, 9, 3, 5), (4, 3, 5)),
        )
    ),
    *(
        Rows(op=op, known=(),
             calls=(Call({}), Call({"self": None}, 161001, "self is null; expected a tensor"),
                    Call({"target": T("f32", rows)}, 161002, "target has dtype FLOAT; expected"),
                    Call({"weight": T(shape=(2,))}, 161002, "weight has shape [2]; expected [3]")),
             plain={"self": T(shape=shape), "target": T("s64", rows), "weight": T(shape=(3,)),
                    "reduction": 1, "ignore_index": -100, "grad_output": T(shape=()),
                    "total_weight": T(shape=()), "grad_input": T(shape=shape),
                    "out": T(shape=shape)},
             cases=tuple(
                 Case(_of_gradient(more, of, how), nll_back,
                      {"reduction": how, "ignore_index": ignored}, dtypes)
                 for how, ignored, dtypes in (("mean", -100, FLOATS), ("sum", 3, ("f32",)),
                                              ("none", 2, ("f32",)))
             ))
        for op, shape, rows, more, of in (
            ("n_l_l_loss_backward", (2, 3), (2,), (40, 9), (40,)),
            ("n_l_l_loss2d_backward", (2, 3, 1, 1), (2, 1, 1), (4, 9, 3, 5), (4, 3, 5)),
        )
    ),
    Rows(
        op="rotary_position_embedding",
        known=(),
        calls=(Call({}), Call({"x": None}, 161001, "x is null; expected a tensor"),
               Call({"x": T("s32", (2, 4))}, 161002, "x has dtype INT32"),
               Call({"x": T(), "out": T()}, 161002, "x has shape [2, 3]; expected an even size"),
               Call({"cos": T(shape=(3, 4))}, 161002, "cos has shape [3, 4]; expected x's, [2, 4]"),
               Call({"out": T()}, 161002, "out has shape [2, 3]; expected [2, 4]"),
               Call({"mode": 2}, 161002, "mode is 2; expected")),
        plain={"x": T(shape=(2, 4)), "cos": T(shape=(1, 4)), "sin": T(shape=(1, 4)), "mode": 0,
               "out": T(shape=(2, 4))},
        cases=tuple(
            Case(numbers(x=(2, 5, 3, 16), cos=(1, 5, 1, 16), sin=(1, 5, 1, 16)), rope,
                 {"mode": mode}) for mode in ("half", "interleave")
        ),
    ),
    Rows(
        op="apply_rotary_pos_emb",
        known=(),
        calls=(Call({}), Call({"query": None}, 161001, "query is null; expected a tensor"),
               Call({"key": T(shape=(2, 6))}, 161002, "cos has shape [1, 4]; expected key's"),
               Call({"layout": 2}, 161002, "layout is 2; expected")),
        plain={"query": T(shape=(2, 4)), "key": T(shape=(5, 4)), "cos": T(shape=(1, 4)),
               "sin": T(shape=(1, 4)), "layout": 1},
        cases=(
            Case(numbers(query=(2, 5, 3, 16), key=(2, 5, 1, 16), cos=(2, 5, 1, 16),
                         sin=(2, 5, 1, 16)), both),
        ),
    ),
)  # fmt: skip
