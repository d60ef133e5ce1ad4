"""TensorFlow's names: each is the right object, or raises AttributeError."""

from __future__ import annotations

import importlib
import re

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from autograph.compat.tensorflow_names import DEVICES, RENAMED, SAME
from tests.each import for_each

# The names TF 2 programs use most.
USED = """
    Assert GradientTape Graph Module SparseTensor Tensor TensorArray TensorShape TensorSpec
    Variable abs add add_n argmax argmin argsort assert_equal
    autograph.experimental.Feature.ALL autograph.experimental.Feature.ASSERT_STATEMENTS
    autograph.experimental.Feature.BUILTIN_FUNCTIONS
    autograph.experimental.Feature.EQUALITY_OPERATORS autograph.experimental.Feature.LISTS
    autograph.experimental.do_not_convert autograph.experimental.set_loop_options
    autograph.set_verbosity autograph.to_code autograph.to_graph autograph.trace bfloat16
    bitwise.* bool boolean_mask case cast clip_by_value compat.v1.Session compat.v1.placeholder
    complex128 complex64 concat cond config.experimental_run_functions_eagerly
    config.functions_run_eagerly config.run_functions_eagerly constant control_dependencies
    convert_to_tensor custom_gradient data.Dataset.from_generator
    data.Dataset.from_tensor_slices data.Dataset.range data.Dataset.zip debugging.Assert
    debugging.assert_equal debugging.assert_positive distribute.MirroredStrategy divide
    dtypes.int32 einsum equal errors errors.InvalidArgumentError errors.OpError
    errors.OutOfRangeError executing_eagerly exp expand_dims eye fill float16 float32 float64
    floor foldl function gather gather_nd greater greater_equal group identity init_scope int16
    int32 int64 int8 is_tensor keras.Model keras.Sequential keras.datasets.mnist keras.layers.*
    keras.layers.Dense keras.layers.Dropout keras.layers.Flatten keras.layers.Layer
    keras.layers.Reshape keras.losses.* keras.losses.MeanSquaredError
    keras.losses.SparseCategoricalCrossentropy keras.metrics.* keras.metrics.Mean
    keras.metrics.SparseCategoricalAccuracy keras.models.Model keras.optimizers.*
    keras.optimizers.Adam keras.optimizers.SGD less less_equal linalg.* linspace logical_and
    logical_not logical_or map_fn math.* math.cumsum math.floormod math.log math.top_k matmul
    maximum minimum multiply name_scope negative nest.* nest.flatten nest.map_structure newaxis
    nn.* nn.relu nn.softmax no_op norm not_equal numpy_function one_hot ones ones_like pad pow
    print py_function ragged.constant random.Generator random.normal random.set_seed
    random.stateless_uniform random.uniform range rank reduce_all reduce_any reduce_max
    reduce_mean reduce_min reduce_prod reduce_sum repeat reshape reverse roll round
    saved_model.load saved_model.save scan scatter_nd shape sigmoid sign sin size slice sort
    split sqrt square squeeze stack stop_gradient strided_slice string strings.* subtract
    summary.create_file_writer summary.histogram summary.scalar summary.trace_export
    summary.trace_on switch_case tanh tensor_scatter_nd_update tensordot test.TestCase
    test.main tile train.Checkpoint transpose uint16 uint32 uint64 uint8 unique unstack
    vectorized_map where while_loop zeros zeros_like
""".split()

# The programs of TensorFlow's own guide to graphs need these.
NEEDED = """
    constant convert_to_tensor Variable Tensor TensorShape TensorSpec function cast range zeros ones
    eye fill reshape transpose concat stack matmul add subtract multiply divide pow maximum minimum
    abs sqrt exp greater greater_equal less equal not_equal logical_and logical_not logical_or
    reduce_sum reduce_mean reduce_max reduce_min reduce_all reduce_any where gather shape size rank
    cond while_loop print bool int32 int64 float32 float64 string newaxis
    errors.InvalidArgumentError errors.OutOfRangeError
    autograph.to_code autograph.to_graph autograph.experimental.do_not_convert
    config.run_functions_eagerly config.functions_run_eagerly
    config.experimental_run_functions_eagerly nest.flatten nest.map_structure
    math.log math.floormod math.reduce_sum math.exp dtypes.int32 debugging.assert_equal
""".split()


def look_up(path):
    value = tf
    for part in path.split("."):
        value = getattr(value, part)
    return value


@for_each("path", USED)
def test_a_name_exists_or_raises_attribute_error(path):
    path = path.removesuffix(".*")
    try:
        assert look_up(path) is not None or path == "newaxis"
    except AttributeError as error:
        ours = r"autograph\.compat\.tensorflow[\w.]* has no \w+( yet|; instead: .+)"
        of_a_class = r"type object '\w+' has no attribute '\w+'"
        assert re.fullmatch(f"{ours}|{of_a_class}", str(error))


@pytest.mark.parametrize("path", NEEDED)
def test_the_names_of_the_guide_exist(path):
    assert path.rpartition(".")[2] in dir(look_up(path.rpartition(".")[0]) if "." in path else tf)


def test_names_are_the_same_objects_as_ours():
    assert tf.function is ag.function
    assert tf.reduce_sum is rt.reduce_sum is tf.math.reduce_sum
    assert tf.print is rt.print_
    assert tf.int32 is rt.int32 is tf.dtypes.int32
    assert tf.errors.InvalidArgumentError is rt.errors.InvalidArgumentError
    assert tf.config.run_functions_eagerly is ag.run_functions_eagerly
    assert tf.newaxis is None
    assert importlib.import_module("autograph.compat.tensorflow") is tf


@pytest.mark.parametrize(
    "path, message",
    [
        ("nothing", "autograph.compat.tensorflow has no nothing yet"),
        ("math.nothing", "autograph.compat.tensorflow.math has no nothing yet"),
        ("autograph.nothing", "autograph.compat.tensorflow.autograph has no nothing yet"),
    ],
)
def test_the_error_names_the_namespace(path, message):
    with pytest.raises(AttributeError, match=f"^{re.escape(message)}$"):
        look_up(path)


def test_every_listed_name_is_in_the_tables():
    known = {
        f"{space}.{name}".strip(".") for space, names in SAME.items() for name in names.split()
    }
    known |= {*RENAMED, *DEVICES, "newaxis"}
    present = {path for path in USED if not path.endswith("*")} & set(every_path(tf._TREE))
    assert present <= known


def every_path(tree):
    return list(tree.paths())


def test_a_program_for_tensorflow_runs():
    @tf.function
    def my_function(x):
        if tf.reduce_sum(x) <= 1:
            return x * x
        else:
            return x - 1

    assert my_function(tf.constant(1.0)).numpy() == 1.0
    assert my_function(tf.constant([5.0, 5.0])).numpy().tolist() == [4.0, 4.0]
    assert np.array_equal(tf.eye(2, dtype=tf.dtypes.int32), [[1, 0], [0, 1]])


def test_the_version_is_tensorflows():
    assert tf.__version__ == f"2.21.0+autograph.{ag.__version__}"


def test_datasets_have_the_old_names_of_constants() -> None:
    experimental = tf.data.experimental
    assert experimental.AUTOTUNE == tf.data.AUTOTUNE
    assert experimental.INFINITE_CARDINALITY == tf.data.INFINITE_CARDINALITY
    assert experimental.UNKNOWN_CARDINALITY == tf.data.UNKNOWN_CARDINALITY
