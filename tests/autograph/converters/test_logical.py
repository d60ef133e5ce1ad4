"""Before and after the converter Logical."""

from __future__ import annotations

from autograph.converters.logical import Logical
from tests.autograph.converters.steps import after, text


def test_operands_become_thunks() -> None:
    before = """
        def f(a, b, c):
            d = a and b and not c
            return a or (b and c)
    """
    expected = """
        def f(a, b, c):
            d = ag__.and_((lambda : a), (lambda : b), (lambda : ag__.not_(c)))
            return ag__.or_((lambda : a), (lambda : ag__.and_((lambda : b), (lambda : c))))
    """
    assert text(expected) == after(before, Logical)


def test_only_chained_comparisons_become_calls() -> None:
    before = """
        def f(a, b, c):
            d = (a < b, -a)
            a <= b is not c not in d
    """
    expected = """
        def f(a, b, c):
            d = ((a < b), (- a))
            ag__.compare(a, '<=', (lambda : b), 'is not', (lambda : c), 'not in', (lambda : d))
    """
    assert text(expected) == after(before, Logical)


def test_operands_that_bind_names_stay() -> None:
    before = """
        def f(a, b):
            return a and (c := b) or (a < b < (d := 1))
    """
    expected = """
        def f(a, b):
            return ((a and (c := b)) or (a < b < (d := 1)))
    """
    assert text(expected) == after(before, Logical)
