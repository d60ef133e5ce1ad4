"""Contents of objects are read and put back without running code of the user's."""

from __future__ import annotations

from collections import OrderedDict

import pytest

from autograph.backends.graph.objects.object_contents import (
    ClassVariables,
    Globals,
    StoredAttributes,
    contents_of,
    entry_of,
    overrides_container_methods,
    put_contents,
    put_entry,
)


def forbidden(*_: object) -> object:
    raise AssertionError("code of the user's ran")


class OwnDict(dict):
    items = clear = update = __setitem__ = forbidden  # type: ignore[assignment]


class OwnList(list):
    __iter__ = __setitem__ = forbidden  # type: ignore[assignment]


class Guarded:
    __setattr__ = __getattribute__ = forbidden  # type: ignore[assignment]


class Slotted:
    __slots__ = ("a", "b")


def guarded():
    value = Guarded()
    object.__setattr__(value, "a", 1)
    return value


def slotted():
    value = Slotted()
    value.a = 1
    return value


def a_class():
    return ClassVariables(type("Made", (), {"a": 1, "m": lambda self: 0, "p": property()}))


NAMESPACE: dict[str, object] = {"a": 1, "c": 3}
MADE = {
    "dict": lambda: {"a": 1},
    "own dict": lambda: OwnDict(a=1),
    "ordered": lambda: OrderedDict(a=1),
    "guarded": guarded,
    "slotted": slotted,
    "class": a_class,
    "globals": lambda: Globals(dict(NAMESPACE), frozenset("ab")),
}


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_changed_and_added_attributes_are_restored(make):
    value = make()
    before = contents_of(value)
    assert {"a": 1} == before
    put_entry(value, "a", 2)
    put_entry(value, "b", 3)
    assert {"a": 2, "b": 3} == contents_of(value)
    assert 2 == entry_of(value, "a")
    put_contents(value, before)
    assert {"a": 1} == contents_of(value)


def test_list_items_are_keyed_by_their_index():
    value = OwnList([1, 2])
    put_entry(value, 1, 5)
    assert {0: 1, 1: 5} == contents_of(value)
    put_contents(value, {0: 1})
    assert 1 == len(value)


def test_unmentioned_globals_are_not_restored():
    part = Globals(dict(NAMESPACE), frozenset("ab"))
    put_contents(part, {})
    assert {"c": 3} == part.namespace


def test_contents_of_a_container_subclass_include_its_attributes():
    value = OwnDict(a=1)
    value.times = 4  # type: ignore[attr-defined]
    assert {"times": 4} == contents_of(StoredAttributes(value))
    assert contents_of(StoredAttributes([])) is None


def test_a_plain_container_subclass_has_no_own_behaviour():
    class Named(dict):
        def total(self):
            return sum(self.values())

    value = Named(a=1)
    assert not overrides_container_methods(value)
    value.times = 4
    assert overrides_container_methods(value)
    assert overrides_container_methods(OwnDict()) and overrides_container_methods(OwnList())
    assert not any(map(overrides_container_methods, ([], {}, OrderedDict(), (), 1)))
