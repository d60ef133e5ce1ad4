"""The join of specs is an algebra; a refused join is refused in both orders."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as rt
from autograph.backends.graph.values.container_snapshot import with_contents
from autograph.backends.graph.values.join import (
    JoinError,
    by_value,
    describe,
    join,
    join_all,
    widen,
)
from autograph.backends.graph.values.leaf_spec import NONE, LiteralSpec, StaticSpec, TracedSpec
from autograph.backends.graph.values.spec_inference import spec_of
from autograph.backends.graph.values.value_spec import (
    UNREACHED,
    ContainerSpec,
    ItemsSpec,
    OneOfSpec,
    OptionalSpec,
    UnboundSpec,
)
from autograph.backends.undefined import Undefined

MISSING = Undefined("x")
FIRST, SECOND = object(), object()


class Point(NamedTuple):
    """Two values."""

    x: object
    y: object


LEAVES = st.one_of(
    st.sampled_from([0, 1, -3, True, False, 1.5, 0.0, -0.0, "a", "b", None, MISSING]),
    st.sampled_from([FIRST, SECOND]),
    st.builds(
        lambda dtype, shape: rt.zeros(shape, dtype),
        st.sampled_from([rt.int32, rt.int64, rt.float32, rt.bool]),
        st.sampled_from([(), (2,), (3,), (2, 2)]),
    ),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, inner),
        st.lists(inner, max_size=3),
        st.builds(Point, inner, inner),
        st.fixed_dictionaries({"a": inner, "b": inner}),
    ),
    max_leaves=6,
)
PLANS = st.builds(lambda value: widen(spec_of(with_contents(value))), VALUES)


def joined(a, b):
    try:
        return join(a, b)
    except JoinError:
        return "refused"


def up_to_order(spec):
    """Return a spec by value, without the order in which objects were met."""
    spec = by_value(spec)
    if isinstance(spec, OneOfSpec):
        return "one of", frozenset(map(id, spec.options))
    if isinstance(spec, ContainerSpec):
        return type(spec.like), *map(up_to_order, spec.children)
    if isinstance(spec, ItemsSpec):
        return "items", up_to_order(spec.element)
    if isinstance(spec, OptionalSpec):
        return spec.absent, up_to_order(spec.value)
    return spec


@given(PLANS)
def test_join_is_idempotent(spec):
    assert spec == join(spec, spec)


@given(PLANS, PLANS)
def test_join_is_commutative(a, b):
    assert up_to_order(joined(a, b)) == up_to_order(joined(b, a))


@given(PLANS, PLANS)
def test_a_join_absorbs_its_operands(a, b):
    both = joined(a, b)
    if both != "refused":
        assert up_to_order(both) == up_to_order(join(both, by_value(b)))
        assert up_to_order(both) == up_to_order(join(by_value(a), both))


@given(PLANS, PLANS, PLANS)
def test_join_is_associative(a, b, c):
    left, right = joined(a, b), joined(b, c)
    first = left if left == "refused" else joined(left, c)
    second = right if right == "refused" else joined(a, right)
    if "refused" not in (first, second):
        assert up_to_order(first) == up_to_order(second)


@given(PLANS)
def test_an_unreachable_path_is_the_identity_of_join(spec):
    assert up_to_order(by_value(spec)) == up_to_order(join(UNREACHED, spec))
    assert up_to_order(by_value(spec)) == up_to_order(join(spec, UNREACHED))


@given(PLANS)
def test_widening_is_idempotent(spec):
    assert widen(spec) == widen(widen(spec))


def test_equal_literals_of_different_types_are_distinct():
    assert TracedSpec(rt.TensorSpec((), rt.int32), True) == join(LiteralSpec(1), LiteralSpec(True))
    assert LiteralSpec(0.0) != LiteralSpec(-0.0)
    assert LiteralSpec(1) == join(LiteralSpec(1), LiteralSpec(1))


def test_optional_and_possibly_unbound_values_nest():
    spec = join(join(NONE, LiteralSpec(1)), UnboundSpec(MISSING, irrelevant=False))
    assert isinstance(spec, OptionalSpec) and spec.absent == "undefined"
    assert isinstance(spec.value, OptionalSpec) and spec.value.absent == "none"


def test_lists_of_different_lengths_join_as_dynamic_items():
    one, two = spec_of([1]), spec_of([1.5, 2])
    assert ItemsSpec(TracedSpec(rt.TensorSpec((), rt.float32), True)) == join(one, two)


def test_tuples_of_different_lengths_are_refused_at_their_place():
    with pytest.raises(JoinError) as error:
        join(spec_of((1, (2, 3))), spec_of((1, (2,))))
    assert ("structure", "[1]") == (error.value.kind, error.value.path)


def test_a_string_and_a_number_are_refused_by_name():
    with pytest.raises(JoinError) as error:
        join(LiteralSpec("a"), LiteralSpec(1))
    assert ("dtype", "string", "int32") == (
        error.value.kind,
        error.value.first,
        error.value.second,
    )


def test_objects_join_as_one_of_objects_up_to_a_limit():
    specs = [StaticSpec(object()) for _ in range(101)]
    some = join_all(specs[:100])
    assert "one of 100 objects" == describe(some)
    with pytest.raises(JoinError):
        join(some, specs[100])
