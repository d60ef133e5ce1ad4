"""Eager tensors on a device, which are copied to NumPy on the first access to the values.

    y = f(x)          y holds an array of the engine that ran f; f may still be running
    g(y)              an engine takes this array: nothing is copied
    y.numpy()         waits, and copies the values, on a CPU without a copy in between

A tensor that is passed to an engine twice gets such an array, too, beside its NumPy array.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import modules
from typing import Any

import numpy as np

from runtime.core.dtypes import ALL, DType, dtype_of_array
from runtime.core.fork_safety import fork_safe_lock
from runtime.core.lazy_imports import load, loaded_classes
from runtime.core.mesh import host_array
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array, EagerTensor

# Copies an array to the device of an engine.
ToDevice = Callable[[Array], Any]

_CPU = (1, 0)
_DTYPES = frozenset(dtype.np_dtype for dtype in ALL if dtype.kind not in "OV")
# Held while a value is copied from a device.
_COPYING = fork_safe_lock()
_new: Any = object.__new__
_array_slot: Any = EagerTensor._array


class DeviceTensor(EagerTensor):
    """An eager tensor that an engine has computed.

    Its shape and dtype are known without a wait for the value.
    """

    __slots__ = ()

    @property
    def _array(self) -> Array:  # type: ignore[override]
        try:
            array: Array = _array_slot.__get__(self)
        except AttributeError:
            return self._copied()
        return array

    def _copied(self) -> Array:
        """Return the value as a NumPy array, one object for all threads: tapes identify it."""
        with _COPYING:
            try:
                array: Array = _array_slot.__get__(self)
            except AttributeError:
                array = host_array(self._held).view()
                array.flags.writeable = False
                _array_slot.__set__(self, array)
        return array

    @property
    def spec(self) -> TensorSpec:
        return TensorSpec.of_array(self._held)

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return dtype_of_array(self._held)

    @property
    def shape(self) -> TensorShape:
        """The static shape; all sizes are known."""
        return TensorShape.of(self._held.shape)

    @property
    def ndim(self) -> int:
        return int(self._held.ndim)

    def block_until_ready(self) -> DeviceTensor:
        """Wait until the value is computed, and return the tensor; `jax.block_until_ready`."""
        self._held.block_until_ready()
        return self

    def __dlpack__(self, **options: Any) -> Any:
        if self.__dlpack_device__() == _CPU:
            return super().__dlpack__(**options)
        return self._held.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        device: tuple[int, int] = self._held.__dlpack_device__()
        return device


def tensor_on_device(array: Any) -> DeviceTensor:
    """Return the tensor of an array of an engine that nothing writes to.

    >>> tensor_on_device(np.zeros(2)).shape
    TensorShape([2])
    """
    tensor: DeviceTensor = _new(DeviceTensor)
    tensor._held = array
    return tensor


def tensor_of_result(array: Any) -> EagerTensor:
    """Return the tensor of an array that an engine, or NumPy in its place, has computed.

    >>> type(tensor_of_result(np.zeros(2))).__name__
    'EagerTensor'
    """
    return EagerTensor(array) if type(array) is np.ndarray else tensor_on_device(array)


def is_device_array(value: Any) -> bool:
    """Return whether a value is an array of JAX's, of this process and a dtype of tensors.

    >>> is_device_array(np.zeros(2))
    False
    """
    return _is_known_array(value) and value.dtype in _DTYPES and value.is_fully_addressable


def _is_known_array(value: Any) -> bool:
    if "jax" not in modules:  # each value of a trace is looked at
        return False
    kind = type(value)
    # A tracer has no value; before JAX 0.7 its class is one of arrays.
    is_array = issubclass(kind, loaded_classes("jax:Array"))
    return is_array and not issubclass(kind, loaded_classes("jax.core:Tracer"))


def as_tensor_if_device_array(value: Any) -> Any:
    """Return the tensor of an array of JAX's; any other value itself.

    Keys of `jax.random.key` are their data, uint32 numbers.

    >>> as_tensor_if_device_array(3)
    3
    """
    if not _is_known_array(value):
        return value
    if is_random_key(value):
        value = load("jax.random:key_data")(value)
    return tensor_on_device(value) if is_device_array(value) else value


def is_random_key(value: Any) -> bool:
    """Return whether a value is an array of keys of `jax.random.key`, of this process.

    >>> is_random_key(np.zeros(2, np.uint32))
    False
    """
    if not _is_known_array(value) or value.dtype in _DTYPES:
        return False
    is_key = load("jax.dtypes:issubdtype")(value.dtype, load("jax.dtypes:prng_key"))
    return bool(is_key) and value.is_fully_addressable


def held_array(tensor: EagerTensor, to_device: ToDevice) -> Any:
    """Return the value of a tensor for an engine: the array that it holds, or its NumPy array.

    A tensor that is passed a second time is copied to the device and holds the copy: one that is
    passed once is not worth it.

    >>> x = EagerTensor(np.zeros(2))
    >>> [held_array(x, lambda array: "a copy") for _ in range(2)]
    [array([0., 0.]), 'a copy']
    """
    try:
        held = tensor._held
    except AttributeError:
        tensor._held = held = tensor._array
        return held
    if type(held) is np.ndarray and held.dtype.kind in "biufc":
        tensor._held = held = to_device(held)
    return held
