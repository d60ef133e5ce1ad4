"""Distributed datasets: batches in parts, one for each replica.

a batch of 5 rows for 2 replicas    ->    PerReplica((rows 0 to 2, rows 3 to 4))
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from runtime import nest
from runtime.core.argument_checks import shown
from runtime.core.tensor import Tensor
from runtime.data.base_types import AnyDataset
from runtime.data.batching import Batched, Unbatched
from runtime.distribute.per_replica import PerReplica
from runtime.errors import ArgumentValueError
from runtime.ops.arrays.shape import shape
from runtime.ops.elementwise.arithmetic import minimum


def distributed(dataset: Any, count: int) -> Any:
    """Return a dataset the elements of which are parts of batches, one for each replica.

    The parts of a batch have the same number of rows, or the first ones have one more; the last
    ones may be empty.

    Raises:
        ArgumentValueError: the elements have no rows.

    >>> from runtime.data import Dataset
    >>> [each.values[1].numpy().tolist() for each in distributed(Dataset.range(5).batch(4), 2)]
    [[2, 3], []]
    """
    if not isinstance(dataset, AnyDataset):
        raise ArgumentValueError(
            f"experimental_distribute_dataset takes a dataset, not {shown(dataset)}"
        )
    if count == 1:
        return dataset
    for spec in nest.flatten(dataset.element_spec):
        if spec.shape.rank == 0:
            raise ArgumentValueError(
                "the elements of a distributed dataset are batches: write dataset.batch(n) first"
            )
    return dataset.map(_on_elements(partial(_even, count)))  # type: ignore[attr-defined]


def distributed_batches(dataset: Any, count: int) -> Any:
    """Return a dataset the elements of which are batches of a dataset, one for each replica.

    Raises:
        ArgumentValueError: the size of the batches is not known.

    >>> from runtime.data import Dataset
    >>> made = distributed_batches(Dataset.range(6).batch(2), 2)
    >>> [each.values[1].numpy().tolist() for each in made]
    [[2, 3], []]
    """
    if count == 1:
        return dataset
    size = batch_size_of(dataset) if isinstance(dataset, AnyDataset) else None
    if size is None:
        raise ArgumentValueError(
            "the function returns a dataset of batches, made by dataset.batch(n) with a known n"
        )
    ends = [size * at for at in range(1, count + 1)]
    return dataset.unbatch().batch(size * count).map(_on_elements(partial(_cut, ends)))


def batch_size_of(dataset: Any) -> int | None:
    """Return the number of rows of a full batch, None if it is not known.

    >>> from runtime.data import Dataset
    >>> batch_size_of(Dataset.range(6).batch(4).map(lambda x: x + 1).prefetch(1))
    4
    """
    plan = dataset.plan
    while plan is not None and not isinstance(plan, Unbatched):
        if isinstance(plan, Batched):
            return plan.count
        plan = getattr(plan, "source", None)
    return None


def _on_elements(function: Callable[[Tensor], Any]) -> Callable[..., Any]:
    """Return a function of elements, the parts of a tuple as several arguments."""

    def cut(*element: Any) -> Any:
        parts = nest.map_structure(function, element)
        return parts if len(parts) > 1 else parts[0]

    return cut


def _even(count: int, x: Tensor) -> PerReplica:
    """Return the rows of a batch in parts of the same size; the first ones may have one more."""
    rows = shape(x)[0]
    return _cut([rows // count * at + minimum(rows % count, at) for at in range(1, count + 1)], x)


def _cut(ends: list[Any], x: Tensor) -> PerReplica:
    """Return the rows of a batch in parts, which end at the given rows."""
    return PerReplica(tuple(x[start:end] for start, end in zip([0, *ends], ends)))
