"""Masks of tensors: which steps of sequences, or items, count."""

from __future__ import annotations

import weakref
from typing import Any

from runtime import nest
from runtime.core.tensor import Tensor
from runtime.core.weak_tables import weakref_removing

# The masks by the identity of their tensor, for as long as the tensor lives.
_MASKS: dict[int, tuple[weakref.ref[Any], Any]] = {}


def mask_of(value: Any) -> Any:
    """Return the mask of a tensor, or the masks in a structure; None if there are none.

    >>> from runtime.ops.constant import constant
    >>> x, mask = constant([1, 0]), constant([True, False])
    >>> put_mask(x, mask)
    >>> mask_of(x) is mask, mask_of(constant([1]))
    (True, None)
    """
    if not nest.is_nested(value):
        return _mask(value)
    masks = [_mask(leaf) for leaf in nest.flatten(value)]
    if all(mask is None for mask in masks):
        return None
    return nest.unflatten(value, masks) if len(masks) > 1 else masks[0]


def put_mask(value: Any, mask: Any) -> None:
    """Set the mask of a tensor, or the masks in a structure."""
    tensors, masks = nest.flatten(value), [mask] if mask is None else _flat(mask)
    if len(masks) == 1:
        masks = masks * len(tensors)
    for tensor, each in zip(tensors, masks):
        if each is not None and isinstance(tensor, Tensor):
            _MASKS[id(tensor)] = (weakref_removing(tensor, _MASKS, id(tensor)), each)


def _flat(mask: Any) -> list[Any]:
    return list(mask) if isinstance(mask, (list, tuple)) else [mask]


def _mask(tensor: Any) -> Any:
    reference, mask = _MASKS.get(id(tensor), (None, None))
    return mask if reference is not None and reference() is tensor else None


# User programs read the mask of a tensor as `_keras_mask`.
Tensor._keras_mask = property(_mask)  # type: ignore[attr-defined]
