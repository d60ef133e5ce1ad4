"""The text form of messages of protocol buffers.

    node {
      name: "x"
      attr {
        key: "dtype"
        value {
          type: DT_INT32
        }
      }
    }

Fields come in the order of their numbers and the entries of maps in the order of their keys, so
that one message has one text.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from runtime.export.data_types import NAMES

if TYPE_CHECKING:
    from runtime.export.protobuf import Field, Message

_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\"}
# Decimal digits that a float of four bytes may need to be read back as it was.
_DIGITS = range(6, 10)


def text_of(message: Message) -> str:
    """Return a message as text, one line for each value."""
    return "".join(f"{line}\n" for line in _lines(message, ""))


def _lines(message: Message, indent: str) -> Iterator[str]:
    for field, value in message.fields():
        if field.key is not None:
            for key in sorted(value):
                yield from _entry(field, key, value[key], indent)
            continue
        for each in value if field.many else (value,):
            yield from _value_lines(field.name, field.kind, each, indent)


def _entry(field: Field, key: Any, value: Any, indent: str) -> Iterator[str]:
    yield f"{indent}{field.name} {{"
    if key:
        yield from _value_lines("key", field.key, key, indent + "  ")
    if value or not isinstance(field.kind, str):
        yield from _value_lines("value", field.kind, value, indent + "  ")
    yield f"{indent}}}"


def _value_lines(name: str, kind: Any, value: Any, indent: str) -> Iterator[str]:
    if isinstance(kind, str):
        yield f"{indent}{name}: {_scalar(kind, value)}"
        return
    yield f"{indent}{name} {{"
    yield from _lines(value, indent + "  ")
    yield f"{indent}}}"


def _scalar(kind: str, value: Any) -> str:
    if kind == "string":
        return f'"{_escaped(value)}"'
    if kind == "bytes":
        # Each byte is a letter of this encoding; what is not ASCII is shown by its number.
        return f'"{_escaped(value.decode("latin-1"), is_bytes=True)}"'
    if kind == "bool":
        return "true" if value else "false"
    if kind == "enum":
        return NAMES.get(value, str(value))
    if kind == "float":
        return _float_text(value)
    return str(value)


def _escaped(text: str, is_bytes: bool = False) -> str:
    return "".join(_letter(letter, is_bytes) for letter in text)


def _letter(letter: str, is_bytes: bool) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    code = ord(letter)
    if 32 <= code < 127 or (code > 127 and letter.isprintable() and not is_bytes):
        return letter
    # What would be a line of its own, or turn the text around, is shown by its bytes.
    held = bytes([code]) if is_bytes else letter.encode("utf-8", "replace")
    return "".join(f"\\{byte:03o}" for byte in held)


def _float_text(value: float) -> str:
    """Return the shortest decimal that a float of four bytes is read back from."""
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    stored = struct.pack("<f", value)
    (exact,) = struct.unpack("<f", stored)
    for digits in _DIGITS:
        short = float(f"{exact:.{digits}g}")
        if struct.pack("<f", short) == stored:
            break
    return str(short)
