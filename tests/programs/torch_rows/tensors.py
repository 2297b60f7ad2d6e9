"""What is done with tensors alone: arithmetic, reductions, views, indices."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch
import torch.nn.functional as F

from torch_rows.row import Row, changed


def elementwise() -> Iterator[Row]:
    any_sign = (
        "abs", "neg", "exp", "exp2", "expm1", "sin", "cos", "tan", "atan", "sinh", "cosh",
        "asinh", "tanh", "sigmoid", "relu", "floor", "ceil", "round", "trunc", "frac",
        "sign", "square", "erf", "erfc", "isnan", "isinf", "isfinite", "signbit",
        "logical_not", "sinc", "deg2rad", "rad2deg", "positive", "sgn", "nan_to_num", "i0",
        "isneginf", "isposinf",
    )  # fmt: skip
    within = (
        "sqrt", "rsqrt", "log", "log2", "log10", "log1p", "asin", "acos", "atanh", "erfinv",
        "reciprocal", "logit",
    )  # fmt: skip
    for name in any_sign:
        yield Row(f"torch.{name}", lambda m, name=name: getattr(torch, name)(m(3, 5)))
    for name in within:
        yield Row(f"torch.{name}", lambda m, name=name: getattr(torch, name)(m.unit(3, 5)))
    yield Row("torch.acosh", lambda m: torch.acosh(m.unit(7) + 1))
    yield Row("torch.digamma", lambda m: torch.digamma(m.unit(7) + 1))
    yield Row("torch.lgamma", lambda m: torch.lgamma(m.unit(7) + 1))
    yield Row("torch.bitwise_not", lambda m: torch.bitwise_not(m.whole(7)))
    yield Row("abs of int64", lambda m: m.whole(7).abs())


def pairs() -> Iterator[Row]:
    floats = (
        "add", "sub", "mul", "div", "maximum", "minimum", "atan2", "fmod", "remainder",
        "floor_divide", "eq", "ne", "lt", "le", "gt", "ge", "fmax", "fmin", "hypot",
        "copysign", "logaddexp", "logaddexp2", "logical_and", "logical_or", "logical_xor",
    )  # fmt: skip
    for name in floats:
        yield Row(f"torch.{name}", lambda m, name=name: getattr(torch, name)(m(3, 5), m(3, 5)))
    for name in ["bitwise_and", "bitwise_or", "bitwise_xor", "add", "mul", "eq"]:
        yield Row(
            f"torch.{name} of int64",
            lambda m, name=name: getattr(torch, name)(m.whole(9), m.whole(9)),
        )
    yield Row("torch.pow", lambda m: m.unit(7).pow(m(7)))
    yield Row("add broadcasts", lambda m: m(3, 1, 5) + m(4, 1))
    yield Row("mul of two dtypes", lambda m: m(7) * m(7, dtype=torch.float16))
    yield Row("int64 and float32", lambda m: m.whole(7) * m(7))
    yield Row("add with alpha", lambda m: torch.add(m(7), m(7), alpha=3))
    yield Row("torch.lerp", lambda m: torch.lerp(m(7), m(7), m.unit(7)))
    yield Row("torch.addcmul", lambda m: torch.addcmul(m(7), m(7), m(7), value=0.5))
    yield Row("torch.addcdiv", lambda m: torch.addcdiv(m(7), m(7), m.unit(7), value=0.5))
    yield Row("torch.where", lambda m: torch.where(m.true(7), m(7), m(7)))
    yield Row("isclose", lambda m: torch.isclose(m(7), m(7)))
    yield Row("torch.equal", lambda m: torch.equal(m(7), m(7)))
    yield Row("torch.allclose", lambda m: torch.allclose(m.unit(7) + 1, m.unit(7) + 1))


def scalars() -> Iterator[Row]:
    yield Row("x + 1", lambda m: m(7) + 1)
    yield Row("1 - x", lambda m: 1 - m(7))
    yield Row("x * 2.5", lambda m: m(7) * 2.5)
    yield Row("x / 3", lambda m: m(7) / 3)
    yield Row("3 / x", lambda m: 3 / m(7))
    yield Row("x // 0.5", lambda m: m(7) // 0.5)
    yield Row("x % 0.3", lambda m: m(7) % 0.3)
    yield Row("x ** 2", lambda m: m(7) ** 2)
    yield Row("x ** 0.5", lambda m: m.unit(7) ** 0.5)
    yield Row("2 ** x", lambda m: 2 ** m(7))
    yield Row("x > 0", lambda m: m(7) > 0)
    yield Row("x == 3", lambda m: m.whole(7) == 3)
    yield Row("int64 / int", lambda m: m.whole(7) / 4)
    yield Row("int64 >> 1", lambda m: m.whole(7) >> 1)
    yield Row("clamp", lambda m: m(7).clamp(-0.5, 0.5))
    yield Row("clamp(min=)", lambda m: m(7).clamp(min=0.1))
    yield Row("clamp of a tensor", lambda m: m(7).clamp(max=m(7)))


def in_place() -> Iterator[Row]:
    changes: dict[str, Callable[[torch.Tensor], object]] = {
        "add_": lambda x: x.add_(1),
        "sub_": lambda x: x.sub_(x * 0.5),
        "mul_": lambda x: x.mul_(x),
        "div_": lambda x: x.div_(3),
        "neg_": lambda x: x.neg_(),
        "exp_": lambda x: x.exp_(),
        "sqrt_": lambda x: x.abs_().sqrt_(),
        "relu_": lambda x: x.relu_(),
        "sigmoid_": lambda x: x.sigmoid_(),
        "tanh_": lambda x: x.tanh_(),
        "clamp_": lambda x: x.clamp_(-1, 1),
        "zero_": lambda x: x.zero_(),
        "fill_": lambda x: x.fill_(2.5),
        "copy_": lambda x: x.copy_(x[0] * 2),
        "copy_ of a transposed": lambda x: x[:3, :3].copy_(x[:3, :3].t().clone()),
        "add_ to a view": lambda x: x[:, 1].add_(5),
        "mul_ of a transposed": lambda x: x.t().mul_(2),
        "floor_": lambda x: x.floor_(),
        "pow_": lambda x: x.pow_(2),
        "lerp_": lambda x: x.lerp_(x * 2, 0.25),
        "addcmul_": lambda x: x.addcmul_(x, x),
        "masked_fill_": lambda x: x.masked_fill_(x > 0, -1.0),
        "x[0] = 1": lambda x: x.__setitem__(0, 1.0),
        "x[:, 1:3] = 0": lambda x: x.__setitem__((slice(None), slice(1, 3)), 0),
        "x[::2] = x[1::2]": lambda x: x.__setitem__(slice(0, 2, 2), x[1:2].clone()),
        "x += 1": lambda x: x.__iadd__(1),
        "x -= y": lambda x: x.__isub__(x.clone()),
        "resize_": lambda x: x.resize_(2, 2),
    }
    for name, change in changes.items():
        yield Row(name, lambda m, change=change: changed(m(3, 5), change))


def creation() -> Iterator[Row]:
    yield Row("zeros", lambda m: torch.zeros(2, 3, device=m.device))
    yield Row("ones", lambda m: torch.ones(2, 3, device=m.device))
    yield Row("full", lambda m: torch.full((2, 3), 1.5, device=m.device))
    yield Row("full of int64", lambda m: torch.full((2, 3), 7, device=m.device))
    yield Row("arange", lambda m: torch.arange(7, device=m.device))
    yield Row("arange of floats", lambda m: torch.arange(0, 2, 0.25, device=m.device))
    yield Row("linspace", lambda m: torch.linspace(0, 1, 9, device=m.device))
    yield Row("logspace", lambda m: torch.logspace(0, 1, 5, device=m.device))
    yield Row("eye", lambda m: torch.eye(3, device=m.device))
    yield Row("zeros_like", lambda m: torch.zeros_like(m(3)))
    yield Row("ones_like", lambda m: torch.ones_like(m(3)))
    yield Row("full_like", lambda m: torch.full_like(m(3), 2))
    yield Row("new_zeros", lambda m: m(3).new_zeros(2, 2))
    yield Row("new_tensor", lambda m: m(3).new_tensor([1, 2]))
    yield Row("torch.tensor", lambda m: torch.tensor([[1.0, 2.0]], device=m.device))
    yield Row("empty has a shape", lambda m: torch.empty(2, 3, device=m.device).shape)
    yield Row("rand", lambda m: torch.rand(4, device=m.device).shape)
    yield Row("randn", lambda m: torch.randn(4, device=m.device).shape)
    yield Row("randint", lambda m: torch.randint(0, 5, (4,), device=m.device).shape)
    yield Row("randperm", lambda m: torch.randperm(4, device=m.device).sort().values)
    yield Row("normal_", lambda m: m(4).normal_().shape)
    yield Row("uniform_", lambda m: m(4).uniform_().shape)
    yield Row("bernoulli", lambda m: torch.bernoulli(m.unit(4)).shape)
    yield Row("dropout", lambda m: F.dropout(m(4), 0.5).shape)
    yield Row("multinomial", lambda m: torch.multinomial(m.unit(4), 2).shape)


def conversions() -> Iterator[Row]:
    for name in ["half", "bfloat16", "int", "long", "bool", "short", "char", "byte"]:
        yield Row(f"float32 to {name}", lambda m, name=name: getattr((m(7) * 9).abs(), name)())
    for dtype in (torch.float16, torch.bfloat16, torch.int32, torch.int64, torch.bool, torch.uint8):
        yield Row(
            f"{dtype} to float32".replace("torch.", ""),
            lambda m, dtype=dtype: (m(7) * 9).abs().to(dtype).float(),
        )
    yield Row("to another dtype and back", lambda m: m(7).to(torch.float16).to(m(7)))
    # torch_npu has no float64
    yield Row("float32 to double", lambda m: m(7).double().dtype == torch.float32, alone=True)
    yield Row("type_as", lambda m: m(7).type_as(m.whole(1)))
    yield Row("from the host and back", lambda m: m(3, 5).cpu())
    yield Row("a transposed one to the host", lambda m: m(3, 5).t().cpu())
    yield Row("a strided one to the host", lambda m: m(6, 6)[::2, 1::3].cpu())
    yield Row(
        "to the device, strided", lambda m: torch.arange(24.0).view(4, 6)[:, ::2].to(m.device)
    )
    yield Row("numpy", lambda m: m(3, 5).cpu().numpy().tolist())
    yield Row("complex", lambda m: torch.view_as_real(torch.complex(m(3), m(3))))


def reductions() -> Iterator[Row]:
    yield Row("sum", lambda m: m(3, 5).sum())
    yield Row("sum(1)", lambda m: m(3, 5).sum(1))
    yield Row("sum((0, 2), keepdim)", lambda m: m(3, 5, 2).sum((0, 2), keepdim=True))
    yield Row("sum of int32", lambda m: m.whole(9).int().sum())
    yield Row("sum of bool", lambda m: m.true(9).sum())
    yield Row("sum of a transposed", lambda m: m(3, 5).t().sum(0))
    yield Row("mean", lambda m: m(3, 5).mean())
    yield Row("mean(0)", lambda m: m(3, 5).mean(0))
    yield Row("max", lambda m: m(3, 5).max())
    yield Row("min", lambda m: m(3, 5).min())
    yield Row("max(1)", lambda m: tuple(m(3, 5).max(1)))
    yield Row("min(1)", lambda m: tuple(m(3, 5).min(1)))
    yield Row("amax", lambda m: m(3, 5).amax(0))
    yield Row("amin", lambda m: m(3, 5).amin(0))
    yield Row("aminmax", lambda m: tuple(m(3, 5).aminmax()))
    yield Row("argmax", lambda m: m(3, 5).argmax(1))
    yield Row("argmin", lambda m: m(3, 5).argmin())
    yield Row("prod", lambda m: m(5).prod())
    yield Row("prod(0)", lambda m: m(3, 5).prod(0))
    yield Row("all", lambda m: m.true(5).all())
    yield Row("any(0)", lambda m: m.true(3, 5).any(0))
    yield Row("std", lambda m: m(3, 5).std())
    yield Row("var(1)", lambda m: m(3, 5).var(1))
    yield Row("var_mean", lambda m: torch.var_mean(m(3, 5), 1))
    yield Row("norm", lambda m: m(3, 5).norm())
    yield Row("linalg.vector_norm", lambda m: torch.linalg.vector_norm(m(3, 5), 1, dim=1))
    yield Row("logsumexp", lambda m: m(3, 5).logsumexp(1))
    yield Row("cumsum", lambda m: m(3, 5).cumsum(1))
    yield Row("cumprod", lambda m: m(3, 5).cumprod(1))
    yield Row("cummax", lambda m: tuple(m(3, 5).cummax(1)))
    yield Row("sort", lambda m: tuple(m(3, 5).sort(1)))
    yield Row("argsort", lambda m: m(3, 5).argsort(1))
    yield Row("topk", lambda m: tuple(m(3, 5).topk(2)))
    yield Row("median", lambda m: m(5).median())
    yield Row("kthvalue", lambda m: tuple(m(5).kthvalue(2)))
    yield Row("count_nonzero", lambda m: m.true(5).count_nonzero())
    yield Row("nansum", lambda m: m(5).nansum())
    yield Row("unique", lambda m: m.whole(20).unique())
    yield Row("bincount", lambda m: m.whole(20, low=0).bincount())
    yield Row("histc", lambda m: m(20).histc(4, -2, 2))
    yield Row("trace", lambda m: m(4, 4).trace())
    yield Row("dist", lambda m: torch.dist(m(4), m(4)))


def views() -> Iterator[Row]:
    yield Row("t", lambda m: m(3, 5).t())
    yield Row("t, then a sum with itself", lambda m: m(4, 4).t() + m(4, 4))
    yield Row("permute, contiguous", lambda m: m(2, 3, 4).permute(2, 0, 1).contiguous())
    yield Row("transpose", lambda m: m(2, 3, 4).transpose(0, 2))
    yield Row("reshape of a transposed", lambda m: m(3, 4).t().reshape(6, 2))
    yield Row("view", lambda m: m(3, 4).view(2, 6))
    yield Row("view of another dtype", lambda m: m(4).view(torch.int32))
    yield Row("flatten", lambda m: m(2, 3, 4).flatten(1))
    yield Row("squeeze, unsqueeze", lambda m: m(3, 1).squeeze(1).unsqueeze(0))
    yield Row("expand", lambda m: m(3, 1).expand(3, 4) * 2)
    yield Row("repeat", lambda m: m(3).repeat(2, 2))
    yield Row("tile", lambda m: m(3).tile(3))
    yield Row("repeat_interleave", lambda m: m(3).repeat_interleave(2))
    yield Row("cat", lambda m: torch.cat([m(2, 3), m(1, 3)]))
    yield Row("cat of two dtypes", lambda m: torch.cat([m(2), m.whole(2)]))
    yield Row("stack", lambda m: torch.stack([m(3), m(3)], 1))
    yield Row("hstack", lambda m: torch.hstack([m(3), m(3)]))
    yield Row("split", lambda m: m(6, 2).split(4))
    yield Row("chunk", lambda m: m(6).chunk(3))
    yield Row("unbind", lambda m: m(2, 3).unbind())
    yield Row("narrow", lambda m: m(5, 3).narrow(0, 1, 2) + 1)
    yield Row("diagonal", lambda m: m(4, 4).diagonal() + 0)
    yield Row("diag", lambda m: m(3).diag())
    yield Row("diag_embed", lambda m: torch.diag_embed(m(3)))
    yield Row("as_strided", lambda m: m(12).as_strided((3, 2), (4, 1), 1) * 1)
    yield Row("unfold", lambda m: m(8).unfold(0, 4, 2) * 1)
    yield Row("movedim", lambda m: m(2, 3, 4).movedim(0, -1) * 1)
    yield Row("flip", lambda m: m(3, 4).flip(0, 1))
    yield Row("roll", lambda m: m(7).roll(2))
    yield Row("rot90", lambda m: m(3, 4).rot90())
    yield Row("tril", lambda m: m(4, 4).tril())
    yield Row("triu(1)", lambda m: m(4, 4).triu(1))
    yield Row("meshgrid", lambda m: torch.meshgrid(m(2), m(3), indexing="ij"))
    yield Row("F.pad", lambda m: F.pad(m(2, 3), (1, 2), value=4.0))
    yield Row("F.pad reflect", lambda m: F.pad(m(1, 2, 5), (2, 1), mode="reflect"))
    yield Row("F.pad replicate", lambda m: F.pad(m(1, 2, 5), (2, 1), mode="replicate"))
    yield Row("clone", lambda m: m(3, 4).t().clone())
    yield Row("F.unfold", lambda m: F.unfold(m(1, 2, 4, 4), 3))
    yield Row("F.fold", lambda m: F.fold(m(1, 18, 4), (4, 4), 3))


def indexing() -> Iterator[Row]:
    yield Row("x[0]", lambda m: m(3, 4)[0])
    yield Row("x[1, 2]", lambda m: m(3, 4)[1, 2])
    yield Row("x[:, 1]", lambda m: m(3, 4)[:, 1])
    yield Row("x[..., ::2]", lambda m: m(3, 4)[..., ::2])
    yield Row("x[1:]", lambda m: m(3, 4)[1:] * 1)
    yield Row("x[None]", lambda m: m(3)[None])
    yield Row("x[index]", lambda m: m(5, 2)[m.whole(4, low=0, high=5)])
    yield Row(
        "x[index, index]", lambda m: m(5, 5)[m.whole(4, low=0, high=5), m.whole(4, low=0, high=5)]
    )
    yield Row("x[mask]", lambda m: m(9)[m.true(9)])
    yield Row(
        "x[index] = y",
        lambda m: changed(m(5), lambda x: x.__setitem__(m.whole(1, low=0, high=5), 2.0)),
    )
    yield Row("x[mask] = 0", lambda m: changed(m(9), lambda x: x.__setitem__(x > 0, 0.0)))
    yield Row("masked_fill", lambda m: m(9).masked_fill(m.true(9), 1.5))
    yield Row("masked_select", lambda m: m(9).masked_select(m.true(9)))
    yield Row("index_select", lambda m: m(5, 3).index_select(0, m.whole(2, low=0, high=5)))
    yield Row("index_fill", lambda m: m(5).index_fill(0, torch.tensor([1], device=m.device), 3.0))
    yield Row("index_add", lambda m: m(5).index_add(0, m.whole(3, low=0, high=5), m(3)))
    yield Row(
        "index_copy", lambda m: m(5).index_copy(0, torch.tensor([1, 3], device=m.device), m(2))
    )
    yield Row("gather", lambda m: m(3, 5).gather(1, m.whole(3, 2, low=0, high=5)))
    yield Row("scatter", lambda m: m(3, 5).scatter(1, torch.tensor([[0, 2]], device=m.device), 1.0))
    yield Row(
        "scatter_add", lambda m: m(3, 5).scatter_add(1, m.whole(3, 2, low=0, high=5), m(3, 2))
    )
    yield Row("take", lambda m: m(9).take(m.whole(3, low=0, high=9)))
    yield Row("nonzero", lambda m: m.true(9).nonzero())
    yield Row("one_hot", lambda m: F.one_hot(m.whole(4, low=0, high=3), 3))
    yield Row("F.embedding", lambda m: F.embedding(m.whole(4, low=0, high=5), m(5, 3)))
    yield Row("isin", lambda m: torch.isin(m.whole(7), m.whole(3)))
    yield Row(
        "searchsorted", lambda m: torch.searchsorted(m(5).cpu().sort().values.to(m.device), m(3))
    )


ROWS = (elementwise, pairs, scalars, in_place, creation, conversions, reductions, views, indexing)
