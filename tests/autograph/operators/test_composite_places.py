"""Composite places read and assign storage, and run no user code."""

from __future__ import annotations

from collections import OrderedDict, UserDict, defaultdict
from functools import cached_property
from types import SimpleNamespace

import pytest

from autograph.backends.undefined import StoredElsewhere, Undefined
from autograph.operators.composite_places import AttributeStep, CompositePlace, ItemStep
from runtime.nn.optimizers import SGD

V, K = AttributeStep("v"), ItemStep("k")


def forbidden(*_: object) -> object:
    raise AssertionError("code of the user's ran")


class WithProperty:
    v = property(forbidden, forbidden)


class WithSetattr:
    __setattr__ = __getattribute__ = forbidden  # type: ignore[assignment]


class Descriptor:
    __get__ = __set__ = forbidden


class WithDescriptor:
    v = Descriptor()


class WithItems:
    __getitem__ = __setitem__ = forbidden


class OwnDict(dict):
    __setitem__ = forbidden  # type: ignore[assignment]


class Slotted:
    __slots__ = ("v",)


@pytest.mark.parametrize(
    "owner, step",
    [
        (WithProperty(), V),
        (WithSetattr(), V),
        (WithDescriptor(), V),
        (WithItems(), K),
        (OwnDict(k=1), K),
        (UserDict(k=1), K),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_property_is_no_storage(owner, step):
    place = CompositePlace(owner, (step,))
    found = place.value
    assert StoredElsewhere is type(found)
    assert found.owners[0] is owner
    assert found.functions
    place.value = 2


def test_a_descriptor_may_store_values_itself():
    found = CompositePlace(WithDescriptor(), (V,)).value
    assert found.owners[1] is WithDescriptor.__dict__["v"]


@pytest.mark.parametrize(
    "owner, step",
    [
        (SimpleNamespace(), V),
        (Slotted(), V),
        ({}, K),
        (OrderedDict(), K),
        (defaultdict(list), K),
        (type("Named", (dict,), {})(), K),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_place_holds_the_assigned_value_until_it_is_cleared(owner, step):
    place = CompositePlace(owner, (step,))
    with pytest.raises((AttributeError, LookupError)):
        place.value
    place.value = 3
    assert 3 == place.value
    for _ in range(2):
        place.value = Undefined("v")
        with pytest.raises((AttributeError, LookupError)):
            place.value


def test_steps_are_followed_in_order():
    owner = SimpleNamespace(v={"k": {-1: 2}})
    CompositePlace(owner, (V, K, ItemStep(-1))).value = 5
    assert {-1: 5} == owner.v["k"]


def test_an_item_of_a_list_is_no_place_since_the_list_is_watched():
    items = [1, 2]
    place = CompositePlace(SimpleNamespace(v=items), (V, ItemStep(-1)))
    assert place.value.owners[0] is items
    place.value = 5
    assert [1, 2] == items


def test_a_step_through_a_property_is_no_storage():
    owner = WithProperty()
    found = CompositePlace(SimpleNamespace(v=owner), (V, V, K)).value
    assert found.owners[0] is owner


def test_computed_attributes_have_no_stored_value():
    class Lazy:
        v = cached_property(forbidden)

    class WithoutAttributes:
        __getattr__ = forbidden

    for owner in (Lazy(), WithoutAttributes()):
        with pytest.raises(AttributeError):
            CompositePlace(owner, (V,)).value
        owner.__dict__["v"] = 1
        assert 1 == CompositePlace(owner, (V,)).value


def test_markers_have_no_user_attributes():
    with pytest.raises(AttributeError):
        CompositePlace(Undefined("o"), (AttributeStep("name"),)).value


def test_restoring_a_value_stored_elsewhere_changes_nothing():
    owner = SimpleNamespace(v=1)
    CompositePlace(owner, (V,)).value = StoredElsewhere((), ())
    assert 1 == owner.v


def test_a_property_that_assigns_a_variable_is_no_place() -> None:
    optimizer = SGD(0.5)
    place = CompositePlace(optimizer, (AttributeStep("learning_rate"),))
    found = place.value
    assert isinstance(found, StoredElsewhere)
    assert ((), ()) == (found.owners, found.functions)
    place.value = 0.25
    assert 0.5 == float(optimizer.learning_rate)
