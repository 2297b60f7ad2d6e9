"""Copies NumPy arrays to the memory of a GPU and back."""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any

from openaclnn.base.dtypes import from_numpy
from openaclnn.base.tensors import Tensor, view
from openaclnn.runtime import cuda_runtime
from openaclnn.runtime.interface import MemcpyKind

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Moving:
    """Holds the memory while its `with` block lasts. Raises AclError where the device fails."""

    def __init__(self) -> None:
        self.runtime = cuda_runtime()
        self.runtime.set_device(0)
        self.held = ExitStack()

    def __enter__(self) -> Moving:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.held.close()

    def there(self, array: NDArray[Any] | None) -> Any:
        """A tensor on the device; what no tensor can be stays what it is, to be refused."""
        dtype = None if array is None else from_numpy(array.dtype)
        if array is None or dtype is None:
            return array
        packed = array.copy(order="C")
        address = self.runtime.malloc(max(packed.nbytes, 1))
        self.held.callback(self.runtime.free, address)
        tensor = Tensor(view(dtype, array.shape), address, "cuda")
        self.to(tensor, packed)
        return tensor

    def to(self, tensor: Tensor, array: NDArray[Any]) -> None:
        """Copy a contiguous array into a tensor as large."""
        self.runtime.memcpy(
            tensor.address, array.ctypes.data, array.nbytes, MemcpyKind.HOST_TO_DEVICE
        )

    def back(self, tensor: Tensor, array: NDArray[Any]) -> None:
        """Wait for the device, then copy into a contiguous array."""
        self.runtime.synchronize_device()
        self.runtime.memcpy(
            array.ctypes.data, tensor.address, array.nbytes, MemcpyKind.DEVICE_TO_HOST
        )
