"""Values for weights, given from outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.context import recording
from runtime.errors import ArgumentValueError, ShapeError
from runtime.variable import Variable


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
