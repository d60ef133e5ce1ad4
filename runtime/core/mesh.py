"""The current mesh of devices, and arrays on devices beside NumPy's arrays of the same values."""

from __future__ import annotations

from contextvars import ContextVar, Token
from threading import Timer
from typing import Any

import numpy as np

from runtime.core.context import Origin, caller_origin
from runtime.core.lazy_imports import load_module
from runtime.core.source_names import warn_at
from runtime.core.weak_tables import IdentityTable
from runtime.errors import WaitWarning

# The seconds after which a process that waits for others says so.
_PATIENCE = 60.0


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
    return np.asarray(in_all_processes("process_allgather", array, tiled=True))


def in_all_processes(name: str, *args: Any, **kwargs: Any) -> Any:
    """Call a function of `jax.experimental.multihost_utils`, which waits for all processes.

    A warning names the user's line if the others do not come for a minute.
    """
    load_module("jax").block_until_ready(args)  # The wait for a computation does not count.
    timer = Timer(_PATIENCE, _warn_of_wait, [caller_origin()])
    timer.daemon = True
    timer.start()
    try:
        return getattr(load_module("jax.experimental.multihost_utils"), name)(*args, **kwargs)
    finally:
        timer.cancel()


def _warn_of_wait(place: Origin | None) -> None:
    index = load_module("jax").process_index()
    warn_at(
        place,
        f"process {index} has waited here for {_PATIENCE:g} seconds: all processes must do this "
        "together, so write it outside of `if ag.process_index() == 0`, and give each process as "
        "many steps",
        WaitWarning,
    )
