"""Trace keys: one line for each rule about retracing.

Where TensorFlow 2.21 does otherwise, a comment says why ours is right.
"""

from __future__ import annotations

import collections
import dataclasses
import enum
from datetime import datetime, timezone
from decimal import Decimal

import attrs
import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import SignatureError

pytestmark = pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
T = rt.constant


class Number(enum.IntEnum):
    ONE = 1


class Color(enum.Enum):
    RED = 1
    BLUE = 2


Pair = collections.namedtuple("Pair", "a b")


@dataclasses.dataclass
class Point:
    x: object


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: object


@attrs.define
class Box:
    x: object


class Plain:
    def method(self):
        return 1


class Equal:
    def __eq__(self, other):
        return isinstance(other, Equal)

    def __hash__(self):
        return 1


ONE, OTHER = Plain(), Plain()
VARIABLE, SECOND, THIRD = rt.Variable(1.0), rt.Variable(2.0), rt.Variable(1)
NAN = float("nan")


def plain_function():
    return 1


SAME = {
    "tensors of one dtype and shape": (T(1), T(2)),
    "an array and a tensor": (np.array([1, 2], np.int32), T([3, 4])),
    "a NumPy number and a tensor": (np.float32(1), T(2.0)),
    "nan and nan": (NAN, float("nan")),
    "equal numbers": (3, 3),
    "equal texts": ("ab", "a" + "b"),
    "lists of tensors": ([T(1)], [T(2)]),
    "dicts of tensors": ({"a": T(1)}, {"a": T(2)}),
    "named tuples": (Pair(1, T(1)), Pair(1, T(2))),
    "data classes": (Point(T(1)), Point(T(2))),
    "frozen data classes": (Frozen(1), Frozen(1)),
    "attrs classes": (Box(T(1)), Box(T(2))),
    "one object": (ONE, ONE),
    "one method, taken twice": (ONE.method, ONE.method),
    "one function": (plain_function, plain_function),
    "one class": (Plain, Plain),
    "equal sets": ({1, 2}, {2, 1}),
    "equal slices": (slice(1, 2), slice(1, 2)),
    "equal ranges": (range(3), range(3)),
    # TensorFlow takes each new TensorShape for another object.
    "equal shapes": (rt.TensorShape([1]), rt.TensorShape([1])),
    "one dtype": (rt.int32, rt.int32),
    "variables of one kind": (VARIABLE, SECOND),
    "datasets of one element spec": (rt.data.Dataset.range(3), rt.data.Dataset.range(4)),
    "equal decimals": (Decimal("1.0"), Decimal("1.0")),
    "modules": (np, np),
}
APART = {
    "dtypes": (T(1), T(1.0)),
    "shapes": (T([1]), T([1, 2])),
    "ranks": (T([1]), T([[1]])),
    "a number and a tensor": (1, T(1)),
    "numbers": (1, 2),
    # 1 == True == 1.0 in Python: in TensorFlow one trace serves all three, with the wrong dtype.
    "1 and True": (1, True),
    "1 and 1.0": (1, 1.0),
    "an enum's number and 1": (Number.ONE, 1),
    "0.0 and -0.0": (0.0, -0.0),
    "0 and False": (0, False),
    "text and bytes": ("a", b"a"),
    "None and False": (None, False),
    "members": (Color.RED, Color.BLUE),
    "list and tuple": ([1], (1,)),
    "lengths": ([T(1)], [T(1), T(1)]),
    "keys": ({"a": T(1)}, {"b": T(1)}),
    # TensorFlow sorts keys, and hands the function a dict in another order than it was given.
    "orders of keys": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    # TensorFlow takes these for dicts, though they have other methods.
    "kinds of dict": ({"a": 1}, collections.OrderedDict(a=1)),
    "named tuple and tuple": (Pair(1, 2), (1, 2)),
    "what a data class holds": (Point(1), Point(2)),
    "objects": (ONE, OTHER),
    # TensorFlow asks `__eq__`; equal objects may hold different things.
    "equal objects": (Equal(), Equal()),
    "methods of two objects": (ONE.method, OTHER.method),
    "functions": (len, max),
    "two lambdas": (lambda: 1, lambda: 1),
    "iterators": (iter([1]), iter([1])),
    # TensorFlow refuses sets and slices.
    "sets": ({1}, {2}),
    "slices": (slice(1, 2), slice(1, 3)),
    "shapes as values": (rt.TensorShape([1]), rt.TensorShape([2])),
    "dtypes as values": (rt.int32, rt.float32),
    "variables of two kinds": (VARIABLE, THIRD),
    "a variable and a tensor": (VARIABLE, T(1.0)),
    "one variable twice and two": ([VARIABLE, VARIABLE], [VARIABLE, SECOND]),
    "digits of decimals": (Decimal("1.0"), Decimal("1.00")),
    "time zones": (datetime(2020, 1, 1), datetime(2020, 1, 1, tzinfo=timezone.utc)),
}


def count_of(*values):
    """Return how often a Function traces that is called with each value in turn, twice."""
    f = ag.function(lambda x: (1, x)[0])
    for value in (*values, *values):
        f(value)
    return f.experimental_get_tracing_count()


@pytest.mark.parametrize("rule", SAME)
def test_equal_keys_share_a_trace(rule):
    assert count_of(*SAME[rule]) == 1


@pytest.mark.parametrize("rule", APART)
def test_different_keys_have_separate_traces(rule):
    assert count_of(*APART[rule]) == 2


def test_the_result_is_that_of_the_argument():
    kind = ag.function(lambda x: x)
    values = [1, True, 1.0, 0.0, -0.0, NAN, Number.ONE]
    dtypes = [kind(value).dtype.name for value in values]
    assert dtypes == ["int32", "bool", *["float32"] * 4, "int32"]
    assert np.signbit(kind(-0.0).numpy()) and not np.signbit(kind(0.0).numpy())


def test_arguments_are_brought_into_one_form():
    f = ag.function(lambda x, y=1, *rest, k=2, **more: (x, y, rest, k, more)[0])
    f(T(1)), f(T(1), 1), f(T(1), y=1), f(y=1, x=T(1)), f(x=T(1), k=2), f(T(1), 1, k=2)
    assert f.experimental_get_tracing_count() == 1
    f(T(1), 1, 1), f(T(1), z=1)
    assert f.experimental_get_tracing_count() == 3


def test_a_value_that_changes_unnoticed_is_refused():
    with pytest.raises(SignatureError, match="bytearray cannot be an argument.*pass a tensor"):
        ag.function(lambda x: (1, x)[0])(bytearray(b"a"))


def test_a_spec_is_no_value():
    with pytest.raises(SignatureError, match="which has no value"):
        ag.function(lambda x: (1, x)[0])(rt.TensorSpec((), rt.int32))


def test_state_outside_of_arguments_is_keyed_by_guards():
    holder = Plain()
    holder.k = 2
    off = ag.function(lambda x: x * holder.k)
    on = ag.function(lambda x: x * holder.k, guards="retrace")
    assert int(off(T(3))) == 6 == int(on(T(3)))
    holder.k = 5
    assert (int(off(T(3))), int(on(T(3)))) == (6, 15)


def test_tensors_and_variables_outside():
    variable, tensor = rt.Variable(1), T(10)
    f = ag.function(lambda: variable + tensor)
    assert int(f()) == 11
    variable.assign(5)
    assert int(f()) == 15
    assert f.experimental_get_tracing_count() == 1


def test_the_narrowest_trace_that_fits_serves():
    f = ag.function(lambda x: x)
    wide = f.get_concrete_function(rt.TensorSpec([None]))
    f(T([1.0, 2.0])), f(T([1.0]))
    assert f.experimental_get_tracing_count() == 1
    assert f.get_concrete_function(rt.TensorSpec([2])) is wide
    wider = f.get_concrete_function(rt.TensorSpec(None))
    assert wider is not wide and f.get_concrete_function(rt.TensorSpec([3])) is wide


def test_relaxed_shapes():
    f = ag.function(lambda x: (1, x)[0], reduce_retracing=True)
    counts = []
    for shape in ([1], [2], [3], [1, 1], [2, 2], [5, 5, 5]):
        f(rt.ones(shape))
        counts.append(f.experimental_get_tracing_count())
    assert counts == [1, 2, 2, 3, 3, 3]
    f(rt.ones([3], rt.int32))
    for size in (1, 2, 3):
        f({"a": rt.ones([size])})
    assert f.experimental_get_tracing_count() == 6
    for number in range(4):
        f(number)
    assert f.experimental_get_tracing_count() == 10
