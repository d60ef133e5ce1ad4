"""NumPy functions that add rows at positions which may repeat."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.tensor import Array


def add_rows(target: Array, places: Array, rows: Array) -> None:
    """Add `rows[i]` to `target[places[i]]`, in place; rows for the same place add up.

    Args:
        target: contiguous, as a new array is.
        places: a vector of ints, from 0 up to the length of `target` minus one.
        rows: one for each place.

    >>> total = np.zeros((3, 2))
    >>> add_rows(total, np.array([2, 0, 2]), np.ones((3, 2)))
    >>> total.tolist()
    [[1.0, 1.0], [0.0, 0.0], [2.0, 2.0]]
    """
    width = int(np.prod(target.shape[1:], dtype=np.int64))
    if width != 1:
        # NumPy's `add.at` is fast for single elements and slow for rows.
        places = (places.astype(np.int64)[:, None] * width + np.arange(width)).ravel()
    np.add.at(target.reshape(-1), places, rows.reshape(-1))


def add_at(target: Array, place: tuple[Any, ...], updates: Array) -> None:
    """Add updates to `target[place]`, in place, where `place` is an index array for each axis.

    >>> total = np.zeros((2, 2))
    >>> add_at(total, (np.array([1, 1]), np.array([0, 0])), np.array([1.0, 2.0]))
    >>> total.tolist()
    [[0.0, 0.0], [3.0, 0.0]]
    """
    if place and place[0].size == 1:
        target[place] += updates
        return
    if not place or not target.size or not updates.size:
        np.add.at(target, place, updates)
        return
    covered = target.shape[: len(place)]
    flat = np.ravel_multi_index(tuple(map(np.ravel, place)), covered)
    rest = target.shape[len(place) :]
    add_rows(target.reshape(-1, *rest), flat, updates.reshape(-1, *rest))
