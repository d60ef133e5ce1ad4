"""TensorFlow's introductory examples of Functions with several concrete functions.

Topics, each in both spellings: graphs for a number, a list and a vector, and calls that make none;
the list of all signatures; a graph for each dtype, texts too; one of the graphs by itself, called
by position and by keyword, and refusing another dtype; an input signature given beforehand; a
specification in place of a tensor; a Python argument that stays in a signature.
"""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from tests.autograph.compat.documents.spellings import both, printed_by


def shown(value, dtype="float32"):
    """Write a tensor as `print` shows it."""
    array = np.asarray(value, dtype)
    return f"rt.Tensor({array}, shape={array.shape}, dtype={dtype})"


def capped_in_compat():
    @tf.function
    def capped(x):
        print("new graph")
        return tf.minimum(2.5, x)

    for value in (tf.constant(4.5), [2, -2], tf.constant([7.0, -7.0])):
        print(capped(value))
    print(capped(tf.constant(-0.5)))
    print(capped(tf.constant([9.0, 1.0])))
    print(capped.pretty_printed_concrete_signatures())


def capped_in_native():
    @ag.function
    def capped(x):
        print("new graph")
        return rt.minimum(2.5, x)

    for value in (rt.constant(4.5), [2, -2], rt.constant([7.0, -7.0])):
        print(capped(value))
    print(capped(rt.constant(-0.5)))
    print(capped(rt.constant([9.0, 1.0])))
    print(capped.pretty_printed_concrete_signatures())


@both(capped_in_compat, capped_in_native)
def test_one_function_has_several_graphs_and_lists_them(program):
    lines = printed_by(program)
    called = []
    for value in (4.5, [2, -2], [7.0, -7.0]):
        called += ["new graph", shown(np.minimum(2.5, value))]
    called += [shown(np.minimum(2.5, value)) for value in (-0.5, [9.0, 1.0])]
    assert called == lines[: len(called)]
    assert lines[len(called) :] == [
        "capped(x)",
        "  Args:",
        "    x: float32 Tensor, shape=()",
        "  Returns:",
        "    float32 Tensor, shape=()",
        "",
        "capped(x=[2, -2])",
        "  Returns:",
        "    float32 Tensor, shape=(2,)",
        "",
        "capped(x)",
        "  Args:",
        "    x: float32 Tensor, shape=(2,)",
        "  Returns:",
        "    float32 Tensor, shape=(2,)",
    ]


KINDS = [(8, "int32"), (2.25, "float32"), ("word", "string"), (True, "bool")]


def same_in_compat():
    @tf.function
    def same(value):
        print("traced for", value)
        return value

    for value, _ in KINDS:
        print(same(tf.constant(value)))
    print(same(tf.constant(0.5)))
    return same


def same_in_native():
    @ag.function
    def same(value):
        print("traced for", value)
        return value

    for value, _ in KINDS:
        print(same(rt.constant(value)))
    print(same(rt.constant(0.5)))
    return same


@both(same_in_compat, same_in_native)
def test_each_dtype_has_a_graph(program):
    made = []
    wanted = []
    for value, dtype in KINDS:
        text = value.encode() if dtype == "string" else value
        wanted.append(f'traced for Tensor("value:0", shape=(), dtype={dtype})')
        wanted.append(f"rt.Tensor({text!r}, shape=(), dtype={dtype})")
    wanted.append(shown(0.5))
    assert wanted == printed_by(lambda: made.append(program()))
    signatures = [
        f"same(value)\n  Args:\n    value: {dtype} Tensor, shape=()\n"
        f"  Returns:\n    {dtype} Tensor, shape=()"
        for _, dtype in KINDS
    ]
    assert "\n\n".join(signatures) == made[0].pretty_printed_concrete_signatures()


def one_graph_in_compat():
    @tf.function
    def negated(value):
        print("tracing")
        return -value

    negated(tf.constant(1))
    print("asking")
    for_ints = negated.get_concrete_function(tf.constant(2))
    print("calling")
    print(for_ints(tf.constant(30)))
    print(for_ints(value=tf.constant(-4)))
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        for_ints(tf.constant(0.25))
    print(f"{type(caught.value).__name__}: {caught.value}")


def one_graph_in_native():
    @ag.function
    def negated(value):
        print("tracing")
        return -value

    negated(rt.constant(1))
    print("asking")
    for_ints = negated.get_concrete_function(rt.constant(2))
    print("calling")
    print(for_ints(rt.constant(30)))
    print(for_ints(value=rt.constant(-4)))
    with pytest.raises(rt.errors.InvalidArgumentError) as caught:
        for_ints(rt.constant(0.25))
    print(f"{type(caught.value).__name__}: {caught.value}")


@both(one_graph_in_compat, one_graph_in_native)
def test_a_concrete_function_is_called(program):
    words = "was expected to be an int32 tensor but is a float32 tensor"
    remedy = ": write rt.cast(value, rt.int32)"
    assert printed_by(program) == [
        "tracing",
        "asking",
        "calling",
        shown(-30, "int32"),
        shown(4, "int32"),
        f"InvalidArgumentError: negated: 'value' {words}{remedy}",
    ]


def given_beforehand_in_compat():
    @tf.function(input_signature=[tf.TensorSpec(shape=(None, 3), dtype=tf.int64)])
    def doubled(rows):
        print("tracing", rows)
        return rows * 2

    for count in (1, 4, 2):
        print(doubled(tf.ones((count, 3), tf.int64)).shape)
    with pytest.raises(TypeError, match=r"'rows' .*shape \(None, 3\) but has shape \(1, 2\)"):
        doubled(tf.ones((1, 2), tf.int64))
    with pytest.raises(TypeError, match="'rows' .* int64 tensor but is a float32 tensor"):
        doubled(tf.ones((1, 3)))


def given_beforehand_in_native():
    @ag.function(input_signature=[rt.TensorSpec(shape=(None, 3), dtype=rt.int64)])
    def doubled(rows):
        print("tracing", rows)
        return rows * 2

    for count in (1, 4, 2):
        print(doubled(rt.ones((count, 3), rt.int64)).shape)
    with pytest.raises(TypeError, match=r"'rows' .*shape \(None, 3\) but has shape \(1, 2\)"):
        doubled(rt.ones((1, 2), rt.int64))
    with pytest.raises(TypeError, match="'rows' .* int64 tensor but is a float32 tensor"):
        doubled(rt.ones((1, 3)))


@both(given_beforehand_in_compat, given_beforehand_in_native)
def test_an_input_signature_gives_one_graph_for_all_matching_calls(program):
    first = 'tracing Tensor("rows:0", shape=(None, 3), dtype=int64)'
    assert [first, "(1, 3)", "(4, 3)", "(2, 3)"] == printed_by(program)


def by_specification_in_compat():
    def shrunk(x):
        print("plain Python, or a trace")
        if tf.reduce_sum(x) > 3:
            return x / 4
        else:
            return x

    concrete = tf.function(shrunk).get_concrete_function(tf.TensorSpec([2], tf.float32))
    print(concrete(tf.constant([8.0, 2.0])))
    print(concrete(tf.constant([1.0, 1.5])))


def by_specification_in_native():
    def shrunk(x):
        print("plain Python, or a trace")
        if rt.reduce_sum(x) > 3:
            return x / 4
        else:
            return x

    concrete = ag.function(shrunk).get_concrete_function(rt.TensorSpec([2], rt.float32))
    print(concrete(rt.constant([8.0, 2.0])))
    print(concrete(rt.constant([1.0, 1.5])))


@both(by_specification_in_compat, by_specification_in_native)
def test_get_concrete_function_takes_specs(program):
    word = "plain Python, or a trace"
    assert [word, shown([2.0, 0.5]), shown([1.0, 1.5])] == printed_by(program)


def python_argument_in_compat():
    @tf.function
    def scaled(x, times: int):
        return x * times

    concrete = scaled.get_concrete_function(tf.constant(1.5), 4)
    print(concrete.pretty_printed_signature())
    given = tf.constant(2.5)
    print(concrete(given), concrete(given, 4), concrete(x=given, times=4))
    with pytest.raises(ag.errors.SignatureError, match="traced with another 'times' than 5"):
        concrete(given, 5)


def python_argument_in_native():
    @ag.function
    def scaled(x, times: int):
        return x * times

    concrete = scaled.get_concrete_function(rt.constant(1.5), 4)
    print(concrete.pretty_printed_signature())
    given = rt.constant(2.5)
    print(concrete(given), concrete(given, 4), concrete(x=given, times=4))
    with pytest.raises(ag.errors.SignatureError, match="traced with another 'times' than 5"):
        concrete(given, 5)


@both(python_argument_in_compat, python_argument_in_native)
def test_a_python_argument_stays_in_the_signature_of_its_graph(program):
    assert printed_by(program) == [
        "scaled(x, times=4)",
        "  Args:",
        "    x: float32 Tensor, shape=()",
        "  Returns:",
        "    float32 Tensor, shape=()",
        " ".join([shown(2.5 * 4)] * 3),
    ]
