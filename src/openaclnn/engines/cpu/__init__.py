"""The CPU engine: LLVM compiles a kernel in some ten milliseconds; OpenMP spreads large work."""

from openaclnn.engines.cpu.launch import CpuEngine
from openaclnn.engines.cpu.threads import get_num_threads, set_num_threads

__all__ = ["CpuEngine", "get_num_threads", "set_num_threads"]
