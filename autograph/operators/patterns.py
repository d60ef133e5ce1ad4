"""The patterns of a `match` as values, and the match of each against a subject.

Python decides which objects are sequences and mappings, and which classes take positional patterns.
A comparison may give a value of a backend; then the result of the match is one, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple, Protocol

from autograph.backends.protocol import Backends, Thunk
from autograph.operators.comparisons import IdentityComparison

# Flags of types by which `match` recognizes sequences and mappings: a string is no sequence.
_IS_SEQUENCE, _IS_MAPPING = 1 << 5, 1 << 6
_MISSING = object()
# The name of the class in Python's errors of class patterns.
_CLASS = "class" if sys.version_info >= (3, 12) else "type"


@dataclass(slots=True, eq=False, repr=False)
class MatchResult:
    """The result of matching a pattern: whether it matches, and its bindings.

    Attributes:
        test: whether it matches: a truth value, or a value of a backend that stands for one.
        captures: the names it binds, with their values; none where it does not match.
    """

    test: object
    captures: Mapping[str, object] = field(default_factory=dict)


NO_MATCH, MATCH = MatchResult(False), MatchResult(True)


class Matcher:
    """The operations of patterns that may need a backend.

    Args:
        backends: the possible owners of the subject and of comparisons.
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends
        self.operand = backends.operand
        self.same = IdentityComparison(backends).same

    def holds(self, value: object) -> object:
        """Return the truth of a comparison's result."""
        backend = self._backends.of(value)
        return backend.call("pattern_test", (value,), {}) if backend is not None else bool(value)

    def kind(self, value: object) -> type:
        """Return the type of a value; for a stand-in, that of the Python value."""
        backend = self._backends.of(value)
        return backend.call("pattern_kind", (value,), {}) if backend is not None else type(value)

    def is_instance(self, value: object, cls: Any) -> bool:
        """Return `isinstance(value, cls)`, for the object behind a stand-in as well."""
        return isinstance(value, cls) or (
            self._backends.of(value) is not None and issubclass(self.kind(value), cls)
        )

    def of_each(self, subject: object, against: Callable[[Any], MatchResult]) -> MatchResult:
        """Return the result of a pattern for a subject that may be one of several objects.

        The pattern is matched against each object; its result counts where that one is the subject.
        """
        backend = self._backends.of(subject)
        if backend is None:
            return against(subject)
        parts = backend.call("pattern_alternatives", (subject,), {})
        found = [against(part) for _, part in parts]
        if len(found) == 1 or all(each.test is True and not each.captures for each in found):
            return found[0]
        cases = [self.both(MatchResult(test), each) for (test, _), each in zip(parts, found)]
        return reduce(self.either, cases)

    def split_sequence(
        self, subject: object, ahead: int, behind: int | None
    ) -> tuple[object, Sequence[object], object] | None:
        """Return the first and last items of a list whose length only a run knows.

        Args:
            subject: the list; for anything else the result is None.
            ahead: the number of items at its start.
            behind: the number of items at its end; None if those at its start have to be all.

        Returns:
            Whether it has as many, these items, and the list between them.
        """
        backend = self._backends.of(subject)
        return (
            None
            if backend is None
            else backend.call("split_sequence", (subject, ahead, behind), {})
        )

    def item_under(self, subject: Any, key: object) -> tuple[object, object]:
        """Return whether a mapping has a key, and the value under it."""
        backend = self._backends.of(subject)
        if backend is not None:
            return backend.call("item_under", (subject, key), {})
        value = subject.get(key, _MISSING)
        return value is not _MISSING, value

    def both(self, first: MatchResult, second: MatchResult) -> MatchResult:
        """Return the result of two patterns that must both match."""
        if first.test is False or second.test is False:
            return NO_MATCH
        captures = {**first.captures, **second.captures}
        if first.test is True or second.test is True:
            return MatchResult(second.test if first.test is True else first.test, captures)
        return MatchResult(self._and(first.test, second.test), captures)

    def either(self, first: MatchResult, second: MatchResult) -> MatchResult:
        """Return the result of two patterns one of which must match, the first if both do."""
        if first.test is False or first.test is True:
            return second if first.test is False else first
        if second.test is False:
            return first
        chosen = {
            name: self._chosen(name, first.test, value, second.captures[name])
            for name, value in first.captures.items()
        }
        test = True if second.test is True else self._or(first.test, second.test)
        return MatchResult(test, chosen)

    def _and(self, first: object, second: object) -> object:
        return self._owner(first).logical_and(first, lambda: second, first)

    def _or(self, first: object, second: object) -> object:
        return self._owner(first).logical_or(first, lambda: second, first)

    def _chosen(self, name: str, test: object, first: object, second: object) -> object:
        if first is second:
            return first
        text = f"the pattern that binds {name} matches"
        return self._owner(test).select(test, lambda: first, lambda: second, text)

    def _owner(self, value: object) -> Any:
        return self._backends.of(value)


class Pattern(Protocol):
    """One pattern."""

    def against(self, subject: Any, how: Matcher) -> MatchResult:
        """Match the pattern against a subject."""


class ValuePattern(NamedTuple):
    """`case 3`, `case Color.RED`: equal to the value of an expression."""

    value: Thunk

    def against(self, subject: Any, how: Matcher) -> MatchResult:
        """Match an equal subject."""
        return MatchResult(how.holds(how.operand(subject) == how.operand(self.value())))


class SingletonPattern(NamedTuple):
    """`case None`, `case True`, `case False`: identical."""

    value: object

    def against(self, subject: Any, how: Matcher) -> MatchResult:
        """Match the object itself, or its stand-in."""
        return MatchResult(how.same(subject, self.value))


class AsPattern(NamedTuple):
    """`case pattern as name`, `case name` and `case _`."""

    pattern: Pattern | None
    name: str | None

    def against(self, subject: Any, how: Matcher) -> MatchResult:
        """Match as the inner pattern does, if there is one, and bind the name."""
        found = MATCH if self.pattern is None else self.pattern.against(subject, how)
        if self.name is None or found.test is False:
            return found
        return MatchResult(found.test, {**found.captures, self.name: subject})


class StarPattern(NamedTuple):
    """`*rest` and `*_` in a sequence."""

    name: str | None


class OrPattern(NamedTuple):
    """`case first | second`."""

    patterns: tuple[Pattern, ...]

    def against(self, subject: Any, how: Matcher) -> MatchResult:
        """Match if one of the patterns does; none is tried after one that does."""
        found = NO_MATCH
        for pattern in self.patterns:
            found = how.either(found, pattern.against(subject, how))
            if found.test is True:
                break
        return found


class SequencePattern(NamedTuple):
    """`case [first, *rest]`."""

    patterns: tuple[Pattern | StarPattern, ...]

    def against(self, subject: Any, how: Matcher) -> MatchResult:
        """Match a sequence of the right length whose items match."""
        star = self._star()
        behind = None if star is None else len(self.patterns) - star - 1
        ahead = len(self.patterns) if star is None else star
        apart = how.split_sequence(subject, ahead, behind)
        if apart is not None:
            return self._parts_against(*apart, how)
        return how.of_each(subject, lambda each: self._against_one(each, how))

    def _parts_against(
        self, test: object, items: Sequence[object], rest: object, how: Matcher
    ) -> MatchResult:
        star = self._star()
        found = how.both(MatchResult(test), _all(how, zip(self._plain(star), items)))
        name = None if star is None else self.patterns[star].name  # type: ignore[union-attr]
        if name is None or found.test is False:
            return found
        return MatchResult(found.test, {**found.captures, name: rest})

    def _star(self) -> int | None:
        return next(
            (k for k, each in enumerate(self.patterns) if isinstance(each, StarPattern)), None
        )

    def _against_one(self, subject: Any, how: Matcher) -> MatchResult:
        return self._items_against(subject, how) if _has_flag(subject, _IS_SEQUENCE) else NO_MATCH

    def _items_against(self, subject: Any, how: Matcher) -> MatchResult:
        star = self._star()
        least = len(self.patterns) - (star is not None)
        if star is None and len(subject) != least:
            return NO_MATCH
        if star is not None and least and len(subject) < least:
            return NO_MATCH
        found = _all(how, zip(self._plain(star), self._items(subject, star)))
        name = None if star is None else self.patterns[star].name  # type: ignore[union-attr]
        if name is None or found.test is False:
            return found
        assert star is not None
        rest = list(subject)[star : len(subject) - (least - star)]
        return MatchResult(found.test, {**found.captures, name: rest})

    def _plain(self, star: int | None) -> Sequence[Any]:
        return [each for k, each in enumerate(self.patterns) if k != star]

    def _items(self, subject: Any, star: int | None) -> Sequence[object]:
        if star is None:
            return list(subject)
        behind = len(self.patterns) - star - 1
        ahead = [subject[k] for k in range(star)]
        return [*ahead, *(subject[len(subject) - k] for k in range(behind, 0, -1))]


class MappingPattern(NamedTuple):
    """`case {"key": pattern, **rest}`."""

    keys: tuple[Thunk, ...]
    patterns: tuple[Pattern, ...]
    rest: str | None

    def against(self, subject: Any, how: Matcher) -> MatchResult:
        """Match a mapping that has the keys and whose values match."""
        return how.of_each(subject, lambda each: self._against_one(each, how))

    def _against_one(self, subject: Any, how: Matcher) -> MatchResult:
        if not _has_flag(subject, _IS_MAPPING) or (self.keys and len(subject) < len(self.keys)):
            return NO_MATCH
        return self._values_against(subject, how)

    def _values_against(self, subject: Any, how: Matcher) -> MatchResult:
        keys: dict[object, None] = {}
        for key in (each() for each in self.keys):
            if key in keys:
                raise ValueError(f"mapping pattern checks duplicate key ({key!r})")
            keys[key] = None
        operand = how.operand(subject)
        items = [how.item_under(operand, key) for key in keys]
        if any(there is False for there, _ in items):
            return NO_MATCH
        found = MATCH
        for pattern, (there, value) in zip(self.patterns, items):
            inner = pattern.against(value, how) if found.test is not False else NO_MATCH
            found = how.both(found, how.both(MatchResult(there), inner))
        if self.rest is None or found.test is False:
            return found
        rest = {key: value for key, value in dict(subject).items() if key not in keys}
        return MatchResult(found.test, {**found.captures, self.rest: rest})


class ClassPattern(NamedTuple):
    """`case Point(0, y=0)`."""

    cls: Thunk
    positional: tuple[Pattern, ...]
    names: tuple[str, ...]
    by_name: tuple[Pattern, ...]

    def against(self, subject: Any, how: Matcher) -> MatchResult:
        """Match an object of the class whose attributes match."""
        of_class = lambda cls: how.of_each(  # noqa: E731
            subject, lambda each: self._against_one(each, cls, how)
        )
        return how.of_each(self.cls(), of_class)

    def _against_one(self, subject: Any, cls: Any, how: Matcher) -> MatchResult:
        if not isinstance(cls, type):
            raise TypeError(f"called match pattern must be a {_CLASS}")
        if not how.is_instance(subject, cls):
            return NO_MATCH
        return self._attributes_against(how.operand(subject), cls, how)

    def _attributes_against(self, subject: Any, cls: Any, how: Matcher) -> MatchResult:
        alone = bool(self.positional) and matches_itself(cls)
        names = attributes_for(cls, len(self.positional), self.names, alone)
        try:
            values = [getattr(subject, name) for name in names]
        except AttributeError:
            return NO_MATCH
        values = [subject, *values] if alone else values
        return _all(how, zip((*self.positional, *self.by_name), values))


def _all(how: Matcher, pairs: Any) -> MatchResult:
    def further(found: MatchResult, pair: tuple[Pattern, object]) -> MatchResult:
        if found.test is False:
            return found
        pattern, value = pair
        return how.both(found, pattern.against(value, how))

    return reduce(further, pairs, MATCH)


def _has_flag(subject: object, flag: int) -> bool:
    return bool(type(subject).__flags__ & flag)


# The names in generated code, each with the class of the pattern.
PATTERNS: Mapping[str, Callable[..., object]] = {
    "match_value": ValuePattern,
    "match_is": SingletonPattern,
    "match_any": lambda: AsPattern(None, None),
    "match_as": AsPattern,
    "match_star": StarPattern,
    "match_or": lambda *patterns: OrPattern(patterns),
    "match_sequence": lambda *patterns: SequencePattern(patterns),
    "match_mapping": MappingPattern,
    "match_class": ClassPattern,
}


# -- class patterns --------------------------------------------------------------------------------


# A flag of classes whose one positional pattern matches the object itself: `int(n)`.
_MATCHES_ITSELF = 1 << 22


def matches_itself(cls: Any) -> bool:
    """Return whether a positional pattern of a class matches the object itself.

    >>> matches_itself(int), matches_itself(complex)
    (True, False)
    """
    return not hasattr(cls, "__match_args__") and bool(cls.__flags__ & _MATCHES_ITSELF)


def attributes_for(cls: Any, count: int, names: tuple[str, ...], alone: bool) -> list[str]:
    """Return the attributes of `count` positional patterns, then those of the named ones.

    Args:
        cls: the class of the pattern.
        count: the number of positional patterns.
        names: the attributes of the named patterns.
        alone: whether the one positional pattern stands for the object, which is no attribute.

    Raises:
        TypeError: Python's error if they do not fit the class.
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
