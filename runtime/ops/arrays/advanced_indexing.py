"""Advanced indexing: several index arrays in one index, as in NumPy.

    x[rows, columns]    ->    gather(reshape(x, [-1]), rows * shape(x)[1] + columns)

The index arrays are broadcast against each other. Their dimensions are where the arrays are if
these are next to each other, and in front otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.dtypes import bool_, int64
from runtime.core.tensor import Tensor
from runtime.errors import ShapeError
from runtime.ops.arrays import shape as shapes
from runtime.ops.arrays.creation import range as numbers
from runtime.ops.arrays.gather import gather
from runtime.ops.arrays.index import (
    ELLIPSIS,
    NEWAXIS,
    WHOLE,
    HashableSlice,
    Index,
    Input,
    Item,
    Marker,
    Part,
    in_front,
)
from runtime.ops.arrays.reduction import reduce_all
from runtime.ops.convert import strong_cast, to_tensor
from runtime.ops.effects.checks import check
from runtime.ops.elementwise.comparison import equal
from runtime.ops.elementwise.selection import where
from runtime.ops.linalg.matrices import transpose
from runtime.ops.op import REGISTRY, apply


def expanded(items: Sequence[Item], inputs: Sequence[Tensor], rank: int | None) -> list[Item]:
    """Return the parts of an index with slices in place of `...`, and of omitted dimensions.

    Raises:
        ShapeError: the rank is unknown, or there are more parts than dimensions.
    """
    widths = [_width(item, inputs) for item in items]
    if rank is None:
        raise ShapeError("several index tensors in one index need a tensor of known rank")
    if sum(widths) > rank:
        raise ShapeError(f"an index of {sum(widths)} dimensions has too many for rank {rank}")
    at = items.index(ELLIPSIS) if ELLIPSIS in items else len(items)
    return [*items[:at], *[WHOLE] * (rank - sum(widths)), *items[at + 1 :]]


def _width(item: Item, inputs: Sequence[Tensor]) -> int:
    """Return the number of the tensor's dimensions that a part of an index uses."""
    if item in (ELLIPSIS, NEWAXIS):
        return 0
    if not isinstance(item, Input) or inputs[item.position].dtype is not bool_:
        return 1
    rank = inputs[item.position].shape.rank
    if rank is None:
        raise ShapeError("the rank of a boolean mask must be known: use rt.boolean_mask")
    return rank


def advanced_item(x: Tensor, items: Sequence[Item], inputs: Sequence[Tensor]) -> Tensor:
    """Return `x[items]`, where some of the items are index arrays.

    Args:
        x: a tensor of known rank.
        items: the parts of an index.
        inputs: the index arrays and the scalar tensors in it: integers, or masks of bools.

    Raises:
        IndexError: an index is out of bounds, or a mask does not have the shape of the masked
            dimensions.
        ShapeError: the rank of the tensor or of a mask is unknown.

    >>> x = to_tensor([[1, 2, 3], [4, 5, 6]])
    >>> print(advanced_item(x, [Input(0), Input(1)], [to_tensor([0, 1]), to_tensor([2, 0])]))
    rt.Tensor([3 4], shape=(2,), dtype=int32)
    """
    parts = expanded(items, inputs, x.shape.rank)
    # Slices and new axes are applied first; dimensions with index arrays stay unchanged.
    basic: list[Item] = []
    arrays: dict[int, Any] = {}
    bounds: list[Tensor] = []
    for part in parts:
        if isinstance(part, (int, Input)):
            arrays[len(basic)] = inputs[part.position] if isinstance(part, Input) else part
            basic += [WHOLE] * _width(part, inputs)
        else:
            basic.append(_numbered(part, inputs, bounds))
    whole: Tensor = apply(REGISTRY["strided_slice"], (x, *bounds), index=Index(tuple(basic)))
    return _picked(whole, arrays, 0 if in_front(items) else min(arrays))


def _numbered(part: HashableSlice | Marker, inputs: Sequence[Tensor], bounds: list[Tensor]) -> Item:
    """Return a part with its tensors appended to `bounds`, and their positions there in place."""
    if isinstance(part, Marker):
        return part
    ends: list[Part] = [part.start, part.stop, part.step]
    for at, end in enumerate(ends):
        if isinstance(end, Input):
            ends[at] = Input(len(bounds))
            bounds.append(inputs[end.position])
    return HashableSlice(*ends)


def _picked(x: Tensor, arrays: dict[int, Any], place: int) -> Tensor:
    """Return the elements at index arrays, which are keyed by the dimension they index.

    The dimensions of the index arrays come before the remaining dimension number `place`.
    """
    sizes = shapes.shape(x, out_type=int64)
    found = dict[int, Tensor]()
    for axis, array in arrays.items():
        found.update(enumerate(_numbers_of(to_tensor(array), sizes, axis), axis))
    axes = list(found)
    kept = [axis for axis in range(len(x.shape)) if axis not in found]
    # The indexed dimensions are merged into one, so that one number selects an element.
    together = shapes.reshape(
        transpose(x, [*axes, *kept]), [-1, *(_size(x, sizes, axis) for axis in kept)]
    )
    row: Tensor = to_tensor(0, int64)
    for axis in axes:
        row = row * sizes[axis] + gather(numbers(sizes[axis]), found[axis], wrap=True)
    result = gather(together, row)
    own = len(result.shape) - len(kept)
    rest = [*range(own, len(result.shape))]
    return transpose(result, [*rest[:place], *range(own), *rest[place:]]) if place else result


def _numbers_of(index: Tensor, sizes: Tensor, axis: int) -> list[Tensor]:
    """Return the index arrays of a part: a mask becomes one for each of its dimensions."""
    if index.dtype is not bool_:
        return [strong_cast(index, int64)]
    rank = len(index.shape)
    fits = reduce_all(equal(shapes.shape(index, out_type=int64), sizes[axis : axis + rank]))
    check(fits, IndexError, "a boolean index must have the shape of the indexed tensor")
    rows = where(index)
    return [rows[:, at] for at in range(rank)]


def _size(x: Tensor, sizes: Tensor, axis: int) -> Any:
    known = x.shape[axis]
    return sizes[axis] if known is None else known
