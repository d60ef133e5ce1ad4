"""Rules of activations, softmax, cross entropies and the gates of recurrent cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.executors.jax.rules.functions import log1p
from runtime.executors.jax.rules.jax_modules import jnp, lax
from runtime.executors.jax.rules.table import rule


@rule("relu")
def _relu(run: Any, node: Any, x: Any) -> Any:
    return jnp.maximum(x, 0)


@rule("relu_grad")
def _relu_grad(run: Any, node: Any, y: Any) -> Any:
    return (y > 0).astype(y.dtype)


@rule("relu6")
def _relu6(run: Any, node: Any, x: Any) -> Any:
    return jnp.minimum(jnp.maximum(x, 0), 6)


@rule("elu")
def _elu(run: Any, node: Any, x: Any) -> Any:
    return jnp.expm1(jnp.minimum(x, 0)) + jnp.maximum(x, 0)


@rule("softplus")
def _softplus(run: Any, node: Any, x: Any) -> Any:
    return log1p(jnp.exp(-jnp.abs(x))) + jnp.maximum(x, 0)


@rule("softsign")
def _softsign(run: Any, node: Any, x: Any) -> Any:
    return x / (1 + jnp.abs(x))


@rule("sigmoid")
def _sigmoid(run: Any, node: Any, x: Any) -> Any:
    return lax.logistic(jnp.asarray(x))


# -- softmax and cross entropies -------------------------------------------------------------------


def _shifted(logits: Any, axis: int) -> Any:
    """Return logits minus the largest along an axis."""
    return logits - jnp.max(logits, axis, keepdims=True, initial=-np.inf)


@rule("softmax")
def _softmax(run: Any, node: Any, logits: Any, *, axis: int) -> Any:
    powers = jnp.exp(_shifted(logits, axis))
    return powers / jnp.sum(powers, axis, keepdims=True)


@rule("log_softmax")
def _log_softmax(run: Any, node: Any, logits: Any, *, axis: int) -> Any:
    rest = _shifted(logits, axis)
    return rest - jnp.log(jnp.sum(jnp.exp(rest), axis, keepdims=True))


@rule("sigmoid_cross_entropy")
def _sigmoid_cross_entropy(run: Any, node: Any, labels: Any, logits: Any) -> Any:
    curve = log1p(jnp.exp(-jnp.abs(logits)))
    return jnp.maximum(logits, 0) - logits * labels + curve


def _is_label(run: Any, labels: Any, classes: int) -> Any:
    """Return a mask of the labels' elements in the logits, after a check of the labels."""
    run.fail((labels < 0) | (labels >= classes))
    wide = jnp.asarray(labels).astype(np.int64)
    return wide[..., None] == np.arange(classes)


def _losses(rest: Any, total: Any, is_label: Any) -> Any:
    own = jnp.sum(jnp.where(is_label, rest, jnp.zeros((), rest.dtype)), -1)
    return jnp.log(total) - own


@rule("sparse_softmax_cross_entropy")
def _sparse_cross_entropy(run: Any, node: Any, labels: Any, logits: Any) -> Any:
    is_label, rest = _is_label(run, labels, logits.shape[-1]), _shifted(logits, -1)
    return _losses(rest, jnp.sum(jnp.exp(rest), -1), is_label)


@rule("sparse_softmax_grad")
def _sparse_grad(run: Any, node: Any, labels: Any, logits: Any) -> Any:
    return _sparse_both(run, node, labels, logits)[1]


@rule("sparse_softmax_both")
def _sparse_both(run: Any, node: Any, labels: Any, logits: Any) -> Any:
    is_label, rest = _is_label(run, labels, logits.shape[-1]), _shifted(logits, -1)
    powers = jnp.exp(rest)
    total = jnp.sum(powers, -1)
    gradients = powers / total[..., None] - is_label.astype(rest.dtype)
    return _losses(rest, total, is_label), gradients


# -- gates -----------------------------------------------------------------------------------------


def _gate(x: Any) -> Any:
    """Return the sigmoid as the kernels of the cells compute it."""
    return jnp.tanh(x * 0.5) * 0.5 + 0.5


@rule("lstm_gates")
def _lstm(run: Any, node: Any, x: Any, inner: Any, carry: Any) -> Any:
    i, f, g, o = jnp.split(x + inner, 4, -1)
    i, f, g, o = _gate(i), _gate(f), jnp.tanh(g), _gate(o)
    new = f * carry + i * g
    bent = jnp.tanh(new)
    return o * bent, new, jnp.concatenate([i, f, g, o], -1), bent


@rule("lstm_gates_grad")
def _lstm_grad(
    run: Any, node: Any, d_output: Any, d_new: Any, gates: Any, bent: Any, carry: Any
) -> Any:
    i, f, g, o = jnp.split(gates, 4, -1)
    into = (1 - bent * bent) * o * d_output + d_new
    parts = [
        (1 - i) * i * into * g,
        (1 - f) * f * into * carry,
        (1 - g * g) * i * into,
        (1 - o) * o * d_output * bent,
    ]
    return jnp.concatenate(parts, -1), into * f


@rule("gru_gates")
def _gru(run: Any, node: Any, x: Any, inner: Any, state: Any) -> Any:
    (x_z, x_r, x_g), (h_z, h_r, h_g) = (jnp.split(each, 3, -1) for each in (x, inner))
    z, r = _gate(x_z + h_z), _gate(x_r + h_r)
    g = jnp.tanh(r * h_g + x_g)
    return (state - g) * z + g, jnp.concatenate([z, r, g], -1)


@rule("gru_gates_grad")
def _gru_grad(run: Any, node: Any, d_new: Any, gates: Any, inner: Any, state: Any) -> Any:
    z, r, g = jnp.split(gates, 3, -1)
    inner_g = jnp.split(inner, 3, -1)[2]
    to_g = (1 - g * g) * (1 - z) * d_new
    to_z = (1 - z) * z * d_new * (state - g)
    to_r = (1 - r) * r * inner_g * to_g
    dx = jnp.concatenate([to_z, to_r, to_g], -1)
    return dx, jnp.concatenate([to_z, to_r, to_g * r], -1), d_new * z
