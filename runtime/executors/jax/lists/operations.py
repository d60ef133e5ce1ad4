"""Rules for lists and TensorArrays.

A list is a `FixedList` as long as its length is known, and a `DynamicLengthList` from then on. A
list that outgrows its buffer ends the run, and the program is compiled with a larger capacity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.executors.jax.rules.jax_modules import is_symbol, jax, jnp
from runtime.executors.jax.rules.table import Unsupported
from runtime.executors.jax.run_state import RunState
from runtime.executors.jax.value_rules import core_rule
from runtime.executors.jax.values.forms import (
    appended,
    as_dynamic_list,
    column_of,
    fit,
    fit_column,
    form_of,
    in_column,
    is_list,
    item_of,
    items_form,
    join,
    lengthened,
    written,
    zeros,
)
from runtime.executors.jax.values.pytrees import (
    DynamicLengthList,
    FixedList,
    OneOf,
    Padded,
    TensorArrayValue,
    UnsupportedValue,
    count,
    is_array,
    is_known,
    traced,
)
from runtime.ops.arrays.index import HashableSlice, Input


def _check_list(value: Any) -> None:
    """Raise Unsupported for a value that is not a list of one form."""
    if isinstance(value, OneOf):
        raise Unsupported("no list the items of which differ in their parts")
    length_of(value)


# -- positions -------------------------------------------------------------------------------------


def length_of(value: Any) -> Any:
    """Return the number of items, known for a `FixedList`."""
    if isinstance(value, OneOf):
        lengths = [jnp.asarray(length_of(each), np.int32) for each in value.choices]
        return jnp.stack(lengths)[value.which]
    if not is_list(value):
        raise Unsupported("no lists that are chosen with other values")
    return np.array(len(value.items), np.int32) if isinstance(value, FixedList) else value.length


def _as_index(value: Any) -> Any:
    if isinstance(value, Padded):
        raise Unsupported("no list items at indices of which only a run knows how many there are")
    return traced(np.asarray(value) if isinstance(value, int) else value).astype(np.int32)


def _checked_index(run: RunState, index: Any, length: Any) -> Any:
    """Return an index from the start; the run fails if there is no such item."""
    size = run.known_size(length)
    if size is not None and run.bounds.are_inside(index, 0, size):
        return _as_index(index)
    index = _as_index(index)
    run.fail((index < -length) | (index >= length))
    return jnp.where(index < 0, index + length, index)


def _known_index(value: Any, index: Any) -> bool:
    return isinstance(value, FixedList) and (isinstance(index, int) or is_known(index))


def _no_item(run: RunState, specs: Sequence[TensorSpec]) -> tuple[Any, ...]:
    """End the run, and return an item for the following nodes."""
    run.fail(True)
    return _zero_item(specs)


def _zero_item(specs: Sequence[TensorSpec]) -> tuple[Any, ...]:
    return tuple(map(_zeros_of, specs))


def _zeros_of(spec: TensorSpec) -> Any:
    if spec.dtype.is_variant:
        return FixedList(())
    if spec.dtype.kind == "O":
        return UnsupportedValue("no texts")
    if not spec.shape.is_fully_defined():
        raise Unsupported("no shape for the items of an empty list")
    return jnp.zeros(spec.shape.dims, spec.dtype.np_dtype)


def _read_item(run: RunState, item: Sequence[Any], specs: Sequence[TensorSpec]) -> tuple[Any, ...]:
    """Return the tensors of an item; the run fails if they do not have their specs."""
    if len(item) != len(specs):
        return _no_item(run, specs)
    for leaf, spec in zip(item, specs):
        if is_array(leaf) and (
            leaf.dtype != spec.dtype.np_dtype or not spec.shape.fits(leaf.shape)
        ):
            return _no_item(run, specs)
    return tuple(item)


def chosen(run: RunState, target: Any, specs: Sequence[TensorSpec]) -> Any:
    """Return the list whose items have certain specs, among those that a value may be.

    The run fails if it is another one.
    """
    if not isinstance(target, OneOf):
        return target
    forms = [items_form(form_of(each)) for each in target.choices]
    fits = [at for at, item in enumerate(forms) if item is None or _has_specs(item, specs)]
    if len(fits) != 1:
        raise Unsupported("no list the items of which differ in their parts")
    run.fail(target.which != fits[0])
    return target.choices[fits[0]]


def _has_specs(item: Sequence[Any], specs: Sequence[TensorSpec]) -> bool:
    return len(item) == len(specs) and all(
        spec.dtype.is_variant
        if not hasattr(leaf, "shape")
        else leaf.dtype == spec.dtype.np_dtype and spec.shape.fits(leaf.shape)
        for leaf, spec in zip(item, specs)
    )


# -- buffers ---------------------------------------------------------------------------------------


def _for_item(
    buffer: DynamicLengthList, item: Sequence[Any]
) -> tuple[DynamicLengthList, tuple[Any, ...]]:
    """Return a buffer the columns of which can contain an item, and the item in their form."""
    form = tuple(map(form_of, item))
    if buffer.columns is None:
        columns = tuple(zeros(column_of(each, buffer.room)) for each in form)
        return type(buffer)(buffer.length, columns, buffer.room), tuple(map(traced, item))
    if len(buffer.columns) != len(item):
        raise Unsupported("no list the items of which differ in their parts")
    wider = tuple(join([item_of(column), each]) for column, each in zip(buffer.columns, form))
    columns = tuple(fit_column(*pair, buffer.room) for pair in zip(buffer.columns, wider))
    fitted = tuple(fit(each, like) for each, like in zip(item, wider))
    return type(buffer)(buffer.length, columns, buffer.room), fitted


def _put(buffer: DynamicLengthList, index: Any, item: Sequence[Any]) -> DynamicLengthList:
    pairs = zip(buffer.columns or (), item)
    columns = tuple(written(column, index, value) for column, value in pairs)
    return type(buffer)(buffer.length, columns, buffer.room)


def _item_at(buffer: DynamicLengthList, index: Any, specs: Sequence[TensorSpec]) -> tuple[Any, ...]:
    if buffer.columns is None:
        return _zero_item(specs)
    return tuple(in_column(column, index) for column in buffer.columns)


def _moved(buffer: DynamicLengthList, sources: Any, length: Any) -> DynamicLengthList:
    """Return the list whose items are those at the given places, as many as the places."""
    columns = buffer.columns and tuple(in_column(each, sources) for each in buffer.columns)
    return DynamicLengthList(jnp.asarray(length, np.int32), columns, sources.shape[0])


def _with_room(run: RunState, value: Any, more: int = 1) -> DynamicLengthList:
    """Return a list with the capacity of lists that grow."""
    if isinstance(value, DynamicLengthList) and run.has_room:
        return value
    if isinstance(value, DynamicLengthList) and _lengthens(run):
        return as_dynamic_list(value, value.room + more)
    known = len(value.items) + more if isinstance(value, FixedList) else 0
    return as_dynamic_list(value, max(run.room, known))


def _lengthens(run: RunState) -> bool:
    """Return whether a list gets the capacity for each item that is appended.

    Code of a file that runs once appends once; a loop has one capacity for all iterations.
    """
    return run.is_file and not run.repeats


# -- rules -----------------------------------------------------------------------------------------


@core_rule("list_of")
def _list_of(run: RunState, node: Any, *leaves: Any) -> Any:
    width = node.attrs["width"]
    return FixedList(tuple(leaves[at : at + width] for at in range(0, len(leaves), width)))


@core_rule("list_length", "tensor_array_size")
def _length(run: RunState, node: Any, target: Any) -> Any:
    return length_of(target)


@core_rule("list_append")
def _append(run: RunState, node: Any, target: Any, *leaves: Any) -> Any:
    _check_list(target)
    if isinstance(target, FixedList):
        return FixedList((*target.items, leaves))
    buffer, item = _for_item(_with_room(run, target), leaves)
    if not _lengthens(run):
        run.outgrow(buffer.length >= buffer.room)
    pairs = zip(buffer.columns or (), item)
    columns = tuple(appended(column, buffer.length, value) for column, value in pairs)
    return DynamicLengthList(buffer.length + 1, columns, buffer.room)


@core_rule("list_extend")
def _extend(run: RunState, node: Any, target: Any, other: Any) -> Any:
    _check_list(target)
    _check_list(other)
    lengths = length_of(target), length_of(other)
    if isinstance(target, FixedList) and isinstance(other, FixedList):
        return FixedList(target.items + other.items)
    if all(map(is_known, lengths)) and not lengths[1]:
        return target
    first = _with_room(run, target, 0)
    second = as_dynamic_list(other, 1)
    if _lengthens(run):
        first = as_dynamic_list(first, first.room + second.room)
    form = join([form_of(first), form_of(second)])
    first, second = fit(first, form), fit(second, form)
    if first.columns is None:
        return first
    total = first.length + second.length
    if not _lengthens(run):
        run.outgrow(total > first.room)
    at = jnp.arange(second.room)
    places = jnp.where(at < second.length, at + first.length, first.room)
    pairs = zip(first.columns, second.columns or ())
    columns = tuple(written(one, places, more) for one, more in pairs)
    return DynamicLengthList(total, columns, first.room)


@core_rule("list_get")
def _get(run: RunState, node: Any, target: Any, index: Any) -> Any:
    specs = node.attrs["specs"]
    target = chosen(run, target, specs)
    length = length_of(target)
    if _known_index(target, index) or (is_known(length) and not length):
        if is_known(index) and -length <= int(index) < length:
            return _read_item(run, target.items[int(index)], specs)
        return _no_item(run, specs)
    buffer = as_dynamic_list(target)
    index = _checked_index(run, index, length)
    return _read_item(run, _item_at(buffer, index, specs), specs)


@core_rule("list_set")
def _set(run: RunState, node: Any, target: Any, index: Any, *leaves: Any) -> Any:
    _check_list(target)
    length = length_of(target)
    if _known_index(target, index) or (is_known(length) and not length):
        if not is_known(index) or not -length <= int(index) < length:
            run.fail(True)
            return target
        items = list(target.items)
        items[int(index)] = leaves
        return FixedList(tuple(items))
    buffer, item = _for_item(as_dynamic_list(target), leaves)
    return _put(buffer, _checked_index(run, index, buffer.length), item)


@core_rule("list_pop")
def _pop(run: RunState, node: Any, target: Any, *where: Any) -> Any:
    specs = node.attrs["specs"]
    target = chosen(run, target, specs)
    length = length_of(target)
    if is_known(length) and (not length or all(map(is_known, where))):
        at = int(where[0]) if where and is_known(where[0]) else -1
        if not -length <= at < length:
            return (target, *_no_item(run, specs))
        items = list(target.items)
        item = _read_item(run, items.pop(at), specs)
        return (FixedList(tuple(items)), *item)
    buffer = as_dynamic_list(target)
    index = _checked_index(run, where[0] if where else -1, buffer.length)
    item = _read_item(run, _item_at(buffer, index, specs), specs)
    if not where:
        return (DynamicLengthList(buffer.length - 1, buffer.columns, buffer.room), *item)
    return (_without(buffer, index), *item)


def _without(buffer: DynamicLengthList, index: Any) -> DynamicLengthList:
    at = jnp.arange(buffer.room)
    sources = jnp.where(at >= index, jnp.minimum(at + 1, buffer.room - 1), at)
    return _moved(buffer, sources, buffer.length - 1)


@core_rule("list_insert")
def _insert(run: RunState, node: Any, target: Any, index: Any, *leaves: Any) -> Any:
    _check_list(target)
    if _known_index(target, index):
        items = list(target.items)
        items.insert(int(index), leaves)
        return FixedList(tuple(items))
    buffer, item = _for_item(_with_room(run, target), leaves)
    if not _lengthens(run):
        run.outgrow(buffer.length >= buffer.room)
    index = _as_index(index)
    index = jnp.clip(jnp.where(index < 0, index + buffer.length, index), 0, buffer.length)
    at = jnp.arange(buffer.room)
    moved = _moved(buffer, jnp.where(at > index, at - 1, at), buffer.length + 1)
    return _put(moved, index, item)


@core_rule("list_reverse")
def _reverse(run: RunState, node: Any, target: Any) -> Any:
    _check_list(target)
    if isinstance(target, FixedList):
        return FixedList(target.items[::-1])
    at = target.length - 1 - jnp.arange(target.room)
    return _moved(target, jnp.clip(at, 0), target.length)


@core_rule("list_repeat")
def _repeat(run: RunState, node: Any, target: Any, times: Any) -> Any:
    _check_list(target)
    if _known_index(target, times):
        return FixedList(target.items * int(times))
    buffer = _with_room(run, target, 0)
    total = jnp.maximum(_as_index(times), 0) * buffer.length
    run.outgrow(total > buffer.room)
    sources = jnp.arange(buffer.room) % jnp.maximum(buffer.length, 1)
    return _moved(buffer, sources, total)


@core_rule("list_take")
def _take(run: RunState, node: Any, target: Any, indices: Any) -> Any:
    _check_list(target)
    length = length_of(target)
    if isinstance(target, FixedList) and is_known(indices):
        if not all(-length <= at < length for at in indices.tolist()):
            run.fail(True)
            return FixedList(())
        return FixedList(tuple(target.items[at] for at in indices.tolist()))
    buffer = as_dynamic_list(target, 1)
    if isinstance(indices, Padded):
        inside = jnp.arange(indices.room) < indices.length
        found = jnp.where(inside, indices.array, 0)
        run.fail(inside & ((found < -buffer.length) | (found >= buffer.length)))
        found = jnp.where(found < 0, found + buffer.length, found)
        return _moved(buffer, found, indices.length)
    places = _checked_index(run, indices, buffer.length)
    return _moved(buffer, places, count(places.shape[0]))


# -- slices ----------------------------------------------------------------------------------------


def bounds_of(span: HashableSlice, inputs: Sequence[Any]) -> list[Any]:
    """Return start, stop and step: None, an int, or an array that only a run knows."""
    parts = (span.start, span.stop, span.step)
    found: list[Any] = [inputs[x.position] if isinstance(x, Input) else x for x in parts]
    return [int(x) if is_known(x) else x for x in found]


def range_of(run: RunState, bounds: Sequence[Any], length: Any) -> tuple[Any, Any, Any]:
    """Return the first index of a slice, the number of its elements, and its step."""
    start, stop, step = bounds
    step = 1 if step is None else _as_int32(step)
    run.fail(step == 0)
    step = (step or 1) if isinstance(step, int) else jnp.where(step == 0, 1, step)

    def by_sign(up: Any, down: Any) -> Any:
        if isinstance(step, int):
            return up if step > 0 else down
        return jnp.where(step > 0, up, down)

    low, high = by_sign(0, -1), by_sign(length, length - 1)

    def bound(value: Any, missing: Any) -> Any:
        if value is None:
            return jnp.asarray(missing, np.int32)
        value = jnp.asarray(_as_int32(value), np.int32)
        return jnp.clip(jnp.where(value < 0, value + length, value), low, high)

    first, end = bound(start, by_sign(low, high)), bound(stop, by_sign(high, low))
    total = jnp.maximum(0, -(by_sign(first - end, end - first) // abs(step)))
    return first, total.astype(np.int32), step


def _as_int32(number: Any) -> Any:
    """Return a part of a slice within int32, as far as any array is long."""
    most = np.iinfo(np.int32).max
    if isinstance(number, int):
        return max(min(number, most), -most)
    return jnp.clip(number, -most, most).astype(np.int32)


def _is_fixed(bounds: Sequence[Any]) -> bool:
    """Return whether the parts of a slice are known, and its step is not 0."""
    return all(each is None or isinstance(each, int) for each in bounds) and bounds[2] != 0


@core_rule("list_slice")
def _slice(run: RunState, node: Any, target: Any, *inputs: Any) -> Any:
    _check_list(target)
    bounds = bounds_of(node.attrs["span"], inputs)
    if isinstance(target, FixedList) and _is_fixed(bounds):
        return FixedList(target.items[slice(*bounds)])
    buffer = as_dynamic_list(target, 1)
    first, total, step = range_of(run, bounds, buffer.length)
    sources = jnp.clip(first + jnp.arange(buffer.room) * step, 0, buffer.room - 1)
    return _moved(buffer, sources, total)


@core_rule("list_delete")
def _delete(run: RunState, node: Any, target: Any, index: Any) -> Any:
    _check_list(target)
    length = length_of(target)
    if _known_index(target, index) or (is_known(length) and not length):
        if not is_known(index) or not -length <= int(index) < length:
            run.fail(True)
            return target
        items = list(target.items)
        del items[int(index)]
        return FixedList(tuple(items))
    buffer = as_dynamic_list(target)
    return _without(buffer, _checked_index(run, index, buffer.length))


@core_rule("list_delete_slice")
def _delete_slice(run: RunState, node: Any, target: Any, *inputs: Any) -> Any:
    _check_list(target)
    bounds = bounds_of(node.attrs["span"], inputs)
    if isinstance(target, FixedList) and _is_fixed(bounds):
        items = list(target.items)
        del items[slice(*bounds)]
        return FixedList(tuple(items))
    buffer = as_dynamic_list(target, 1)
    first, total, step = range_of(run, bounds, buffer.length)
    at = jnp.arange(buffer.room)
    behind = (at - first) * jnp.sign(step)
    gone = (behind >= 0) & (behind % abs(step) == 0) & (behind // abs(step) < total)
    kept = ~gone & (at < buffer.length)
    sources = jnp.nonzero(kept, size=buffer.room, fill_value=0)[0]
    return _moved(buffer, sources, jnp.sum(kept))


@core_rule("list_set_slice")
def _set_slice(run: RunState, node: Any, target: Any, other: Any, *inputs: Any) -> Any:
    _check_list(target)
    _check_list(other)
    lengths = length_of(target), length_of(other)
    bounds = bounds_of(node.attrs["span"], inputs)
    if all(map(is_known, lengths)) and _is_fixed(bounds):
        items = list(target.items)
        try:
            items[slice(*bounds)] = other.items
        except ValueError:
            run.fail(True)
        return FixedList(tuple(items))
    return _replaced_slice(run, target, other, bounds)


def _replaced_slice(run: RunState, target: Any, other: Any, bounds: Sequence[Any]) -> Any:
    first = _with_room(run, target, 0)
    second = as_dynamic_list(other, 1)
    form = join([form_of(first), form_of(second)])
    first, second = fit(first, form), fit(second, form)
    start, total, step = range_of(run, bounds, first.length)
    at = jnp.arange(first.room)
    if not (bounds[2] is None or (isinstance(step, int) and step == 1)):
        # The NumPy executor runs the rare step of 1 that only a run knows.
        run.fail(total != second.length)
        taken = (at - start) // step
        gone = ((at - start) % step == 0) & (taken >= 0) & (taken < total)
        length = first.length
        sources, from_second = at, gone
    else:
        length = first.length - total + second.length
        run.outgrow(length > first.room)
        taken = at - start
        from_second = (taken >= 0) & (taken < second.length)
        behind = at - second.length + total
        sources = jnp.clip(jnp.where(at < start, at, behind), 0, first.room - 1)
    picked = jnp.clip(taken, 0, second.room - 1)

    def merged(one: Any, more: Any) -> Any:
        mask = from_second.reshape((-1,) + (1,) * (one.ndim - 1))
        return jnp.where(mask, more[picked], one[sources])

    columns = first.columns and tuple(
        jax.tree_util.tree_map(merged, *pair) for pair in zip(first.columns, second.columns)
    )
    return DynamicLengthList(length, columns, first.room)


# -- lists and arrays ------------------------------------------------------------------------------


@core_rule("list_stack")
def _stack(run: RunState, node: Any, target: Any) -> Any:
    _check_list(target)
    length, leaf, spec = length_of(target), node.attrs["leaf"], node.attrs["spec"]
    size = run.known_size(length)
    if node.attrs.get("needed"):
        run.fail(length == 0 if size is None else size == 0)
    if isinstance(target, FixedList):
        if not target.items:
            return _no_rows(node.outputs[0].spec)
        column = [item[leaf] for item in target.items]
        if all(map(is_known, column)) and len({each.shape for each in column}) == 1:
            return np.stack(column)
        if not all(map(is_array, column)):
            raise Unsupported("no stack of arrays whose lengths only a run knows")
        if len({each.shape for each in column}) > 1:
            run.fail(True)
            return _no_rows(node.outputs[0].spec)
        return jnp.stack(list(map(traced, column)))
    if target.columns is None:
        return _no_rows(node.outputs[0].spec)
    column = target.columns[leaf]
    if not is_array(column):
        raise Unsupported("no stack of arrays whose lengths only a run knows")
    if column.dtype != spec.dtype.np_dtype or not spec.shape.fits(column.shape[1:]):
        run.fail(True)
    return Padded(column, target.length) if size is None else column[:size]


def _no_rows(spec: TensorSpec) -> Any:
    dims = (0,) if spec.shape.dims is None else tuple(dim or 0 for dim in spec.shape.dims)
    return np.zeros((0, *dims[1:]), spec.dtype.np_dtype)


@core_rule("list_concat")
def _concat(run: RunState, node: Any, target: Any) -> Any:
    _check_list(target)
    length, leaf = length_of(target), node.attrs["leaf"]
    if node.attrs.get("needed"):
        run.fail(length == 0)
    if isinstance(target, FixedList) and target.items:
        column = [item[leaf] for item in target.items]
        if all(map(is_array, column)):
            if any(each.ndim == 0 or each.shape[1:] != column[0].shape[1:] for each in column):
                run.fail(True)
                return _no_rows(node.outputs[0].spec)
            return np.concatenate(column) if all(map(is_known, column)) else jnp.concatenate(column)
    if is_known(length) and not length:
        return _no_rows(node.outputs[0].spec)
    buffer = as_dynamic_list(target)
    if buffer.columns is None:
        return _no_rows(node.outputs[0].spec)
    column = buffer.columns[leaf]
    if is_array(column):
        if column.ndim < 2:
            run.fail(True)
            return _no_rows(node.outputs[0].spec)
        rows = column.shape[1]
        return Padded(column.reshape((-1, *column.shape[2:])), buffer.length * rows)
    return _joined_parts(column, buffer.length)


def _joined_parts(column: Any, length: Any) -> Any:
    """Return parts of various lengths one after the other."""
    if not isinstance(column, Padded):
        raise Unsupported("no concatenation of lists")
    parts, rows = column.array.shape[:2]
    at = jnp.arange(rows)
    counts = (at < column.length[:, None]) & (jnp.arange(parts) < length)[:, None]
    kept = counts.reshape(-1)
    sources = jnp.nonzero(kept, size=parts * rows, fill_value=0)[0]
    flat = column.array.reshape((-1, *column.array.shape[2:]))
    return Padded(flat[sources], jnp.sum(kept).astype(np.int32))


@core_rule("list_from_rows")
def _from_rows(run: RunState, node: Any, *tensors: Any) -> Any:
    if any(isinstance(each, Padded) for each in tensors):
        room = max(each.room for each in tensors if isinstance(each, Padded))
        first = next(each for each in tensors if isinstance(each, Padded))
        columns = []
        for each in tensors:
            rows = each.length if isinstance(each, Padded) else each.shape[0]
            run.fail(rows != first.length)
            array = each.array if isinstance(each, Padded) else traced(each)
            columns.append(lengthened(array, room))
        return DynamicLengthList(first.length, tuple(columns), room)
    rows = tensors[0].shape[0]
    if len({each.shape[0] for each in tensors}) > 1:
        run.fail(True)
        rows = min(each.shape[0] for each in tensors)
    if not is_symbol(rows) and (rows <= _FEW or all(map(is_known, tensors))):
        return FixedList(tuple(tuple(_row(each, at) for each in tensors) for at in range(rows)))
    length = count(rows)
    run.note_size(length, rows)
    return DynamicLengthList(length, tuple(map(traced, tensors)), rows)


# The number of rows up to which a list of rows is one of known length.
_FEW = 8


def _row(tensor: Any, at: int) -> Any:
    return np.asarray(tensor[at]) if is_known(tensor) else tensor[at]


@core_rule("list_from_parts")
def _from_parts(run: RunState, node: Any, tensor: Any, lengths: Any) -> Any:
    if not is_known(lengths) or isinstance(tensor, Padded):
        raise Unsupported("no parts whose lengths only a run knows")
    if lengths.sum() != tensor.shape[0] or (lengths < 0).any():
        run.fail(True)
        return FixedList(())
    ends = np.cumsum(lengths, dtype=np.int64).tolist()
    return FixedList(
        tuple((tensor[end - size : end],) for end, size in zip(ends, lengths.tolist()))
    )


# -- TensorArrays ----------------------------------------------------------------------------------


@core_rule("tensor_array")
def _tensor_array(run: RunState, node: Any, size: Any) -> Any:
    element: TensorSpec = node.attrs["element"]
    if element.dtype.kind == "O" or element.dtype.is_variant:
        raise Unsupported(f"no TensorArray of {element.dtype.name}")
    known = run.known_size(size)
    room = run.room if known is None or (is_known(size) and size <= 0) else known
    columns = None
    if element.shape.is_fully_defined():
        dims: Any = element.shape.dims
        columns = (jnp.zeros((room, *dims), element.dtype.np_dtype),)
    if is_known(size):
        run.fail(np.asarray(size) < 0)
    elif known is None:
        run.fail(size < 0)
        run.outgrow(size > room)
    return TensorArrayValue(size if known is room else jnp.asarray(size, np.int32), columns, room)


@core_rule("tensor_array_write")
def _write(run: RunState, node: Any, slots: Any, index: Any, value: Any) -> Any:
    _check_slots(slots)
    if not isinstance(index, UnsupportedValue):
        index = _as_index(index)
    if isinstance(value, (Padded, FixedList, DynamicLengthList)):
        raise Unsupported("no TensorArray of values whose lengths only a run knows")
    if not _holds(run, slots, value, node):
        return slots
    if node.attrs["dynamic"]:
        slots = as_dynamic_list(slots, run.room)
        run.fail(index < 0)
        run.outgrow(index >= slots.room)
        length = jnp.maximum(slots.length, index + 1)
    else:
        run.fail((index < 0) | (index >= slots.length))
        length = slots.length
    slots, item = _for_item(slots, [value])
    slots = _put(slots, index, item)
    return TensorArrayValue(length, slots.columns, slots.room)


def _check_slots(slots: Any) -> None:
    if not isinstance(slots, TensorArrayValue):
        raise Unsupported("no TensorArray that is chosen with other values")


def _holds(run: RunState, slots: TensorArrayValue, value: Any, node: Any) -> bool:
    """Return whether a value has the shape of the elements; else the run fails."""
    if slots.columns is None:
        return True
    if slots.columns[0].shape[1:] == value.shape:
        return True
    if not node.attrs["inferred"]:
        raise Unsupported("no TensorArray of elements of several shapes")
    run.fail(True)
    return False


@core_rule("tensor_array_scatter")
def _scatter(run: RunState, node: Any, slots: Any, indices: Any, values: Any) -> Any:
    _check_slots(slots)
    _check_list(values)
    buffer, places = as_dynamic_list(values, 1), _as_index(indices)
    run.fail(buffer.length != places.shape[0])
    if buffer.columns is None or not is_array(buffer.columns[0]):
        if buffer.columns is None:
            return slots
        raise Unsupported("no TensorArray of values whose lengths only a run knows")
    example = buffer.columns[0][0]
    if not _holds(run, slots, example, node):
        return slots
    if node.attrs["dynamic"]:
        slots = as_dynamic_list(slots, max(run.room, places.shape[0]))
        run.outgrow(places >= slots.room)
        run.fail(places < 0)
        length = jnp.maximum(slots.length, jnp.max(places, initial=-1) + 1)
    else:
        run.fail((places < 0) | (places >= slots.length))
        length = slots.length
    slots, _ = _for_item(slots, [example])
    rows = lengthened(buffer.columns[0], places.shape[0])[: places.shape[0]]
    assert slots.columns is not None
    return TensorArrayValue(length, (_last_write(slots.columns[0], places, rows),), slots.room)


def _last_write(column: Any, places: Any, rows: Any) -> Any:
    """Return a column with rows at places; the last of several rows for a place counts."""
    at = jnp.arange(column.shape[0])
    matches = places[None, :] == at[:, None]
    last = jnp.max(jnp.where(matches, jnp.arange(places.shape[0]), -1), axis=1, initial=-1)
    mask = (last >= 0).reshape((-1,) + (1,) * (column.ndim - 1))
    return jnp.where(mask, rows[jnp.maximum(last, 0)], column) if places.shape[0] else column


@core_rule("tensor_array_fill")
def _fill(run: RunState, node: Any, slots: Any, values: Any) -> Any:
    _check_slots(slots)
    _check_list(values)
    buffer = as_dynamic_list(values, 1)
    if not node.attrs["dynamic"]:
        run.fail(buffer.length != slots.length)
    if buffer.columns is None:
        return TensorArrayValue(buffer.length, slots.columns, slots.room)
    if not is_array(buffer.columns[0]):
        raise Unsupported("no TensorArray of values whose lengths only a run knows")
    if not _holds(run, slots, buffer.columns[0][0], node):
        return slots
    return TensorArrayValue(buffer.length, buffer.columns, buffer.room)


@core_rule("tensor_array_read")
def _read(run: RunState, node: Any, slots: Any, index: Any) -> Any:
    _check_slots(slots)
    index = _as_index(index)
    run.fail((index < 0) | (index >= slots.length))
    specs = [node.attrs["element"]]
    if slots.columns is None:
        if not specs[0].shape.is_fully_defined():
            return _no_item(run, [node.outputs[0].spec])
        return _zero_item(specs)
    return _read_item(run, _item_at(slots, jnp.clip(index, 0, slots.room - 1), specs), specs)


@core_rule("tensor_array_items")
def _items(run: RunState, node: Any, slots: Any, *indices: Any) -> Any:
    _check_slots(slots)
    element = node.attrs["element"]
    if slots.columns is None and not element.shape.is_fully_defined():
        run.fail(slots.length > 0)
    if not indices:
        return DynamicLengthList(slots.length, slots.columns, slots.room)
    places = _as_index(indices[0])
    run.fail((places < 0) | (places >= slots.length))
    return _moved(
        DynamicLengthList(slots.length, slots.columns, slots.room), places, count(places.shape[0])
    )


@core_rule("lengths_of_items")
def _lengths(run: RunState, node: Any, target: Any) -> Any:
    leaf = node.attrs["leaf"]
    if isinstance(target, FixedList) and all(is_array(item[leaf]) for item in target.items):
        return np.array([item[leaf].shape[0] for item in target.items], np.int32)
    raise Unsupported("no gradient of parts whose lengths only a run knows")
