"""Arrays on the devices of a mesh, as `jax.Array`s with a NamedSharding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any
from zlib import crc32

import numpy as np

from runtime.core.mesh import current_mesh, in_all_processes, on_devices
from runtime.core.tensor import Array
from runtime.errors import InvalidArgumentError, ShapeError
from runtime.executors.engine import disunited
from runtime.executors.jax.rules.jax_modules import jax, with_64_bits
from runtime.executors.jax.rules.sharding import named_sharding
from runtime.state.variable import Variable


def placed(array: Any, sharding: Any, is_state: bool = False) -> Any:
    """Return an array with a sharding, None for one device.

    All processes call this together.

    Args:
        is_state: whether it is the value of a variable, for which process 0 has the value of all.

    Raises:
        InvalidArgumentError: processes have different values.
        UnavailableError: another process has ended.
    """
    with with_64_bits():
        if jax.process_count() == 1:
            return jax.device_put(array, sharding)
        try:
            return _placed_together(array, sharding, is_state)
        except jax.errors.JaxRuntimeError as error:
            raise disunited(error) from error


def _placed_together(array: Any, sharding: Any, is_state: bool) -> Any:
    if isinstance(array, jax.Array) and not array.is_fully_addressable:
        return jax.jit(lambda x: x, out_shardings=sharding)(array)
    array = _broadcast_from_first_process(np.asarray(array)) if is_state else _same_in_all(array)
    return jax.make_array_from_callback(array.shape, sharding, lambda part: array[part])


def _broadcast_from_first_process(array: Array) -> Array:
    return np.asarray(in_all_processes("broadcast_one_to_all", array))


def _same_in_all(array: Array) -> Array:
    """Return an argument that is the same in all processes."""
    own = np.array(crc32(np.ascontiguousarray(array).tobytes()), np.uint32)
    sums = in_all_processes("process_allgather", own)
    for at, each in enumerate(sums):
        if each != sums[0]:
            raise InvalidArgumentError(
                f"processes 0 and {at} have different values for an argument of shape "
                f"{array.shape}: each process has the whole batch, so give data and shuffles the "
                "same seed in all"
            )
    return array


def joined_parts(part: Array, sharding: Any) -> Any:
    """Return the parts of an array that the processes have, in their order, as one array.

    All processes call this together.

    Raises:
        InvalidArgumentError: the parts have different shapes or dtypes.
        ShapeError: the devices of a process cannot divide its rows evenly.
        UnavailableError: another process has ended.
    """

    with with_64_bits():
        try:
            _check_parts(part)
            shape = (len(part) * jax.process_count(), *part.shape[1:])
            if _rows_divide(shape, sharding):
                return jax.make_array_from_process_local_data(sharding, part, shape)
        except jax.errors.JaxRuntimeError as error:
            raise disunited(error) from error
    raise ShapeError(
        f"the {len(part)} rows of this process cannot be divided evenly among its devices: leave "
        "out the rest, or pad it"
    )


def _check_parts(part: Array) -> None:
    form = crc32(repr((part.shape, part.dtype.str)).encode())
    forms = in_all_processes("process_allgather", np.array([form, len(part)], np.int64))
    for at, (other, rows) in enumerate(forms):
        if other != forms[0][0]:
            raise InvalidArgumentError(
                f"process 0 has a part of {forms[0][1]} rows, and process {at} one of {rows} rows, "
                "or of another shape or dtype: give each process as many, with "
                "drop_remainder=True for batches"
            )


def _rows_divide(shape: tuple[int, ...], sharding: Any) -> bool:
    try:
        sharding.shard_shape(shape)
    except ValueError:
        return False
    return True


def on_mesh(given: Any) -> Any:
    """Return an argument on the devices of the current mesh: as it is sharded, or replicated.

    Args:
        given: a NumPy array, or a variable that has a value.

    Raises:
        AttributeError, FailedPreconditionError: a variable has no value yet.
    """
    mesh, axes = current_mesh(), ()
    if isinstance(given, Variable):
        axes, value = given._sharded_axes, given.held_value()
        value = given._array if value is None else value
    else:
        value = on_devices(given)
        value = given if value is None else value
    if isinstance(value, jax.Array):
        is_there = getattr(value.sharding, "mesh", None) == mesh.devices
        if is_there:
            return value
    elif value.dtype.kind not in "biufc":
        return value
    fitting = axes if _fit(mesh, axes, value.shape) else ()
    return placed(value, named_sharding(mesh, fitting), isinstance(given, Variable))


def _fit(mesh: Any, axes: tuple[Any, ...], shape: Sequence[int]) -> bool:
    """Return whether a mesh has these axes, and they divide the dimensions evenly."""
    for axis, dim in zip(axes, shape):
        names = () if axis is None else axis if isinstance(axis, tuple) else (axis,)
        if any(name not in mesh.shape for name in names):
            return False
        if dim % math.prod(mesh.shape[name] for name in names):
            return False
    return True
