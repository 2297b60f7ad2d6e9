"""Results judged against golden values of higher precision, by the field's standards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from openaclnn.base.dtypes import DType
    from openaclnn.compare.result import Comparison
    from openaclnn.compare.sources import Source


def compare(
    actual: Any,
    golden: Any,
    standard: str | Sequence[str] = "default",
    dtype: DType | str | None = None,
    benchmark: Any = None,
    ulp_limit: float | None = None,
    worst: int = 10,
    round_golden: bool = False,
) -> Comparison:
    """Judge results against golden values of higher precision, by the field's standards.

    By default the mixed tolerance decides (of DOUBLE, 1.01 ULP) and the other standards inform;
    `standard` names those that are to decide, or "all".
    `actual`, `golden` and `benchmark` (another device's results) are arrays, tensors or files.
    `dtype` is the type of the results where they come in a wider one, or as bit patterns;
    `round_golden` rounds the golden values to it first, as most standards assume.

    >>> import numpy as np
    >>> result = compare(np.float32([1, 2, 3.1]), [1.0, 2.0, 3.0], standard=["mixed", "relative"])
    >>> result.passed
    False
    >>> print(result)
    FLOAT 3 against golden in DOUBLE: 2 of 3 elements correctly rounded
    largest errors 0.1 and 419,430 ULP, mean 0.0333, RMSE 0.0577, cosine similarity 0.99987...
    <BLANKLINE>
    verdict  standard           figures
    FAIL     mixed              elements within tolerance 66.6667 % < 99 %
                                1 elements off by more than 0.01 and 32 ULP (largest error 0.1)
    FAIL     relative           mean relative error 0.0111 >= 0.000122
                                largest relative error 0.0333 >= 0.0012
    <BLANKLINE>
    index     actual  golden  abs error  rel error      ULP
    [2]    3.0999999       3        0.1     0.0333  419,430
    """
    from openaclnn.base import dtypes
    from openaclnn.compare.judge import judge

    wanted = dtypes.by_name(dtype) if isinstance(dtype, str) else dtype
    return judge(
        _source(actual, "actual", wanted),
        _source(golden, "golden", None),
        standard=standard,
        dtype=wanted,
        benchmark=None if benchmark is None else _source(benchmark, "benchmark", wanted),
        ulp_limit=ulp_limit,
        worst=worst,
        round_golden=round_golden,
    )


def _source(given: Any, name: str, dtype: DType | None) -> Source:
    from openaclnn.compare.files import open_file
    from openaclnn.compare.sources import from_array

    return (
        open_file(given, dtype) if isinstance(given, str | Path) else from_array(given, name, dtype)
    )
