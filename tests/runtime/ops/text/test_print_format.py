"""How values are printed: the forms TensorFlow gives them."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.ops.constant import constant
from runtime.ops.text.print_format import PrintTemplate, array_text, fill, float_text


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (np.arange(6), "[0 1 2 3 4 5]"),
        (np.arange(7), "[0 1 2 ... 4 5 6]"),
        (np.arange(10), "[0 1 2 ... 7 8 9]"),
        (np.array(5), "5"),
        (np.array([], np.float32), "[]"),
        (np.array([True, False]), "[1 0]"),
        (np.array([b"a", b"b"], object), '["a" "b"]'),
        (np.array([1 + 2j]), "[(1,2)]"),
        (np.array([np.inf, -np.inf, np.nan]), "[inf -inf nan]"),
        (np.array([[1, 2], [3, 4]]), "[[1 2]\n [3 4]]"),
        (np.zeros((2, 1, 2), int), "[[[0 0]]\n\n [[0 0]]]"),
    ],
)
def test_arrays(array: np.ndarray, text: str) -> None:
    assert array_text(array) == text


def test_long_rows_of_long_arrays_are_cut_in_both_directions() -> None:
    assert array_text(np.arange(80).reshape(8, 10), 1) == "[[0 ... 9]\n ...\n [70 ... 79]]"
    assert array_text(np.arange(8), -1) == "[0 1 2 3 4 5 6 7]"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.float32(2.33268356), "2.33268356"),
        (np.float32(0.112), "0.112"),
        (np.float32(1e-5), "1e-05"),
        (np.float32(123456789), "123456792"),
        (np.float32(1.0), "1"),
        (np.float32(16777216), "16777216"),
        (np.float64(0.1), "0.1"),
        (np.float64(1) / 3, "0.33333333333333331"),
        (np.float16(0.5), "0.5"),
    ],
)
def test_floats(value: np.floating, text: str) -> None:
    assert float_text(value) == text


def test_printed_floats_round_trip() -> None:
    values = np.random.default_rng(0).normal(size=200) * 10.0 ** np.arange(-100, 100)
    for value in values:
        assert np.float64(float_text(value)) == value
        with np.errstate(over="ignore", under="ignore"):
            single = np.float32(value)
        assert np.float32(float_text(single)) == single


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        (["a", 1, 2.5, None], "['a', 1, 2.5, None]"),
        ((constant([1, 2]),), "([1 2],)"),
        ({"k": [constant(1.5)], 2: (3, 4)}, "{'k': [1.5], 2: (3, 4)}"),
        ([], "[]"),
        ([constant("s")], '["s"]'),
        (np.float32(2.5), "2.5"),
    ],
)
def test_templates(value: object, text: str) -> None:
    template = PrintTemplate()
    template.add(value)
    arrays = tuple(tensor._array for tensor in template.tensors)  # type: ignore[attr-defined]
    assert fill(template.frozen(), arrays, 3) == text


def test_adjacent_texts_are_merged() -> None:
    template = PrintTemplate()
    for value in ("a", " ", constant(1), "", "!"):
        template.add(value)
    assert template.frozen() == ("a ", None, "!")
