"""Ops on gradients of lists (`runtime.core.list_gradient`), for the rules of ops on lists.

All of these ops are linear in the gradients, so the gradient of each one is another of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.list_gradient import ItemGradients, Leaves
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, Tensor
from runtime.core.variant import VARIANT, boxed, unboxed
from runtime.ops.op import Op, apply, define


def length_of(target: Array) -> int:
    """Return the number of a list's items, or of a TensorArray's slots."""
    held = unboxed(target)
    return len(getattr(held, "items", held) if hasattr(held, "shape") else held)


def gradients_in(array: Array) -> ItemGradients:
    """Return the gradients in a variant's array."""
    held: ItemGradients = unboxed(array)
    return held


def leaf_or_zeros(leaves: Leaves, at: int, like: Array) -> Array:
    """Return the gradient of a tensor of an item, zeros if it has none."""
    leaf = leaves[at] if at < len(leaves) else None
    if leaf is not None:
        return leaf
    return boxed(ItemGradients()) if like.dtype.names is not None else np.zeros_like(like)


def has_gradient(spec: Any) -> bool:
    """Return whether a tensor of an item has a gradient."""
    dtype = spec.dtype
    return bool(dtype.is_floating or dtype.is_complex or dtype.is_variant)


def _position(target: Array, index: Array) -> int:
    position = int(index)
    return position + length_of(target) if position < 0 else position


def _variant(*inputs: TensorSpec, **attrs: Any) -> TensorSpec:
    return VARIANT


# -- kernels ---------------------------------------------------------------------------------------


def _join_kernel(one: Array, other: Array) -> Array:
    return boxed(ItemGradients([gradients_in(one), gradients_in(other)]))


def _limit_kernel(gradients: Array, length: Array) -> Array:
    return boxed(ItemGradients([gradients_in(gradients)], int(length)))


def _place_kernel(target: Array, index: Array, *given: Array, present: tuple[bool, ...]) -> Array:
    rest = iter(given)
    leaves = tuple(next(rest) if is_present else None for is_present in present)
    return boxed(ItemGradients([(_position(target, index), leaves)]))


def _pick_kernel(
    gradients: Array, target: Array, index: Array, *likes: Array, present: tuple[bool, ...]
) -> tuple[Array, ...]:
    leaves = gradients_in(gradients).at(_position(target, index))
    places = [at for at, is_present in enumerate(present) if is_present]
    return tuple(leaf_or_zeros(leaves, at, like) for at, like in zip(places, likes, strict=True))


def _without_kernel(gradients: Array, target: Array, index: Array) -> Array:
    gone = {_position(target, each) for each in np.atleast_1d(index)}
    return boxed(gradients_in(gradients).without(gone))


def _gather_kernel(gradients: Array, indices: Array) -> Array:
    held = gradients_in(gradients)
    return boxed(ItemGradients((to, held.at(at)) for to, at in enumerate(indices.tolist())))


def _scatter_kernel(gradients: Array, indices: Array) -> Array:
    places = indices.tolist()
    table = gradients_in(gradients).table()
    return boxed(ItemGradients((places[at], leaves) for at, leaves in table.items()))


def _pick_infer(
    gradients: TensorSpec, target: TensorSpec, index: TensorSpec, *likes: TensorSpec, **attrs: Any
) -> tuple[TensorSpec, ...]:
    return tuple(like.unnamed() for like in likes)


# -- their gradients -------------------------------------------------------------------------------


def _place_grad(dys: Any, outputs: Any, inputs: Any, *, present: tuple[bool, ...]) -> Any:
    target, index, *given = inputs
    return None, None, *apply(PICK, (dys[0], target, index, *given), present=present)


def _pick_grad(dys: Any, outputs: Any, inputs: Any, *, present: tuple[bool, ...]) -> Any:
    gradients, target, index, *likes = inputs
    placed = apply(PLACE, (target, index, *dys), present=present)
    return placed, None, None, *[None] * len(likes)


NONE = define("no_item_gradients", lambda: boxed(ItemGradients()), lambda: VARIANT)
JOIN = define(
    "join_item_gradients",
    _join_kernel,
    _variant,
    kinds="V",
    grad=lambda dys, outputs, inputs: (dys[0], dys[0]),
)
LIMIT: Op = define(
    "limit_item_gradients",
    _limit_kernel,
    _variant,
    kinds="V",
    grad=lambda dys, outputs, inputs: (apply(LIMIT, (dys[0], inputs[1])), None),
)
PLACE: Op = define("place_item_gradients", _place_kernel, _variant, kinds="V", grad=_place_grad)
PICK: Op = define(
    "pick_item_gradients", _pick_kernel, _pick_infer, kinds="V", n_outputs=None, grad=_pick_grad
)
WITHOUT: Op = define(
    "drop_item_gradients",
    _without_kernel,
    _variant,
    kinds="V",
    grad=lambda dys, outputs, inputs: (apply(WITHOUT, (dys[0], *inputs[1:])), None, None),
)
GATHER: Op = define(
    "gather_item_gradients",
    _gather_kernel,
    _variant,
    kinds="V",
    grad=lambda dys, outputs, inputs: (apply(SCATTER, (dys[0], inputs[1])), None),
)
SCATTER: Op = define(
    "scatter_item_gradients",
    _scatter_kernel,
    _variant,
    kinds="V",
    grad=lambda dys, outputs, inputs: (apply(GATHER, (dys[0], inputs[1])), None),
)


# -- for rules -------------------------------------------------------------------------------------


def no_gradients() -> Any:
    """Return the gradients of a list on which nothing depends."""
    return apply(NONE, ())


def add_gradients(one: Tensor, other: Tensor) -> Any:
    """Return the sum of two gradients of one list."""
    return apply(JOIN, (one, other))


def limited(gradients: Tensor, length: Tensor) -> Any:
    """Return the gradients of a list's items, from those of a longer list derived from it."""
    return apply(LIMIT, (gradients, length))


def placed(target: Tensor, index: Tensor, dys: Sequence[Any]) -> Any:
    """Return the gradients of a list from which one item was read.

    Args:
        dys: the gradients of the item's tensors, None for those without.
    """
    present = tuple(dy is not None for dy in dys)
    return apply(PLACE, (target, index, *[dy for dy in dys if dy is not None]), present=present)


def picked(gradients: Tensor, target: Tensor, index: Tensor, likes: Sequence[Any]) -> list[Any]:
    """Return the gradients of one item's tensors, None for those without.

    Args:
        likes: the tensors of the item.
    """
    present = tuple(map(has_gradient, likes))
    wanted = [like for like, is_present in zip(likes, present) if is_present]
    found = iter(apply(PICK, (gradients, target, index, *wanted), present=present))
    return [next(found) if is_present else None for is_present in present]


def without(gradients: Tensor, target: Tensor, index: Tensor) -> Any:
    """Return the gradients of the items that were not replaced."""
    return apply(WITHOUT, (gradients, target, index))


def gathered(gradients: Tensor, indices: Tensor) -> Any:
    """Return the gradients of items that were stored at `indices`, in the order of the indices."""
    return apply(GATHER, (gradients, indices))


def scattered(gradients: Tensor, indices: Tensor) -> Any:
    """Return the gradients of a list whose items were read from `indices`."""
    return apply(SCATTER, (gradients, indices))
