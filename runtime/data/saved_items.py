"""Items in saved iterator states, as numeric arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.tensor import Array
from runtime.core.variant import boxed, unboxed
from runtime.data.buffers import ListOfItems
from runtime.data.stacked_items import StackedItems
from runtime.errors import FailedPreconditionError
from runtime.ops.data.dataset_state import CacheStore, ShuffleSeeds
from runtime.ops.data.datasets import Item


def item_data(item: Item) -> list[Any]:
    """Return an item in the form it has in a state.

    Raises:
        FailedPreconditionError: it contains a value that exists only in this process.

    >>> item_data((np.array(3), np.array([b"a", b"b"], object)))
    [array(3), {'texts': [b'a', b'b'], 'shape': [2]}]
    """
    return [_saved(array) for array in item]


def item_of_data(saved: Sequence[Any]) -> Item:
    """Return an item from a state.

    >>> item_of_data([{"texts": [b"a", b"b"], "shape": [2]}])
    (array([b'a', b'b'], dtype=object),)
    """
    return tuple([_restored(each) for each in saved])


def all_items(parts: Sequence[Any]) -> list[Item]:
    """Return the items in the stored parts of a dataset: rows, and single items."""
    return [
        item
        for part in parts
        for item in (part.items() if isinstance(part, StackedItems) else [part])
    ]


def state_in(arrays: Sequence[Array]) -> list[Any]:
    """Return the state of the seeds and stores among the tensors of a dataset."""
    return [_saved(array) if _keeps(array) else None for array in arrays]


def stores_in(arrays: Sequence[Array]) -> list[CacheStore]:
    """Return the stores among the tensors of a dataset."""
    held = [unboxed(array) for array in arrays if _keeps(array)]
    return [each for each in held if isinstance(each, CacheStore)]


def restore_stores(arrays: Sequence[Array], saved: Sequence[Any]) -> None:
    """Restore the contents of the stores among tensors, before a cursor checks for them."""
    for array, each in zip(arrays, saved):
        if isinstance(each, dict) and "store" in each:
            unboxed(array).parts = _parts(each)


def restore_seeds(arrays: Sequence[Array], saved: Sequence[Any]) -> None:
    """Restore the seeds among tensors, after all cursors have started."""
    for array, each in zip(arrays, saved):
        if isinstance(each, dict) and "seeds" in each:
            unboxed(array).restore(each["seeds"])


def _keeps(array: Array) -> bool:
    return array.dtype.kind == "V" and isinstance(unboxed(array), (ShuffleSeeds, CacheStore))


def _parts(saved: Any) -> Any:
    return (
        None if saved["store"] is None else tuple([item_of_data(item) for item in saved["store"]])
    )


def _saved(array: Array) -> Any:
    if array.dtype.kind == "O":
        return {"texts": array.ravel().tolist(), "shape": list(array.shape)}
    if array.dtype.kind != "V":
        return array
    held = unboxed(array)
    if isinstance(held, ShuffleSeeds):
        return {"seeds": held.save(), "changes": held.changes}
    if isinstance(held, CacheStore):
        parts = held.parts
        return {"store": None if parts is None else [item_data(item) for item in all_items(parts)]}
    if isinstance(held, ListOfItems):
        return {"gathered": [item_data(item) for item in held.items]}
    raise FailedPreconditionError(
        f"save: an element holds {held!r}, which lives in this process alone: save the iterator "
        "before such elements are made"
    )


def _restored(saved: Any) -> Array:
    if not isinstance(saved, dict):
        return np.asarray(saved)
    if "seeds" in saved:
        seeds = ShuffleSeeds([], saved["changes"])
        seeds.restore(saved["seeds"])
        return boxed(seeds)
    if "store" in saved:
        store = CacheStore()
        store.parts = _parts(saved)
        return boxed(store)
    if "gathered" in saved:
        return boxed(ListOfItems(tuple([item_of_data(item) for item in saved["gathered"]])))
    array = np.empty(len(saved["texts"]), object)
    array[:] = saved["texts"]
    return array.reshape(saved["shape"])
