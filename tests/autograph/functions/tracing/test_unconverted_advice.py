"""Errors of symbolic tensors name the statements that stayed Python."""

from __future__ import annotations

import pytest

import runtime as rt
from autograph import do_not_convert, function


def test_the_error_names_the_kept_statement_and_its_reason():
    @function
    def total(n):
        def numbers():
            k = 0
            while k < n:
                try:
                    yield k
                    if k == n:
                        raise ValueError
                except ValueError:
                    pass
                k += 1

        return sum(numbers())

    with pytest.raises(rt.errors.SymbolicTensorError) as caught:
        total(rt.constant(3))
    message, place, *_ = str(caught.value).splitlines()
    assert message.endswith("`while` of line 16 stays Python: it holds a `yield`")
    assert "test_unconverted_advice.py:16, in numbers" in place


def test_the_error_of_unconverted_code_names_no_kept_statement():
    @function(autograph=False)
    def choose(x):
        return 1 if x > 0 else 2

    with pytest.raises(rt.errors.SymbolicTensorError) as caught:
        choose(rt.constant(3))
    assert "stays Python" not in str(caught.value)


@do_not_convert
def exempt(x):
    return 1 if x > 0 else 2


def test_the_error_of_an_exempt_function_names_the_mark():
    with pytest.raises(rt.errors.SymbolicTensorError) as caught:
        function(lambda x: exempt(x) + 1)(rt.constant(3))
    message = str(caught.value).splitlines()[0]
    assert message.endswith("; exempt is marked with do_not_convert: remove that")
