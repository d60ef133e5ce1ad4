"""Repeats, tiles and pads rows where only a run knows how often, or how many rows there are.

repeat(x, n)    tile(x, [n, 1])    pad(x, [[n, 1], [0, 0]])    with the capacity of lists

Each row of a result is a row of the operand, or a value of padding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.executors.jax.dynamic_shapes.padded import (
    aligned_rows,
    by_rule,
    like_node,
    made_rows,
    transposed,
)
from runtime.executors.jax.dynamic_shapes.results import has_symbols, target_dims
from runtime.executors.jax.rules.jax_modules import jnp
from runtime.executors.jax.rules.shapes import ONLY_ROWS
from runtime.executors.jax.rules.table import Unsupported
from runtime.executors.jax.run_state import RunState
from runtime.executors.jax.value_rules import PASS, core_rule
from runtime.executors.jax.values.pytrees import Padded, count, is_array, is_known, traced
from runtime.passes.constants import constant_of


class _Rows(NamedTuple):
    """The rows of an operand in a result.

    Attributes:
        number: the number of rows of the result.
        places: takes a room, and returns the row of the operand for each row of the result.
    """

    number: Any
    places: Callable[[int], Any]

    def of(self, run: RunState, array: Any) -> Padded:
        """Return the rows of an array."""
        most = max(array.shape[0] - 1, 0)

        def make(room: int) -> Any:
            if not array.shape[0]:
                return jnp.zeros((room, *array.shape[1:]), array.dtype)
            return array[jnp.clip(self.places(room), 0, most)]

        return made_rows(run, self.number, make)


def _length_of(x: Any) -> Any:
    """Return the number of rows, wide enough for that of a result."""
    return (x.length if isinstance(x, Padded) else count(x.shape[0])).astype(np.int64)


def _array_of(x: Any) -> Any:
    return x.array if isinstance(x, Padded) else traced(x)


def _transposed(function: Callable[[Any], Padded], like: Any, dy: Any) -> Any:
    return transposed(lambda array: function(array).array, like, dy)


# -- repeated --------------------------------------------------------------------------------------


@core_rule("repeat")
def _repeat(run: RunState, node: Any, x: Any, repeats: Any) -> Any:
    if _is_of_known_rows(node, x, repeats):
        return PASS
    if node.attrs["axis"] % x.ndim:
        return _of_each_row(run, node, x, repeats)
    return _repeated(run, x, repeats).of(run, _array_of(x))


@core_rule("repeats_summed")
def _repeats_summed(run: RunState, node: Any, dy: Any, like: Any, repeats: Any) -> Any:
    if _is_of_known_rows(node, like, repeats) and not isinstance(dy, Padded):
        return PASS
    if node.attrs["axis"] % like.ndim:
        return _of_each_row(run, node, dy, like, repeats)
    rows = _repeated(run, like, repeats)
    return _transposed(lambda array: rows.of(run, array), like, dy)


def _is_of_known_rows(node: Any, x: Any, repeats: Any) -> bool:
    is_counted = is_known(repeats) or node.attrs["count"] is not None
    return is_counted and not isinstance(x, Padded)


def _of_each_row(run: RunState, node: Any, x: Any, *rest: Any) -> Any:
    """Trace a node along another axis than that of the rows."""
    if not (isinstance(x, Padded) and is_known(rest[-1])):
        raise Unsupported(ONLY_ROWS)
    arrays = [_array_of(each) for each in rest[:-1]]
    return Padded(by_rule(run, node, x.array, *arrays, rest[-1]), x.length)


def _repeated(run: RunState, x: Any, repeats: Any) -> _Rows:
    if isinstance(repeats, Padded) or (repeats.ndim and repeats.shape[0] != 1):
        if is_array(x) and is_array(repeats) and repeats.shape[0] != x.shape[0]:
            run.fail(True)
            return _Rows(count(0), jnp.arange)
        _, repeats, inside = aligned_rows(run, x, repeats)
    else:
        repeats = jnp.ravel(traced(repeats))
        inside = jnp.arange(_array_of(x).shape[0]) < _length_of(x)
    counts = jnp.where(inside, repeats, 0)
    run.fail(counts < 0)
    ends = jnp.cumsum(counts, dtype=np.int64)
    number = jnp.max(ends, initial=0)
    return _Rows(number, lambda room: jnp.searchsorted(ends, jnp.arange(room), side="right"))


# -- tiled -----------------------------------------------------------------------------------------


@core_rule("tile")
def _tile(run: RunState, node: Any, x: Any, *dims: Any) -> Any:
    counts = target_dims(run, node, dims) if dims else node.attrs["multiples"]
    if len(counts) != x.ndim or not (isinstance(x, Padded) or _has_unknown(counts)):
        return PASS
    if has_symbols(counts) and is_array(x):
        return _tiled_by_symbols(x, counts)
    first, rest = _checked_counts(run, counts)
    return _tiled(x, first).of(run, jnp.tile(_array_of(x), (1, *rest)))


@core_rule("tiles_summed")
def _tiles_summed(run: RunState, node: Any, dy: Any, like: Any, *dims: Any) -> Any:
    counts = target_dims(run, node, dims) if dims else node.attrs["multiples"]
    is_padded = isinstance(like, Padded) or isinstance(dy, Padded)
    if len(counts) != like.ndim or has_symbols(counts) or not (is_padded or _has_unknown(counts)):
        return PASS
    first, rest = _checked_counts(run, counts)
    rows = _tiled(like, first)
    return _transposed(lambda array: rows.of(run, jnp.tile(array, (1, *rest))), like, dy)


def _has_unknown(counts: Sequence[Any]) -> bool:
    return not all(isinstance(each, (int, np.integer)) for each in counts)


def _checked_counts(run: RunState, counts: Sequence[Any]) -> tuple[Any, tuple[int, ...]]:
    first, rest = counts[0], tuple(counts[1:])
    if _has_unknown(rest):
        raise Unsupported(ONLY_ROWS)
    run.fail(any(each < 0 for each in rest))
    return traced(np.asarray(first)) if not is_array(first) else first, rest


def _tiled(x: Any, times: Any) -> _Rows:
    length = _length_of(x)
    return _Rows(times * length, lambda room: jnp.arange(room) % jnp.maximum(length, 1))


def _tiled_by_symbols(x: Any, counts: Sequence[Any]) -> Any:
    split = [size for pair in zip(counts, x.shape) for size in pair]
    apart = traced(x).reshape([part for size in x.shape for part in (1, size)])
    whole = [count * size for count, size in zip(counts, x.shape)]
    return jnp.broadcast_to(apart, split).reshape(whole)


# -- padded ----------------------------------------------------------------------------------------


@core_rule("pad")
def _pad(run: RunState, node: Any, x: Any, value: Any, *dims: Any) -> Any:
    if is_array(x) and all(map(is_known, dims)):
        return PASS
    (before, after), *rest = _widths(node, dims, x.ndim)
    inner = like_node("pad", paddings=((0, 0), *rest), mode=node.attrs["mode"])
    rows = _padded(run, x, before, after, node.attrs["mode"])
    found = rows.of(run, by_rule(run, inner, _array_of(x), value))
    if node.attrs["mode"] != "constant":
        return found
    length = _length_of(x)
    at = jnp.arange(found.room) - before
    own = ((at >= 0) & (at < length)).reshape((-1,) + (1,) * (x.ndim - 1))
    return Padded(jnp.where(own, found.array, value), found.length)


@core_rule("unpadded")
def _unpadded(run: RunState, node: Any, dy: Any, like: Any, *dims: Any) -> Any:
    if is_array(dy) and is_array(like) and all(map(is_known, dims)):
        return PASS
    zero = np.zeros((), like.dtype)
    length = like.length if isinstance(like, Padded) else None

    def padded(array: Any) -> Padded:
        x = array if length is None else Padded(array, length)
        return _pad(run, node, x, zero, *dims)

    return _transposed(padded, like, dy)


def _widths(node: Any, dims: Sequence[Any], rank: int) -> list[tuple[Any, Any]]:
    """Return the numbers of rows before and after, and those along other axes, which are known."""
    if not dims:
        return [(before, after) for before, after in node.attrs["paddings"]]
    found = dims[0]
    if is_known(found):
        return [(int(before), int(after)) for before, after in found]
    made = node.inputs[-1].node
    is_stack = made.op.name == "stack" and made.attrs["axis"] == 0
    rest = [constant_of(each) for each in made.inputs[1:]] if is_stack else []
    known = [(int(row[0]), int(row[1])) for row in rest if row is not None]
    if isinstance(found, Padded) or len(known) != rank - 1:
        raise Unsupported(ONLY_ROWS)
    return [(found[0, 0], found[0, 1]), *known]


def _padded(run: RunState, x: Any, before: Any, after: Any, mode: str) -> _Rows:
    """Return the rows of a padded array; those of a constant are any."""
    length, edge = _length_of(x), 1 if mode == "reflect" else 0
    for each in (before, after):
        run.fail(each < 0)
        if mode != "constant":
            run.fail(each > jnp.maximum(length - edge, 0))

    def places(room: int) -> Any:
        at = jnp.arange(room) - before
        at = jnp.where(at < 0, edge - 1 - at, at)
        return jnp.where(at < length, at, 2 * length - 1 - edge - at)

    return _Rows(length + before + after, places)
