"""Protocol buffer messages as plain values, with their bytes and text, without other packages.

A message class is a table of its fields. A field that was not given is not printed and not stored,
and reads as its default: 0, an empty text, an empty message.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

from runtime.core.argument_checks import utf8
from runtime.core.fork_safety import cached_property
from runtime.errors import ArgumentValueError, DataLossError
from runtime.export.graphdef.data_types import NAMES

M = TypeVar("M", bound="Message")

_DEFAULTS: dict[str, Any] = {
    "bool": False,
    "bytes": b"",
    "double": 0.0,
    "float": 0.0,
    "enum": 0,
    "fixed32": 0,
    "int": 0,
    "sint": 0,
    "int32": 0,
    "uint32": 0,
    "uint64": 0,
    "string": "",
}


class RepeatedField(tuple[Any, ...]):
    """The values of a repeated field: shown as a list, and equal to a list.

    >>> RepeatedField(["x", "y"])
    ['x', 'y']
    >>> RepeatedField(["x"]) == ["x"] and RepeatedField(["x"]) == ("x",)
    True
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return tuple(self) == (tuple(other) if isinstance(other, list) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        return repr(list(self))


@dataclass(frozen=True)
class Field:
    """One field of a message class.

    Attributes:
        name: its name.
        number: its number in the bytes, by which the fields are ordered in texts and bytes.
        kind: `bool`, `bytes`, `double`, `enum`, `fixed32`, `float`, `int` (of 64 bits), `int32`,
            `sint`, `uint32`, `uint64`, `string`, or a message class.
        many: whether it is a sequence of any length.
        key: for a map the kind of its keys, else None.
        chosen: whether it is one of several exclusive fields, so that it is written even with its
            default value.
    """

    name: str
    number: int
    kind: Any
    many: bool = False
    key: str | None = None
    chosen: bool = False

    def default(self) -> Any:
        """Return the default value of the field."""
        if self.key is not None:
            return MappingProxyType({})
        if self.many:
            return RepeatedField()
        return _DEFAULTS[self.kind] if isinstance(self.kind, str) else self.kind()

    def frozen(self, value: Any) -> Any:
        """Return a value in an immutable form."""
        if self.key is not None:
            return MappingProxyType(dict(value))
        return RepeatedField(value) if self.many else value

    def is_worth(self, value: Any) -> bool:
        """Return whether a value is kept: it differs from the default, or its presence counts."""
        if self.key is not None or self.many:
            return bool(value)
        return self.chosen or not isinstance(self.kind, str) or bool(value)

    @cached_property
    def shape(self) -> int:
        """The wire format of the field, or of one of its values."""
        is_sized = self.key is not None or not isinstance(self.kind, str)
        return _SIZED if is_sized else _SHAPES[self.kind][0]

    @cached_property
    def entry(self) -> dict[int, Field]:
        """The fields of an entry of a map, by number."""
        assert self.key is not None
        return {1: Field("key", 1, self.key), 2: Field("value", 2, self.kind)}


class Message:
    """A frozen message; a class of messages lists its `FIELDS`.

    Args:
        values: fields by name.

    Raises:
        ArgumentValueError: there is no such field.

    Example:
        >>> from runtime.export.graphdef.messages import VersionDef
        >>> version = VersionDef(producer=5)
        >>> version.producer, version.min_consumer
        (5, 0)
        >>> print(version, end="")
        producer: 5
        >>> version.SerializeToString()
        b'\\x08\\x05'
    """

    __slots__ = ("_values",)
    FIELDS: ClassVar[tuple[Field, ...]] = ()
    _by_name: ClassVar[dict[str, Field]] = {}
    _by_number: ClassVar[dict[int, Field]] = {}
    _values: Mapping[str, Any]

    def __init_subclass__(cls) -> None:
        cls.define(*cls.FIELDS)

    @classmethod
    def define(cls, *fields: Field) -> None:
        """Set the fields; of a class that is made already, if its messages hold each other."""
        cls.FIELDS = fields
        cls._by_name = {field.name: field for field in sorted(fields, key=lambda f: f.number)}
        cls._by_number = {field.number: field for field in fields}

    def __init__(self, **values: Any) -> None:
        unknown = sorted(values.keys() - self._by_name.keys())
        if unknown:
            raise ArgumentValueError(f"{type(self).__name__} has no field {unknown[0]!r}")
        kept: dict[str, Any] = {}
        for name, field in self._by_name.items() if values else ():
            if name in values and field.is_worth(value := field.frozen(values[name])):
                kept[name] = value
        object.__setattr__(self, "_values", kept)

    def __getattr__(self, name: str) -> Any:
        field = type(self)._by_name.get(name)
        if field is None:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        return self._values[name] if name in self._values else field.default()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} is frozen; make another one")

    def HasField(self, name: str) -> bool:
        """Return whether a field was given; a default value mostly counts as not given."""
        return name in self._values

    def given_fields(self) -> Iterator[tuple[Field, Any]]:
        """Yield the given fields with their values, in the order of the field numbers."""
        for name, value in self._values.items():
            yield self._by_name[name], value

    def with_values(self: M, **values: Any) -> M:
        """Return a message with other values in some fields."""
        return type(self)(**{**self._values, **values})

    def SerializeToString(self) -> bytes:
        """Return the bytes in the standard format; equal messages have equal bytes."""
        return encoded(self)

    @classmethod
    def FromString(cls: type[M], data: bytes) -> M:
        """Return the message of bytes in the standard format; unknown fields are skipped.

        Raises:
            DataLossError: the bytes are no message of this class.

        Example:
            >>> from runtime.export.graphdef.messages import VersionDef
            >>> VersionDef.FromString(b"\\x08\\x05").producer
            5
        """
        if not isinstance(data, (bytes, bytearray, memoryview)):
            kind = type(data).__name__
            raise DataLossError(f"a {cls.__name__} is read from bytes, not from {kind}")
        return decoded(cls, memoryview(data).cast("B"))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._values == other._values

    def __hash__(self) -> int:
        return hash(self.SerializeToString())

    def __str__(self) -> str:
        return text_of(self)

    def __repr__(self) -> str:
        given = ", ".join(f"{field.name}={value!r}" for field, value in self.given_fields())
        return f"{type(self).__name__}({given})"


# -- bytes: tags, each followed by a value in one of four wire formats -----------------------------


_VARINT, _EIGHT_BYTES, _SIZED, _FOUR_BYTES = 0, 1, 2, 5
_WHOLE = 1 << 64


def encoded(message: Message) -> bytes:
    """Return a message as bytes: fields by number, entries of maps by key."""
    return b"".join(_field(field, value) for field, value in message.given_fields())


def varint(number: int) -> bytes:
    """Return an integer in groups of seven bits, the lowest first; negative ones as 64 bits.

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
    "sint": (_VARINT, lambda value: varint(value << 1 if value >= 0 else (-value << 1) - 1)),
    "fixed32": (_FOUR_BYTES, struct.Struct("<I").pack),
    "int32": (_VARINT, varint),
    "uint32": (_VARINT, varint),
    "uint64": (_VARINT, varint),
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
        # Repeated numbers are packed, after their length in bytes.
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


# -- reading bytes ---------------------------------------------------------------------------------
#
# Bytes come from anyone: each length is compared with the bytes that are left before it is used,
# and a message within another is read only after it has been cut out.


_GROUP, _END_OF_GROUP = 3, 4
_MOST_VARINT_BYTES = 10
_MOST_NESTING = 100
_FIXED = {
    "double": struct.Struct("<d"),
    "fixed32": struct.Struct("<I"),
    "float": struct.Struct("<f"),
}
_SIZES = {_EIGHT_BYTES: 8, _FOUR_BYTES: 4}


def decoded(kind: type[M], data: memoryview, depth: int = 0) -> M:
    """Return the message of a class that some bytes store.

    A scalar that is given twice has its last value, and a message that is given twice is merged.

    Raises:
        DataLossError: the bytes are no message of this class.

    >>> from runtime.export.graphdef.messages import VersionDef
    >>> decoded(VersionDef, memoryview(bytes([8, 5, 8, 6]))).producer
    6
    """
    if depth > _MOST_NESTING:
        raise DataLossError(f"a {kind.__name__} is nested more than {_MOST_NESTING} levels deep")
    found: dict[str, Any] = {}
    fields = kind._by_number
    reader = _MessageReader(data, kind.__name__)
    while not reader.at_end():
        number, shape = reader.tag()
        field = fields.get(number)
        if field is None or not _accepts(field, shape):
            reader.skip(number, shape)
            continue
        if field.chosen:
            _forget_others(kind, field, found)
        reader.take(field, shape, found, depth)
    return kind(**{name: _finished(kind, name, value, depth) for name, value in found.items()})


def _accepts(field: Field, shape: int) -> bool:
    """Return whether a field may have this wire format; otherwise it counts as unknown."""
    return shape == field.shape or (shape == _SIZED and field.many)


def _forget_others(kind: type[Message], field: Field, found: dict[str, Any]) -> None:
    """Drop the earlier one of exclusive fields."""
    for other in kind.FIELDS:
        if other.chosen and other is not field:
            found.pop(other.name, None)


def _finished(kind: type[Message], name: str, value: Any, depth: int) -> Any:
    """Return the value of a field; a message is read from all its parts at once."""
    field = kind._by_name[name]
    if field.many or field.key is not None or isinstance(field.kind, str):
        return value
    whole = value[0] if len(value) == 1 else memoryview(b"".join(value))
    return decoded(field.kind, whole, depth + 1)


class _MessageReader:
    """A position in the bytes of one message.

    Args:
        data: the bytes.
        name: the class of the message, for errors.
    """

    __slots__ = ("_at", "_data", "_name")

    def __init__(self, data: memoryview, name: str) -> None:
        self._data = data
        self._name = name
        self._at = 0

    def at_end(self) -> bool:
        """Return whether all bytes are read."""
        return self._at >= len(self._data)

    def tag(self) -> tuple[int, int]:
        """Read the number and the wire format of a field."""
        found = self.varint()
        if not 0 < found >> 3 < 1 << 29:
            raise self._damaged(f"has a field with the number {found >> 3}")
        return found >> 3, found & 7

    def take(self, field: Field, shape: int, found: dict[str, Any], depth: int) -> None:
        """Read a value of a field, and add it to the values found."""
        name, kind = field.name, field.kind
        if field.key is not None:
            key, value = self._entry(field, depth)
            found.setdefault(name, {})[key] = value
        elif not isinstance(kind, str):
            part = self._sized()
            held = found.setdefault(name, [])
            held.append(decoded(kind, part, depth + 1) if field.many else part)
        elif not field.many:
            found[name] = self._scalar(kind)
        elif shape == _SIZED and _SHAPES[kind][0] != _SIZED:
            found.setdefault(name, []).extend(self._packed(kind))
        else:
            found.setdefault(name, []).append(self._scalar(kind))

    def skip(self, number: int, shape: int) -> None:
        """Pass over a field that the class does not have."""
        opened = [number] if shape == _GROUP else []
        if shape != _GROUP:
            self._skip_value(shape)
        while opened:
            number, shape = self.tag()
            if shape == _GROUP:
                opened.append(number)
            elif shape != _END_OF_GROUP:
                self._skip_value(shape)
            elif opened.pop() != number:
                raise self._damaged("has a group that ends as another one")
            if len(opened) > _MOST_NESTING:
                raise self._damaged(f"has groups more than {_MOST_NESTING} levels deep")

    def varint(self) -> int:
        """Read an unsigned integer of at most 64 bits."""
        data, at = self._data, self._at
        number = shift = 0
        for byte in data[at : at + _MOST_VARINT_BYTES]:
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                self._at = at + shift // 7
                return number % _WHOLE
        if shift == 7 * _MOST_VARINT_BYTES:
            raise self._damaged(f"has a number of more than {_MOST_VARINT_BYTES} bytes")
        raise self._damaged("ends within a number")

    def _skip_value(self, shape: int) -> None:
        if shape == _VARINT:
            self.varint()
        elif shape == _SIZED:
            self._sized()
        elif shape in _SIZES:
            self._cut(_SIZES[shape])
        else:
            raise self._damaged(f"has a field of the unknown wire format {shape}")

    def _sized(self) -> memoryview:
        return self._cut(self.varint())

    def _cut(self, size: int) -> memoryview:
        start, end = self._at, self._at + size
        if end > len(self._data):
            left = len(self._data) - start
            raise self._damaged(f"has a field of {size} bytes, and {left} are left")
        self._at = end
        return self._data[start:end]

    def _scalar(self, kind: str) -> Any:
        if kind in _FIXED:
            form = _FIXED[kind]
            return form.unpack(self._cut(form.size))[0]
        if kind == "bytes":
            return bytes(self._sized())
        if kind != "string":
            return _NUMBERS[kind](self.varint())
        try:
            return str(self._sized(), "utf-8")
        except UnicodeDecodeError:
            raise self._damaged("has a text that is not UTF-8") from None

    def _packed(self, kind: str) -> list[Any]:
        part = self._sized()
        if kind in _FIXED:
            form = _FIXED[kind]
            if len(part) % form.size:
                raise self._damaged(f"has {len(part)} bytes of {kind} numbers")
            return [value for (value,) in form.iter_unpack(part)]
        inner, found = _MessageReader(part, self._name), []
        while not inner.at_end():
            found.append(inner._scalar(kind))
        return found

    def _entry(self, field: Field, depth: int) -> tuple[Any, Any]:
        """Read an entry of a map: a message of the key and the value."""
        assert field.key is not None
        inner = _MessageReader(self._sized(), self._name)
        found: dict[str, Any] = {}
        while not inner.at_end():
            number, shape = inner.tag()
            part = field.entry.get(number)
            if part is None or not _accepts(part, shape):
                inner.skip(number, shape)
            else:
                inner.take(part, shape, found, depth + 1)
        value: Any = found.get("value")
        if not isinstance(field.kind, str):
            whole = memoryview(b"".join(value or ()))
            value = decoded(field.kind, whole, depth + 2)
        elif value is None:
            value = _DEFAULTS[field.kind]
        return found.get("key", _DEFAULTS[field.key]), value

    def _damaged(self, fact: str) -> DataLossError:
        return DataLossError(f"the bytes are not a valid {self._name}: it {fact}")


def _signed(number: int, bits: int) -> int:
    low = number & ((1 << bits) - 1)
    return low - (1 << bits) if low >> (bits - 1) else low


_NUMBERS: dict[str, Callable[[int], Any]] = {
    "bool": bool,
    "enum": lambda number: _signed(number, 32),
    "int": lambda number: _signed(number, 64),
    "int32": lambda number: _signed(number, 32),
    "uint32": lambda number: number & 0xFFFFFFFF,
    "sint": lambda number: (number >> 1) ^ -(number & 1),
    "uint64": lambda number: number,
}


# -- text ------------------------------------------------------------------------------------------
#
#     node {
#       name: "x"
#       attr {
#         key: "dtype"
#         value {
#           type: DT_INT32
#         }
#       }
#     }
#
# Fields are in the order of their numbers and map entries in the order of their keys, so that equal
# messages have equal texts.


_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\"}
# The numbers of decimal digits that a four-byte float may need for an exact round trip.
_DIGITS = range(6, 10)


def text_of(message: Message) -> str:
    """Return a message as text, one line for each value."""
    return "".join(f"{line}\n" for line in _lines(message, ""))


def _lines(message: Message, indent: str) -> Iterator[str]:
    for field, value in message.given_fields():
        if field.key is not None:
            for key in sorted(value):
                yield from _entry_text(field, key, value[key], indent)
            continue
        for each in value if field.many else (value,):
            yield from _value_lines(field.name, field.kind, each, indent)


def _entry_text(field: Field, key: Any, value: Any, indent: str) -> Iterator[str]:
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
        # In this encoding each byte is a character; those beyond ASCII are escaped.
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
    # Line separators and direction marks are written as bytes.
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
