"""Rules of shapes: reshapes, transposes and broadcasts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.dtypes import as_dtype
from runtime.core.spec import TensorSpec
from runtime.executors.jax.rules.jax_modules import jnp
from runtime.executors.jax.rules.table import NoResult, Unsupported, rule
from runtime.ops.op import output_specs

# The first of the numbers that stand for symbols, in two inferences.
_STANDING_FOR_SYMBOLS = (1_000_003, 2_000_029)
UNKNOWN_SHAPE = "no arrays of a shape that only a run knows"
ONLY_ROWS = "no array of which only a run knows a size, other than the number of its rows"


def is_known(x: Any) -> bool:
    """Return whether the values of an operand are known while JAX traces."""
    return isinstance(x, (np.ndarray, np.generic))


def numbers_of(x: Any) -> list[Any]:
    """Return the values of an operand that has to be known.

    Raises:
        Unsupported: only a run knows them.
    """
    if not is_known(x):
        raise Unsupported(UNKNOWN_SHAPE)
    found: list[Any] = np.asarray(x).tolist()
    return found


def final_shape(run: Any, node: Any, dims: Sequence[Any], shape: Any) -> tuple[int, ...]:
    """Return the shape of a result, from the attribute and the operand that may replace it.

    A shape that the graph knows is taken, and the operand is compared with it.
    """
    if not dims:
        return tuple(shape)
    if is_known(dims[0]):
        sizes = tuple(np.ravel(dims[0]).tolist())
        if min(sizes, default=0) < 0:
            raise NoResult
        return sizes
    known = node.outputs[0].shape
    if not known.is_fully_defined():
        raise Unsupported(UNKNOWN_SHAPE)
    run.fail(jnp.ravel(dims[0]) != np.array(known.dims, dims[0].dtype))
    return tuple(known.dims)


def result_shape(node: Any, *operands: Any) -> tuple[int, ...]:
    """Return the shape of the first result for the shapes of the operands.

    Sizes may be symbols of a program to export. Numbers stand for them here, twice others: a size
    of the result is a symbol if it is that symbol's number both times.
    """
    sizes = {size for each in operands for size in each.shape if not isinstance(size, int)}
    if not sizes:
        return _inferred(node, operands, (), 0)
    symbols = sorted(sizes, key=str)
    first, second = (_inferred(node, operands, symbols, base) for base in _STANDING_FOR_SYMBOLS)
    found = []
    for one, other in zip(first, second):
        at = one - _STANDING_FOR_SYMBOLS[0]
        if one != other and not (0 <= at < len(symbols) and other - at == _STANDING_FOR_SYMBOLS[1]):
            raise Unsupported(UNKNOWN_SHAPE)
        found.append(one if one == other else symbols[at])
    return tuple(found)


def _inferred(node: Any, operands: Any, symbols: Sequence[Any], base: int) -> tuple[int, ...]:
    shapes = [
        [size if isinstance(size, int) else base + symbols.index(size) for size in each.shape]
        for each in operands
    ]
    specs = [TensorSpec(shape, as_dtype(x.dtype)) for shape, x in zip(shapes, operands)]
    dims = output_specs(node.op, specs, node.attrs)[0].shape.dims
    if dims is None or None in dims:
        raise Unsupported(UNKNOWN_SHAPE)
    return tuple(dims)


# -- facts about shapes ----------------------------------------------------------------------------


@rule("shape")
def _shape(run: Any, node: Any, x: Any, *, out_type: Any) -> Any:
    return np.array(x.shape, out_type.np_dtype)


@rule("size")
def _size(run: Any, node: Any, x: Any, *, out_type: Any) -> Any:
    return np.array(math.prod(x.shape), out_type.np_dtype)


@rule("rank")
def _rank(run: Any, node: Any, x: Any) -> Any:
    return np.array(x.ndim, np.int32)


@rule("ensure_shape")
def _ensure_shape(run: Any, node: Any, x: Any, *, shape: Any) -> Any:
    run.fail(not shape.fits(tuple(x.shape)))
    return x


# -- other shapes of the same elements -------------------------------------------------------------


@rule("reshape")
def _reshape(run: Any, node: Any, x: Any, *dims: Any, shape: Any) -> Any:
    if not dims or is_known(dims[0]):
        target = tuple(np.ravel(dims[0]).tolist()) if dims else shape
        try:
            return jnp.reshape(x, target)
        except (TypeError, ValueError, ZeroDivisionError):
            raise NoResult from None
    known = list(shape if shape is not None else node.outputs[0].shape.dims or [None, None])
    if known.count(None) == 1:
        # The one size that the graph does not know follows from the number of elements.
        rest = math.prod(each for each in known if each is not None)
        known[known.index(None)] = math.prod(x.shape) // rest if rest else 0
    if None in known or math.prod(known) != math.prod(x.shape):
        raise Unsupported(UNKNOWN_SHAPE)
    wanted = np.array(known, dims[0].dtype)
    is_free = (dims[0] == -1) & (jnp.sum(dims[0] == -1) == 1)
    run.fail((dims[0] != wanted) & ~is_free)
    return jnp.reshape(x, known)


@rule("expand_dims")
def _expand_dims(run: Any, node: Any, x: Any, *, axis: int) -> Any:
    return jnp.expand_dims(x, axis)


@rule("squeeze")
def _squeeze(run: Any, node: Any, x: Any, *, axis: Any) -> Any:
    return jnp.squeeze(x, axis)


@rule("transpose")
def _transpose(run: Any, node: Any, x: Any, *, perm: Any) -> Any:
    return jnp.transpose(x, perm)


@rule("matrix_transpose")
def _matrix_transpose(run: Any, node: Any, x: Any) -> Any:
    return jnp.swapaxes(x, -1, -2)


@rule("broadcast_to")
def _broadcast_to(run: Any, node: Any, x: Any, *dims: Any, shape: Any) -> Any:
    target = final_shape(run, node, dims, shape)
    try:
        np.broadcast_shapes(x.shape, target)
    except ValueError:
        raise NoResult from None
    return jnp.broadcast_to(x, target)


@rule("broadcast_like")
def _broadcast_like(run: Any, node: Any, x: Any, like: Any) -> Any:
    return jnp.broadcast_to(x, like.shape)


@rule("spread")
def _spread(run: Any, node: Any, x: Any, like: Any, *, axis: Any) -> Any:
    axes = tuple(each % like.ndim for each in axis)
    return jnp.broadcast_to(jnp.expand_dims(x, axes), like.shape)


@rule("sum_to_like")
def _sum_to_like(run: Any, node: Any, x: Any, like: Any) -> Any:
    lead = x.ndim - like.ndim
    stretched = [at + lead for at, size in enumerate(like.shape) if size == 1]
    axes = (*range(lead), *(at for at in stretched if x.shape[at] != 1))
    if not axes:
        return jnp.reshape(x, like.shape)
    return jnp.sum(x, axes, dtype=x.dtype).reshape(like.shape)
