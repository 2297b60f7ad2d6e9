"""The CUDA engine: Triton compiles kernels from the same trees, the driver runs them.

tiling (how a loop is cut) → kernel (its source) → compile (the cubin) → launch. PyTorch is not
needed, and a GPU only to launch.
"""

from openaclnn.engines.cuda.launch import CudaEngine

__all__ = ["CudaEngine"]
