"""Ops whose results have a length that only a run knows, and the sizes of such arrays.

x[mask], nonzero(x), unique(x)     padded arrays with the length of the operand as capacity
range(n), zeros([n, 3])            padded arrays with the capacity of lists
x[a:b]                             a padded array
shape(x)                           sizes, some of which are known
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.executors.jax.dynamic_shapes.padded import (
    aligned_rows,
    by_rule,
    fixed_rows,
    like_node,
    made_rows,
    padded_rule,
    transposed,
    valid,
)
from runtime.executors.jax.lists.operations import bounds_of, range_of
from runtime.executors.jax.rules.indexing import is_of_known_length
from runtime.executors.jax.rules.jax_modules import is_size, is_symbol, jnp, size_of
from runtime.executors.jax.rules.shapes import ONLY_ROWS
from runtime.executors.jax.rules.table import Unsupported
from runtime.executors.jax.run_state import RunState
from runtime.executors.jax.value_rules import PASS, core_rule
from runtime.executors.jax.values.pytrees import (
    Dims,
    LazyRange,
    Padded,
    count,
    is_array,
    is_known,
    traced,
)
from runtime.ops.arrays.index import ELLIPSIS, NEWAXIS, WHOLE, HashableSlice, Index, Input

# -- sizes -----------------------------------------------------------------------------------------

# The ops that take sizes of which some are known.
TAKES_DIMS = frozenset(
    "fill eye tile tiles_summed reshape broadcast_to strided_slice gather cast concat identity "
    "convolution_to_input convolution_to_filter avg_pool_back scatter_nd".split()
)


@core_rule("shape")
def _shape(run: RunState, node: Any, x: Any) -> Any:
    dtype = node.attrs["out_type"].np_dtype
    if isinstance(x, Padded):
        shape = () if isinstance(x, LazyRange) else x.array.shape[1:]
        rest = [np.array(size, dtype) for size in shape]
        return Dims((x.length.astype(dtype), *rest))
    if not is_array(x):
        return PASS
    if all(isinstance(size, int) for size in x.shape):
        return np.array(x.shape, dtype)
    sizes = tuple(size_of(size, dtype) for size in x.shape)
    for value, size in zip(sizes, x.shape):
        run.note_size(value, size)
    return Dims(sizes)


@core_rule("size")
def _size(run: RunState, node: Any, x: Any) -> Any:
    dtype = node.attrs["out_type"].np_dtype
    if isinstance(x, Padded):
        return (x.length * int(np.prod(x.array.shape[1:], dtype=int))).astype(dtype)
    if not is_array(x):
        return PASS
    found = size_of(x.size, dtype)
    run.note_size(found, x.size)
    return found


@core_rule("rank")
def _rank(run: RunState, node: Any, x: Any) -> Any:
    return np.array(x.ndim, np.int32) if is_array(x) or isinstance(x, Padded) else PASS


@core_rule("stack")
def _stack(run: RunState, node: Any, *inputs: Any) -> Any:
    sizes = all(is_array(x) and x.ndim == 0 and x.dtype.kind in "iu" for x in inputs)
    known = sizes and any(run.known_size(each) is not None for each in inputs)
    return Dims(inputs) if known else PASS


@core_rule("concat")
def _concat(run: RunState, node: Any, *inputs: Any) -> Any:
    if not any(isinstance(x, Dims) for x in inputs):
        return PASS
    if not all(isinstance(x, Dims) or (is_known(x) and x.ndim == 1) for x in inputs):
        return PASS
    return Dims(tuple([size for x in inputs for size in (x.sizes if isinstance(x, Dims) else x)]))


def target_dims(run: RunState, node: Any, dims: Sequence[Any]) -> tuple[Any, ...]:
    """Return the sizes that a node makes an array of.

    Each is an int, a symbol of a program to export, or only known to a run.
    """
    if not dims:
        return tuple(node.attrs["shape"])
    found = dims[0]
    if isinstance(found, Padded):
        raise Unsupported("no rank that only a run knows")
    sizes = found.sizes if isinstance(found, Dims) else [found[at] for at in range(found.shape[0])]
    known = map(run.known_size, sizes)
    return tuple(size if found is None else found for found, size in zip(known, sizes))


def _rows_and_rest(sizes: Sequence[Any]) -> tuple[Any, tuple[int, ...]]:
    """Return the number of rows and the other sizes, which must be known."""
    if not all(map(is_size, sizes[1:])):
        raise Unsupported(ONLY_ROWS)
    return (sizes[0] if sizes else None), tuple(sizes[1:])


@core_rule("fill")
def _fill(run: RunState, node: Any, value: Any, *dims: Any) -> Any:
    sizes = target_dims(run, node, dims)
    rows, rest = _rows_and_rest(sizes)
    value = traced(value)
    if rows is None or is_size(rows):
        if any(isinstance(size, int) and size < 0 for size in sizes):
            run.fail(True)
            return value
        return jnp.full(() if rows is None else (rows, *rest), value)
    return made_rows(run, rows, lambda room: jnp.full((room, *rest), value))


@core_rule("eye")
def _eye(run: RunState, node: Any, *dims: Any) -> Any:
    sizes = target_dims(run, node, dims)
    if all(isinstance(size, int) for size in sizes):
        return PASS
    rows, rest = _rows_and_rest(sizes)
    dtype = node.attrs["dtype"].np_dtype

    def ones(number: Any) -> Any:
        shape = (number, *rest)
        row, column = map(jnp.arange, shape[-2:])
        return jnp.broadcast_to((row[:, None] == column).astype(dtype), shape)

    return ones(rows) if is_size(rows) else made_rows(run, rows, ones)


@core_rule("convolution_to_input", "convolution_to_filter", "avg_pool_back", "scatter_nd")
def _of_sizes(run: RunState, node: Any, *inputs: Any) -> Any:
    """Trace an op whose last operand has the sizes of the result, which are known as symbols."""
    *operands, dims = inputs
    sizes = target_dims(run, node, [dims]) if isinstance(dims, Dims) else ()
    if not has_symbols(sizes) or not all(map(is_array, operands)):
        return PASS
    attrs = {**node.attrs, "shape": sizes}
    return by_rule(run, like_node(node.op.name, **attrs), *operands)


def has_symbols(sizes: Sequence[Any]) -> bool:
    return all(map(is_size, sizes)) and any(map(is_symbol, sizes))


@core_rule("broadcast_to")
def _broadcast_to(run: RunState, node: Any, x: Any, *dims: Any) -> Any:
    sizes = target_dims(run, node, dims)
    if isinstance(x, Padded):
        raise Unsupported(ONLY_ROWS)
    if all(isinstance(size, int) for size in sizes):
        try:
            np.broadcast_shapes(x.shape, sizes)
        except ValueError:
            run.fail(True)
            return jnp.zeros(sizes, x.dtype)
        return jnp.broadcast_to(x, sizes)
    x = traced(x)
    if all(map(is_size, sizes)):
        return jnp.broadcast_to(x, sizes)
    rows, rest = _rows_and_rest(sizes)
    if x.ndim == len(sizes) and x.shape[0] != 1:
        run.fail(rows != x.shape[0])
        return jnp.broadcast_to(x, (x.shape[0], *rest))
    return made_rows(run, rows, lambda room: jnp.broadcast_to(x, (room, *rest)))


@core_rule("reshape")
def _reshape(run: RunState, node: Any, x: Any, *dims: Any) -> Any:
    sizes = target_dims(run, node, dims)
    if not isinstance(x, Padded):
        return _reshaped(run, traced(x), sizes)
    inner = int(np.prod(x.array.shape[1:], dtype=int))
    if not sizes:
        return fixed_rows(run, x, 1).reshape(())
    first, rest = _rows_and_rest(sizes)
    if -1 in rest:
        known = -int(np.prod(rest, dtype=int))
        if isinstance(first, int) or known == 0 or inner % known:
            raise Unsupported(ONLY_ROWS)
        # The rows stay rows: the other sizes take what is in one.
        rest = tuple(inner // known if size == -1 else size for size in rest)
        run.fail(first != x.length)
        return Padded(x.array.reshape((x.room, *rest)), x.length)
    each = int(np.prod(rest, dtype=int))
    if isinstance(first, int) and first != -1:
        if inner == 0 or (first * each) % inner:
            run.fail(x.length * inner != first * each)
            return jnp.zeros((first, *rest), x.dtype)
        return fixed_rows(run, x, first * each // inner).reshape((first, *rest))
    if each == 0 or (x.room * inner) % each:
        raise Unsupported("no array of which only a run knows whether it has whole rows")
    length = x.length * inner // each
    run.fail(length * each != x.length * inner)
    if not isinstance(first, int):
        run.fail(first != length)
    return Padded(x.array.reshape((-1, *rest)), length.astype(np.int32))


def _reshaped(run: RunState, x: Any, sizes: Sequence[Any]) -> Any:
    if any(map(is_symbol, sizes)) and all(map(is_size, sizes)):
        return x.reshape(sizes)
    unknown = [at for at, size in enumerate(sizes) if not isinstance(size, int)]
    if len(unknown) > 1 or (unknown and any(is_size(size) and size == -1 for size in sizes)):
        raise Unsupported(ONLY_ROWS)
    known = int(np.prod([size for size in sizes if isinstance(size, int)], dtype=int))
    target = tuple(size if isinstance(size, int) else -1 for size in sizes)
    fits = x.size % abs(known) == 0 if known else x.size == 0 and -1 not in target
    if -1 not in target and known != x.size:
        fits = False
    if not fits and known and is_symbol(x.size):
        run.note_limit(
            f"mod({x.size}, {abs(known)}) == 0" if -1 in target else f"{x.size} == {known}"
        )
        raise Unsupported("no array of which only a run knows whether it has whole rows")
    if -1 in target and known:
        target = tuple(x.size // abs(known) if size == -1 else size for size in target)
    if not fits:
        run.fail(True)
        return jnp.zeros([max(size, 0) for size in target], x.dtype)
    found = x.reshape(target)
    for at in unknown:
        # Sizes that a run computes must be those of the array.
        run.fail((sizes[at] != found.shape[at]) & (sizes[at] != -1))
    return found


# -- ranges, masks ---------------------------------------------------------------------------------


@core_rule("range")
def _range(run: RunState, node: Any, start: Any, limit: Any, delta: Any) -> Any:
    length = node.attrs["length"]
    if length is None:
        length = _symbolic_length(*map(run.known_size, (start, limit, delta)))
    may_stay = not is_known(delta) or delta == 0
    start, limit, delta = map(traced, (start, limit, delta))
    if length is not None:
        return start + jnp.arange(length, dtype=start.dtype) * delta
    if may_stay:
        run.fail(delta == 0)
    step = jnp.where(delta == 0, jnp.ones((), delta.dtype), delta)
    if start.dtype.kind == "f":
        run.fail(~jnp.isfinite(start + limit + delta))
        number = jnp.ceil((limit.astype(float) - start) / step)
    else:
        wide = np.int64
        number = -((start.astype(wide) - limit.astype(wide)) // step.astype(wide))
    number = jnp.maximum(number, 0)

    def make() -> Any:
        run.outgrow(number > run.room)
        return start + jnp.arange(run.room, dtype=start.dtype) * delta

    length = number.astype(np.int32)
    return LazyRange(start, delta, length, make) if run.is_file else Padded(make(), length)


def _symbolic_length(start: Any, limit: Any, delta: Any) -> Any:
    """Return the length of a range between symbols of a program to export; None for others."""
    if start is None or limit is None or delta not in (1, -1):
        return None
    return max((limit - start) * delta, 0)


def _kept_rows(mask: Any, x: Any) -> Padded:
    """Return the rows of an array for which a mask is true."""
    places = jnp.nonzero(mask, size=mask.shape[0], fill_value=0)[0]
    rows = x[places] if mask.shape[0] else x
    return Padded(rows, jnp.sum(mask).astype(np.int32))


@core_rule("boolean_mask")
def _boolean_mask(run: RunState, node: Any, x: Any, mask: Any) -> Any:
    rank = x.ndim
    if node.attrs["axis"] % rank:
        raise Unsupported(ONLY_ROWS)
    if mask.ndim > 1:
        if isinstance(x, Padded) or isinstance(mask, Padded):
            raise Unsupported("no mask of several axes whose length only a run knows")
        x = traced(x).reshape((-1, *x.shape[mask.ndim :]))
        mask = traced(mask).reshape(-1)
    array, flags, inside = aligned_rows(run, x, mask)
    if flags.shape[0] != array.shape[0]:
        run.fail(True)
        return array[:0]
    return _kept_rows(flags & inside, array)


@core_rule("unmasked")
def _unmasked(run: RunState, node: Any, dy: Any, mask: Any, like: Any) -> Any:
    def rows(array: Any) -> Any:
        x = Padded(array, like.length) if isinstance(like, Padded) else array
        found = _boolean_mask(run, node, x, mask)
        return found.array if isinstance(found, Padded) else found

    return transposed(rows, like, dy)


@core_rule("nonzero")
def _nonzero(run: RunState, node: Any, x: Any) -> Any:
    array = valid(x, 0)
    places = jnp.nonzero(array, size=array.size, fill_value=0)
    found = jnp.stack(places, -1).astype(node.outputs[0].dtype.np_dtype)
    return Padded(found, jnp.sum(array != 0).astype(np.int32))


@core_rule("unique", "unique_with_counts")
def _unique(run: RunState, node: Any, x: Any) -> Any:
    array = x.array if isinstance(x, Padded) else traced(x)
    if array.ndim != 1:
        run.fail(True)
        raise Unsupported("no distinct elements of other than vectors")
    room, dtype = array.shape[0], node.attrs["out_idx"].np_dtype
    length = x.length if isinstance(x, Padded) else count(room)
    at = jnp.arange(room)
    inside = at < length
    equal = (array[:, None] == array[None, :]) & inside[None, :]
    first = jnp.argmax(equal | jnp.eye(room, dtype=bool), axis=1) if room else at
    is_first = (first == at) & inside
    places = jnp.nonzero(is_first, size=room, fill_value=0)[0]
    number = jnp.sum(is_first).astype(np.int32)
    index = (jnp.cumsum(is_first) - 1)[first].astype(dtype)
    index = Padded(index, length) if isinstance(x, Padded) else index
    if node.op.name == "unique":
        return Padded(array[places], number), index
    counts = jnp.sum(equal[places], axis=1).astype(dtype)
    return Padded(array[places], number), index, Padded(counts, number)


@core_rule("dynamic_partition")
def _partition(run: RunState, node: Any, data: Any, partitions: Any) -> Any:
    if isinstance(data, Padded) or isinstance(partitions, Padded):
        raise Unsupported("no partitions of an array whose length only a run knows")
    rows, parts = traced(data), traced(partitions)
    number = node.attrs["num_partitions"]
    run.fail((parts < 0) | (parts >= number))
    rows = rows.reshape((-1, *rows.shape[parts.ndim :]))
    return tuple(_kept_rows(parts.reshape(-1) == each, rows) for each in range(number))


# -- indices ---------------------------------------------------------------------------------------


@core_rule("strided_slice")
def _strided_slice(run: RunState, node: Any, x: Any, *inputs: Any) -> Any:
    items = node.attrs["index"].items
    if isinstance(x, Dims):
        return _slice_of_dims(run, x, items, inputs)
    if isinstance(x, Padded):
        return _slice_of_padded(run, x, items, inputs)
    length = node.outputs[0].spec.shape[0] if node.outputs[0].spec.shape.rank else None
    if is_array(x) and length is None and _has_unknown_span(run, items, inputs):
        first = items[0]
        if isinstance(first, HashableSlice) and not _has_unknown_span(run, items[1:], inputs):
            if is_of_known_length(run, node, x.shape[0], first, inputs):
                return PASS
        return _slice_of_array(run, x, items, inputs)
    return PASS


def _slice_of_dims(run: RunState, x: Dims, items: Sequence[Any], inputs: Sequence[Any]) -> Any:
    item = items[0] if len(items) == 1 else None
    index: Any = inputs[item.position] if isinstance(item, Input) else None
    if is_known(index) and not index.ndim:
        item = int(index)
    if isinstance(item, int) and -len(x.sizes) <= item < len(x.sizes):
        return x.sizes[item]
    if isinstance(item, HashableSlice):
        bounds = bounds_of(item, inputs)
        if _are_ints(bounds) and bounds[2] != 0:
            sizes = x.sizes[slice(*bounds)]
            return Dims(sizes) if sizes else np.zeros(0, x.sizes[0].dtype)
    return by_rule(run, like_node("strided_slice", index=Index(tuple(items))), x.array(), *inputs)


def _are_ints(bounds: Sequence[Any]) -> bool:
    return all(each is None or isinstance(each, int) for each in bounds)


def _has_unknown_span(run: RunState, items: Sequence[Any], inputs: Sequence[Any]) -> bool:
    spans = [item for item in items if isinstance(item, HashableSlice)]
    return any(not _is_fixed(run, bounds_of(span, inputs)) for span in spans)


def _is_fixed(run: RunState, bounds: Sequence[Any]) -> bool:
    return all(
        each is None or isinstance(each, int) or run.known_size(each) is not None for each in bounds
    )


def _slice_of_array(run: RunState, x: Any, items: Sequence[Any], inputs: Sequence[Any]) -> Any:
    """Return a part of an array with a slice the length of which only a run knows."""
    first, rest = items[0], tuple(items[1:])
    if not isinstance(first, HashableSlice) or _has_unknown_span(run, rest, inputs):
        raise Unsupported(ONLY_ROWS)
    rows = Padded(traced(x), count(x.shape[0]))
    return _slice_of_padded(run, rows, items, inputs)


def _slice_of_padded(run: RunState, x: Padded, items: Sequence[Any], inputs: Sequence[Any]) -> Any:
    if not items:
        return x
    first, rest = items[0], tuple(items[1:])
    if _has_unknown_span(run, rest, inputs):
        raise Unsupported(ONLY_ROWS)
    if first is NEWAXIS:
        raise Unsupported(ONLY_ROWS)
    if first == ELLIPSIS:
        if Index(tuple(rest)).consumed() >= x.ndim:
            return _slice_of_padded(run, x, rest, inputs)
        return Padded(_indexed(run, x.array, items, inputs), x.length)
    if isinstance(first, HashableSlice):
        rows = x if first == WHOLE else _cut(run, x, bounds_of(first, inputs))
        return Padded(_indexed(run, rows.array, (WHOLE, *rest), inputs), rows.length)
    return _row(run, x, first, rest, inputs)


def _indexed(run: RunState, array: Any, items: Sequence[Any], inputs: Sequence[Any]) -> Any:
    if all(item == WHOLE for item in items):
        return array
    return by_rule(run, like_node("strided_slice", index=Index(tuple(items))), array, *inputs)


def _cut(run: RunState, x: Padded, bounds: Sequence[Any]) -> Padded:
    first, total, step = range_of(run, bounds, x.length)
    places = jnp.clip(first + jnp.arange(x.room) * step, 0, max(x.room - 1, 0))
    return Padded(x.array[places] if x.room else x.array, total)


def _row(run: RunState, x: Padded, item: Any, rest: Sequence[Any], inputs: Sequence[Any]) -> Any:
    index = inputs[item.position] if isinstance(item, Input) else np.asarray(item, np.int32)
    if isinstance(index, Padded) or (is_array(index) and index.dtype.kind == "b"):
        raise Unsupported("no index of an array whose length only a run knows")
    at = _places(run, index, x.length)
    rows = x.array[at] if x.room else jnp.zeros((*at.shape, *x.array.shape[1:]), x.dtype)
    if at.ndim and any(isinstance(each, (int, Input)) for each in rest):
        raise Unsupported("no index by several arrays into one whose length only a run knows")
    before = (WHOLE,) * at.ndim
    return _indexed(run, rows, (*before, *rest), inputs) if rest else rows


def _places(run: RunState, index: Any, length: Any) -> Any:
    """Return places of rows; the run fails if there is no such row."""
    at = traced(index)
    run.fail((at < -length) | (at >= length))
    return jnp.where(at < 0, at + length, at).astype(np.int32)


@padded_rule("gather")
def _gather(run: RunState, node: Any, x: Any, indices: Any) -> Any:
    axis = node.attrs["axis"] % x.ndim
    if node.attrs.get("batch_dims", 0):
        raise Unsupported("no gather of batches whose lengths only a run knows")
    if axis and isinstance(indices, Padded):
        raise Unsupported(ONLY_ROWS)
    if axis:
        return Padded(by_rule(run, node, x.array, indices), x.length)
    length = x.length if isinstance(x, Padded) else count(x.shape[0])
    raw, least = valid(indices, 0), -length if node.attrs.get("wrap", False) else 0
    wrong = (raw < least) | (raw >= length)
    run.fail(wrong & indices.mask() if isinstance(indices, Padded) else wrong)
    places = jnp.where(raw < 0, raw + length, raw)
    if isinstance(x, LazyRange) and not isinstance(indices, Padded):
        return x.start + places.astype(x.dtype) * x.delta
    array = x.array if isinstance(x, Padded) else traced(x)
    shape = (*places.shape, *array.shape[1:])
    rows = array[places] if array.shape[0] else jnp.zeros(shape, x.dtype)
    return Padded(rows, indices.length) if isinstance(indices, Padded) else rows


@core_rule("sliced_back")
def _sliced_back(run: RunState, node: Any, dy: Any, like: Any, *inputs: Any) -> Any:
    items = node.attrs["index"].items
    if not (isinstance(like, Padded) or isinstance(dy, Padded)):
        return PASS

    def part(array: Any) -> Any:
        length = like.length if isinstance(like, Padded) else count(array.shape[0])
        found = _slice_of_padded(run, Padded(array, length), items, inputs)
        return found.array if isinstance(found, Padded) else found

    return transposed(part, like, dy)


@padded_rule("gathered_back")
def _gathered_back(run: RunState, node: Any, dy: Any, indices: Any, like: Any) -> Any:
    def rows(array: Any) -> Any:
        x = Padded(array, like.length) if isinstance(like, Padded) else array
        gather = like_node("gather", **node.attrs)
        if isinstance(x, Padded) or isinstance(indices, Padded):
            found = _gather(run, gather, x, indices)
        else:
            found = by_rule(run, gather, x, indices)
        return found.array if isinstance(found, Padded) else found

    return transposed(rows, like, dy)


@core_rule("set_item")
def _set_item(run: RunState, node: Any, x: Any, value: Any, *inputs: Any) -> Any:
    items = node.attrs["index"].items
    if isinstance(value, Padded) and is_array(x) and items and isinstance(items[0], HashableSlice):
        bounds = bounds_of(items[0], inputs)
        if _are_ints((*bounds, x.shape[0])) and len(items) == 1:
            rows = len(range(*slice(*bounds).indices(x.shape[0])))
            return by_rule(run, node, x, fixed_rows(run, value, rows), *inputs)
    if not isinstance(x, Padded) and not isinstance(value, Padded):
        return PASS
    return _set_rows(run, x, value, items, inputs)


def _set_rows(
    run: RunState, x: Any, value: Any, items: Sequence[Any], inputs: Sequence[Any]
) -> Any:
    """Write to a row, or to a slice of rows, of which only a run knows where it ends."""
    length = x.length if isinstance(x, Padded) else count(x.shape[0])
    array = x.array if isinstance(x, Padded) else traced(x)
    first, rest = items[0], tuple(items[1:])
    if isinstance(first, HashableSlice) and not rest:
        changed = _with_slice(run, array, length, value, bounds_of(first, inputs))
    elif isinstance(first, (int, Input)) and not _has_unknown_span(run, rest, inputs):
        index = inputs[first.position] if isinstance(first, Input) else np.asarray(first, np.int32)
        if not is_array(index) or index.ndim or index.dtype.kind == "b" or not is_array(value):
            raise Unsupported("no index by arrays into one whose length only a run knows")
        at = _places(run, index, length)
        row = traced(value)
        if rest:
            inner = like_node("set_item", index=Index(rest))
            row = by_rule(run, inner, array[at], value, *inputs)
        elif row.ndim > array.ndim - 1:
            run.fail(True)
            return x
        changed = array.at[at].set(row)
    else:
        raise Unsupported("no write to a part whose place only a run knows")
    return Padded(changed, length) if isinstance(x, Padded) else changed


def _with_slice(run: RunState, array: Any, length: Any, value: Any, bounds: Sequence[Any]) -> Any:
    first, total, step = range_of(run, bounds, length)
    at = jnp.arange(array.shape[0])
    number = (at - first) // step
    taken = ((at - first) % step == 0) & (number >= 0) & (number < total)
    mask = taken.reshape((-1,) + (1,) * (array.ndim - 1))
    rank = value.ndim if isinstance(value, Padded) else np.ndim(value)
    if rank > array.ndim:
        run.fail(True)
        return array
    if rank == array.ndim:
        own = value.length if isinstance(value, Padded) else value.shape[0]
        run.fail((own != total) & (own != 1))
        source = value.array if isinstance(value, Padded) else traced(value)
        rows = source[jnp.where(own == 1, 0, jnp.clip(number, 0, max(source.shape[0] - 1, 0)))]
    else:
        rows = traced(value)
    return jnp.where(mask, rows, array)
