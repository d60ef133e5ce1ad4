"""Training steps of SavedModels: with embeddings, recurrent layers, rows and lists."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.errors import OpError, UnimplementedError

K = tf.keras
LAYERS: dict[str, Callable[[], list[Any]]] = {
    "embedding": lambda: [K.layers.Flatten()],
    "lstm": lambda: [K.layers.LSTM(3)],
    "gru": lambda: [K.layers.GRU(3)],
    "sequences": lambda: [K.layers.SimpleRNN(3, return_sequences=True), K.layers.Flatten()],
    "masked": lambda: [K.layers.Bidirectional(K.layers.LSTM(2))],
}


class Trained(rt.Module):
    """A model with its optimizer, and the step that trains it."""

    def __init__(self, layers: list[Any], mask: bool) -> None:
        super().__init__()
        K.utils.set_random_seed(3)
        first = K.layers.Embedding(10, 4, mask_zero=mask)
        self.model = K.Sequential([K.layers.Input((5,), dtype="int32"), first, *layers])
        self.model.add(K.layers.Dense(2))
        self.optimizer = K.optimizers.SGD(0.1)
        self.optimizer.build(self.model.trainable_variables)

    @ag.function(
        input_signature=[rt.TensorSpec((None, 5), rt.int32), rt.TensorSpec((None, 2), rt.float32)]
    )
    def step(self, x: Any, y: Any) -> Any:
        variables = self.model.trainable_variables
        with rt.GradientTape() as tape:
            loss = rt.reduce_mean((self.model(x, training=True) - y) ** 2)
        gradients = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(gradients, variables))
        return loss


@pytest.mark.parametrize("name", LAYERS)
def test_a_loaded_step_trains_as_the_saved_one(name: str, tmp_path: Path) -> None:
    trained = Trained(LAYERS[name](), name == "masked")
    ag.saved_model.save(trained, tmp_path)
    loaded = ag.saved_model.load(tmp_path)
    x, y = rt.constant([[1, 2, 3, 1, 0], [4, 4, 0, 9, 2]]), rt.constant([[1.0, 2.0], [3.0, 4.0]])
    losses = [[float(each.step(x, y)) for _ in range(4)] for each in (trained, loaded)]
    assert losses[0][3] < losses[0][0]
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-5)


# -- lists and TensorArrays ------------------------------------------------------------------------


def items_replaced(x: Any, n: Any) -> Any:
    xs = [x, x * 2, x * 3]
    for i in range(n):
        xs[i % 3] = xs[i % 3] * x + xs[(i + 1) % 3]
    return rt.reduce_sum(xs[0] * xs[1] + xs[2])


def items_replaced_by_others(x: Any, n: Any) -> Any:
    xs = []
    for _ in range(n):
        xs.append(x * 2.0)
    for i in range(n):
        if i % 2 == 0:
            xs[i] = rt.zeros_like(x)
    total = x * 0.0
    for each in xs:
        total += each * each
    return rt.reduce_sum(total)


def items_of_several_parts(x: Any, n: Any) -> Any:
    rows = []
    for i in range(n):
        rows.append((x * x, i, rt.reduce_sum(x)))
    total = 0.0
    for squares, i, scale in rows:
        total += rt.reduce_sum(squares) * scale * rt.cast(i, rt.float32)
    return total


def elements_of_an_array(x: Any, n: Any) -> Any:
    array = rt.TensorArray(rt.float32, size=n)
    for i in range(n):
        array = array.write(i, x * rt.cast(i, rt.float32))
    array = array.write(0, x * 7.0)
    return rt.reduce_sum(array.stack() ** 2) + rt.reduce_sum(array.read(n - 1))


def parts_of_several_lengths(x: Any, n: Any) -> Any:
    parts = []
    for i in range(n):
        parts.append(x[:i] * rt.cast(i, rt.float32))
    return rt.reduce_sum(rt.concat(parts, 0) ** 2)


def elements_read_by_tensors(x: Any, n: Any) -> Any:
    picked = x[n] ** 2 + x[0] * x[n - 1]
    return picked + rt.reduce_sum(rt.gather(x, [n, n, 0]) ** 2) + rt.reduce_sum(x[x > 1.0] ** 3)


def items_moved(x: Any, n: Any) -> Any:
    xs = []
    for i in range(n + 1):
        xs.append((x[i] * x, x[i], i))
    xs = xs * 2
    xs.reverse()
    del xs[0]
    del xs[1 : n + 1 : 2]
    total = 0.0
    for row, each, i in xs[1:]:
        total += rt.reduce_sum(row) * each * rt.cast(i + 1, rt.float32)
    return total


def items_inserted(x: Any, n: Any) -> Any:
    xs = []
    for i in range(n + 1):
        xs.append(x[i] * x[i])
    xs.insert(n - 1, x[0] * x[1])
    xs.insert(-9, x[2] * 3.0)
    xs[1:2] = [x[0] ** 3, xs[n]]
    first = xs.pop(0)
    others = xs + [first]
    total = x[0] * 0.0
    for i in range(len(others)):
        total += others[i] * rt.cast(i, rt.float32)
    return total


def sums_of_products(x: Any, n: Any) -> Any:
    table = rt.einsum("i,j->ij", x, x) * rt.cast(n, rt.float32)
    columns = rt.einsum("ij->j", table)
    rows = rt.einsum("ij->i", table * x)
    squares = rt.reduce_sum(rt.einsum("ii->i", table) * columns + rows * x)
    return squares + rt.einsum("...i->...", x) ** 2


# At [1, 2, 0.5] and 2, TensorFlow 2.21 gave these gradients for the saved functions.
GRADIENTS: dict[Any, list[float]] = {
    items_replaced: [44.0, 175.0, 15.25],
    items_replaced_by_others: [8.0, 16.0, 4.0],
    items_of_several_parts: [12.25, 19.25, 8.75],
    elements_of_an_array: [101.0, 201.0, 51.0],
    parts_of_several_lengths: [2.0, 0.0, 0.0],
    elements_read_by_tensors: [4.0, 13.0, 3.0],
    items_moved: [16.75, 37.75, 20.25],
    items_inserted: [6.0, 15.0, 19.0],
    sums_of_products: [127.5, 295.5, 75.0],
}


def saved_gradient(function: Any, folder: Path) -> Any:
    @ag.function(input_signature=[rt.TensorSpec((None,), rt.float32), rt.TensorSpec((), rt.int32)])
    def gradient(x: Any, n: Any) -> Any:
        with rt.GradientTape() as tape:
            tape.watch(x)
            y = function(x, n)
        return tape.gradient(y, x)

    ag.export(gradient, folder, format="saved_model")
    return ag.saved_model.load(folder).signatures["serving_default"]


@pytest.mark.parametrize("function", GRADIENTS)
def test_a_loaded_gradient_is_that_of_tensorflow(function: Any, tmp_path: Path) -> None:
    gradient = saved_gradient(function, tmp_path)
    found = gradient(x=rt.constant([1.0, 2.0, 0.5]), n=rt.constant(2))["output_0"]
    assert GRADIENTS[function] == found.numpy().tolist()


def test_gradients_of_gathered_elements_are_refused(tmp_path: Path) -> None:
    def gathered(x: Any, n: Any) -> Any:
        array = rt.TensorArray(rt.float32, size=3).unstack(x)
        return rt.reduce_sum(array.gather([n, 0]) ** 2)

    with pytest.raises(UnimplementedError, match="moves no items of lists"):
        saved_gradient(gathered, tmp_path)


def test_elements_are_scattered(tmp_path: Path) -> None:
    @ag.function(input_signature=[rt.TensorSpec((None,), rt.float32), rt.TensorSpec((), rt.int32)])
    def scattered(x: Any, n: Any) -> Any:
        array = rt.TensorArray(rt.float32, size=1, dynamic_size=True, clear_after_read=False)
        return array.scatter([n, 0, n, 1], x).stack()

    ag.export(scattered, tmp_path)
    served = ag.saved_model.load(tmp_path).signatures["serving_default"]
    x = rt.constant([1.0, 2.0, 3.0, 4.0])
    assert [2.0, 4.0, 3.0] == served(x=x, n=rt.constant(2))["output_0"].numpy().tolist()
    for wrong in ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0, 4.0, 5.0]):
        with pytest.raises(OpError):
            served(x=rt.constant(wrong), n=rt.constant(2))
