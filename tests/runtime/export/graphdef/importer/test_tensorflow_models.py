"""Models that TensorFlow writes, imported and compared with TensorFlow's own results."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as rt
from runtime.core.spec import TensorSpec
from runtime.executors.interpreter import run
from runtime.export.graphdef.importer import graph_between
from runtime.export.saved_model.messages import SavedModel

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
tf: Any = pytest.importorskip("tensorflow")
if not hasattr(tf, "raw_ops"):
    pytest.skip("this is another package of the name", allow_module_level=True)
RNG = np.random.default_rng(0)


def _floats(*sizes: int) -> np.ndarray:
    return RNG.standard_normal(sizes).astype(np.float32)


# -- Keras -----------------------------------------------------------------------------------------


def _sequential(*layers: Any) -> Any:
    return tf.keras.Sequential(list(layers))


def _dense() -> tuple[Any, list[np.ndarray]]:
    layers = tf.keras.layers
    model = _sequential(layers.Input((8,)), layers.Dense(16, activation="gelu"),
                        layers.Dropout(0.5), layers.Dense(4, activation="softmax"))  # fmt: skip
    return model, [_floats(5, 8)]


def _shared() -> tuple[Any, list[np.ndarray]]:
    layers = tf.keras.layers
    a, b, shared = layers.Input((8,)), layers.Input((8,)), layers.Dense(6, activation="tanh")
    x, y = shared(a), shared(b)
    joined = layers.Concatenate()([x, y, layers.Multiply()([x, y])])
    return tf.keras.Model([a, b], layers.LayerNormalization()(joined)), [
        _floats(5, 8),
        _floats(5, 8),
    ]


def _images() -> tuple[Any, list[np.ndarray]]:
    layers = tf.keras.layers
    model = _sequential(
        layers.Input((12, 12, 3)),
        layers.Conv2D(8, 3, padding="same"),
        layers.BatchNormalization(),
        layers.ReLU(),
        layers.MaxPooling2D(),
        layers.DepthwiseConv2D(3),
        layers.AveragePooling2D(2, padding="same"),
        layers.Conv2DTranspose(4, 3, strides=2, padding="same"),
        layers.GlobalAveragePooling2D(),
    )
    return model, [_floats(2, 12, 12, 3)]


def _recurrent() -> tuple[Any, list[np.ndarray]]:
    layers = tf.keras.layers
    model = _sequential(layers.Input((None, 5)), layers.Masking(),
                        layers.Bidirectional(layers.LSTM(4, return_sequences=True)),
                        layers.GRU(3))  # fmt: skip
    return model, [_floats(3, 7, 5)]


def _attention() -> tuple[Any, list[np.ndarray]]:
    layers = tf.keras.layers
    words = layers.Input((6,), dtype="int32")
    x = layers.Embedding(20, 8, mask_zero=True)(words)
    x = layers.MultiHeadAttention(2, 4)(x, x, use_causal_mask=True)
    return tf.keras.Model(words, x), [RNG.integers(0, 20, (3, 6)).astype(np.int32)]


# -- modules ---------------------------------------------------------------------------------------


def _module(function: Callable[..., Any], *specs: Any) -> Any:
    module = tf.Module()
    module.v, module.n = tf.Variable([1.0, 2.0, 3.0]), tf.Variable(0)
    module.f = tf.function(lambda *given: function(module, *given), input_signature=list(specs))
    return module


def _loops(module: Any, n: Any) -> Any:
    array = tf.TensorArray(tf.int32, 0, dynamic_size=True, element_shape=[])
    total = 0
    for i in tf.range(n):
        if i % 3 == 0:
            continue
        if total > 50:
            break
        total += i
        array = array.write(array.size(), total)
    bounded = tf.while_loop(
        lambda i, s: i < n, lambda i, s: (i + 1, s * 0.5 + 1.0), [0, 0.0], maximum_iterations=9
    )
    return {"total": total, "bounded": bounded[1], "size": array.size(), "sums": array.stack()}


def _branches(module: Any, n: Any) -> Any:
    x = tf.cast(n, tf.float32)
    selected = tf.switch_case(n, [lambda: x, lambda: x * 3.0, lambda: x * 5.0])
    several = tf.case([(x > 5.0, lambda: x), (x > 1.0, lambda: -x)], default=lambda: x * 7.0)
    early = tf.cond(n > 2, lambda: tf.sqrt(x), lambda: x - 1.0)
    return {"selected": selected, "several": several, "early": early}


def _state(module: Any, n: Any) -> Any:
    module.n.assign_add(n)
    module.v.assign(module.v * 0.5 + tf.cast(module.n, tf.float32))
    module.v[1].assign(9.0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.tanh(module.v) ** 2)
    gradient = tape.gradient(loss, module.v)
    module.v.assign_sub(0.1 * gradient)
    return {"v": module.v + 0.0, "n": module.n + 0, "gathered": tf.gather(module.v, [0, 2])}


def _texts(module: Any, n: Any) -> Any:
    text = tf.strings.as_string(tf.range(n))
    joined = tf.strings.reduce_join(tf.strings.join([text, "x"]), separator="-")
    return {"joined": joined, "length": tf.strings.length(text), "equal": text == "1",
            "replaced": tf.strings.regex_replace(joined, "1x", "y")}  # fmt: skip


KERAS = [_dense, _shared, _images, _recurrent, _attention]
MODULES = [_loops, _branches, _state, _texts]


@pytest.mark.parametrize("model", KERAS, ids=lambda each: each.__name__)
def test_a_keras_model_computes_the_same(model: Any, tmp_path: Path) -> None:
    made, given = model()
    made.export(str(tmp_path), verbose=False)
    _compare(tmp_path, [given])


@pytest.mark.parametrize("function", MODULES, ids=lambda each: each.__name__)
def test_a_module_computes_the_same(function: Any, tmp_path: Path) -> None:
    module = _module(function, tf.TensorSpec([], tf.int32))
    tf.saved_model.save(module, str(tmp_path), signatures=module.f)
    _compare(tmp_path, [[np.array(n, np.int32)] for n in (0, 1, 2, 7, 30)])


def _training(module: Any, x: Any) -> Any:
    """One step of gradient descent on a batch of unknown size."""
    with tf.GradientTape() as tape:
        hidden = tf.nn.relu(x * module.v + 0.5)
        logits = tf.nn.softplus(tf.sigmoid(hidden) - tf.sqrt(hidden + 1.0))
        labels = tf.nn.softmax(x)
        losses = tf.nn.softmax_cross_entropy_with_logits(labels, logits)
        loss = tf.reduce_mean(losses) + tf.reduce_sum(tf.nn.elu(module.v) / (hidden[0] + 2.0))
    gradient = tape.gradient(loss, module.v)
    module.v.assign_sub(0.5 * gradient)
    return {"loss": loss, "gradient": gradient, "after": module.v + 0.0}


def test_a_training_step_computes_the_same(tmp_path: Path) -> None:
    module = _module(_training, tf.TensorSpec([None, 3], tf.float32))
    tf.saved_model.save(module, str(tmp_path), signatures=module.f)
    _compare(tmp_path, [[_floats(4, 3)], [_floats(1, 3)], [_floats(7, 3)]])


def _compare(folder: Path, cases: list[list[np.ndarray]]) -> None:
    theirs = _Theirs(folder)
    graph, outputs = _imported(folder, theirs)
    for given in cases:
        found = run(graph, given)
        for name, ours, wanted in zip(outputs, found, theirs.results(given), strict=True):
            assert np.shape(ours) == np.shape(wanted), name
            if np.asarray(wanted).dtype.kind in "fc":
                assert np.allclose(ours, wanted, rtol=1e-5, atol=1e-6), name
            else:
                assert np.asarray(ours).tolist() == np.asarray(wanted).tolist(), name


class _Theirs:
    """A saved model in a session of TensorFlow, with the state of its variables."""

    def __init__(self, folder: Path) -> None:
        v1 = tf.compat.v1
        self._session = v1.Session(graph=tf.Graph())
        with self._session.graph.as_default():
            loaded = v1.saved_model.load(self._session, ["serve"], str(folder))
            self.signature = loaded.signature_def["serving_default"]
            self.variables = dict(self._values(loaded.graph_def))
        self.inputs = sorted(self.signature.inputs)
        self.outputs = sorted(self.signature.outputs)

    def _values(self, graph_def: Any) -> Iterator[tuple[str, Any]]:
        for node in graph_def.node:
            if node.op != "VarHandleOp":
                continue
            handle = self._session.graph.get_tensor_by_name(f"{node.name}:0")
            dtype = tf.as_dtype(node.attr["dtype"].type)
            try:
                value = tf.raw_ops.ReadVariableOp(resource=handle, dtype=dtype)
                yield node.attr["shared_name"].s.decode(), self._session.run(value)
            except tf.errors.FailedPreconditionError:
                continue  # The saver has a handle that nothing else uses.

    def results(self, given: list[np.ndarray]) -> list[Any]:
        """Return the results of a run."""
        feeds = {self.signature.inputs[name].name: value for name, value in zip(self.inputs, given)}
        wanted = [self.signature.outputs[name].name for name in self.outputs]
        return list(self._session.run(wanted, feeds))


def _imported(folder: Path, theirs: _Theirs) -> tuple[rt.Graph, list[str]]:
    data = (folder / "saved_model.pb").read_bytes()
    graph_def = SavedModel.FromString(data).meta_graphs[0].graph_def
    nodes = {node.name: node for node in graph_def.node}
    feeds: dict[str, Any] = {}
    for key in theirs.inputs:
        info = theirs.signature.inputs[key]
        dims = nodes[info.name.partition(":")[0]].attr["shape"].shape.dim
        sizes = [None if dim.size < 0 else dim.size for dim in dims]
        feeds[info.name] = TensorSpec(sizes, tf.as_dtype(info.dtype).name)
    variables = {name: rt.Variable(value) for name, value in theirs.variables.items()}
    fetches = [theirs.signature.outputs[key].name for key in theirs.outputs]
    return graph_between(graph_def, feeds, fetches, variables), theirs.outputs
