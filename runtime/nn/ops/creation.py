"""Functions of `keras.ops` that create tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.argument_checks import flag
from runtime.core.dtypes import DTypeLike, as_dtype
from runtime.core.lazy_imports import own_names
from runtime.core.shapes import ShapeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, OutOfMemoryError
from runtime.nn.ops.manipulation import diag
from runtime.nn.ops.numpy_functions import of_numpy
from runtime.ops.arguments import static_int
from runtime.ops.arrays.concatenation import reverse
from runtime.ops.arrays.creation import fill, zeros, zeros_like
from runtime.ops.arrays.creation import linspace as evenly_spaced
from runtime.ops.arrays.creation import range as numbers
from runtime.ops.arrays.shape import expand_dims, reshape
from runtime.ops.arrays.shape import size as number_of
from runtime.ops.constant import cast, constant
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import divide, pow, subtract


def full(shape: ShapeLike, fill_value: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return a tensor of one value.

    >>> full((2,), 3.0).numpy().tolist()
    [3.0, 3.0]
    """
    value = to_tensor(fill_value) if dtype is None else cast(fill_value, dtype)
    return fill(shape, value)


def empty(shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return a tensor of zeros; programs may not rely on the values.

    >>> empty((2,)).numpy().tolist()
    [0.0, 0.0]
    """
    return zeros(shape, "float32" if dtype is None else dtype)


def empty_like(x: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Return zeros of the shape of another tensor; programs may not rely on the values.

    >>> empty_like([1, 2]).numpy().tolist()
    [0, 0]
    """
    return zeros_like(to_tensor(x), dtype)


def diagflat(x: TensorLike, k: int = 0) -> Tensor:
    """Return a matrix with all elements on a diagonal.

    >>> diagflat([[1], [2]]).numpy().tolist()
    [[1, 0], [0, 2]]
    """
    return diag(reshape(to_tensor(x), [-1]), k)


def tri(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None) -> Tensor:
    """Return ones on a diagonal and below it, zeros above.

    >>> tri(2).numpy().tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    rows, columns = static_int(N, "N"), None if M is None else static_int(M, "M")
    wanted = as_dtype("float32" if dtype is None else dtype)
    return cast(_matrix(np.tri, rows, columns, static_int(k, "k")), wanted)


def vander(x: TensorLike, N: int | None = None, increasing: bool = False) -> Tensor:
    """Return the Vandermonde matrix: the powers of each number in a row, the largest first.

    >>> vander([1, 2, 3]).numpy().tolist()
    [[1, 1, 1], [4, 2, 1], [9, 3, 1]]
    """
    values: Any = to_tensor(x)
    count = number_of(values) if N is None else static_int(N, "N")
    powers = cast(numbers(count), values.dtype)
    powers = powers if flag(increasing, "increasing") else reverse(powers, [0])
    return pow(expand_dims(values, -1), powers)


def eye(
    N: TensorLike, M: TensorLike | None = None, k: int = 0, dtype: DTypeLike | None = None
) -> Tensor:
    """Return ones on a diagonal, and zeros elsewhere: float32 by default.

    >>> eye(2, 3, k=1).numpy().tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    rows = static_int(N, "N")
    columns = rows if M is None else static_int(M, "M")
    found = _matrix(np.eye, rows, columns, static_int(k, "k"))
    return found if dtype is None else cast(found, dtype)


def _matrix(make: Any, rows: int, columns: int | None, k: int) -> Any:
    name = make.__name__
    if rows < 0 or (columns or 0) < 0:
        raise ArgumentValueError(f"{name}: sizes must not be negative")
    try:
        return constant(make(rows, columns, k, np.float32))
    except (MemoryError, ValueError):
        raise OutOfMemoryError(f"{name}: the result is larger than the memory there is") from None


def linspace(
    start: TensorLike,
    stop: TensorLike,
    num: int = 50,
    endpoint: bool = True,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Tensor:
    """Return numbers evenly spaced from `start` to `stop`; whole numbers give float32.

    Args:
        endpoint: whether `stop` is the last of them, or would be the next one.

    >>> linspace(0, 4, 4, endpoint=False).numpy().tolist()
    [0.0, 1.0, 2.0, 3.0]
    """
    count = static_int(num, "num")
    first, last = (_float(each) for each in (start, stop))
    if not flag(endpoint, "endpoint") and count:
        last = subtract(last, divide(subtract(last, first), count))
    found = evenly_spaced(first, last, count, axis=axis)
    return found if dtype is None else cast(found, dtype)


def logspace(
    start: TensorLike,
    stop: TensorLike,
    num: int = 50,
    endpoint: bool = True,
    base: TensorLike = 10,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Tensor:
    """Return powers of a base with evenly spaced exponents; see `linspace`.

    >>> logspace(0.0, 2.0, 3).numpy().tolist()
    [1.0, 10.0, 100.0]
    """
    exponents = linspace(start, stop, num, endpoint, axis=axis)
    found = pow(cast(to_tensor(base), exponents.dtype), exponents)
    return found if dtype is None else cast(found, dtype)


def _float(value: Any) -> Any:
    tensor = to_tensor(value)
    return tensor if tensor.dtype.is_floating else cast(tensor, "float32")


full_like = of_numpy("full_like")
tril = of_numpy("tril")
triu = of_numpy("triu")


__dir__ = own_names(__name__, "full_like", "tril", "triu")
