"""Operators that programs use and openaclnn may not have: their names and C parameters, one line
each. A program that uses one compiles, links and runs up to the call, which says so.

An operator that gets a file takes the place of its line at once. The line stays: it says what
programs expect, and a test holds the operator's signature and header against it.

    self          a tensor that is read          tensors[]    a list of them
    *out          a tensor that is written       &self        a tensor that is changed
    dim:int64     a host value of a kind         bias? p?:ints    may be null

Behind `in` stands the header, where the name does not say it; `once` is a function that does all in
one call, without an executor.

>>> mm = parsed("mm: self mat2 *out cube_math_type:int8")
>>> mm.c_name, mm.header_name, [argument.c_name for argument in mm.arguments]
('aclnnMm', 'aclnn_mm.h', ['self', 'mat2', 'out', 'cubeMathType'])
"""

from __future__ import annotations

from functools import cache

from openaclnn.base.records import dataclass
from openaclnn.spec import host
from openaclnn.spec.op import Argument, Attr, In, InOut, Out, camel, header_of

# What llama.cpp's backend for CANN calls, and what the headers are for that it includes besides.
_LINES = """
abs: self *out
add: self other alpha:scalar *out
add_rms_norm: x1 x2 gamma epsilon:double *y_out *rstd_out *x_out
addcdiv: self tensor1 tensor2 value:scalar *out
arange: start:scalar end:scalar step:scalar *out
arg_max: self dim:int64 keep_dim:bool *out in aclnn_argmax.h
argsort: self dim:int64 descending:bool *out
avg_pool2d: self kernel_size:ints stride:ints padding:ints ceil_mode:bool count_include_pad:bool \
divisor_override:int64 cube_math_type:int8 *out in aclnn_avgpool2d.h
batch_mat_mul: self mat2 *out cube_math_type:int8 in aclnn_batch_matmul.h
calculate_matmul_weight_size_v2: tensor_shape:ints data_type:dtype weight_tensor_size:size \
in aclnn_trans_matmul_weight.h once
cast: self dtype:dtype *out
cat: tensors[] dim:int64 *out
clamp: self clip_value_min:scalar clip_value_max:scalar *out
clamp_min: self clip_value_min:scalar *out in aclnn_clamp.h
constant_pad_nd: self padding:ints value:scalar *out
convolution: input weight bias? stride:ints padding:ints dilation:ints transposed:bool \
output_padding:ints groups:int64 *output cube_math_type:int8
cos: self *out
cumsum: self dim:int64 dtype:dtype *out
div: self other *out
elu: self alpha:scalar scale:scalar input_scale:scalar *out
embedding: weight indices *out
eq_tensor: self other *out
exp: self *out
fused_infer_attention_score_v2: query key[] value[] pse_shift? atten_mask? \
actual_seq_lengths?:ints actual_seq_lengths_kv?:ints deq_scale1? quant_scale1? deq_scale2? \
quant_scale2? quant_offset2? antiquant_scale? antiquant_offset? block_table? query_padding_size? \
kv_padding_size? key_antiquant_scale? key_antiquant_offset? value_antiquant_scale? \
value_antiquant_offset? key_shared_prefix? value_shared_prefix? actual_shared_prefix_len?:ints \
num_heads:int64 scale_value:double pre_tokens:int64 next_tokens:int64 input_layout:text \
num_key_value_heads:int64 sparse_mode:int64 inner_precise:int64 block_size:int64 \
antiquant_mode:int64 softmax_lse_flag:bool key_antiquant_mode:int64 value_antiquant_mode:int64 \
*attention_out *softmax_lse
gather_v2: self dim:int64 index *out
ge_glu_v3: self dim:int64 approximate:int64 activate_left:bool *out *out_gelu in aclnn_geglu.h
gelu: self *out
gelu_v2: x approximate:int64 *y
ger: self vec2 *out
group_norm: self gamma? beta? n:int64 c:int64 hxw:int64 group:int64 eps:double *out *mean_out \
*rstd_out
grouped_matmul_v3: x[] weight[] bias?[] scale?[] offset?[] antiquant_scale?[] \
antiquant_offset?[] group_list? split_item:int64 group_type:int64 y[]
gt_scalar: self other:scalar *out
hardsigmoid: self *out
hardswish: self *out
im2col: self kernel_size:ints dilation:ints padding:ints stride:ints *out
index_select: self dim:int64 index *out
inplace_add: &self other alpha:scalar
inplace_adds: &self other:scalar alpha:scalar in aclnn_add.h
inplace_clamp_max: &self clip_value_max:scalar in aclnn_clamp.h
inplace_copy: &self src
inplace_cos: &self
inplace_div: &self other
inplace_divs: &self other:scalar in aclnn_div.h
inplace_exp: &self
inplace_fill_scalar: &self value:scalar
inplace_index_copy: &self dim:int64 index source
inplace_index_fill_tensor: &self dim:int64 index:ints value:scalar
inplace_masked_fill_scalar: &self mask value:scalar
inplace_mul: &self other
inplace_muls: &self other:scalar in aclnn_mul.h
inplace_pow_tensor_tensor: &self exponent
inplace_sin: &self
inplace_sub: &self other alpha:scalar
inplace_subs: &self other:scalar alpha:scalar in aclnn_sub.h
inplace_threshold: &self threshold:scalar value:scalar
inplace_triu: &self diagonal:int64
inplace_zero: &self
layer_norm: input normalized_shape:ints weight? bias? eps:double *out *mean_out? *rstd_out?
leaky_relu: self negative_slope:scalar *out
log: self *out
log_softmax: self dim:int64 *out in aclnn_logsoftmax.h
logical_not: self *out
matmul: self mat2 *out cube_math_type:int8
max_pool: self kernel_shape:ints strides:ints auto_pad:int64 pads:ints dilations:ints \
ceil_mode:int64 *out
mean: self dim:ints keep_dim:bool dtype:dtype *out
mm: self mat2 *out cube_math_type:int8
mul: self other *out
muls: self other:scalar *out in aclnn_mul.h
mv: self vec *out cube_math_type:int8
neg: self *out
norm: self p_scalar:scalar dim:ints keep_dim:bool *out
permute: self dims:ints *out
pow_scalar_tensor: self:scalar exponent *out in aclnn_pow.h
recurrent_gated_delta_rule: query key value beta &state actual_seq_lengths ssm_state_indices g? \
gk? num_accepted_tokens? scale_value:float *out
reduce_sum: self dims:ints keep_dims:bool dtype:dtype *out
reflection_pad1d: self padding:ints *out
relu: self *out
repeat: self repeats:ints *out
repeat_interleave_int_with_dim: self repeats:int64 dim:int64 output_size:int64 *out \
in aclnn_repeat_interleave.h
rms_norm: x gamma epsilon:double *y_out *rstd_out
roll: x shifts:ints dims:ints *out
rotary_position_embedding: x cos sin mode:int64 *out
scatter: self dim:int64 index src reduce:int64 *out
sigmoid: self *out
sign: self *out
silu: self *out
sin: self *out
slice: self dim:int64 start:int64 end:int64 step:int64 *out
softmax: self dim:int64 *out
softmax_cross_entropy_with_logits: features labels *loss *backprop
softplus: self beta:scalar threshold:scalar *out
sqrt: self *out
sub: self other alpha:scalar *out
swi_glu: x dim:int64 *out
tanh: self *out
trans_matmul_weight: &mm_weight
triangular_solve: self a upper:bool transpose:bool unitriangular:bool *x_out *m_out
tril: self diagonal:int64 *out
triu: self diagonal:int64 *out
upsample_nearest2d: self output_size:ints *out in aclnn_upsample_nearest_2d.h
weight_quant_batch_matmul_v2: x weight antiquant_scale antiquant_offset? quant_scale? \
quant_offset? bias? antiquant_group_size:int32 *y
"""

# Headers that programs include without calling what is in them, which no client shows.
EMPTY_HEADERS = ("aclnn_sum.h",)


class _Place(host.Host):
    """Where a function is to store a number."""

    c_type = "uint64_t*"


_KINDS: dict[str, host.Host] = {
    "int8": host.INT8,
    "int32": host.INT32,
    "int64": host.INT64,
    "float": host.FLOAT32,
    "double": host.FLOAT64,
    "bool": host.FLAG,
    "scalar": host.SCALAR,
    "ints": host.INT_ARRAY,
    "dtype": host.DATA_TYPE,
    "text": host.TEXT,
    "size": _Place(),
}


@dataclass(frozen=True)
class Declared:
    """What is known of an operator that programs use: what C needs; `once`: it has no executor."""

    name: str
    arguments: tuple[Argument, ...]
    header: str = ""
    once: bool = False

    @property
    def c_name(self) -> str:
        return "aclnn" + camel("_" + self.name)

    @property
    def header_name(self) -> str:
        return header_of(self.name, self.header)


@cache
def lines() -> dict[str, Declared]:
    """Every line by its name, whether or not the operator is there."""
    return {found.name: found for found in map(parsed, _LINES.strip().splitlines())}


def parsed(line: str) -> Declared:
    """What a line says."""
    name, _, rest = line.partition(":")
    words = rest.split()
    once = words[-1] == "once"
    words = words[: len(words) - once]
    header = ""
    if words[-2:-1] == ["in"]:
        header = words[-1]
        words = words[:-2]
    return Declared(name, tuple(map(_argument, words)), header, once)


def _argument(word: str) -> Argument:
    called, _, kind = word.lstrip("*&").removesuffix("[]").partition(":")
    name = called.removesuffix("?")
    optional = called != name
    if kind:
        return Attr(name, "", "", _KINDS[kind], optional=optional)
    if word.startswith("*"):
        return Out(name, "", "", optional)
    if word.startswith("&"):
        return InOut(name, "", "")
    return In(name, "", "", optional=optional, many=word.endswith("[]"))
