"""TensorFlow's introductory examples of `run_functions_eagerly`.

Topics, each in both spellings: integers at random and the mean of their squared differences,
the same in either mode; `print` in each call with the switch on; the switch by its older name; a
debugger that stops in the middle of the function.
"""

from __future__ import annotations

import sys

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from tests.autograph.compat.documents.spellings import both, printed_by


@pytest.fixture(autouse=True)
def off_again():
    yield
    ag.run_functions_eagerly(False)


def either_mode_in_compat():
    @tf.function
    def spread(truth, guess):
        squares = tf.pow(truth - guess, 2)
        return tf.reduce_mean(squares)

    truth = tf.random.uniform([6], maxval=20, dtype=tf.int32)
    guess = tf.random.uniform([6], maxval=20, dtype=tf.int32)
    print(repr(spread(truth, guess)))
    tf.config.run_functions_eagerly(True)
    print(repr(spread(truth, guess)))
    tf.config.run_functions_eagerly(False)
    print(tf.config.functions_run_eagerly())
    return truth, guess


def either_mode_in_native():
    @ag.function
    def spread(truth, guess):
        squares = rt.pow(truth - guess, 2)
        return rt.reduce_mean(squares)

    truth = rt.random.uniform([6], maxval=20, dtype=rt.int32)
    guess = rt.random.uniform([6], maxval=20, dtype=rt.int32)
    print(repr(spread(truth, guess)))
    ag.run_functions_eagerly(True)
    print(repr(spread(truth, guess)))
    ag.run_functions_eagerly(False)
    print(ag.functions_run_eagerly())
    return truth, guess


@both(either_mode_in_compat, either_mode_in_native)
def test_both_modes_compute_the_same(program):
    made = []
    lines = printed_by(lambda: made.append(program()))
    truth, guess = ([int(each) for each in tensor] for tensor in made[0])
    assert all(0 <= each < 20 for each in (*truth, *guess))
    mean = int(sum((a - b) ** 2 for a, b in zip(truth, guess)) / 6)
    assert [f"<rt.Tensor: shape=(), dtype=int32, numpy={mean}>"] * 2 + ["False"] == lines


def drawn_in_compat():
    print(tf.random.uniform([4], maxval=9, dtype=tf.int32))
    print(repr(tf.random.uniform(shape=[2, 3], minval=-1, maxval=2, dtype=tf.dtypes.int32)))


def drawn_in_native():
    print(rt.random.uniform([4], maxval=9, dtype=rt.int32))
    print(repr(rt.random.uniform(shape=[2, 3], minval=-1, maxval=2, dtype=rt.int32)))


@both(drawn_in_compat, drawn_in_native)
def test_random_integers_print_as_tensors(program):
    first, *rest = printed_by(program)
    numbers, _, kind = first.removeprefix("rt.Tensor([").partition("]")
    assert 4 == len(numbers.split()) and {*numbers.split()} <= {*map(str, range(9))}
    assert ", shape=(4,), dtype=int32)" == kind
    assert "<rt.Tensor: shape=(2, 3), dtype=int32, numpy=" == rest[0]
    array = eval("".join(rest[1:]).removesuffix(">"), {"array": np.array, "int32": np.int32})
    assert (2, 3) == array.shape and {*array.flat} <= {-1, 0, 1}


def prints_in_compat():
    @tf.function
    def spread(truth, guess):
        print("computing the spread")
        return tf.reduce_mean(tf.pow(truth - guess, 2))

    given = tf.constant([1, 2]), tf.constant([4, 4])
    for eagerly in (False, True):
        tf.config.run_functions_eagerly(eagerly)
        print("eagerly" if eagerly else "as a graph")
        for _ in range(3):
            spread(*given)
    tf.config.experimental_run_functions_eagerly(False)
    spread(*given)


def prints_in_native():
    @ag.function
    def spread(truth, guess):
        print("computing the spread")
        return rt.reduce_mean(rt.pow(truth - guess, 2))

    given = rt.constant([1, 2]), rt.constant([4, 4])
    for eagerly in (False, True):
        ag.run_functions_eagerly(eagerly)
        print("eagerly" if eagerly else "as a graph")
        for _ in range(3):
            spread(*given)
    ag.run_functions_eagerly(False)
    spread(*given)


@both(prints_in_compat, prints_in_native)
def test_eagerly_python_prints_in_each_call(program):
    word = "computing the spread"
    assert ["as a graph", word, "eagerly", word, word, word] == printed_by(program)


def traced_and_eager_in_compat():
    @tf.function
    def add(x, by: int):
        print(x)
        tf.print(x)
        return x + by

    add(tf.constant(4), 2), add(tf.constant(4), 3), add(tf.constant(6), 3)
    tf.config.run_functions_eagerly(True)
    add(tf.constant(9), 3)


def traced_and_eager_in_native():
    @ag.function
    def add(x, by: int):
        print(x)
        rt.print(x)
        return x + by

    add(rt.constant(4), 2), add(rt.constant(4), 3), add(rt.constant(6), 3)
    ag.run_functions_eagerly(True)
    add(rt.constant(9), 3)


@both(traced_and_eager_in_compat, traced_and_eager_in_native)
def test_eagerly_tensors_have_values(program):
    symbolic = 'Tensor("x:0", shape=(), dtype=int32)'
    eager = "rt.Tensor(9, shape=(), dtype=int32)"
    assert [symbolic, "4", symbolic, "4", "6", eager, "9"] == printed_by(program)


def stopping_in_compat():
    @tf.function
    def next_if_above(x):
        if x > 5:
            breakpoint()
            x = x + 1
        return x

    tf.config.experimental_run_functions_eagerly(True)
    print(next_if_above(tf.constant(6)), next_if_above(tf.constant(4)))
    tf.config.experimental_run_functions_eagerly(False)


def stopping_in_native():
    @ag.function
    def next_if_above(x):
        if x > 5:
            breakpoint()
            x = x + 1
        return x

    ag.run_functions_eagerly(True)
    print(next_if_above(rt.constant(6)), next_if_above(rt.constant(4)))
    ag.run_functions_eagerly(False)


@both(stopping_in_compat, stopping_in_native)
def test_a_breakpoint_stops_in_eager_mode(program, monkeypatch):
    def stop():
        print("stopped with", int(sys._getframe(1).f_locals["x"]))

    monkeypatch.setattr(sys, "breakpointhook", stop)
    results = [f"rt.Tensor({n}, shape=(), dtype=int32)" for n in (7, 4)]
    assert ["stopped with 6", " ".join(results)] == printed_by(program)
