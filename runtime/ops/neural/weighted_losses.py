"""Sigmoid cross entropies, weighted ones, and the Poisson loss."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core.argument_checks import flag
from runtime.core.tensor import Array, Tensor, TensorLike
from runtime.ops import infer
from runtime.ops.arrays.creation import ones_like, zeros_like
from runtime.ops.arrays.shape import of_one_shape
from runtime.ops.convert import matched
from runtime.ops.elementwise.selection import where
from runtime.ops.elementwise.unary import exp, log, sigmoid
from runtime.ops.neural.activations import softplus
from runtime.ops.op import apply, define


def _sigmoid_cross_entropy(labels: Array, logits: Array) -> Array:
    """Return max(x, 0) - x * z + log(1 + exp(-|x|)), which neither overflows nor underflows."""
    loss = np.asarray(np.abs(logits))
    np.exp(np.negative(loss, out=loss), out=loss)
    np.log1p(loss, out=loss)
    linear = np.asarray(np.maximum(logits, logits.dtype.type(0)))
    linear -= logits * labels
    return np.add(linear, loss, out=loss)


SIGMOID_CROSS_ENTROPY = define(
    "sigmoid_cross_entropy",
    _sigmoid_cross_entropy,
    infer.alike,
    kinds="f",
    grad=lambda dys, outputs, inputs: (
        -dys[0] * inputs[1],
        dys[0] * (sigmoid(inputs[1]) - inputs[0]),
    ),
)


def sigmoid_cross_entropy_with_logits(
    labels: TensorLike | None = None, logits: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Return the cross entropy of the sigmoid with `labels` from 0 to 1, element by element.

    >>> print(sigmoid_cross_entropy_with_logits([1.0], [1000.0]))
    rt.Tensor([0.], shape=(1,), dtype=float32)
    """
    pair, _ = matched((labels, logits), "sigmoid_cross_entropy")
    wanted, scores = of_one_shape("sigmoid_cross_entropy", *pair)
    result: Tensor = apply(SIGMOID_CROSS_ENTROPY, (wanted, scores))
    return result


def weighted_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, pos_weight: TensorLike, name: str | None = None
) -> Tensor:
    """Return the cross entropy of the sigmoid, with `pos_weight` for the part of label 1.

    >>> weighted_cross_entropy_with_logits([1.0], [0.0], 2.0).numpy().round(4)
    array([1.3863], dtype=float32)
    """
    (wanted, scores, weight), _ = matched((labels, logits, pos_weight), "cross_entropy")
    wanted, scores = of_one_shape("the cross entropy", wanted, scores)
    z: Any = wanted
    factor: Any = z * (weight - 1.0) + 1.0
    result: Tensor = (1.0 - z) * scores + factor * softplus(-scores)
    return result


def log_poisson_loss(
    targets: TensorLike,
    log_input: TensorLike,
    compute_full_loss: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the Poisson loss of counts: exp(log_input) - targets * log_input.

    Args:
        compute_full_loss: whether to add Stirling's approximation of log(targets!) for targets
            above 1.

    >>> log_poisson_loss([2.0], [0.0]).numpy()
    array([1.], dtype=float32)
    """
    (wanted, scores), _ = matched((targets, log_input), "log_poisson_loss")
    wanted, scores = of_one_shape("log_poisson_loss", wanted, scores)
    z: Any = wanted
    result: Any = exp(scores) - z * scores
    if flag(compute_full_loss, "compute_full_loss"):
        # The term is 0 up to 1, so an infinite gradient of the logarithm is never multiplied by 0.
        small = (z >= 0) & (z <= 1)
        safe: Any = where(small, ones_like(z), z)
        more: Any = safe * log(safe) - safe + 0.5 * log(safe * (2 * math.pi))
        result = result + where(small, zeros_like(z), more)
    loss: Tensor = result
    return loss
