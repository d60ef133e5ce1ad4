"""Before and after the converter Slices."""

from __future__ import annotations

from autograph.converters.slices import Slices
from tests.autograph.converters.steps import after, text


def test_an_item_of_a_local_variable_is_assigned_by_rebinding_it() -> None:
    before = """
        def f(x):
            x[i] = v
            x[a:b, ::2, j] = g(x)
    """
    expected = """
        def f(x):
            x = ag__.set_item(v, x, i)
            x = ag__.set_item(g(x), x, (ag__.slice_(a, b, None), ag__.slice_(None, None, 2), j))
    """
    assert text(expected) == after(before, Slices)


def test_other_targets_are_unchanged() -> None:
    before = """
        def f(x):
            z[0] = 1
            x.y[0] = 1
            a = x.y = 1
            x[0] += (yield)
    """
    assert text(before) == after(before, Slices)


def test_chained_targets_get_the_value_one_after_another() -> None:
    before = """
        def f(x):
            a = x[0] = z[a], b = v
    """
    expected = """
        def f(x):
            item_ = v
            a = item_
            x = ag__.set_item(item_, x, 0)
            (z[a], b) = item_
    """
    assert text(expected) == after(before, Slices)


def test_variables_of_other_scopes_and_items_among_several_targets_are_rebound() -> None:
    before = """
        def f(x):
            global y
            y[0] = 1
            x[0], b = 1, 2
            x[1:] *= b
    """
    expected = """
        def f(x):
            global y
            y = ag__.set_item(1, y, 0)
            (item_, item__1) = (1, 2)
            x = ag__.set_item(item_, x, 0)
            b = item__1
            x = ag__.update_item(x, ag__.slice_(1, None, None), '*=', (lambda : b))
    """
    assert text(expected) == after(before, Slices)


def test_items_in_nested_and_starred_targets_are_rebound() -> None:
    before = """
        def f(x, y):
            (a, x[0]), *y[0] = v
    """
    expected = """
        def f(x, y):
            (item_, *item__2) = v
            (a, item__1) = item_
            x = ag__.set_item(item__1, x, 0)
            y = ag__.set_item(item__2, y, 0)
    """
    assert text(expected) == after(before, Slices)
