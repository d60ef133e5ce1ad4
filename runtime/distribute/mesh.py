"""Meshes of devices with named axes, and tensors that are spread over them.

with mesh(data=4):                                functions run on four devices
    x = shard(x, "data", None)                    a quarter of the rows on each
    model.fit(...)                                batches are spread over the first axis
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextvars import Token
from typing import Any, NamedTuple

import numpy as np

from runtime import nest
from runtime.core.argument_checks import dict_argument, shown
from runtime.core.context import current_recorder
from runtime.core.devices import list_logical_devices
from runtime.core.mesh import (
    current_mesh,
    enter_mesh,
    host_array,
    keep_on_devices,
    leave_mesh,
    on_devices,
)
from runtime.core.shapes import TensorShape
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.data.base_types import AnyDataset
from runtime.distribute.processes import prepared_jax, process_count
from runtime.distribute.sharded_dataset import ShardedDataset
from runtime.errors import ArgumentValueError, GraphError, ShapeError, UnimplementedError
from runtime.executors.jax.rules.sharding import named_sharding
from runtime.executors.jax.sharding import joined_parts, placed
from runtime.nn.modules.module import Module
from runtime.ops.arrays.sharding import constrained
from runtime.ops.convert import to_tensor
from runtime.state.variable import Variable


class Device(NamedTuple):
    """A device that computes.

    Attributes:
        name: its kind and number: "cpu:0", "gpu:3".
        kind: "cpu", "gpu" or "tpu".
        process: the number of the process that it belongs to.

    >>> devices()[0].kind in ("cpu", "gpu", "tpu")
    True
    """

    name: str
    kind: str
    process: int


def devices() -> list[Device]:
    """Return the devices of JAX, of all processes; without JAX, the parts of the processor.

    >>> [each.process for each in devices()][:1]
    [0]
    """
    try:
        found = prepared_jax("devices").devices()
    except UnimplementedError:
        count = len(list_logical_devices("CPU"))
        return [Device(f"cpu:{at}", "cpu", 0) for at in range(count)]
    return [Device(f"{x.platform}:{x.id}", x.platform, x.process_index) for x in found]


class Mesh:
    """Devices in a grid, the axes of which have names: a context manager.

    In it, functions that have no `executor` run on its devices. Make it with `mesh`.

    Attributes:
        shape: the number of devices along each axis, by name.
        devices: the mesh of JAX.

    Example:
        >>> with mesh(data=1) as made:  # doctest: +SKIP
        ...     made.shape
        {'data': 1}
    """

    def __init__(self, shape: dict[str, int], devices: Any) -> None:
        self.shape, self.devices = shape, devices
        self._tokens: list[Token[Any]] = []

    @property
    def axis_names(self) -> tuple[str, ...]:
        """The names of the axes, in order."""
        return tuple(self.shape)

    @property
    def is_shared(self) -> bool:
        """True if it has devices of several processes."""
        return process_count() > 1

    @property
    def size(self) -> int:
        """The number of devices."""
        return math.prod(self.shape.values())

    def __enter__(self) -> Mesh:
        self._tokens.append(enter_mesh(self))
        return self

    def __exit__(self, *error: object) -> None:
        leave_mesh(self._tokens.pop())

    def __repr__(self) -> str:
        return f"<Mesh {', '.join(f'{name}={size}' for name, size in self.shape.items())}>"


def mesh(axes: Mapping[str, int] | None = None, /, **sizes: int) -> Mesh:
    """Return a mesh of the first devices.

    Args:
        axes: the number of devices along each axis, by name; or as keywords. One of them may be -1:
            as many as there are.

    Raises:
        ArgumentValueError: a size is no number above 0, or there are too few devices. Several
            processes use all of their devices.
        UnimplementedError: JAX is not installed.

    >>> mesh({"data": 1}).axis_names  # doctest: +SKIP
    ('data',)
    """
    shape = {**dict_argument(axes, "axes"), **sizes}
    for name, size in shape.items():
        if not isinstance(name, str) or isinstance(size, bool) or not isinstance(size, int):
            raise ArgumentValueError(
                f"a mesh takes the number of devices for each axis, such as data=4, not {name!r}: "
                f"{size!r}"
            )
    if not shape or any(size < 1 and size != -1 for size in shape.values()):
        raise ArgumentValueError(
            f"each axis of a mesh must have at least one device, not {shown(shape)}"
        )
    jax = prepared_jax("a mesh")
    found = jax.devices()
    _fill_in(shape, len(found))
    count = math.prod(shape.values())
    told = ", ".join(f"{name}={size}" for name, size in shape.items())
    if count > len(found):
        raise ArgumentValueError(
            f"a mesh of {told} needs {count} devices, and there are {len(found)}: to divide the "
            f"processor, start with XLA_FLAGS=--xla_force_host_platform_device_count={count}, or "
            "call tf.config.set_logical_device_configuration(cpu, "
            f"[tf.config.LogicalDeviceConfiguration()] * {count}) before JAX is used"
        )
    if process_count() > 1 and count < len(found):
        raise ArgumentValueError(
            f"a mesh of {told} has {count} devices, and the processes have {len(found)}: use all"
        )
    grid = np.array(found[:count]).reshape(tuple(shape.values()))
    return Mesh(shape, jax.sharding.Mesh(grid, tuple(shape)))


def _fill_in(shape: dict[str, int], there: int) -> None:
    """Replace -1 by as many devices as there are for this axis."""
    open_axes = [name for name, size in shape.items() if size == -1]
    if len(open_axes) > 1:
        raise ArgumentValueError(f"only one axis may be -1, not {' and '.join(open_axes)}")
    for name in open_axes:
        others = math.prod(size for size in shape.values() if size != -1)
        shape[name] = max(1, there // others)


# -- shards ----------------------------------------------------------------------------------------


def shard(x: Any, *axes: str | tuple[str, ...] | None, process_local: bool = False) -> Any:
    """Return a value that is spread over the devices of the current mesh.

    In a function, a tensor is one that is spread from there on; without a mesh it stays as it is.

    Args:
        x: a tensor, an array, a variable, a model, a dataset of batches, or a structure of them. A
            variable stays spread in calls of functions. Of a model, each variable is divided along
            its last dimension that can be, others are copied to all devices.
        axes: for each dimension the name of an axis of the mesh, a tuple of names, or None, which
            does not divide it; missing ones are None. Without axes all devices have all values.
        process_local: whether `x` is only the part of this process, such as the rows that it has
            read; the result is all of them, in the order of the processes. All processes call this
            together, outside of functions.

    Raises:
        GraphError: there is no mesh, and no graph is recording.
        ArgumentValueError: the mesh has no such axis, or one is used twice; part of a variable, or
            of a tensor in a function, is given.
        ShapeError: there are more axes than dimensions, or a dimension cannot be divided evenly.
        InvalidArgumentError: the parts of the processes have different shapes.

    >>> with mesh(data=1):  # doctest: +SKIP
    ...     shard([[1, 2], [3, 4]], "data").numpy().tolist()
    [[1, 2], [3, 4]]
    """
    if isinstance(x, AnyDataset):
        return ShardedDataset(x, lambda e: shard(e, *axes, process_local=process_local))
    if nest.is_nested(x) and not isinstance(x, list):
        return nest.map_structure(lambda each: shard(each, *axes, process_local=process_local), x)
    if process_local:
        return _shard_parts(x, axes)
    if isinstance(x, Module):
        for variable in x.variables:
            _shard_variable(variable, _last_that_divides(variable, axes))
        return x
    if isinstance(x, Variable) and current_recorder() is None:
        return _shard_variable(x, axes)
    tensor = to_tensor(x)
    if isinstance(tensor, SymbolicTensor) or current_recorder() is not None:
        if current_mesh() is not None:
            _check_axes(current_mesh(), axes, tensor.shape)
        return constrained(tensor, axes)
    found = _mesh_for(axes, tensor.shape)
    return spread(tensor, found, axes)


def _shard_parts(part: Any, axes: tuple[Any, ...]) -> EagerTensor:
    """Return the parts of all processes as one tensor, each part on the devices of its process."""
    if isinstance(part, (Module, Variable)):
        raise ArgumentValueError(
            f"process_local=True is for data, not for a {type(part).__name__}: a variable has the "
            "value that it has in process 0"
        )
    tensor = to_tensor(part)
    if not isinstance(tensor, EagerTensor) or current_recorder() is not None:
        raise ArgumentValueError(
            "process_local=True is for tensors that have values: call ag.shard outside of "
            "functions, and give its result to them"
        )
    if process_count() == 1:
        return shard(tensor, *axes)
    if not axes or axes[0] is None:
        raise ArgumentValueError(
            "process_local=True needs an axis that divides dimension 0, the rows: "
            'ag.shard(x, "data", process_local=True)'
        )
    # The rows of all processes are checked below: this process knows its own only.
    found = _mesh_for(axes, TensorShape([None, *tensor.shape[1:]][: tensor.ndim]))
    whole = joined_parts(tensor._array, named_sharding(found, axes))
    array = host_array(whole)
    keep_on_devices(array, whole)
    return EagerTensor.over(array)


def spread(tensor: Any, mesh: Mesh, axes: tuple[Any, ...]) -> EagerTensor:
    """Return an eager tensor with a copy on the devices of a mesh."""
    array = np.array(tensor._array)
    keep_on_devices(array, placed(array, named_sharding(mesh, axes)))
    return EagerTensor.over(array)


def sharded_batch(batch: Any) -> Any:
    """Return a batch of eager tensors that is spread over the first axis of the current mesh.

    A tensor with a number of rows that cannot be divided evenly is copied to all devices.
    """
    mesh: Mesh = current_mesh()
    first = mesh.axis_names[0]

    def part(each: Any) -> Any:
        if each is None:
            return None
        tensor = to_tensor(each)
        if not isinstance(tensor, EagerTensor) or tensor._array.dtype.kind not in "biufc":
            return each
        held = on_devices(tensor._array)
        if held is not None and getattr(held.sharding, "mesh", None) == mesh.devices:
            return tensor  # spread already, by `shard`
        is_even = tensor.ndim > 0 and tensor._array.shape[0] % mesh.shape[first] == 0
        return spread(tensor, mesh, (first,) if is_even else ())

    return nest.map_structure(part, batch)


def _shard_variable(variable: Variable, axes: tuple[Any, ...]) -> Variable:
    mesh = _mesh_for(axes, variable.shape)
    value = variable.held_value()
    sharding = named_sharding(mesh, axes)
    variable.store_on_device(placed(variable._array if value is None else value, sharding, True))
    variable._sharded_axes = axes
    return variable


def _last_that_divides(variable: Variable, axes: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the axes of a model's variable, which is divided along one dimension at most."""
    mesh = _mesh_for(axes, TensorShape([None] * len(axes)))
    if not axes:
        return ()
    if len(axes) > 1:
        raise ArgumentValueError(
            "the variables of a model must be divided along one axis of the mesh"
        )
    size = _size(mesh, axes[0])
    for at in reversed(range(len(variable.shape))):
        dim = variable.shape[at]
        if dim is not None and dim % size == 0:
            return (*[None] * at, axes[0])
    return ()


def _mesh_for(axes: tuple[Any, ...], shape: TensorShape) -> Mesh:
    mesh: Mesh | None = current_mesh()
    if mesh is None:
        raise GraphError("ag.shard needs a mesh: write `with ag.mesh(data=4):`")
    _check_axes(mesh, axes, shape)
    return mesh


def _check_axes(mesh: Mesh, axes: tuple[Any, ...], shape: TensorShape) -> None:
    names = [name for each in axes for name in _names(each)]
    for name in names:
        if name not in mesh.shape:
            known = ", ".join(map(repr, mesh.shape))
            raise ArgumentValueError(f"the mesh has no axis {shown(name)}, only {known}")
    if len(set(names)) < len(names):
        raise ArgumentValueError(
            f"each axis of the mesh must divide only one dimension, not {shown(axes)}"
        )
    if shape.rank is None:
        return
    if len(axes) > shape.rank:
        raise ShapeError(f"there are {len(axes)} axes for the {shape.rank} dimensions of {shape}")
    for at, each in enumerate(axes):
        size, dim = _size(mesh, each), shape[at]
        if dim is not None and dim % size:
            raise ShapeError(
                f"dimension {at} of shape {shape} is {dim}, which {size} devices along "
                f"{shown(each)} cannot share evenly: leave out the rest, or pad it"
            )


def _names(axis: Any) -> tuple[Any, ...]:
    return () if axis is None else axis if isinstance(axis, tuple) else (axis,)


def _size(mesh: Mesh, axis: Any) -> int:
    return math.prod(mesh.shape[name] for name in _names(axis))
