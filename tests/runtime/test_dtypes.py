"""dtypes: names, conversions from everything that names one, literals' defaults."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import runtime as rt
from runtime.dtypes import ALL, dtype_of_array
from runtime.errors import DTypeError


@pytest.mark.parametrize(
    "value, expected",
    [
        ("float32", rt.float32),
        ("half", rt.float16),
        (np.float32, rt.float32),
        (np.dtype("uint8"), rt.uint8),
        (np.dtype("S3"), rt.string),
        (int, rt.int32),
        (float, rt.float32),
        (bool, rt.bool),
        (str, rt.string),
        (rt.int64, rt.int64),
    ],
)
def test_as_dtype_knows_every_way_to_name_one(value: object, expected: rt.DType) -> None:
    assert rt.as_dtype(value) is expected


def test_an_unknown_name_gets_the_nearest_one() -> None:
    with pytest.raises(DTypeError, match="'flaot32' is not a dtype; did you mean float32"):
        rt.as_dtype("flaot32")
    with pytest.raises(DTypeError, match="known are bool, int8"):
        rt.as_dtype("zzzzzz")
    with pytest.raises(TypeError):
        rt.as_dtype(np.datetime64)


def test_repr_str_and_equality() -> None:
    assert repr(rt.int32) == "rt.int32" and str(rt.int32) == "int32"
    assert rt.int32 == "int32" and rt.int32 == np.int32 and rt.int32 != "int64"
    assert rt.int32 != None and rt.int32 != 3  # noqa: E711
    assert len(set(ALL)) == len(ALL) == 15


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_dtypes_are_singletons_and_know_their_numpy_side(dtype: rt.DType) -> None:
    assert copy.deepcopy(dtype) is dtype and pickle.loads(pickle.dumps(dtype)) is dtype
    assert rt.as_dtype(dtype.as_numpy_dtype) is dtype
    assert dtype_of_array(np.zeros(1, dtype.as_numpy_dtype)) is dtype
    claims = (dtype.is_bool, dtype.is_integer, dtype.is_floating, dtype.is_complex, dtype.is_string)
    assert sum(claims) == 1


def test_limits() -> None:
    assert (rt.int8.min, rt.int8.max) == (-128, 127)
    assert rt.float32.max == np.finfo(np.float32).max
    with pytest.raises(DTypeError):
        _ = rt.string.max


@pytest.mark.parametrize(
    "value, expected",
    [
        (True, rt.bool),
        (1, rt.int32),
        (2**31, rt.int64),
        (-(2**31), rt.int32),
        (0.5, rt.float32),
        (1j, rt.complex128),
        ("a", rt.string),
        (b"a", rt.string),
    ],
)
def test_literal_dtype(value: object, expected: rt.DType) -> None:
    assert rt.literal_dtype(value) is expected


def test_literals_too_big_or_no_literals_are_errors() -> None:
    with pytest.raises(DTypeError, match="does not fit any integer dtype"):
        rt.literal_dtype(2**63)
    with pytest.raises(DTypeError, match="a list is not"):
        rt.literal_dtype([])


def test_frozen() -> None:
    with pytest.raises(AttributeError):
        rt.int32.name = "x"  # type: ignore[misc]


def test_none_is_no_dtype() -> None:
    with pytest.raises(DTypeError, match="None is not a dtype"):
        rt.as_dtype(None)
    with pytest.raises(DTypeError, match="None is not a dtype"):
        rt.cast(1, None)
