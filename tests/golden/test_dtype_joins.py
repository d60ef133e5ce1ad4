"""The printed table of joined dtypes agrees with the code and with NumPy."""

from __future__ import annotations

import numpy as np

import runtime as rt
from tests.each import for_each
from tools import dtype_joins

_NUMERIC = [dtype for dtype in dtype_joins.TENSORS if dtype != rt.string]


def test_the_page_agrees_with_the_code():
    assert dtype_joins.page() == dtype_joins.PAGE.read_text(encoding="utf-8")


def is_refused(a, b):
    names = {a.name, b.name}
    return "uint64" in names and any(name.startswith("int") for name in names)


@for_each("a", _NUMERIC, ids=str)
@for_each("b", _NUMERIC, ids=str)
def test_tensors_promote_as_numpy_does(a, b):
    promoted = np.promote_types(a.as_numpy_dtype, b.as_numpy_dtype).name
    expected = dtype_joins.REFUSED if is_refused(a, b) else promoted
    assert expected == dtype_joins.cell(a, False, b, False, "promote")
    same = a.name if a == b else dtype_joins.REFUSED
    assert same == dtype_joins.cell(a, False, b, False, "strict")


@for_each("tensor", _NUMERIC, ids=str)
@for_each("name", dtype_joins.NUMBERS)
def test_python_numbers_of_a_kind_the_tensor_has_adapt_to_it(tensor, name):
    number = {"bool": True, "int": 1, "float": 0.5, "complex": 1j}[name]
    expected = np.result_type(tensor.as_numpy_dtype, type(number)(number))
    adapts = np.ones(1, tensor.as_numpy_dtype).dtype == expected
    found = dtype_joins.cell(tensor, False, dtype_joins.NUMBERS[name], True, "strict")
    if adapts:
        assert tensor.name == found
