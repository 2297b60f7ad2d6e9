"""softmax(scale · Q·Kᵀ + pse_shift) · V for heads that may share their keys: attention over a cache
of keys and values. A key that is masked has probability 0; a row that sees none is 0.

Scores are kept as DOUBLE and probabilities as FLOAT; each result is the exact sum of their products
with the values, rounded once."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from openaclnn.base.dtypes import BF16, BOOL, FLOAT, FLOAT16, INT8, UINT8
from openaclnn.base.records import dataclass
from openaclnn.spec.attention import (
    NEXT_TOKENS,
    PRE_TOKENS,
    PROOF,
    SPARSE_MODE,
    Attention,
    AttentionSizes,
    Shape,
    arranged,
    attended,
    beside_scores,
    grouped,
    made_up_shapes,
    mask_fault,
    mask_part,
    result_shape,
    scores_fault,
    sizes_of,
    visible,
)
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.host import FLAG, FLOAT64, INT64, INT_ARRAY, TEXT
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, always
from openaclnn.spec.rules import Dtypes, OneOf, ResultDtype
from openaclnn.spec.rules.rule import Rule, all_of, said
from openaclnn.spec.shaped import shape_fault
from openaclnn.spec.steps import Step, parts

UNUSED = (
    *("deq_scale1", "quant_scale1", "deq_scale2", "quant_scale2", "quant_offset2"),
    *("antiquant_scale", "antiquant_offset", "block_table", "query_padding_size"),
    *("kv_padding_size", "key_antiquant_scale", "key_antiquant_offset", "value_antiquant_scale"),
    *("value_antiquant_offset", "key_shared_prefix", "value_shared_prefix"),
)
ROPE = ("query_rope", "key_rope")
LAYOUT_OF_RESULT = {"BNSD_BSND": ("BNSD", "BSND")}


@dataclass(frozen=True)
class Absent(Rule):
    """The named tensors are null: what they ask for is not computed."""

    of: tuple[str, ...]

    def complaint(self, call: Call) -> str | None:
        for label, _ in call.of(self.of):
            return f"{label} is a tensor; expected null, as openaclnn does not compute with it"
        return None

    def sentence(self, op: Op, language: str) -> str:
        names = all_of(self.of, language)
        return said(language, f"{names} are null (not computed)", f"{names} 为空（暂不支持）")


def layouts(call: Call) -> tuple[str, str]:
    """Those of what is read and of the result."""
    layout = call["input_layout"]
    return LAYOUT_OF_RESULT.get(layout, (layout, layout))


def sizes(call: Call) -> AttentionSizes | str:
    """A list of several tensors has one for each batch."""
    query, lists = call["query"], {name: call[name] for name in ("key", "value")}
    layout = layouts(call)[0]
    batch = query.shape[0] if query.shape else 0
    for name, tensors in lists.items():
        if len(tensors) not in (1, batch):
            return f"{name} has {len(tensors)} tensors; expected 1 or {batch}"
        for k, one in enumerate(tensors[1:], 1):
            if one.shape != tensors[0].shape:
                return (
                    f"{name}[{k}] has shape {list(one.shape)}; expected "
                    f"{list(tensors[0].shape)}, as {name}[0] has"
                )
    shapes = {name: tensors[0].shape for name, tensors in lists.items()}
    for name, tensors in lists.items():
        if len(tensors) > 1 and shapes[name]:  # together they are one
            shapes[name] = (batch * shapes[name][0], *shapes[name][1:])
    heads = call["num_heads"], call["num_key_value_heads"]
    return sizes_of({"query": query.shape, **shapes}, layout, *heads)


def lengths_fault(call: Call, name: str, batch: int, most: int) -> str | None:
    given = call.attributes[name]
    if not given:
        return None
    if len(given) not in (1, batch):
        return f"{name} has {len(given)} numbers; expected 1 or {batch}"
    for number in given:
        if not 0 <= number <= most:
            return f"{name} has {number}; expected 0 to {most}"
    return None


def fits(call: Call) -> str | None:
    for label, tensor in call.of(("key", "value")):
        if tensor.dtype is not (dtype := call["query"].dtype):
            return f"{label} has dtype {tensor.dtype}; expected {dtype}, as query has"
    found = sizes(call)
    if isinstance(found, str):
        return found
    pse = call["pse_shift"]
    return (
        mask_fault(call, found)
        or (None if pse is None else scores_fault("pse_shift", pse.shape, found, (4,)))
        or lengths_fault(call, "actual_seq_lengths", found.batch, found.rows)
        or lengths_fault(call, "actual_seq_lengths_kv", found.batch, found.keys)
        or shape_fault(call, attention_out=result_shape(layouts(call)[1], found))
        or (
            shape_fault(call, softmax_lse=(found.batch, found.heads, found.rows, 1))
            if call["softmax_lse_flag"]
            else None
        )
    )


def results(call: Call) -> tuple[Meta, ...]:
    try:
        found = sizes(call)
    except (KeyError, TypeError):  # of a wrong call
        found = ""
    dtype = call["query"].dtype
    if isinstance(found, str):
        return Meta(call["query"].shape, dtype), Meta((0,), FLOAT)
    lse = (found.batch, found.heads, found.rows, 1) if call["softmax_lse_flag"] else (0,)
    return Meta(result_shape(layouts(call)[1], found), dtype), Meta(lse, FLOAT)


def steps(call: Call) -> tuple[Step, ...]:
    known, size = parts(call), sizes(call)
    assert isinstance(size, AttentionSizes)
    source, target = layouts(call)
    query, out = (
        grouped(arranged(known[name], layout, size.heads), size.groups)
        for name, layout in (("query", source), ("attention_out", target))
    )
    key, value = (
        [arranged(known[label], source, size.groups) for label, _ in call.of((name,))]
        for name in ("key", "value")
    )
    lse = known.get("softmax_lse") if call["softmax_lse_flag"] else None
    whole = Attention(
        query,
        key[0],
        value[0],
        out,
        added=beside_scores(known.get("pse_shift"), size),
        mask=mask_part(call, known.get("atten_mask"), size),
        logarithm=None if lse is None else grouped(lse, size.groups),
    )
    found: list[Step] = []
    for batch, rows, keys in lengths(call, size, apart=len(key) > 1 or len(value) > 1):
        behind, ahead = visible(call, rows, keys)
        own = replace(whole, key=key[batch[0] % len(key)], value=value[batch[0] % len(value)])
        found += attended(own.within({"b": batch, "s": (0, rows), "t": (0, keys)}, behind, ahead))
        if rows < size.rows:
            found += whole.nothing({"b": batch, "s": (rows, size.rows)})
    return tuple(found)


def lengths(
    call: Call, size: AttentionSizes, apart: bool
) -> list[tuple[tuple[int, int], int, int]]:
    """Ranges of batches, with how many rows and keys of them count; all at once if nothing tells
    them `apart`."""
    given = [call.attributes[name] for name in ("actual_seq_lengths", "actual_seq_lengths_kv")]
    if not apart and all(len(one or ()) < 2 for one in given):
        rows, keys = (
            one[0] if one else most for one, most in zip(given, (size.rows, size.keys), strict=True)
        )
        return [((0, size.batch), rows, keys)]
    rows, keys = (
        [one[k % len(one)] if one else most for k in range(size.batch)]
        for one, most in zip(given, (size.rows, size.keys), strict=True)
    )
    return [((k, k + 1), rows[k], keys[k]) for k in range(size.batch)]


def formula(query: Expr, key: Expr, value: Expr) -> Expr:
    return described("softmax(scale_value · query · keyᵀ + pse_shift) · value", query, key, value)


def shapes(shape: Shape, attributes: Mapping[str, Any]) -> dict[str, Shape]:
    layout = LAYOUT_OF_RESULT.get(attributes["input_layout"], (attributes["input_layout"],))[0]
    return made_up_shapes(layout, attributes["sparse_mode"], heads=1) | {"pse_shift": (2, 1, 3, 5)}


def unused(*names: str) -> tuple[In, ...]:
    return tuple(In(name, "not computed", "暂不支持", optional=True, read=False) for name in names)


def attribute(name: str, en: str, zh: str, default: int = 0) -> Attr:
    return Attr(name, en, zh, INT64, default)


def lengths_of(name: str, en: str, zh: str) -> Attr:
    return Attr(name, en, zh, INT_ARRAY, (), optional=True)


NOT_COMPUTED = ("not computed: quantised tensors and paged caches", "暂不支持：量化与分页缓存")


def score(name: str, rope: tuple[str, ...] = (), example: str = "") -> Op:
    read = ("query", "key", "value")
    absent = (*UNUSED, *rope)
    return Op(
        name,
        "Attention over a key-value cache, for inference",
        "对 key、value 缓存的注意力",
        (
            In("query", "queries", "查询"),
            In("key", "keys: one tensor, or one a batch", "键：一个张量，或每批一个", many=True),
            In("value", "values, likewise", "值，同上", many=True),
            In("pse_shift", "what is added to scaled scores", "加到分数上的量", optional=True),
            In("atten_mask", "not 0 where a key is not seen", "非 0 处不可见", optional=True),
            lengths_of("actual_seq_lengths", "how many rows of each batch count", "各批有效行数"),
            lengths_of("actual_seq_lengths_kv", "how many keys of each do", "各批有效 key 数"),
            *unused(*UNUSED),
            Attr("actual_shared_prefix_len", *NOT_COMPUTED, INT_ARRAY, (), optional=True),
            *unused(*rope),
            attribute("num_heads", "heads of queries", "查询的头数", 1),
            Attr("scale_value", "the factor of scores", "分数的系数", FLOAT64, 1.0),
            PRE_TOKENS,
            NEXT_TOKENS,
            Attr("input_layout", "of the dimensions", "维度的排布", TEXT, "BSH",
                 {layout: layout for layout in ("BSH", "BSND", "BNSD", "BNSD_BSND")}),
            attribute("num_key_value_heads", "heads of keys; 0: as many", "键的头数，0 表示相同"),
            SPARSE_MODE,
            attribute("inner_precise", "no effect: results are exact", "不起作用，结果总是精确"),
            attribute("block_size", "of a paged cache, of which there is none", "分页缓存的块大小"),
            attribute("antiquant_mode", *NOT_COMPUTED),
            Attr("softmax_lse_flag", "whether softmax_lse is written", "是否输出 softmax_lse",
                 FLAG, False),
            attribute("key_antiquant_mode", *NOT_COMPUTED),
            attribute("value_antiquant_mode", *NOT_COMPUTED),
            Out("attention_out", "the result", "结果"),
            Out("softmax_lse", "logarithms of the sums of powers", "指数之和的对数", optional=True),
        ),
        (
            Dtypes(read, (FLOAT16, BF16)),
            Dtypes(("pse_shift",), (FLOAT16, BF16)),
            Dtypes(("atten_mask",), (BOOL, INT8, UINT8)),
            Absent(absent),
            OneOf("input_layout"),
            OneOf("sparse_mode"),
            Sound(
                fits,
                "query, key and value have one dtype and the layout's dimensions; heads of keys "
                "divide those of queries; pse_shift and atten_mask broadcast to the scores; "
                "results have the layout's shape",
                "query、key、value 数据类型相同，shape 符合 input_layout；键的头数整除查询的头数；"
                "pse_shift 与 atten_mask 可广播为分数的 shape；输出的 shape 符合 input_layout",
            ),
            ResultDtype((FLOAT16, BF16, FLOAT)),
        ),
        formula,
        example,
        source="signature: llama.cpp, op-plugin; values: PyTorch's scaled_dot_product_attention",
        promotes=lambda call: FLOAT,
        results=results,
        steps=steps,
        wide=always,
        proof=PROOF,
        shapes=shapes,
    )  # fmt: skip


OPS = (
    score(
        "fused_infer_attention_score_v2",
        example="""
>>> import numpy as np, openaclnn
>>> q, k = np.ones((1, 1, 2), np.float16), np.zeros((1, 3, 2), np.float16)
>>> v = np.arange(6, dtype=np.float16).reshape(1, 3, 2)
>>> openaclnn.fused_infer_attention_score_v2(q, [k], [v])[0]
array([[[2., 3.]]], dtype=float16)
""",
    ),
    score("fused_infer_attention_score_v3", ROPE),
)
