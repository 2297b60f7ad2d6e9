"""Proof of the error bounds: every input where that is possible, a dense sample where it is not.

batches (inputs and true results; `strata` samples, `sweeps` has them all) → work (run them by
everybody, measure) → tally (what is remembered) → report. `run` shares the work among processes.
"""

from openaclnn.verify.report import Report
from openaclnn.verify.run import verify

__all__ = ["Report", "verify"]
