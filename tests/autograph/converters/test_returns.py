"""Before and after the converter Returns."""

from __future__ import annotations

from autograph.converters.functions import Functions
from autograph.converters.returns import Returns
from tests.autograph.converters.steps import after, text


def test_an_only_last_return_becomes_flag_and_value() -> None:
    before = """
        def f(x):
            y = x
            return y
    """
    expected = """
        def tf__f(x):
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:
                do_return = False
                retval_ = ag__.UndefinedReturnValue()
                y = x
                try:
                    do_return = True
                    retval_ = y
                except:
                    do_return = False
                    raise
                return fscope.ret(retval_, do_return)
    """
    assert text(expected) == after(before, Functions, Returns)


def test_a_function_without_return_is_left_alone() -> None:
    before = """
        def f(x):
            g(x)
    """
    expected = """
        def tf__f(x):
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:
                g(x)
    """
    assert text(expected) == after(before, Functions, Returns)


def test_returns_in_branches_become_flag_and_value() -> None:
    before = """
        def f(x):
            if x:
                return 1
            else:
                return
    """
    expected = """
        def tf__f(x):
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:
                do_return = False
                retval_ = ag__.UndefinedReturnValue()
                if x:
                    try:
                        do_return = True
                        retval_ = 1
                    except:
                        do_return = False
                        raise
                else:
                    try:
                        do_return = True
                        retval_ = None
                    except:
                        do_return = False
                        raise
                return fscope.ret(retval_, do_return)
    """
    assert text(expected) == after(before, Functions, Returns)


def test_a_return_in_a_loop_stops_it_and_guards_the_rest() -> None:
    before = """
        def f(x):
            for i in x:
                if i:
                    return i
            return 0
    """
    expected = """
        def tf__f(x):
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:
                do_return = False
                retval_ = ag__.UndefinedReturnValue()
                for i in x:
                    'until do_return'
                    if i:
                        try:
                            do_return = True
                            retval_ = i
                        except:
                            do_return = False
                            raise
                if (not do_return):
                    try:
                        do_return = True
                        retval_ = 0
                    except:
                        do_return = False
                        raise
                return fscope.ret(retval_, do_return)
    """
    assert text(expected) == after(before, Functions, Returns)


def test_a_return_that_skips_a_yield_stays() -> None:
    before = """
        def f(x):
            if x:
                return 1
            yield x
            return
    """
    expected = """
        def tf__f(x):
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:
                if x:
                    return fscope.ret(1, True)
                (yield x)
                return
    """
    assert text(expected) == after(before, Functions, Returns)


def test_a_generator_may_end_by_a_flag() -> None:
    before = """
        def f(x):
            yield x
            if x:
                return 1
            return
    """
    expected = """
        def tf__f(x):
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:
                do_return = False
                retval_ = ag__.UndefinedReturnValue()
                (yield x)
                if x:
                    try:
                        do_return = True
                        retval_ = 1
                    except:
                        do_return = False
                        raise
                if (not do_return):
                    try:
                        do_return = True
                        retval_ = None
                    except:
                        do_return = False
                        raise
                return fscope.ret(retval_, do_return)
    """
    assert text(expected) == after(before, Functions, Returns)


def test_an_asynchronous_generator_returns_for_itself() -> None:
    before = """
        async def f(x):
            yield x
            if x:
                return
    """
    expected = """
        async def tf__f(x):
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:
                (yield x)
                if x:
                    return
    """
    assert text(expected) == after(before, Functions, Returns)


def test_an_exception_in_a_with_resets_the_return_flag() -> None:
    before = """
        def f(x):
            with a, b:
                return 1
    """
    expected = """
        def tf__f(x):
            with ag__.FunctionScope('f', 'fscope', OPTIONS) as fscope:
                do_return = False
                retval_ = ag__.UndefinedReturnValue()
                with a:
                    try:
                        with b:
                            try:
                                do_return = True
                                retval_ = 1
                            except:
                                do_return = False
                                raise
                    except:
                        do_return = False
                        raise
                return fscope.ret(retval_, do_return)
    """
    assert text(expected) == after(before, Functions, Returns)
