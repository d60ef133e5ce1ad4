"""Models that TensorFlow wrote, which the tests load: SavedModels, with inputs and outputs.

    python tools/tensorflow_models.py                       # writes all
    python tools/tensorflow_models.py module saved_again    # writes some
    python tools/tensorflow_models.py --again FROM TO       # TensorFlow loads and saves a directory

It needs TensorFlow, which `pip install 'autograph-py[tensorflow]'` installs. Each model is a zip
file with the SavedModel; its inputs and outputs are beside it.
"""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.tensorflow_worker import tensorflow

FOLDER = Path(__file__).resolve().parent.parent / "tests/autograph/saved_model/tensorflow_models"
# Files in a zip have this date, so that equal models have equal files.
_DATE = (1980, 1, 1, 0, 0, 0)

Model = tuple[Callable[[str], None], Mapping[str, Any], Mapping[str, Any]]
"""A function that writes the model to a folder, and its inputs and outputs by name."""


def sequential(keras: Any, tf: Any, rng: Any) -> Model:
    """A trained Sequential with dropout."""
    layers = keras.layers
    model = keras.Sequential(
        [
            keras.Input((8,)),
            layers.Dense(16, activation="relu"),
            layers.Dropout(0.3),
            layers.Dense(3, activation="softmax"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(rng.normal(size=(32, 8)), rng.integers(0, 3, 32), verbose=0)
    return _exported(model, [rng.normal(size=(4, 8)).astype(np.float32)])


def shared_layers(keras: Any, tf: Any, rng: Any) -> Model:
    """A functional model whose two inputs go through one layer."""
    inputs = [keras.Input((6,)), keras.Input((6,))]
    dense = keras.layers.Dense(5, activation="tanh")
    both = [dense(each) for each in inputs]
    joined = keras.layers.Concatenate()([*both, keras.layers.Multiply()(both)])
    model = keras.Model(inputs, keras.layers.Dense(2)(joined))
    return _exported(model, [rng.normal(size=(3, 6)).astype(np.float32) for _ in inputs])


def convolutions(keras: Any, tf: Any, rng: Any) -> Model:
    """A trained net of convolutions with batch normalization and pooling."""
    layers = keras.layers
    model = keras.Sequential(
        [
            keras.Input((12, 12, 3)),
            layers.Conv2D(8, 3, padding="same"),
            layers.BatchNormalization(),
            layers.ReLU(),
            layers.MaxPooling2D(),
            layers.DepthwiseConv2D(3),
            layers.GlobalAveragePooling2D(),
            layers.Dense(4),
        ]
    )
    model.compile("sgd", "mse")
    model.fit(rng.normal(size=(8, 12, 12, 3)), rng.normal(size=(8, 4)), verbose=0)
    return _exported(model, [rng.normal(size=(2, 12, 12, 3)).astype(np.float32)])


def recurrent(keras: Any, tf: Any, rng: Any) -> Model:
    """An embedding, an LSTM and a GRU over sequences of any length."""
    layers = keras.layers
    model = keras.Sequential(
        [
            keras.Input((None,)),
            layers.Embedding(20, 8),
            layers.LSTM(6, return_sequences=True),
            layers.GRU(5),
            layers.Dense(2),
        ]
    )
    return _exported(model, [rng.integers(0, 20, (3, 7)).astype(np.float32)])


def module(keras: Any, tf: Any, rng: Any) -> Model:
    """A tf.Module with loops, state, a TensorArray, texts and a structured result."""

    class Module(tf.Module):
        def __init__(self) -> None:
            self.v = tf.Variable([1.0, 2.0], name="v")
            self.steps = tf.Variable(0, trainable=False)
            self.parts = [tf.Variable(3.0), {"k": tf.Variable(4)}]
            self.table = tf.constant([[1.0, 2.0], [3.0, 4.0]])

        @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
        def collatz(self, n: Any) -> Any:
            steps = 0
            while n != 1:
                if n % 2 == 0:
                    n = n // 2
                else:
                    n = 3 * n + 1
                steps += 1
            return steps

        @tf.function
        def rows(self, n: Any, x: Any, *, scale: float = 2.0) -> Any:
            found = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
            for i in tf.range(n):
                if tf.reduce_sum(x) > 50.0:
                    break
                x = x * self.v + tf.linalg.matvec(self.table, x) * scale
                found = found.write(i, x)
            self.steps.assign_add(1)
            return {"rows": found.stack(), "x": x, "none": None}

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def texts(self, texts: Any) -> Any:
            numbers = tf.strings.as_string(tf.range(tf.size(texts)))
            return tf.strings.join([texts, numbers], separator="-")

    made, x = Module(), np.array([0.5, 0.25], np.float32)
    found = made.rows(tf.constant(5), tf.constant(x))

    def write(folder: str) -> None:
        tf.saved_model.save(made, folder, signatures={"collatz": made.collatz})

    return write, {"n": np.int32(5), "x": x}, {key: found[key].numpy() for key in ("rows", "x")}


def saved_again(keras: Any, tf: Any, rng: Any) -> Model:
    """A directory of this project that TensorFlow has loaded and saved, with TensorFlow's results.

    The results are those of these calls, in this order.
    """
    from tests.autograph.saved_model.round_trip import save_station

    x, place = rng.normal(size=(3, 2)).astype(np.float32), tempfile.mkdtemp()
    first, second = f"{place}/first", f"{place}/second"
    save_station(first)
    save_again(tf, first, second)
    loaded = tf.saved_model.load(second)
    given = {"x": tf.constant(x), "rest": [tf.constant(0.5)]}
    walked = loaded.walked(given, 2, negate=True)
    outputs = {"x": walked["x"], "first": walked["ends"][0].first, "last": walked["ends"][0].last}
    for _ in range(2):
        outputs["loss"] = loaded.train(x)["loss"]
    outputs["weights"] = loaded.weights
    found = {name: each.numpy() for name, each in outputs.items()}
    return lambda folder: save_again(tf, first, folder), {"x": x}, found


def save_again(tf: Any, folder: str, target: str) -> None:
    """Load a directory and save the object with its signatures to another one."""
    loaded = tf.saved_model.load(folder)
    tf.saved_model.save(loaded, target, signatures=loaded.signatures)


def vocabulary(keras: Any, tf: Any, rng: Any) -> Model:
    """Tables of words and of numbers, whose contents are constants."""

    def table(keys: Any, values: Any, default: Any) -> Any:
        filled = tf.lookup.KeyValueTensorInitializer(tf.constant(keys), tf.constant(values))
        return tf.lookup.StaticHashTable(filled, default)

    class Vocabulary(tf.Module):
        def __init__(self) -> None:
            self.numbers = table(["one", "two", "three"], np.array([1, 2, 3]), -1)
            self.words = table(np.array([3, 1, 2]), ["three", "one", "two"], "?")

        @tf.function(input_signature=[tf.TensorSpec([None, None], tf.string)])
        def numbered(self, texts: Any) -> Any:
            found = self.numbers.lookup(texts)
            words = self.words.lookup(found)
            return {"numbers": found, "words": words, "size": self.words.size()}

    made, x = Vocabulary(), np.array([["two", "four"], ["three", "one"]])
    outputs = {key: each.numpy() for key, each in made.numbered(x).items()}
    outputs["words"] = outputs["words"].astype("S")
    return lambda folder: tf.saved_model.save(made, folder), {"x": x}, outputs


def tables(keras: Any, tf: Any, rng: Any) -> Model:
    """Tables that change, and one that is read from a text file."""
    lookup = tf.lookup
    file = Path(tempfile.mkdtemp()) / "words.tsv"
    file.write_bytes(b"ann\t3\r\nbob\t5\ncyd\t8\n")
    columns = (tf.string, 0, tf.int64, 1)

    class Tables(tf.Module):
        def __init__(self) -> None:
            self.ages = lookup.StaticHashTable(lookup.TextFileInitializer(file, *columns), -1)
            self.counts = lookup.experimental.MutableHashTable(tf.string, tf.float32, [0.0, 0.0])
            self.squares = lookup.experimental.DenseHashTable(
                tf.int64, tf.int64, -1, empty_key=0, deleted_key=-2, initial_num_buckets=8
            )

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def age(self, names: Any) -> Any:
            return self.ages.lookup(names)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def counted(self, names: Any) -> Any:
            self.counts.insert(names, self.counts.lookup(names) + [[1.0, 0.5]])
            return {"counts": self.counts.lookup(names), "size": self.counts.size()}

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def forgotten(self, names: Any) -> Any:
            self.counts.remove(names)
            return self.counts.export()

        @tf.function(input_signature=[tf.TensorSpec([None], tf.int64)])
        def squared(self, numbers: Any) -> Any:
            before = self.squares.lookup(numbers)
            self.squares.insert(numbers, numbers * numbers)
            return {"before": before, "size": self.squares.size()}

    made, names = Tables(), np.array(["bob", "dan", "ann"])
    made.counted(tf.constant(["ann", "eve"]))
    made.squared(tf.constant([3, 4], tf.int64))
    outputs: dict[str, Any] = {"ages": made.age(tf.constant(names)).numpy()}

    def write(folder: str) -> None:
        tf.saved_model.save(made, folder)
        loaded = tf.saved_model.load(folder)
        outputs.update({key: x.numpy() for key, x in loaded.counted(tf.constant(names)).items()})
        kept, values = loaded.forgotten(tf.constant(["bob", "zoe"]))
        order = np.argsort(kept.numpy())
        outputs.update(kept=kept.numpy()[order].astype("S"), values=values.numpy()[order])
        squared = loaded.squared(tf.constant([4, 5], tf.int64))
        outputs.update({f"square_{key}": each.numpy() for key, each in squared.items()})

    return write, {"names": names}, outputs


def draws(keras: Any, tf: Any, rng: Any) -> Model:
    """Random ops with seeds; the outputs are those of two calls of the loaded function."""

    class Draws(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def drawn(self, x: Any) -> Any:
            random, size = tf.random, [tf.size(x)]
            return {
                "uniform": random.uniform(size, 1.0, 3.0, seed=5),
                "normal": random.normal([2, 3]),
                "truncated": random.truncated_normal([3], dtype=tf.float64),
                "whole": random.uniform(size, 2, 90, tf.int64, seed=6),
                "shuffled": random.shuffle(x, seed=7),
                "categories": random.categorical([[0.1, 0.7, 0.2]], 5, seed=8),
            }

        @tf.function(input_signature=[])
        def anything(self) -> Any:
            return tf.raw_ops.RandomUniform(shape=[1000], dtype=tf.float32)

    tf.random.set_seed(3)
    made, place, x = Draws(), tempfile.mkdtemp(), np.arange(4, dtype=np.float32)
    tf.saved_model.save(made, place)
    loaded = tf.saved_model.load(place)
    outputs = {}
    for number in range(2):
        for key, value in loaded.drawn(x).items():
            outputs[f"{key}_{number}"] = value.numpy()
    return lambda folder: tf.saved_model.save(made, folder), {"x": x}, outputs


def preprocessing(keras: Any, tf: Any, rng: Any) -> Model:
    """Pictures that are resized, boxes that are chosen, differences of sets, and words of texts."""
    spec, raw = tf.TensorSpec, tf.raw_ops
    resizes = {"bilinear": raw.ResizeBilinear, "nearest": raw.ResizeNearestNeighbor}

    class Preprocessing(tf.Module):
        @tf.function(input_signature=[spec([None, None, None, 3], tf.float32)])
        def resized(self, x: Any) -> Any:
            found = {"larger": tf.image.resize(tf.cast(x, tf.uint8), tf.shape(x)[1:3] + 2)}
            for name, resize in resizes.items():
                for size in ([5, 9], [3, 1]):
                    for align, half in ((False, False), (True, False), (False, True)):
                        found[f"{name}_{size[0]}_{align:d}{half:d}"] = resize(
                            images=x, size=size, align_corners=align, half_pixel_centers=half
                        )
            return found

        @tf.function(input_signature=[spec([None, 4], tf.float32), spec([None], tf.float32)])
        def chosen(self, boxes: Any, scores: Any) -> Any:
            choose = tf.image.non_max_suppression
            return {"few": choose(boxes, scores, 3, 0.4, 0.2), "all": choose(boxes, scores, 99)}

        @tf.function(input_signature=[spec([None], tf.int64)])
        def without(self, numbers: Any) -> Any:
            left, places = raw.ListDiff(x=numbers, y=tf.constant([2, 9], tf.int64))
            return {"left": left, "places": places}

        @tf.function(input_signature=[spec([None], tf.string)])
        def words(self, texts: Any) -> Any:
            words, columns = tf.strings.split(texts), tf.strings.split(texts, ",")
            return {
                "words": words.to_tensor("?"),
                "columns": columns.to_tensor("", shape=[None, 2]),
                "lengths": tf.strings.length(words).to_tensor(0),
            }

    made, corners = Preprocessing(), rng.random((12, 2, 2)).astype(np.float32)
    inputs = {
        "x": (rng.random((2, 4, 6, 3)) * 255).astype(np.float32),
        "boxes": corners.reshape(12, 4),
        "scores": np.round(rng.random(12), 1).astype(np.float32),
        "numbers": np.array([1, 2, 3, 2, 5]),
        "texts": np.array(["one  two ", "", "a,b,c"]),
    }
    given = {name: tf.constant(each) for name, each in inputs.items()}
    found = {
        **made.resized(given["x"]),
        **made.chosen(given["boxes"], given["scores"]),
        **made.without(given["numbers"]),
        **made.words(given["texts"]),
    }
    outputs = {name: each.numpy() for name, each in found.items()}
    texts = {name: outputs[name].astype("S") for name in ("words", "columns")}
    return lambda folder: tf.saved_model.save(made, folder), inputs, {**outputs, **texts}


def vectorized(keras: Any, tf: Any, rng: Any) -> Model:
    """Texts that become numbers of words, and their embeddings."""
    words = keras.layers.TextVectorization()
    words.adapt(["one two three", "two three four"])
    parts = [keras.Input((), dtype="string"), words, keras.layers.Embedding(10, 3)]
    model = keras.Sequential([*parts, keras.layers.GlobalAveragePooling1D()])
    texts = np.array(["two, THREE", "four", "one nine two"])
    outputs = {"output": np.asarray(model(tf.constant(texts)))}
    return lambda folder: model.export(folder, verbose=False), {"x": texts}, outputs


@contextmanager
def _inside(folder: str) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def session(keras: Any, tf: Any, rng: Any) -> Model:
    """A graph of TensorFlow 1 with variables of both kinds, an asset, and two signatures."""
    v1, place = tf.compat.v1, tempfile.mkdtemp()
    words, x = Path(place) / "words.txt", rng.normal(size=(2, 3)).astype(np.float32)
    words.write_text("one two")
    folder = f"{place}/model"
    with _inside(place), v1.Graph().as_default(), v1.Session() as run:
        given = v1.placeholder(tf.float32, [None, 3], "x")
        with v1.variable_scope("dense", use_resource=False):
            weights = v1.get_variable("weights", [3, 2], tf.float32)
        with v1.variable_scope("dense", use_resource=True):
            bias = v1.get_variable("bias", [2], tf.float32)
        found = tf.nn.softmax(tf.matmul(given, weights) + bias)
        total = v1.Variable(0.0, use_resource=False, trainable=False, name="total")
        by = v1.placeholder(tf.float32, [], "by")
        path = tf.constant(words.name)  # relative: the file has no path of a machine
        v1.add_to_collection(v1.GraphKeys.ASSET_FILEPATHS, path)
        run.run(v1.global_variables_initializer())
        define, info = v1.saved_model.build_signature_def, v1.saved_model.build_tensor_info
        ends = {"probabilities": info(found), "words": info(tf.identity(path))}
        counted = {"total": info(v1.assign_add(total, by))}
        builder = v1.saved_model.Builder(folder)
        builder.add_meta_graph_and_variables(
            run,
            ["serve"],
            signature_def_map={
                "serving_default": define({"x": info(given)}, ends, "predict"),
                "count": define({"by": info(by)}, counted, "predict"),
            },
            assets_collection=v1.get_collection(v1.GraphKeys.ASSET_FILEPATHS),
        )
        builder.save()
        outputs = {"probabilities": run.run(found, {given: x}), "weights": run.run(weights)}

    def write(target: str) -> None:
        shutil.copytree(folder, target, dirs_exist_ok=True)

    return write, {"x": x}, outputs


MODELS = (
    sequential,
    shared_layers,
    convolutions,
    recurrent,
    module,
    saved_again,
    vocabulary,
    draws,
    tables,
    preprocessing,
    vectorized,
    session,
)


def _exported(model: Any, inputs: list[Any]) -> Model:
    given = inputs if len(inputs) > 1 else inputs[0]
    outputs = {"output": np.asarray(model(given, training=False))}
    numbered = {f"x{position}": each for position, each in enumerate(inputs)}
    return lambda folder: model.export(folder, verbose=False), numbered, outputs


def _packed(write: Callable[[str], None], target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write(folder)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
            for path in sorted(each for each in Path(folder).rglob("*") if each.is_file()):
                entry = zipfile.ZipInfo(str(path.relative_to(folder)), _DATE)
                file.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)


def main(arguments: list[str] | None = None) -> int:
    """Write models, by default all."""
    parser = argparse.ArgumentParser(prog="tensorflow_models")
    parser.add_argument("names", nargs="*", help="models, by default all")
    parser.add_argument("--again", nargs=2, metavar=("FROM", "TO"), help="saves a directory again")
    given = parser.parse_args(arguments)
    if given.again:
        save_again(tensorflow(), *given.again)
        return 0
    keras, tf = (importlib.import_module(name) for name in ("keras", "tensorflow"))
    FOLDER.mkdir(parents=True, exist_ok=True)
    for make in MODELS:
        if given.names and make.__name__ not in given.names:
            continue
        keras.utils.set_random_seed(7)
        write, inputs, outputs = make(keras, tf, np.random.default_rng(0))
        _packed(write, FOLDER / f"{make.__name__}.zip")
        np.savez(FOLDER / f"{make.__name__}.inputs.npz", **inputs)
        np.savez(FOLDER / f"{make.__name__}.outputs.npz", **outputs)
        print(make.__name__)
    return 0


if __name__ == "__main__":
    sys.exit(main())
