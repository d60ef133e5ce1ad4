"""The current mesh of devices, and arrays on devices beside NumPy's arrays of the same values."""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import Any

import numpy as np

from runtime.core.weak_tables import IdentityTable


class DistributionStatus:
    """The first mesh, or replica, of a process sets `is_used` for good.

    Calls look for a mesh or a replica of their own thread only from then on: a look-up of a context
    variable would take a part of the time of a short call.
    """

    __slots__ = ("is_used",)

    def __init__(self) -> None:
        self.is_used = False


DISTRIBUTION = DistributionStatus()


_MESH: ContextVar[Any] = ContextVar("current_mesh", default=None)

current_mesh = _MESH.get
"""Return the mesh that functions run on, None for a single device."""

leave_mesh = _MESH.reset
"""Restore the mesh before `enter_mesh`."""


def enter_mesh(mesh: Any) -> Token[Any]:
    """Set the mesh that functions run on, and return a token for `leave_mesh`."""
    DISTRIBUTION.is_used = True
    return _MESH.set(mesh)


# The array on devices with the values of a NumPy array that is read-only.
_DEVICE_ARRAYS: IdentityTable[np.ndarray, Any] = IdentityTable()


def keep_on_devices(array: np.ndarray, on_devices: Any) -> None:
    """Keep an array on devices for as long as a NumPy array of the same values, now read-only.

    >>> ones = np.ones(2)
    >>> keep_on_devices(ones, "ones on devices")
    >>> on_devices(ones.view())
    'ones on devices'
    """
    array.flags.writeable = False
    _DEVICE_ARRAYS.put(array, on_devices)


def on_devices(array: np.ndarray) -> Any:
    """Return the array on devices that is kept for a NumPy array, None if there is none."""
    found = _DEVICE_ARRAYS.get(array)
    whole = array.base
    if found is not None or not isinstance(whole, np.ndarray) or array.flags.writeable:
        return found
    form, other = array.__array_interface__, whole.__array_interface__
    return _DEVICE_ARRAYS.get(whole) if form == other else None


def host_array(array: Any) -> np.ndarray:
    """Return the values of an array on devices as a NumPy array that may be read-only.

    All processes call this together if each has only a part of the array.

    >>> host_array(np.ones(2))
    array([1., 1.])
    """
    is_here = getattr(array, "is_fully_addressable", True)
    if is_here or array.is_fully_replicated:
        return np.asarray(array)
    from jax.experimental.multihost_utils import process_allgather

    return np.asarray(process_allgather(array, tiled=True))
