"""Before and after the converter Directives."""

from __future__ import annotations

import pytest

from autograph.converters.directives import Directives
from autograph.errors import ConversionError
from tests.autograph.converters.steps import after, text


def test_options_move_to_the_loop() -> None:
    before = """
        def f(x):
            for i in x:
                g(i)
                ag.set_loop_options(maximum_iterations=3)
            while x:
                tf.autograph.experimental.set_loop_options(shape_invariants=[(x, s), (y, u(1))])
    """
    expected = """
        def f(x):
            for i in x:
                'maximum_iterations=3'
                g(i)
            while x:
                "shape_invariants=(('x', s), ('y', u(1)))"
                pass
    """
    assert text(expected) == after(before, Directives)


def test_positional_options_get_their_names() -> None:
    before = """
        def f(x):
            for i in x:
                set_loop_options(1, False, 7)
    """
    expected = """
        def f(x):
            for i in x:
                'parallel_iterations=1'
                'swap_memory=False'
                'maximum_iterations=7'
                pass
    """
    assert text(expected) == after(before, Directives)


def test_outside_of_loops_the_call_stays() -> None:
    before = """
        def f(x):
            ag.set_loop_options(maximum_iterations=3)
            for i in x:
                if i:
                    ag.set_loop_options(maximum_iterations=3)
    """
    expected = """
        def f(x):
            ag.set_loop_options(maximum_iterations=3)
            for i in x:
                if i:
                    ag.set_loop_options(maximum_iterations=3)
    """
    assert text(expected) == after(before, Directives)


def test_an_unknown_option_is_an_error() -> None:
    before = """
        def f(x):
            for i in x:
                set_loop_options(max_iterations=3)
    """
    with pytest.raises(ConversionError, match="no option 'max_iterations'; it has .*maximum_it"):
        after(before, Directives)
