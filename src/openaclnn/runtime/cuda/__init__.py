"""The acl runtime's meaning on NVIDIA's devices, through the driver: what `runtime/interface.py`
asks for, and what the CUDA engine needs besides."""

from openaclnn.runtime.cuda.context import *  # noqa: F403
from openaclnn.runtime.cuda.memory import *  # noqa: F403
from openaclnn.runtime.cuda.streams import *  # noqa: F403
from openaclnn.runtime.cuda.virtual import *  # noqa: F403
