"""Node names of a session's graph agree with TensorFlow 2.21 (recorded)."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.errors import ArgumentValueError

v1 = tf.compat.v1


def test_operators_and_functions_name_their_nodes() -> None:
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        y = v1.placeholder(tf.float32, [2, 3])
        b = x > 1
        found = [x + 1, x + x, x * 2, 2 * x, 1 - x, x / 2, x**2, -x, x @ y, b, ~b, x[0], abs(x)]
        more = [tf.add(x, x), tf.matmul(x, y), tf.reduce_sum(x), tf.square(x), tf.concat([x, x], 0)]
    assert (
        "add add_1 mul mul_1 sub truediv pow Neg matmul Greater LogicalNot strided_slice Abs"
    ).split() == [each.op.name for each in found]
    assert "Add_2 MatMul_1 Sum Square concat".split() == [each.op.name for each in more]
    assert ["x:0", "Placeholder:0", "mul_1/x"] == [x.name, y.name, found[3].op.inputs[0].op.name]


def test_a_given_name_is_the_name_of_the_node() -> None:
    with tf.Graph().as_default() as graph:
        a, b = tf.constant(3.0, name="a"), tf.constant(4.0, name="a")
        total = tf.add(a, b, name="total")
        loss = tf.norm(tf.stack([a, b]), name="loss")
        assert ["a:0", "a_1:0", "total:0", "loss:0"] == [a.name, b.name, total.name, loss.name]
        assert "loss/" in "".join(op.name for op in graph.get_operations())
        with pytest.raises(ArgumentValueError, match="not a valid name of a node"):
            tf.add(a, b, name="a name")
    with v1.Session(graph=graph) as session:
        assert [7.0, 3.0, 5.0] == session.run(["total:0", "a:0", "loss:0"])
        assert 9.0 == session.run("total:0", {"a:0": 5.0})


def test_calls_on_one_line_have_distinct_names() -> None:
    with tf.Graph().as_default():
        found: Any = tf.constant(1.0)
        names = []
        for each in (found, 1.0, found):
            found = rt.math.squared_difference(found, each, name="step")
            names.append(found.op.name)
        names.append((found + 1 + 2).op.name)
    assert ["step", "step_1", "step_2", "add_1"] == names


def test_scopes_are_prefixes_and_numbered() -> None:
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [], name="x")
        with tf.name_scope("s") as scope, tf.name_scope("t"):
            inner = tf.add(x, 1, name="a")
        with tf.name_scope("s"):
            again = x + 1
        with tf.name_scope(scope):
            same = x + 1
        w = [tf.Variable(1.0, name="w") for _ in range(2)]
        with v1.name_scope(None, "default", [x]) as named:
            pass
    assert ["s/t/a", "s_1/add", "s/add"] == [each.op.name for each in (inner, again, same)]
    assert ["s/", "w:0", "w_1:0", "default/"] == [scope, w[0].name, w[1].name, named]


def test_graphs_of_functions_keep_the_names_of_ops() -> None:
    graph = rt.Graph()
    with graph.recording():
        x = tf.multiply(tf.constant(2), 3)
    assert "multiply:0" == x.name
