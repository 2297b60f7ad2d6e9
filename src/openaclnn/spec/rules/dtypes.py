"""Rules of dtypes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openaclnn.base.dtypes import BF16, DT_UNDEFINED, DType, converts
from openaclnn.base.products import Product
from openaclnn.base.records import dataclass
from openaclnn.spec.rules.rule import Rule, all_of, any_of, listed, names_of_outputs, said

if TYPE_CHECKING:
    from openaclnn.spec.call import Call
    from openaclnn.spec.op import Op


class _OfTypes(Rule):
    of_types = True


@dataclass(frozen=True)
class Dtypes(_OfTypes):
    """The named tensors (or scalars) have one of these dtypes, BF16 only where the chip has it.
    `lacks_complex`: the real library takes complex numbers, too."""

    of: tuple[str, ...]
    allowed: tuple[DType, ...]
    lacks_complex: bool = False

    def complaint(self, call: Call) -> str | None:
        product = call.product
        allowed = [dtype for dtype in self.allowed if product.bf16 or dtype is not BF16]
        for label, value in call.of(self.of):
            if value.dtype not in allowed:
                where = f" on {product.name}" if value.dtype in self.allowed else ""
                complex = self.lacks_complex and value.dtype.kind == "complex"
                ours = ", which openaclnn does not compute with" if complex else ""
                return f"{label} has dtype {value.dtype}{ours}; expected {any_of(allowed)}{where}"
        return None

    def sentence(self, op: Op, language: str) -> str:
        names, choices = all_of(self.of, language), any_of(self.allowed, language)
        have = "have" if len(self.of) > 1 else "has"
        text = said(language, f"{names} {have} dtype {choices}", f"{names} 的数据类型为 {choices}")
        without = [product for product in op.products if not product.bf16]
        if BF16 in self.allowed and without and self.of[0] in {a.name for a in op.tensors}:
            products = listed(without, language)
            text += said(language, f" (no BF16 on {products})", f"（{products} 不支持 BF16）")
        return text


@dataclass(frozen=True)
class SameDtype(_OfTypes):
    """The named inputs and the outputs share one dtype.

    On the products of `mixed_on` inputs may differ; the outputs then have dtype `mixed_output`.
    """

    of: tuple[str, ...]
    mixed_on: tuple[Product, ...] = ()
    mixed_output: DType | None = None

    def complaint(self, call: Call) -> str | None:
        (first, tensor), *others = call.of(self.of)
        dtype = expected = tensor.dtype
        for label, other in others:
            if other.dtype is not dtype:
                if call.product not in self.mixed_on:
                    return f"{label} has dtype {other.dtype}; expected {dtype}, as {first} has"
                assert self.mixed_output is not None
                expected = self.mixed_output
        for given in call.writes:
            came = given.tensor.dtype
            if came is not expected:
                why = f"as {first} has" if expected is dtype else "as the inputs' dtypes differ"
                return f"{given.label} has dtype {came}; expected {expected}, {why}"
        return None

    def sentence(self, op: Op, language: str) -> str:
        names = all_of(list(dict.fromkeys((*self.of, *names_of_outputs(op)))), language)
        text = said(language, f"{names} have the same dtype", f"{names} 的数据类型相同")
        if self.mixed_on:
            products, out = listed(self.mixed_on, language), all_of(names_of_outputs(op), language)
            text += said(
                language,
                f"; on {products} the inputs may differ, and {out} then has dtype "
                f"{self.mixed_output}",
                f"；在 {products} 上各输入的数据类型可以不同，此时 {out} 的数据类型为 "
                f"{self.mixed_output}",
            )
        return text


@dataclass(frozen=True)
class Promotable(_OfTypes):
    """The inputs' dtypes have a common one."""

    def complaint(self, call: Call) -> str | None:
        if call.promoted is not None:
            return None
        came = ", ".join(f"{given.label} has dtype {given.tensor.dtype}" for given in call.reads)
        return f"{came}; expected dtypes that promote to a common one"

    def sentence(self, op: Op, language: str) -> str:
        return said(
            language,
            "the inputs' dtypes promote to a common one",
            "各输入的数据类型可以推导出共同的类型",
        )


_REACHED = {
    "bool": "any dtype of numbers",
    "int": "an integer, float or complex dtype",
    "float": "a float or complex dtype",
    "complex": "a complex dtype",
}


@dataclass(frozen=True)
class Castable(_OfTypes):
    """The computed dtype converts to the outputs' dtypes."""

    def complaint(self, call: Call) -> str | None:
        if call.promoted is None:
            return None
        for given, result in zip(call.writes, self._computed(call), strict=True):
            came = given.tensor.dtype
            if not converts(result, came):
                which = "the inputs' promoted dtype" if result is call.promoted else "the result's"
                return (
                    f"{given.label} has dtype {came}; expected one that {result}, {which}, "
                    f"converts to: {_REACHED.get(result.kind, 'itself')}"
                )
        return None

    def _computed(self, call: Call) -> list[DType]:
        """The dtypes of the outputs that are there."""
        return [result.dtype for _, tensor, result in call.outputs() if tensor is not None]

    def sentence(self, op: Op, language: str) -> str:
        outs = all_of(names_of_outputs(op), language)
        return said(
            language,
            f"the computed dtype converts to {outs}'s",
            f"计算所用的数据类型可以转换为 {outs} 的数据类型",
        )


@dataclass(frozen=True)
class AskedDtype(_OfTypes):
    """An attribute that names the result's dtype is null or one of these, and a floating-point one
    if a tensor is."""

    of: str
    allowed: tuple[DType, ...]
    tensor: str

    def complaint(self, call: Call) -> str | None:
        asked, own = call.attributes[self.of], call[self.tensor].dtype
        if asked is DT_UNDEFINED:
            return None
        if asked not in self.allowed:
            return f"{self.of} is {asked}; expected {any_of(self.allowed)}, or none"
        if own.kind == "float" and asked.kind != "float":
            floats = [dtype for dtype in self.allowed if dtype.kind == "float"]
            return (
                f"{self.of} is {asked}; expected {any_of(floats)}, as {self.tensor} has dtype {own}"
            )
        return None

    def sentence(self, op: Op, language: str) -> str:
        choices = any_of(self.allowed, language)
        return said(
            language,
            f"{self.of} is undefined or {choices}, of floats where {self.tensor} has floats",
            f"{self.of} 未定义，或为 {choices}；{self.tensor} 为浮点类型时也为浮点类型",
        )


@dataclass(frozen=True)
class ResultDtype(_OfTypes):
    """The outputs have exactly the dtypes of the results, which are among these."""

    allowed: tuple[DType, ...]

    def complaint(self, call: Call) -> str | None:
        for label, tensor, result in call.outputs():
            if result.dtype not in self.allowed:
                return f"the result has dtype {result.dtype}; expected {any_of(self.allowed)}"
            if tensor is not None and tensor.dtype is not result.dtype:
                return f"{label} has dtype {tensor.dtype}; expected {result.dtype}"
        return None

    def sentence(self, op: Op, language: str) -> str:
        names, choices = all_of(names_of_outputs(op), language), any_of(self.allowed, language)
        return said(
            language,
            f"{names} has the result's dtype, which is {choices}",
            f"{names} 的数据类型与结果相同，为 {choices}",
        )
