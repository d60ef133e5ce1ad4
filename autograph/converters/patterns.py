"""Patterns of a `match` as code that makes them: `[0, *rest]` as `ag__.match_sequence(...)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autograph.converters.node_builders import constant, name, new, thunk, word
from autograph.syntax.tree import copy_tree


def captures_of(pattern: Any) -> tuple[str, ...]:
    """Return the names a pattern binds, in the order of the alphabet.

    >>> from autograph.syntax.tree import parse
    >>> match = parse("match x:\\n case [a, *b] | {'k': a, **b}: pass").body[0]
    >>> captures_of(match.cases[0].pattern)
    ('a', 'b')
    """
    return tuple(sorted(set(_captures(pattern))))


def _captures(pattern: Any) -> list[str]:
    kind = type(pattern)
    if kind is gast.MatchStar:
        return [pattern.name] if pattern.name else []
    if kind is gast.MatchAs:
        inside = [] if pattern.pattern is None else _captures(pattern.pattern)
        return [*inside, pattern.name] if pattern.name else inside
    parts = [*getattr(pattern, "patterns", ()), *getattr(pattern, "kwd_patterns", ())]
    found = [each for part in parts for each in _captures(part)]
    rest = getattr(pattern, "rest", None)
    return [*found, rest] if rest else found


def pattern_word(pattern: Any) -> Any:
    """Return the expression that makes a pattern; values are made when it is held against one."""
    return _WORDS[type(pattern)](pattern)


def _value(node: Any) -> Any:
    return word("match_value", [_later(node.value)], node)


def _singleton(node: Any) -> Any:
    return word("match_is", [constant(node.value, node)], node)


def _as(node: Any) -> Any:
    if node.name is None:
        return word("match_any", [], node)
    pattern = constant(None, node) if node.pattern is None else pattern_word(node.pattern)
    return word("match_as", [pattern, constant(node.name, node)], node)


def _star(node: Any) -> Any:
    return word("match_star", [constant(node.name, node)], node)


def _or(node: Any) -> Any:
    return word("match_or", [pattern_word(each) for each in node.patterns], node)


def _sequence(node: Any) -> Any:
    return word("match_sequence", [pattern_word(each) for each in node.patterns], node)


def _mapping(node: Any) -> Any:
    keys = _tuple([_later(key) for key in node.keys], node)
    patterns = _tuple([pattern_word(each) for each in node.patterns], node)
    return word("match_mapping", [keys, patterns, constant(node.rest, node)], node)


def _class(node: Any) -> Any:
    positional = _tuple([pattern_word(each) for each in node.patterns], node)
    names = _tuple([constant(each, node) for each in node.kwd_attrs], node)
    by_name = _tuple([pattern_word(each) for each in node.kwd_patterns], node)
    return word("match_class", [_later(node.cls), positional, names, by_name], node)


def _later(expression: Any) -> Any:
    """Return a thunk of a value or class in a pattern, its variable read like any other."""
    return thunk(_read(copy_tree(expression)))


def _read(node: Any) -> Any:
    if isinstance(node, gast.Name):
        return word("ld", [name(node.id, node)], node)
    if isinstance(node, gast.Attribute):
        node.value = _read(node.value)
    return node


def _tuple(elements: list[Any], origin: Any) -> Any:
    return new(gast.Tuple, origin, elts=elements, ctx=gast.Load())


_WORDS: dict[type, Callable[[Any], Any]] = {
    gast.MatchValue: _value,
    gast.MatchSingleton: _singleton,
    gast.MatchAs: _as,
    gast.MatchStar: _star,
    gast.MatchOr: _or,
    gast.MatchSequence: _sequence,
    gast.MatchMapping: _mapping,
    gast.MatchClass: _class,
}
