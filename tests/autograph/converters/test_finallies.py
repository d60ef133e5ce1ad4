"""Before and after the converter FinallyJumps."""

from __future__ import annotations

from autograph.converters.finallies import FinallyJumps
from tests.autograph.converters.steps import after, text


def test_a_finally_that_jumps_is_written_out() -> None:
    before = """
        def f(x):
            for i in x:
                try:
                    a(i)
                finally:
                    if i:
                        break
                    b(i)
    """
    expected = """
        def f(x):
            for i in x:
                try:
                    a(i)
                except:
                    if i:
                        break
                    b(i)
                    raise
                else:
                    'always'
                    if i:
                        break
                    b(i)
    """
    assert text(expected) == after(before, FinallyJumps)


def test_a_finally_without_jumps_stays() -> None:
    before = """
        def f(x):
            try:
                return 1
            finally:
                for i in x:
                    break
    """
    expected = """
        def f(x):
            try:
                return 1
            finally:
                for i in x:
                    break
    """
    assert text(expected) == after(before, FinallyJumps)


def test_a_finally_of_a_generator_is_unchanged() -> None:
    before = """
        def f(x):
            try:
                yield 1
            finally:
                return 2
    """
    expected = """
        def f(x):
            try:
                (yield 1)
            finally:
                return 2
    """
    assert text(expected) == after(before, FinallyJumps)
