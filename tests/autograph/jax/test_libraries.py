"""`autograph.jax.convert` with flax, equinox and optax, where they are installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402

import autograph.jax as agj  # noqa: E402
from autograph.directives import set_loop_options  # noqa: E402

X = jnp.array([[1.0, -2.0, 0.5], [0.0, 3.0, -1.0]])
Y = jnp.array([1.0, -1.0])


def test_an_optax_training_loop_that_stops_early() -> None:
    optax = pytest.importorskip("optax")
    optimizer = optax.adam(0.1)

    def loss(w: Any) -> Any:
        return jnp.mean((X @ w - Y) ** 2)

    @jax.jit
    @agj.convert
    def train(w: Any) -> Any:
        state = optimizer.init(w)
        losses = []
        for _ in jnp.arange(50):
            value, slope = jax.value_and_grad(loss)(w)
            losses.append(value)
            if value < 0.05:
                break
            updates, state = optimizer.update(slope, state)
            w = optax.apply_updates(w, updates)
        return w, losses

    w, losses = train(jnp.zeros(3))
    by_hand, state, expected = jnp.zeros(3), optimizer.init(jnp.zeros(3)), []
    while True:
        value, slope = jax.value_and_grad(loss)(by_hand)
        expected.append(float(value))
        if value < 0.05:
            break
        updates, state = optimizer.update(slope, state)
        by_hand = optax.apply_updates(by_hand, updates)
    np.testing.assert_allclose(by_hand, w, rtol=1e-5)
    np.testing.assert_allclose(expected, [float(each) for each in losses], rtol=1e-5)


def test_a_flax_module_with_control_flow_in_its_call() -> None:
    linen = pytest.importorskip("flax.linen")

    class Gated(linen.Module):
        @linen.compact
        @agj.convert
        def __call__(self, x: Any) -> Any:
            h = linen.Dense(4)(x)
            size = jnp.sum(h * h)
            if size > 1:
                h = h / jnp.sqrt(size)
            return linen.Dense(1)(h)

    model = Gated()
    params = model.init(jax.random.key(0), X)
    for scale in (0.01, 10.0):
        h = X * scale @ params["params"]["Dense_0"]["kernel"] + params["params"]["Dense_0"]["bias"]
        size = jnp.sum(h * h)
        h = jnp.where(size > 1, h / jnp.sqrt(size), h)
        expected = h @ params["params"]["Dense_1"]["kernel"] + params["params"]["Dense_1"]["bias"]
        np.testing.assert_allclose(expected, jax.jit(model.apply)(params, X * scale), rtol=1e-5)
    slopes = jax.grad(lambda p: jnp.sum(model.apply(p, X)))(params)
    assert all(jnp.all(jnp.isfinite(each)) for each in jax.tree_util.tree_leaves(slopes))


def test_variables_of_a_flax_module_change_in_branches_and_loops() -> None:
    linen = pytest.importorskip("flax.linen")

    class Normed(linen.Module):
        @linen.compact
        def __call__(self, x: Any) -> Any:
            norm = linen.BatchNorm(use_running_average=False)
            calls = self.variable("calls", "count", lambda: 0)
            if jnp.sum(x) > 0:
                x = norm(x)
                calls.value += 1
            for k in jnp.arange(3):
                x = norm(x + k)
            return x

    class Converted(Normed):
        __call__ = agj.convert(Normed.__call__)

    x = jnp.array([[1.0, 2.0], [3.0, 5.0]])
    variables = Normed().init(jax.random.key(0), x)
    for each in (x, -x):
        options = {"mutable": ["batch_stats", "calls"]}
        expected = Normed().apply(variables, each, **options)
        found = jax.jit(lambda v, x: Converted().apply(v, x, **options))(variables, each)
        for one, other in zip(*map(jax.tree_util.tree_leaves, (expected, found))):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


def test_an_nnx_module_in_a_loop() -> None:
    nnx = pytest.importorskip("flax.nnx")

    class Net(nnx.Module):
        def __init__(self, rngs: Any) -> None:
            self.inner = nnx.Linear(3, 3, rngs=rngs)

        def __call__(self, x: Any) -> Any:
            for _ in jnp.arange(4):
                set_loop_options(maximum_iterations=4)
                y = self.inner(x)
                if jnp.sum(jnp.abs(y - x)) < 0.1:
                    break
                x = jnp.tanh(y)
            return x

    net = Net(nnx.Rngs(0))
    found = nnx.jit(agj.convert(lambda net, x: net(x)))(net, X)
    x = X
    for _ in range(4):
        y = net.inner(x)
        if jnp.sum(jnp.abs(y - x)) < 0.1:
            break
        x = jnp.tanh(y)
    np.testing.assert_allclose(x, found, rtol=1e-5)


def test_an_equinox_module_as_state_of_a_loop() -> None:
    eqx = pytest.importorskip("equinox")
    start = eqx.nn.MLP(3, 1, 4, 1, key=jax.random.key(1))

    def loss(model: Any) -> Any:
        return jnp.mean((jax.vmap(model)(X)[:, 0] - Y) ** 2)

    @eqx.filter_jit
    @agj.convert
    def fit(model: Any) -> Any:
        steps = 0
        while loss(model) > 0.2 and steps < 100:
            slopes = eqx.filter_grad(loss)(model)
            model = eqx.apply_updates(model, jax.tree_util.tree_map(lambda g: -0.05 * g, slopes))
            steps += 1
        return model, steps

    model, steps = fit(start)
    by_hand, expected = start, 0
    while loss(by_hand) > 0.2 and expected < 100:
        slopes = eqx.filter_grad(loss)(by_hand)
        by_hand = eqx.apply_updates(by_hand, jax.tree_util.tree_map(lambda g: -0.05 * g, slopes))
        expected += 1
    assert 0 < expected < 100
    assert expected == steps
    np.testing.assert_allclose(loss(by_hand), loss(model), rtol=1e-4)
