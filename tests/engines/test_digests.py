"""The part of every sweep has the digest that it always had; tests/digests.py checks the whole."""

from __future__ import annotations

import numpy as np
import pytest

import digests
from digests import Gpu, Host, Stretch


def check(operator: str, device: digests.Device) -> None:
    rows = digests.known()
    for sweep in digests.sweeps(operator):
        expected = digests.expected(sweep, rows)["part"]
        assert digests.digests(sweep, device, whole=False) == {"part": expected}, sweep.key


every_operator = pytest.mark.parametrize("operator", digests.OPERATORS)


@every_operator
def test_no_bit_has_changed(operator: str) -> None:
    check(operator, Host())


@every_operator
@pytest.mark.usefixtures("gpu")
def test_no_bit_has_changed_on_the_gpu(operator: str) -> None:
    if not pytest.importorskip("torch").cuda.is_available():
        pytest.skip("needs a PyTorch that sees the GPU")
    check(operator, Gpu())


def test_a_digest_adds_up_and_misses_nothing() -> None:
    """However the results are cut; a bit that flips and results that change places show."""
    results = np.random.default_rng(0).random(64, np.float32)

    def cut(at: int) -> int:
        return sum(
            digests.digest(results[a:b], Stretch(Host(), 128 + a, b - a))
            for a, b in ((0, at), (at, 64))
        )

    whole = digests.digest(results, Stretch(Host(), 128, 64))
    assert cut(2) % 2**64 == cut(40) % 2**64 == whole
    assert digests.digest(results, Stretch(Host(), 0, 64)) != whole
    for changed in (
        results[::-1],
        results[[1, 0, *range(2, 64)]],
        results[[2, 1, 0, *range(3, 64)]],
    ):
        assert digests.digest(np.ascontiguousarray(changed), Stretch(Host(), 128, 64)) != whole
    for bit in range(32):
        flipped = results.copy()
        flipped.view(np.uint32)[7] ^= np.uint32(1 << bit)
        assert digests.digest(flipped, Stretch(Host(), 128, 64)) != whole
