"""Attributes of arrays and of str that tensors lack: the error names a remedy."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import MissingMethodError, ShapeError
from runtime.ops.attribute_advice import INSTEAD, INSTEAD_FOR_STRINGS
from tests.each import for_each

ARRAY = np.array([[1.5, 2.5]], np.float32)
# Of tensors of PyTorch, and of arrays of JAX.
OF_OTHERS = {
    *("backward", "clone", "cpu", "detach", "expand", "float", "grad", "long", "permute"),
    *("requires_grad", "unsqueeze", "at", "cuda", "dim", "to"),
}


@for_each("name", INSTEAD)
def test_attributes_of_arrays_are_refused_with_a_remedy(name: str) -> None:
    assert hasattr(ARRAY, name) == (name not in OF_OTHERS)
    with pytest.raises(MissingMethodError, match=name):
        getattr(rt.constant(ARRAY), name)
    assert not hasattr(rt.constant(ARRAY), name)


# Of truth values only, along one axis (as in TensorFlow), or in place (as an array does).
OTHERWISE = {"all", "any", "argmax", "argmin", "argsort", "cumprod", "cumsum", "sort", *OF_OTHERS}


@pytest.mark.parametrize(
    "name",
    [
        n
        for n, t in INSTEAD.items()
        if t.endswith("(x)") and " " not in t + n and n not in OTHERWISE
    ],
)
def test_the_remedy_for_an_array_attribute_works(name: str) -> None:
    x = rt.constant(ARRAY)
    made = np.asarray(eval(INSTEAD[name], {"rt": rt, "np": np, "x": x}))
    expected = getattr(ARRAY, name)
    expected = expected() if callable(expected) else expected
    np.testing.assert_allclose(made, expected)


def test_unknown_attributes_raise_attribute_error() -> None:
    with pytest.raises(AttributeError) as raised:
        rt.constant(ARRAY).nothing
    assert type(raised.value) is AttributeError


# A tensor of a graph has `index`: which result of its node it is.
TEXT_METHODS = [name for name in dir(str) if not name.startswith("_") and name != "index"]


@pytest.mark.parametrize("name", TEXT_METHODS)
def test_methods_of_str_are_refused_with_a_remedy(name: str) -> None:
    for get in (lambda x: getattr(x, name), ag.function(lambda x: getattr(x, name))):
        with pytest.raises(MissingMethodError, match=name) as raised:
            get(rt.constant("a"))
        assert "write " in str(raised.value)
    assert not hasattr(rt.constant("a"), name) and name not in dir(rt.constant("a"))
    with pytest.raises(AttributeError, match=name) as without:
        getattr(rt.constant(1), name)
    assert "strings" not in str(without.value) and "decode" not in str(without.value)


METHODS = {
    "lower": lambda text: text.lower(),
    "upper": lambda text: text.upper(),
    "strip": lambda text: text.strip(),
    "lstrip": lambda text: text.lstrip(),
    "rstrip": lambda text: text.rstrip(),
    "isdigit": lambda text: text.isdigit(),
    "startswith": lambda text: text.startswith("begin"),
    "endswith": lambda text: text.endswith("end"),
    "split": lambda text: text.split("e"),
    "count": lambda text: text.count("e"),
}


@for_each("text", ["", " a\n", "begin\n the end", "12", "Ee e", "end begin "])
@for_each("name", METHODS)
def test_the_remedy_for_a_str_method_works(name: str, text: str) -> None:
    names = {"rt": rt, "x": rt.constant(text), "sep": "e", "part": "e"}
    made = rt.constant(eval(INSTEAD_FOR_STRINGS[name], names))
    np.testing.assert_array_equal(made, rt.constant(METHODS[name](text)))


CALLS = {
    "rt.reduce_sum(m, 0)": lambda m, x: m.sum(0),
    "rt.reduce_sum(m, axis=1, keepdims=True)": lambda m, x: m.sum(axis=1, keepdims=True),
    "rt.reduce_max(m * 2, axis=-1)": lambda m, x: (m * 2).max(axis=-1),
    "rt.reshape(m, 2)": lambda m, x: m.reshape(2),
    "rt.reshape(m, [2, -1])": lambda m, x: m.reshape(2, -1),
    "rt.reshape(m, (2, -1))": lambda m, x: m.reshape((2, -1)),
    "rt.transpose(m, [1, 0])": lambda m, x: m.transpose(1, 0),
    "rt.cast(m, np.float64)": lambda m, x: m.astype(np.float64),
    "rt.clip_by_value(m, 0.0, 1.0)": lambda m, x: m.clip(0.0, 1.0),
    "rt.gather(m, [0], axis=1)": lambda m, x: m.take([0], axis=1),
    "rt.repeat(m, 2, axis=0)": lambda m, x: m.repeat(2, axis=0),
    "(m + 1.0) @ x": lambda m, x: (m + 1.0).dot(x),
    "rt.searchsorted(x, m)": lambda m, x: x.searchsorted(m),
    # An argument that the op lacks.
    "rt.reduce_sum(m)": lambda m, x: m.sum(dtype=np.float64),
    "rt.clip_by_value(m, low, high)": lambda m, x: m.clip(max=1.0),
    "rt.transpose(m, axes)": lambda m, x: m.swapaxes(0, 1),
    "m.numpy().tobytes(), outside of graphs": lambda m, x: m.tobytes(),
    "m.numpy().strides, outside of graphs": lambda m, x: m.strides,
}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="lines have no columns")
@for_each("advice", CALLS)
def test_the_remedy_has_the_arguments_of_the_call(advice: str) -> None:
    program = CALLS[advice]
    x = rt.constant([[1.0], [2.0]])
    for call in (program, ag.function(program)):
        for m in (rt.constant(ARRAY), rt.Variable(ARRAY)):
            with pytest.raises(MissingMethodError) as raised:
                call(m, x)
            assert raised.value.message.endswith(f"write {advice}")


def test_a_variable_has_a_transpose() -> None:
    weights = rt.Variable(ARRAY)
    expected = ARRAY @ ARRAY.T
    np.testing.assert_allclose(weights @ weights.T, expected)
    np.testing.assert_allclose(ag.function(lambda: weights @ weights.T)(), expected)


def test_a_vector_has_no_transpose_and_is_named() -> None:
    row = rt.constant([1.0, 2.0])
    with pytest.raises(ShapeError, match="row has shape .2,.: write rt.transpose"):
        _ = row.T
