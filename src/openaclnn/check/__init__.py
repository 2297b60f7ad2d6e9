"""Whether a call may run: pure functions of an operator's rules and the arguments' descriptions."""

from openaclnn.check.verdict import Fault, Passed, verdict

__all__ = ["Fault", "Passed", "verdict"]
