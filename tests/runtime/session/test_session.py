"""Sessions: fetches, feeds and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from runtime.errors import (
    ArgumentValueError,
    DTypeError,
    FailedPreconditionError,
    GraphError,
    MissingNameError,
    ShapeError,
)

v1 = tf.compat.v1


@pytest.fixture
def product() -> Any:
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, (None, 2), name="x")
        y = x * 2.0
        z = tf.reduce_sum(y)
    return graph, x, y, z


def test_values_have_the_structure_of_the_fetches(product: Any) -> None:
    graph, x, y, z = product
    with v1.Session(graph=graph) as session:
        found = session.run({"y": y, "rest": [z, (x, "Sum:0")]}, {x: [[1.0, 2.0]]})
        assert [[2.0, 4.0]] == found["y"].tolist()
        assert (6.0, [[1.0, 2.0]], 6.0) == (
            found["rest"][0],
            found["rest"][1][0].tolist(),
            found["rest"][1][1],
        )
        assert isinstance(session.run(z, {"x:0": np.ones((3, 2))}), np.float32)


def test_a_fed_tensor_is_not_computed(product: Any) -> None:
    graph, _, y, z = product
    assert 7.0 == v1.Session(graph=graph).run(z, feed_dict={y: [[3.0, 4.0]]})
    assert [[3.0, 4.0]] == v1.Session(graph=graph).run(y, feed_dict={y: [[3.0, 4.0]]}).tolist()


@pytest.mark.parametrize(
    ("fetch", "feed", "error", "words"),
    [
        ("mul:0", {}, ArgumentValueError, r"placeholder 'x', of dtype float32 .* \(None, 2\)"),
        (
            "mul:0",
            {"x:0": [1.0, 2.0, 3.0]},
            ShapeError,
            r"the value for 'x:0' must have shape .*, not \(3,\)",
        ),
        ("mul:0", {"x:0": [["a", "b"]]}, DTypeError, "the value for 'x:0'"),
        ("mul:0", {"nothing:0": 1.0}, MissingNameError, "no node 'nothing'"),
        ("mul:0", {"x": 1.0}, DTypeError, "cannot be fed"),
        ("mul:0", [1.0], DTypeError, "feed_dict must be a dict"),
        ("mul:5", {}, KeyError, "has 1 results"),
        (3, {}, DTypeError, "3 cannot be fetched"),
        (None, {}, DTypeError, "None cannot be fetched"),
        (rt.constant(1), {}, DTypeError, "cannot be fetched"),
    ],
)
def test_invalid_fetches_and_feeds_are_refused(
    product: Any, fetch: Any, feed: Any, error: Any, words: str
) -> None:
    with v1.Session(graph=product[0]) as session, pytest.raises(error, match=words):
        session.run(fetch, feed)


def test_a_tensor_of_another_graph_is_refused(product: Any) -> None:
    with tf.Graph().as_default() as other:
        a = tf.constant(1) + 1
    with pytest.raises(ArgumentValueError, match="another graph"):
        v1.Session(graph=product[0]).run(a)
    with pytest.raises(ArgumentValueError, match="another graph"):
        v1.Session(graph=product[0]).run(a.op)
    assert 2 == v1.Session(graph=other).run(a)


def test_a_closed_session_is_refused(product: Any) -> None:
    with v1.Session(graph=product[0]) as session:
        pass
    with pytest.raises(RuntimeError, match="is closed"):
        session.run(product[2])


def test_each_session_has_its_variable_values() -> None:
    with tf.Graph().as_default() as graph:
        v = tf.Variable(2.0, name="v")
        read = v * 10.0
        more = v.assign_add(1.0)
        init = v1.global_variables_initializer()
    first, second = v1.Session(graph=graph), v1.Session(graph=graph)
    for session in (first, second):
        with pytest.raises(FailedPreconditionError, match="'v' has no value in this session"):
            session.run(read)
        assert session.run(init) is None
    assert [3.0, 3.0] == first.run([more, more])
    assert 4.0 == first.run(more)
    assert [4.0, 40.0] == first.run([v, read])
    assert [2.0, 20.0] == second.run([v, read])


def test_effects_run_only_when_they_are_fetched(capsys: Any) -> None:
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.int32, ())
        tf.print("seen", x)
        y = x + 1
    session = v1.Session(graph=graph)
    assert 3 == session.run(y, {x: 2})
    assert "" == capsys.readouterr().err
    assert [None, 3] == session.run(["PrintV2", y], {x: 2})
    assert "seen 2\n" == capsys.readouterr().err


def test_regions_and_functions_run_in_sessions() -> None:
    double = ag.function(lambda x: x * 2)

    @ag.convert
    def collatz(n: Any) -> Any:
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.int32, ())
        chosen = tf.cond(x > 0, lambda: double(x), lambda: -x)
        steps = collatz(x)
    session = v1.Session(graph=graph)
    assert [12, 8] == session.run([chosen, steps], {x: 6})
    assert 3 == session.run(chosen, {x: -3})


def test_a_graph_lists_its_operations(product: Any) -> None:
    graph, x, y, _ = product
    names = [op.name for op in graph.get_operations()]
    assert ["x", "mul/y", "mul", "Sum"] == names
    op = graph.get_operation_by_name("mul")
    assert (y.op, "Mul", [x]) == (op, op.type, [each for each in op.inputs if each is x])
    assert op.outputs[0] is graph.get_tensor_by_name("mul:0") is y
    assert "Placeholder" == x.op.type
    with pytest.raises(TypeError, match="the name of a tensor must be a string, not 3"):
        graph.get_tensor_by_name(3)
    with pytest.raises(ValueError, match="names no tensor"):
        graph.get_tensor_by_name("mul")
    with pytest.raises(KeyError, match="no node 'nothing'"):
        graph.get_operation_by_name("nothing")


def test_placeholders_need_a_graph() -> None:
    with pytest.raises(GraphError, match="with Graph"):
        v1.placeholder(tf.float32)
    with pytest.raises(GraphError, match="takes arguments, not placeholders"):
        ag.function(lambda: v1.placeholder(tf.float32))()
    with pytest.raises(GraphError, match="needs a graph"):
        v1.Session()


def test_the_current_graph_is_the_one_of_the_session(product: Any) -> None:
    with v1.Session(graph=product[0]):
        assert product[0] is v1.get_default_graph()
        assert not tf.executing_eagerly()
    assert tf.executing_eagerly()


def test_names_of_tensorflow_1_name_a_remedy() -> None:
    with pytest.raises(AttributeError, match=r"write tf\.compat\.v1\.placeholder\(dtype, shape\)"):
        tf.placeholder(shape=(None, 5))


def test_values_that_are_no_graphs_are_refused() -> None:
    with pytest.raises(DTypeError, match="a session runs a Graph, not 3"):
        rt.session.Session(graph=3)  # type: ignore[arg-type]
    with pytest.raises(
        DTypeError, match=r"target must be text, not .*: write Session\(graph=...\)"
    ):
        rt.session.Session(rt.Graph())  # type: ignore[arg-type]
