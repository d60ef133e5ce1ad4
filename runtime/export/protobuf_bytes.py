"""The byte form of messages of protocol buffers: tags, and values of four shapes behind them."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.core.argument_checks import utf8

if TYPE_CHECKING:
    from runtime.export.protobuf import Field, Message

_VARINT, _EIGHT_BYTES, _SIZED, _FOUR_BYTES = 0, 1, 2, 5
_WHOLE = 1 << 64


def encoded(message: Message) -> bytes:
    """Return a message as bytes: fields by number, entries of maps by key."""
    return b"".join(_field(field, value) for field, value in message.fields())


def varint(number: int) -> bytes:
    """Return a whole number in groups of seven bits, the lowest first; negative ones as 64 bits.

    >>> varint(1), varint(300), len(varint(-1))
    (b'\\x01', b'\\xac\\x02', 10)
    """
    rest = number % _WHOLE
    parts = bytearray()
    while rest > 0x7F:
        parts.append(rest & 0x7F | 0x80)
        rest >>= 7
    parts.append(rest)
    return bytes(parts)


_SHAPES: dict[str, tuple[int, Callable[[Any], bytes]]] = {
    "bool": (_VARINT, varint),
    "enum": (_VARINT, varint),
    "int": (_VARINT, varint),
    "double": (_EIGHT_BYTES, struct.Struct("<d").pack),
    "float": (_FOUR_BYTES, struct.Struct("<f").pack),
    "bytes": (_SIZED, lambda value: varint(len(value)) + value),
    "string": (_SIZED, lambda value: _sized(utf8(value))),
}


def _sized(content: bytes) -> bytes:
    return varint(len(content)) + content


def _field(field: Field, value: Any) -> bytes:
    if field.key is not None:
        return b"".join(_entry(field, key, value[key]) for key in sorted(value))
    if not field.many:
        return _value(field.number, field.kind, value)
    if isinstance(field.kind, str) and _SHAPES[field.kind][0] != _SIZED:
        # Numbers are stored in one run, behind its length.
        return _tag(field.number, _SIZED) + _sized(b"".join(map(_SHAPES[field.kind][1], value)))
    return b"".join(_value(field.number, field.kind, each) for each in value)


def _entry(field: Field, key: Any, value: Any) -> bytes:
    content = _value(1, field.key, key) + _value(2, field.kind, value)
    return _tag(field.number, _SIZED) + _sized(content)


def _value(number: int, kind: Any, value: Any) -> bytes:
    if not isinstance(kind, str):
        return _tag(number, _SIZED) + _sized(encoded(value))
    shape, content = _SHAPES[kind]
    return _tag(number, shape) + content(value)


def _tag(number: int, shape: int) -> bytes:
    return varint(number << 3 | shape)
