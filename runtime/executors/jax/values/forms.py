"""Forms: the structure, shapes and dtypes of a value, on which paths of a program must agree.

    if ...: xs = [1, 2]        a list of two items      }
    else:   xs = [3]           a list of one item       }   a buffer of capacity two

    join([form, form])     the form that all of these values can take
    fit(value, form)       a value in a wider form

A form is the value with `ShapeDtypeStruct` in the place of arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import zip_longest
from typing import Any

import numpy as np

from runtime.executors.jax.rules.jax_modules import jax, jnp, lax
from runtime.executors.jax.rules.table import Unsupported
from runtime.executors.jax.values.pytrees import (
    DynamicLengthList,
    FixedList,
    Gradients,
    OneOf,
    Padded,
    UnsupportedValue,
    VariableKey,
    absent_for,
    count,
    is_array,
    traced,
)

_LISTS = (FixedList, DynamicLengthList)
# The number of forms that one list may have.
_MOST_CHOICES = 8


def form_of(value: Any) -> Any:
    """Return the form of a value."""
    return jax.tree_util.tree_map(_array_form, value)


def _array_form(array: Any) -> Any:
    return absent_for(array.dtype) or _struct(array.shape, array.dtype)


def _struct(shape: Sequence[int], dtype: Any) -> Any:
    return jax.ShapeDtypeStruct(tuple(shape), dtype)


def signature(form: Any) -> Any:
    """Return the common part of two equal forms, for a comparison."""
    leaves, tree = jax.tree_util.tree_flatten(form)
    return tree, [(tuple(each.shape), each.dtype) for each in leaves]


def zeros(form: Any) -> Any:
    """Return the value of a form that is all zeros."""
    return jax.tree_util.tree_map(lambda each: jnp.zeros(each.shape, each.dtype), form)


def same_form(one: Any, other: Any) -> bool:
    """Return whether two forms are equal."""
    return bool(signature(one) == signature(other))


# -- columns: the values of one tensor in all items, along a new first axis ------------------------


def item_of(column: Any) -> Any:
    """Return the form of one item of a column."""
    return jax.tree_util.tree_map(lambda each: _struct(each.shape[1:], each.dtype), column)


def column_of(item: Any, room: int) -> Any:
    """Return the form of a column, from that of an item."""
    return jax.tree_util.tree_map(lambda each: _struct((room, *each.shape), each.dtype), item)


def in_column(column: Any, index: Any) -> Any:
    """Return the item of a column at a valid index, or the items at several."""
    return jax.tree_util.tree_map(lambda each: each[index], column)


def written(column: Any, index: Any, value: Any) -> Any:
    """Return a column with a value at an index; an index behind the end is ignored."""
    return jax.tree_util.tree_map(
        lambda each, new: each.at[index].set(new, mode="drop"), column, value
    )


def appended(column: Any, length: Any, value: Any) -> Any:
    """Return a column with a value behind its items, if its capacity allows it.

    Where it has none, the last item is overwritten: the run is thrown away.
    """

    def with_row(each: Any, new: Any) -> Any:
        start = (length, *(np.int32(0) for _ in each.shape[1:]))
        row = lax.expand_dims(new, (0,))
        # No start is negative: fewer steps than an assigned index are compiled.
        return lax.dynamic_update_slice(each, row, start, allow_negative_indices=False)

    return jax.tree_util.tree_map(with_row, column, value)


def lengthened(column: Any, room: int) -> Any:
    """Return a column with at least that capacity."""

    def longer(each: Any) -> Any:
        missing = room - each.shape[0]
        if isinstance(missing, int) and missing <= 0:
            return each
        return jnp.concatenate([each, jnp.zeros((missing, *each.shape[1:]), each.dtype)])

    return jax.tree_util.tree_map(longer, column)


def fit_column(column: Any, item: Any, room: int) -> Any:
    """Return a column the items of which have a wider form."""
    if same_form(item_of(column), item):
        return lengthened(column, room)
    if jax.tree_util.tree_leaves(column):
        return lengthened(jax.vmap(lambda each: fit(each, item))(column), room)
    # All items are one value without arrays, such as an empty list.
    return jax.tree_util.tree_map(
        lambda each: jnp.broadcast_to(each, (room, *each.shape)), fit(column, item)
    )


def stacked(values: Sequence[Any], item: Any, room: int) -> Any:
    """Return values as a column of items of a form."""
    fitted = [fit(each, item) for each in values]
    if not fitted:
        return zeros(column_of(item, room))
    column = jax.tree_util.tree_map(lambda *each: jnp.stack(each), *fitted)
    return lengthened(column, room)


# -- joins -----------------------------------------------------------------------------------------


def join(forms: Sequence[Any]) -> Any:
    """Return the form that all of these values can take.

    Raises:
        Unsupported: there is none.
    """
    return reduce(_join, forms)


def _join(one: Any, other: Any) -> Any:
    for each in (one, other):
        if isinstance(each, UnsupportedValue):
            return each
    if isinstance(one, (*_LISTS, OneOf)) and isinstance(other, (*_LISTS, OneOf)):
        return _join_choices([*_choices_of(one), *_choices_of(other)])
    if isinstance(one, Gradients) and isinstance(other, Gradients):
        pairs = zip_longest(one.columns, other.columns)
        return Gradients(tuple(_join_columns(*pair) for pair in pairs))
    if isinstance(one, VariableKey) or isinstance(other, VariableKey):
        if one == other:
            return one
        raise Unsupported("no variable that a run chooses")
    if isinstance(one, dict):
        return {key: _join(one[key], other[key]) for key in one}
    if isinstance(one, (tuple, list)):
        return _rebuilt(one, map(_join, one, other))
    if one is None and other is None:
        return None
    if _is_plain(one) and _is_plain(other):
        return _join_arrays(one, other)
    raise Unsupported("no value that is a list on one path and an array on another")


def _rebuilt(like: Any, parts: Iterable[Any]) -> Any:
    """Return a tuple, named tuple or list of parts."""
    return type(like)(*parts) if hasattr(like, "_fields") else type(like)(parts)


def _is_plain(form: Any) -> bool:
    return isinstance(form, Padded) or hasattr(form, "shape")


def _join_arrays(one: Any, other: Any) -> Any:
    if one.dtype != other.dtype:
        raise Unsupported(f"no value that is {one.dtype} on one path and {other.dtype} on another")
    arrays = [each.array if isinstance(each, Padded) else each for each in (one, other)]
    shapes = [each.shape for each in arrays]
    if arrays == [one, other] and shapes[0] == shapes[1]:
        return _struct(one.shape, one.dtype)
    if not all(shapes) or shapes[0][1:] != shapes[1][1:]:
        raise Unsupported(f"no value of shape {shapes[0]} on one path and {shapes[1]} on another")
    room = max(shapes[0][0], shapes[1][0])
    return Padded(_struct((room, *shapes[0][1:]), one.dtype), _struct((), np.int32))


def _join_columns(one: Any, other: Any) -> Any:
    if one is None or other is None:
        return other if one is None else one
    room = max(map(room_of, (one, other)))
    return column_of(_join(item_of(one), item_of(other)), room)


def room_of(column: Any) -> int:
    """Return the capacity of a column in items."""
    return int(jax.tree_util.tree_leaves(column)[0].shape[0])


def _join_lists(one: Any, other: Any) -> Any:
    if isinstance(one, FixedList) and isinstance(other, FixedList):
        if len(one.items) == len(other.items):
            return FixedList(tuple(map(_join_items, one.items, other.items)))
        kind: Any = DynamicLengthList
    else:
        kind = type(one) if isinstance(one, DynamicLengthList) else type(other)
    room = max(map(_list_room, (one, other)))
    found = [each for each in map(items_form, (one, other)) if each is not None]
    item = reduce(_join_items, found) if found else None
    columns = None if item is None else tuple(column_of(each, room) for each in item)
    return kind(_struct((), np.int32), columns, room)


def _list_room(form: Any) -> Any:
    return len(form.items) if isinstance(form, FixedList) else form.room


def _choices_of(form: Any) -> Sequence[Any]:
    return form.choices if isinstance(form, OneOf) else (form,)


def _join_choices(forms: Sequence[Any]) -> Any:
    """Return the form of a list that has one of several forms."""
    found: list[Any] = []
    for form in forms:
        for at, known in enumerate(found):
            try:
                found[at] = _join_lists(known, form)
                break
            except Unsupported:
                continue
        else:
            found.append(form)
    if len(found) > _MOST_CHOICES:
        raise Unsupported("no list of so many forms")
    return found[0] if len(found) == 1 else OneOf(_struct((), np.int32), tuple(found))


def _join_items(one: Any, other: Any) -> Any:
    if len(one) != len(other):
        raise Unsupported("no list the items of which differ in their parts")
    return tuple(map(_join, one, other))


def items_form(form: Any) -> Any:
    """Return the form of all items of a list; None if it has none."""
    if isinstance(form, FixedList):
        return reduce(_join_items, map(form_of, form.items)) if form.items else None
    return None if form.columns is None else tuple(map(item_of, form.columns))


# -- fitting ---------------------------------------------------------------------------------------


def fit(value: Any, form: Any) -> Any:
    """Return a value in a form that `join` has found for it."""
    if isinstance(form, (UnsupportedValue, VariableKey)):
        return form
    if isinstance(form, OneOf):
        return _fit_choices(value, form)
    if isinstance(form, FixedList):
        rows = zip(value.items, form.items)
        return FixedList(tuple(tuple(map(fit, *row)) for row in rows))
    if isinstance(form, DynamicLengthList):
        return _fit_list(value, form)
    if isinstance(form, Gradients):
        pairs = zip_longest(value.columns, form.columns)
        return Gradients(tuple(_fit_gradients(*pair) for pair in pairs))
    if isinstance(form, Padded):
        return _fit_padded(value, form.array.shape[0])
    if isinstance(form, dict):
        return {key: fit(value[key], form[key]) for key in form}
    if isinstance(form, (tuple, list)):
        return _rebuilt(form, map(fit, value, form))
    return None if form is None else traced(value)


def _fit_choices(value: Any, form: OneOf) -> OneOf:
    own = value.choices if isinstance(value, OneOf) else (value,)
    places = [_place_of(form_of(each), form) for each in own]
    which = value.which if isinstance(value, OneOf) else 0
    choices = [zeros(each) for each in form.choices]
    for number, (place, each) in enumerate(zip(places, own)):
        fitted = fit(each, form.choices[place])
        if len(own) == 1:
            choices[place] = fitted
            continue
        choices[place] = jax.tree_util.tree_map(
            lambda new, old, number=number: jnp.where(which == number, new, old),
            fitted,
            choices[place],
        )
    return OneOf(jnp.asarray(np.array(places, np.int32))[which], tuple(choices))


def _place_of(form: Any, among: OneOf) -> int:
    """Return the number of the choice that a list of a form fits."""
    for at, choice in enumerate(among.choices):
        try:
            if same_form(_join_lists(choice, form), choice):
                return at
        except Unsupported:
            continue
    raise Unsupported("no list of so many forms")


def _fit_list(value: Any, form: DynamicLengthList) -> DynamicLengthList:
    item = items_form(form)
    if isinstance(value, FixedList):
        rows = list(zip(*value.items)) if value.items else [()] * len(item or ())
        columns = item and tuple(stacked(*pair, form.room) for pair in zip(rows, item))
        return type(form)(count(len(value.items)), columns, form.room)
    if value.columns is None:
        columns = item and tuple(zeros(column_of(each, form.room)) for each in item)
    else:
        columns = tuple(fit_column(*pair, form.room) for pair in zip(value.columns, item))
    return type(form)(value.length, columns, form.room)


def _fit_gradients(column: Any, form: Any) -> Any:
    if form is None:
        return None
    if column is None:
        return zeros(form)
    return fit_column(column, item_of(form), room_of(form))


def _fit_padded(value: Any, room: int) -> Padded:
    if isinstance(value, Padded):
        return Padded(lengthened(value.array, room), value.length)
    array = traced(value)
    return Padded(lengthened(array, room), count(array.shape[0]))


def with_room(form: Any, room: int) -> Any:
    """Return the form of a list or padded array with at least that capacity."""
    if isinstance(form, Padded):
        rows, *rest = form.array.shape
        return Padded(_struct((max(rows, room), *rest), form.dtype), form.length)
    if not isinstance(form, DynamicLengthList):
        return form
    room = max(form.room, room)
    item = items_form(form)
    columns = None if item is None else tuple(column_of(each, room) for each in item)
    return type(form)(form.length, columns, room)


# -- lists -----------------------------------------------------------------------------------------


def as_dynamic_list(value: Any, room: int = 0) -> DynamicLengthList:
    """Return a list as a buffer with at least that capacity."""
    if isinstance(value, DynamicLengthList) and value.room >= room:
        return value
    if isinstance(value, DynamicLengthList):
        return _fit_list(value, with_room(form_of(value), room))
    room, item = max(room, len(value.items)), items_form(value)
    columns = None if item is None else tuple(column_of(each, room) for each in item)
    return _fit_list(value, DynamicLengthList(_struct((), np.int32), columns, room))


def is_list(value: Any) -> bool:
    """Return whether a value is a list or a TensorArray."""
    return isinstance(value, _LISTS)


def is_value(value: Any) -> bool:
    """Return whether a value is an array, or an array whose length only a run knows."""
    return is_array(value) or isinstance(value, Padded)
