"""NumPy's array creation functions for symbolic tensors.

np.zeros(n)    ->    rt.zeros(n, rt.float64)          np.float32(x)    ->    rt.cast(x, rt.float32)

NumPy does not dispatch these to tensors, so converted code does. The dtypes are NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core.dtypes import as_dtype
from runtime.core.tensor import Tensor
from runtime.errors import ArgumentValueError
from runtime.interop.numpy.conversion import (
    RESULT_CONTAINER,
    SAMPLE_NUMBERS,
    adapted,
    numpy_dtype,
    tensor_of,
)
from runtime.interop.numpy.functions import implements
from runtime.ops.arrays import creation, shape
from runtime.ops.arrays.shape import broadcast_to, reshape
from runtime.ops.constant import identity
from runtime.ops.convert import is_weak, strong_cast
from runtime.ops.elementwise.arithmetic import pow as power
from runtime.ops.linalg import matrices as linalg

_SCALARS = """
    bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64
    complex128
"""


@implements(np.array)
def _array(object: Any, dtype: Any = None, copy: Any = None, ndmin: int = 0) -> Tensor:
    made = _asarray(object, dtype, copy, ndmin)
    return identity(made) if made is object else made


@implements(np.copy)
def _copy(a: Any) -> Tensor:
    return _array(a)


@implements(np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray)
def _asarray(object: Any, dtype: Any = None, copy: Any = None, ndmin: int = 0) -> Tensor:
    """Return a tensor, or lists of tensors and numbers as one, of the dtype NumPy promotes to."""
    tensor = tensor_of(object)
    if dtype is not None:
        tensor = adapted(tensor, numpy_dtype(dtype))
    elif is_weak(tensor) and isinstance(object, Tensor):
        tensor = strong_cast(tensor, as_dtype(np.asarray(_sample(tensor)).dtype))
    for _ in range(ndmin - len(tensor.shape)):
        tensor = shape.expand_dims(tensor, 0)
    return tensor


def _sample(value: Any) -> Any:
    """Return a value from which NumPy computes the same result dtype as from `value`."""
    if is_weak(value):
        return SAMPLE_NUMBERS.get(value.dtype.kind, value)
    return np.ones((), value.dtype.np_dtype) if isinstance(value, Tensor) else value


# -- filled arrays ---------------------------------------------------------------------------------


@implements(np.zeros, np.empty)
def _zeros(shape: Any, dtype: Any = float) -> Tensor:
    return creation.zeros(shape, numpy_dtype(dtype))


@implements(np.ones)
def _ones(shape: Any, dtype: Any = float) -> Tensor:
    return creation.ones(shape, numpy_dtype(dtype))


@implements(np.full)
def _full(shape: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    value = _asarray(fill_value, dtype)
    if len(value.shape) == 0:
        return creation.fill(shape, value)
    return broadcast_to(value, shape)


@implements(np.eye)
def _eye(N: Any, M: Any = None, dtype: Any = float) -> Tensor:
    return linalg.eye(N, M, dtype=numpy_dtype(dtype))


@implements(np.identity)
def _identity(n: Any, dtype: Any = float) -> Tensor:
    return linalg.eye(n, dtype=numpy_dtype(dtype))


# -- ranges and grids ------------------------------------------------------------------------------


@implements(np.arange)
def _arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Tensor:
    first, last = (0, start) if stop is None else (start, stop)
    given = [each for each in (start, stop, step) if each is not None]
    samples = map(_sample, given if step is not None else given[:2])
    wanted = as_dtype(np.arange(*samples).dtype) if dtype is None else numpy_dtype(dtype)
    bounds = (first, last, 1 if step is None else step)
    start, stop, step = (adapted(each, wanted) for each in bounds)
    return creation.range(start, stop, step)


@implements(np.linspace)
def _linspace(start: Any, stop: Any, num: Any = 50, dtype: Any = None, axis: int = 0) -> Tensor:
    kind = as_dtype(np.linspace(_sample(start), _sample(stop), 2).dtype)
    first, last = (strong_cast(tensor_of(each), kind) for each in (start, stop))
    made = creation.linspace(first, last, num, axis=axis)
    return made if dtype is None else strong_cast(made, numpy_dtype(dtype))


@implements(np.logspace)
def _logspace(start: Any, stop: Any, num: Any = 50, base: Any = 10.0) -> Tensor:
    exponents = _linspace(start, stop, num)
    return power(strong_cast(tensor_of(base), exponents.dtype), exponents)


@implements(np.meshgrid)
def _meshgrid(*xi: Any, indexing: str = "xy") -> Any:
    if indexing not in ("xy", "ij"):
        raise ArgumentValueError(f"indexing must be 'xy' or 'ij', not {indexing!r}")
    axes = list(range(len(xi)))
    if indexing == "xy" and len(xi) > 1:
        axes[:2] = [1, 0]
    tensors = [reshape(tensor_of(each), [-1]) for each in xi]
    sizes: list[Any] = [None] * len(xi)
    for axis, tensor in zip(axes, tensors):
        known = tensor.shape[0]
        sizes[axis] = shape.size(tensor) if known is None else known
    grids = [
        broadcast_to(reshape(tensor, [-1 if k == axis else 1 for k in range(len(xi))]), sizes)
        for axis, tensor in zip(axes, tensors)
    ]
    return RESULT_CONTAINER(grids)


# -- scalar types ----------------------------------------------------------------------------------


def _cast_to(dtype: Any) -> Callable[..., Tensor]:
    def cast(x: Any = 0) -> Tensor:
        return adapted(tensor_of(x), dtype)

    return cast


for _name in _SCALARS.split():
    _kind = getattr(np, _name)
    implements(_kind)(_cast_to(as_dtype(_kind)))
