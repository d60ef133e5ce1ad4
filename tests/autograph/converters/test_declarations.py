"""Before and after the converter Declarations."""

from __future__ import annotations

from autograph.converters.declarations import Declarations
from tests.autograph.converters.steps import after, text


def test_declarations_go_to_the_top_below_the_docstring() -> None:
    before = """
        def f(x):
            'doc'
            if x:
                global a, b
                a = 1
            else:
                global c
    """
    expected = """
        def f(x):
            'doc'
            global a, b, c
            if x:
                a = 1
            else:
                pass
    """
    assert text(expected) == after(before, Declarations)


def test_annotations_are_dropped_and_names_stay_local() -> None:
    before = """
        def f(x):
            y: int = x
            z: int
            o.v: int
            w: int
            while x:
                y: str
            return z
    """
    expected = """
        def f(x):
            z = ag__.Undefined('z')
            y = x
            o
            while x:
                pass
            return z
    """
    assert text(expected) == after(before, Declarations)


def test_operands_of_an_annotated_target_are_evaluated() -> None:
    before = """
        def f(x):
            (y): int
            g()[h()]: int
            g()[a:b(), c]: int
            return y
    """
    expected = """
        def f(x):
            g()
            h()
            g()
            a
            b()
            c
            return y
    """
    assert text(expected) == after(before, Declarations)
