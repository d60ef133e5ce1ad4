"""Before and after the converter Continues."""

from __future__ import annotations

from autograph.converters.breaks import Breaks
from autograph.converters.continues import Continues
from autograph.converters.early_exits import EarlyExits
from tests.autograph.converters.steps import after, text


def test_a_last_continue_vanishes() -> None:
    before = """
        def f(x):
            for i in x:
                if i:
                    continue
                else:
                    a(i)
    """
    expected = """
        def f(x):
            for i in x:
                if i:
                    pass
                else:
                    a(i)
    """
    assert text(expected) == after(before, Continues)


def test_statements_after_a_possible_continue_are_guarded() -> None:
    before = """
        def f(x):
            for i in x:
                if a:
                    if b:
                        continue
                c(i)
    """
    expected = """
        def f(x):
            for i in x:
                continue_ = False
                if a:
                    if b:
                        continue_ = True
                if (not continue_):
                    c(i)
    """
    assert text(expected) == after(before, Continues)


def test_a_continue_of_an_outer_loop_in_an_inner_else() -> None:
    before = """
        def f(x):
            for i in x:
                for j in i:
                    if j:
                        break
                else:
                    continue
                a(i)
    """
    expected = """
        def f(x):
            for i in x:
                continue_ = False
                break_ = False
                for j in i:
                    'until break_'
                    if j:
                        break_ = True
                if (not break_):
                    continue_ = True
                if (not continue_):
                    a(i)
    """
    assert text(expected) == after(before, EarlyExits, Breaks, Continues)
