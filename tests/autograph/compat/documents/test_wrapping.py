"""TensorFlow's first examples: a function becomes a graph, by decorator or by call.

Topics, each in both spellings: a decorated function; a wrapped function beside the plain one; a
function that the decorated one calls; plain calls run each time, a wrapped function once for its
trace; every wrapping traces for itself; a method; what it is named and how it is found again.
"""

from __future__ import annotations

import inspect

import numpy as np

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from tests.autograph.compat.documents.spellings import both, printed_by

ROW, COLUMN = [[3.0, 1.0]], [[2.0], [4.0]]
PRODUCT = np.array(ROW, np.float32) @ np.array(COLUMN, np.float32) + np.float32(0.5)


def wrapped_in_compat():
    def weighed(row, column, offset):
        row = tf.matmul(row, column)
        return row + offset

    as_graph = tf.function(weighed)
    given = tf.constant(ROW), tf.constant(COLUMN), tf.constant(0.5)
    assert weighed(*given).numpy() == as_graph(*given).numpy()
    print(repr(as_graph(*given).numpy()))


def wrapped_in_native():
    def weighed(row, column, offset):
        row = rt.matmul(row, column)
        return row + offset

    as_graph = ag.function(weighed)
    given = rt.constant(ROW), rt.constant(COLUMN), rt.constant(0.5)
    assert weighed(*given).numpy() == as_graph(*given).numpy()
    print(repr(as_graph(*given).numpy()))


@both(wrapped_in_compat, wrapped_in_native)
def test_a_wrapped_function_agrees_with_the_plain_one(program):
    assert [repr(PRODUCT)] == ["array([[10.5]], dtype=float32)"] == printed_by(program)


def decorated_in_compat():
    @tf.function
    def shifted(x):
        column = tf.constant([[1.0], [7.0]])
        step = tf.constant(0.5)
        return column + step

    print(shifted(4))
    print(repr(shifted(4)))


def decorated_in_native():
    @ag.function
    def shifted(x):
        column = rt.constant([[1.0], [7.0]])
        step = rt.constant(0.5)
        return column + step

    print(shifted(4))
    print(repr(shifted(4)))


@both(decorated_in_compat, decorated_in_native)
def test_a_decorated_function_prints_its_tensor_in_both_forms(program):
    array = np.array([[1.5], [7.5]], np.float32)
    assert printed_by(program) == [
        *f"rt.Tensor(\n{array}, shape=(2, 1), dtype=float32)".splitlines(),
        *f"<rt.Tensor: shape=(2, 1), dtype=float32, numpy=\n{array!r}>".splitlines(),
    ]


def calling_in_compat():
    def inner(row, column, offset):
        row = tf.matmul(row, column)
        return row + offset

    @tf.function
    def outer(row):
        column = tf.constant(COLUMN)
        offset = tf.constant(0.5)
        return inner(row, column, offset)

    print(repr(outer(tf.constant(ROW)).numpy()))
    return outer


def calling_in_native():
    def inner(row, column, offset):
        row = rt.matmul(row, column)
        return row + offset

    @ag.function
    def outer(row):
        column = rt.constant(COLUMN)
        offset = rt.constant(0.5)
        return inner(row, column, offset)

    print(repr(outer(rt.constant(ROW)).numpy()))
    return outer


@both(calling_in_compat, calling_in_native)
def test_the_graph_includes_called_functions(program):
    made = []
    assert [repr(PRODUCT)] == printed_by(lambda: made.append(program()))
    (outer,) = made
    graph = outer.get_concrete_function(rt.constant(ROW)).graph
    assert {"constant", "matmul", "add"} == {node.op.name for node in graph.nodes}
    assert 1 == outer.experimental_get_tracing_count()


def plain_and_wrapped_in_compat():
    def next_one(x):
        print("here is Python")
        return x + 1

    for count in (1, 2):
        print(next_one(tf.constant(count)).numpy())
    as_graph = tf.function(next_one)
    for count in (3, 4, 5):
        print(as_graph(tf.constant(count)).numpy())


def plain_and_wrapped_in_native():
    def next_one(x):
        print("here is Python")
        return x + 1

    for count in (1, 2):
        print(next_one(rt.constant(count)).numpy())
    as_graph = ag.function(next_one)
    for count in (3, 4, 5):
        print(as_graph(rt.constant(count)).numpy())


@both(plain_and_wrapped_in_compat, plain_and_wrapped_in_native)
def test_python_runs_in_plain_calls_and_once_for_the_trace(program):
    word = "here is Python"
    assert [word, "2", word, "3", word, "4", "5", "6"] == printed_by(program)


def wrapped_again_in_compat():
    def greet():
        print("traced")
        tf.print("executed")

    tf.function(greet)()
    tf.function(greet)()


def wrapped_again_in_native():
    def greet():
        print("traced")
        rt.print("executed")

    ag.function(greet)()
    ag.function(greet)()


@both(wrapped_again_in_compat, wrapped_again_in_native)
def test_every_wrapping_traces_for_itself(program):
    assert ["traced", "executed"] * 2 == printed_by(program)


class ScaleInCompat:
    factor = 3

    @tf.function
    def __call__(self, x):
        """Scale."""
        return x * self.factor


class ScaleInNative:
    factor = 3

    @ag.function
    def __call__(self, x):
        """Scale."""
        return x * self.factor


@both(ScaleInCompat, ScaleInNative)
def test_a_method_is_decorated_where_its_class_is(program):
    scale, other = program(), program()
    other.factor = 5
    assert [2 * 3, 4 * 3] == [int(scale(rt.constant(each))) for each in (2, 4)]
    assert 2 * 5 == int(other(rt.constant(2)))
    assert 1 == scale.__call__.experimental_get_tracing_count()


def named_in_compat():
    return tf.function(ScaleInCompat.__call__.python_function)


def named_in_native():
    return ag.function(ScaleInNative.__call__.python_function)


@both(named_in_compat, named_in_native)
def test_a_wrapper_has_the_signature_of_its_function(program):
    wrapper = program()
    assert "(self, x)" == str(inspect.signature(wrapper))
    assert ("__call__", "Scale.") == (wrapper.__name__, wrapper.__doc__)
