"""JAX's side: each workload under `jax.jit`, waited for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jax  # type: ignore[import-not-found,import-untyped,unused-ignore]
import jax.numpy as jnp  # type: ignore[import-not-found,import-untyped,unused-ignore]
import numpy as np
from jax import lax  # type: ignore[import-not-found,import-untyped,unused-ignore]

from tools.bench.rows import data, sources
from tools.bench.rows.data import generator_arrays
from tools.bench.rows.timed import Timed

Run = Callable[[], Any]
_WEIGHTS = ("w1", "b1", "w2", "b2")


def _power(x: Any) -> Any:
    first = jnp.eye(10, dtype=jnp.int32)
    return lax.fori_loop(0, data.POWER, lambda _, result: x @ result, first)


def _layers(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    return jax.nn.relu(x.reshape(-1, data.WIDTH) @ w1 + b1) @ w2 + b2


def _mse(truth: Any, guess: Any) -> Any:
    return jnp.sum((truth - guess) ** 2) // 5


def _collatz(n: Any) -> Any:
    def step(state: Any) -> Any:
        v, total = state
        return jnp.where(v % 2 == 0, v // 2, 3 * v + 1), total + 1

    def number(state: Any) -> Any:
        k, total = state
        return k + 1, lax.while_loop(lambda state: state[0] != 1, step, (k, total))[1]

    first = (jnp.int32(1), jnp.int32(0))
    return lax.while_loop(lambda state: state[0] <= n, number, first)[1]


def _newton(a: Any) -> Any:
    return lax.while_loop(lambda x: jnp.abs(x * x - a) > 1e-5 * a, lambda x: 0.5 * (x + a / x), a)


def _chain(x: Any) -> Any:
    inner = (x * x * x * 0.044715 + x) * 0.7978845608
    return (jnp.tanh(inner) + 1.0) * x * 0.5 - 0.1


def _lstm(x: Any, wx: Any, wh: Any, b: Any) -> Any:
    def step(t: Any, state: Any) -> Any:
        h, c = state
        i, f, g, o = jnp.split(x[t] @ wx + h @ wh + b, 4, axis=1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return jax.nn.sigmoid(o) * jnp.tanh(c), c

    zeros = jnp.zeros((32, 64))
    return lax.fori_loop(0, x.shape[0], step, (zeros, zeros))[0]


def _logreg(w: Any, x: Any, y: Any) -> Any:
    def loss_of(w: Any) -> Any:
        z = x @ w
        return jnp.mean(jnp.maximum(z, 0) - z * y + jnp.log1p(jnp.exp(-jnp.abs(z))))

    loss, gradient = jax.value_and_grad(loss_of)(w)
    return loss, w - data.SMALL_RATE * gradient


def _cross_entropy(w: Any, x: Any, y: Any) -> Any:
    logits = jax.nn.log_softmax(_layers(x, *w))
    return -jnp.mean(jnp.take_along_axis(logits, y[:, None], 1))


def _mlp(w: Any, x: Any, y: Any) -> Any:
    loss, gradients = jax.value_and_grad(_cross_entropy)(w, x, y)
    return loss, [each - data.SMALL_RATE * gradient for each, gradient in zip(w, gradients)]


def _train(w: Any, x: Any, y: Any) -> Any:
    def step(i: Any, state: Any) -> Any:
        w, m, v, _ = state
        images = lax.dynamic_slice_in_dim(x, i * data.BATCH, data.BATCH)
        labels = lax.dynamic_slice_in_dim(y, i * data.BATCH, data.BATCH)
        loss, gradients = jax.value_and_grad(_cross_entropy)(w, images, labels)
        t = (i + 1).astype(jnp.float32)
        rate = data.RATE * jnp.sqrt(1 - data.BETA_2**t) / (1 - data.BETA_1**t)
        m = [data.BETA_1 * a + (1 - data.BETA_1) * g for a, g in zip(m, gradients)]
        v = [data.BETA_2 * a + (1 - data.BETA_2) * g * g for a, g in zip(v, gradients)]
        changes = [rate * a / (jnp.sqrt(b) + data.EPSILON) for a, b in zip(m, v)]
        return [a - change for a, change in zip(w, changes)], m, v, loss

    zeros = [jnp.zeros_like(each) for each in w]
    return lax.fori_loop(0, data.STEPS, step, (w, zeros, zeros, jnp.float32(0)))[3]


def _grad_while(w: Any, x: Any) -> Any:
    """JAX has no gradient of a `while`: this is a masked scan of bounded length."""

    def loss_of(w: Any, x: Any) -> Any:
        def step(y: Any, _: Any) -> Any:
            going = jnp.sum(y * y) > 1e-3
            return jnp.where(going, jnp.tanh(w @ y) * 0.9, y), None

        y, _ = lax.scan(step, x, None, length=64)
        return jnp.sum(y * y)

    return jax.grad(loss_of, (0, 1))(w, x)


def _jitted(row: str, function: Any, *names: str) -> Callable[[], Run]:
    def make() -> Run:
        arrays = generator_arrays(row)
        args = [jnp.asarray(arrays[name]) for name in names or ("x",)]
        jitted = jax.jit(function)
        return lambda: jax.block_until_ready(jitted(*args))

    return make


def _learning(row: str, function: Any, shown: Callable[[Any], Any]) -> Callable[[], Run]:
    """Make a step that keeps the weights it leaves."""

    def make() -> Run:
        a = generator_arrays(row)
        names = ("w",) if "w" in a else _WEIGHTS
        w: Any = [jnp.asarray(a[name]) for name in names]
        w = w[0] if len(w) == 1 else w
        x, y, jitted = jnp.asarray(a["x"]), jnp.asarray(a["y"]), jax.jit(function)

        def run() -> Any:
            nonlocal w
            loss, w = jax.block_until_ready(jitted(w, x, y))
            return loss, shown(w)

        return run

    return make


def train() -> Run:
    """Twenty steps of Adam in one graph."""
    a = generator_arrays("train")
    w, x, y = [jnp.asarray(a[n]) for n in _WEIGHTS], jnp.asarray(a["x"]), jnp.asarray(a["y"])
    jitted = jax.jit(_train)
    return lambda: jax.block_until_ready(jitted(w, x, y))


def compile_500() -> Run:
    """Trace and compile 500 operations, up to the first result."""
    x = jnp.asarray(generator_arrays("compile_500")["x"])

    def run() -> Timed:
        function = sources.fresh(sources.straight_source(), "straight", jnp)
        began = time.process_time()
        result = jax.block_until_ready(jax.jit(function)(x))
        return Timed(time.process_time() - began, result)

    return run


MODES: dict[str, dict[str, Callable[[], Run]]] = {
    "jax": {
        "power": _jitted("power", _power),
        "seq_model": _jitted("seq_model", _layers, "x", *_WEIGHTS),
        "get_mse": _jitted("get_mse", _mse, "truth", "guess"),
        "simple_relu": _jitted("simple_relu", lambda x: jnp.where(x > 0, x, 0.0)),
        "dispatch_1": _jitted("dispatch_1", lambda x: x + 1.0),
        "one_op_100": _jitted("one_op_100", lambda x, y: x + y, "x", "y"),
        "collatz": _jitted("collatz", _collatz),
        "newton": _jitted("newton", _newton),
        "chain_100": _jitted("chain_100", _chain),
        "chain_1e6": _jitted("chain_1e6", _chain),
        "lstm": _jitted("lstm", _lstm, "x", "wx", "wh", "b"),
        "logreg_step": _learning("logreg_step", _logreg, lambda w: w),
        "mlp_step": _learning("mlp_step", _mlp, lambda w: w[3]),
        "train": train,
        "grad_while": _jitted("grad_while", _grad_while, "w", "x"),
        "compile_500": compile_500,
    }
}
VERSIONS = {"jax": jax.__version__, "numpy": np.__version__}
