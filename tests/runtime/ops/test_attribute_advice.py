"""Attributes of arrays and of str that tensors lack: the error names a remedy."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import MissingMethodError
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
