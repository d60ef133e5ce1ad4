"""Which call made a generator, kept for as long as the generator is there."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType, GeneratorType
from typing import Any

from runtime.records import dataclass
from runtime.weak_tables import IdentityTable


@dataclass(frozen=True, slots=True)
class Origin:
    """The call that made a generator.

    Attributes:
        made: the function, converted.
        args: its arguments.
        kwargs: those by name.
    """

    made: FunctionType
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


_ORIGINS: IdentityTable[Any, Origin] = IdentityTable()


def called(made: FunctionType, /, *args: Any, **kwargs: Any) -> Any:
    """Return the generator that a generator function makes, whose call is noted."""
    generator = made(*args, **kwargs)
    note_origin(generator, made, args, kwargs)
    return generator


def note_origin(
    generator: object, made: FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> None:
    """Note which call made a generator."""
    if type(generator) is GeneratorType:
        _ORIGINS.put(generator, Origin(made, args, kwargs))


def origin_of(generator: object) -> Origin | None:
    """Return the call that made a generator, None if it was not noted."""
    return _ORIGINS.get(generator)
