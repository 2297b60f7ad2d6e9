"""Checks of views: inside their storage, and nothing written twice."""

from __future__ import annotations

from collections.abc import Mapping

from openaclnn.base import overlap
from openaclnn.base.tensors import Tensor, View


def inside_storage(tensors: Mapping[str, Tensor]) -> str | None:
    for name, tensor in tensors.items():
        view = tensor.view
        if not view.inside_storage:
            return (
                f"{name} reaches elements {view.low} to {view.high} of its storage; expected "
                f"0 to {view.storage_numel - 1} (storage shape {list(view.storage_shape)}, "
                f"view shape {list(view.shape)}, strides {list(view.strides)}, "
                f"offset {view.offset})"
            )
    return None


def writable(name: str, tensor: Tensor) -> str | None:
    if tensor.read_only:
        return f"{name} is read-only; expected memory that can be written"
    return None


def written_once(name: str, view: View) -> str | None:
    if overlap.onto_itself(view):
        return (
            f"{name} has two indices for one element (shape {list(view.shape)}, strides "
            f"{list(view.strides)}); expected an output that is written once"
        )
    return None
