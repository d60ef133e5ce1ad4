"""Before and after the converter Conditionals."""

from __future__ import annotations

from autograph.converters.conditionals import Conditionals
from tests.autograph.converters.steps import after, text


def test_branches_become_thunks_and_the_test_is_quoted() -> None:
    before = """
        def f(x):
            y = a if x  > 0 else b
            return a if (x and
                         y) else b
    """
    expected = """
        def f(x):
            y = ag__.if_exp((x > 0), (lambda : a), (lambda : b), 'x > 0')
            return ag__.if_exp((x and y), (lambda : a), (lambda : b), 'x and y')
    """
    assert text(expected) == after(before, Conditionals)


def test_branches_that_bind_names_stay() -> None:
    before = """
        def f(x):
            return (y := 1) if x else 2
    """
    expected = """
        def f(x):
            return ((y := 1) if x else 2)
    """
    assert text(expected) == after(before, Conditionals)
