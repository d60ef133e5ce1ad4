"""What introductions to `tf.function` show of tracing, signatures and side effects, import changed.

Each test is such a program and what it is said to print.
"""

from __future__ import annotations

import numpy as np
import pytest

from autograph.compat import tensorflow as tf


def printed(capfd):
    """Return what was printed since it was last asked for, both streams, line by line."""
    captured = capfd.readouterr()
    return (captured.out + captured.err).splitlines()


def test_a_decorated_function_runs_as_a_graph():
    @tf.function
    def shifted(x):
        column = tf.constant([[2.0], [3.0]])
        return column + tf.constant(4.0)

    assert shifted(2).numpy().tolist() == [[6.0], [7.0]]


def test_a_wrapped_function_runs_as_a_graph():
    def product(a, b):
        return tf.matmul(a, b)

    as_graph = tf.function(product)
    result = as_graph(tf.constant([[1.0, 2.0]]), tf.constant([[2.0], [3.0]])).numpy()
    assert repr(result) == "array([[8.]], dtype=float32)"


def test_both_branches_are_in_the_graph(capfd):
    def branching(x):
        if tf.reduce_sum(x) <= 1:
            return x * x
        else:
            return x - 1

    as_graph = tf.function(branching)
    print("First branch, with graph:", as_graph(tf.constant(1.0)).numpy())
    print("Second branch, with graph:", as_graph(tf.constant([5.0, 5.0])).numpy())
    assert printed(capfd) == [
        "First branch, with graph: 1.0",
        "Second branch, with graph: [4. 4.]",
    ]


def test_normal_calls_are_eager_and_the_wrapped_function_traces_once(capfd):
    def simple(x):
        print("Running eagerly or tracing!")
        return x + 1

    simple(tf.constant(1)), simple(tf.constant(2))
    assert len(printed(capfd)) == 2
    as_graph = tf.function(simple)
    assert [int(as_graph(tf.constant(n))) for n in (1, 2, 3)] == [2, 3, 4]
    assert printed(capfd) == ["Running eagerly or tracing!"]


def test_a_concrete_function_has_a_graph_and_runs(capfd):
    def branching(x):
        print("Running eagerly or tracing!")
        if tf.reduce_sum(x) <= 1:
            return x * x
        else:
            return x - 1

    concrete = tf.function(branching).get_concrete_function(tf.TensorSpec([2], tf.float32))
    assert concrete(tf.constant([5.0, 5.0])).numpy().tolist() == [4.0, 4.0]
    assert concrete(tf.constant([0.5, 0.5])).numpy().tolist() == [0.25, 0.25]
    assert printed(capfd) == ["Running eagerly or tracing!"]


def test_an_input_signature_serves_all_shapes_that_fit():
    @tf.function(input_signature=[tf.TensorSpec(shape=(None, 4), dtype=tf.int32)])
    def incremented(x):
        return x + 1

    for rows in (1, 2, 5):
        assert incremented(tf.zeros((rows, 4), tf.int32)).numpy().tolist() == [[1] * 4] * rows
    assert incremented([[1, 2, 3, 4]]).numpy().tolist() == [[2, 3, 4, 5]]
    assert incremented.experimental_get_tracing_count() == 1
    with pytest.raises(TypeError, match=r"'x' .*shape \(None, 4\) but has shape \(1, 3\)"):
        incremented(tf.zeros((1, 3), tf.int32))
    with pytest.raises(TypeError, match="'x' .* int32 tensor but is a float32 tensor"):
        incremented(tf.zeros((1, 4)))


def test_print_happens_once_a_trace_and_tf_print_each_call(capfd):
    @tf.function
    def f(x):
        print("Traced with", x)
        tf.print("Executed with", x)

    f(1)
    f(1)
    assert printed(capfd) == ["Traced with 1", "Executed with 1", "Executed with 1"]


def test_a_python_number_retraces_and_run_functions_eagerly_prints_each_time(capfd):
    @tf.function
    def add(x, y: int):
        print("tracing", x)
        return x + y

    add(tf.constant(1), 2), add(tf.constant(1), 3), add(tf.constant(5), 3)
    assert printed(capfd) == ['tracing Tensor("x:0", shape=(), dtype=int32)'] * 2
    for switch in (
        tf.config.run_functions_eagerly,
        tf.config.experimental_run_functions_eagerly,
    ):
        switch(True)
        try:
            add(tf.constant(1), 2), add(tf.constant(1), 2)
        finally:
            switch(False)
        assert printed(capfd) == ["tracing rt.Tensor(1, shape=(), dtype=int32)"] * 2
    add(tf.constant(1), 2)
    assert printed(capfd) == []


def test_an_iterator_moves_on_once_a_trace(capfd):
    variable = tf.Variable(0)

    def side_effect(iterator):
        variable.assign_add(next(iterator))
        tf.print("Value of variable:", variable)

    traced, iterator = tf.function(side_effect), iter([0, 1, 2, 3])
    traced(iterator), traced(iterator), traced(iterator)
    assert printed(capfd) == ["Value of variable: 0"] * 3
    variable.assign(0)
    iterator = iter([0, 1, 2, 3])
    side_effect(iterator), side_effect(iterator), side_effect(iterator)
    assert printed(capfd) == [f"Value of variable: {n}" for n in (0, 1, 3)]


def test_one_function_has_a_graph_for_each_dtype(capfd):
    @tf.function
    def poly(a):
        print("Tracing with", a)
        return a

    for value in (1, 1.1, "a", 3.6):
        print(poly(tf.constant(value)))
    assert printed(capfd) == [
        'Tracing with Tensor("a:0", shape=(), dtype=int32)',
        "rt.Tensor(1, shape=(), dtype=int32)",
        'Tracing with Tensor("a:0", shape=(), dtype=float32)',
        "rt.Tensor(1.1, shape=(), dtype=float32)",
        'Tracing with Tensor("a:0", shape=(), dtype=string)',
        "rt.Tensor(b'a', shape=(), dtype=string)",
        "rt.Tensor(3.6, shape=(), dtype=float32)",
    ]
    blocks = poly.pretty_printed_concrete_signatures().split("\n\n")
    assert blocks == [
        f"poly(a)\n  Args:\n    a: {dtype} Tensor, shape=()\n"
        f"  Returns:\n    {dtype} Tensor, shape=()"
        for dtype in ("int32", "float32", "string")
    ]
    for_int = poly.get_concrete_function(tf.constant(3))
    print(for_int(tf.constant(5)))
    print(for_int(a=tf.constant(6)))
    assert printed(capfd) == [
        "rt.Tensor(5, shape=(), dtype=int32)",
        "rt.Tensor(6, shape=(), dtype=int32)",
    ]
    words = "was expected to be a int32 tensor but is a float32 tensor"
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        for_int(tf.constant(7.4))


def test_a_dict_counts_by_its_keys_and_by_the_shapes_in_it():
    @tf.function
    def total(d):
        result = tf.constant(0.0)
        for value in d.values():
            result += tf.reduce_sum(value)
        return result

    def make(**sizes):
        return {name: tf.ones([size]) for name, size in sizes.items()}

    for sizes, count in [({"a": 1}, 1), ({"a": 1}, 1), ({"a": 2}, 2), ({"a": 1, "b": 2}, 3)]:
        assert float(total(make(**sizes))) == sum(sizes.values())
        assert total.experimental_get_tracing_count() == count


def test_a_function_must_not_modify_what_it_is_given():
    @tf.function
    def extended(d):
        d["new"] = d["a"] + 1
        return d

    @tf.function
    def copied(d):
        d = dict(d)
        d["new"] = d["a"] + 1
        return d

    given = {"a": tf.constant(1)}
    with pytest.raises(ValueError, match=r"extended\(d\) should not modify its Python input arg"):
        extended(given)
    assert list(given) == ["a"]
    assert {name: int(value) for name, value in copied(given).items()} == {"a": 1, "new": 2}
    assert list(given) == ["a"]


def test_what_is_not_used_is_not_run():
    def unused(x):
        tf.gather(x, [1])
        return x

    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"indices\[0\] = 1 is not in \[0, 1\)"
    ):
        unused(tf.constant([0.0]))
    assert tf.function(unused)(tf.constant([0.0])).numpy().tolist() == [0.0]


def test_the_same_graph_gives_what_eager_gives():
    def mean_of_squares(truth, guess):
        return tf.reduce_mean(tf.pow(truth - guess, 2))

    truth, guess = tf.constant([7, 2, 7, 5, 2]), tf.constant([9, 9, 0, 8, 8])
    as_graph = tf.function(mean_of_squares)
    wanted = np.sum((truth.numpy() - guess.numpy()) ** 2) // 5
    assert repr(as_graph(truth, guess)) == f"<rt.Tensor: shape=(), dtype=int32, numpy={wanted}>"
    tf.config.run_functions_eagerly(True)
    try:
        assert int(as_graph(truth, guess)) == wanted
    finally:
        tf.config.run_functions_eagerly(False)
