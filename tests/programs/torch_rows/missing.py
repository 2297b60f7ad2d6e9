"""What torch_npu does not find here. Delete a line when its function is computed."""

from __future__ import annotations

# Rows that fail because openaclnn does not have a function, by the function that torch_npu names
MISSING: dict[str, tuple[str, ...]] = {
    "aclnnFlashAttentionScore": ("scaled_dot_product_attention",),
    "aclnnLSTM": ("nn.LSTM",),
}
