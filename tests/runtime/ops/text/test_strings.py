"""Strings against Python's methods."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as rt
from runtime.errors import DTypeError, InvalidArgumentError


def values(tensor: rt.Tensor) -> object:
    found = tensor.numpy()  # type: ignore[attr-defined]
    return found.tolist() if hasattr(found, "tolist") else found


def test_joining() -> None:
    assert values(rt.strings.join(["a", rt.constant(["b", "c"])], "-")) == [b"a-b", b"a-c"]
    grid = [["a", "b"], ["c", "d"]]
    assert values(rt.strings.reduce_join(grid)) == b"abcd"
    assert values(rt.strings.reduce_join(grid, 0, separator="+")) == [b"a+c", b"b+d"]
    assert rt.strings.reduce_join(grid, 1, keepdims=True).shape == (2, 1)


def test_letters() -> None:
    assert values(rt.strings.lower("ÀB")) == "Àb".encode()
    assert values(rt.strings.lower("ÀB", encoding="utf-8")) == "àb".encode()
    assert values(rt.strings.upper(["a", "b"])) == [b"A", b"B"]
    assert values(rt.strings.length(["é", ""])) == [2, 0]
    assert values(rt.strings.length("é", "UTF8_CHAR")) == 1
    assert rt.strings.length(["a"]).dtype is rt.int32
    assert values(rt.strings.strip(["\t a b \n"])) == [b"a b"]


def test_parts() -> None:
    assert values(rt.strings.substr("hello", 1, 3)) == b"ell"
    assert values(rt.strings.substr("hello", -3, 2)) == b"ll"
    assert values(rt.strings.substr("éa", 0, 1, unit="UTF8_CHAR")) == "é".encode()
    with pytest.raises(InvalidArgumentError, match="pos 9 out of range"):
        rt.strings.substr("hello", 9, 1)
    with pytest.raises(InvalidArgumentError, match="unit must be"):
        rt.strings.length("a", unit="WORD")


def test_numbers_to_text_and_back() -> None:
    assert values(rt.strings.as_string([1, -2])) == [b"1", b"-2"]
    assert values(rt.strings.as_string([1.5, 0.1])) == [b"1.500000", b"0.100000"]
    assert values(rt.strings.as_string(3.14159, precision=2)) == b"3.14"
    assert values(rt.strings.as_string(12345.6, scientific=True, precision=1)) == b"1.2e+04"
    assert values(rt.strings.as_string([True, False])) == [b"true", b"false"]
    assert values(rt.strings.to_number(["1", "-2.5"])) == [1.0, -2.5]
    assert rt.strings.to_number("7", "int64").dtype is rt.int64
    with pytest.raises(
        InvalidArgumentError, match="^could not correctly convert string: x is not a valid "
    ):
        rt.strings.to_number("x")


def test_numbers_are_no_strings() -> None:
    with pytest.raises(DTypeError, match="rt.strings.lower works on string tensors"):
        rt.strings.lower(1)
    with pytest.raises(DTypeError):
        rt.strings.to_number("1", "bool")


@pytest.mark.parametrize("out_type", ["float32", "int32"])
def test_underscores_spell_no_number(out_type: str) -> None:
    with pytest.raises(InvalidArgumentError, match="could not correctly convert string: 1_0"):
        rt.strings.to_number("1_0", out_type)


AS_STRINGS = [
    (([1.5, -2.0],), {"width": 10, "fill": "0"}, [b"001.500000", b"-02.000000"]),
    (([7],), {"width": 4, "fill": "0"}, [b"0007"]),
    (([7],), {"width": 4}, [b"   7"]),
    (([7],), {"width": 4, "fill": "-"}, [b"7   "]),
    ((True,), {"width": 7}, b"true"),
    ((1 + 2j,), {"precision": 1}, b"(1.0,2.0)"),
    (("x",), {"width": 4}, b"   x"),
    ((1e10,), {"shortest": True}, b"1e+10"),
]


@pytest.mark.parametrize(("arguments", "options", "expected"), AS_STRINGS)
def test_numbers_are_padded_as_tensorflow_does(
    arguments: Any, options: Any, expected: object
) -> None:
    assert expected == values(rt.strings.as_string(*arguments, **options))


def test_forms_that_do_not_fit_a_dtype() -> None:
    for options in ({"precision": 2}, {"scientific": True}, {"fill": "ab"}, {"fill": "x"}):
        with pytest.raises(InvalidArgumentError):
            rt.strings.as_string([7], **options)
    with pytest.raises(InvalidArgumentError, match="both scientific and shortest"):
        rt.strings.as_string([7.0], scientific=True, shortest=True)


def test_numbers_that_do_not_fit_are_refused() -> None:
    for text, dtype in (("3000000000", "int32"), ("-5", "uint32"), ("1.5", "int64"), ("", "int32")):
        with pytest.raises(InvalidArgumentError, match="could not correctly convert"):
            rt.strings.to_number(text, dtype)
    with pytest.raises(DTypeError, match="32 or 64 bit"):
        rt.strings.to_number("5", "uint8")
    assert 2**64 - 1 == values(rt.strings.to_number(str(2**64 - 1), "uint64"))


def test_a_negative_length_takes_the_rest() -> None:
    assert b"bc" == values(rt.strings.substr("abc", 1, -1))


def test_lower_and_upper_support_two_encodings() -> None:
    with pytest.raises(InvalidArgumentError, match="encoding must be 'utf-8'"):
        rt.strings.lower("a", encoding="latin")
    assert b"\xef\xbf\xbd" == values(rt.strings.upper(b"\xff", encoding="utf-8"))


def test_strings_of_several_shapes_are_not_joined() -> None:
    with pytest.raises(InvalidArgumentError, match="of one shape"):
        rt.strings.join([["a", "b"], ["c"]])
    with pytest.raises(InvalidArgumentError, match="of one shape"):
        rt.strings.join(["x", ["a", "b"], [["c", "d"]]])


def test_invalid_utf8_bytes_may_be_mixed_with_text() -> None:
    assert values(rt.constant(["abc", "", b"\xff\xff"])) == [b"abc", b"", b"\xff\xff"]
    with pytest.raises(InvalidArgumentError):
        rt.constant(["abc", [b"\xff"]])
