"""The figures of both READMEs, from stored results: proofs (docs/accuracy.json, functions.json),
benchmarks on a CPU (the summary of docs/benchmarks.md) and on a GPU (scripts/bench/results/h200.json)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from openaclnn.spec.describe import EN, ZH
from openaclnn.verify.report import share

ROOT = Path(__file__).parent.parent

TEXTS = {
    EN: {
        "accuracy": """- Level `exact`, the default: {proven} operators are proven over every input \
of FLOAT, FLOAT16 and BF16; the largest error of {count} results is {largest:.4f} ULP.
- All other operators are held to their bounds by tests on random and special inputs, and their \
pages state the bound.
- Level `fast` computes in float32. Its error is measured, and where a bound is promised the \
operator's page states it.
- In float32, {torch} of PyTorch's results of `{example}` are off by more than 0.51 ULP, of ours \
none.""",
        "speed": """- Five gradients on a CPU (two cores of an AMD EPYC), level `exact`, contiguous: \
{exact[0]} × PyTorch eager on average ({exact[1]} to {exact[2]}); transposed, sliced, broadcast or mixed dtypes: \
{layouts[0]} × ({layouts[1]} to {layouts[2]}).
- Small calls of 1,024 elements: {phases[0]} × from Python, both phases; {c[0]} × from C.
- The same on an {device}, 2²⁸ elements, level `exact`, contiguous: {gpu_low:.2f} to {gpu_high:.2f} × PyTorch \
eager, {limit:.0%} or more of the memory bandwidth; other layouts {far_low:.1f} to {far_high:.0f} ×.
- Slower than PyTorch: {lost} contiguous CPU measurements at level `exact` are below 0.95 ×, and \
so are some functions on the GPU.""",
    },
    ZH: {
        "accuracy": """- 默认的 `exact` 级别：{proven} 个算子对 FLOAT、FLOAT16 和 BF16 的全部输入作了证明；\
{count} 个结果的最大误差为 {largest:.4f} ULP。
- 其他算子用随机输入和特殊值测试，须满足各自页面上给出的误差上界。
- `fast` 级别用 float32 计算，误差经过测量；作出承诺的算子在其页面上给出误差上界。
- 在 float32 中，PyTorch 的 `{example}` 有 {torch} 的结果误差超过 0.51 ULP，我们没有。""",
        "speed": """- 五个反向算子在 CPU（AMD EPYC 双核）上，`exact` 级别、连续张量：平均为 PyTorch eager 的 {exact[0]} 倍\
（{exact[1]} 至 {exact[2]}）；转置、切片、广播或混合数据类型：{layouts[0]} 倍（{layouts[1]} 至 {layouts[2]}）。
- 1,024 个元素的小调用：Python 两段式 {phases[0]} 倍，C 程序 {c[0]} 倍。
- 同样的算子在 {device} 上，2²⁸ 个元素、`exact` 级别、连续张量：PyTorch eager 的 {gpu_low:.2f} 至 {gpu_high:.2f} 倍，\
达到内存带宽的 {limit:.0%} 以上；其他布局 {far_low:.1f} 至 {far_high:.0f} 倍。
- 慢于 PyTorch 之处：CPU 上 `exact` 级别连续张量的测量中有 {lost} 低于 0.95 倍，GPU 上也有一些函数。""",
    },
}


def with_figures(text: str, language: str) -> str:
    """A README with the figures of now."""
    known = {**_accuracy(), **_cpu(), **_gpu()}
    for name, template in TEXTS[language].items():
        text = between(text, name, template.format(**known))
    return text


def between(text: str, name: str, body: str) -> str:
    """A text with something else between two of its markers."""
    opening, closing = f"<!-- {name}, written by make docs -->", f"<!-- end of {name} -->"
    begin, end = text.index(opening) + len(opening), text.index(closing)
    apart = "\n\n" if text[begin:].startswith("\n\n") else "\n"
    return f"{text[:begin]}{apart}{body}{apart}{text[end:]}"


def _read(name: str) -> Any:
    return json.loads((ROOT / name).read_text(encoding="utf-8"))


def _accuracy() -> dict[str, Any]:
    rows = [
        row
        for name in ("docs/accuracy.json", "docs/functions.json")
        for row in _read(name)["rows"]
        if row["level"] == "exact" and row["dtype"] != "DOUBLE"
    ]
    beside = (row for row in rows if row["dtype"] == "FLOAT" and row.get("torch"))
    one = max(beside, key=lambda row: row["torch"]["above"]["0.51"] / row["torch"]["count"])
    count = sum(row["count"] for row in rows)
    return {
        "proven": len({row["operator"] for row in rows}),
        "count": f"{count / 1e9:.0f}·10⁹",
        "largest": max(row["max_ulp"] for row in rows),
        "torch": share(one["torch"]["above"]["0.51"], one["torch"]["count"]),
        "example": one["operator"],
    }


def _cpu() -> dict[str, Any]:
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    cells = {}
    for row in re.findall(r"^\| (.+) \|$", page, re.MULTILINE):
        name, *values = (cell.strip("* ") for cell in row.split("|"))
        cells.setdefault(name, values)  # the summary comes first
    return {
        "exact": cells["exact"],
        "layouts": cells["layouts"],
        "phases": cells["1 K, phases"],
        "c": cells["1 K, c"],
        "lost": cells["exact"][3].replace(" of ", "/"),
    }


def _gpu() -> dict[str, Any]:
    stored = _read("scripts/bench/results/h200.json")
    near = [row["exact"] / row["eager"] for row in stored["contiguous"] if row.get("eager")]
    far = [row["exact"] / row["eager"] for row in stored["layouts"] if row.get("eager")]
    return {
        "device": stored["facts"]["device"],
        "gpu_low": min(near),
        "gpu_high": max(near),
        "far_low": min(far),
        "far_high": max(far),
        "limit": min(row["exact/limit"] for row in stored["contiguous"]),
    }
