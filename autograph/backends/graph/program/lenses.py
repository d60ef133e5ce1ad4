"""Views of NumPy's, where the elements of the array are a tensor of the graph.

tail = table[1:, 2:]       reads and writes places 6, 7, 10 and 11 of a table of 3 by 4
"""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as rt
from autograph.backends.graph.program.source_location import user_location
from autograph.errors import ContainerMutationError


def lens(view: np.ndarray[Any, Any], root: np.ndarray[Any, Any]) -> tuple[Any, Any]:
    """Return what reads a view of an array out of its tensor, and what writes it there."""
    shape = view.shape
    if view.dtype != root.dtype:
        raise ContainerMutationError(
            "a view of a NumPy array under another dtype is used, and the array holds what is "
            "known only when the graph runs: use the array itself, or a cast of it",
            user_location(),
        )
    places = _places(view, root)
    # An array with its axes in another order is common, and has all places.
    order = sorted(range(view.ndim), key=lambda axis: -view.strides[axis])
    straight = places.transpose(order)
    if straight.size == root.size and (straight.reshape(-1) == np.arange(root.size)).all():
        if order == [*range(view.ndim)]:
            return lambda t: rt.reshape(t, shape), lambda t, new: rt.reshape(new, root.shape)
        back = [order.index(axis) for axis in range(view.ndim)]
        return (
            lambda t: rt.transpose(rt.reshape(t, straight.shape), back),
            lambda t, new: rt.reshape(rt.transpose(new, order), root.shape),
        )

    def read(tensor: Any) -> Any:
        return rt.gather(rt.reshape(tensor, [-1]), places)

    def write(tensor: Any, new: Any) -> Any:
        if not view.flags.writeable:
            raise ValueError("assignment destination is read-only")
        flat = rt.set_item(rt.reshape(tensor, [-1]), rt.constant(places), new)
        return rt.reshape(flat, root.shape)

    return read, write


def _places(view: np.ndarray[Any, Any], root: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return where the elements of a view are among all of an array, which are in one piece."""
    start = view.__array_interface__["data"][0] - root.__array_interface__["data"][0]
    places = np.full(view.shape, start // root.itemsize)
    for axis, (count, stride) in enumerate(zip(view.shape, view.strides)):
        along = np.arange(count) * (stride // root.itemsize)
        places += along.reshape([-1] + [1] * (view.ndim - axis - 1))
    if root.flags.c_contiguous:
        return places
    # Its axes may be in another order in memory.
    order = sorted(range(root.ndim), key=lambda axis: -root.strides[axis])
    return np.arange(root.size).reshape(root.shape).transpose(order).reshape(-1)[places]
