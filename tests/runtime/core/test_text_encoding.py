"""Strings of Python's as text or bytes."""

from __future__ import annotations

import pytest

from runtime.core.text_encoding import as_bytes, as_str_any, as_text


def test_text_and_bytes_are_converted() -> None:
    assert as_text(b"\xc3\xa9") == "é" and as_text("é") == "é"
    assert as_bytes("é") == b"\xc3\xa9" and as_bytes(bytearray(b"a")) == b"a"
    assert as_str_any(b"a") == "a" and as_str_any(1.5) == "1.5"


def test_values_that_are_no_strings_are_refused() -> None:
    for function in (as_text, as_bytes):
        with pytest.raises(TypeError, match="expected a string or bytes, not 5"):
            function(5)
