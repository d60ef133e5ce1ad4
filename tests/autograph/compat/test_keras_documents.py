"""Unchanged Keras models from guides to `tf.function`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

# fmt: off
CUSTOM_MODEL = '''
from autograph.compat import tensorflow as tf

class CustomModel(tf.keras.models.Model):

  @tf.function
  def call(self, input_data):
    if tf.reduce_mean(input_data) > 0:
      return input_data
    else:
      return input_data // 2


model = CustomModel()

found = model(tf.constant([-2, -4]))
'''

SEQUENTIAL_MODEL = '''
from autograph.compat import tensorflow as tf
import timeit

class SequentialModel(tf.keras.Model):
    def __init__(self, **kwargs):
        super(SequentialModel, self).__init__(**kwargs)
        self.flatten = tf.keras.layers.Flatten(input_shape=(28, 28))
        self.dense_1 = tf.keras.layers.Dense(128, activation="relu")
        self.dropout = tf.keras.layers.Dropout(0.2)
        self.dense_2 = tf.keras.layers.Dense(10)
    def call(self, x):
        x = self.flatten(x)
        x = self.dense_1(x)
        x = self.dropout(x)
        x = self.dense_2(x)
        return x

input_data = tf.random.uniform([60, 28, 28])
eager_model = SequentialModel()
graph_model = tf.function(eager_model)
print("Eager time:", timeit.timeit(lambda: eager_model(input_data), number=20))
print("Graph time:", timeit.timeit(lambda: graph_model(input_data), number=20))
'''
# fmt: on


def run(source: str, tmp_path: Path) -> dict[str, Any]:
    """Run a program from a file, where its source is found."""
    path = tmp_path / "program.py"
    path.write_text(source)
    space: dict[str, Any] = {"__name__": "program"}
    exec(compile(source, str(path), "exec"), space)
    return space


def test_a_call_with_a_condition(tmp_path: Path) -> None:
    space = run(CUSTOM_MODEL, tmp_path)
    assert [-1, -2] == space["found"].numpy().tolist()
    assert [2, 4] == space["model"](space["tf"].constant([2, 4])).numpy().tolist()


def test_a_model_as_it_is_and_as_a_graph(tmp_path: Path) -> None:
    space = run(SEQUENTIAL_MODEL, tmp_path)
    eager, graph = space["eager_model"], space["graph_model"]
    found = graph(space["input_data"])
    space["tf"].debugging.assert_near(eager(space["input_data"]), found)
    assert (60, 10) == tuple(found.shape)
    assert 1 == graph.experimental_get_tracing_count()
