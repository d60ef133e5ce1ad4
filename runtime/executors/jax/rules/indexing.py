"""Rules of `x[i, j:k]` and `x[i, j:k] = v`, with places that only a run knows, and of slices.

JAX has to know the length of a slice that is read: of `x[i : i + 3]` the graph tells it. A slice of
any length can be written, by a choice between old and new elements.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.executors.jax.rules.jax_modules import is_size, is_symbol, jax, jnp, lax, size_of
from runtime.executors.jax.rules.shapes import ONLY_ROWS, is_known, numbers_of
from runtime.executors.jax.rules.table import NoResult, Unsupported, rule
from runtime.ops.arrays.index import ELLIPSIS, NEWAXIS, HashableSlice, Index, Input


class AxisIndex(NamedTuple):
    """The item of an index for one axis: a known int, a scalar, an array, a slice, or a new axis.

    Attributes:
        item: an int, a traced scalar, an index array, a slice or None. Ends of the slice that only
            the run knows are traced.
        size: the number of elements of the axis; of all its axes for a boolean mask.
        length: the number of elements that a slice selects; None if only the run knows it.
    """

    item: Any
    size: int = 1
    length: int | None = None

    @property
    def is_new(self) -> bool:
        """True if the index adds an axis."""
        return self.item is None

    @property
    def is_slice(self) -> bool:
        """True if the index is a slice."""
        return isinstance(self.item, slice)

    @property
    def is_array(self) -> bool:
        """True if the index is an array of rank 1 or more."""
        return not isinstance(self.item, (int, slice)) and not self.is_new and self.item.ndim > 0

    @property
    def is_traced_slice(self) -> bool:
        """True if the index is a slice with an end or a step that only the run knows."""
        ends = (self.item.start, self.item.stop, self.item.step) if self.is_slice else ()
        return not all(each is None or is_size(each) for each in ends)


def places_of(
    run: Any, node: Any, shape: Sequence[int], inputs: Sequence[Any], index: Index
) -> list[AxisIndex]:
    """Return the items of an index; the run fails if one of them is out of range."""
    tensors = node.inputs[len(node.inputs) - len(inputs) :]
    items = [_item(run, item, inputs) for item in index.items]
    axes = len(shape) - sum(map(_width, items))
    at = index.items.index(ELLIPSIS) if ELLIPSIS in index.items else len(items)
    whole = list(zip(items, index.items))
    whole[at : at + 1] = [(slice(None), HashableSlice())] * axes
    places, axis = [], 0
    for item, written in whole:
        size = math.prod(shape[axis : axis + _width(item)])
        place = AxisIndex(item, size)
        axis += _width(item)
        if place.is_slice:
            place = _of_known_length(run, place, written, tensors)
        elif isinstance(item, int) and is_symbol(size):
            least = item + 1 if item >= 0 else -item
            run.fail(size_of(size, np.dtype(np.int64)) < least if least > 1 else False)
        elif not place.is_new and not _is_mask(item):
            if isinstance(item, int) or not run.bounds.are_inside(item, -size, size):
                run.fail((item < -size) | (item >= size))
            if isinstance(item, int):
                place = AxisIndex(min(max(item, -size), max(size - 1, 0)), size)
        places.append(place)
    return places


def _item(run: Any, item: Any, inputs: Sequence[Any]) -> Any:
    if item in (ELLIPSIS, NEWAXIS):
        return ELLIPSIS if item is ELLIPSIS else None
    if isinstance(item, HashableSlice):
        return slice(
            *(_slice_end(run, each, inputs) for each in (item.start, item.stop, item.step))
        )
    return _part(item, inputs)


def _slice_end(run: Any, part: Any, inputs: Sequence[Any]) -> Any:
    """Return an end of a slice: None, an int, a symbol of a program to export, or traced."""
    found = _part(part, inputs)
    size = None if found is None or isinstance(found, int) else run.known_size(found)
    return found if size is None else size


def _part(part: Any, inputs: Sequence[Any]) -> Any:
    if not isinstance(part, Input):
        return part
    found = inputs[part.position]
    is_int = is_known(found) and found.ndim == 0 and found.dtype.kind in "iu"
    return int(found) if is_int else found


def _is_mask(item: Any) -> bool:
    return hasattr(item, "dtype") and item.dtype == np.bool_


def _width(item: Any) -> int:
    """Return the number of axes that an item uses."""
    if item is None or item is ELLIPSIS:
        return 0
    return int(item.ndim) if _is_mask(item) else 1


# -- lengths of slices -----------------------------------------------------------------------------


def _of_known_length(run: Any, place: AxisIndex, written: Any, tensors: Sequence[Any]) -> AxisIndex:
    """Return a slice with its length: that of `i + 1 : i + 4` is the difference of the ends."""
    item, size = place.item, place.size
    if not place.is_traced_slice:
        if any(map(is_symbol, (size, item.start, item.stop))):
            if isinstance(size, int) and _is_one(item.step) and is_symbol(item.stop):
                run.note_limit(f"{item.stop} <= {size}")
            (length,) = jax.eval_shape(lambda x: x[item], jax.ShapeDtypeStruct((size,), bool)).shape
            return AxisIndex(item, size, length)
        return AxisIndex(item, size, len(range(*item.indices(size))))
    start, stop = (_linear(each, tensors) for each in (written.start, written.stop))
    is_plain = _is_one(item.step) and start and stop and start[0] is stop[0]
    if not is_plain or not 0 <= (length := stop[1] - start[1]) <= size:
        return place
    if not run.bounds.are_inside(item.start, 0, size - length + 1):
        # The NumPy executor runs the rare slice that is cut off at an end of the axis.
        run.fail((item.start < 0) | (item.start > size - length))
    return AxisIndex(item, size, length)


def is_of_known_length(
    run: Any, node: Any, size: int, span: HashableSlice, inputs: Sequence[Any]
) -> bool:
    """Return whether each run selects the same number of elements of an axis with a slice.

    Args:
        node: the node with the slice in its index.
        size: the number of elements of the axis.
        span: the slice.
        inputs: the last operands of the node: the parts of its index.
    """
    tensors = node.inputs[len(node.inputs) - len(inputs) :]
    start, stop = (_linear(each, tensors) for each in (span.start, span.stop))
    if span.step not in (None, 1) or not start or not stop or start[0] is not stop[0]:
        return False
    length = stop[1] - start[1]
    return 0 <= length <= size and run.bounds.are_inside(
        _part(span.start, inputs), 0, size - length + 1
    )


def _is_one(step: Any) -> bool:
    return step is None or (is_size(step) and step == 1)


def _linear(part: Any, tensors: Sequence[Any]) -> Any:
    """Return a tensor of the graph and a number whose sum is an end of a slice, if it is one."""
    if not isinstance(part, Input):
        return None
    tensor, number = tensors[part.position], 0
    while tensor.node.op.name in ("add", "subtract"):
        sign = 1 if tensor.node.op.name == "add" else -1
        x, y = tensor.node.inputs
        if (constant := _constant(y)) is not None:
            tensor, number = x, number + sign * constant
        elif sign > 0 and (constant := _constant(x)) is not None:
            tensor, number = y, number + constant
        else:
            break
    return tensor, number


def _constant(tensor: Any) -> int | None:
    if tensor.node.op.name != "constant":
        return None
    array = tensor.node.attrs["value"].array
    return int(array) if array.ndim == 0 and array.dtype.kind in "iu" else None


# -- read ------------------------------------------------------------------------------------------


@rule("strided_slice")
def _strided_slice(run: Any, node: Any, x: Any, *inputs: Any, index: Index) -> Any:
    return _read(jnp.asarray(x), places_of(run, node, x.shape, inputs, index))


def _read(x: Any, places: Sequence[AxisIndex]) -> Any:
    axis, rest = 0, list[Any]()
    for place in places:
        item = place.item
        if place.is_slice and place.length is None:
            raise Unsupported(ONLY_ROWS)
        if place.is_traced_slice:
            x = lax.dynamic_slice_in_dim(x, item.start, place.length, axis)
            item = slice(None)
        elif not isinstance(item, (int, slice, type(None))):
            if x.shape[axis]:
                x = lax.dynamic_index_in_dim(x, item, axis, keepdims=False)
            else:
                x = jnp.zeros((*x.shape[:axis], *x.shape[axis + 1 :]), x.dtype)
            continue
        rest.append(item)
        axis += not place.is_new
    return x if all(each == slice(None) for each in rest) else x[tuple(rest)]


@rule("slice")
def _slice(run: Any, node: Any, x: Any, begin: Any, *sizes: Any, size: Any) -> Any:
    wanted = numbers_of(sizes[0]) if sizes else list(size)
    if -1 in wanted:
        starts = numbers_of(begin)
        wanted = [dim - at if n == -1 else n for n, dim, at in zip(wanted, x.shape, starts)]
    room = [dim - n for dim, n in zip(x.shape, wanted, strict=True)]
    if min(room + wanted, default=0) < 0:
        raise Unsupported("no part of an array that is larger than it")
    run.fail((begin < 0) | (begin > np.array(room, np.int64)))
    return lax.dynamic_slice(x, [begin[axis] for axis in range(x.ndim)], wanted)


# -- written ---------------------------------------------------------------------------------------


@rule("set_item")
def _set_item(run: Any, node: Any, x: Any, value: Any, *inputs: Any, index: Index) -> Any:
    return put(run, jnp.asarray(x), value, places_of(run, node, x.shape, inputs, index))


@rule("sliced_back")
def _sliced_back(run: Any, node: Any, dy: Any, like: Any, *inputs: Any, index: Index) -> Any:
    zeros = jnp.zeros(like.shape, dy.dtype)
    return put(run, zeros, dy, places_of(run, node, like.shape, inputs, index))


@rule("slice_back")
def _slice_back(run: Any, node: Any, dy: Any, like: Any, begin: Any) -> Any:
    if begin.shape != (dy.ndim,):
        raise NoResult
    run.fail((begin < 0) | (begin > np.array(like.shape) - np.array(dy.shape)))
    zeros = jnp.zeros(like.shape, dy.dtype)
    return lax.dynamic_update_slice(zeros, dy, [begin[axis] for axis in range(dy.ndim)])


@rule("replaced_part")
def _replaced_part(run: Any, node: Any, dy: Any, *inputs: Any, index: Index) -> Any:
    places = places_of(run, node, dy.shape, inputs, index)
    if not any(each.is_array for each in places):
        return _read(dy, places)
    key = _array_key(places)
    picked = jnp.asarray(dy)[key]
    numbers = np.arange(picked.size).reshape(picked.shape)
    is_last = _last_writers(dy.shape, key, numbers)[key] == numbers
    return jnp.where(is_last, picked, jnp.zeros((), dy.dtype))


def put(run: Any, x: Any, value: Any, places: Sequence[AxisIndex]) -> Any:
    """Return `x` with a value at a place, as `x[index] = value` leaves it."""
    value = jnp.asarray(value)
    if any(_is_mask(each.item) for each in places):
        return _put_under_mask(run, x, value, places)
    if any(each.is_array for each in places):
        return set_last(x, _array_key(places), value)
    if all(isinstance(each.item, (int, slice, type(None))) for each in places) and not any(
        each.is_traced_slice for each in places
    ):
        return x.at[tuple(each.item for each in places)].set(value)
    if all(map(_is_contiguous, places)):
        return _put_block(x, value, places)
    return _put_chosen(run, x, value, places)


def _is_contiguous(place: AxisIndex) -> bool:
    return not place.is_slice or (place.length is not None and _is_one(place.item.step))


def _put_block(x: Any, value: Any, places: Sequence[AxisIndex]) -> Any:
    shape = [1 if each.is_new else each.length for each in places if each.is_new or each.is_slice]
    own = [each for each in places if not each.is_new]
    sizes = [each.length if each.is_slice else 1 for each in own]
    starts = [_start(each) if each.is_slice else each.item for each in own]
    if any(size > room for size, room in zip(sizes, x.shape)):
        return x  # there is no such element, and the run has failed
    block = jnp.broadcast_to(value, shape).reshape(sizes)
    return lax.dynamic_update_slice(x, block, [jnp.asarray(at, np.int64) for at in starts])


def _start(place: AxisIndex) -> Any:
    return place.item.start if place.is_traced_slice else place.item.indices(place.size)[0]


# -- written by a choice ---------------------------------------------------------------------------


def _put_chosen(run: Any, x: Any, value: Any, places: Sequence[AxisIndex]) -> Any:
    """Choose between old and new elements: slices have any ends and steps."""
    kept = [each for each in places if each.is_new or each.is_slice]
    if value.ndim > len(kept):
        raise Unsupported("no place for a value of higher rank")
    value = value.reshape((1,) * (len(kept) - value.ndim) + value.shape)
    mask: Any = np.ones((1,) * x.ndim, np.bool_)
    axis, at = 0, 0
    for place in places:
        if place.is_new:
            value = jnp.squeeze(value, at)
            continue
        here = np.arange(place.size)
        if place.is_slice:
            inside, order, length = _selected(run, place)
            if value.shape[at] != 1:
                run.fail(length != value.shape[at])
                value = jnp.take(value, order, at, mode="clip")
            at += 1
        else:
            inside = here == jnp.where(place.item < 0, place.item + place.size, place.item)
            value = jnp.expand_dims(value, at)
            at += 1
        mask = mask & inside.reshape([-1 if each == axis else 1 for each in range(x.ndim)])
        axis += 1
    return jnp.where(mask, value, x)


def _selected(run: Any, place: AxisIndex) -> tuple[Any, Any, Any]:
    """Return which elements of an axis a slice selects, their order, and their number."""
    item, size, here = place.item, place.size, np.arange(place.size)
    step = 1 if item.step is None else item.step
    if not is_size(step):
        run.fail(step == 0)
        step = jnp.where(step == 0, 1, step)
    is_up = step > 0
    low, high = jnp.where(is_up, 0, -1), jnp.where(is_up, size, size - 1)
    start = jnp.where(is_up, 0, size - 1) if item.start is None else _end(item.start, size)
    stop = jnp.where(is_up, size, -1) if item.stop is None else _end(item.stop, size)
    start, stop = jnp.clip(start, low, high), jnp.clip(stop, low, high)
    length = jnp.maximum(0, -((start - stop) // step))
    order = (here - start) // step
    inside = ((here - start) % step == 0) & (order >= 0) & (order < length)
    return inside, order, length


def _end(end: Any, size: int) -> Any:
    wide = jnp.asarray(end).astype(np.int64)
    return jnp.where(wide < 0, wide + size, wide)


def _put_under_mask(run: Any, x: Any, value: Any, places: Sequence[AxisIndex]) -> Any:
    """Choose by a mask: its elements are numbered in order, as those of the value are."""
    at = next(at for at, each in enumerate(places) if _is_mask(each.item))
    others = [each for each in places if not _is_mask(each.item)]
    if len(others) < len(places) - 1 or any(each.item != slice(None) for each in others):
        raise Unsupported("no mask that stands beside other items of an index")
    mask = places[at].item
    behind = len(places) - at - 1
    if value.ndim > behind:
        value = value.reshape((1,) * (len(places) - value.ndim) + value.shape)
        if value.shape[at] != 1:
            run.fail(jnp.sum(mask) != value.shape[at])
        order = jnp.cumsum(jnp.ravel(mask)).reshape(mask.shape) - 1
        value = jnp.take(value, order, at, mode="clip")
    return jnp.where(mask.reshape(*mask.shape, *[1] * behind), value, x)


# -- written at index arrays -----------------------------------------------------------------------


def _array_key(places: Sequence[AxisIndex]) -> tuple[Any, ...]:
    if any(each.is_traced_slice or _is_mask(each.item) for each in places):
        raise Unsupported("no slice or mask beside an index array, both known only at run time")
    return tuple(each.item for each in places)


def _last_writers(shape: Sequence[int], key: tuple[Any, ...], numbers: Any) -> Any:
    """Return the largest of the numbers that are written to each element, and -1 for none."""
    return jnp.full(shape, -1).at[key].max(numbers)


def set_last(x: Any, key: tuple[Any, ...], value: Any) -> Any:
    """Return `x` with a value at an index; of several elements for one place the last one stays.

    XLA writes them in order on a CPU, and in any order elsewhere.
    """
    if not value.ndim:
        return x.at[key].set(value)

    def chosen(x: Any, value: Any) -> Any:
        place = x[key].shape
        numbers = np.arange(math.prod(place)).reshape(place)
        writers = _last_writers(x.shape, key, numbers)
        flat = jnp.broadcast_to(value, place).reshape(-1)
        return jnp.where(writers < 0, x, flat[jnp.maximum(writers, 0)])

    return lax.platform_dependent(
        x, value, cpu=lambda x, value: x.at[key].set(value), default=chosen
    )
