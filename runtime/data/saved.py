"""Items as they stand in a saved state: arrays of numbers, and of texts what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.errors import FailedPreconditionError
from runtime.ops.dataset_state import Seeds, Store
from runtime.ops.datasets import Item
from runtime.tensor import Array
from runtime.variant import boxed, unboxed


def listed(item: Item) -> list[Any]:
    """Return an item as it stands in a state.

    Raises:
        FailedPreconditionError: it holds what lives in this process alone.

    >>> listed((np.array(3), np.array([b"a", b"b"], object)))
    [array(3), {'texts': [b'a', b'b'], 'shape': [2]}]
    """
    return [_saved(array) for array in item]


def unlisted(saved: Sequence[Any]) -> Item:
    """Return an item from a state.

    >>> unlisted([{"texts": [b"a", b"b"], "shape": [2]}])
    (array([b'a', b'b'], dtype=object),)
    """
    return tuple([_restored(each) for each in saved])


def _saved(array: Array) -> Any:
    if array.dtype.kind == "O":
        return {"texts": array.ravel().tolist(), "shape": list(array.shape)}
    if array.dtype.kind != "V":
        return array
    held = unboxed(array)
    if isinstance(held, Seeds):
        return {"seeds": held.save(), "changes": held.changes}
    if isinstance(held, Store):
        return {"store": None}
    raise FailedPreconditionError(
        f"save: an element holds {held!r}, which lives in this process alone: save the iterator "
        "before such elements are made"
    )


def _restored(saved: Any) -> Array:
    if not isinstance(saved, dict):
        return np.asarray(saved)
    if "seeds" in saved:
        seeds = Seeds([], saved["changes"])
        seeds.restore(saved["seeds"])
        return boxed(seeds)
    if "store" in saved:
        return boxed(Store())
    array = np.empty(len(saved["texts"]), object)
    array[:] = saved["texts"]
    return array.reshape(saved["shape"])
