"""Ops that write to parts of a variable: rows, elements at indices, slices.

Each op changes a copy of the array, which replaces the old one at the end; so an error leaves the
variable unchanged, and a tensor that was read before keeps its value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from runtime.core.dtypes import DType, dtype_of_array
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.errors import (
    DivisionByZeroError,
    DTypeError,
    OutOfBoundsError,
    ShapeError,
    with_article,
)
from runtime.ops.arrays.gather import check_rows
from runtime.ops.arrays.index import Index
from runtime.ops.arrays.scatter import check_updates, extreme
from runtime.ops.effects.variables import VariableStorage, locked
from runtime.ops.infer import check_integer
from runtime.ops.op import define

Write = Callable[[Array, Any, Array], None]


def _put(target: Array, place: Any, updates: Array) -> None:
    target[place] = updates


def _divide(target: Array, place: Any, updates: Array) -> None:
    if target.dtype.kind not in "iu":
        np.divide.at(target, place, updates)
        return
    if np.any(updates == 0):
        raise DivisionByZeroError("an update is 0: an integer variable cannot be divided by 0")
    # Sequentially: an element that is divided twice is rounded twice.
    places = place if isinstance(place, tuple) else (place,)
    rows = [np.broadcast_to(each, places[0].shape).ravel() for each in places]
    flat = updates.reshape(len(rows[0]), *updates.shape[places[0].ndim :])
    for number, update in enumerate(flat):
        row = tuple(each[number] for each in rows)
        whole = np.abs(target[row]) // np.abs(update)
        target[row] = np.where((target[row] < 0) != (update < 0), -whole, whole)


WRITES: dict[str, Write] = {
    "update": _put,
    "add": np.add.at,
    "sub": np.subtract.at,
    "mul": np.multiply.at,
    "div": _divide,
    "max": extreme(np.maximum, -np.inf),
    "min": extreme(np.minimum, np.inf),
}
"""The functions that combine each old element with its update."""


def _check_numbers(how: str, dtype: DType) -> None:
    kinds = "biufcOV" if how == "update" else "iuf" if how in ("max", "min") else "iufc"
    if dtype.kind not in kinds:
        raise DTypeError(
            f"scatter_{how} does not work on {with_article(dtype.name)} variable: compute the rows "
            "from v.read_value() and write them with scatter_update"
        )


def _check_dtype(handle: DType, updates: DType) -> None:
    if handle is not updates:
        found, wanted = with_article(updates.name), with_article(handle.name)
        raise DTypeError(
            f"{found} cannot go into {wanted} variable: write rt.cast(x, rt.{handle.name})"
        )


def _check_row_updates(shape: TensorShape, indices: TensorShape, updates: TensorShape) -> None:
    """Raise ShapeError unless there is one update, or one for each row that `indices` names."""
    if shape.rank == 0:
        raise ShapeError("a scalar variable has no rows to write to")
    expected = indices + shape[1:]
    if updates.rank != 0 and not expected.is_compatible_with(updates):
        raise ShapeError(f"updates of shape {updates} should have shape {expected} or none at all")


@locked
def _scatter_kernel(
    handle: VariableStorage, indices: Array, updates: Array, *, how: Annotated[str, WRITES]
) -> tuple[()]:
    old = handle._array
    _check_numbers(how, dtype_of_array(old))
    _check_row_updates(*(TensorShape.of(a.shape) for a in (old, indices, updates)))
    wrong = (indices < 0) | (indices >= len(old))
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0].tolist())
        name = f"indices[{','.join(map(str, place))}]" if place else "indices"
        raise OutOfBoundsError(f"{name} = {indices[place]} is not in [0, {len(old)})")
    changed = old.copy()
    WRITES[how](changed, indices, np.broadcast_to(updates, indices.shape + old.shape[1:]))
    handle.store(changed)
    return ()


def _scatter_infer(
    handle: TensorSpec, indices: TensorSpec, updates: TensorSpec, *, how: Annotated[str, WRITES]
) -> tuple[()]:
    _check_numbers(how, handle.dtype)
    _check_dtype(handle.dtype, updates.dtype)
    check_integer(indices, "indices")
    _check_row_updates(handle.shape, indices.shape, updates.shape)
    return ()


@locked
def _scatter_nd_kernel(
    handle: VariableStorage, indices: Array, updates: Array, *, how: Annotated[str, WRITES]
) -> tuple[()]:
    old = handle._array
    _check_numbers(how, dtype_of_array(old))
    if indices.ndim == 0:
        raise ShapeError("indices are rows of numbers, and a scalar has none")
    check_rows(indices, old.shape)
    check_updates(TensorShape.of(old.shape), _spec(indices), _spec(updates))
    changed = old.copy()
    WRITES[how](changed, tuple(np.moveaxis(indices, -1, 0)), updates)
    handle.store(changed)
    return ()


def _scatter_nd_infer(
    handle: TensorSpec, indices: TensorSpec, updates: TensorSpec, *, how: Annotated[str, WRITES]
) -> tuple[()]:
    _check_numbers(how, handle.dtype)
    _check_dtype(handle.dtype, updates.dtype)
    check_integer(indices, "indices")
    if indices.shape.rank == 0:
        raise ShapeError("indices are rows of numbers, and a scalar has none")
    check_updates(handle.shape, indices, updates)
    return ()


@locked
def _assign_item_kernel(
    handle: VariableStorage, value: Array, *inputs: Array, index: Index
) -> tuple[()]:
    old = handle._array
    try:
        place = TensorShape.of(np.shape(old[index.numpy(inputs)]))
    except IndexError as error:
        raise index.explained(error, old.shape, inputs) from None
    _check_place(TensorShape.of(value.shape), place)
    changed = old.copy()
    changed[index.numpy(inputs)] = value.reshape(value.shape[max(value.ndim - len(place), 0) :])
    handle.store(changed)
    return ()


def _assign_item_infer(
    handle: TensorSpec, value: TensorSpec, *inputs: TensorSpec, index: Index
) -> tuple[()]:
    _check_dtype(handle.dtype, value.dtype)
    for spec in inputs:
        check_integer(spec, "indices")
    _check_place(value.shape, index.result_shape(handle.shape))
    return ()


def _check_place(value: TensorShape, place: TensorShape) -> None:
    """Raise ShapeError unless a value can be broadcast to the shape of an item.

    Leading dimensions of 1 beyond the rank of the item are ignored.
    """
    above = 0 if value.rank is None or place.rank is None else max(value.rank - len(place), 0)
    item = value[above:] if all(dim in (1, None) for dim in value[:above] or ()) else value
    if not item.broadcasts_to(place):
        raise ShapeError(f"a value of shape {value} does not fit a place of shape {place}")


def _spec(array: Array) -> TensorSpec:
    return TensorSpec.of_array(array)


SCATTER_VARIABLE = define(
    "scatter_variable", _scatter_kernel, _scatter_infer, effects="write", n_outputs=0
)
SCATTER_ND_VARIABLE = define(
    "scatter_nd_variable", _scatter_nd_kernel, _scatter_nd_infer, effects="write", n_outputs=0
)
ASSIGN_ITEM_VARIABLE = define(
    "assign_item_variable", _assign_item_kernel, _assign_item_infer, effects="write", n_outputs=0
)
