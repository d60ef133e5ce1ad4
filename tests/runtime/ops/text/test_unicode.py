"""Code points, as TensorFlow decodes and encodes them: its results, recorded from version 2.21."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as rt
from runtime.errors import InvalidArgumentError, ShapeError

strings = rt.strings

DECODED = [
    ("héa€😀", {}, [104, 233, 97, 8364, 128512]),
    (b"a\xffb", {}, [97, 65533, 98]),
    (b"a\xffb", {"errors": "ignore"}, [97, 98]),
    (b"a\xffb", {"replacement_char": 63}, [97, 63, 98]),
    (b"a\x01b", {"replace_control_characters": True}, [97, 65533, 98]),
    (b"a\xf0\x9fb", {}, [97, 65533, 98]),
]


@pytest.mark.parametrize(("text", "options", "expected"), DECODED)
def test_code_points_are_found(text: Any, options: Any, expected: list[int]) -> None:
    assert expected == strings.unicode_decode(text, "UTF-8", **options).numpy().tolist()


def test_code_points_become_strings() -> None:
    assert "hé".encode() == strings.unicode_encode([104, 233], "UTF-8").numpy()
    rows = strings.unicode_encode([[104, 233], [97, 98]], "UTF-16-BE").numpy().tolist()
    assert [b"\x00h\x00\xe9", b"\x00a\x00b"] == rows
    odd = strings.unicode_encode([0x110000, 0xD800], "UTF-8").numpy()
    assert b"\xef\xbf\xbd\xef\xbf\xbd" == odd


def test_letters_and_where_they_begin() -> None:
    letters, offsets = strings.unicode_split_with_offsets("hé€", "UTF-8")
    assert [b"h", b"\xc3\xa9", b"\xe2\x82\xac"] == letters.numpy().tolist()
    assert [0, 1, 3] == offsets.numpy().tolist()


def test_unicode_transcode_converts_encodings() -> None:
    assert b"\x00h\x00\xe9" == strings.unicode_transcode("hé", "UTF-8", "UTF-16-BE").numpy()


def test_malformed_text_raises_in_strict_mode() -> None:
    with pytest.raises(InvalidArgumentError, match="Invalid formatting on input string"):
        strings.unicode_decode(b"a\xff", "UTF-8", errors="strict")
    with pytest.raises(InvalidArgumentError, match="out of range for Unicode"):
        strings.unicode_encode([0x110000], "UTF-8", errors="strict")


def test_bad_arguments() -> None:
    with pytest.raises(InvalidArgumentError, match="the encoding must be one of"):
        strings.unicode_decode("a", "klingon")
    with pytest.raises(InvalidArgumentError, match="errors must be"):
        strings.unicode_decode("a", "UTF-8", errors="loud")
    with pytest.raises(ShapeError, match="must be a vector"):
        strings.unicode_encode(5, "UTF-8")


def test_a_replacement_character_of_the_text_is_no_damage() -> None:
    decoded = rt.strings.unicode_decode(b"\xef\xbf\xbd\xff", "UTF-8", replacement_char=63)
    assert [0xFFFD, 63] == decoded.numpy().tolist()
