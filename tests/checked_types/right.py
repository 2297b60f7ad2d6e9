"""Right uses in which type checkers find nothing. This file is checked, never run."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import openaclnn
from openaclnn import AclnnError, Status, aclnn

x = np.ones((2, 3), np.float32)

array: NDArray[Any] = openaclnn.silu(x)
booleans: NDArray[np.bool_] = openaclnn.eq(x, x)
shape: tuple[int, ...] = openaclnn.sum(x, axis=0, keepdims=True).shape
openaclnn.silu(1.0).tolist()
openaclnn.silu([1, 2.5])
openaclnn.clamp(x, 0, 1)
openaclnn.clip(x, min=0)
openaclnn.softmax(x, -1)
openaclnn.softmax(x, axis=-1)
openaclnn.mean(x, 0, True)
openaclnn.mean(x, dim=(0, 1))
openaclnn.leaky_relu(x, 0.1)
openaclnn.add(x, 2, alpha=3)
openaclnn.add_(x, x)
openaclnn.concatenate([x, x], axis=1)
openaclnn.where(x > 0, x, 0.0)
openaclnn.smooth_l1_loss(x, x, reduction="sum", beta=2.0)
openaclnn.arange(5, out=np.empty(5, np.float32))
openaclnn.silu(x, out=x)
out, gates = openaclnn.ge_glu_v3(np.ones((2, 4), np.float32), approximate="tanh")
out.sum()
with openaclnn.using(math="fast", product="Ascend950"):
    openaclnn.silu(x)
try:
    openaclnn.silu(x)
except AclnnError as error:
    status: Status = error.status
size, workspace, executor = aclnn.aclnnSiluGetWorkspaceSize(x, x)
