"""Rules of shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openaclnn.base import tensors
from openaclnn.base.products import Product
from openaclnn.base.records import dataclass
from openaclnn.spec.rules.rule import Rule, all_of, listed, names_of_outputs, said

if TYPE_CHECKING:
    from openaclnn.spec.call import Call
    from openaclnn.spec.op import Op


@dataclass(frozen=True)
class MaxDims(Rule):
    """The named tensors have at most this many dimensions."""

    of: tuple[str, ...]
    limit: int = 8

    def complaint(self, call: Call) -> str | None:
        for label, tensor in call.of(self.of):
            count = len(tensor.shape)
            if count > self.limit:
                return f"{label} has {count} dimensions; expected at most {self.limit}"
        return None

    def sentence(self, op: Op, language: str) -> str:
        names = all_of(self.of, language)
        have = "have" if len(self.of) > 1 else "has"
        return said(
            language,
            f"{names} {have} at most {self.limit} dimensions",
            f"{names} 的维度不超过 {self.limit} 维",
        )


@dataclass(frozen=True)
class SameShape(Rule):
    """The named inputs and the outputs share one shape (on `broadcast_on`: as in Broadcast)."""

    of: tuple[str, ...]
    broadcast_on: tuple[Product, ...] = ()

    def complaint(self, call: Call) -> str | None:
        if call.product in self.broadcast_on:
            return Broadcast(self.of).complaint(call)
        (first, tensor), *others = call.of(self.of)
        written = [(given.label, given.tensor) for given in call.writes]
        for label, other in (*others, *written):
            if other.shape != tensor.shape:
                came, expected = list(other.shape), list(tensor.shape)
                return f"{label} has shape {came}; expected {expected}, as {first} has"
        return None

    def sentence(self, op: Op, language: str) -> str:
        out = names_of_outputs(op)
        names = all_of(list(dict.fromkeys((*self.of, *out))), language)
        text = said(language, f"{names} have the same shape", f"{names} 的 shape 相同")
        if self.broadcast_on:
            products, outs = listed(self.broadcast_on, language), all_of(out, language)
            text += said(
                language,
                f"; on {products} the inputs broadcast, and {outs} has the resulting shape",
                f"；在 {products} 上各输入可以广播，{outs} 的 shape 为广播后的 shape",
            )
        return text


@dataclass(frozen=True)
class Broadcast(Rule):
    """The named inputs broadcast, and the outputs have the shape that results."""

    of: tuple[str, ...]

    def complaint(self, call: Call) -> str | None:
        apart = Broadcastable(self.of).complaint(call)
        if apart is not None:
            return apart
        expected = tensors.broadcast(*(tensor.shape for _, tensor in call.of(self.of)))
        assert expected is not None
        for given in call.writes:
            if given.tensor.shape != expected:
                return (
                    f"{given.label} has shape {list(given.tensor.shape)}; expected "
                    f"{list(expected)}, the inputs' broadcast shape"
                )
        return None

    def sentence(self, op: Op, language: str) -> str:
        names, outs = all_of(self.of, language), all_of(names_of_outputs(op), language)
        return said(
            language,
            f"{names} broadcast, and {outs} has the resulting shape",
            f"{names} 可以相互广播，{outs} 的 shape 为广播后的 shape",
        )


@dataclass(frozen=True)
class Broadcastable(Rule):
    """The named inputs broadcast; the resulting shape is not checked."""

    of: tuple[str, ...]

    def complaint(self, call: Call) -> str | None:
        present = list(call.of(self.of))
        if tensors.broadcast(*(tensor.shape for _, tensor in present)) is not None:
            return None
        came = ", ".join(f"{label} has shape {list(tensor.shape)}" for label, tensor in present)
        return f"{came}; expected shapes that broadcast to a common one"

    def sentence(self, op: Op, language: str) -> str:
        names = all_of(self.of, language)
        return said(language, f"{names} broadcast", f"{names} 可以相互广播")


@dataclass(frozen=True)
class Into(Rule):
    """The named inputs broadcast to the shape of another tensor without changing it."""

    of: tuple[str, ...]
    shape_of: str

    def complaint(self, call: Call) -> str | None:
        expected = call[self.shape_of].shape
        for label, tensor in call.of(self.of):
            if tensors.broadcast(tensor.shape, expected) != expected:
                return (
                    f"{label} has shape {list(tensor.shape)}; expected one that broadcasts to "
                    f"{list(expected)}, which {self.shape_of} has"
                )
        return None

    def sentence(self, op: Op, language: str) -> str:
        names = all_of(self.of, language)
        verb = "broadcast" if len(self.of) > 1 else "broadcasts"
        return said(
            language,
            f"{names} {verb} to the shape of {self.shape_of}",
            f"{names} 可以广播为 {self.shape_of} 的 shape",
        )


@dataclass(frozen=True)
class ResultShape(Rule):
    """The outputs have the shapes of the results; with `or_one`, a single number may have shape
    [1]."""

    or_one: bool = False

    def complaint(self, call: Call) -> str | None:
        for label, tensor, result in call.outputs():
            if self.or_one and tensor is not None and (tensor.shape, result.shape) == ((1,), ()):
                continue
            if tensor is not None and tensor.shape != result.shape:
                return f"{label} has shape {list(tensor.shape)}; expected {list(result.shape)}"
        return None

    def sentence(self, op: Op, language: str) -> str:
        names = all_of(names_of_outputs(op), language)
        have = "have" if len(op.outputs) > 1 else "has"
        return said(language, f"{names} {have} the result's shape", f"{names} 的 shape 与结果相同")


@dataclass(frozen=True)
class ShapeOf(Rule):
    """A tensor has the shape of another one, or [0] if it may be `empty`."""

    of: str
    like: str
    empty: bool = False

    def complaint(self, call: Call) -> str | None:
        tensor, expected = call[self.of], call[self.like].shape
        if tensor is None or tensor.shape == expected or (self.empty and tensor.shape == (0,)):
            return None
        other = " or [0]" if self.empty else ""
        came = list(tensor.shape)
        return f"{self.of} has shape {came}; expected {list(expected)}, as {self.like} has{other}"

    def sentence(self, op: Op, language: str) -> str:
        if self.empty:
            return said(
                language,
                f"{self.of} has the shape of {self.like}, or [0]",
                f"{self.of} 的 shape 与 {self.like} 相同，或为 [0]",
            )
        return said(
            language,
            f"{self.of} has the shape of {self.like}",
            f"{self.of} 的 shape 与 {self.like} 相同",
        )


@dataclass(frozen=True)
class Halved(Rule):
    """A tensor is of even size along the dimension that an attribute names; others, named by
    `halves`, are half as long there and otherwise of its shape."""

    of: str
    dim: str
    halves: tuple[str, ...] = ()

    def complaint(self, call: Call) -> str | None:
        shape, dim = list(call[self.of].shape), call[self.dim]
        if not shape:
            return f"{self.of} has no dimensions; expected at least 1"
        if shape[dim] % 2:
            return f"{self.of} has size {shape[dim]} along dimension {dim}; expected an even one"
        shape[dim] //= 2
        for label, tensor in call.of(self.halves):
            if list(tensor.shape) != shape:
                return (
                    f"{label} has shape {list(tensor.shape)}; expected {shape}, half of {self.of} "
                    f"along dimension {dim}"
                )
        return None

    def sentence(self, op: Op, language: str) -> str:
        text = said(
            language,
            f"{self.of} is of even size along {self.dim}",
            f"{self.of} 在 {self.dim} 上的大小为偶数",
        )
        if self.halves:
            names = all_of(self.halves, language)
            text += said(
                language,
                f"; {names} is half as long there, and otherwise of its shape",
                f"；{names} 在该维度上的大小为其一半，其余维度相同",
            )
        return text


@dataclass(frozen=True)
class Channels(Rule):
    """A tensor has one element, or one for each channel (second dimension) of another tensor: as a
    vector, or with that tensor's number of dimensions, all others of size 1."""

    of: str
    tensor: str

    def _expected(self, call: Call) -> list[tuple[int, ...]]:
        shape = call[self.tensor].shape
        count = shape[1] if len(shape) > 1 else 1
        ones = [(1,) * dims for dims in range(len(shape) + 1)]
        return [(count,), (1, count, *[1] * (len(shape) - 2)), (1,), *ones]

    def complaint(self, call: Call) -> str | None:
        came = call[self.of].shape
        if came in self._expected(call):
            return None
        flat, whole, *_ = map(list, self._expected(call))
        other = f" or {whole}" if whole != flat else ""
        return (
            f"{self.of} has shape {list(came)}; expected [1], or {flat}{other}: one for each "
            f"channel of {self.tensor}"
        )

    def sentence(self, op: Op, language: str) -> str:
        return said(
            language,
            f"{self.of} has one element, or one for each channel of {self.tensor}, its second "
            "dimension",
            f"{self.of} 含 1 个元素，或 {self.tensor} 的每个通道（第二维）各 1 个",
        )


@dataclass(frozen=True)
class Joinable(Rule):
    """The tensors of a list have equal shapes except along the dimension that an attribute names;
    tensors of shape [0] do not count."""

    of: str
    dim: str

    def complaint(self, call: Call) -> str | None:
        every = [(label, t.shape) for label, t in call.of((self.of,))]
        if not every:
            return f"{self.of} is empty; expected at least one tensor"
        (first, shape), *others = [one for one in every if one[1] != (0,)] or every[:1]
        if not shape:
            return f"{first} has no dimensions; expected at least 1"
        dim = call[self.dim]
        if not -len(shape) <= dim < len(shape):
            return (
                f"{self.dim} is {dim}; expected {-len(shape)} to {len(shape) - 1}, as {first} has "
                f"{len(shape)} dimensions"
            )
        for label, other in others:
            if len(other) != len(shape) or _without(other, dim) != _without(shape, dim):
                return (
                    f"{label} has shape {list(other)}; expected {list(shape)}, as {first} has, but "
                    f"along dimension {dim}"
                )
        return None

    def sentence(self, op: Op, language: str) -> str:
        return said(
            language,
            f"the tensors of {self.of} have equal shapes but along {self.dim}, which is one of "
            "their dimensions; tensors of shape [0] do not count",
            f"{self.of} 中各张量除 {self.dim} 维外 shape 相同；shape 为 [0] 的张量不计",
        )


def _without(shape: tuple[int, ...], dim: int) -> list[int]:
    """A shape without one of its sizes."""
    return [size for k, size in enumerate(shape) if k != dim % len(shape)]
