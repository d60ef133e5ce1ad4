"""Stacked items: consecutive items of a dataset as rows of arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from runtime.core.shapes import TensorShape
from runtime.core.tensor import Array
from runtime.errors import ShapeError
from runtime.ops.data.datasets import Item


@dataclass(frozen=True, slots=True)
class StackedItems:
    """Consecutive items, stacked as arrays with one more axis in front."""

    count: int
    arrays: tuple[Array, ...]

    def items(self) -> list[Item]:
        """Return the items one by one, as views.

        >>> StackedItems(2, (np.array([3, 4]),)).items()
        [(array(3),), (array(4),)]
        """
        return [tuple([array[at, ...] for array in self.arrays]) for at in range(self.count)]


def stacked(items: Sequence[Item], method: str) -> StackedItems:
    """Return items as rows.

    Raises:
        ShapeError: their shapes differ.

    >>> stacked([(np.array(3),), (np.array(4),)], "batch").arrays
    (array([3, 4]),)
    """
    return StackedItems(len(items), tuple([_one(column, method) for column in zip(*items)]))


def _one(arrays: Sequence[Array], method: str) -> Array:
    _check_alike((array.shape for array in arrays), method)
    return np.stack(arrays)


def concatenated_items(parts: Sequence[StackedItems], method: str) -> StackedItems:
    """Return rows after other rows as one.

    Raises:
        ShapeError: their shapes differ.
    """
    if len(parts) < 2:
        return parts[0] if parts else StackedItems(0, ())
    columns = list(zip(*(part.arrays for part in parts)))
    for column in columns:
        _check_alike((array.shape[1:] for array in column), method)
    return StackedItems(sum(part.count for part in parts), tuple(map(np.concatenate, columns)))


def _check_alike(shapes: Iterable[tuple[int, ...]], method: str) -> None:
    found = {*shapes}
    if len(found) > 1:
        first, second, *_ = (TensorShape.of(shape) for shape in sorted(found))
        raise ShapeError(
            f"{method}: elements of shapes {first} and {second} cannot be one tensor: make them "
            "alike with map first, or use padded_batch"
        )
