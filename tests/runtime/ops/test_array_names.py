"""Attributes of NumPy's arrays that tensors do not have: the error says what to write."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as rt
from runtime.errors import MissingMethodError
from runtime.ops.array_names import INSTEAD

ARRAY = np.array([[1.5, 2.5]], np.float32)


@pytest.mark.parametrize("name", INSTEAD)
def test_what_an_array_has_is_told_of(name: str) -> None:
    assert hasattr(ARRAY, name)
    with pytest.raises(MissingMethodError, match=name):
        getattr(rt.constant(ARRAY), name)
    assert not hasattr(rt.constant(ARRAY), name)


# Of truth values only, along one axis (as in TensorFlow), or in place (as an array does).
OTHERWISE = ("all", "any", "argmax", "argmin", "argsort", "cumsum", "sort")


@pytest.mark.parametrize(
    "name",
    [
        n
        for n, t in INSTEAD.items()
        if t.endswith("(x)") and " " not in t + n and n not in OTHERWISE
    ],
)
def test_what_it_says_to_write_goes(name: str) -> None:
    x = rt.constant(ARRAY)
    made = np.asarray(eval(INSTEAD[name], {"rt": rt, "np": np, "x": x}))
    expected = getattr(ARRAY, name)
    expected = expected() if callable(expected) else expected
    np.testing.assert_allclose(made, expected)


def test_what_no_array_has_is_pythons_own_error() -> None:
    with pytest.raises(AttributeError) as raised:
        rt.constant(ARRAY).nothing
    assert type(raised.value) is AttributeError
