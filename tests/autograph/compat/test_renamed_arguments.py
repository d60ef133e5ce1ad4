"""Functions under other names of arguments: order, defaults, refusals."""

from __future__ import annotations

import inspect

import pytest

from autograph.compat.renamed_arguments import RenamedArgument, with_argument_names


def received_arguments(*args, **kwargs):
    return args, kwargs


def test_renamed_arguments_are_passed_on() -> None:
    call = with_argument_names(
        received_arguments, "call", "x:input, axis=None, keep:keepdims=False"
    )
    assert ((), {"input": 1, "keepdims": False}) == call(1)
    assert ((), {"input": 1, "axis": 0, "keepdims": True}) == call(1, keep=True, axis=0)
    assert "(x, axis=None, keep=False)" == str(inspect.signature(call))


def test_some_arguments_are_passed_by_position() -> None:
    assert ((1, 2), {"rate": 3}) == with_argument_names(
        received_arguments, "call", "a:, b:, rate=3"
    )(b=2, a=1)


def test_an_ignored_argument_is_not_passed_on() -> None:
    call = with_argument_names(received_arguments, "call", "x, -sorted=False")
    assert call(1) == call(1, sorted=True) == call(1, True) == ((), {"x": 1})


def test_an_unsupported_argument_is_accepted_with_its_default_only() -> None:
    call = with_argument_names(received_arguments, "call", "x, !sparse=False")
    assert call(1) == call(1, sparse=False) == ((), {"x": 1})
    with pytest.raises(ValueError, match="call: sparse is not supported, and True was given"):
        call(1, sparse=True)


def test_an_argument_is_read_from_its_text() -> None:
    assert RenamedArgument(
        "x", "input", inspect.Parameter.empty, False, False
    ) == RenamedArgument.of("x:input")
    assert RenamedArgument("k", "k", -1, True, False) == RenamedArgument.of("!k=-1")
    assert RenamedArgument("m", "m", "last", False, True) == RenamedArgument.of("-m='last'")
