"""Trace keys: distinct and equal values, and values rebuilt from keys."""

from __future__ import annotations

import dataclasses
import enum
import types
from collections import OrderedDict, defaultdict, namedtuple

import numpy as np
import pytest

from autograph.errors import SignatureError
from autograph.functions.arguments.copies import rebuild
from autograph.functions.arguments.key_relations import (
    covering_key,
    covers,
    has_specs,
    key_of_spec,
    spec_of,
    specs_to_tensors,
)
from autograph.functions.arguments.trace_key import by_identity, key_of, sharing_of
from runtime.core.spec import TensorSpec
from runtime.ops.constant import constant

Point = namedtuple("Point", "x y")


class Level(enum.IntEnum):
    ONE = 1


@dataclasses.dataclass
class Pair:
    a: object
    b: object


class Thing:
    def method(self): ...


def key(value):
    return key_of(value, [], [])


DISTINCT = [
    1, True, 1.0, Level.ONE, "1", b"1", 1 + 0j, None, 0.0, -0.0, float("nan"), 0j, -0j,
    [1], (1,), (1, 2), {"a": 1}, {"b": 1}, {"a": 2}, {1}, slice(1), slice(1, 2),
    Point(1, 2), Pair(1, 2), Pair(1, [2]), Pair(1, (2,)),
    np.int64(1), np.int32(1), np.array([1, 2]), np.array([1.0, 2.0]), np.array([[1, 2]]),
    int, bool, len, types, {"a": 1, "b": 2}, {"b": 2, "a": 1}, OrderedDict(a=1),
    defaultdict(int, a=1),
]  # fmt: skip


@pytest.mark.parametrize("at", range(len(DISTINCT)))
def test_different_values_have_different_keys(at):
    same = [i for i, value in enumerate(DISTINCT) if key(value) == key(DISTINCT[at])]
    assert same == [at]
    hash(key(DISTINCT[at]))


@pytest.mark.parametrize(
    "first, second",
    [
        (np.array([1, 2]), np.array([3, 4])),
        (np.array([1, 2], np.int32), constant([3, 4])),
        (np.float32(2), constant(1.0)),
        (float("nan"), float("nan")),
        (Point(1, constant(2)), Point(1, constant(3))),
        (Pair(1, "x"), Pair(1, "x")),
        ({1, 2}, {2, 1}),
        (range(3), range(3)),
        (np.array(["a", "bc"]), constant([b"x", b"y"])),
    ],
)
def test_values_of_one_kind_share_a_key(first, second):
    assert key(first) == key(second)


def test_a_tensor_is_keyed_by_dtype_and_shape_and_yields_its_array():
    arrays, objects = [], []
    found = key_of([constant([1, 2]), 5], arrays, objects)
    assert found[-1][0] == ("tensor", np.dtype(np.int32), (2,))
    assert [array.tolist() for array in arrays] == [[1, 2]]
    assert by_identity(objects) == []


def test_arrays_have_the_order_of_sorted_dict_keys():
    arrays = []
    key_of({"b": constant(1), "a": constant(2)}, arrays, [])
    assert [int(array) for array in arrays] == [2, 1]


def test_an_array_argument_is_copied():
    given, arrays = np.array([1, 2]), []
    key_of(given, arrays, [])
    given[0] = 7
    assert arrays[0].tolist() == [1, 2]


def test_other_objects_are_keyed_by_identity():
    thing, other, objects = Thing(), Thing(), []
    assert key_of(thing, [], objects) == key(thing) != key(other)
    assert objects == [thing]


def test_a_bound_method_is_keyed_by_function_and_receiver():
    thing, other = Thing(), Thing()
    assert thing.method is not thing.method
    assert key(thing.method) == key(thing.method) != key(other.method)


@pytest.mark.parametrize("value", [bytearray(b"a"), {np.int64(1)}, slice(constant(1))])
def test_values_that_cannot_be_watched_are_refused(value):
    with pytest.raises(SignatureError):
        key(value)


def test_a_spec_differs_from_a_tensor_until_it_is_converted():
    spec = TensorSpec((None,), "int32", "x")
    assert has_specs(("list", list, (key(spec),)))
    assert not has_specs(key([constant(1)]))
    assert specs_to_tensors(key([spec])) == ("list", list, (key_of_spec(spec),))
    assert spec_of(key_of_spec(spec), "x") == spec


def test_a_wider_shape_covers_a_narrower_one():
    wide, narrow = key_of_spec(TensorSpec((None, 2))), key_of_spec(TensorSpec((3, 2)))
    assert covers(wide, narrow) and not covers(narrow, wide)
    assert covers(key_of_spec(TensorSpec(None)), wide)
    assert not covers(wide, key_of_spec(TensorSpec((3, 2), "int32")))
    assert covers(("list", list, (wide,)), ("list", list, (narrow,)))
    assert not covers(("list", list, (wide,)), ("list", list, (narrow, narrow)))


def test_join_widens_shapes_and_nothing_else():
    one, two = (key(np.zeros(n)) for n in (1, 2))
    assert spec_of(covering_key(one, two)).shape.dims == (None,)
    assert spec_of(covering_key(one, key(np.zeros((1, 1))))).shape.dims is None
    assert covering_key(one, key(np.zeros(1, np.int64))) is None
    assert covering_key(key([1]), key([2])) is None
    assert covering_key(key({"a": np.zeros(1)}), key({"a": np.zeros(3)}))[-1][0][2] == (None,)


def test_rebuild_replaces_leaves_and_names_them_by_their_path():
    value = {"d": [np.zeros(1), 5], "p": Point(np.ones(2), "s"), "q": Pair(np.ones(3), None)}
    paths = []

    def tensor(part, path, leaf):
        paths.append(path)
        return spec_of(part)

    rebuilt = rebuild(value, key(value), "x", tensor, lambda part, leaf: (leaf,))
    assert paths == ["x/d/0", "x/p/x", "x/q/a"]
    assert rebuilt["d"] == [TensorSpec((1,), "float64"), (5,)]
    assert rebuilt["p"] == Point(TensorSpec((2,), "float64"), ("s",))
    assert rebuilt["q"] == Pair(TensorSpec((3,), "float64"), (None,))
    assert value["d"][1] == 5


def test_rebuild_keeps_kinds_of_dict():
    value = defaultdict(list, b=1, a=2)
    rebuilt = rebuild(value, key(value), "x", None, lambda part, leaf: -leaf)
    assert list(rebuilt.items()) == [("b", -1), ("a", -2)]
    assert rebuilt["new"] == []


def test_a_list_passed_twice_is_recorded():
    one, other, objects = [1], {"a": [2]}, []
    for value in (one, other, one, (one,)):
        key_of(value, [], objects)
    assert (("again", (0, 1, 2, 0, 0)),) == sharing_of(objects)
    assert () == sharing_of([one, other])
    assert [] == by_identity(objects)
