"""TensorFlow's introductory examples of retracing.

Topics, each in both spellings: tensors of new values, and Python numbers, beside a `print`; a
Python number that says how often a loop of matrix products runs; a change of shape, with and
without a signature; a dict by its keys and by the shapes in it; names of the old way.
"""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from tests.autograph.compat.documents.spellings import both, printed_by


def numbers_in_compat():
    @tf.function
    def cubed_and_more(x):
        print("traced")
        return x * x * x + tf.constant(1)

    print(cubed_and_more(tf.constant(2)))
    print()
    print(cubed_and_more(tf.constant(3)))
    for number in (2, 3, 2):
        print(cubed_and_more(number))


def numbers_in_native():
    @ag.function
    def cubed_and_more(x):
        print("traced")
        return x * x * x + rt.constant(1)

    print(cubed_and_more(rt.constant(2)))
    print()
    print(cubed_and_more(rt.constant(3)))
    for number in (2, 3, 2):
        print(cubed_and_more(number))


@both(numbers_in_compat, numbers_in_native)
def test_python_numbers_retrace_and_tensors_do_not(program):
    two, three = (f"rt.Tensor({n**3 + 1}, shape=(), dtype=int32)" for n in (2, 3))
    assert ["traced", two, "", three, "traced", two, "traced", three, two] == printed_by(program)


MATRIX = [[1, 1, 0], [0, 1, -1], [1, 0, 1]]


def powers_in_compat():
    def power(x, n):
        result = tf.eye(3, dtype=tf.dtypes.int32)
        for _ in range(n):
            result = tf.matmul(x, result)
        return result

    as_graph = tf.function(power)
    matrix = tf.constant(MATRIX)
    print(power(matrix, 9).numpy().tolist())
    print(as_graph(matrix, 9).numpy().tolist())
    return as_graph


def powers_in_native():
    def power(x, n):
        result = rt.eye(3, dtype=rt.int32)
        for _ in range(n):
            result = rt.matmul(x, result)
        return result

    as_graph = ag.function(power)
    matrix = rt.constant(MATRIX)
    print(power(matrix, 9).numpy().tolist())
    print(as_graph(matrix, 9).numpy().tolist())
    return as_graph


@both(powers_in_compat, powers_in_native)
def test_a_loop_over_a_python_number_is_unrolled(program):
    made = []
    wanted = np.linalg.matrix_power(np.array(MATRIX), 9).tolist()
    assert [str(wanted)] * 2 == printed_by(lambda: made.append(program()))
    graph = made[0].get_concrete_function(rt.constant(MATRIX), 9).graph
    assert 9 == sum(node.op.name == "matmul" for node in graph.nodes)


def shapes_in_compat():
    def halved(x):
        print("traced for", x)
        return x / 2

    for signature in (None, [tf.TensorSpec([None], tf.float32)]):
        as_graph = tf.function(halved, input_signature=signature)
        for size in (1, 2, 1, 3):
            as_graph(tf.ones([size]))


def shapes_in_native():
    def halved(x):
        print("traced for", x)
        return x / 2

    for signature in (None, [rt.TensorSpec([None], rt.float32)]):
        as_graph = ag.function(halved, input_signature=signature)
        for size in (1, 2, 1, 3):
            as_graph(rt.ones([size]))


@both(shapes_in_compat, shapes_in_native)
def test_a_new_shape_retraces_unless_the_signature_leaves_it_open(program):
    sizes = [1, 2, 3, None]
    wanted = [f'traced for Tensor("x:0", shape=({size},), dtype=float32)' for size in sizes]
    assert wanted == printed_by(program)


DICTS = [{"a": 1}, {"a": 1}, {"a": 2}, {"a": 1, "b": 2}, {"a": 2}, {"c": 1}]


def dicts_in_compat():
    @tf.function
    def total(parts):
        print("traced for", ", ".join(f"{key} {part.shape}" for key, part in parts.items()))
        result = tf.constant(0.0)
        for part in parts.values():
            result += tf.reduce_sum(part)
        return result

    for sizes in DICTS:
        print(total({key: tf.ones([size]) for key, size in sizes.items()}).numpy())


def dicts_in_native():
    @ag.function
    def total(parts):
        print("traced for", ", ".join(f"{key} {part.shape}" for key, part in parts.items()))
        result = rt.constant(0.0)
        for part in parts.values():
            result += rt.reduce_sum(part)
        return result

    for sizes in DICTS:
        print(total({key: rt.ones([size]) for key, size in sizes.items()}).numpy())


@both(dicts_in_compat, dicts_in_native)
def test_a_dict_is_keyed_by_its_keys_and_shapes(program):
    wanted, known = [], []
    for sizes in DICTS:
        if sizes not in known:
            known.append(sizes)
            wanted.append("traced for " + ", ".join(f"{k} ({n},)" for k, n in sizes.items()))
        wanted.append(str(float(sum(sizes.values()))))
    assert wanted == printed_by(program)


def old_way_in_compat():
    graph = tf.Graph()
    with graph.as_default():
        rows = tf.compat.v1.placeholder(shape=(None, 2), dtype=tf.float32, name="rows")
        product = tf.matmul(rows, tf.transpose(rows))
    print(rows)
    print(product.shape)
    with tf.compat.v1.Session(graph=graph) as session:
        print(session.run(product, {rows: [[3.0, 4.0], [1.0, 0.0]]}).tolist())


def old_way_in_native():
    graph = rt.Graph("products")
    with graph.as_default():
        rows = rt.session.placeholder(rt.float32, (None, 2), "rows")
        product = rt.matmul(rows, rt.transpose(rows))
    print(rows)
    print(product.shape)
    with rt.session.Session(graph=graph) as session:
        print(session.run(product, {rows: [[3.0, 4.0], [1.0, 0.0]]}).tolist())


@both(old_way_in_compat, old_way_in_native)
def test_a_graph_is_built_and_run_in_tensorflow_1_style(program):
    rows = np.array([[3.0, 4.0], [1.0, 0.0]])
    assert printed_by(program) == [
        'Tensor("rows:0", shape=(None, 2), dtype=float32)',
        "(None, None)",
        str((rows @ rows.T).tolist()),
    ]


@pytest.mark.parametrize(
    "name, instead",
    [
        ("placeholder", r"tf\.compat\.v1\.placeholder\(dtype, shape\), and a graph to put it in"),
        ("Session", r"tf\.compat\.v1\.Session\(graph=\.\.\.\)"),
        ("assign", r"variable\.assign\(value\)"),
    ],
)
def test_names_of_tensorflow_1_raise_with_a_remedy(name, instead):
    with pytest.raises(AttributeError, match=f"has no {name} yet: write {instead}$"):
        getattr(tf, name)
