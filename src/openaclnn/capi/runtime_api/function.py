"""The description of one function of the runtime."""

from __future__ import annotations

import re
from dataclasses import replace

from openaclnn.base.acl_codes import Code
from openaclnn.base.records import dataclass
from openaclnn.runtime.interface import Device


@dataclass(frozen=True)
class Parameter:
    """A C parameter: its type as it stands before the name, and whether C writes through it. The
    values of a format, "...", have no name. Of an array, another parameter is the length."""

    c_type: str
    name: str
    out: bool
    length: str = ""


@dataclass(frozen=True)
class Function:
    """One function: its C prototype, what it does, and the codes that it may answer besides 0.

    An out-parameter is never null: the function's entry refuses that. What only answers a value, or
    refuses whatever it is asked, has no C code of its own: `answers` is the value in C, `refuses`
    the reason, and the last of its codes is what it answers."""

    name: str
    parameters: tuple[Parameter, ...]
    sentence: str
    codes: tuple[Code, ...] = ()
    returns: str = "aclError "  # as it stands before the name
    python: str | None = ""  # its name in pyACL, empty where it follows from the C name
    asks: str = ""  # what it asks of a device where that has another name
    answers: str = ""
    refuses: str = ""

    @property
    def outs(self) -> tuple[Parameter, ...]:
        return tuple(p for p in self.parameters if p.out)

    @property
    def of_operators(self) -> bool:
        """Whether it answers statuses of operators, not codes of the runtime."""
        return self.returns == "aclnnStatus "

    @property
    def variadic(self) -> bool:
        """Whether the last parameter is a format with its values."""
        return bool(self.parameters) and self.parameters[-1].c_type == "..."

    @property
    def words(self) -> str:
        """The words of the C name.

        >>> function("aclrtMemcpyAsync", "", "").words
        'memcpy_async'
        """
        return snake_case(re.sub("^acl(rt)?", "", self.name))

    @property
    def python_name(self) -> str | None:
        """The function's name in pyACL, if it has one there.

        >>> function("aclrtMemcpyAsync", "", "").python_name
        'acl.rt.memcpy_async'
        """
        if self.python == "":
            return f"acl.rt.{self.words}" if self.name.startswith("aclrt") else f"acl.{self.words}"
        return self.python

    @property
    def method(self) -> str | None:
        """The request to a device that does the function's work, if there is one.

        >>> function("aclrtMalloc", "", "").method, function("aclrtGetRunMode", "", "").method
        ('malloc', None)
        """
        name = self.asks or self.words
        return name if name in vars(Device) else None


NOTHING = "nothing"  # what a function answers that returns no value
UNDECLARED = ""  # the header of functions that programs only look up by name


@dataclass(frozen=True)
class Section:
    """Functions of one theme, declared together in a header."""

    header: str  # its path under include/
    title: str
    functions: tuple[Function, ...]


def function(
    name: str,
    prototype: str,
    sentence: str,
    *codes: Code,
    returns: str = "aclError ",
    python: str | None = "",
    asks: str = "",
    answers: str = "",
    refuses: str = "",
) -> Function:
    """A function from its C parameters; those that C writes through are marked with "out", and
    an array's name is followed by that of its length.

    >>> function("aclrtGetDevice", "out int32_t *deviceId", "Get the device.").parameters
    (Parameter(c_type='int32_t *', name='deviceId', out=True, length=''),)
    >>> function("f", "const float *value:size, uint64_t size", "").parameters[0]
    Parameter(c_type='const float *', name='value', out=False, length='size')
    """
    parameters = tuple(_parameter(text.strip()) for text in prototype.split(",") if text.strip())
    made = Function(name, parameters, sentence, codes, returns, python, asks, answers, refuses)
    if made.outs and made.returns == "aclError " and Code.INVALID_PARAM not in codes:
        return replace(made, codes=(Code.INVALID_PARAM, *codes))
    return made


def _parameter(text: str) -> Parameter:
    if text == "...":
        return Parameter("...", "", False)
    out = text.startswith("out ")
    found = re.fullmatch(r"(.*?[ *])(\w+)(?::(\w+))?", text.removeprefix("out "))
    assert found, text
    return Parameter(found[1], found[2], out, found[3] or "")


def snake_case(name: str) -> str:
    """The words of a C name.

    >>> snake_case("CreateEventExWithFlag"), snake_case("MallocAlign32")
    ('create_event_ex_with_flag', 'malloc_align32')
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
