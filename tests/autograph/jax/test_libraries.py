"""`autograph.jax.convert` with flax, equinox and optax, where they are installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402

import autograph.jax as agj  # noqa: E402
from autograph.directives import set_loop_options  # noqa: E402
from autograph.errors import ContainerMutationError  # noqa: E402

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


def _counting_module() -> Any:
    nnx = pytest.importorskip("flax.nnx")

    class Net(nnx.Module):
        def __init__(self) -> None:
            self.bias = nnx.Param(jnp.zeros(3))
            self.other = nnx.Param(jnp.ones(3))
            self.count = nnx.Variable(jnp.int32(1))
            self.norm = nnx.BatchNorm(3, rngs=nnx.Rngs(0))
            self.drop = nnx.Dropout(0.5, rngs=nnx.Rngs(1))
            self.scale = nnx.data(jnp.float32(1))

    return Net()


def changed_in_a_branch(net: Any, x: Any) -> Any:
    if x.sum() > 0:
        net.bias[...] = net.bias[...] + x
        net.count.set_value(net.count.get_value() + 2)
        net.scale = x[0]
    else:
        net.count[...] -= 1
        net.scale = x[1]
    return net.bias * net.scale


def changed_in_loops(net: Any, x: Any) -> Any:
    bias = net.bias
    for each in x:
        if each > 0:
            bias[...] = bias[...] + each
    while net.count[...] < 4:
        net.count[...] += 1
    return net.bias * 1


def averaged_and_dropped(net: Any, x: Any) -> Any:
    for _ in range(net.count[...] + 2):
        x = net.drop(x)
        if x[0] > -9:
            x = net.norm(x[None])[0]
    return x


def of_a_loss(net: Any, x: Any) -> Any:
    nnx = pytest.importorskip("flax.nnx")
    for _ in range(jnp.int32(abs(x[0])) + 1):
        gradient = nnx.grad(lambda net: ((net.bias[...] - x) ** 2).sum())(net)
        if x[1] > 0:
            net.bias[...] = net.bias[...] - 0.1 * gradient["bias"][...]
    return net.bias * 1


@pytest.mark.parametrize(
    "step", [changed_in_a_branch, changed_in_loops, averaged_and_dropped, of_a_loss]
)
def test_variables_of_nnx_change_in_branches_and_loops(step: Any) -> None:
    nnx = pytest.importorskip("flax.nnx")
    for x in (jnp.array([1.0, 2.0, -0.5]), jnp.array([-3.0, -1.0, 0.5])):
        expected, net = _counting_module(), _counting_module()
        results = step(expected, x), nnx.jit(agj.convert(step))(net, x)
        np.testing.assert_allclose(*results, rtol=1e-5, atol=1e-6)
        states = (nnx.to_pure_dict(nnx.state(each)) for each in (expected, net))
        for one, other in zip(*map(jax.tree_util.tree_leaves, states)):
            if not jnp.issubdtype(one.dtype, jax.dtypes.prng_key):
                np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
        with pytest.raises(Exception, match="different trace level"):
            jax.jit(net.bias.set_value)(x)  # Elsewhere Flax checks as before.


def test_a_variable_of_nnx_that_a_condition_chose_is_not_changed() -> None:
    nnx = pytest.importorskip("flax.nnx")

    def step(net: Any, x: Any) -> Any:
        chosen = net.bias if x.sum() > 0 else net.other
        chosen[...] = chosen[...] + 1
        return net.bias * 1

    with pytest.raises(ContainerMutationError, match="whether it is the same object as 'net.bias"):
        nnx.jit(agj.convert(step))(_counting_module(), X[0])


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
