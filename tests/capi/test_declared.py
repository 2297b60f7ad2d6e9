"""Operators that are only declared: programs that use them compile, link and run up to the call;
programs that look them up by name, to find out what is there, do not find them."""

from __future__ import annotations

import re

import pytest

from openaclnn import ops
from openaclnn.capi import build, entries
from openaclnn.capi.entries import headers
from openaclnn.spec.declared import EMPTY_HEADERS, lines

# What llama.cpp's backend for CANN includes, whether or not it uses what is in there.
HEADERS = """
abs add add_rms_norm addcdiv arange argmax argsort avgpool2d batch_matmul cast cat clamp
constant_pad_nd convolution copy cos cumsum div elu embedding eq_tensor exp fill_scalar
fused_infer_attention_score_v2 gather_v2 geglu gelu gelu_v2 ger group_norm grouped_matmul_v3
gt_scalar hardsigmoid hardswish im2col index_copy index_fill_tensor index_select layer_norm
leaky_relu log logical_not logsoftmax masked_fill_scalar matmul max_pool mean mm mul mv neg norm
permute pow pow_tensor_tensor recurrent_gated_delta_rule reduce_sum reflection_pad1d relu repeat
repeat_interleave rms_norm roll scatter sigmoid sign silu sin slice softmax
softmax_cross_entropy_with_logits softplus sqrt sub sum swi_glu tanh threshold trans_matmul_weight
triangular_solve tril triu upsample_nearest_2d weight_quant_batch_matmul_v2 zero
""".split()  # noqa: SIM905

REFUSED = "openaclnn does not have this operator yet"
LINKING = {
    "by default": (),
    "at once": ("-no-pie", "-Wl,-z,now"),
    "with gold": ("-fuse-ld=gold",),
    "with lld": ("-fuse-ld=lld",),
}


def test_every_header_is_there():
    there = {name.removeprefix("include/") for name in build.headers()}
    assert there >= {f"aclnnop/aclnn_{name}.h" for name in HEADERS}


@pytest.mark.parametrize("linking", LINKING)
def test_programs_run_up_to_the_call_and_lookups_find_nothing(toolkit, program, tmp_path, linking):
    source = tmp_path / "nothing.cpp"
    source.write_text("int main() { return 0; }")
    if toolkit.execute(["g++", *LINKING[linking], source, "-o", tmp_path / "a"]).returncode:
        pytest.skip("there is no such linker")
    done = toolkit.execute([program("declared", "-std=c++17", *LINKING[linking])])
    calls, lookups = done.stdout.splitlines()[:4], done.stdout.splitlines()[4:]
    refused = f"^561003 .*: aclnn{{}}: {REFUSED}"
    assert re.match(refused.format("RecurrentGatedDeltaRule"), calls[0])
    assert calls[1] == "no executor"
    assert re.match(refused.format("RecurrentGatedDeltaRule"), calls[2])
    assert re.match(refused.format("GroupedMatmulV3"), calls[3])
    missing = "aclnnRecurrentGatedDeltaRule"
    expected = ["aclnnRelu: found", f"{missing}: missing", f"{missing}GetWorkspaceSize: missing"]
    assert lookups == expected * 2


SCRIPT = """
import ctypes, acl
from openaclnn import ops
from openaclnn.spec.declared import lines
for name in ("libopapi.so", "libascendcl.so", "libcust_opapi.so", None):
    library = ctypes.CDLL(name, ctypes.RTLD_GLOBAL)
    for line in lines().values():
        assert hasattr(library, line.c_name) == (line.name in ops.all_ops()), line
print("right")
"""


def test_python_finds_what_is_computed_and_nothing_else(toolkit, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = toolkit.cli("run", script)
    assert done.stdout == "right\n", done.stderr


OWN = """
from openaclnn.spec.families import FLOATS, unary
OPS = unary("recurrent_gated_delta_rule", lambda self: 2 * self, FLOATS, "Mine", "我的", "")
"""


def test_an_operator_takes_the_place_of_its_line(toolkit, program, tmp_path):
    """In all that is generated; programs that were linked before run with it, too."""
    folder = tmp_path / "mine"
    folder.mkdir(mode=0o700)
    (folder / "recurrent_gated_delta_rule.py").write_text(OWN)
    own = toolkit.with_own(folder)
    header = (own.home / "include/aclnnop/aclnn_recurrent_gated_delta_rule.h").read_text()
    assert "Declared only" not in header
    assert header.count("aclnnRecurrentGatedDeltaRuleGetWorkspaceSize(") == 1
    assert "Mine" in own.cli("show", "recurrent_gated_delta_rule").stdout
    path = f"{own.home}/lib64"
    done = own.execute([program("declared")], env={**own.environment, "LD_LIBRARY_PATH": path})
    assert REFUSED not in done.stdout.splitlines()[0]
    assert REFUSED in done.stdout.splitlines()[3]
    assert done.stdout.count("aclnnRecurrentGatedDeltaRule: found") == 2


def c_types(signature: str) -> list[str]:
    """The parameters without their names."""
    return [re.sub(r"\w+$", "", part).strip() for part in signature.strip("()").split(", ")]


COMPUTED = [name for name in lines() if name in ops.all_ops()]


@pytest.mark.parametrize("name", COMPUTED)
def test_operators_are_what_programs_expect(name):
    """An operator that is computed has the C types and the header of its line."""
    op, line = ops.all_ops()[name], lines()[name]
    assert c_types(entries.signature(op)) == c_types(entries.signature(line))
    assert op.header_name == line.header_name


def test_names_in_either_spelling_are_the_same():
    for name, line in lines().items():
        assert ops.snake(line.c_name) == name


def test_headers_of_what_nobody_calls() -> None:
    """Programs include them all the same."""
    found = headers()
    assert all("aclnn_base.h" in found[f"aclnnop/{name}"] for name in EMPTY_HEADERS)
