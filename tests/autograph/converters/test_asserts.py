"""Before and after the converter Asserts."""

from __future__ import annotations

from autograph.converters.asserts import Asserts
from tests.autograph.converters.steps import after, text


def test_an_assertion_is_a_call() -> None:
    before = """
        def f(x):
            assert x > 0
            assert x, g(x)
    """
    expected = """
        def f(x):
            ag__.assert_stmt((x > 0), None)
            ag__.assert_stmt(x, (lambda : g(x)))
    """
    assert text(expected) == after(before, Asserts)


def test_a_message_that_binds_a_name_stays() -> None:
    before = """
        def f(x):
            assert x, (y := g(x))
    """
    expected = """
        def f(x):
            assert x, (y := g(x))
    """
    assert text(expected) == after(before, Asserts)
