"""Conversion of arguments and results of a program; lists become columns of arrays.

A list that is passed becomes one of known length if it is short, else a buffer, so that calls with
lists of similar lengths share one compiled program.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.item_list import ItemList
from runtime.core.shapes import UNKNOWN
from runtime.core.variant import boxed, unboxed
from runtime.executors.jax.rules.jax_modules import jax
from runtime.executors.jax.rules.table import Unsupported
from runtime.executors.jax.values.pytrees import (
    DynamicLengthList,
    FixedList,
    OneOf,
    Padded,
    TensorArrayValue,
    UnsupportedValue,
    absent_for,
)
from runtime.ops.containers.tensor_arrays import TensorArrayContents as SlotsValue

# The number of items up to which the length of a list is part of a program.
_SHORT = 8


def value_of(array: Any) -> Any:
    """Return an argument as a value: the array, or the list in it.

    Raises:
        Unsupported: it is a text or an object.
    """
    if array.dtype.kind in "biufc":
        return array
    if array.dtype.names is None:
        absent = absent_for(array.dtype)
        if absent is not None:
            raise Unsupported(f"{absent.reason} as arguments")
        return array
    held = unboxed(array)
    if type(held) is not ItemList:
        raise Unsupported("no objects as arguments")
    return _list_of(held)


def _list_of(held: ItemList) -> Any:
    items = held.items()
    if len(items) > _SHORT:
        columns = [_column(column) for column in zip(*items)]
        if len({len(item) for item in items}) == 1 and all(each is not None for each in columns):
            room = 1 << (len(items) - 1).bit_length()
            padded = tuple(_padded(column, room) for column in columns)
            return DynamicLengthList(np.array(len(items), np.int32), padded, room)
    return FixedList(tuple(tuple(map(value_of, item)) for item in items))


def _column(arrays: Sequence[Any]) -> Any:
    first = arrays[0]
    if first.dtype.kind not in "biufc":
        return None
    if any(each.shape != first.shape or each.dtype != first.dtype for each in arrays):
        return None
    return np.stack(arrays)


def _padded(column: Any, room: int) -> Any:
    rest = np.zeros((room - len(column), *column.shape[1:]), column.dtype)
    return np.concatenate([column, rest])


def array_of(value: Any) -> Any:
    """Return a result as an array of this package, from NumPy arrays in its place."""
    if isinstance(value, Padded):
        return np.ascontiguousarray(value.array[: int(value.length)])
    if isinstance(value, FixedList):
        return boxed(ItemList(tuple(map(array_of, item)) for item in value.items))
    if isinstance(value, OneOf):
        return array_of(value.choices[int(value.which)])
    if isinstance(value, TensorArrayValue):
        shape = UNKNOWN if value.columns is None else _shape_of(value.columns[0])
        return boxed(SlotsValue(_items_of(value), shape))
    return boxed(_items_of(value)) if isinstance(value, DynamicLengthList) else value


def _shape_of(column: Any) -> Any:
    from_array = type(UNKNOWN).of
    return from_array(column.shape[1:])


def _items_of(value: DynamicLengthList) -> ItemList:
    length = int(value.length)
    if value.columns is None:
        return ItemList()
    columns = value.columns
    if not columns:
        return ItemList([()] * length)
    if len(columns) == 1 and isinstance(columns[0], np.ndarray) and columns[0].ndim == 1:
        return ItemList.of_row(columns[0][:length])
    return ItemList(tuple(_row(column, at) for column in columns) for at in range(length))


def _row(column: Any, at: int) -> Any:
    return array_of(jax.tree_util.tree_map(lambda each: each[at, ...], column))


def refuse_absent(value: Any) -> None:
    """Raise Unsupported for a result that JAX cannot hold."""
    if isinstance(value, UnsupportedValue):
        raise Unsupported(value.reason)
    if isinstance(value, FixedList):
        for item in value.items:
            for each in item:
                refuse_absent(each)
    if isinstance(value, DynamicLengthList):
        for column in value.columns or ():
            refuse_absent(column)
    if isinstance(value, OneOf):
        for choice in value.choices:
            refuse_absent(choice)
