"""Writes a C library that stands between a program and the real one, and breaks one of its calls.

MUTATE says which, by number: "5 drop", "5 twice", "5 set 2 17" (the third argument becomes 17),
"5 set 2 r3" (it becomes what call 3 has made), "5 end aclrtFree 3" (that is called with it
first)."""

from __future__ import annotations

from collections.abc import Iterable

from openaclnn.capi.runtime_api import ENTRIES, OBJECTS, SECTIONS, UNDECLARED
from openaclnn.capi.runtime_api.function import Parameter
from openaclnn.sanitize.records import RecordedCall

_HEAD = r"""
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 1 << 16 };
static uint64_t made[CALLS];
static int calls, number = -2, place = -1;
static char action[16], what[64];

static void start(void)
{
    const char *text = getenv("MUTATE");
    number = -1;
    if (text)
        sscanf(text, "%d %15s %63s", &number, action, what);
    if (!strcmp(action, "set"))
        place = atoi(what);
}

static const char *last(void)
{
    return strrchr(getenv("MUTATE"), ' ') + 1;
}

static uint64_t value(void)
{
    return *last() == 'r' ? made[atoi(last() + 1)] : strtoull(last(), NULL, 0);
}

static int is(int call, const char *name)
{
    return call == number && !strcmp(action, name);
}

static int begin(void)
{
    if (number == -2)
        start();
    int call = ++calls;
    if (is(call, "end"))
        ((int (*)(uint64_t))dlsym(RTLD_NEXT, what))(made[atoi(last())]);
    return call;
}

static void set(int call, int which, void *argument, size_t size)
{
    uint64_t bits = 0;
    if (which == place && is(call, "set")) {
        bits = value();
        memcpy(argument, &bits, size);
    }
}
"""


def _function(name: str, returns: str, parameters: tuple[Parameter, ...]) -> str:
    listed = ", ".join(p.c_type + p.name for p in parameters) or "void"
    names = ", ".join(p.name for p in parameters)
    gives = returns != "void "
    keeps = "" if not gives else f"{returns}result = "
    outs = [p for p in parameters if p.out]
    if gives and "*" in returns:
        kept = "memcpy(&made[call], &result, sizeof result);"
    elif outs:
        kept = (
            f"if ({outs[-1].name}) memcpy(&made[call], {outs[-1].name}, sizeof *{outs[-1].name});"
        )
    else:
        kept = ""
    sets = "".join(
        f"    set(call, {i}, (void *)&{p.name}, sizeof {p.name});\n"
        for i, p in enumerate(parameters) if not p.out
    )  # fmt: skip
    back = "    return result;\n" if gives else ""
    dropped = "return 0" if gives else "return"
    return f"""
{returns}{name}({listed})
{{
    static {returns}(*real)({listed});
    int call = begin();
    if (!real)
        real = dlsym(RTLD_NEXT, "{name}");
    if (is(call, "drop"))
        {dropped};
{sets}    {keeps}real({names});
    {kept}
    if (is(call, "twice"))
        real({names});
{back}}}
"""


def source(calls: Iterable[RecordedCall]) -> str:
    """The C source, for the functions of the runtime and for the operators of some calls."""
    phases = {call.name: call for call in calls if call.phase}
    headers = dict.fromkeys(s.header for s in (*SECTIONS, *OBJECTS) if s.header != UNDECLARED)
    included = "".join(f'#include "{header}"\n' for header in headers)
    parts = [f"#define _GNU_SOURCE\n{included}", _HEAD]
    for entry in ENTRIES:
        if not entry.variadic and entry.name.startswith("acl"):
            parts.append(_function(entry.name, entry.returns, entry.parameters))
    for name, call in phases.items():
        parts.append(_function(name, "aclnnStatus ", call.parameters))
    return "".join(parts)
