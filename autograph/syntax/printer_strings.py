"""Prints strings, f-strings, and numbers that have no literal.

Inside the braces of an f-string, Python before 3.12 allows neither a backslash nor the quotes of
the f-string itself. The printer then looks for other quotes. If none are possible (generated code
may have such strings), it prints `'{!r:>{}}'.format(x, width)`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

_QUOTES = ("'", '"', "'''", '"""')
_NESTS_FREELY = sys.version_info >= (3, 12)
_INFINITY = "1e309"


class UnquotableString(Exception):
    """An f-string of this Python version cannot contain this string."""


class StringPrinter:
    """The part of the printer for strings."""

    write: Callable[[str], None]
    text_of: Callable[[Any], str]
    dispatch: Callable[[Any], None]
    # Quotes of the f-strings around it; None outside of them, and in Python 3.12 and later.
    _around: tuple[str, ...] | None = None

    def quoted(self, value: str | bytes, kind: str = "") -> str:
        """Return a string or bytes literal that is allowed at the current place.

        Raises:
            UnquotableString: the f-strings around it allow no literal with this value.
        """
        text = kind + repr(value)
        if self._around is None or _fits(text, self._around):
            return text
        raw = value.decode("latin-1") if isinstance(value, bytes) else value
        prefix = kind + ("b" if isinstance(value, bytes) else "")
        for quote in _QUOTES:
            text = prefix + quote + raw + quote
            if _is_raw_literal(raw, quote) and _fits(text, self._around):
                return text
        raise UnquotableString(value)

    def _JoinedStr(self, t: Any) -> None:
        self.write(self._formatted(t.values))

    def _FormattedValue(self, t: Any) -> None:
        self.write(self._formatted([t]))

    def _formatted(self, values: list[Any]) -> str:
        around = self._around
        for quote in self._likely_quotes(values):
            try:
                return self._in_quotes(values, quote)
            except UnquotableString:
                continue
            finally:
                self._around = around
        if around is not None:
            raise UnquotableString(values)
        return self._as_format_call(values)

    def _in_quotes(self, values: list[Any], quote: str) -> str:
        outer = self._around
        if not _NESTS_FREELY:
            self._around = (*(outer or ()), quote)
        text = "f" + quote + "".join(self._piece(v, quote, False) for v in values) + quote
        if outer is not None and not _fits(text, outer):
            raise UnquotableString(text)
        return text

    def _likely_quotes(self, values: list[Any]) -> tuple[str, ...]:
        """Return the quotes to try; those that the f-string does not contain come first."""
        plain = self._plain_pieces(values)
        free = [q for q in _QUOTES[:2] if not any(q in piece for piece in plain)]
        return tuple(dict.fromkeys((*free, *_QUOTES)))

    def _plain_pieces(self, values: list[Any]) -> list[str]:
        around, self._around = self._around, None
        try:
            return [v.value if _is_text(v) else self.text_of(v.value) for v in values]
        finally:
            self._around = around

    def _piece(self, node: Any, quote: str, in_spec: bool) -> str:
        if _is_text(node):
            return _escaped(node.value, quote, in_spec)
        if type(node).__name__ == "JoinedStr":
            return "".join(self._piece(v, quote, in_spec) for v in node.values)
        value = self.text_of(node.value)
        if self._around is not None and not _fits(value, self._around):
            raise UnquotableString(value)
        opening = "{ " if value.startswith("{") else "{"
        return f"{opening}{value}{self._conversion(node)}{self._spec(node, quote)}}}"

    def _conversion(self, node: Any) -> str:
        return f"!{chr(node.conversion)}" if node.conversion not in (-1, None) else ""

    def _spec(self, node: Any, quote: str) -> str:
        spec = getattr(node, "format_spec", None)
        return "" if spec is None else ":" + self._piece(spec, quote, True)

    # The replacement: 'text'.format(...)

    def _as_format_call(self, values: list[Any]) -> str:
        arguments: list[str] = []
        template = "".join(self._field(v, arguments) for v in values)
        return f"{template!r}.format({', '.join(arguments)})"

    def _field(self, node: Any, arguments: list[str]) -> str:
        if _is_text(node):
            return str(node.value).replace("{", "{{").replace("}", "}}")
        if type(node).__name__ == "JoinedStr":
            return "".join(self._field(v, arguments) for v in node.values)
        arguments.append(self.text_of(node.value))
        spec = getattr(node, "format_spec", None)
        inner = "" if spec is None else ":" + self._field(spec, arguments)
        return "{" + self._conversion(node) + inner + "}"


def number_text(value: Any) -> str:
    """Return a number (or True, False, None) as an expression that `.` or `**` may follow.

    >>> number_text(-1), number_text(float("inf")), number_text(2.5)
    ('(-1)', '1e309', '2.5')
    """
    if isinstance(value, complex) and not _is_complex_literal(value):
        return f"complex({number_text(value.real)}, {number_text(value.imag)})"
    try:
        text = repr(value)
    except ValueError:  # more digits than Python converts to decimal
        text = hex(value)
    text = text.replace("inf", _INFINITY).replace("nan", f"({_INFINITY} - {_INFINITY})")
    return f"({text})" if text.startswith("-") else text


def _is_complex_literal(value: complex) -> bool:
    """Return whether a complex number is a literal: `-2j` would have a negative real zero."""
    text = repr(value)
    return text[0].isdigit() or text == "infj"


def _is_text(node: Any) -> bool:
    return type(node).__name__ == "Constant"


def _fits(text: str, around: tuple[str, ...]) -> bool:
    """Return whether a text is allowed in the braces of f-strings with these quotes before 3.12."""
    if "\\" in text:
        return False
    return not any(q in text or (len(q) == 1 and "\n" in text) for q in around)


def _is_raw_literal(text: str, quote: str) -> bool:
    """Return whether a text between these quotes is a literal of that text."""
    if quote in text or text.endswith(quote[0]) or (len(quote) == 1 and "\n" in text):
        return False
    return not any(c in "\\\r\0" or "\ud800" <= c <= "\udfff" for c in text)


def _escaped(text: str, quote: str, in_spec: bool) -> str:
    """Return the literal text for an f-string; in a format spec, doubled braces are not allowed."""
    braces = ("\\x7b", "\\x7d") if in_spec else ("{{", "}}")
    special = {"{": braces[0], "}": braces[1], "\\": "\\\\", quote[0]: "\\" + quote[0]}
    return "".join(special.get(c) or (c if c.isprintable() else repr(c)[1:-1]) for c in text)
