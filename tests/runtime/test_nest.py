"""Nest: every kind of container is flattened and rebuilt."""

from __future__ import annotations

import collections
import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as rt
from runtime import nest
from runtime.errors import ArgumentValueError, DTypeError

Point = collections.namedtuple("Point", "x y")


@dataclasses.dataclass(frozen=True)
class Frozen:
    first: Any
    second: Any = None


class Box:
    def __init__(self, content: Any) -> None:
        self.content = content


texts = st.text("aé", max_size=2)  # of all characters, it takes a second to know them
leaves = st.one_of(st.none(), st.integers(), texts, st.sets(st.integers(), max_size=1))
structures = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(texts, inner, max_size=3),
        st.builds(Point, inner, inner),
        st.builds(Frozen, inner, inner),
    ),
)


@given(structures)
def test_flatten_and_unflatten_are_inverse(structure: Any) -> None:
    flat = nest.flatten(structure)
    assert nest.unflatten(structure, flat) == structure
    assert [leaf for _, leaf in nest.flatten_with_paths(structure)] == flat
    assert not any(nest.is_nested(leaf) for leaf in flat)


@given(structures)
def test_a_structure_is_like_itself(structure: Any) -> None:
    nest.assert_same_structure(structure, structure)
    assert nest.flatten(nest.map_structure(lambda leaf: [leaf], structure)) == nest.flatten(
        structure
    )


def test_dicts_go_by_sorted_key_and_keep_their_order() -> None:
    assert nest.flatten({"b": 1, "a": 2}) == [2, 1]
    assert list(nest.unflatten({"b": 0, "a": 0}, [2, 1]).items()) == [("b", 1), ("a", 2)]
    ordered = collections.OrderedDict(b=1, a=2)
    assert nest.map_structure(str, ordered) == collections.OrderedDict(b="1", a="2")
    assert list(nest.map_structure(str, ordered)) == ["b", "a"]


def test_a_defaultdict_keeps_its_factory() -> None:
    copy = nest.map_structure(lambda x: x, collections.defaultdict(list, a=1))
    assert type(copy) is collections.defaultdict and copy["new"] == []


def test_keys_that_do_not_sort_have_an_order_all_the_same() -> None:
    mixed = {1: "int", "a": "str"}
    assert nest.unflatten(mixed, nest.flatten(mixed)) == mixed


def test_paths_read_like_python() -> None:
    structure = {"a": [1, Point(2, Frozen(3))]}
    assert [path for path, _ in nest.flatten_with_paths(structure)] == [
        "['a'][0]",
        "['a'][1].x",
        "['a'][1].y.first",
        "['a'][1].y.second",
    ]


def test_other_values_are_leaves() -> None:
    for leaf in (None, 1, "ab", b"c", {1, 2}, range(3), Box([1]), Frozen, iter([])):
        assert nest.flatten(leaf) == [leaf] and not nest.is_nested(leaf)


def test_map_structure_over_several() -> None:
    assert nest.map_structure(lambda *xs: sum(xs), (1, [2]), (10, [20]), (100, [200])) == (
        111,
        [222],
    )
    with pytest.raises(ValueError, match="at least one"):
        nest.map_structure(len)


@pytest.mark.parametrize(
    "a, b, error, message",
    [
        ({"a": [1, 2]}, {"a": [1, 2, 3]}, ValueError, r"at \['a'\]: list of 2 vs list of 3"),
        ([1, (2,)], [1, [2]], TypeError, r"at \[1\]: tuple of 1 vs list of 1"),
        ([1, [2]], [1, 2], TypeError, r"at \[1\]: list of 1 vs a leaf \(int\)"),
        (
            {"a": 1},
            {"b": 1},
            ValueError,
            r"differ: dict with keys \['a'\] vs dict with keys \['b'\]",
        ),
    ],
)
def test_differences_name_the_place(a: Any, b: Any, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        nest.assert_same_structure(a, b)


def test_types_may_be_left_unchecked() -> None:
    nest.assert_same_structure([1, (2,)], (1, [2]), check_types=False)
    nest.assert_same_structure({"a": 1}, collections.OrderedDict(a=2))


def test_the_number_of_leaves_is_checked() -> None:
    with pytest.raises(ValueError, match="has 2 leaves, got 1"):
        nest.unflatten([1, 2], [1])
    with pytest.raises(ValueError, match="has 2 leaves, got 3"):
        nest.pack_sequence_as([1, 2], [1, 2, 3])


def test_frozen_dataclasses_and_slots_are_rebuilt() -> None:
    @dataclasses.dataclass(frozen=True, slots=True)
    class Slotted:
        a: int
        b: int = 0

    assert nest.map_structure(lambda x: x + 1, Slotted(1, 2)) == Slotted(2, 3)
    assert not nest.is_nested(Slotted)


def test_own_types_can_be_registered() -> None:
    class Pair(Box):
        pass

    class Sub(Pair):
        pass

    nest.register(Pair, lambda p: p.content, lambda p, children: type(p)(list(children)))
    assert nest.flatten(Pair([1, [2]])) == [1, 2]
    mapped = nest.map_structure(lambda x: -x, Pair([1, [2]]))
    assert type(mapped) is Pair and mapped.content == [-1, [-2]]
    assert nest.flatten(Sub([5])) == [5]


def test_the_arguments_of_tensorflows_functions() -> None:
    tree = {"b": [1, (2,)], "a": 3}
    assert [3, 1, 2] == rt.nest.flatten(tree, expand_composites=True)
    assert tree == rt.nest.pack_sequence_as(
        structure=tree, flat_sequence=[3, 1, 2], expand_composites=True
    )
    assert [11, 22] == rt.nest.map_structure(
        lambda x, y: x + y, [1, 2], (10, 20), check_types=False, expand_composites=False
    )
    rt.nest.assert_same_structure(nest1=[1], nest2=(2,), check_types=False)
    with pytest.raises(TypeError, match="the structures differ"):
        rt.nest.map_structure(max, [1], (2,))
    with pytest.raises(TypeError, match="takes a function first, not 3"):
        rt.nest.map_structure(3, [1])
    with pytest.raises(TypeError, match="flat_sequence must be a list, not int"):
        rt.nest.pack_sequence_as([1], 5)
    with pytest.raises(ValueError, match="has 2 leaves, got 1"):
        rt.nest.pack_sequence_as([1, 2], [5])


def test_invalid_registrations_are_refused() -> None:
    kind = type("Pair", (), {})
    for arguments, words in (
        ((3, list, list), "takes a class first, not 3"),
        (([], list, list), "takes a class first"),
        ((kind, 3, list), "flatten must be a function, not 3"),
        ((kind, list, None), "unflatten must be a function, not None"),
        ((kind, list, list, "words"), "form must be a function, not 'words'"),
    ):
        with pytest.raises(DTypeError, match=words):
            nest.register(*arguments)
    assert not nest.is_nested(kind())


def test_leaves_may_be_an_iterator() -> None:
    assert [1, (2,)] == nest.unflatten([0, (0,)], iter([1, 2]))
    with pytest.raises(ArgumentValueError, match="the structure has 2 leaves, got 1"):
        nest.unflatten([0, (0,)], iter([1]))
