"""Messages of protocol buffers as plain values: fields by number, text and bytes, no third party.

A message class is a table of its fields. What was not given is not printed and not stored, and
reads as its default: 0, an empty text, an empty message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

from runtime.errors import ArgumentValueError
from runtime.export.protobuf_bytes import encoded
from runtime.export.protobuf_text import text_of

M = TypeVar("M", bound="Message")

_DEFAULTS: dict[str, Any] = {
    "bool": False,
    "bytes": b"",
    "double": 0.0,
    "float": 0.0,
    "enum": 0,
    "int": 0,
    "string": "",
}


class Repeated(tuple[Any, ...]):
    """The values of a field that has any number of them: shown as a list, and equal to one.

    >>> Repeated(["x", "y"])
    ['x', 'y']
    >>> Repeated(["x"]) == ["x"] and Repeated(["x"]) == ("x",)
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
        name: what it is called.
        number: what it is in bytes; texts and bytes have the fields in the order of these.
        kind: `bool`, `bytes`, `double`, `enum`, `float`, `int`, `string`, or a message class.
        many: whether there are any number of them, in order.
        key: of a map the kind of its keys, else None.
        chosen: whether it is one of several of which a message has one, so that it shows that it
            is there also with its default value.
    """

    name: str
    number: int
    kind: Any
    many: bool = False
    key: str | None = None
    chosen: bool = False

    def default(self) -> Any:
        """The value of the field where it was not given."""
        if self.key is not None:
            return MappingProxyType({})
        if self.many:
            return Repeated()
        return _DEFAULTS[self.kind] if isinstance(self.kind, str) else self.kind()

    def frozen(self, value: Any) -> Any:
        """The value as it is kept."""
        if self.key is not None:
            return MappingProxyType(dict(value))
        return Repeated(value) if self.many else value

    def is_worth(self, value: Any) -> bool:
        """True where a value says more than the default."""
        if self.key is not None or self.many:
            return bool(value)
        return self.chosen or not isinstance(self.kind, str) or bool(value)


class Message:
    """A frozen message; a class of messages lists its `FIELDS`.

    Args:
        values: fields by name.

    Raises:
        ArgumentValueError: there is no such field.

    Example:
        >>> from runtime.export.graphdef import VersionDef
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
    _values: Mapping[str, Any]

    def __init_subclass__(cls) -> None:
        cls._by_name = {field.name: field for field in cls.FIELDS}

    def __init__(self, **values: Any) -> None:
        unknown = sorted(values.keys() - self._by_name.keys())
        if unknown:
            raise ArgumentValueError(f"{type(self).__name__} has no field {unknown[0]!r}")
        fields = sorted(self.FIELDS, key=lambda field: field.number)
        kept = {f.name: f.frozen(values[f.name]) for f in fields if f.name in values}
        worth = {name: value for name, value in kept.items() if self._by_name[name].is_worth(value)}
        object.__setattr__(self, "_values", worth)

    def __getattr__(self, name: str) -> Any:
        field = type(self)._by_name.get(name)
        if field is None:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        return self._values[name] if name in self._values else field.default()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} is frozen; make another one")

    def HasField(self, name: str) -> bool:
        """Return whether a field was given."""
        return name in self._values

    def fields(self) -> Iterator[tuple[Field, Any]]:
        """Yield the fields that were given, with their values, in the order of their numbers."""
        for name, value in self._values.items():
            yield self._by_name[name], value

    def with_values(self: M, **values: Any) -> M:
        """Return a message with other values in some fields."""
        return type(self)(**{**self._values, **values})

    def SerializeToString(self) -> bytes:
        """Return the bytes every reader of protocol buffers takes; the same ones every time."""
        return encoded(self)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._values == other._values

    def __hash__(self) -> int:
        return hash(self.SerializeToString())

    def __str__(self) -> str:
        return text_of(self)

    def __repr__(self) -> str:
        given = ", ".join(f"{field.name}={value!r}" for field, value in self.fields())
        return f"{type(self).__name__}({given})"
