"""Getting and setting the values of weights.

w = layer.get_weights()        arrays; while a graph is recorded, arrays that each run reads
layer.set_weights(w)           assigned now; while a graph is recorded, in each run
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from math import prod
from typing import Any

import numpy as np

from runtime.core.context import current_recorder
from runtime.core.converter_hooks import ConverterHooks
from runtime.errors import (
    ArgumentValueError,
    DataLossError,
    FailedPreconditionError,
    ShapeError,
    of_tracing,
)
from runtime.ops.constant import cast
from runtime.ops.convert import to_tensor
from runtime.state.variable import Variable

# The largest number of elements that a weight may have while a file is read.
_MOST: ContextVar[int | None] = ContextVar("most_elements", default=None)


@contextmanager
def no_larger_than(arrays: Iterable[Any]) -> Iterator[None]:
    """In a `with` block, reject weights larger than the largest of these arrays."""
    token = _MOST.set(max((each.size for each in arrays), default=0))
    try:
        yield
    finally:
        _MOST.reset(token)


def check_size(owner: str, shape: Sequence[int]) -> None:
    """Raise DataLossError for a weight that is larger than any array of the file being read."""
    most = _MOST.get()
    if most is not None and prod(shape) > most:
        raise DataLossError(
            f"layer {owner!r} has a weight of shape {tuple(shape)}, for which the file has no value"
        )


def values_of(weights: Iterable[Variable]) -> list[Any]:
    """Return copies of the variables' values; while a graph is recorded, values of each run."""
    if current_recorder() is None:
        return [each.numpy().copy() for each in weights]
    return [ConverterHooks.array(each.read_value()) for each in weights]


def refuse_in_graph(what: str) -> None:
    """Raise FailedPreconditionError while a graph is recorded: variables have no values then."""
    if current_recorder() is not None:
        raise of_tracing(
            FailedPreconditionError(
                f"{what} is called outside of a Function: while it is traced, variables have no "
                "values yet; write it after the call, or in a function that py_function calls"
            )
        )


def give_weights(owner: str, weights: Sequence[Variable], values: Sequence[Any]) -> None:
    """Set the values of variables, all or none; while a graph is recorded, in each run.

    Args:
        owner: the name of the layer, for errors.

    Raises:
        ArgumentValueError: there are fewer or more values than variables.
        ShapeError: a value does not match its variable.
    """
    if len(weights) != len(values):
        if not weights:
            raise ArgumentValueError(
                f"layer {owner!r} has no weights yet and is given {len(values)}: call it on data, "
                "or build it for the shape of its inputs, before it is given any"
            )
        listing = ", ".join(f"{each.path} {each.shape}" for each in weights)
        raise ArgumentValueError(
            f"layer {owner!r} has {len(weights)} weights ({listing}) and is given {len(values)}: "
            "give as many arrays, as get_weights does"
        )
    given = [_given(value, weight) for value, weight in zip(values, weights)]
    for weight, array in zip(weights, given):
        if not weight.shape.is_compatible_with(array.shape):
            raise ShapeError(
                f"layer {owner!r}: weight {weight.path} has shape {weight.shape}, and is given "
                f"one of shape {array.shape}"
            )
    for weight, array in zip(weights, given):
        weight.assign(array)


def _given(value: Any, weight: Variable) -> Any:
    """Return a value converted to the dtype of a variable."""
    array = None
    if current_recorder() is None or type(value) is np.ndarray:
        with suppress(ValueError):  # `to_tensor` refuses a ragged list, and tells which one.
            array = np.asarray(value)
    if array is not None and array.dtype.kind not in "OSU":
        return array.astype(weight.dtype.np_dtype)
    return cast(to_tensor(value), weight.dtype)
