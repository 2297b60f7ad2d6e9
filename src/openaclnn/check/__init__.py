"""Whether a call may run: the operator's rules in order, the first complaint decides."""

from openaclnn.check.verdict import Fault, results, verdict

__all__ = ["Fault", "results", "verdict"]
