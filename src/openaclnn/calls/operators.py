"""Every operator as a function, made from its spec. Editors and type checkers read operators.pyi,
which `python -m openaclnn.calls.stubs` writes."""

from openaclnn.calls.functions import functions

_made = functions()
globals().update(_made)
__all__ = list(_made)
