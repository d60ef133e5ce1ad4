"""Errors of tensors without a value, where something around them stayed Python."""

from __future__ import annotations

import pytest

import runtime as rt
from autograph import function


def test_what_stayed_python_around_a_tensor_is_told_with_its_reason():
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


def test_nothing_is_told_of_code_that_python_runs_as_it_is():
    @function(autograph=False)
    def choose(x):
        return 1 if x > 0 else 2

    with pytest.raises(rt.errors.SymbolicTensorError) as caught:
        choose(rt.constant(3))
    assert "stays Python" not in str(caught.value)
