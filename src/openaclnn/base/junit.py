"""JUnit's XML, which CI systems show as tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from openaclnn.base.records import dataclass

_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class TestCase:
    """A test: what failed in it, or what kept it from being judged; both empty where it passed."""

    __test__ = False  # none of pytest's

    group: str
    name: str
    failure: str = ""
    error: str = ""
    output: str = ""


def xml(suite: str, cases: Sequence[TestCase]) -> str:
    """
    >>> print(xml("accuracy", [TestCase("silu", "f16"), TestCase("silu", "f32", failure="1 < 2")]))
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
    <testsuite name="accuracy" tests="2" failures="1" errors="0">
    <testcase classname="silu" name="f16"/>
    <testcase classname="silu" name="f32">
    <failure message="1 &lt; 2">1 &lt; 2</failure>
    </testcase>
    </testsuite>
    </testsuites>
    """
    failures = sum(bool(case.failure) for case in cases)
    errors = sum(bool(case.error) for case in cases)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>",
        f'<testsuite name={_attribute(suite)} tests="{len(cases)}" failures="{failures}" '
        f'errors="{errors}">',
    ]  # fmt: skip
    for case in cases:
        begin = f"<testcase classname={_attribute(case.group)} name={_attribute(case.name)}"
        inner = [
            f"<{tag} message={_attribute(text.splitlines()[0])}>{_text(text)}</{tag}>"
            for tag, text in (("failure", case.failure), ("error", case.error))
            if text
        ]
        inner += [f"<system-out>{_text(case.output)}</system-out>"] if case.output else []
        lines += [begin + ">", *inner, "</testcase>"] if inner else [begin + "/>"]
    return "\n".join([*lines, "</testsuite>", "</testsuites>"])


def _text(text: str) -> str:
    return escape(_NO_XML.sub("?", text))


def _attribute(text: str) -> str:
    return quoteattr(_NO_XML.sub("?", text))
