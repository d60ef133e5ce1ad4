"""Before and after the converter EarlyExits."""

from __future__ import annotations

from autograph.converters.early_exits import EarlyExits
from tests.autograph.converters.steps import after, text


def test_the_rest_moves_into_the_other_branch() -> None:
    before = """
        def f(x):
            if x > 0:
                return x
            y = g(x)
            return y
    """
    expected = """
        def f(x):
            if (x > 0):
                return x
            else:
                y = g(x)
                return y
    """
    assert text(expected) == after(before, EarlyExits)


def test_the_rest_moves_into_the_body_when_the_else_jumps() -> None:
    before = """
        def f(x):
            for i in x:
                if i:
                    a(i)
                else:
                    continue
                b(i)
    """
    expected = """
        def f(x):
            for i in x:
                if i:
                    a(i)
                    b(i)
                else:
                    continue
    """
    assert text(expected) == after(before, EarlyExits)


def test_guard_clauses_nest() -> None:
    before = """
        def f(x):
            if x == 1:
                return 1
            if x == 2:
                return 2
            return 3
    """
    expected = """
        def f(x):
            if (x == 1):
                return 1
            elif (x == 2):
                return 2
            else:
                return 3
    """
    assert text(expected) == after(before, EarlyExits)


def test_unreachable_code_is_dropped_and_its_names_stay_local() -> None:
    before = """
        def f(x):
            if x:
                return 1
            else:
                g(y)
                return 2
            y = z = 3
    """
    expected = """
        def f(x):
            y = ag__.Undefined('y')
            if x:
                return 1
            else:
                g(y)
                return 2
    """
    assert text(expected) == after(before, EarlyExits)


def test_the_else_of_a_loop_without_break_follows_it() -> None:
    before = """
        def f(x):
            for i in x:
                if i:
                    return i
            else:
                a()
            b()
    """
    expected = """
        def f(x):
            for i in x:
                if i:
                    return i
            a()
            b()
    """
    assert text(expected) == after(before, EarlyExits)


def test_a_branch_that_may_fall_through_is_left_alone() -> None:
    before = """
        def f(x):
            if x:
                if y:
                    return 1
            return 2
    """
    expected = """
        def f(x):
            if x:
                if y:
                    return 1
            return 2
    """
    assert text(expected) == after(before, EarlyExits)
