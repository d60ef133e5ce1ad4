"""Variables without a value, item assignment, lists, asserts and scopes on Python values."""

from __future__ import annotations

import pytest

from autograph.backends.protocol import Backends
from autograph.backends.undefined import Undefined, UndefinedReturnValue
from autograph.operators.control_flow import AssertOperators
from autograph.operators.function_scope import FunctionScope
from autograph.operators.lists import ListOperators
from autograph.operators.slices import SliceOperators
from autograph.operators.variables import ld, ldu
from autograph.options import STANDARD

NOBODY = Backends(())


def python_words() -> str:
    def read():
        y  # noqa: F821
        y = 1  # noqa: F841

    with pytest.raises(UnboundLocalError) as caught:
        read()
    return str(caught.value)


def test_reading_an_unbound_variable_raises_pythons_error():
    with pytest.raises(UnboundLocalError) as caught:
        ld(Undefined("y"))
    assert python_words() == str(caught.value)
    assert UnboundLocalError is type(caught.value)


def test_reading_a_bound_variable_returns_the_object():
    value = object()
    assert ld(value) is value


@pytest.mark.parametrize("read", [lambda: {}["k"], lambda: [][0], lambda: (1).x, lambda: nowhere])  # noqa: F821
def test_a_missing_place_is_undefined(read):
    assert "o.x" == ldu(read, "o.x").name


def test_other_errors_of_a_read_propagate():
    with pytest.raises(ZeroDivisionError):
        ldu(lambda: 1 / 0, "o.x")


def test_set_item_changes_in_place_and_returns_the_same_object():
    items = [1, 2, 3]
    slices = SliceOperators(NOBODY)
    assert slices.set_item("x", items, slices.slice_(0, 2, None)) is items
    assert ["x", 3] == items


def test_list_methods_of_lists_and_of_other_objects():
    called = []
    lists = ListOperators(lambda method, *args: called.append((method, args)))
    items: list[int] = []
    assert lists.list_append(items, 1) is None
    assert 1 == lists.list_pop(items)
    bag = {3}
    lists.list_pop(bag)
    assert [(bag.pop, ())] == called


def test_assert_evaluates_its_message_only_when_it_fails():
    asserts, made = AssertOperators(NOBODY), []
    asserts.assert_stmt(1, lambda: made.append("message"))
    assert [] == made
    with pytest.raises(AssertionError) as caught:
        asserts.assert_stmt([], lambda: ("why", 3))
    assert (("why", 3),) == caught.value.args
    with pytest.raises(AssertionError) as caught:
        asserts.assert_stmt(0, None)
    assert () == caught.value.args


@pytest.mark.parametrize(
    "did_return, value, expected",
    [(True, 5, 5), (False, UndefinedReturnValue(), None), (True, None, None)],
)
def test_a_call_without_return_returns_none(did_return, value, expected):
    with FunctionScope(NOBODY, "f", "fscope", STANDARD) as fscope:
        assert expected == fscope.ret(value, did_return)
