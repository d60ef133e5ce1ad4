"""Before and after the converter Lists."""

from __future__ import annotations

from autograph.converters.lists import Lists
from tests.autograph.converters.steps import after, text


def test_append_and_pop_become_operators() -> None:
    before = """
        def f(l):
            l.append(1)
            return l.pop() + o.l.pop(0)
    """
    expected = """
        def f(l):
            ag__.list_append(l, 1)
            return (ag__.list_pop(l) + ag__.list_pop(o.l, 0))
    """
    assert text(expected) == after(before, Lists)


def test_other_calls_are_left_alone() -> None:
    before = """
        def f(l, append):
            append(1)
            l.append(*l)
            l.append(1, 2)
            l.pop(key=1)
            l.pop('a', None)
            l.extend(l)
    """
    expected = """
        def f(l, append):
            append(1)
            l.append(*l)
            l.append(1, 2)
            l.pop(key=1)
            l.pop('a', None)
            l.extend(l)
    """
    assert text(expected) == after(before, Lists)
