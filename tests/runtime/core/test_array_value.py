"""Arrays as attributes: equality by content, text that never changes."""

from __future__ import annotations

import numpy as np

from runtime.core.array_value import ArrayValue


def test_equality_compares_dtype_shape_and_bits() -> None:
    a = ArrayValue(np.array([1, 2], np.int32))
    assert a == ArrayValue(np.array([1, 2], np.int32)) and len({a, ArrayValue(a.array.copy())}) == 1
    assert a != ArrayValue(np.array([1, 2], np.int64)) and a != ArrayValue(a.array[None])
    assert ArrayValue(np.array(0.0)) != ArrayValue(np.array(-0.0))
    assert ArrayValue(np.array(np.nan)) == ArrayValue(np.array(np.nan))


def test_strings_compare_by_content() -> None:
    a, b = (ArrayValue(np.array([b"a", b"bc"], object)) for _ in range(2))
    assert a == b and hash(a) == hash(b) and repr(a) == "[b'a', b'bc']: string"


def test_text() -> None:
    assert repr(ArrayValue(np.array([[1.5], [2.0]], np.float32))) == "[[1.5], [2.0]]: float32"
    assert repr(ArrayValue(np.array(True))) == "True: bool"
    assert repr(ArrayValue(np.zeros((0, 2), np.int32))) == "[]: int32"
    big = repr(ArrayValue(np.arange(100, dtype=np.int32)))
    assert big.startswith("<(100,) crc32:") and big.endswith(">: int32")
    assert big == repr(ArrayValue(np.arange(100, dtype=np.int32)))
