"""`to_categorical`, `normalize` and `pad_sequences` of `keras.utils`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.argument_checks import choice, listed, number, shown
from runtime.core.dtypes import as_dtype
from runtime.core.lazy_imports import own_names
from runtime.core.tensor import Array, Tensor
from runtime.errors import ArgumentValueError, DTypeError, OutOfMemoryError, ShapeError
from runtime.ops.arguments import static_int

_SIDES = ("pre", "post")
_TEXTS = ("object", "str")


def to_categorical(x: Any, num_classes: int | None = None) -> Array:
    """Return a one-hot row for each class index.

    Args:
        x: integers, of any shape; a last dimension of 1 is removed.
        num_classes: the length of a row; by default one more than the largest index.

    Returns:
        A float64 array of the shape of `x`, with one more dimension.

    Raises:
        ArgumentValueError: a number is not one of the classes, or not whole.
        DTypeError: `x` is not made of numbers.

    >>> to_categorical([0, 2], 3)
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    numbers = _array(x)
    if numbers.dtype.kind not in "biuf":
        raise DTypeError(f"to_categorical takes whole numbers, not {numbers.dtype.name}")
    if numbers.size and not np.array_equal(numbers, np.floor(numbers)):
        raise ArgumentValueError("to_categorical takes whole numbers: the numbers of classes")
    numbers = numbers.astype(np.int64)
    if numbers.ndim > 1 and numbers.shape[-1] == 1:
        numbers = numbers[..., 0]
    count = (
        int(numbers.max(initial=-1)) + 1
        if num_classes is None
        else static_int(num_classes, "num_classes")
    )
    if count < 0:
        raise ArgumentValueError(f"num_classes must be 0 or more, not {count}")
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < count:
        worst = int(numbers.min() if numbers.min() < 0 else numbers.max())
        raise ArgumentValueError(
            f"to_categorical: a class must be from 0 to {count - 1}, not {worst}"
        )
    rows = _empty((numbers.size, count), np.float64)
    rows[...] = 0
    rows[np.arange(numbers.size), numbers.ravel()] = 1
    return rows.reshape(*numbers.shape, count)


def normalize(x: Any, axis: int = -1, order: int = 2) -> Array:
    """Return an array divided by its norm along an axis; vectors of norm 0 stay 0.

    Raises:
        ShapeError: there is no such axis.
        DTypeError: `order` is not a number.

    >>> normalize([[3.0, 4.0]])
    array([[0.6, 0.8]])
    """
    axis = static_int(axis, "axis")
    if _array(x).dtype.kind not in "biufc":
        raise DTypeError(f"normalize takes numbers, not {_array(x).dtype}")
    array = np.asarray(_array(x), np.result_type(_array(x), np.float32))
    if not -array.ndim <= axis < array.ndim:
        raise ShapeError(f"normalize: shape {array.shape} has no axis {axis}")
    power = None if order is None else float(number(order, "order"))
    with np.errstate(all="ignore"):
        norm = np.linalg.norm(array, power, axis, keepdims=True)
        divided: Array = array / np.where(norm == 0, 1, norm)
    return divided


def pad_sequences(
    sequences: Any,
    maxlen: int | None = None,
    dtype: Any = "int32",
    padding: str = "pre",
    truncating: str = "pre",
    value: Any = 0.0,
) -> Array:
    """Return sequences as rows of one length: shorter ones are padded, longer ones truncated.

    Args:
        sequences: lists, or arrays with the same dimensions but for the first.
        maxlen: the length; by default that of the longest one.
        dtype: the dtype of the array; `object` or `str` for texts.
        padding, truncating: "pre" or "post": the end that is padded, or truncated.
        value: the value of the padding.

    Raises:
        ArgumentValueError: `padding` or `truncating` is invalid, or an item is not a sequence.
        ShapeError: the items of the sequences differ in shape.

    >>> pad_sequences([[1], [2, 3, 4]], maxlen=2)
    array([[0, 1],
           [3, 4]], dtype=int32)
    """
    for name, side in (("padding", padding), ("truncating", truncating)):
        choice(side, name, _SIDES)
    rows = [_row(each) for each in listed(sequences, "sequences")]
    length = (
        max(map(len, rows), default=0) if maxlen is None else max(static_int(maxlen, "maxlen"), 0)
    )
    shapes = {row.shape[1:] for row in rows if len(row)}
    if len(shapes) > 1:
        first, second = sorted(shapes)[:2]
        raise ShapeError(f"pad_sequences: items of shape {first}, and of {second}")
    is_text = dtype is str or dtype is object or (isinstance(dtype, str) and dtype in _TEXTS)
    kind = np.dtype(object) if is_text else as_dtype(dtype).np_dtype
    made = _empty((len(rows), length, *next(iter(shapes), ())), kind)
    _put(made, value, "value")
    for target, row in zip(made, rows):
        kept = row[max(len(row) - length, 0) :] if truncating == "pre" else row[:length]
        if len(kept):
            place = slice(-len(kept), None) if padding == "pre" else slice(len(kept))
            _put(target[place], kept, "a sequence")
    return made


def _row(sequence: Any) -> Array:
    is_row = isinstance(sequence, (Sequence, np.ndarray, Tensor)) and not isinstance(sequence, str)
    row = _array(sequence) if is_row else None
    if row is None or not row.ndim:
        raise ArgumentValueError(
            f"pad_sequences takes a list of sequences; {sequence!r} is not a sequence"
        )
    return row


def _empty(shape: tuple[int, ...], kind: Any) -> Array:
    try:
        return np.empty(shape, kind)
    except (MemoryError, ValueError):
        raise OutOfMemoryError(f"memory cannot hold an array of shape {shape}") from None


def _put(target: Array, value: Any, what: str) -> None:
    """Fill a part of an array; ArgumentValueError if its dtype or shape cannot hold the value."""
    try:
        with np.errstate(invalid="raise"):
            target[...] = value
    except (ValueError, TypeError, OverflowError, FloatingPointError):
        words = f"{what} does not fit in {target.dtype.name} items: {shown(value)}"
        raise ArgumentValueError(f"pad_sequences: {words}") from None


def _array(value: Any) -> Array:
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ShapeError(f"a nested list with rows of different lengths: {error}") from None


__dir__ = own_names(__name__)
