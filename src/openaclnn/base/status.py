"""The status codes of aclnn and the exceptions that carry them."""

from __future__ import annotations

import threading
from enum import IntEnum


class Status(IntEnum):
    """The status of an aclnn call: a number in C, a name in Python."""

    SUCCESS = 0
    PARAM_NULLPTR = 161001
    PARAM_INVALID = 161002
    RUNTIME_ERROR = 361001
    INNER = 561000
    INNER_FIND_KERNEL_ERROR = 561003
    INNER_CREATE_EXECUTOR = 561101
    INNER_NULLPTR = 561103

    @property
    def c_name(self) -> str:
        """The spelling of the C headers.

        >>> Status.PARAM_INVALID.c_name
        'ACLNN_ERR_PARAM_INVALID'
        """
        return "ACLNN_SUCCESS" if self is Status.SUCCESS else f"ACLNN_ERR_{self.name}"


class OpenaclnnError(Exception):
    """The base class of openaclnn's errors."""


class AclnnError(OpenaclnnError):
    """A refused or failed call: `.status` says which kind, `.message` says why.

    >>> error = AclnnError(Status.PARAM_INVALID, "aclnnSiluBackward: self has 9 dimensions")
    >>> int(error.status), error.message
    (161002, 'aclnnSiluBackward: self has 9 dimensions')
    >>> print(error)
    161002 ACLNN_ERR_PARAM_INVALID: aclnnSiluBackward: self has 9 dimensions

    The error of a refused argument is also a ValueError or a TypeError.

    >>> isinstance(error, ValueError), isinstance(error, TypeError)
    (True, False)
    """

    __module__ = "openaclnn"  # where users import it from, and what a traceback names

    def __new__(cls, status: int, message: str) -> AclnnError:
        kind = _KINDS.get(Status(status), cls) if cls is AclnnError else cls
        return super().__new__(kind, message)

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = Status(status)
        self.message = message

    def __str__(self) -> str:
        return f"{int(self.status)} {self.status.c_name}: {self.message}"

    def __reduce__(self) -> tuple[type[AclnnError], tuple[int, str]]:
        return type(self), (int(self.status), self.message)


class AclnnValueError(AclnnError, ValueError):
    """An argument of a kind that the operator takes, with a value that it does not."""

    __module__ = "openaclnn"


class AclnnTypeError(AclnnError, TypeError):
    """An argument that is missing, of another kind, or of a dtype that the operator does not take.

    >>> isinstance(AclnnError(Status.PARAM_NULLPTR, "aclnnSilu: self is null"), TypeError)
    True
    """

    __module__ = "openaclnn"


_KINDS = {Status.PARAM_INVALID: AclnnValueError, Status.PARAM_NULLPTR: AclnnTypeError}


class _Recent(threading.local):
    message: str | None = None


_recent = _Recent()


def remember(message: str) -> None:
    """Keep the text of the calling thread's latest error for `take_recent`."""
    _recent.message = message


def take_recent() -> str | None:
    """The text of the calling thread's latest error, once; None when there is none."""
    message, _recent.message = _recent.message, None
    return message
