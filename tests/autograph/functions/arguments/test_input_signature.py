"""Input signatures: one trace, converted arguments, and errors that name the parameter."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from autograph.errors import SignatureError
from autograph.functions.decorator import function
from runtime.core.spec import TensorSpec

FLOATS = TensorSpec((None, 2), rt.float32)
SCALAR = TensorSpec((), rt.int32)


def test_one_trace_serves_all_matching_arguments():
    @function(input_signature=[FLOATS])
    def f(x):
        return x * 2

    given = [[[1, 2]], [[1.5, 2]], np.ones((3, 2)), np.ones((1, 2), np.float32), rt.ones([4, 2])]
    assert [f(x).shape.dims for x in given] == [(1, 2), (1, 2), (3, 2), (1, 2), (4, 2)]
    assert all(f(x).dtype == rt.float32 for x in given)
    assert f.experimental_get_tracing_count() == 1
    assert f.input_signature == (FLOATS,)


@pytest.mark.parametrize(
    "value, words",
    [
        (rt.constant([[1, 2]]), r"is an int32 tensor: write rt.cast\(x, rt.float32\)"),
        (rt.constant([1.0, 2.0]), r"'x' was expected to have shape .*\(None, 2\) .* \(2,\)"),
        (np.ones((2, 3)), r"'x' .*\(None, 2\).*\(2, 3\)"),
        ("text", "'x' cannot become a float32 tensor"),
        (None, "'x' cannot become a float32 tensor"),
        (np.ones((1, 2), complex), "'x' cannot become a float32 tensor"),
    ],
)
def test_arguments_that_do_not_match_are_refused(value, words):
    with pytest.raises(SignatureError, match=words):
        function(lambda x: x, input_signature=[FLOATS])(value)


def test_parameters_without_spec_keep_their_defaults():
    f = function(lambda x, k=2, *, flag=True: x * k, input_signature=[SCALAR])
    assert int(f(4)) == 8 == int(f(4, 2)) == int(f(4, k=2, flag=True))
    with pytest.raises(SignatureError, match="'k' is 3"):
        f(4, 3)


def test_specs_may_be_nested():
    specs = [{"a": SCALAR}, (SCALAR, SCALAR)]
    f = function(lambda d, p: d["a"] + p[0] * p[1], input_signature=specs)
    assert int(f({"a": 1}, (2, 3))) == 7
    for d, p in [({"a": 1, "b": 2}, (2, 3)), ({"a": 1}, (2,)), ({"a": 1}, [2, 3]), (1, (2, 3))]:
        with pytest.raises(SignatureError):
            f(d, p)


def test_rest_parameters_take_the_remaining_specs():
    f = function(lambda x, *rest: x + rest[0] + rest[1], input_signature=[SCALAR] * 3)
    assert int(f(1, 2, 3)) == 6
    with pytest.raises(SignatureError, match="'rest'"):
        f(1, 2)


@pytest.mark.parametrize(
    "specs, words",
    [
        ([SCALAR, SCALAR, SCALAR], "1 spec"),
        ([SCALAR], "no spec for 'y'"),
        (SCALAR, "must be a list or tuple"),
        ([SCALAR, 3], "3, which is not a TensorSpec"),
    ],
)
def test_specs_that_do_not_match_the_parameters(specs, words):
    with pytest.raises(SignatureError, match=words) as caught:
        function(lambda x, y: x, input_signature=specs)
    assert isinstance(caught.value, TypeError)


def test_names_of_specs_name_the_placeholders():
    f = function(lambda x, y: x, input_signature=[TensorSpec((), rt.int32, "left"), SCALAR])
    assert [t.name for t in f.get_concrete_function().inputs] == ["left:0", "y:0"]


def test_arguments_of_get_concrete_function_must_fit():
    f = function(lambda x: x, input_signature=[FLOATS])
    assert f.get_concrete_function() is f.get_concrete_function(TensorSpec((3, 2)))
    with pytest.raises(SignatureError):
        f.get_concrete_function(TensorSpec((3, 2), rt.int32))


def test_an_inner_function_converts_too():
    inner = function(lambda x: x / 2, input_signature=[TensorSpec((), rt.float32)])
    outer = function(lambda x: inner(x) + inner(3))
    assert float(outer(rt.constant(1.0))) == 2.0
    with pytest.raises(SignatureError, match="int32"):
        outer(rt.constant(1))
