"""Refusals in Chinese. All have one shape, `operator: what came; expected what; a hint`, and are
translated part by part: what came, what is expected, each hint."""

from __future__ import annotations

import re

from openaclnn.base.templates import Templates, is_chinese

_CAME = {
    "{} is null": "{} 为空指针", "{} is a tensor": "{} 为张量",
    "one of {} and {} is null": "{} 和 {} 之一为空指针",
    "{} is empty": "{} 为空",
    "the result has dtype {}": "结果的数据类型为 {}",
    "the result has dtype {}, which openaclnn does not compute with":
        "结果的数据类型为 {}，openaclnn 不支持其计算",
    "{} has dtype {}": "{} 的数据类型为 {}",
    "{} has dtype {}, which openaclnn does not compute with":
        "{} 的数据类型为 {}，openaclnn 不支持其计算",
    "{} has strides {s}": "{} 的 stride 为 {}", "{} has offset {}": "{} 的偏移为 {}",
    "{} has {} dimensions": "{} 有 {} 维",
    "{} has no dimensions": "{} 为 0 维",
    "{} has shape {s}": "{} 的 shape 为 {}",
    "{} has shapes {t}": "{} 的 shape 为 {}",
    "{} have shapes {t}": "{} 的 shape 为 {}",
    "{} has two indices for one element (shape {s}, strides {s})":
        "{} 有两个下标指向同一元素（shape {}，stride {}）",
    "{} reaches elements {} to {} of its storage": "{} 访问其存储的第 {} 至 {} 个元素",
    "{} has size {} along dimension {}": "{0} 第 {2} 维的大小为 {1}",
    "{} leaves size {} along dimension {}": "{0} 使第 {2} 维的大小成为 {1}",
    "{} has dimension {} twice": "{} 中维度 {} 出现两次",
    "{} is {} while {} is {}": "{2} 为 {3} 时 {0} 为 {1}",
    "{} has {} channels": "{} 有 {} 个通道",
    "{} has {} elements": "{} 有 {} 个元素",
    "{} has {} members": "{} 有 {} 个成员",
    "{} has {} tensors": "{} 有 {} 个张量",
    "{} has {} numbers": "{} 有 {} 个数",
    "{} has {} for dimension {}": "{0} 在第 {2} 维为 {1}",
    "{} has a {}": "{} 中有 {}",
    "{} has {}": "{} 中有 {}",
    "the window stands at {s} places": "窗口可以放置的位置数为 {}",
    "{} is {} and {} is {}": "{} 为 {}，{} 为 {}",
    "the sum of repeats is {}": "重复次数之和为 {}",
    "the elements where mask holds are {}": "掩码选取的元素有 {} 个",
    "the possible places of a row are {}": "每行可选的位置有 {} 个",
    "{} is {t}": "{} 为 {}",
}  # fmt: skip
_EXPECTED = {
    "null": "空指针", "null, as openaclnn does not compute with it": "空指针，openaclnn 尚不支持",
    "the first to be a multiple of the second": "前者是后者的倍数",
    "a multiple of {} along dimension {}": "第 {1} 维为 {0} 的倍数",
    "{} along dimension {}": "第 {1} 维为 {0}",
    "a tensor, as {} is {}": "张量，因为 {} 为 {}", "{}, as {} is {}": "{}，因为 {} 为 {}",
    "{s}, as {} is {}": "{}，因为 {} 为 {}",
    "{} elements a head, as {} has": "每个头 {} 个元素，与 {} 相同",
    "{} batches, as {} has": "{} 批，与 {} 相同", "{} keys, as {} has": "{} 个键，与 {} 相同",
 "{} where it is packed": "打包的一维为 {}",
    "0 or a multiple of {}": "0 或 {} 的倍数",
    "a tensor": "张量", "a scalar": "标量", "text": "文本", "a list of {}": "{} 列表",
    "a list of tensors": "张量列表", "a list of scalars": "标量列表",
    "a list, each an integer": "整数列表", "a list, each a float": "浮点数列表",
    "a list, each {t}": "列表，每个成员为 {}",
    "a tensor, as {} asks for it": "张量，因为 {} 要求输出它",
    "{}, as {} has them": "{}，与 {} 相同",
    "{} numbers, at least {}": "{} 个数，至少为 {}",
    "{} or {} numbers, at least {}": "{} 或 {} 个数，至少为 {}",
    "a number that divides the {} channels of {} and the {} of {}":
        "能整除 {1} 的 {0} 个通道和 {3} 的 {2} 个通道的数",
    "at most half of {}, {s}": "至多为 {} 的一半，{}",
    "as many behind the image as before it": "图像之后与之前相同",
    "{} or more": "至少 {}",
    "a tensor, since {} asks for it": "张量，因为 {} 要求输出它",
    "a tensor, since {} is false": "张量，因为 {} 为 false",
    "a tensor, since {} is true": "张量，因为 {} 为 true",
    "a dtype": "数据类型", "a number": "数", "a boolean": "布尔值",
    "both tensors, or neither": "两个张量都给出，或都不给出",
    "at least one tensor": "至少一个张量",
    "at most {}": "至多 {}", "at least {}": "至少 {}",
    "at least {} each way": "每个方向至少 {}",
    "at least {}, as {} has dimensions": "至少 {}，即 {} 的维数",
    "{}, as {} has dimensions": "{}，即 {} 的维数",
    "shapes that broadcast to a common one": "可以广播到同一 shape",
    "ones that broadcast to a common one": "可以广播到同一 shape",
    "one that broadcasts to {s}": "可以广播到 {}",
    "one that broadcasts to {s}, which {} has": "可以广播到 {}，即 {} 的 shape",
    "one that broadcasts to {s}, the product's": "可以广播到 {}，即乘积的 shape",
    "dimensions before the last two that broadcast": "最后两维之前的维度可以广播",
    "{s}, the inputs' broadcast shape": "{}，即各输入广播后的 shape",
    "an integer, as the computed dtype is {}": "整数，因为计算所用的数据类型为 {}",
    "one that {}, the inputs' promoted dtype, converts to: a float or complex dtype":
        "{}（各输入推导出的数据类型）可以转换成的类型：浮点或复数",
    "one that {}, the inputs' promoted dtype, converts to: {t}":
        "{}（各输入推导出的数据类型）可以转换成的类型：{}",
    "one that {}, the inputs' promoted dtype, converts to":
        "{}（各输入推导出的数据类型）可以转换成的类型",
    "one that {} converts to": "{} 可以转换成的类型",
    "a number that {} can hold": "{} 能够表示的数",
    "{s}, as {} has {s}": "{}，因为 {} 为 {}", "{s}, as {} has": "{}，与 {} 相同", "{}, as {} has": "{}，与 {} 相同",
    "{s}, as {} has or {s}": "{}（与 {} 相同）或 {}",
    "{s}, as {} has, but along dimension {}": "{0}，除第 {2} 维外与 {1} 相同",
    "{s}, as {} has, and a row's size behind it": "{}，与 {} 相同，其后为一行的大小",
    "{} along dimension {}, as {} has": "第 {1} 维为 {0}，与 {2} 相同",
    "{} along dimension {}, as {} has shape {s}": "第 {1} 维为 {0}，因为 {2} 的 shape 为 {3}",
    "{}, as the inputs' dtypes differ": "{}，因为各输入的数据类型不同",
    "an output that is written once": "每个元素只写一次的输出",
    "{} to {} (storage shape {s}, view shape {s}, strides {s}, offset {})":
        "{} 至 {}（存储 shape {}，视图 shape {}，stride {}，偏移 {}）",
    "{} to {}": "{} 至 {}",
    "{} to {}, as {} has {} dimensions": "{} 至 {}，因为 {} 有 {} 维",
    "{} to {}, as {} is so long": "{} 至 {}，由 {} 的长度决定",
    "{}, {} times {}'s size": "{0}，即 {2} 的大小的 {1} 倍",
    "some element": "至少一个元素", "one element": "一个元素", "one dimension": "一维",
    "each once": "每个只出现一次", "another number": "其他数", "other numbers": "其他数",
    "as many of each": "数量相同", "a finite number": "有限数", "an even one": "偶数",
    "an even size at its end": "最后一维的大小为偶数", "sizes": "非负的大小",
    "one that leads from {} to {}": "能从 {} 到达 {}",
    "{s}, half of {} along dimension {}": "{0}，即 {1} 第 {2} 维的一半",
    "{} dimensions, none longer than {}'s, {s}, but dimension {}":
        "{0} 维，除第 {3} 维外都不大于 {1} 的 {2}",
    "pairs, at most {} of them": "成对的数，至多 {} 对",
    "two numbers, at least {}": "两个数，至少为 {}",
    "the last dimensions of {}, which has shape {s}": "{} 的最后几维，其 shape 为 {}",
    "the last dimensions of {}, {s}": "{} 的最后几维，{}",
    "one of the divisors of {}, {}": "{} 的约数之一，{}",
    "{s} with {} elements a channel": "{}，每个通道 {} 个元素",
    "{s}, or {s} or {s}: one for each channel of {}": "{}、{} 或 {}：{} 的每个通道一个",
    "{}'s, {s}, or {} along dimensions before the last": "与 {} 相同的 {}，或最后一维之前各维为 {}",
    "integers or floats in both": "两者同为整数或同为浮点数",
    "finite numbers, min at most max": "有限数，且 min 不大于 max",
    "{} dimensions, {} first and {} last": "{} 维，首维为 {}，末维为 {}",
    "one of the divisors of {}": "{} 的约数之一",
    "{s}, as {} has, but for the spatial dimensions": "{}，除空间维外与 {} 相同",
    "one size along all dimensions": "各维大小相同",
    "size {} along {}": "{1} 维的大小为 {0}",
    "a multiple of {}, and {}, last": "最后两维为 {} 的倍数与 {}",
    "sizes that make {}": "合起来为 {} 的大小", "a contiguous tensor": "连续的张量",
    "{s}, the largest result's": "{}，即最大的结果的 shape",
    "{} to {}, or {} for no dimension": "{} 至 {}，或 {} 表示不按维度",
    "one row, or rows as {} has": "一行，或与 {} 行数相同",
    "from to be at most to": "from 不大于 to", "from below to": "from 小于 to",
    "a number from {} to {}": "{} 至 {} 之间的数",
    "a dtype that openaclnn computes with": "openaclnn 支持计算的数据类型",
    "a layout other than {}": "{} 以外的布局",
}  # fmt: skip
_HINTS = {
    "{} accepts this call: choose it with {}": "{} 接受该调用：请用 {} 选择",
    "cast it: {t}": "请转换：{}",
}
_WHOLE = {
    "{t} does not have this operator; {t} do: choose one with {}": "{} 不支持该算子；{} 支持：请用 {} 选择",
    "{t} does not have this operator; {t} does: choose it with {}":
        "{} 不支持该算子；{} 支持：请用 {} 选择",
    "openaclnn does not have this operator yet": "openaclnn 尚无该算子",
}  # fmt: skip


def said(text: str) -> str:
    """A refusal in the language that the environment asks for."""
    return (refusal(text) if is_chinese() else None) or text


_TABLES = {"came": Templates(_CAME), "expected": Templates(_EXPECTED),
           "hint": Templates(_HINTS), "whole": Templates(_WHOLE)}  # fmt: skip


def _by(kind: str, text: str) -> str | None:
    return _TABLES[kind].translated(text)


def _came(text: str) -> str | None:
    clauses = re.split(r", (?=\w[\w\[\]]* has )", text)
    if len(clauses) > 1:
        found = [_by("came", clause) for clause in clauses]
        return "，".join(filter(None, found)) if all(found) else None
    return _by("came", text)


_NAME = r"[A-Za-z0-9_.+-]+(?: \([\w ]+\))?"
_CHOICES = re.compile(rf"{_NAME}(?:, {_NAME})*(?:,? or {_NAME})?(?: on \w+)?")


def _expected(text: str) -> str | None:
    if text.endswith(", or none"):
        rest = _expected(text.removesuffix(", or none"))
        return rest and f"{rest}，或不给出"
    found = _by("expected", text)
    if found is not None:
        return found
    if re.fullmatch(r"\[[^\]]*\](?: or \[[^\]]*\])*", text) or _CHOICES.fullmatch(text):
        text, _, chip = text.partition(" on ")
        listed = text.replace(" or ", " 或 ").replace(", ", "、")
        return f"{listed}（{chip}）" if chip else listed
    return None


def refusal(text: str) -> str | None:
    """A refusal in Chinese; None where it has another shape, or a part that nobody knows.

    >>> refusal("aclnnSiluBackward: self has shape [3]; expected [2], as grad_output has")
    'aclnnSiluBackward：self 的 shape 为 [3]；应为 [2]，与 grad_output 相同'
    >>> refusal("aclnnSilu: self has a wrong colour; expected green") is None
    True
    """
    operator, colon, body = text.partition(": ")
    if not colon or " " in operator:
        return None
    whole = _by("whole", body)
    if whole is not None:
        return f"{operator}：{whole.replace(', ', '、')}"
    left, semicolon, rest = body.partition("; expected ")
    if not semicolon:
        return None
    right, *hints = rest.split("; ")
    found = [_came(left), _expected(right), *(_by("hint", hint) for hint in hints)]
    if not all(found):
        return None
    came, expected, *more = found
    # a Chinese character follows the words without a space, anything else after one
    return "；".join([f"{operator}：{came}", f"应为{_spaced(expected or '')}", *map(str, more)])


def _spaced(text: str) -> str:
    return text if text[:1] > "\u2e80" else f" {text}"
