"""Before and after the converter Calls."""

from __future__ import annotations

from autograph.converters.calls import Calls
from autograph.converters.functions import Functions
from tests.autograph.converters.steps import after, text


def test_arguments_become_a_tuple_and_keywords_a_dict() -> None:
    before = """
        def f(x):
            g()
            g(x, 1)
            g(x, *x, k=1, **x)
            g(h())
    """
    expected = """
        def tf__f(x):
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:
                ag__.converted_call(g, (), None, fscope)
                ag__.converted_call(g, (x, 1), None, fscope)
                ag__.converted_call(g, (x, *x), dict(k=1, **x), fscope)
                ag__.converted_call(g, (ag__.converted_call(h, (), None, fscope),), None, fscope)
    """
    assert text(expected) == after(before, Functions, Calls)


def test_calls_belong_to_the_scope_of_their_function() -> None:
    before = """
        def f(x):
            def g():
                return h()
            return (lambda: g())
    """
    expected = """
        def tf__f(x):
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:

                def g():
                    with ag__.FunctionScope('g', 'fscope_1', ag__.STD) as fscope_1:
                        return ag__.converted_call(h, (), None, fscope_1)
                return (lambda : ag__.converted_call(g, (), None, fscope))
    """
    assert text(expected) == after(before, Functions, Calls)


def test_super_decorators_and_class_bodies_are_left_alone() -> None:
    before = """
        def f(x):
            @d(1)
            class C(b()):
                y = g()
                def m(self, z=k()):
                    return super(C, self).m()
    """
    expected = """
        def tf__f(x):
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:

                @d(1)
                class C(b()):
                    y = g()

                    def m(self, z=k()):
                        with ag__.FunctionScope('m', 'fscope_1', ag__.STD) as fscope_1:
                            return ag__.converted_call(super(C, self).m, (), None, fscope_1)
    """
    assert text(expected) == after(before, Functions, Calls)


def test_a_hidden_dict_is_not_used() -> None:
    before = """
        def f(x, dict):
            g(k=1, **x)
    """
    expected = """
        def tf__f(x, dict):
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:
                ag__.converted_call(g, (), {'k': 1, **x}, fscope)
    """
    assert text(expected) == after(before, Functions, Calls)
