"""Python and NumPy values as arrays: default dtypes, wanted dtypes, and refusals."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.core.dtypes import bool_, float32, float64, int8, int32, int64, string, uint8, uint64
from runtime.errors import DTypeError, InvalidArgumentError, ShapeError
from runtime.ops.literals import array_of


@pytest.mark.parametrize(
    "value, dtype, shape",
    [
        (1, "int32", ()),
        (2**40, "int64", ()),
        (1.5, "float32", ()),
        (True, "bool", ()),
        (1j, "complex128", ()),
        ("a", "object", ()),
        ([1, 2], "int32", (2,)),
        ([1, 2.5], "float32", (2,)),
        ([[True]], "bool", (1, 1)),
        ([], "float32", (0,)),
        ([2**40, 1], "int64", (2,)),
        (np.float64(1), "float64", ()),
        ([np.float64(1)], "float64", (1,)),
        (np.arange(3), "int64", (3,)),
        (range(3), "int32", (3,)),
        ((1, (2, 3)[0]), "int32", (2,)),
        ([np.arange(2, dtype=np.int8)], "int32", (1, 2)),
        ([np.int64(1), 2], "int32", (2,)),
        ([np.int64(2**40)], "int64", (1,)),
        (np.array(["a", "bc"]), "object", (2,)),
        (np.arange(2, dtype=">i4"), "int32", (2,)),
    ],
)
def test_default_dtypes(value: Any, dtype: str, shape: tuple[int, ...]) -> None:
    array = array_of(value)
    assert array.dtype == dtype and array.shape == shape and array.dtype.isnative
    assert type(array) is np.ndarray


def test_wanted_dtypes_within_the_kind_order() -> None:
    assert array_of([1, 2], float32).tolist() == [1.0, 2.0]
    assert array_of(True, int32).tolist() == 1
    assert array_of(["é", b"x"], string).tolist() == ["é".encode(), b"x"]
    assert array_of(0.1, float64) == 0.1 and array_of([0.1], float64).tolist() == [0.1]
    assert array_of(np.ones(2), float32).dtype == np.float32


@pytest.mark.parametrize(
    "value, dtype, message",
    [
        (1.5, int32, "1.5 cannot be made int32 without loss: write rt.cast"),
        (1, bool_, "cannot be made bool"),
        ("a", int32, "cannot be made int32 .* write rt.strings.to_number"),
        (1, string, "cannot be made string .* write rt.strings.as_string"),
        (200, int8, "200 does not fit int8"),
        ([1, 200], int8, r"\[1, 200\] does not fit int8"),
    ],
)
def test_literals_that_do_not_fit_are_refused(value: Any, dtype: Any, message: str) -> None:
    with pytest.raises(DTypeError, match=message):
        array_of(value, dtype)


@pytest.mark.parametrize("value", [[[1], [2, 3]], [1, [2]]])
def test_ragged_lists(value: Any) -> None:
    with pytest.raises(ShapeError, match="not rectangular"):
        array_of(value)


@pytest.mark.parametrize(
    "value",
    [None, {1}, object(), [object()], [1, "a"], 2**70, [2**70], np.array(["2020"], "datetime64")],
)
def test_unsupported_values_are_refused(value: Any) -> None:
    with pytest.raises(DTypeError):
        array_of(value)


@pytest.mark.parametrize(
    "value, message",
    [
        ([1, "a"], r"\[1, 'a'\] mixes numbers and strings"),
        ([...], "an ellipsis cannot be an element"),
        (..., "an ellipsis cannot be made a tensor"),
        ([1, None], "None is not a tensor value"),
        ([2**70], "do not fit any integer dtype"),
    ],
)
def test_the_error_names_the_mistake(value: Any, message: str) -> None:
    with pytest.raises(DTypeError, match=message):
        array_of(value)


@pytest.mark.parametrize("value, shape", [([], (0,)), ((), (0,)), ([[], []], (2, 0))])
@pytest.mark.parametrize("dtype", [int32, bool_, string, int8, float64])
def test_an_empty_list_adopts_any_dtype(value: Any, shape: tuple[int, ...], dtype: Any) -> None:
    array = array_of(value, dtype)
    assert array.dtype == dtype.np_dtype and array.shape == shape


@pytest.mark.parametrize(
    "value, dtype, expected",
    [
        (np.array([1.5, -1.5]), int32, [1, -1]),
        (np.float64(1.5), int64, 1),
        (np.array([0, 2]), bool_, [False, True]),
        (np.array([300, -1]), uint8, [44, 255]),
        (np.array([3 + 4j]), float32, [3.0]),
    ],
)
def test_numpy_values_are_cast_to_the_wanted_dtype(value: Any, dtype: Any, expected: Any) -> None:
    array = array_of(value, dtype)
    assert array.dtype == dtype.np_dtype and array.tolist() == expected


@pytest.mark.parametrize("value, dtype", [(2**63, uint64), ([2**63, 1], uint64), (2**70, float32)])
def test_ints_beyond_64_bits_where_the_dtype_holds_them(value: Any, dtype: Any) -> None:
    array = array_of(value, dtype)
    assert array.dtype == dtype.np_dtype and array.max() == np.max(value)


@pytest.mark.parametrize("value, dtype", [(2**64, uint64), ([2**70], uint64), (2**63, int64)])
def test_ints_that_the_dtype_does_not_hold(value: Any, dtype: Any) -> None:
    with pytest.raises(ValueError, match="does not fit|do not fit"):
        array_of(value, dtype)


@pytest.mark.parametrize(
    "value, dtype",
    [
        ([np.float32(1), 2], "float32"),
        ([np.float32(1), 2.5], "float32"),
        ([np.float16(1), [2.5][0]], "float16"),
        ([[2.5], [np.float16(1)]], "float32"),
        ([np.int8(1), 2], "int32"),
        ([np.float64(1), np.float32(2), 3], "float64"),
        ([np.float32(1), np.float64(2), 3], "float32"),
        ([1, np.float64(2)], "float32"),
        ([np.complex64(1), 2], "complex128"),
    ],
)
def test_the_first_element_of_a_list_with_numpy_scalars_leads(value: Any, dtype: str) -> None:
    array = array_of(value)
    assert array.dtype == dtype and array.tolist() == np.array(value).tolist()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [1e40, [1e40], [[1e300]], [np.float32(1), 1e40]])
def test_a_float_too_large_for_the_default_dtype_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="does not fit float32: write dtype=rt.float64"):
        array_of(value)
    assert np.isinf(np.max(array_of(value, float32)))
    assert np.max(array_of(value, float64)) == np.max(value)


def test_infinite_values_are_preserved() -> None:
    assert array_of([np.inf, -np.inf]).tolist() == [np.inf, -np.inf]


@pytest.mark.parametrize("value", [None, [1, None], object(), 2**70, np.array(["2020"], "M8[Y]")])
@pytest.mark.parametrize("family", [TypeError, ValueError, InvalidArgumentError])
def test_unsupported_values_raise_both_error_families(value: Any, family: type[Exception]) -> None:
    with pytest.raises(family):
        array_of(value)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="lines have no columns")
def test_the_variable_that_is_none_is_named() -> None:
    bias, x = None, rt.constant([1.0])
    for call in (lambda x: x + bias, lambda x: rt.maximum(bias, x), lambda x: rt.exp(bias)):  # type: ignore[arg-type, operator]
        for each in (call, ag.function(call)):
            with pytest.raises(DTypeError, match="give a number or a tensor for bias"):
                each(x)
