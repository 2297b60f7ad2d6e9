"""What torch_npu does not find here. Delete a line when its function is computed."""

from __future__ import annotations

# Rows that fail because openaclnn does not have a function, by the function that torch_npu names
MISSING: dict[str, tuple[str, ...]] = {
    "aclnnBincount": ("bincount",),
    "aclnnCummax": ("cummax",),
    "aclnnCumprod": ("cumprod",),
    "aclnnEqual": ("torch.equal",),
    "aclnnFlashAttentionScore": ("scaled_dot_product_attention",),
    "aclnnForeachAddList": ("train with SGD", "train with momentum"),
    "aclnnForeachMulScalar": ("train with Adam",),
    "aclnnForeachNonFiniteCheckAndUnscale": ("GradScaler",),
    "aclnnHistc": ("histc",),
    "aclnnIm2colBackward": ("F.fold",),
    "aclnnKlDivBackward": ("F.kl_div",),
    "aclnnLSTM": ("nn.LSTM",),
    "aclnnLinalgCross": ("cross",),
    "aclnnLogSpace": ("logspace",),
    "aclnnMaxPool2dWithMask": ("nn.MaxPool2d",),
    "aclnnMultinomial": ("multinomial",),
    "aclnnNonzero": ("nonzero",),
    "aclnnNonzeroV2": ("x[mask]",),
    "aclnnPreluBackward": ("F.prelu and its gradient",),
    "aclnnProd": ("prod",),
    "aclnnProdDim": ("prod(0)",),
    "aclnnRandperm": ("randperm",),
    "aclnnReduceNansum": ("nansum",),
    "aclnnRepeatInterleaveInt": ("repeat_interleave",),
    "aclnnSearchSorted": ("searchsorted",),
    "aclnnSort": ("sort", "argsort"),
    "aclnnTopk": ("topk", "median", "kthvalue"),
    "aclnnUnique2": ("unique",),
    "aclnnUpsampleBilinear2d": ("F.interpolate bilinear",),
    "aclnnUpsampleNearest2d": ("nn.Upsample",),
}
