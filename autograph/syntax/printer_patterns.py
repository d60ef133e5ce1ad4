"""Printing `match` statements and their patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

_SIGNS = {"UAdd": "+", "USub": "-", "Add": " + ", "Sub": " - "}


class PatternPrinter:
    """The part of the printer that knows `match`."""

    fill: Callable[..., None]
    write: Callable[[str], None]
    dispatch: Callable[[Any], None]
    suite: Callable[[list[Any]], None]
    listed: Callable[..., None]
    _indent: int

    def _Match(self, t: Any) -> None:
        self.fill("match ")
        self.dispatch(t.subject)
        self.suite(t.cases)

    def _match_case(self, t: Any) -> None:
        self.fill("case ")
        self.dispatch(t.pattern)
        if t.guard is not None:
            self.write(" if ")
            self.dispatch(t.guard)
        self.suite(t.body)

    def _MatchValue(self, t: Any) -> None:
        self._literal(t.value)

    def _literal(self, node: Any) -> None:
        """Write a literal without brackets: the grammar of patterns has none round numbers."""
        kind = type(node).__name__
        if kind == "UnaryOp":
            self.write(_SIGNS[type(node.op).__name__])
            self._literal(node.operand)
        elif kind == "BinOp":
            self._literal(node.left)
            self.write(_SIGNS[type(node.op).__name__])
            self._literal(node.right)
        else:
            self.dispatch(node)

    def _MatchSingleton(self, t: Any) -> None:
        self.write(repr(t.value))

    def _MatchSequence(self, t: Any) -> None:
        self._enclosed("[", t.patterns, "]")

    def _MatchMapping(self, t: Any) -> None:
        items: list[tuple[Any, Any]] = list(zip(t.keys, t.patterns))
        rest = [(None, t.rest)] if t.rest is not None else []
        self._enclosed("{", items + rest, "}", self._mapping_item)

    def _mapping_item(self, item: tuple[Any, Any]) -> None:
        key, pattern = item
        if key is None:
            self.write("**" + pattern)
            return
        self._literal(key)
        self.write(": ")
        self.dispatch(pattern)

    def _MatchClass(self, t: Any) -> None:
        self.dispatch(t.cls)
        plain = [(None, pattern) for pattern in t.patterns]
        self._enclosed("(", [*plain, *zip(t.kwd_attrs, t.kwd_patterns)], ")", self._class_item)

    def _class_item(self, item: tuple[str | None, Any]) -> None:
        attribute, pattern = item
        self.write(f"{attribute}=" if attribute is not None else "")
        self.dispatch(pattern)

    def _MatchStar(self, t: Any) -> None:
        self.write("*" + (t.name or "_"))

    def _MatchAs(self, t: Any) -> None:
        if t.pattern is None:
            self.write(t.name or "_")
            return
        self.write("(")
        self.dispatch(t.pattern)
        self.write(f" as {t.name})")

    def _MatchOr(self, t: Any) -> None:
        self.write("(")
        for number, pattern in enumerate(t.patterns):
            self.write(" | " if number else "")
            self.dispatch(pattern)
        self.write(")")

    def _enclosed(
        self,
        opening: str,
        items: Iterable[Any],
        closing: str,
        show: Callable[[Any], None] | None = None,
    ) -> None:
        self.write(opening)
        self.listed(items, show)
        self.write(closing)
