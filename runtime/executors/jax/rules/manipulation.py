"""Rules that concatenate, split, repeat, pad and reverse arrays, and those of their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from runtime.executors.jax.rules.jax_modules import jnp, lax
from runtime.executors.jax.rules.shapes import numbers_of
from runtime.executors.jax.rules.table import NoResult, rule


@rule("concat")
def _concat(run: Any, node: Any, *arrays: Any, axis: int) -> Any:
    return jnp.concatenate(arrays, axis)


@rule("stack")
def _stack(run: Any, node: Any, *arrays: Any, axis: int) -> Any:
    return jnp.stack(arrays, axis)


@rule("unstack")
def _unstack(run: Any, node: Any, x: Any, *, num: int, axis: int) -> Any:
    return tuple(lax.index_in_dim(x, at, axis, keepdims=False) for at in range(num))


@rule("split")
def _split(run: Any, node: Any, x: Any, *, sizes: Any, axis: int) -> Any:
    size = x.shape[axis]
    if isinstance(sizes, int):
        parts = [size // sizes] * sizes
    else:
        rest = size - sum(each for each in sizes if each != -1)
        parts = [rest if each == -1 else each for each in sizes]
    ends = accumulate(parts)
    return tuple(lax.slice_in_dim(x, end - part, end, axis=axis) for part, end in zip(parts, ends))


@rule("joined_part")
def _joined_part(run: Any, node: Any, dy: Any, *parts: Any, axis: int, position: int) -> Any:
    sizes = [each.shape[axis] for each in parts]
    begin = sum(sizes[:position])
    return lax.slice_in_dim(dy, begin, begin + sizes[position], axis=axis)


# -- repeated --------------------------------------------------------------------------------------


@rule("tile")
def _tile(run: Any, node: Any, x: Any, *dims: Any, multiples: Any) -> Any:
    counts = tuple(numbers_of(dims[0]) if dims else multiples)
    if len(counts) != x.ndim or min(counts, default=0) < 0:
        raise NoResult
    return jnp.tile(x, counts)


@rule("tiles_summed")
def _tiles_summed(run: Any, node: Any, dy: Any, like: Any, *dims: Any, multiples: Any) -> Any:
    counts = numbers_of(dims[0]) if dims else multiples
    split = [size for pair in zip(counts, like.shape, strict=True) for size in pair]
    return jnp.sum(dy.reshape(split), tuple(range(0, len(split), 2)), dtype=dy.dtype)


def _counts(repeats: Any, size: int) -> np.ndarray:
    found = np.ravel(numbers_of(repeats))
    if found.size not in (1, size) or (found < 0).any():
        raise NoResult
    return np.broadcast_to(found, (size,)).astype(np.int64)


@rule("repeat")
def _repeat(run: Any, node: Any, x: Any, repeats: Any, *, axis: int, count: int | None) -> Any:
    if count is not None:
        run.fail(repeats != count)
        return jnp.repeat(x, count, axis)
    return jnp.take(x, np.repeat(np.arange(x.shape[axis]), _counts(repeats, x.shape[axis])), axis)


@rule("repeats_summed")
def _repeats_summed(
    run: Any, node: Any, dy: Any, like: Any, repeats: Any, *, axis: int, count: int | None
) -> Any:
    size = like.shape[axis]
    run.fail(False if count is None else repeats != count)
    counts = np.full(size, count) if count is not None else _counts(repeats, size)
    rows = jnp.moveaxis(dy, axis, 0)
    if counts.sum() != rows.shape[0]:
        raise NoResult
    total = jnp.zeros((size, *rows.shape[1:]), dy.dtype)
    return jnp.moveaxis(total.at[np.repeat(np.arange(size), counts)].add(rows), 0, axis)


# -- padded ----------------------------------------------------------------------------------------


def _widths(paddings: Any, dims: Sequence[Any]) -> list[tuple[int, int]]:
    found = numbers_of(dims[0]) if dims else paddings
    return [(int(before), int(after)) for before, after in found]


@rule("pad")
def _pad(run: Any, node: Any, x: Any, value: Any, *dims: Any, paddings: Any, mode: str) -> Any:
    widths = _widths(paddings, dims)
    run.fail(any(min(each) < 0 for each in widths))
    if mode == "constant":
        return lax.pad(x, jnp.asarray(value), [(*each, 0) for each in widths])
    edge = 1 if mode == "reflect" else 0
    for size, each in zip(x.shape, widths, strict=True):
        run.fail(max(each) > max(size - edge, 0))
    return jnp.pad(x, widths, mode)


@rule("unpadded")
def _unpadded(run: Any, node: Any, dy: Any, like: Any, *dims: Any, paddings: Any, mode: str) -> Any:
    for axis, (before, after) in enumerate(_widths(paddings, dims)):
        size = like.shape[axis]
        if min(before, after) < 0 or dy.shape[axis] != before + size + after:
            raise NoResult
        kept = lax.slice_in_dim(dy, before, before + size, axis=axis)
        if mode != "constant":
            edge = 1 if mode == "reflect" else 0
            ends = (
                (lax.slice_in_dim(dy, 0, before, axis=axis), edge),
                (lax.slice_in_dim(dy, before + size, None, axis=axis), size - edge - after),
            )
            for part, at in ends:
                around = [(0, 0, 0)] * dy.ndim
                around[axis] = (at, size - at - part.shape[axis], 0)
                kept = kept + lax.pad(jnp.flip(part, axis), jnp.zeros((), dy.dtype), around)
        dy = kept
    return dy


# -- turned ----------------------------------------------------------------------------------------


@rule("reverse")
def _reverse(run: Any, node: Any, x: Any, *, axis: Any) -> Any:
    return jnp.flip(x, axis)


@rule("roll")
def _roll(run: Any, node: Any, x: Any, shift: Any, *, axis: Any) -> Any:
    return jnp.roll(x, jnp.broadcast_to(jnp.ravel(shift), (len(axis),)), axis)


@rule("reverse_sequence")
def _reverse_sequence(
    run: Any, node: Any, x: Any, lengths: Any, *, seq_axis: int, batch_axis: int
) -> Any:
    longest = x.shape[seq_axis]
    run.fail((lengths < 0) | (lengths > longest))
    ends = jnp.asarray(lengths).astype(np.int64)[:, None]
    at = np.arange(longest)
    places = jnp.where(at < ends, ends - 1 - at, at)
    rows = jnp.moveaxis(x, (batch_axis, seq_axis), (0, 1))
    places = places.reshape(*places.shape, *[1] * (x.ndim - 2))
    turned = jnp.take_along_axis(rows, places, 1, mode="clip")
    return jnp.moveaxis(turned, (0, 1), (batch_axis, seq_axis))


@rule("moved")
def _moved(run: Any, node: Any, x: Any, *, axis: int, by: int) -> Any:
    size = x.shape[axis]
    if abs(by) >= size:
        return jnp.zeros(x.shape, x.dtype)
    around = [(0, 0, 0)] * x.ndim
    around[axis] = (by, -by, 0)
    return lax.pad(x, jnp.zeros((), x.dtype), around)
