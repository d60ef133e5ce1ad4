"""Before and after the converter Variables."""

from __future__ import annotations

from autograph.converters.variables import Variables
from tests.autograph.converters.steps import after, text


def test_reads_are_checked() -> None:
    before = """
        def f(x, y=z):
            o.v[x] = x + y
            return [i for i in x if i]
    """
    expected = """
        def f(x, y=z):
            ag__.ld(o).v[ag__.ld(x)] = (ag__.ld(x) + ag__.ld(y))
            return [ag__.ld(i) for i in ag__.ld(x) if ag__.ld(i)]
    """
    assert text(expected) == after(before, Variables)


def test_an_augmented_assignment_reads_first() -> None:
    before = """
        def f(x):
            x += 1
            x.y += 1
    """
    expected = """
        def f(x):
            x = ag__.ld(x)
            x += 1
            ag__.ld(x).y += 1
    """
    assert text(expected) == after(before, Variables)


def test_a_deleted_variable_holds_a_mark() -> None:
    before = """
        def f(x):
            global g
            del x, o.v, g
            if a:
                y = 1
            del y
    """
    expected = """
        def f(x):
            global g
            x = ag__.Undefined('x')
            del ag__.ld(o).v
            del g
            if ag__.ld(a):
                y = 1
            ag__.ld(y)
            y = ag__.Undefined('y')
    """
    assert text(expected) == after(before, Variables)
