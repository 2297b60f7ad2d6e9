"""The C API's constants: dtypes, formats, statuses. Editors and type checkers read c_names.pyi,
which the build writes (`openaclnn.calls.stubs`) and which has the calls of every operator too."""

from openaclnn.base import dtypes, formats
from openaclnn.base.status import Status

_made: dict[str, int] = {f"ACL_{dtype.name}": dtype.code for dtype in dtypes.ALL}
_made |= {formats.c_name(name): code for name, code in formats.ALL.items()}
_made |= {status.c_name: int(status) for status in Status}
globals().update(_made)
__all__ = list(_made)
