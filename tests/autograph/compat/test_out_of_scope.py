"""Names out of scope are refused with an alternative."""

from __future__ import annotations

import pytest

from autograph.compat import tensorflow as tf
from autograph.compat.out_of_scope import OUT_OF_SCOPE, OUT_OF_SCOPE_SPACES, replacement_of
from tests.each import for_each


def look_up(path: str) -> object:
    value: object = tf
    for part in path.split("."):
        value = getattr(value, part)
    return value


# Namespaces of which some names are here.
IN_PART = {"distribute", "image", "io", "lite"}


@for_each("path", OUT_OF_SCOPE)
def test_a_name_of_the_table_is_refused_by_its_name(path: str) -> None:
    asked = f"{path}.anything" if path in {*OUT_OF_SCOPE_SPACES, *IN_PART} else path
    with pytest.raises(AttributeError) as caught:
        look_up(asked)
    home, _, name = asked.rpartition(".")
    assert str(caught.value).startswith(
        f"autograph.compat.tensorflow{'.' if home else ''}{home} has"
    )
    assert f" no {name}; instead: {OUT_OF_SCOPE[path]}" in str(caught.value)


@pytest.mark.parametrize(
    "path, word",
    [
        ("image.resize", "Pillow"),
        ("ragged.constant", "pad_sequences"),
        ("RaggedTensor", "mask"),
        ("sparse.SparseTensor", "dense"),
        ("lookup.experimental.DatasetInitializer", "KeyValueTensorInitializer"),
        ("io.parse_single_example", "Python"),
        ("io.decode_csv", "py_function"),
        ("experimental.ExtensionType", "dataclass"),
        ("experimental.numpy.array", "NumPy itself"),
        ("tpu.experimental.initialize_tpu_system", "one device"),
        ("distribute.TPUStrategy", "MirroredStrategy"),
        ("distribute.cluster_resolver.TPUClusterResolver", "MirroredStrategy"),
        ("keras.layers.TextVectorization", "dict"),
        ("keras.applications.resnet50.ResNet50", "set_weights"),
        ("data.TFRecordDataset", "from_generator"),
        ("raw_ops.AddV2", "tf.add"),
    ],
)
def test_a_refusal_names_a_remedy(path: str, word: str) -> None:
    with pytest.raises(AttributeError, match=word):
        look_up(path)


def test_namespaces_are_rows_of_the_table() -> None:
    assert [] == [path for path in OUT_OF_SCOPE_SPACES if path not in OUT_OF_SCOPE]


def test_refused_names_are_not_listed() -> None:
    top = {path for path in OUT_OF_SCOPE if "." not in path} - IN_PART
    assert set() == top & set(dir(tf))
    assert None is replacement_of("math.exp")
