"""One of several Python objects: operations apply to the selected object."""

from __future__ import annotations

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StagingError

INT = rt.constant


def both(function, *values):
    """Return the results of a function for each value: staged, and in Python."""
    staged = ag.function(function)
    return [int(staged(INT(v))) for v in values], [function(v) for v in values]


def up(x):
    return x + 1


def down(x):
    return x - 1


def test_each_function_is_called_in_its_branch():
    def f(x):
        step = up if x > 0 else down
        return step(x) * 2

    staged, python = both(f, 3, -3, 0)
    assert staged == python


def test_builtins_and_methods_are_called_too():
    def f(x):
        measure = abs if x > 0 else [10, 20].__len__
        return measure(x) if measure is abs else measure()

    staged, python = both(f, 3, -3)
    assert staged == python


def test_identity_and_equality_compare_the_selected_object():
    def f(x):
        step = up if x > 0 else down
        return (1 if step is up else 2) + (10 if step == down else 20) + (step is not None) * 100

    staged, python = both(f, 3, -3)
    assert staged == python


def test_items_and_inequality_are_those_of_the_selected_object():
    class Row:
        def __init__(self, first):
            self.first = first

        def __eq__(self, other):
            return self.first == other.first

        def __setitem__(self, index, item):
            self.first = item + index

    rows = Row(INT(1)), Row(INT(2))

    def f(x):
        row = rows[0] if x > 0 else rows[1]
        row[0] = x
        return (1 if row != rows[0] else 2) + row.first

    staged, python = both(f, 3, -3)
    assert staged == python


def test_a_third_object_joins_two():
    def f(x):
        step = up if x > 0 else down
        if x == 0:
            step = abs
        return step(x)

    staged, python = both(f, 3, -3, 0)
    assert staged == python


def test_truth_is_that_of_the_selected_object():
    class Falsy:
        def __bool__(self):
            return False

    yes, no = object(), Falsy()

    def f(x):
        chosen = yes if x > 0 else no
        return 1 if chosen else 2

    staged, python = both(f, 3, -3)
    assert staged == python


def test_len_of_one_of_several_functions_is_refused():
    def f(x):
        chosen = up if x > 0 else down
        return len(chosen)

    with pytest.raises((ag.errors.AutographError, TypeError)):
        ag.function(f)(INT(1))


def test_a_new_function_in_each_iteration_is_refused():
    def f(n):
        made = up
        for _ in range(n):
            made = eval("lambda x: x")
        return made(n)

    with pytest.raises(ag.errors.StagingError, match="'made'"):
        ag.function(f)(INT(1))


class Link:
    def __init__(self, v, p=None):
        self.v, self.p = v, p


def test_an_object_of_one_path_that_leads_to_itself_is_refused():
    def f(o, x):
        if x < 0:
            made = Link(x, Link(x))
            if x < -1:
                o.b = made
            made.p = o.b.p

    o = Link(0.0)
    o.a = o.b = Link(1.0, Link(2.0))
    with pytest.raises(StagingError, match="keep the objects in a list"):
        ag.function(f)(o, rt.constant(1.0))
    assert o.b is o.a
