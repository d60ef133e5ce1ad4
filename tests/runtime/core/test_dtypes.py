"""dtypes: names, conversions from everything that names one, literals' defaults."""

from __future__ import annotations

import copy
import importlib.util
import pickle

import numpy as np
import pytest

import runtime as rt
from runtime.core.dtypes import ALL, dtype_of_array
from runtime.errors import DTypeError
from tests.each import for_each


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
def test_as_dtype_accepts_every_name(value: object, expected: rt.DType) -> None:
    assert rt.as_dtype(value) is expected


def test_an_unknown_name_gets_the_nearest_one() -> None:
    with pytest.raises(DTypeError, match="'flaot32' is not a dtype; did you mean float32"):
        rt.as_dtype("flaot32")
    with pytest.raises(DTypeError, match="known are bool, int8"):
        rt.as_dtype("zzzzzz")
    with pytest.raises(TypeError):
        rt.as_dtype(np.datetime64)


def test_repr_str_and_equality() -> None:
    assert repr(rt.int32) == "rt.int32" and str(rt.int32) == "<dtype: 'int32'>"
    assert rt.int32 == "int32" and rt.int32 == np.int32 and rt.int32 != "int64"
    assert rt.int32 != None and rt.int32 != 3  # noqa: E711
    assert len(set(ALL)) == len(ALL) == 15


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_dtypes_are_singletons_with_numpy_dtypes(dtype: rt.DType) -> None:
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


def test_predicates_of_tensorflow() -> None:
    assert [(0, True), (0, 127), (0, 255), (0, 1)] == [
        dtype.limits for dtype in (rt.bool, rt.int8, rt.uint8, rt.float32)
    ]
    assert all(dtype.is_numpy_compatible for dtype in ALL) and not rt.variant.is_numpy_compatible
    assert [rt.float32, rt.float64, rt.int8] == [
        dtype.real_dtype for dtype in (rt.complex64, rt.complex128, rt.int8)
    ]
    assert rt.uint64.is_unsigned and not rt.float16.is_unsigned and not rt.int8.is_quantized
    with pytest.raises(DTypeError):
        _ = rt.string.limits


_FLOATS = [1.5, -1.5, 300.0, -300.0, 3e9, -3e9]


# Recorded from TensorFlow 2.21; what lies outside of int32 and is cast to a narrower integer is
# the processor's there as here, so it is left out.
@pytest.mark.parametrize(
    ("dtype", "cast", "saturated"),
    [
        ("int8", [1, -1, 44, -44], [1, -1, 127, -128, 127, -128]),
        ("uint8", [1, 255, 44, 212], [1, 0, 255, 0, 255, 0]),
        ("int16", [1, -1, 300, -300], [1, -1, 300, -300, 32767, -32768]),
        ("uint16", [1, 65535, 300, 65236], [1, 0, 300, 0, 65535, 0]),
        ("int64", [1, -1, 300, -300, 3 * 10**9, -3 * 10**9], None),
        ("bool", [True] * 6, None),
        ("float16", [1.5, -1.5, 300, -300, np.inf, -np.inf], [1.5, -1.5, 300, -300, 65504, -65504]),
        ("complex64", [1.5, -1.5, 300, -300, 3e9, -3e9], None),
    ],
)
def test_casts_are_tensorflows(dtype: str, cast: list[object], saturated: list[object]) -> None:
    values = rt.constant(_FLOATS[: len(cast)])
    assert cast == rt.cast(values, dtype).numpy().tolist()
    if saturated is not None:
        assert saturated == rt.saturate_cast(_FLOATS, dtype).numpy().tolist()


@for_each("source", ALL, ids=str)
@for_each("target", ALL, ids=str)
def test_numbers_cast_to_any_numbers_and_strings_to_none(
    source: rt.DType, target: rt.DType
) -> None:
    one = rt.constant("1") if source.is_string else rt.cast(1, source)
    if source.is_string != target.is_string:
        with pytest.raises(DTypeError, match="to_number and as_string"):
            rt.cast(one, target)
        return
    found = rt.cast(one, target)
    assert target is found.dtype and one.numpy() == found.numpy()
    assert target.name in repr(found) and target.name in str(found)


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(1 + 2j, "complex64"), (1 + 2j, "complex128"), (7, "uint64"), (0.1, "float16"), (3, "uint8")],
)
def test_literals_in_dtypes_of_their_kind(value: object, dtype: str) -> None:
    found = rt.constant(value, dtype)
    assert dtype == found.dtype.name and np.array(value, dtype) == found.numpy()


def test_bfloat16_needs_a_package() -> None:
    assert rt.as_dtype("bfloat16") is rt.bfloat16 and rt.bfloat16.is_floating
    assert "DT_BFLOAT16" == rt.bfloat16.as_datatype_enum
    assert pickle.loads(pickle.dumps(rt.bfloat16)) is copy.deepcopy(rt.bfloat16) is rt.bfloat16
    if importlib.util.find_spec("ml_dtypes") is None:
        with pytest.raises(DTypeError, match=r"pip install 'autograph-py\[bfloat16\]'"):
            rt.constant(1.0, "bfloat16")


def test_bfloat16_computes() -> None:
    pytest.importorskip("ml_dtypes")
    x = rt.constant([[1.0, 2.5]], rt.bfloat16)
    assert rt.bfloat16 is (x + 1).dtype is rt.matmul(x, x, transpose_b=True).dtype
    assert [[3.5]] == rt.cast(rt.reduce_sum(x, 1, keepdims=True), "float32").numpy().tolist()
    assert 3.0 == float(rt.Variable(1.0, dtype=rt.bfloat16).assign_add(2.0))
    # 8 bits of the number: 1.6 becomes 205 / 128.
    assert 205 / 128 == float(rt.cast(1.6, rt.bfloat16)) and 1 == int(rt.cast(x[0, 0], "int32"))
    assert rt.as_dtype(x.numpy().dtype) is rt.bfloat16 and "bfloat16" in repr(x)
    assert (2 - 2.0**-7) * 2.0**127 == float(rt.bfloat16.max)
    with pytest.raises(DTypeError):
        _ = x + rt.constant(1.0)
    # Of which NumPy's linear algebra would make float64.
    for function in (rt.linalg.inv, rt.linalg.det, rt.linalg.cholesky, rt.linalg.logdet):
        with pytest.raises(DTypeError, match="not on bfloat16"):
            function(rt.cast(rt.eye(2), rt.bfloat16))


def test_elements_of_strings_have_no_size_of_their_own() -> None:
    assert (rt.string.size, rt.int32.size) == (0, 4)


@pytest.mark.parametrize("name, meant", [("long", "int64"), ("int", "int32")])
def test_a_name_of_another_library_is_answered(name: str, meant: str) -> None:
    with pytest.raises(DTypeError, match=f"did you mean {meant}"):
        rt.cast(1.0, name)
