"""The names of TensorFlow's that a program uses."""

from __future__ import annotations

from autograph.compat.porting import Use, needing_tensorflow, uses


def paths(source: str) -> list[str]:
    return [use.path for use in uses(source)]


def test_names_are_found_through_import_bindings() -> None:
    source = """
import tensorflow as tf
from tensorflow.keras import layers as L
def f(x):
    return tf.image.resize(L.Dense(1)(x), [2, 2])
"""
    expected = [Use(3, "keras.layers"), Use(5, "image.resize"), Use(5, "keras.layers.Dense")]
    assert expected == uses(source)


def test_a_name_bound_in_a_function_is_not_the_import() -> None:
    for function in (
        "def f(layers): layers.append(1)",
        "def f():\n  layers = []\n  layers.append(1)",
        "f = lambda layers: layers.nothing",
        "def f():\n  for layers in []: layers.nothing",
    ):
        source = f"from keras import layers\n{function}"
        assert ["keras.layers"] == paths(source)


def test_an_import_in_a_function_binds_there() -> None:
    source = "def f():\n  import tensorflow as tf\n  return tf.abs(1)\ntf = 1\ntf.nothing"
    assert ["abs"] == paths(source)


def test_packages_built_on_tensorflow_are_listed() -> None:
    source = "import tensorflow_hub as hub, numpy\nfrom keras_cv import layers\nimport keras"
    assert [(1, "tensorflow_hub"), (2, "keras_cv")] == list(needing_tensorflow(source))
