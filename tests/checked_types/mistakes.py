"""Forty typical mistakes that type checkers find. Every one has a comment that ignores it, and both
checkers complain of comments that ignore nothing: a mistake that is no longer found is an error of
`make lint` (mypy) and `make types` (pyright).

This file is checked, never run."""

from __future__ import annotations

import numpy as np

import openaclnn
from openaclnn import AclnnError, Status, aclnn

x = np.ones((2, 3), np.float32)

# names
openaclnn.sillu(x)  # type: ignore
openaclnn.SiLU(x)  # type: ignore
openaclnn.leakyrelu(x)  # type: ignore
openaclnn.soft_max(x, 0)  # type: ignore
openaclnn.matmull(x, x)  # type: ignore
openaclnn.set_num_thread(2)  # type: ignore
openaclnn.AclnError  # type: ignore
aclnn.aclnnSillu  # type: ignore
aclnn.aclCreateTensr  # type: ignore
from openaclnn import silu_backwards  # type: ignore

# names of arguments
openaclnn.leaky_relu(x, slope=0.1)  # type: ignore
openaclnn.softmax(x, dimension=0)  # type: ignore
openaclnn.mean(x, keep=True)  # type: ignore
openaclnn.clamp(x, minimum=0)  # type: ignore
openaclnn.add(x, x, aplha=2)  # type: ignore
openaclnn.silu(x, output=x)  # type: ignore
openaclnn.cat([x, x], dims=0)  # type: ignore
openaclnn.elu(x, beta=1.0)  # type: ignore
openaclnn.smooth_l1_loss(x, x, delta=1.0)  # type: ignore
openaclnn.using(level="fast")  # type: ignore

# how many, and which by position
openaclnn.silu_backward(x)  # type: ignore
openaclnn.silu(x, x)  # type: ignore
openaclnn.add(x, x, 2)  # type: ignore
openaclnn.elu(x, 1.0, 1.0)  # type: ignore
openaclnn.smooth_l1_loss(x, x, "mean")  # type: ignore
openaclnn.gelu_v2(x, "tanh")  # type: ignore

# choices
openaclnn.using(math="fastt")  # type: ignore
openaclnn.using(product="Ascend910C")  # type: ignore
openaclnn.smooth_l1_loss(x, x, reduction="avg")  # type: ignore
openaclnn.gelu_v2(x, approximate="erf")  # type: ignore
openaclnn.div_mod(x, x, mode="round")  # type: ignore
Status.PARAM_INVALD  # type: ignore

# types
openaclnn.silu(None)  # type: ignore
openaclnn.silu("x.npy")  # type: ignore
openaclnn.softmax(x, "0")  # type: ignore
openaclnn.leaky_relu(x, negative_slope="0.1")  # type: ignore
openaclnn.inplace_relu([1.0, 2.0])  # type: ignore
openaclnn.set_num_threads("2")  # type: ignore
openaclnn.silu(x).shpae  # type: ignore
AclnnError("no status", "a message")  # type: ignore
