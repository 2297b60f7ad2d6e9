"""Random convolutions and their gradients, and what each element of them is: the exact sum,
rounded once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import openaclnn
from exact_products import FLOATS, KINDS, Array, ExactSums, laid_out, numbers

Places = list[Array]


@dataclass(frozen=True)
class RandomConvolution:
    """A convolution in one dimension or two, perhaps transposed. `x` is [n, ci, …]; `weight` is
    [co, ci/g, …], of a transposed one [ci, co/g, …]."""

    x: Array
    weight: Array
    bias: Array | None
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    transposed: bool
    groups: int
    more: tuple[int, ...]

    @property
    def attributes(self) -> dict[str, Any]:
        return {
            "stride": self.stride, "padding": self.padding, "dilation": self.dilation,
            "transposed": self.transposed, "output_padding": self.more, "groups": self.groups,
        }  # fmt: skip

    @property
    def sizes(self) -> tuple[int, ...]:
        """The result's sizes in space."""
        moves = zip(self.x.shape[2:], self.weight.shape[2:], self.stride, self.padding,
                    self.dilation, self.more, strict=True)  # fmt: skip
        if self.transposed:
            return tuple((n - 1) * s - 2 * p + d * (k - 1) + m + 1 for n, k, s, p, d, m in moves)
        return tuple((n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d, _ in moves)

    def places(self, small: bool) -> Places:
        """For each dimension of space, an array [places, window] of what a window sees: of the
        larger tensor at the smaller one's places or, if `small`, the other way round; -1 is
        nothing."""
        inner, outer = self.x.shape[2:], self.sizes
        narrow, wide = (inner, outer) if self.transposed else (outer, inner)
        found = []
        for few, many, k, s, p, d in zip(narrow, wide, self.weight.shape[2:], self.stride,
                                         self.padding, self.dilation, strict=True):  # fmt: skip
            if small:
                reach = np.arange(many)[:, None] + p - d * np.arange(k)
                seen, fits = reach // s, (reach % s == 0) & (reach >= 0) & (reach < few * s)
            else:
                seen = np.arange(few)[:, None] * s - p + d * np.arange(k)
                fits = (seen >= 0) & (seen < many)
            found.append(np.where(fits, seen, -1))
        return found

    def run(self) -> Array:
        return openaclnn.convolution(self.x, self.weight, bias=self.bias, **self.attributes)

    def gradients(self, grad: Array) -> tuple[Array, ...]:
        return openaclnn.convolution_backward(
            grad, self.x, self.weight, output_mask=(True, True, True), bias_sizes=[grad.shape[1]],
            **self.attributes,
        )  # fmt: skip

    def wrong(self, out: Array, random: np.random.Generator) -> bool:
        """Whether some of the result's elements are not exact."""
        weight = self._weight_of_outputs(self.weight, self.transposed)
        return self._applied_wrongly(out, self.x, weight, self.transposed, random, self.bias)

    def gradients_wrong(
        self, grad: Array, found: Sequence[Array], random: np.random.Generator
    ) -> list[str]:
        """Which gradients are not exact."""
        of_x, of_weight, of_bias = found
        weight = self._weight_of_outputs(self.weight, not self.transposed)
        wrong = []
        if self._applied_wrongly(of_x, grad, weight, not self.transposed, random):
            wrong.append("input")
        few, many = (self.x, grad) if self.transposed else (grad, self.x)
        windows = patches(many, self.places(small=False))
        for g in range(self.groups):
            left = np.moveaxis(_group(few, g, self.groups), 1, 0)
            right = np.moveaxis(_group(windows, g, self.groups), (1, -1), (0, 1))
            rights = right.reshape(right.shape[0] * right.shape[1], -1)
            own = of_weight.reshape(self.groups, left.shape[0], -1)[g]
            if ExactSums([left.reshape(len(left), -1)], [rights]).wrong(own, random, 16):
                wrong.append("weight")
        rows = np.moveaxis(grad.astype(np.float64), 1, 0).reshape(grad.shape[1], -1)
        ones = np.ones((1, rows.shape[1]))
        if ExactSums([rows], [ones]).wrong(of_bias[:, None], random, 16):
            wrong.append("bias")
        return wrong

    def _weight_of_outputs(self, weight: Array, channels_second: bool) -> Array:
        """The weight as [group, channel of a result, what is summed over]."""
        g = self.groups
        grouped = weight.astype(np.float64).reshape(g, -1, *weight.shape[1:])
        if channels_second:
            grouped = np.swapaxes(grouped, 1, 2)
        return grouped.reshape(g, grouped.shape[1], -1)

    def _applied_wrongly(
        self, out: Array, x: Array, weight: Array, small: bool, random: np.random.Generator,
        bias: Array | None = None,
    ) -> bool:  # fmt: skip
        windows = patches(x, self.places(small))
        for g in range(self.groups):
            seen = _group(windows, g, self.groups)
            rows = np.moveaxis(seen, 1, -2)  # batch, places, channels, window
            rights = rows.reshape(-1, rows.shape[-2] * rows.shape[-1])
            own = np.moveaxis(_group(out, g, self.groups), 1, 0)
            added = None
            if bias is not None:
                some = bias.astype(np.float64).reshape(self.groups, -1)[g]
                added = np.repeat(some[:, None], len(rights), 1)
            sums = ExactSums([weight[g]], [rights], added)
            if sums.wrong(own.reshape(len(own), -1), random, 16):
                return True
        return False


def patches(x: Array, places: Places) -> Array:
    """What windows see: [batch, channel, places…, elements of the window]."""
    x = np.pad(x.astype(np.float64), [(0, 0), (0, 0)] + [(0, 1)] * len(places))  # -1 is a zero
    if len(places) == 1:
        return x[:, :, places[0]]
    high, wide = places
    found = x[:, :, high[:, None, :, None], wide[None, :, None, :]]
    return found.reshape(*found.shape[:4], -1)


def _group(x: Array, number: int, groups: int) -> Array:
    """The channels of a group."""
    own = x.shape[1] // groups
    return x[:, number * own : (number + 1) * own]


def random_convolution(random: np.random.Generator) -> RandomConvolution:
    """One of random sizes, dtypes, layouts and numbers that stands somewhere."""
    while True:
        space, groups = int(random.integers(1, 3)), int(random.choice([1, 1, 2, 3]))
        transposed = bool(random.random() < 0.4)
        batch, inner, outer = (int(one) for one in random.integers(1, (4, 7, 7)))
        most = 40 if space == 1 else 9
        spatial = tuple(int(n) for n in random.integers(1, most, space))
        window = tuple(int(n) for n in random.integers(1, 5, space))
        stride, dilation = (
            tuple(int(n) for n in random.integers(1, 4, space)) for _ in range(2)
        )  # fmt: skip
        padding = tuple(int(n) for n in random.integers(0, 4, space))
        more = tuple(int(random.integers(0, s)) if transposed else 0 for s in stride)
        kind = KINDS[random.integers(len(KINDS))]
        dtype, other = (FLOATS[k] for k in random.integers(0, 3, 2))
        between = (inner * groups, outer) if transposed else (outer * groups, inner)

        def made(shape: tuple[int, ...], dtype: Any, kind: str = kind) -> Array:
            flat = numbers(random, (shape[0], int(np.prod(shape[1:]))), dtype, kind)
            return laid_out(random, flat).reshape(shape)

        x = made((batch, inner * groups, *spatial), dtype)
        if random.random() < 0.3:  # channels last
            x = np.ascontiguousarray(np.moveaxis(x, 1, -1))
            x = np.moveaxis(x, -1, 1)
        bias = made((outer * groups, 1), dtype)[:, 0] if random.random() < 0.5 else None
        one = RandomConvolution(x, made((*between, *window), other), bias, stride, padding,
                                dilation, transposed, groups, more)  # fmt: skip
        if min(one.sizes) >= 1:
            return one
