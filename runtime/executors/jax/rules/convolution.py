"""Rules of convolutions along one to three axes, in groups too, and of their gradients.

Both gradients are the transposes of the convolution, which is linear in images and in filters. XLA
multiplies the zeros between strides too: a NaN or an infinity there spreads further than in NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from runtime.executors.jax.rules.jax_modules import jax, jnp, lax
from runtime.executors.jax.rules.shapes import final_shape, result_shape
from runtime.executors.jax.rules.table import rule

_LETTERS = "DHW"


def images_of(x: Any, sliding: Any) -> Any:
    """Return images with one batch axis, if they have several."""
    if sliding.channels_first or x.ndim == sliding.rank + 2:
        return x
    own = x.shape[-(sliding.rank + 1) :]
    return x.reshape(prod(x.shape[: -(sliding.rank + 1)]), *own)


def spatial(shape: Sequence[int], sliding: Any) -> tuple[int, ...]:
    """Return the spatial sizes of images."""
    return tuple(shape[2:] if sliding.channels_first else shape[-(sliding.rank + 1) : -1])


def _convolve(x: Any, filters: Any, sliding: Any) -> Any:
    letters = _LETTERS[-sliding.rank :]
    images = f"NC{letters}" if sliding.channels_first else f"N{letters}C"
    channels = x.shape[1] if sliding.channels_first else x.shape[-1]
    sizes = spatial(x.shape, sliding)
    # JAX alone makes the padding of a size that is a symbol of a program to export.
    is_known = sliding.padding != "SAME" or all(isinstance(size, int) for size in sizes)
    padding = sliding.all_pads(sizes, filters.shape[:-2]) if is_known else "SAME"
    return lax.conv_general_dilated(
        x,
        filters,
        sliding.strides,
        padding,
        rhs_dilation=sliding.dilations,
        dimension_numbers=(images, f"{letters}IO", images),
        feature_group_count=channels // filters.shape[-2],
        precision=lax.Precision.HIGHEST,
    )


def _exact(x: Any) -> Any:
    """Return float16 arrays as float32, in which the kernels sum them."""
    return x.astype(np.float32) if x.dtype == np.float16 else jnp.asarray(x)


@rule("convolution")
def _convolution(run: Any, node: Any, x: Any, filters: Any, *, sliding: Any) -> Any:
    if all(isinstance(size, int) for size in x.shape):
        shape = result_shape(node, x, filters)
        if not (prod(x.shape) and prod(filters.shape) and prod(shape)):
            return jnp.zeros(shape, x.dtype)
    found = _convolve(_exact(images_of(x, sliding)), _exact(filters), sliding)
    if not sliding.channels_first:
        found = found.reshape(*x.shape[: -(sliding.rank + 1)], *found.shape[1:])
    return found.astype(x.dtype)


@rule("convolution_to_input")
def _to_input(
    run: Any, node: Any, filters: Any, dy: Any, *dims: Any, shape: Any, sliding: Any
) -> Any:
    target = final_shape(run, node, dims, shape)
    if not (prod(dy.shape) and prod(filters.shape) and prod(target)):
        return jnp.zeros(target, dy.dtype)
    like = jax.eval_shape(lambda: images_of(jnp.zeros(target, _exact(dy).dtype), sliding))
    weights = _exact(filters)
    transpose = jax.linear_transpose(lambda x: _convolve(x, weights, sliding), like)
    (found,) = transpose(_exact(images_of(dy, sliding)))
    return found.reshape(target).astype(dy.dtype)


@rule("convolution_to_filter")
def _to_filter(run: Any, node: Any, x: Any, dy: Any, *dims: Any, shape: Any, sliding: Any) -> Any:
    target = final_shape(run, node, dims, shape)
    if not (prod(x.shape) and prod(dy.shape) and prod(target)):
        return jnp.zeros(target, dy.dtype)
    images = _exact(images_of(x, sliding))
    like = jax.ShapeDtypeStruct(target, images.dtype)
    transpose = jax.linear_transpose(lambda filters: _convolve(images, filters, sliding), like)
    (found,) = transpose(_exact(images_of(dy, sliding)))
    return found.astype(dy.dtype)
