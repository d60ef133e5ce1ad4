"""TensorFlow's introductory examples of side effects: once a trace, or in each call.

Topics, each in both spellings: `print` beside the print of the graph; an iterator of Python's;
a list and a count of the module, changed while tracing; assignments and prints in order; what
nobody uses is not run, so that its error is not raised; arguments that a function may not modify.
"""

from __future__ import annotations

import itertools

import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tensorflow as tf
from tests.autograph.compat.documents.spellings import both, printed_by


def two_prints_in_compat():
    @tf.function
    def printing(x):
        print("while tracing:", x)
        tf.print("in the graph:", x)

    printing(7), printing(7), printing(8)
    printing(tf.constant(1.5)), printing(tf.constant(2.5))


def two_prints_in_native():
    @ag.function
    def printing(x):
        print("while tracing:", x)
        rt.print("in the graph:", x)

    printing(7), printing(7), printing(8)
    printing(rt.constant(1.5)), printing(rt.constant(2.5))


@both(two_prints_in_compat, two_prints_in_native)
def test_python_prints_once_a_trace_and_the_graph_in_each_call(program):
    assert printed_by(program) == [
        "while tracing: 7",
        *["in the graph: 7"] * 2,
        "while tracing: 8",
        "in the graph: 8",
        'while tracing: Tensor("x:0", shape=(), dtype=float32)',
        "in the graph: 1.5",
        "in the graph: 2.5",
    ]


def iterator_in_compat(wrap):
    total = tf.Variable(0)

    def add_next(numbers):
        total.assign_add(next(numbers))
        tf.print("total:", total)

    called = tf.function(add_next) if wrap else add_next
    numbers = iter([4, 5, 6])
    for _ in range(3):
        called(numbers)


def iterator_in_native(wrap):
    total = rt.Variable(0)

    def add_next(numbers):
        total.assign_add(next(numbers))
        rt.print("total:", total)

    called = ag.function(add_next) if wrap else add_next
    numbers = iter([4, 5, 6])
    for _ in range(3):
        called(numbers)


@both(iterator_in_compat, iterator_in_native)
def test_an_iterator_moves_on_once_a_trace(program):
    plain = [f"total: {n}" for n in itertools.accumulate([4, 5, 6])]
    traced = [f"total: {n}" for n in itertools.accumulate([4, 4, 4])]
    assert (plain, traced) == (printed_by(program, False), printed_by(program, True))


CALLS: list[str] = []
TRACES = 0


def trace_effects_in_compat():
    @tf.function
    def counting(x):
        global TRACES
        CALLS.append("traced")
        TRACES += 1
        return x + 1

    counting(tf.constant(1)), counting(tf.constant(2))
    print(CALLS, TRACES)


def trace_effects_in_native():
    @ag.function
    def counting(x):
        global TRACES
        CALLS.append("traced")
        TRACES += 1
        return x + 1

    counting(rt.constant(1)), counting(rt.constant(2))
    print(CALLS, TRACES)


@both(trace_effects_in_compat, trace_effects_in_native)
def test_lists_and_counts_are_changed_once_a_trace(program, monkeypatch):
    monkeypatch.setitem(globals(), "CALLS", [])
    monkeypatch.setitem(globals(), "TRACES", 0)
    assert ["['traced'] 1"] == printed_by(program)


def in_order_in_compat():
    level = tf.Variable(2)

    @tf.function
    def raise_level(by):
        tf.print("before", level)
        level.assign_add(by)
        tf.print("between", level)
        level.assign(level * 10)
        return level.read_value()

    print(raise_level(tf.constant(3)))
    print(raise_level(tf.constant(1)))


def in_order_in_native():
    level = rt.Variable(2)

    @ag.function
    def raise_level(by):
        rt.print("before", level)
        level.assign_add(by)
        rt.print("between", level)
        level.assign(level * 10)
        return level.read_value()

    print(raise_level(rt.constant(3)))
    print(raise_level(rt.constant(1)))


@both(in_order_in_compat, in_order_in_native)
def test_assignments_and_prints_keep_their_order(program):
    wanted, level = [], 2
    for by in (3, 1):
        wanted += [f"before {level}", f"between {level + by}"]
        level = (level + by) * 10
        wanted.append(f"rt.Tensor({level}, shape=(), dtype=int32)")
    assert wanted == printed_by(program)


def needless_in_compat():
    def needless(x):
        tf.gather(x, [3])
        return x

    for called in (needless, tf.function(needless)):
        try:
            print(called(tf.constant([1.5, 2.5])))
        except tf.errors.InvalidArgumentError as error:
            print(f"{type(error).__name__}: {error}")


def needless_in_native():
    def needless(x):
        rt.gather(x, [3])
        return x

    for called in (needless, ag.function(needless)):
        try:
            print(called(rt.constant([1.5, 2.5])))
        except rt.errors.InvalidArgumentError as error:
            print(f"{type(error).__name__}: {error}")


@both(needless_in_compat, needless_in_native)
def test_a_graph_drops_unused_operations(program):
    space = "tf" if program is needless_in_compat else "rt"
    assert printed_by(program) == [
        f"InvalidArgumentError: indices[0] = 3 is not in [0, 2); in {space}.gather(x, [3])",
        "rt.Tensor([1.5 2.5], shape=(2,), dtype=float32)",
    ]


def modified_in_compat():
    @tf.function
    def with_sum(record):
        record["sum"] = record["a"] + record["b"]
        return record

    @tf.function
    def with_last(items):
        items.append(items[0])
        return items

    @tf.function
    def copied(record):
        record = dict(record)
        record["sum"] = record["a"] + record["b"]
        return record

    record, items = {"a": tf.constant(1), "b": tf.constant(5)}, [tf.constant(2)]
    with pytest.raises(ValueError) as caught:
        with_sum(record)
    print(str(caught.value).partition(";")[0])
    with pytest.raises(ValueError) as caught:
        with_last(items)
    print(str(caught.value).partition(";")[0])
    print({key: int(value) for key, value in copied(record).items()})
    print(list(record), len(items))


def modified_in_native():
    @ag.function
    def with_sum(record):
        record["sum"] = record["a"] + record["b"]
        return record

    @ag.function
    def with_last(items):
        items.append(items[0])
        return items

    @ag.function
    def copied(record):
        record = dict(record)
        record["sum"] = record["a"] + record["b"]
        return record

    record, items = {"a": rt.constant(1), "b": rt.constant(5)}, [rt.constant(2)]
    with pytest.raises(ValueError) as caught:
        with_sum(record)
    print(str(caught.value).partition(";")[0])
    with pytest.raises(ValueError) as caught:
        with_last(items)
    print(str(caught.value).partition(";")[0])
    print({key: int(value) for key, value in copied(record).items()})
    print(list(record), len(items))


@both(modified_in_compat, modified_in_native)
def test_a_function_may_modify_copies_of_its_arguments_only(program):
    assert printed_by(program) == [
        "with_sum(record) changes its argument 'record'",
        "with_last(items) changes its argument 'items'",
        "{'a': 1, 'b': 5, 'sum': 6}",
        "['a', 'b'] 1",
    ]
