"""Arguments copied for a trace keep their aliases."""

from __future__ import annotations

import pytest

import runtime as rt
from autograph.functions.decorator import function


@pytest.mark.parametrize("make", [lambda: [rt.constant(1)], lambda: {"a": rt.constant(1)}])
def test_a_container_passed_twice_is_one_object_in_the_trace(make):
    @function
    def are_one(a, b):
        return a is b

    one, other = make(), make()
    answers = [bool(are_one(*pair)) for pair in [(one, other), (one, one), (other, one)]]
    assert [False, True, False] == answers
    assert 2 == are_one.experimental_get_tracing_count()
    assert are_one.get_concrete_function(one, one) is not are_one.get_concrete_function(one, other)


def test_a_list_nested_twice_in_arguments_is_one_object_in_the_trace():
    @function
    def which(rows, *more):
        return [rows[0] is row for row in (*rows, *more)]

    row, other = [rt.constant(1)], [rt.constant(1)]
    assert [True, False, True] == [bool(each) for each in which([row, other], row)]
    assert [True, True, False] == [bool(each) for each in which([row, row], other)]
