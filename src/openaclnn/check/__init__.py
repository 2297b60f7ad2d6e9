"""Whether a call may run: the operator's rules in order, the first complaint decides."""

from openaclnn.check.verdict import Fault, verdict

__all__ = ["Fault", "verdict"]
