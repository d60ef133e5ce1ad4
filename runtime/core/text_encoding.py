"""Conversion between `str` and `bytes` (`tf.compat.as_text`, `as_bytes`)."""

from __future__ import annotations

from typing import Any

from runtime.errors import DTypeError


def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    """Return text or encoded bytes as text; DTypeError for other values.

    >>> as_text(b"a"), as_text("a")
    ('a', 'a')
    """
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes(bytes_or_text).decode(encoding)
    raise DTypeError(f"expected a string or bytes, not {bytes_or_text!r}")


def as_bytes(bytes_or_text: Any, encoding: str = "utf-8") -> bytes:
    """Return text or bytes as bytes; DTypeError for other values.

    >>> as_bytes("é"), as_bytes(b"a")
    (b'\\xc3\\xa9', b'a')
    """
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    raise DTypeError(f"expected a string or bytes, not {bytes_or_text!r}")


def as_str_any(value: Any, encoding: str = "utf-8") -> str:
    """Return bytes as text, and any other value as `str(value)`.

    >>> as_str_any(b"a"), as_str_any(5)
    ('a', '5')
    """
    return as_text(value, encoding) if isinstance(value, (bytes, bytearray)) else str(value)
