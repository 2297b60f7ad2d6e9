"""First gradients beside mpmath's derivative of the true function."""

from __future__ import annotations

import numpy as np
import pytest

from first_gradients import Subject, largest_error, subjects
from openaclnn.base.dtypes import BF16, FLOAT, FLOAT16
from openaclnn.spec import describe

ALL = list(subjects())


@pytest.mark.parametrize("subject", ALL, ids=map(str, ALL))
def test_first_gradients_are_within_the_bound(subject: Subject) -> None:
    random = np.random.default_rng(len(str(subject)))
    for dtype, most in ((FLOAT, 12), (FLOAT16, 6), (BF16, 6)):
        if dtype in describe.dtypes(subject.op):
            error, at = largest_error(subject, dtype, random, most)
            assert error <= 0.51, (dtype, at)
