"""Whether a call may run: the operator's rules in order, the first complaint decides."""

from openaclnn.check.again import Again, asked_again, dims_allowed
from openaclnn.check.verdict import Fault, results, verdict

__all__ = ["Again", "Fault", "asked_again", "dims_allowed", "results", "verdict"]
