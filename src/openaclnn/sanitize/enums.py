"""Names of the headers' constants: what a number of an enum means."""

from __future__ import annotations

import re
from functools import cache

from openaclnn.capi import build

_ENUM = re.compile(r"typedef enum\s*\w*\s*\{([^}]*)\}\s*(\w+)\s*;")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


@cache
def _names() -> dict[str, dict[int, str]]:
    """The constants of every enum that a header of ours declares."""
    found: dict[str, dict[int, str]] = {}
    for text in build.headers().values():
        for body, name in _ENUM.findall(_COMMENT.sub("", text)):
            found.setdefault(name, {}).update(_constants(body))
    return found


def _constants(body: str) -> dict[int, str]:
    """
    >>> _constants("ACL_DT_UNDEFINED = -1, ACL_FLOAT, ACL_INT8 = 2, ALL = 1 << 4")
    {-1: 'ACL_DT_UNDEFINED', 0: 'ACL_FLOAT', 2: 'ACL_INT8'}
    """
    found: dict[int, str] = {}
    following = 0
    for part in filter(None, map(str.strip, body.split(","))):
        name, _, value = map(str.strip, part.partition("="))
        try:
            following = int(value, 0) if value else following
        except ValueError:
            continue
        found.setdefault(following, name)
        following += 1
    return found


def name_of(c_type: str, value: int) -> str | None:
    """
    >>> name_of("aclrtMemcpyKind", 1), name_of("uint64_t", 1)
    ('ACL_MEMCPY_HOST_TO_DEVICE', None)
    """
    return _names().get(c_type.strip(), {}).get(value)
