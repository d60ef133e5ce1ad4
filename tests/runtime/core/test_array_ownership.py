"""Tensors own unshared arrays, and hold views of shared ones."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from runtime.core.array_ownership import tensor_of, tensor_of_item, tensors_of


def test_an_unshared_array_is_not_copied() -> None:
    made: list[int] = []

    def array() -> Any:
        each = np.zeros(2)
        made.append(id(each))
        return each

    assert tensor_of(array()).numpy().tolist() == [0.0, 0.0]
    kept = [tensor_of(array()), tensor_of_item([array()][0]), *tensors_of([array(), array()])]
    assert made[1:] == [id(each._array) for each in kept]


@pytest.mark.parametrize("place", ["a variable", "a list", "another tensor", "twice in the list"])
def test_a_shared_array_is_viewed(place: str) -> None:
    array = np.zeros(2)
    given = [array, np.ones(1)]
    holders: dict[str, Any] = {
        "a variable": array,
        "a list": [[array]],
        "another tensor": tensors_of([array]),
        "twice in the list": None,
    }
    held = holders[place]
    if held is None:
        given.append(array)
    if place != "a variable":
        del array
    first, *_ = tensors_of(given)
    assert first._array is not given[0]
    assert np.shares_memory(first._array, given[0])
    assert held is None or held is not first


def test_a_python_without_reference_counts_is_supported() -> None:
    script = """
import sys
del sys.getrefcount
import runtime as rt
x = rt.constant([1.0])
y = x + x
assert y._array is not x._array and float(rt.identity(y)[0]) == 2.0
print("fine")
"""
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "fine" in told.stdout, told.stderr
