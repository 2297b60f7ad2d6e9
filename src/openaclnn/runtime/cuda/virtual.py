"""Virtual memory of NVIDIA's devices: addresses, memory without one, and mappings."""

from __future__ import annotations

from functools import cache
from typing import Any

from cuda.bindings import driver

from openaclnn.base.acl_codes import Code
from openaclnn.runtime.cuda.context import Result, check, current_device, enter
from openaclnn.runtime.cuda.memory import allocated


@cache
def mem_get_allocation_granularity(device: int) -> int:
    """What sizes and addresses of virtual memory must be multiples of."""
    enter()
    advice = driver.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_RECOMMENDED
    return int(check(driver.cuMemGetAllocationGranularity(_physical_memory(device), advice)))


def _physical_memory(device: int) -> Any:
    """What is to be known of a device's physical memory."""
    wanted = driver.CUmemAllocationProp()
    wanted.type = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
    wanted.location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    wanted.location.id = device
    return wanted


def reserve_mem_address(size: int, alignment: int, wanted: int) -> int:
    """Addresses for memory to be mapped."""
    enter()
    answer = driver.cuMemAddressReserve(size, alignment, wanted, 0)
    return int(check(answer, f"reserving {size} addresses"))


def release_mem_address(address: int, size: int) -> None:
    """Give addresses back."""
    enter()
    check(driver.cuMemAddressFree(address, size), f"releasing {address:#x}")


def malloc_physical(size: int, device: int) -> int:
    """Memory that has no address yet."""
    enter()
    answer = driver.cuMemCreate(size, _physical_memory(device), 0)
    return allocated(answer, size, Code.RT_MEMORY_ALLOCATION)


def free_physical(memory: int, size: int) -> None:
    """Give such memory back once it is mapped nowhere any more."""
    enter()
    check(driver.cuMemRelease(memory), f"freeing {size} bytes of physical memory")


def map_mem(address: int, size: int, offset: int, memory: int) -> None:
    """Map such memory, for the thread's device to read and write."""
    enter()
    check(driver.cuMemMap(address, size, offset, memory, 0), f"mapping {size} bytes")
    access = driver.CUmemAccessDesc()
    access.location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    access.location.id = current_device()
    access.flags = driver.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
    answer = driver.cuMemSetAccess(address, size, [access], 1)
    if answer[0] != Result.CUDA_SUCCESS:
        driver.cuMemUnmap(address, size)
    check(answer, f"opening {size} bytes to the device")


def unmap_mem(address: int, size: int) -> None:
    """Let memory no longer be at an address."""
    enter()
    check(driver.cuMemUnmap(address, size), f"unmapping {address:#x}")
