"""Functional models: their results and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import FailedPreconditionError, OpError
from runtime.nn import Input, Model, Sequential
from runtime.nn.layers import Dense, Dropout, Embedding, Layer, Masking

P, Q = np.sin(np.arange(40, dtype=np.float32)).reshape(2, 5, 4)


def shared() -> tuple[Any, Any]:
    """Return a model of two inputs that go through one layer, and the layer."""
    p, q = Input((4,), name="p"), Input((4,), name="q")
    dense = Dense(3)
    both = rt.concat([dense(p), dense(q)], axis=-1)
    return Model([p, q], rt.nn.relu(both[:, :4] * 2.0 + p) - rt.reduce_mean(q, -1, True)), dense


def test_layers_ops_and_operators_are_computed_in_each_call() -> None:
    model, dense = shared()
    for p, q in ((P, Q), (Q[:2], P[:2])):
        kernel = dense.kernel.numpy()
        both = np.concatenate([p @ kernel, q @ kernel], -1)
        expected = np.maximum(both[:, :4] * 2 + p, 0) - q.mean(-1, keepdims=True)
        np.testing.assert_allclose(model([p, q]).numpy(), expected, rtol=1e-5, atol=1e-6)
    assert [dense] == [each for each in model.layers if isinstance(each, Dense)]
    assert 2 == len(model.weights)
    assert (["p", "q"], ["subtract"]) == (model.input_names, model.output_names)
    assert [(None, 4), (None, 4)] == model.input_shape


def test_inputs_may_be_passed_by_name() -> None:
    model, _ = shared()
    by_name = model({"q": Q, "p": P, "more": 1})
    np.testing.assert_array_equal(model([P, Q]).numpy(), by_name.numpy())
    x = {"a": Input((4,)), "b": Input((1,))}
    sums = Model(x, {"sum": x["a"] + x["b"]})
    found = sums({"a": P, "b": P[:, 0]})["sum"]
    np.testing.assert_allclose(P + P[:, :1], found.numpy())
    assert (["a", "b"], ["sum"]) == (sums.input_names, sums.output_names)


def test_layers_get_the_training_flag() -> None:
    x = Input((4,))
    model = Model(x, Dropout(1.0 - 1e-7)(x))
    fixed = Model(x, Dropout(1.0 - 1e-7)(x, training=True))
    np.testing.assert_array_equal(P, model(P).numpy())
    assert 0.0 == float(rt.reduce_sum(model(P, training=True)))
    assert 0.0 == float(rt.reduce_sum(fixed(P)))


def test_models_are_layers_of_models() -> None:
    inner = Sequential([Input((4,)), Dense(2)])
    p, q = Input((4,)), Input((4,))
    model = Model(inputs=[p, q], outputs=inner(p) * inner(q))
    expected = inner(P).numpy() * inner(Q).numpy()
    np.testing.assert_allclose(expected, model([P, Q]).numpy(), rtol=1e-6)
    assert 2 == len(model.trainable_weights)


def test_a_part_of_a_model_is_a_model() -> None:
    model = Sequential([Dense(3), Dense(2)])
    model.build((None, 4))
    features = Model(model.inputs, model.layers[0].output)
    np.testing.assert_array_equal(model.layers[0](P).numpy(), features(P).numpy())
    first = Dense(3)
    with pytest.raises(FailedPreconditionError, match="is not part of a model yet"):
        first.output


def test_a_subclass_may_be_functional() -> None:
    class Doubled(Model):
        def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
            return super().call(inputs) * 2.0

    x = Input((4,))
    dense = Dense(2)
    found = Doubled(x, dense(x))(P)
    np.testing.assert_allclose(dense(P).numpy() * 2, found.numpy())


def test_inputs_are_converted_to_the_models_dtype() -> None:
    x = Input((4,))
    model = Model(x, x * 1.0)
    found = model(P.astype(np.int32))
    assert "float32" == found.dtype.name
    assert "float32" == model(P.astype(np.float64)).dtype.name
    column = Input((1,))
    assert (5, 1) == tuple(Model(column, column * 1.0)(P[:, 0]).shape)


REFUSED: list[tuple[Any, str]] = [
    (lambda model, x: model([P]), "takes 2 inputs .p, q., and is given 1"),
    (lambda model, x: model({"p": P}), "is not given its input 'q', only 'p'"),
    (lambda model, x: model([P[:, :2], Q]), r"input 'p' of shape \(None, 4\), and is given shape"),
    (lambda model, x: Model(model.inputs[0], model.outputs), "needs the input 'q'"),
    (lambda model, x: Model(x, 3), "must be results of Input and layers, not 3"),
    (lambda model, x: Model(x), "inputs and outputs: give both"),
    (lambda model, x: Model()(P), "Model has no `call`"),
    (lambda model, x: Model().inputs, "has no inputs and outputs of its own"),
    (lambda model, x: Input(), "needs the shape of an input"),
]


@pytest.mark.parametrize(("wrong", "words"), REFUSED)
def test_wrong_inputs_are_refused(wrong: Any, words: str) -> None:
    with pytest.raises(OpError, match=words):
        wrong(shared()[0], Input((4,)))


def test_an_input_of_unknown_rank_is_checked_by_each_call() -> None:
    x = Input((2,))
    model = Model(x, x * 2.0)
    call = ag.function(model, input_signature=[rt.TensorSpec(None, rt.float32)])
    assert [[2.0, 4.0]] == call(rt.constant([[1.0, 2.0]])).numpy().tolist()
    with pytest.raises(OpError, match=r"\(1, 1, 2\)"):
        call(rt.ones((1, 1, 2)))


USES: list[Any] = [
    float,
    bool,
    int,
    list,
    lambda x: x.numpy(),
    lambda x: rt.cond(rt.reduce_sum(x) > 0, lambda: 1.0, lambda: 2.0),
    lambda x: rt.Variable(x),
]


@pytest.mark.parametrize("use", USES)
def test_a_value_of_a_model_has_no_value_yet(use: Any) -> None:
    with pytest.raises(OpError, match=r"KerasTensor|shape=\(None, 4\)"):
        use(Input((4,), name="x"))


def test_numpy_functions_become_ops_of_the_model() -> None:
    x = Input((4,))
    np.testing.assert_allclose(np.exp(P), Model(x, np.exp(x))(P).numpy(), rtol=1e-6)


def test_weights_have_the_paths_of_the_layers_around_them() -> None:
    class Outer(Model):
        def __init__(self) -> None:
            super().__init__(name="outer")
            self.inner = Sequential([Dense(2, name="d")], name="inner")
            self.own: Layer = Dense(3, name="own")

        def call(self, inputs: Any) -> Any:
            return self.own(self.inner(inputs))

    model = Outer()
    model(P)
    expected = ["outer/inner/d/kernel", "outer/inner/d/bias", "outer/own/kernel", "outer/own/bias"]
    assert expected == [each.path for each in model.weights]
    assert ["kernel", "bias"] * 2 == [each.name for each in model.weights]


class Shares(Layer):
    """Needs a mask: a softmax over the steps that count."""

    def call(self, inputs: Any, mask: Any = None) -> Any:
        counts = rt.cast(mask, "float32")[..., None]
        powers = rt.exp(inputs) * counts
        return powers / rt.reduce_sum(powers, axis=1, keepdims=True)


def test_masks_are_propagated_while_a_model_is_built() -> None:
    numbers = Input((None,), dtype="int32")
    rows = Embedding(4, 2, mask_zero=True, embeddings_initializer="ones")(numbers)
    model = Model(numbers, Shares()(Dropout(0.5)(rows)))
    expected = [[[0.5, 0.5], [0.5, 0.5], [0.0, 0.0]], [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]]
    given = np.array([[1, 2, 0], [3, 0, 0]])
    assert expected == model(given).numpy().tolist()
    assert expected == model.predict(given, verbose=0).tolist()
    inner = Sequential([Input((2, 1)), Masking(), Model(*_through(Dropout(0.5))), Shares()])
    assert [[[1.0], [0.0]]] == inner(np.array([[[3.0], [0.0]]])).numpy().tolist()


def _through(layer: Layer) -> tuple[Any, Any]:
    given = Input((2, 1))
    return given, layer(given)
