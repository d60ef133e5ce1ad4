"""Rules for the gradients of lists: columns by position, with zeros where nothing is known.

Ops that move items, such as slices, run on marks in place of the items: each mark tells the list
and the position it comes from.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from types import SimpleNamespace
from typing import Any

import numpy as np

from runtime.executors.jax.lists.operations import length_of
from runtime.executors.jax.rules.jax_modules import jax, jnp
from runtime.executors.jax.rules.table import Unsupported
from runtime.executors.jax.run_state import RunState
from runtime.executors.jax.value_rules import CORE_RULES, core_rule
from runtime.executors.jax.values.forms import (
    as_dynamic_list,
    column_of,
    fit,
    form_of,
    join,
    lengthened,
    room_of,
    zeros,
)
from runtime.executors.jax.values.pytrees import (
    DynamicLengthList,
    FixedList,
    Gradients,
    OneOf,
    Padded,
    UnsupportedValue,
    is_known,
    traced,
)
from runtime.ops.containers.item_moves import has_leaf
from runtime.ops.op import REGISTRY


def _columns(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, Gradients):
        raise Unsupported("no gradients of lists that are chosen with other values")
    return value.columns


def _plain(value: Any) -> Any:
    """Return the gradient of a tensor; Unsupported if its form is not fixed."""
    if isinstance(value, (Padded, UnsupportedValue)):
        raise Unsupported("no gradients of list items whose lengths only a run knows")
    return traced(value)


def _each(function: Any, value: Gradients) -> Gradients:
    """Apply a function to all arrays in the columns."""
    found = (
        None if column is None else jax.tree_util.tree_map(function, column)
        for column in _columns(value)
    )
    return Gradients(tuple(found))


def _rows(mask: Any, like: Any) -> Any:
    return mask.reshape((-1,) + (1,) * (like.ndim - 1))


def _position(target: Any, index: Any) -> Any:
    """Return an index from the start of a list, a TensorArray or gradients of one."""
    index = traced(index).astype(np.int32)
    if isinstance(target, Gradients):
        return index
    length = length_of(target)
    return jnp.where(index < 0, index + length, index)


def _picked(column: Any, index: Any) -> Any:
    """Return a row of a column, zeros behind its end."""
    return jax.tree_util.tree_map(
        lambda each: each.at[index].get(mode="fill", fill_value=0), column
    )


def zeros_like(value: Any) -> Any:
    """Return the gradient of a tensor of an item on which nothing depends."""
    if isinstance(value, (FixedList, DynamicLengthList, OneOf, Gradients)):
        return Gradients(())
    if isinstance(value, Padded):
        return Padded(jnp.zeros_like(value.array), value.length)
    return jnp.zeros(value.shape, value.dtype)


def added(one: Any, other: Any) -> Any:
    """Return the sum of two gradients of one list or tensor."""
    if not isinstance(one, Gradients):
        return one + other
    pairs = zip_longest(_columns(one), _columns(other))
    return Gradients(tuple(_added_columns(*pair) for pair in pairs))


def _added_columns(one: Any, other: Any) -> Any:
    if one is None or other is None:
        return other if one is None else one
    room = max(room_of(one), room_of(other))
    form = join([form_of(Gradients((lengthened(each, room),))) for each in (one, other)])
    columns = [fit(Gradients((each,)), form).columns[0] for each in (one, other)]
    return jax.tree_util.tree_map(jnp.add, *columns)


@core_rule("no_item_gradients")
def _none(run: RunState, node: Any) -> Any:
    return Gradients(())


@core_rule("join_item_gradients")
def _join(run: RunState, node: Any, one: Any, other: Any) -> Any:
    _columns(one), _columns(other)
    return added(one, other)


@core_rule("limit_item_gradients")
def _limit(run: RunState, node: Any, gradients: Any, length: Any) -> Any:
    def limited(each: Any) -> Any:
        inside = jnp.arange(each.shape[0]) < length
        return jnp.where(_rows(inside, each), each, jnp.zeros((), each.dtype))

    return _each(limited, gradients)


@core_rule("place_item_gradients")
def _place(run: RunState, node: Any, target: Any, index: Any, *given: Any) -> Any:
    room = _room_for(run, target, index)
    at, rest = _position(target, index), iter(map(_plain, given))
    columns: list[Any] = []
    for is_present in node.attrs["present"]:
        value = next(rest) if is_present else None
        if value is None or value == Gradients(()):
            columns.append(None)
            continue
        empty = zeros(column_of(form_of(value), room))
        columns.append(
            jax.tree_util.tree_map(
                lambda each, new: each.at[at].set(new, mode="drop"), empty, value
            )
        )
    return Gradients(tuple(columns))


def _room_for(run: RunState, target: Any, index: Any) -> int:
    if isinstance(target, FixedList):
        return max(len(target.items), 1)
    if isinstance(target, DynamicLengthList):
        return target.room
    if isinstance(target, OneOf):
        return max(_room_for(run, each, index) for each in target.choices)
    known = [room_of(each) for each in _columns(target) if each is not None]
    least = int(index) + 1 if is_known(index) else 1
    if not is_known(index):
        run.outgrow(index >= max([run.room, *known]))
    return max([run.room, least, *known])


@core_rule("pick_item_gradients")
def _pick(run: RunState, node: Any, gradients: Any, target: Any, index: Any, *likes: Any) -> Any:
    columns, at = _columns(gradients), _position(target, index)
    places = [place for place, is_present in enumerate(node.attrs["present"]) if is_present]
    found = []
    for place, like in zip(places, likes):
        column = columns[place] if place < len(columns) else None
        if column is None:
            found.append(zeros_like(like))
            continue
        value = _picked(column, at)
        if not isinstance(value, Gradients) and getattr(like, "shape", None) != value.shape:
            raise Unsupported("no gradients of list items of several shapes")
        found.append(value)
    return found


@core_rule("drop_item_gradients")
def _drop(run: RunState, node: Any, gradients: Any, target: Any, index: Any) -> Any:
    at = _position(target, index)
    return _each(lambda each: each.at[at].set(0, mode="drop"), gradients)


@core_rule("gather_item_gradients")
def _gather(run: RunState, node: Any, gradients: Any, indices: Any) -> Any:
    indices = traced(indices)
    return _each(lambda each: each.at[indices].get(mode="fill", fill_value=0), gradients)


@core_rule("scatter_item_gradients")
def _scatter(run: RunState, node: Any, gradients: Any, indices: Any) -> Any:
    indices = traced(indices)
    room = max(run.room, indices.shape[0])
    run.outgrow(indices >= room)

    def scattered(each: Any) -> Any:
        rows = lengthened(each, indices.shape[0])[: indices.shape[0]]
        return jnp.zeros((room, *each.shape[1:]), each.dtype).at[indices].add(rows, mode="drop")

    return _each(scattered, gradients)


# -- rows and parts of tensors ---------------------------------------------------------------------


@core_rule("rows_as_item_gradients")
def _as_rows(run: RunState, node: Any, rows: Any) -> Any:
    column = rows.filled(0) if isinstance(rows, Padded) else _plain(rows)
    return Gradients(((None,) * node.attrs["leaf"]) + (column,))


@core_rule("item_gradients_as_rows")
def _rows_of(run: RunState, node: Any, gradients: Any, like: Any) -> Any:
    leaf, columns = node.attrs["leaf"], _columns(gradients)
    column = columns[leaf] if leaf < len(columns) else None
    array = like.array if isinstance(like, Padded) else like
    if column is None:
        return zeros_like(like)
    rows = lengthened(column, array.shape[0])[: array.shape[0]]
    return Padded(rows, like.length) if isinstance(like, Padded) else rows


@core_rule("parts_as_item_gradients")
def _as_parts(run: RunState, node: Any, whole: Any, lengths: Any) -> Any:
    size = _equal_length(lengths)
    column = _plain(whole).reshape((lengths.shape[0], size, *whole.shape[1:]))
    return Gradients(((None,) * node.attrs["leaf"]) + (column,))


@core_rule("item_gradients_as_parts")
def _parts_of(run: RunState, node: Any, gradients: Any, like: Any, lengths: Any) -> Any:
    _equal_length(lengths)
    leaf, columns = node.attrs["leaf"], _columns(gradients)
    column = columns[leaf] if leaf < len(columns) else None
    if column is None:
        return zeros_like(like)
    return lengthened(column, lengths.shape[0])[: lengths.shape[0]].reshape(like.shape)


def _equal_length(lengths: Any) -> int:
    if not is_known(lengths) or not lengths.size or (lengths != lengths[0]).any():
        raise Unsupported("no gradients of list items of several shapes")
    return int(lengths[0])


# -- moves -----------------------------------------------------------------------------------------

_GIVEN = -1


def _origins(run: RunState, node: Any, inputs: Sequence[Any]) -> DynamicLengthList:
    """Return the list of marks, a source and a position, that the forward op makes."""
    name, lists = node.attrs["forward"], node.attrs["lists"]
    marked: list[Any] = []
    for at, (value, is_list) in enumerate(zip(inputs, lists)):
        if is_list:
            marked.append(_marks(value, at))
        elif not has_leaf(name, at):
            marked.append(value)
    if name == "list_insert":
        marked += [np.array(_GIVEN, np.int32), np.array(0, np.int32)]
    forward = SimpleNamespace(op=REGISTRY[name], attrs=dict(node.attrs["settings"]), outputs=())
    return as_dynamic_list(CORE_RULES[name](run, forward, *marked), 1)


def _marks(value: Any, source: int) -> Any:
    if isinstance(value, FixedList):
        rows, at = range(len(value.items)), np.array(source, np.int32)
        return FixedList(tuple((at, np.array(row, np.int32)) for row in rows))
    rows = jnp.arange(value.room, dtype=np.int32)
    return DynamicLengthList(
        value.length, (jnp.full(value.room, source, np.int32), rows), value.room
    )


def _leaves(node: Any, inputs: Sequence[Any]) -> list[tuple[int, Any]]:
    """Return the tensors of a new item that have gradients, with their places in the item."""
    rest = [x for at, x in enumerate(inputs) if has_leaf(node.attrs["forward"], at)]
    return [(at, like) for at, like in enumerate(rest) if _is_differentiable(like)]


def _is_differentiable(value: Any) -> bool:
    kind = getattr(getattr(value, "dtype", None), "kind", "V")
    return kind in "fcV"


@core_rule("move_item_gradients")
def _move(run: RunState, node: Any, gradients: Any, *inputs: Any) -> Any:
    marks, columns = _origins(run, node, inputs), _columns(gradients)
    results: list[Any] = []
    lists = [at for at, is_list in enumerate(node.attrs["lists"]) if is_list]
    if marks.columns is None:
        return [Gradients(())] * len(lists) + [zeros_like(x) for _, x in _leaves(node, inputs)]
    inside = jnp.arange(marks.room) < marks.length
    source, position = marks.columns
    for at in lists:
        room = max(as_dynamic_list(inputs[at], 1).room, 1)
        to = jnp.where(inside & (source == at), position, room)

        def moved(each: Any, room: int = room, to: Any = to) -> Any:
            rows = lengthened(each, marks.room)[: marks.room]
            return jnp.zeros((room, *each.shape[1:]), each.dtype).at[to].add(rows, mode="drop")

        results.append(_each(moved, gradients))
    given = inside & (source == _GIVEN)
    for place, like in _leaves(node, inputs):
        column = columns[place] if place < len(columns) else None
        if column is None:
            results.append(zeros_like(like))
            continue
        at_given = jnp.argmax(given)
        results.append(_picked(column, at_given))
    return results


@core_rule("move_item_gradients_back")
def _move_back(run: RunState, node: Any, *values: Any) -> Any:
    count = len(node.attrs["lists"])
    inputs, dys = values[:count], list(values[count:])
    marks = _origins(run, node, inputs)
    if marks.columns is None:
        return Gradients(())
    source, position = marks.columns
    inside = jnp.arange(marks.room) < marks.length
    total: Any = Gradients(())
    for at in (at for at, is_list in enumerate(node.attrs["lists"]) if is_list):
        of_list = dys.pop(0)
        mask = inside & (source == at)

        def moved(each: Any, mask: Any = mask) -> Any:
            rows = each.at[position].get(mode="fill", fill_value=0)
            return jnp.where(_rows(mask, rows), rows, jnp.zeros((), each.dtype))

        total = added(total, _each(moved, of_list))
    leaves = dict(zip((at for at, _ in _leaves(node, inputs)), dys))
    if not leaves:
        return total
    given = inside & (source == _GIVEN)
    columns = [
        None if at not in leaves else jnp.where(_rows(given, leaves[at][None]), leaves[at][None], 0)
        for at in range(max(leaves) + 1)
    ]
    return added(total, Gradients(tuple(columns)))
