"""Batches as (x, y, sample_weight), and class weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from runtime import nest
from runtime.core.dtypes import float32
from runtime.core.tensor import EagerTensor, SymbolicTensor
from runtime.errors import ArgumentValueError
from runtime.ops.arrays.creation import ones_like
from runtime.ops.arrays.reduction import argmax
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.ops.elementwise.comparison import equal
from runtime.ops.elementwise.selection import where

Batch = Any


def as_batch(
    item: Any, class_weight: Any = None, made: Callable[[Any], Any] = lambda value: value
) -> Batch:
    """Return a batch without trailing parts that are None.

    Args:
        item: a tuple of one to three parts; anything else is x alone.
        class_weight: the weight of each class.
        made: a function that is applied to the parts.

    Raises:
        ArgumentValueError: it has more parts, or there are weights but no classes.

    >>> as_batch((1, 2, None)), as_batch(1)
    ((1, 2), 1)
    """
    parts = item if isinstance(item, tuple) else (item,)
    if len(parts) > 3 or not parts:
        raise ArgumentValueError(
            f"a batch must be (x,), (x, y) or (x, y, sample_weight), not a tuple of {len(parts)}"
        )
    given = [made(each) for each in parts]
    if any(nest.is_nested(each) and not nest.flatten(each) for each in given):
        raise ArgumentValueError("there is no data: a part of the batch is empty")
    while len(given) > 1 and given[-1] is None:
        given.pop()
    if len(given) == 3 and given[1] is None:
        raise ArgumentValueError("sample_weight needs y: give both")
    if class_weight is None:
        return tuple(given) if isinstance(item, tuple) else given[0]
    return _weighted(given, class_weight)


def unpacked(data: Any) -> tuple[Any, Any, Any]:
    """Return x, y and sample_weight of a batch, None for missing ones.

    >>> unpacked((1, 2))
    (1, 2, None)
    """
    parts = as_batch(data)
    x, y, weights, *_ = (*(parts if isinstance(parts, tuple) else (parts,)), None, None)
    return x, y, weights


def packed(x: Any, y: Any = None, sample_weight: Any = None) -> Batch:
    """Return a batch of the parts that are not None; x alone unless x is a tuple or a list.

    >>> packed(1), packed(1, 2), packed((1,))
    (1, (1, 2), ((1,),))
    """
    if y is None and not isinstance(x, (tuple, list)):
        return x
    return as_batch((x, y, sample_weight))


def _weighted(parts: list[Any], class_weight: Any) -> Batch:
    if len(parts) != 2 or nest.is_nested(parts[1]):
        raise ArgumentValueError("class_weight needs one y, and no sample_weight")
    if isinstance(parts[1], SymbolicTensor):
        return (*parts, _weights_in_graph(parts[1], class_weight))
    classes = np.asarray(parts[1].numpy() if isinstance(parts[1], EagerTensor) else parts[1])
    if classes.ndim == 2 and classes.shape[1] > 1:
        classes = classes.argmax(1)
    classes = classes.reshape(len(classes), -1)
    if classes.shape[1] != 1:
        raise ArgumentValueError(_ONE_CLASS)
    found = np.ones(len(classes), np.float32)
    for number, weight in _by_class(class_weight):
        found[classes[:, 0] == number] = weight
    return (*parts, found)


_ONE_CLASS = "class_weight needs one class for each item; give sample_weight"


def _by_class(class_weight: Any) -> Iterable[tuple[Any, Any]]:
    if not isinstance(class_weight, Mapping):
        raise ArgumentValueError(
            f"class_weight must be a dict from classes to weights, not {class_weight!r}"
        )
    return class_weight.items()


def _weights_in_graph(classes: Any, class_weight: Any) -> Any:
    dims = classes.shape.dims
    if dims is None or len(dims) > 2 or (len(dims) == 2 and dims[1] is None):
        raise ArgumentValueError(f"{_ONE_CLASS}, for y has the shape {classes.shape}")
    if len(dims) == 2:
        classes = argmax(classes, axis=1) if dims[1] != 1 else classes[:, 0]
    found = ones_like(classes, float32)
    for number, weight in _by_class(class_weight):
        is_one = equal(cast(classes, float32), float(number))
        found = where(is_one, to_tensor(weight, float32), found)
    return found
