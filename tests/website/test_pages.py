"""What the site says about operators is what their specs say."""

from __future__ import annotations

import doctest
import re

import examples
import operators
import pytest
import staging

from openaclnn.ops import declared, find
from openaclnn.spec import describe
from openaclnn.spec.describe import EN, ZH


@pytest.mark.parametrize("language", [EN, ZH])
def test_every_computed_operator_has_a_page(language: str) -> None:
    for op in operators.packaged():
        page = operators.page(op, language)
        assert f"\n# {op.c_name}\n" in page
        assert f"{op.c_name}GetWorkspaceSize(" in page
        for check in describe.checks(op, language):
            assert check.text in page
        assert f"#{operators.BOUND} }}" in page
        headings = re.findall(r"^##+ (.+)$", page, re.MULTILINE)
        assert len(headings) == len(set(headings)) >= 6, op.name


def test_a_page_states_the_bound() -> None:
    page = operators.page(find("silu_backward"), EN)
    assert "| FLOAT | at most 0.51 ULP | at most 15 ULP | 0.50697" in page
    assert "at most 0.51 ULP" in page.partition("## Formula")[0]  # seen without scrolling


def test_the_document_has_every_function_once() -> None:
    document = operators.document()
    names = [entry["c_name"] for entry in document["operators"]]
    assert len(names) == len(set(names))
    states = {entry["name"]: entry["state"] for entry in document["operators"]}
    assert all(states[op.name] == "computed" for op in operators.packaged())
    assert all(states[name] == "declared" for name in declared())
    assert "absent" in states.values()
    pages = [entry["page"] for entry in document["operators"] if entry["state"] == "computed"]
    assert len(pages) == len({*pages, "index.html"}) - 1
    assert {entry["family"] for entry in document["operators"]} == set(document["families"])


def test_gradients_are_those_of_pytorch() -> None:
    found = {entry["name"]: entry for entry in operators.document()["operators"]}
    assert found["silu"]["gradient"]
    assert not found["bitwise_not"]["gradient"]
    assert not found["inplace_relu"]["gradient"]


def test_links_hold_inside_the_site() -> None:
    text = "[English](compare.md)\n\n[a](x.zh-CN.md#b) [c](../CONTRIBUTING.md) [d](../src/e.py)"
    assert staging.linked(text) == "\n\n[a](x.md#b) [c](contributing.md) d (`src/e.py`)"
    assert staging.linked("[o](docs/operators.md)") == "[o](operators/index.md)"


def test_every_operator_has_an_example_that_is_right() -> None:
    """Its file's, which the operator's own tests run, or one that is made up, a session."""
    for op in operators.packaged():
        if not op.example:
            text = examples.made_up(op)
            assert text, op.name
            text = text.replace("\n\n", "\n<BLANKLINE>\n")
            test = doctest.DocTestParser().get_doctest(text + "\n", {}, op.name, None, None)
            assert test.examples[-1].source.startswith(f"openaclnn.{op.name}(")
            assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
