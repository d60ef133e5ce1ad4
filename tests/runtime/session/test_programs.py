"""Programs for sessions; numbers recorded from TensorFlow 2.21."""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograph.compat import tensorflow as tf
from runtime.errors import (
    ArgumentValueError,
    FailedPreconditionError,
    GraphError,
    InvalidArgumentError,
    ShapeError,
)

v1 = tf.compat.v1


def run(fetches: Any, feed_dict: Any = None) -> Any:
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        return session.run(fetches, feed_dict)


@pytest.fixture(autouse=True)
def graph() -> Any:
    with tf.Graph().as_default() as made:
        yield made


def _line() -> tuple[Any, Any, Any]:
    x = v1.placeholder(tf.float32, [None, 1], name="x")
    y = v1.placeholder(tf.float32, [None, 1], name="y")
    weights = tf.Variable(tf.zeros([1, 1]), name="W")
    bias = v1.get_variable("b", [1], initializer=tf.zeros_initializer())
    return tf.reduce_mean(tf.square(tf.matmul(x, weights) + bias - y)), weights, bias


ROWS = {"x:0": [[1.0], [2.0], [3.0]], "y:0": [[3.0], [5.0], [7.0]]}


def test_a_line_is_fitted() -> None:
    loss, _, _ = _line()
    train = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
    assert ("GradientDescent", "NoOp") == (train.name, train.type)
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        losses = [session.run([train, loss], ROWS)[1] for _ in range(5)]
    np.testing.assert_allclose([27.6667, 0.3319, 0.0053, 0.0013, 0.0012], losses, atol=1e-4)


@pytest.mark.parametrize(
    ("make", "weight", "bias"),
    [
        (lambda: v1.train.AdamOptimizer(0.01), 0.019998, 0.019998),
        (lambda: v1.train.MomentumOptimizer(0.01, 0.9), 0.632178, 0.278933),
        (
            lambda: v1.train.MomentumOptimizer(0.01, 0.9, use_nesterov=True),
            0.954122,
            0.421049,
        ),
        (lambda: v1.train.AdagradOptimizer(0.1), 0.168524, 0.168423),
        (lambda: v1.train.RMSPropOptimizer(0.01), 0.053994, 0.052547),
    ],
)
def test_two_steps_of_each_optimizer(make: Callable[[], Any], weight: float, bias: float) -> None:
    loss, w, b = _line()
    step = v1.train.get_or_create_global_step()
    train = make().minimize(loss, global_step=step)
    assert 2 == len(v1.trainable_variables())
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        for _ in range(2):
            train.run(ROWS)
        found = session.run([w, b, step])
    np.testing.assert_allclose([weight, bias, 2], [float(np.ravel(v)[0]) for v in found], atol=1e-6)


def test_variables_are_found_by_name() -> None:
    with v1.variable_scope("lay"):
        b = v1.get_variable("b", [2], initializer=v1.constant_initializer(5.0))
        assert ("lay/b:0", "lay/cc:0") == (b.name, tf.add(b, 1.0, name="cc").name)
        with v1.variable_scope("in"):
            assert "lay/in/d:0" == v1.get_variable("d", initializer=tf.constant([1, 2])).name
    with v1.variable_scope("lay", reuse=True) as scope:
        assert b is v1.get_variable("b")
        with pytest.raises(ArgumentValueError, match="no variable 'lay/nope'"):
            v1.get_variable("nope", [2])
        with pytest.raises(ShapeError, match="'lay/b' has shape"):
            v1.get_variable("b", [3])
    with v1.variable_scope("lay"), pytest.raises(ArgumentValueError, match="'lay/b' already"):
        v1.get_variable("b", [2])
    with v1.variable_scope("lay", reuse=v1.AUTO_REUSE):
        assert (b, "lay/n:0") == (v1.get_variable("b", [2]), v1.get_variable("n", [1]).name)
    with v1.variable_scope(scope, reuse=True):
        assert b is v1.get_variable("b", [2])
    with v1.variable_scope(None, default_name="lay"):
        assert "lay_1/q:0" == v1.get_variable("q", []).name
    names = [v.name for v in v1.get_collection(v1.GraphKeys.TRAINABLE_VARIABLES, scope="lay/")]
    assert ["lay/b:0", "lay/in/d:0", "lay/n:0"] == names
    assert [5.0, 5.0] == run(b).tolist()


def test_a_scope_that_is_entered_again_keeps_its_dtype() -> None:
    with v1.variable_scope("a", dtype=tf.float64) as scope:
        assert tf.float64 == v1.get_variable("v", [2]).dtype
    with v1.variable_scope(scope):
        assert tf.float64 == v1.get_variable("w", [2]).dtype


def test_assignments_return_the_assigned_value() -> None:
    v = tf.Variable([1.0, 2.0])
    first, second = v1.assign(v, [7.0, 8.0]), v1.assign_add(v, [1.0, 1.0])
    with v1.Session() as session:
        session.run(v.initializer)
        assert [7.0, 8.0] == session.run(first).tolist()
        assert [8.0, 9.0] == session.run(second).tolist() == v.eval().tolist()


def test_control_dependencies_run_first() -> None:
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    with tf.control_dependencies([v.assign_add(2.0)]):
        read = tf.identity(v)
        nothing = tf.no_op(name="train")
    with tf.control_dependencies([tf.debugging.assert_greater(v, 5.0)]):
        checked = tf.identity(w)
    both = tf.group(v.assign(5.0), w.assign_add(1.0), name="both")
    assert ("train", "both") == (nothing.name, both.name)
    assert 3.0 == run(read)
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        for each in (nothing, "train"):
            assert session.run(each) is None
        assert 5.0 == session.run(v)
        with pytest.raises(InvalidArgumentError):
            session.run(checked)
        session.run([both, w.assign_add(1.0)])
        assert [5.0, 4.0] == session.run([v, w])
        session.run(v.assign(6.0))
        assert 4.0 == session.run(checked)


def test_a_step_is_found_by_its_name() -> None:
    loss, weights, _ = _line()
    train = v1.train.AdamOptimizer(0.01).minimize(loss, name="train")
    again = v1.train.GradientDescentOptimizer(0.0).minimize(loss, name="train")
    assert ("train", "train_1", "W") == (train.name, again.name, weights.op.name)
    with v1.Session(config=v1.ConfigProto(allow_soft_placement=True)) as session:
        session.run([v1.global_variables_initializer(), v1.local_variables_initializer()])
        session.run("train", ROWS)
        np.testing.assert_allclose(0.01, session.run(weights)[0], atol=1e-6)


def test_a_placeholder_may_have_a_value() -> None:
    x = v1.placeholder_with_default(tf.constant([1.0, 2.0]), [None], name="x")
    assert ("x:0", [None]) == (x.name, x.shape.as_list())
    assert ([2.0, 4.0], [10.0]) == (run(x * 2).tolist(), run(x * 2, {"x:0": [5.0]}).tolist())
    with pytest.raises(ShapeError):
        v1.placeholder_with_default([1.0], [2])


def test_old_argument_names_are_supported() -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    found = run(
        [
            v1.reduce_mean(x, 0, keep_dims=True),
            v1.reduce_max(x, reduction_indices=1, name="most"),
            v1.argmax(x, dimension=0),
            v1.squeeze(x[:, :1], squeeze_dims=[1]),
            v1.div(7, 2),
            v1.nn.dropout(x, keep_prob=1.0),
            v1.while_loop(lambda i: i < 4, lambda i: i + 1, [0]),
            "most:0",
        ]
    )
    rows: Any = [[[2, 3]], [2, 4], [1, 1], [1, 3], 3, [[1, 2], [3, 4]], 4, [2, 4]]
    assert rows == [each.tolist() for each in found]
    with pytest.raises(TypeError, match="two values for 'axis'"):
        v1.reduce_sum(x, 0, reduction_indices=1)


def test_a_program_may_record_from_the_start() -> None:
    def program() -> Any:
        v1.disable_eager_execution()
        with pytest.raises(GraphError), tf.Graph().as_default():
            v1.reset_default_graph()
        x = v1.placeholder(tf.float32, [])
        assert not tf.executing_eagerly() and x.graph is v1.get_default_graph()
        session = v1.InteractiveSession()
        found = (x * 2).eval({x: 4.0})
        session.close()
        assert v1.get_default_session() is None
        v1.reset_default_graph()
        assert x.graph is not v1.get_default_graph()
        return found

    assert 8.0 == contextvars.Context().run(program)


def test_methods_of_a_graph_agree_with_functions(graph: Any) -> None:
    v = tf.Variable(1.0, name="v")
    with graph.name_scope("q"), graph.device("/cpu:0"):
        added = tf.add(v, 1.0, name="z")
    with graph.control_dependencies([v.assign(5.0)]):
        read = v.read_value()
    assert (added, added.op) == (graph.as_graph_element("q/z:0"), graph.as_graph_element("q/z"))
    assert [v] == graph.get_collection("trainable_variables")
    assert 5.0 == run(read)


def test_values_are_saved_and_restored(tmp_path: Any) -> None:
    v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable(3, name="w")
    more, saver = v.assign_add([1.0, 1.0]), v1.train.Saver(max_to_keep=1)
    with v1.Session() as session:
        with pytest.raises(FailedPreconditionError, match="'v' has no value"):
            saver.save(session, str(tmp_path / "model"))
        session.run(v1.global_variables_initializer())
        saver.save(session, str(tmp_path / "model"), global_step=1)
        session.run(more)
        path = saver.save(session, str(tmp_path / "model"), global_step=w)
    assert str(tmp_path / "model-3") == path == v1.train.latest_checkpoint(str(tmp_path))
    assert [path] == saver.last_checkpoints and not (tmp_path / "model-1.ckpt").exists()
    with v1.Session() as session:
        saver.restore(session, path)
        assert [[2.0, 3.0], 3] == [each.tolist() for each in session.run([v, w])]
        with pytest.raises(KeyError, match="no value for variable 'other'"):
            v1.train.Saver({"other": v}).restore(session, path)
        with pytest.raises(ShapeError, match="variable 'w' is"):
            v1.train.Saver({"w": v}).restore(session, path)
        with pytest.raises(tf.errors.NotFoundError):
            saver.restore(session, str(tmp_path / "nothing"))
    with tf.Graph().as_default(), pytest.raises(ArgumentValueError, match="no variable to save"):
        v1.train.Saver()


def test_eval_uses_the_enclosing_session() -> None:
    x = tf.constant(2.0)
    with pytest.raises(ArgumentValueError, match="need a session"):
        x.eval()
    session = v1.Session()
    with session.as_default():
        assert (2.0, session) == (x.eval(), v1.get_default_session())
    assert 2.0 == x.eval(session=session)
