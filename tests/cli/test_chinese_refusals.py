"""Every refusal that the tests' rows trigger is said in Chinese, and wholly so."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import openaclnn
from arena import described, message, phase_one
from openaclnn.base import dtypes, products
from openaclnn.base.language import CONTEXTS, catalogue, translated
from openaclnn.cli.chinese import chinese
from openaclnn.ops import all_ops
from rows import Rows, all_rows
from samples import Call, Samples, T, all_samples

# names that are the same in any language, beside those of arguments and operators
_NAMES = {
    "dtype", "shape", "NaN", "inf", "nan", "None", "True", "False", "null", "bytes", "ULP", "soc",
    "OPENACLNN_SOC", "openaclnn", "ND", "stride", "true", "false", "from", "to",
    "NHWC", "NCHW", "Atlas", "inference", "erf", "TND",  # of a chip's name, of what a row gives
}  # fmt: skip


def refusals(rows: Rows | Samples) -> Iterator[str]:
    """The sentences of an operator's rows that are refused."""
    for row in rows.calls:
        if row.status:
            yield sentence(rows, row)


def sentence(rows: Rows | Samples, row: Call) -> str:
    op = all_ops()[rows.op]
    named = {a.name: T() for a in op.tensors} | {**rows.plain, **row.arguments}
    values = [named[a.name] for a in op.arguments]
    arguments = [tuple(map(described, v)) if isinstance(v, tuple) else described(v) for v in values]
    with openaclnn.using(product=row.product):
        status, _, _ = phase_one(op, arguments)
    assert status == row.status
    return message()


def english(text: str, rows: Rows | Samples) -> list[str]:
    """The words of a sentence that are English and no name."""
    op = all_ops()[rows.op]
    known = _NAMES | {a.name for a in op.arguments} | {op.name, op.c_name}
    known |= {d.name for d in dtypes.ALL} | {d.short for d in dtypes.ALL}
    known |= {p.name for p in products.ALL}
    known |= {word for a in op.attributes for word in a.choices}
    words = re.findall(r"[A-Za-z]\w*", re.sub("[\u2e80-\uffff]", " ", text))
    return [word for word in words if word not in known]


def all_refusals() -> Iterator[tuple[Rows | Samples, str]]:
    for rows in (*all_rows().values(), *all_samples().values()):
        for text in refusals(rows):
            yield rows, text


def test_all_are_chinese() -> None:
    found = [(text, chinese(text), rows) for rows, text in all_refusals()]
    assert len(found) > 1000
    mixed = [(text, zh, left) for text, zh, rows in found if (left := english(zh, rows))]
    assert mixed == []


def test_a_word_that_is_left_is_seen() -> None:
    rows = all_samples()["silu_backward"]
    assert english("aclnnSiluBackward：self 的 shape is [3]", rows) == ["is"]
    assert english("aclnnSiluBackward: self has dtype INT8", rows) == ["has"]


def test_a_program_is_told_in_its_users_language(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "aclnnSiluBackward: self is null; expected a tensor"
    assert translated(text) == text
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert translated(text) == "aclnnSiluBackward：self 为空指针；应为张量"
    assert translated("nobody knows this sentence") == "nobody knows this sentence"


@pytest.mark.parametrize("context", ["", *CONTEXTS])
def test_templates_have_the_same_places(context: str) -> None:
    for english_one, text in catalogue().entries[context].items():
        if named := re.findall(r"\{[a-z]\w+[^}]*\}", english_one):  # click's
            assert set(re.findall(r"\{[^}]*\}", text)) <= {*named, "{nargs}"}
            continue
        places = len(re.findall(r"\{[svt]?\}", english_one))
        assert text.format(*(f"@{k}@" for k in range(places))).count("@") == 2 * places, english_one
