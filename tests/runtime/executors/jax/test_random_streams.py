"""Random numbers in JAX are those of the NumPy executor, and so are the streams after a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import autograph.compat.tensorflow as tf
import runtime as rt
from runtime.errors import EngineWarning

pytest.importorskip("jax")

pytestmark = pytest.mark.filterwarnings(f"error::{EngineWarning.__module__}.EngineWarning")

random = rt.random


def seeded_and_unseeded(n: Any) -> Any:
    return random.normal((3,)), random.uniform((2, 2)), random.normal((5,), seed=3)


def in_loops_and_branches(n: Any) -> Any:
    total, drawn = 0.0, rt.zeros((4,))
    for _ in range(n):
        drawn = drawn + random.uniform((4,))
        if random.uniform(()) > 0.5:
            total = total + random.normal(())
    return total, drawn


def distributions(n: Any) -> Any:
    rows = rt.range(11)
    return (
        random.shuffle(rows),
        random.uniform((3,), 0, 10, rt.int32),
        random.truncated_normal((7,)),
        random.gamma((3,), 2.0),
        random.poisson((3,), 4.0),
        random.categorical([[1.0, 2.0, 0.5]], 6),
        random.normal((3,), dtype=rt.float64),
        random.shuffle(rows),
    )


def after_an_error(n: Any) -> Any:
    drawn = random.uniform((3,))
    if n == 0:
        raise ValueError("nothing to draw")
    return drawn


@pytest.mark.parametrize(
    "function", [seeded_and_unseeded, in_loops_and_branches, distributions, after_an_error]
)
def test_calls_draw_the_numbers_of_the_numpy_executor(function: Callable[..., Any]) -> None:
    def drawn(executor: str) -> list[Any]:
        random.set_seed(5)
        staged = ag.function(function, executor=executor)
        found: list[Any] = []
        for n in (3, 0, 5, 2):
            try:
                found.append(staged(rt.constant(n)))
            except ValueError as error:
                found.append(str(error).splitlines()[0])
        return found

    agree(drawn("numpy"), drawn("jax"))


def agree(expected: Any, found: Any) -> None:
    if isinstance(expected, (list, tuple)):
        assert len(found) == len(expected)
        for pair in zip(expected, found):
            agree(*pair)
    elif isinstance(expected, str):
        assert found == expected
    else:
        assert found.dtype is expected.dtype
        np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-5, atol=1e-6)


def test_a_generator_moves_on_in_jax() -> None:
    def draws(generator: Any) -> Callable[[Any], Any]:
        def draw(n: Any) -> Any:
            found = generator.normal((3,))
            for _ in range(n):
                found = found + generator.uniform((3,))
            return found, generator.uniform((2,), 0, 100, rt.int32)

        return draw

    pair = {name: random.Generator.from_seed(7) for name in ("numpy", "jax")}
    staged = {name: ag.function(draws(each), executor=name) for name, each in pair.items()}
    for n in (3, 0, 2):
        agree(*(each(rt.constant(n)) for each in staged.values()))
        states = [each.state.numpy().tolist() for each in pair.values()]
        assert states[0] == states[1]


def test_a_generator_loses_the_carry_that_tensorflow_loses() -> None:
    start = [2**64 - 5, 2**32 - 1, 9]
    count = 2**56 - 1
    pair = {name: random.Generator(state=start, alg="philox") for name in ("numpy", "jax")}
    for name, generator in pair.items():
        ag.function(lambda n, own=generator: own.skip(n), executor=name)(rt.constant(count))
    states = [each.state.numpy().tolist() for each in pair.values()]
    assert states[0] == states[1] != start


def test_numbers_without_a_seed_differ_from_call_to_call() -> None:
    random.set_seed(None)
    draw = ag.function(lambda: random.uniform((3,)), executor="jax")
    assert (draw() != draw()).numpy().all()


def test_a_model_with_dropout_is_trained_in_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    keras = tf.keras
    rng = np.random.default_rng(0)
    x = rng.standard_normal((32, 8)).astype(np.float32)
    y = (x.sum(1) > 0).astype(np.int32)

    def trained(executor: str) -> list[float]:
        monkeypatch.setenv("AUTOGRAPH_EXECUTOR", executor)
        keras.utils.set_random_seed(1)
        layers = keras.layers
        model = keras.Sequential(
            [layers.Dense(8, activation="relu"), layers.Dropout(0.5), layers.Dense(2)]
        )
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(optimizer="adam", loss=loss)
        return model.fit(x, y, epochs=2, batch_size=8, verbose=0).history["loss"]

    assert trained("jax") == pytest.approx(trained("numpy"), rel=1e-5)
