"""Softmax cross entropies with class indices as labels, and their gradients.

Both use the same exponentials and sums. A graph that needs both computes them in one node
(`runtime/passes/fuse_nodes.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Array
from runtime.errors import ArgumentValueError, DTypeError, ShapeError
from runtime.ops import infer
from runtime.ops.arrays.reduction import reduce_sum
from runtime.ops.arrays.shape import expand_dims
from runtime.ops.neural import activation_kernels
from runtime.ops.op import REGISTRY, apply, define

# The number of logits processed at a time, which stay in the cache.
_BLOCK = 1 << 15


def _losses_kernel(labels: Array, logits: Array) -> Array:
    return _found(labels, logits, False)[0]


def _gradients_kernel(labels: Array, logits: Array) -> Array:
    return _found(labels, logits, True)[1]


def _both_kernel(labels: Array, logits: Array) -> tuple[Array, Array]:
    return _found(labels, logits, True)


def _found(labels: Array, logits: Array, with_gradients: bool) -> tuple[Array, Array]:
    """Return the cross entropies, and if requested their gradients by the logits."""
    if logits.dtype.kind != "f":
        raise DTypeError(f"logits must be floats, not {logits.dtype.name}")
    classes = logits.shape[-1]
    numbers, rows = _checked(labels, classes), logits.reshape(labels.size, classes)
    of_rows = _loss_of_columns if activation_kernels.has_short_rows(rows) else _loss_of_rows
    if rows.size <= _BLOCK:
        losses, gradients = of_rows(numbers, rows, with_gradients)
    else:
        losses, gradients = np.empty(len(rows), rows.dtype), np.empty(rows.shape, rows.dtype)
        by = max(_BLOCK // classes, 1)
        for at in range(0, len(rows), by):
            part = slice(at, at + by)
            losses[part], found = of_rows(numbers[part], rows[part], with_gradients)
            if with_gradients:
                gradients[part] = found
    return losses.reshape(labels.shape), gradients.reshape(logits.shape)


def _checked(labels: Array, classes: int) -> Array:
    """Return labels as a vector of valid class indices."""
    # NumPy would convert both to floats if labels are uint64.
    flat = labels.reshape(-1).astype(np.int64, copy=False)
    # As unsigned integers, negative labels are larger than all classes.
    if flat.size and np.maximum.reduce(flat.view(np.uint64)) >= classes:
        raise ArgumentValueError(f"a label is outside the {classes} classes: {labels.tolist()}")
    return flat


def _places(numbers: Array, classes: int) -> Array:
    """Return the positions of the labels' elements in the flat rows."""
    return np.add(numbers, np.arange(0, len(numbers) * classes, classes)) if classes else numbers


def _loss_of_rows(numbers: Array, rows: Array, with_gradients: bool) -> tuple[Array, Array]:
    powers = np.ascontiguousarray(activation_kernels.shifted(rows, -1))
    flat, places = powers.reshape(-1), _places(numbers, rows.shape[1])
    found = flat.take(places)
    total = np.add.reduce(np.exp(powers, powers), -1)
    losses = np.subtract(np.log(total), found, found)
    if with_gradients:
        np.divide(powers, total.reshape(-1, 1), powers)
        flat[places] -= 1
    return losses, powers


def _loss_of_columns(numbers: Array, rows: Array, with_gradients: bool) -> tuple[Array, Array]:
    """Return what `_loss_of_rows` does, from transposed rows: NumPy is faster on few long rows."""
    columns, places = rows.T.copy(), _places(numbers, rows.shape[1])
    top = np.maximum.reduce(columns, 0)
    found = rows.reshape(-1).take(places)
    np.subtract(found, top, found)
    powers = np.exp(np.subtract(columns, top, columns), columns)
    total = np.add.reduce(powers, 0)
    losses = np.subtract(np.log(total), found, found)
    if not with_gradients:
        return losses, rows
    gradients = np.divide(powers, total, powers).T.copy()
    gradients.reshape(-1)[places] -= 1
    return losses, gradients


def _losses_infer(labels: TensorSpec, logits: TensorSpec) -> TensorSpec:
    if logits.dtype.kind != "f":
        raise DTypeError(f"logits must be floats, not {logits.dtype.name}")
    infer.check_rank_at_least(logits, 1)
    if logits.shape.rank is None:
        return TensorSpec(labels.shape, logits.dtype)
    if not labels.shape.is_compatible_with(logits.shape[:-1]):
        raise ShapeError(f"labels of shape {labels.shape} do not fit logits of {logits.shape}")
    return TensorSpec(labels.shape.merge(logits.shape[:-1]), logits.dtype)


def _gradients_infer(labels: TensorSpec, logits: TensorSpec) -> TensorSpec:
    return _losses_infer(labels, logits).with_shape(logits.shape)


def _both_infer(labels: TensorSpec, logits: TensorSpec) -> tuple[TensorSpec, TensorSpec]:
    return _losses_infer(labels, logits), _gradients_infer(labels, logits)


def _losses_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[None, Any]:
    return None, apply(SLOPES, tuple(inputs)) * expand_dims(dys[0], -1)


def _gradients_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[None, Any]:
    (dy,), y = dys, apply(REGISTRY["softmax"], (inputs[1],), axis=-1)
    return None, (dy - reduce_sum(dy * y, -1, keepdims=True)) * y


def _both_grad(dys: Any, outputs: Any, inputs: Any) -> tuple[None, Any]:
    along = outputs[1] * expand_dims(dys[0], -1)
    return None, along + _gradients_grad(dys[1:], outputs[1:], inputs)[1]


LOSSES = define(
    "sparse_softmax_cross_entropy",
    _losses_kernel,
    _losses_infer,
    kinds="iu",
    grad=_losses_grad,
    tensorflow_name="SparseSoftmaxCrossEntropyWithLogits",
)
# Softmax, minus 1 at the label: the gradient of the cross entropy by the logits.
SLOPES = define(
    "sparse_softmax_grad", _gradients_kernel, _gradients_infer, kinds="iu", grad=_gradients_grad
)
define("sparse_softmax_both", _both_kernel, _both_infer, kinds="iu", n_outputs=2, grad=_both_grad)
