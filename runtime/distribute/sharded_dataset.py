"""Datasets of batches that are spread over the devices of a mesh."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


class ShardedDataset:
    """A dataset the elements of which are spread over the devices of a mesh.

    It is iterated over outside of graphs. `fit` takes it, and spreads other batches itself.

    Args:
        dataset: a dataset of batches.
        shard: returns an element spread over the devices.

    >>> from runtime.data import Dataset
    >>> [int(x) for x in ShardedDataset(Dataset.range(2), lambda element: element)]
    [0, 1]
    """

    def __init__(self, dataset: Any, shard: Callable[[Any], Any]) -> None:
        self._dataset, self._shard = dataset, shard
        self.element_spec = dataset.element_spec

    def __iter__(self) -> Iterator[Any]:
        return map(self._shard, iter(self._dataset))

    def __len__(self) -> int:
        return len(self._dataset)

    def cardinality(self) -> Any:
        """Return the number of elements; -1 if it is infinite, -2 if it is unknown."""
        return self._dataset.cardinality()
