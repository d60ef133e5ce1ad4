"""The operators of `match` in plain Python: patterns are printed and Python matches them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Values:
    """The values and classes in patterns, each made when Python looks it up."""

    def __init__(self) -> None:
        self._thunks: dict[str, Callable[[], object]] = {}

    def add(self, thunk: Callable[[], object]) -> str:
        name = f"value_{len(self._thunks)}"
        self._thunks[name] = thunk
        return f"values.{name}"

    def __getattr__(self, name: str) -> object:
        return self._thunks[name]()


class Case(NamedTuple):
    pattern: Callable[[Values], str]
    guard: Callable[..., object] | None
    body: Callable[..., None]


Text = Callable[[Values], str]


def match_value(value: Callable[[], object]) -> Text:
    return lambda values: values.add(value)


def match_is(value: object) -> Text:
    return lambda values: repr(value)


def match_any() -> Text:
    return lambda values: "_"


def match_as(pattern: Text | None, name: str) -> Text:
    if pattern is None:
        return lambda values: f"name_{name}"
    return lambda values: f"({pattern(values)}) as name_{name}"


def match_star(name: str | None) -> Text:
    return lambda values: f"*name_{name}" if name else "*_"


def match_or(*patterns: Text) -> Text:
    return lambda values: "(" + " | ".join(each(values) for each in patterns) + ")"


def match_sequence(*patterns: Text) -> Text:
    return lambda values: "[" + ", ".join(each(values) for each in patterns) + "]"


def match_mapping(keys: tuple[Any, ...], patterns: tuple[Text, ...], rest: str | None) -> Text:
    def text(values: Values) -> str:
        pairs = [f"{values.add(key)}: {each(values)}" for key, each in zip(keys, patterns)]
        return "{" + ", ".join([*pairs, *([f"**name_{rest}"] if rest else [])]) + "}"

    return text


def match_class(
    cls: Any, positional: tuple[Text, ...], names: tuple[str, ...], by_name: tuple[Text, ...]
) -> Text:
    def text(values: Values) -> str:
        name = values.add(cls)
        parts = [each(values) for each in positional]
        parts += [f"{key}={each(values)}" for key, each in zip(names, by_name)]
        return f"{name}({', '.join(parts)})"

    return text


def captures(pattern: Text, subject: object) -> tuple[object, ...] | None:
    """Return the values Python binds, in the order of the names; None where the pattern fails."""
    values = Values()
    program = f"match subject:\n case {pattern(values)}: found = dict(vars())"
    space: dict[str, Any] = {"subject": subject, "values": values}
    exec(program, space, space)
    found = space.get("found")
    if found is None:
        return None
    return tuple(found[name] for name in sorted(found) if name.startswith("name_"))


WORDS = (match_value, match_is, match_any, match_as, match_star, match_or, match_sequence)
WORDS += (match_mapping, match_class)
