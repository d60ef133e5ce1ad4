"""Objects of ordinary classes as records of attributes, and objects rebuilt from them."""

from __future__ import annotations

import enum
from abc import ABC
from dataclasses import dataclass

import pytest

import autograph as ag
import runtime as rt
from autograph.backends.graph.values.object_values import (
    ObjectRecord,
    holds_region_tensor,
    record_difference,
    record_of,
)


class Plain:
    def __init__(self, x, y=0):
        self.x, self.y = x, y


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


class Abstract(ABC):  # noqa: B024
    def __init__(self):
        self.v = 1


class Closing:
    def __del__(self):
        pass


class Colour(enum.Enum):
    RED = 1


@dataclass
class Row:
    v: int


def test_an_object_is_rebuilt_without_its_constructor():
    record = record_of(Plain(1, 2))
    assert ("x", "y") == record.names and (1, 2) == record.values
    made = record.create([3, 4])
    assert (Plain, 3, 4) == (type(made), made.x, made.y)
    assert ("a",) == record_of(Slotted(5)).names
    assert 6 == record_of(Slotted(5)).create([6]).a
    assert ("v",) == record_of(Abstract()).names


@pytest.mark.parametrize(
    "value", [1, "a", [1], {}, len, Plain, Colour.RED, ValueError("x"), Closing(), Row(1), object()]
)
def test_objects_with_hidden_state_have_no_record(value):
    assert record_of(value) is None


def test_records_differ_by_class_and_by_attributes():
    one, other = record_of(Plain(1)), record_of(Abstract())
    assert record_difference(one, record_of(Plain(2))) is None
    assert "a Plain vs a Abstract" in record_difference(one, other)
    lacking = Plain(1)
    del lacking.y
    assert "attributes x, y vs x" in record_difference(one, record_of(lacking))


def test_an_object_with_a_tensor_of_a_branch_belongs_to_the_branch():
    graph = rt.Graph("f")
    outside = graph.add_input(rt.TensorSpec((), rt.int32), "x")
    inside = rt.Graph("then", outer=graph).add_input(rt.TensorSpec((), rt.int32), "y")
    assert not holds_region_tensor(ObjectRecord(Plain, ("x",), (outside,)))
    assert holds_region_tensor(ObjectRecord(Plain, ("x",), ([1, inside],)))


def test_objects_created_before_a_conditional_keep_their_identity():
    @ag.function
    def higher(x):
        low, high = Plain(1), Plain(2)
        chosen = high if x > 0 else low
        chosen.x = chosen.x * 10
        return low.x, high.x, chosen.x

    assert [1, 20, 20] == [int(v) for v in higher(rt.constant(1))]
    assert [10, 2, 10] == [int(v) for v in higher(rt.constant(-1))]


def test_objects_of_two_classes_keep_their_methods_after_a_join():
    class One:
        def value(self, x):
            return x + 1

    class Two:
        def value(self, x):
            return x * 10

    @ag.function
    def f(x):
        made = One() if x > 0 else Two()
        return made.value(x)

    assert [4, -30] == [int(f(rt.constant(v))) for v in (3, -3)]


def test_objects_with_different_attributes_are_refused_by_name():
    class Loose:
        pass

    @ag.function
    def f(x):
        made = Loose()
        if x > 0:
            made = Loose()
            made.value = x * 2
        return made.value

    with pytest.raises(ag.errors.StagingError, match="'made'.*Loose with attributes"):
        f(rt.constant(1))
