"""Functions of parts of tensors as Keras calls them: places, windows and comparisons by element."""

from __future__ import annotations

from typing import Any

from runtime.core.settings import choice, flag, listed
from runtime.errors import DTypeError, ShapeError
from runtime.nn.losses.operands import TINY, floats
from runtime.ops.arrays.concatenation import unstack
from runtime.ops.arrays.creation import zeros_like
from runtime.ops.arrays.scatter import scatter_nd, tensor_scatter_nd_update
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.arithmetic import clip_by_value
from runtime.ops.elementwise.comparison import not_equal
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import log
from runtime.ops.neural.convolution import convolution
from runtime.ops.neural.embedding import in_top_k as targets_in_top_k
from runtime.ops.neural.max_pool_positions import pool
from runtime.ops.neural.weighted_losses import sigmoid_cross_entropy_with_logits


def scatter(indices: Any, values: Any, shape: Any) -> Any:
    """Return zeros of a shape with values added at indices.

    Args:
        indices: int, shape (..., depth): a place is a row.
        values: what is added there; those for one place are summed.
        shape: of the result.

    >>> print(scatter([[0], [2], [0]], [1.0, 2.0, 3.0], (4,)).numpy())
    [4. 0. 2. 0.]
    """
    return scatter_nd(to_tensor(indices), to_tensor(values), shape)


def scatter_update(inputs: Any, indices: Any, updates: Any) -> Any:
    """Return a tensor with other values at indices, of which each row is a place.

    >>> print(scatter_update([0.0, 0.0, 0.0], [[1]], [5.0]).numpy())
    [0. 5. 0.]
    """
    return tensor_scatter_nd_update(to_tensor(inputs), to_tensor(indices), to_tensor(updates))


def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> Any:
    """Return the cross entropy of yes and no for each element; the loss of that name has means.

    Args:
        target: 0 and 1, or what is between.
        output: floats of that shape: probabilities of 1, or logits if `from_logits`.

    >>> print(binary_crossentropy([1.0, 0.0], [0.5, 0.75]).numpy().round(4))
    [0.6931 1.3863]
    """
    predicted = floats(output)
    truth = cast(to_tensor(target), predicted.dtype)
    if flag(from_logits, "from_logits"):
        return sigmoid_cross_entropy_with_logits(truth, predicted)
    sure: Any = clip_by_value(predicted, TINY, 1.0 - TINY)
    yes: Any = truth * log(sure)
    return -(yes + (1.0 - truth) * log(1.0 - sure))


def in_top_k(targets: Any, predictions: Any, k: int) -> Any:
    """Return for each row whether the number of its class is among the k largest predictions.

    >>> print(in_top_k([0, 2], [[0.1, 0.5, 0.2], [0.1, 0.5, 0.4]], 2).numpy())
    [False  True]
    """
    return targets_in_top_k(to_tensor(targets), to_tensor(predictions), k)


def conv(
    inputs: Any,
    kernel: Any,
    strides: Any = 1,
    padding: str = "valid",
    data_format: str | None = None,
    dilation_rate: Any = 1,
) -> Any:
    """Return the convolution of images, rows or volumes with a kernel.

    Args:
        inputs: floats, shape (batch, *sizes, channels), or (batch, channels, *sizes) where
            `data_format` is "channels_first".
        kernel: shape (*window, channels in, channels out).
        strides, dilation_rate: a number, or one for each axis of the window.
        padding: "valid" or "same".

    >>> conv([[[1.0], [2.0], [3.0]]], [[[1.0]], [[1.0]]]).numpy().tolist()
    [[[3.0], [5.0]]]
    """
    values, window = floats(inputs), floats(kernel)
    return convolution(
        values,
        window,
        strides=_for_each(strides, values),
        padding=_padding(padding),
        data_format=_layout(data_format, values),
        dilations=_for_each(dilation_rate, values),
    )


def max_pool(
    inputs: Any,
    pool_size: Any,
    strides: Any = None,
    padding: str = "valid",
    data_format: str | None = None,
) -> Any:
    """Return the largest number of each window; arguments are those of `conv`.

    Args:
        pool_size: the window: a number, or one for each axis.
        strides: as `pool_size` by default.

    >>> max_pool([[[1.0], [2.0], [4.0], [3.0]]], 2).numpy().tolist()
    [[[2.0], [4.0]]]
    """
    return _pooled("MAX", inputs, pool_size, strides, padding, data_format)


def average_pool(
    inputs: Any,
    pool_size: Any,
    strides: Any = None,
    padding: str = "valid",
    data_format: str | None = None,
) -> Any:
    """Return the mean of each window; arguments are those of `max_pool`.

    >>> average_pool([[[1.0], [2.0], [4.0], [3.0]]], 2).numpy().tolist()
    [[[1.5], [3.5]]]
    """
    return _pooled("AVG", inputs, pool_size, strides, padding, data_format)


def nonzero(x: Any) -> Any:
    """Return where a tensor is not zero: for each axis the places along it, int32.

    >>> [each.numpy().tolist() for each in nonzero([[1, 0], [0, 2]])]
    [[0, 1], [0, 1]]
    """
    values = to_tensor(x)
    found = cast(where(not_equal(values, zeros_like(values))), "int32")
    return tuple(unstack(found, values.shape.rank, axis=1))


def _pooled(
    kind: str, inputs: Any, size: Any, strides: Any, padding: str, data_format: str | None
) -> Any:
    values = to_tensor(inputs)
    return pool(
        values,
        _for_each(size, values),
        kind,
        strides=_for_each(size if strides is None else strides, values),
        padding=_padding(padding),
        data_format=_layout(data_format, values),
    )


def _for_each(number: Any, values: Any) -> list[Any]:
    axes = (values.shape.rank or 4) - 2
    if isinstance(number, (set, frozenset)):
        raise DTypeError(f"sizes and strides have an order, which {number} has not")
    return [number] * axes if isinstance(number, int) else listed(number, "sizes or strides")


def _padding(padding: str) -> str:
    return str(choice(padding, "padding", ("valid", "same"))).upper()


def _layout(data_format: str | None, values: Any) -> str | None:
    known = choice(data_format, "data_format", (None, "channels_last", "channels_first"))
    rank = 4 if values.shape.rank is None else values.shape.rank
    if not 3 <= rank <= 5:
        raise ShapeError(f"inputs have 3, 4 or 5 axes, not shape {values.shape}")
    letters = {1: "W", 2: "HW", 3: "DHW"}[rank - 2]
    return f"NC{letters}" if known == "channels_first" else f"N{letters}C"
