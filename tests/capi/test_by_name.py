"""Operators by name that move elements: NumPy on the host."""

from __future__ import annotations

import numpy as np
import pytest

from openaclnn.capi.by_name import compute

X = np.arange(60).reshape(3, 4, 5)


def test_fill() -> None:
    found = compute("Fill", [np.array([2, 3]), np.array(7, np.int16)], {})
    assert found.dtype == np.int16
    assert found.tolist() == [[7] * 3] * 2


@pytest.mark.parametrize(
    ("given", "masks", "expected"),
    [
        (([0, 1], [3, 3], [2, 1]), {}, X[0:3:2, 1:3]),
        (([1, 1], [2, 2], [1, 1]), {"begin_mask": 1, "end_mask": 2}, X[:2, 1:]),
        (([0, 1], [0, 3], [1, 2]), {"ellipsis_mask": 1}, X[..., 1:3:2]),
        (([1, 0, 2], [0, 0, 3], [1, 1, 1]), {"shrink_axis_mask": 1, "new_axis_mask": 2},
         X[1, None, 2:3]),
        (([-1], [-4], [-1]), {}, X[-1:-4:-1]),
    ],
)  # fmt: skip
def test_strided_slice(
    given: tuple[list[int], ...], masks: dict[str, int], expected: np.ndarray
) -> None:
    found = compute("StridedSlice", [X, *map(np.array, given)], masks)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("axis", [-1, 0])
def test_one_hot(axis: int) -> None:
    x, on, off = np.array([2, 0, 7]), np.float32([5]), np.float32([-1])
    found = compute("OneHotD", [x, on, off], {"axis": axis, "depth": 3})
    expected = np.float32([[-1, -1, 5], [5, -1, -1], [-1, -1, -1]])  # 7 is in no place
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, expected if axis else expected.T)


def test_scatter_nd_update() -> None:
    indices, updates = np.array([[2, 1], [0, 3]]), -np.arange(10).reshape(2, 5)
    found = compute("ScatterNdUpdate", [X, indices, updates], {})
    expected = X.copy()
    expected[2, 1], expected[0, 3] = updates
    np.testing.assert_array_equal(found, expected)
