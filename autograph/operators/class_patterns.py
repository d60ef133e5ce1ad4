"""Which attributes of an object the sub-patterns of a class pattern stand for."""

from __future__ import annotations

from typing import Any

# A flag of the classes whose one positional pattern is held against the object itself: `int(n)`.
_MATCHES_ITSELF = 1 << 22


def matches_itself(cls: Any) -> bool:
    """Tell whether a positional pattern of a class stands for the object.

    >>> matches_itself(int), matches_itself(complex)
    (True, False)
    """
    return not hasattr(cls, "__match_args__") and bool(cls.__flags__ & _MATCHES_ITSELF)


def attributes_for(cls: Any, count: int, names: tuple[str, ...], alone: bool) -> list[str]:
    """Return the attributes of `count` positional patterns, then those of the named ones.

    Args:
        cls: the class of the pattern.
        count: how many positional patterns there are.
        names: the attributes of the others.
        alone: whether the one positional pattern stands for the object, which is no attribute.

    Raises:
        TypeError: what Python raises where they do not fit the class.
    """
    allowed: Any = ("",) if alone else getattr(cls, "__match_args__", ()) if count else ()
    if not isinstance(allowed, tuple):
        kind = type(allowed).__name__
        raise TypeError(f"{cls.__name__}.__match_args__ must be a tuple (got {kind})")
    if count > len(allowed):
        plural = "" if len(allowed) == 1 else "s"
        raise TypeError(
            f"{cls.__name__}() accepts {len(allowed)} positional sub-pattern{plural} "
            f"({count} given)"
        )
    positional = () if alone else allowed[:count]
    for each in positional:
        if not isinstance(each, str):
            kind = type(each).__name__
            raise TypeError(f"__match_args__ elements must be strings (got {kind})")
    return _distinct(cls, [*positional, *names])


def _distinct(cls: Any, names: list[str]) -> list[str]:
    for position, name in enumerate(names):
        if name in names[:position]:
            message = f"{cls.__name__}() got multiple sub-patterns for attribute {name!r}"
            raise TypeError(message)
    return names
