"""Before and after the converter Breaks."""

from __future__ import annotations

from autograph.converters.breaks import Breaks
from tests.autograph.converters.steps import after, text


def test_a_break_is_a_flag_that_stops_the_loop() -> None:
    before = """
        def f(x):
            while x:
                if g(x):
                    break
                else:
                    h(x)
    """
    expected = """
        def f(x):
            break_ = False
            while x:
                'until break_'
                if g(x):
                    break_ = True
                else:
                    h(x)
    """
    assert text(expected) == after(before, Breaks)


def test_statements_after_a_possible_break_are_guarded() -> None:
    before = """
        def f(x):
            for i in x:
                if a:
                    if b:
                        break
                c(i)
    """
    expected = """
        def f(x):
            break_ = False
            for i in x:
                'until break_'
                if a:
                    if b:
                        break_ = True
                if (not break_):
                    c(i)
    """
    assert text(expected) == after(before, Breaks)


def test_the_else_of_a_loop_runs_unless_it_broke() -> None:
    before = """
        def f(x):
            for i in x:
                if i:
                    break
            else:
                a()
    """
    expected = """
        def f(x):
            break_ = False
            for i in x:
                'until break_'
                if i:
                    break_ = True
            if (not break_):
                a()
    """
    assert text(expected) == after(before, Breaks)


def test_flags_are_named_from_outside_in() -> None:
    before = """
        def f(x):
            while x:
                for i in x:
                    if i:
                        break
                if x:
                    break
    """
    expected = """
        def f(x):
            break_ = False
            while x:
                'until break_'
                break__1 = False
                for i in x:
                    'until break__1'
                    if i:
                        break__1 = True
                if x:
                    break_ = True
    """
    assert text(expected) == after(before, Breaks)


def test_a_loop_with_a_yield_keeps_its_break() -> None:
    before = """
        def f(x):
            for i in x:
                yield i
                if i:
                    break
    """
    expected = """
        def f(x):
            for i in x:
                (yield i)
                if i:
                    break
    """
    assert text(expected) == after(before, Breaks)


def test_an_else_of_try_does_not_run_after_a_break() -> None:
    before = """
        def f(x):
            for i in x:
                try:
                    if i:
                        break
                except E:
                    a()
                else:
                    b()
    """
    expected = """
        def f(x):
            break_ = False
            for i in x:
                'until break_'
                try:
                    if i:
                        break_ = True
                except E:
                    a()
                else:
                    if (not break_):
                        b()
    """
    assert text(expected) == after(before, Breaks)
