"""The functions of Keras 2's `backend` module, as in `K.mean(x)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core.argument_checks import plain_text, shown
from runtime.core.lazy_imports import own_names
from runtime.core.shapes import AxisLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops.arrays.concatenation import concat
from runtime.ops.arrays.reduction import argmax as largest_at
from runtime.ops.arrays.reduction import argmin as smallest_at
from runtime.ops.arrays.reduction import reduce_mean
from runtime.ops.arrays.shape import reshape
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import clip_by_value
from runtime.ops.linalg.einsum import tensordot
from runtime.state.variable import Variable

_ASKED: dict[str, int] = {}


def epsilon() -> float:
    """Return the constant that keeps quotients and logarithms finite: 1e-7.

    >>> epsilon()
    1e-07
    """
    return 1e-07


def floatx() -> str:
    """Return the name of the dtype of weights.

    >>> floatx()
    'float32'
    """
    return "float32"


def set_floatx(value: str) -> None:
    """Accept float32, the only default dtype of weights; a layer takes another as an argument.

    Raises:
        ArgumentValueError: it is another one.

    >>> set_floatx("float32")
    >>> set_floatx("float64")
    Traceback (most recent call last):
    runtime.errors.ArgumentValueError: ...
    """
    _only("floatx", value, floatx(), "give a layer or model its own, as Dense(1, dtype='float64')")


def set_epsilon(value: float) -> None:
    """Accept 1e-7, the only value of `epsilon`.

    Raises:
        ArgumentValueError: it is another one.

    >>> set_epsilon(1e-7)
    >>> set_epsilon(1e-3)
    Traceback (most recent call last):
    runtime.errors.ArgumentValueError: ...
    """
    _only("epsilon", value, epsilon(), "give layers their own, as LayerNormalization(epsilon=...)")


def image_data_format() -> str:
    """Return the default position of the channels of images.

    >>> image_data_format()
    'channels_last'
    """
    return "channels_last"


def set_image_data_format(data_format: str) -> None:
    """Accept "channels_last", the only default; a layer takes another as an argument.

    Raises:
        ArgumentValueError: it is another one.

    >>> set_image_data_format("channels_last")
    >>> set_image_data_format("channels_first")
    Traceback (most recent call last):
    runtime.errors.ArgumentValueError: ...
    """
    advice = "give a layer its own, as Conv2D(1, 3, data_format='channels_first')"
    _only("image_data_format", data_format, image_data_format(), advice)


def get_uid(prefix: str = "") -> int:
    """Return the number of calls with a prefix so far, this one included.

    >>> first = get_uid("doctest")
    >>> get_uid("doctest") - first
    1
    """
    key = plain_text(prefix, "prefix")
    _ASKED[key] = _ASKED.get(key, 0) + 1
    return _ASKED[key]


def backend() -> str:
    """Return the name of the library that computes: in this interface, always TensorFlow.

    >>> backend()
    'tensorflow'
    """
    return "tensorflow"


def _only(name: str, value: Any, known: Any, advice: str) -> None:
    if not isinstance(value, type(known)) or value != known:
        raise ArgumentValueError(f"{name} must be {known!r}, not {shown(value)}: {advice}")


def mean(x: TensorLike, axis: AxisLike | None = None, keepdims: bool = False) -> Tensor:
    """Return the mean along axes; booleans count as 0 and 1.

    >>> float(mean(to_tensor([True, False])))
    0.5
    """
    values = to_tensor(x)
    values = cast(values, floatx()) if values.dtype.is_bool else values
    return reduce_mean(values, axis, keepdims)


def clip(x: TensorLike, min_value: TensorLike, max_value: TensorLike) -> Tensor:
    """Return numbers clipped to two bounds.

    >>> clip([-1.0, 0.5, 2.0], 0, 1).numpy().tolist()
    [0.0, 0.5, 1.0]
    """
    values = to_tensor(x)
    low = values.dtype.min if min_value is None else min_value
    high = values.dtype.max if max_value is None else max_value
    return clip_by_value(values, cast(low, values.dtype), cast(high, values.dtype))


def flatten(x: TensorLike) -> Tensor:
    """Return all numbers in one row.

    >>> flatten([[1, 2], [3, 4]]).numpy().tolist()
    [1, 2, 3, 4]
    """
    return reshape(x, [-1])


def concatenate(tensors: Sequence[TensorLike], axis: int = -1) -> Tensor:
    """Return the concatenation of tensors, along the last axis by default.

    >>> concatenate([[[1]], [[2]]]).numpy().tolist()
    [[1, 2]]
    """
    return concat(tensors, axis)


def dot(x: TensorLike, y: TensorLike) -> Tensor:
    """Return the matrix product of `x` and `y`.

    >>> dot([[1.0, 2.0]], [[3.0], [4.0]]).numpy().tolist()
    [[11.0]]
    """
    first, second = to_tensor(x), to_tensor(y)
    rank = second.shape.rank
    if rank is None:
        raise ShapeError("dot: the rank of y must be known: write rt.ensure_shape")
    return tensordot(first, second, [[-1], [max(rank - 2, 0)]])


def argmax(x: TensorLike, axis: int = -1) -> Tensor:
    """Return the index of the largest number along an axis.

    >>> argmax([[1, 5], [4, 2]]).numpy().tolist()
    [1, 0]
    """
    return largest_at(x, axis)


def argmin(x: TensorLike, axis: int = -1) -> Tensor:
    """Return the index of the smallest number along an axis.

    >>> argmin([[1, 5], [4, 2]]).numpy().tolist()
    [0, 1]
    """
    return smallest_at(x, axis)


def int_shape(x: TensorLike) -> tuple[int | None, ...] | None:
    """Return the sizes of a tensor, None for unknown ones.

    >>> int_shape(to_tensor([[1, 2]]))
    (1, 2)
    """
    dims = to_tensor(x).shape.dims if not hasattr(x, "shape") else x.shape
    dims = getattr(dims, "dims", dims)
    return None if dims is None else tuple(dims)


def get_value(x: TensorLike) -> Any:
    """Return the value of a variable or tensor as an array.

    >>> get_value(to_tensor([1, 2])).tolist()
    [1, 2]
    """
    value: Any = to_tensor(x)
    return value.numpy()


def set_value(x: Variable, value: TensorLike) -> None:
    """Give a variable another value.

    >>> from runtime.state.variable import Variable
    >>> rate = Variable(0.1)
    >>> set_value(rate, 0.5)
    >>> float(rate)
    0.5
    """
    if not hasattr(x, "assign"):
        raise DTypeError(f"set_value takes a variable first, not {x!r}"[:100])
    x.assign(cast(to_tensor(value), x.dtype))


__dir__ = own_names(__name__)
