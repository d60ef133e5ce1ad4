"""Values for weights, given from outside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from math import prod
from typing import Any

import numpy as np

from runtime.context import recording
from runtime.errors import ArgumentValueError, DataLossError, ShapeError
from runtime.variable import Variable

# How many elements each weight has at most: those of a file that is being read.
_MOST: ContextVar[int | None] = ContextVar("most_elements", default=None)


@contextmanager
def no_larger_than(arrays: Iterable[Any]) -> Iterator[None]:
    """Let no layer make a weight that is larger than all arrays, inside of a `with`."""
    token = _MOST.set(max((each.size for each in arrays), default=0))
    try:
        yield
    finally:
        _MOST.reset(token)


def check_size(owner: str, shape: Sequence[int]) -> None:
    """Raise DataLossError for a weight of a file's model for which the file has no value."""
    most = _MOST.get()
    if most is not None and prod(shape) > most:
        raise DataLossError(
            f"layer {owner!r} has a weight of shape {tuple(shape)}, for which the file has no value"
        )


def give_weights(owner: str, weights: Sequence[Variable], values: Sequence[Any]) -> None:
    """Give variables other values, all of them or none.

    Args:
        owner: the name of the layer, for errors.

    Raises:
        ArgumentValueError: there are fewer or more values than variables.
        ShapeError: a value does not fit its variable.
    """
    if len(weights) != len(values):
        if not weights:
            raise ArgumentValueError(
                f"layer {owner!r} has no weights yet and is given {len(values)}: call it on data, "
                "or build it for the shape of its inputs, before it is given any"
            )
        told = ", ".join(f"{each.path} {each.shape}" for each in weights)
        raise ArgumentValueError(
            f"layer {owner!r} has {len(weights)} weights ({told}) and is given {len(values)}: give "
            "as many arrays, as get_weights does"
        )
    arrays = [np.asarray(value) for value in values]
    for weight, array in zip(weights, arrays):
        if not weight.shape.contains(array.shape):
            raise ShapeError(
                f"layer {owner!r}: weight {weight.path} has shape {weight.shape}, and is given "
                f"one of shape {array.shape}"
            )
    with recording(None):
        for weight, array in zip(weights, arrays):
            weight.assign(array.astype(weight.dtype.np_dtype))
