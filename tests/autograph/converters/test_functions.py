"""Before and after the converter Functions."""

from __future__ import annotations

from autograph.converters.functions import Functions
from autograph.converters.pipeline import convert_function
from autograph.options import ConversionOptions
from autograph.syntax import print_tree, source_of
from tests.autograph.converters.steps import after, text


def outer() -> object:
    def inner() -> None: ...

    return inner


def test_the_body_moves_into_a_scope() -> None:
    before = """
        @decorated
        def f(x: int, *, y: str=None) -> float:
            'doc'
            global g
            return x
    """
    expected = """
        def tf__f(x, *, y=None):
            'doc'
            global g
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:
                return x
    """
    assert text(expected) == after(before, Functions)


def test_nested_functions_keep_their_head_and_get_standard_options() -> None:
    before = """
        def f():
            @decorated
            def g(x: int=1) -> int:
                return x
    """
    expected = """
        def tf__f():
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:

                @decorated
                def g(x: int=1) -> int:
                    with ag__.FunctionScope('g', 'fscope_1', ag__.STD) as fscope_1:
                        return x
    """
    assert text(expected) == after(before, Functions)


def test_nested_functions_keep_options_that_are_not_standard() -> None:
    source = source_of(outer)
    once = print_tree(convert_function(source, ConversionOptions(include=("json",)), None))
    plain = print_tree(convert_function(source_of(outer), ConversionOptions(recursive=False), None))
    ending = "optional_features=(), internal_convert_user_code="
    assert 2 == once.count(f"{ending}True, include=('json',))")
    assert 1 == plain.count(f"recursive=False, user_requested=False, {ending}False)")
    assert "ag__.STD" not in once + plain


def test_generators_and_coroutines_get_a_scope_like_any_function() -> None:
    before = """
        def f():
            def g():
                yield 1
            async def h():
                pass
    """
    expected = """
        def tf__f():
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:

                def g():
                    with ag__.FunctionScope('g', 'fscope_1', ag__.STD) as fscope_1:
                        (yield 1)

                async def h():
                    with ag__.FunctionScope('h', 'fscope_2', ag__.STD) as fscope_2:
                        pass
    """
    assert text(expected) == after(before, Functions)


def test_bodies_may_be_empty() -> None:
    before = """
        def f():
            'doc'
    """
    expected = """
        def tf__f():
            'doc'
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:
                pass
    """
    assert text(expected) == after(before, Functions)


def test_a_lambda_is_assigned() -> None:
    before = """
        tf = lambda *x: x
    """
    expected = """
        tf__lambda = (lambda *x: ag__.with_function_scope((lambda lscope: x), 'lscope', OPTIONS))
    """
    assert text(expected) == after(before, Functions)
