"""Binding of arguments: equal calls have equal values, and errors are Python's."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograph.errors import SignatureError
from autograph.functions.arguments.signature import CallSignature


def plain(x, y=1): ...
def only_positional(x, /, y=1): ...
def with_rest(x, *rest, k=3, **more): ...


def signature_of(function):
    return CallSignature.of(function, function.__name__)


def test_equivalent_calls_bind_the_same_values():
    signature = signature_of(plain)
    calls = [((4,), {}), ((4, 1), {}), ((4,), {"y": 1}), ((), {"y": 1, "x": 4})]
    assert {signature.bind(args, kwargs) for args, kwargs in calls} == {(4, 1)}


def test_rest_parameters_become_a_tuple_and_a_dict():
    signature = signature_of(with_rest)
    assert signature.bind((1, 2, 3), {"z": 5}) == (1, (2, 3), 3, {"z": 5})
    assert signature.bind((1,), {}) == (1, (), 3, {})


def test_bound_values_convert_back_to_call_arguments():
    signature = signature_of(with_rest)
    assert signature.call_arguments((1, (2, 3), 4, {"z": 5})) == ((1, 2, 3), {"k": 4, "z": 5})


@pytest.mark.parametrize(
    "args, kwargs, words",
    [
        ((), {}, "missing a required"),
        ((1, 2, 3), {}, "too many positional"),
        ((1,), {"q": 2}, "unexpected keyword argument 'q'"),
        ((1,), {"x": 2}, "multiple values for argument 'x'"),
    ],
)
def test_errors_agree_with_python(args, kwargs, words):
    with pytest.raises(SignatureError, match=words) as caught:
        signature_of(plain).bind(args, kwargs)
    assert isinstance(caught.value, TypeError)
    assert "plain(x, y=1)" in str(caught.value)


def test_positional_only_parameters_cannot_be_named():
    with pytest.raises(SignatureError):
        signature_of(only_positional).bind((), {"x": 1})
    assert signature_of(only_positional).bind((1,), {"y": 2}) == (1, 2)


def test_a_callable_without_signature_takes_any_arguments():
    signature = CallSignature.of(dict.fromkeys.__self__, "dict")  # the class `dict` has none
    assert signature.bind((1,), {"a": 2})[0] == (1,)


def test_without_first_drops_self():
    assert str(signature_of(plain).without_first().signature) == "(y=1)"
    assert signature_of(lambda: 0).without_first().bind((), {}) == ()


@given(
    st.lists(st.integers(), max_size=4),
    st.dictionaries(st.sampled_from("xyzq"), st.integers(), max_size=4),
)
def test_binding_agrees_with_inspect(args, kwargs):
    def f(x, y=10, z=20): ...

    try:
        bound = inspect.signature(f).bind(*args, **kwargs)
        bound.apply_defaults()
        expected = tuple(bound.arguments.values())
    except TypeError:
        expected = None
    try:
        actual = CallSignature.of(f, "f").bind(tuple(args), kwargs)
    except SignatureError:
        actual = None
    assert expected == actual
