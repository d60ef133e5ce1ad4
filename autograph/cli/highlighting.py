"""Colours Python code, graphs and reports on a terminal; elsewhere they stay as they are."""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from collections.abc import Iterator

from autograph.cli.terminal import Style

# The names of the groups are roles of `Style.paint`.
_GRAPH = re.compile(
    r"(?P<note>  # .*$)|(?P<name>%\w+(?::\d+)?)|(?<== )(?P<keyword>\w+)(?=\()", re.MULTILINE
)
_EXPLANATION = re.compile(
    r"(?P<note> # .*$)|(?<=\d)  (?:(?P<good>staged|graph|call)|(?P<bad>python|error))\b|"
    r"(?P<title>^`.*$)",
    re.MULTILINE,
)
_CHECK = re.compile(
    r"(?P<title>^\S+: \d+ of .*$)|\b(?P<good>same)\b|(?P<bad>\w+ differs from eager)", re.MULTILINE
)
_HELP = re.compile(r"(?P<title>^(?:usage|positional arguments|options|examples):)", re.MULTILINE)


def graph_in_colours(text: str, style: Style) -> str:
    """Return the text of a graph with ops, values and source lines in their colours."""
    return _painted(text, _GRAPH, style)


def explanation_in_colours(text: str, style: Style) -> str:
    """Return the text of an explanation with outcomes in colours."""
    return _painted(text, _EXPLANATION, style)


def check_in_colours(text: str, style: Style) -> str:
    """Return the text of a check with agreements and differences in colours."""
    return _painted(text, _CHECK, style)


def help_in_colours(text: str, style: Style) -> str:
    """Return a command's help with headings."""
    return _painted(text, _HELP, style)


def _painted(text: str, pattern: re.Pattern[str], style: Style) -> str:
    def paint(found: re.Match[str]) -> str:
        role = str(found.lastgroup)
        before, _, after = found[0].rpartition(found[role])
        return f"{before}{style.paint(found[role], role)}{after}"

    return pattern.sub(paint, text) if style.colours else text


# -- Python ----------------------------------------------------------------------------------------


def python_in_colours(text: str, style: Style) -> str:
    """Return Python code with keywords, strings, comments and operators of `ag__` in colours.

    >>> python_in_colours("return 'x'", Style(True, 80))
    "\\x1b[35mreturn\\x1b[0m \\x1b[33m'x'\\x1b[0m"
    """
    if not style.colours:
        return text
    lines = text.splitlines(keepends=True)
    painted, at = [], (1, 0)
    for role, start, end in _tokens(text):
        painted += [_between(lines, at, start), style.paint(_between(lines, start, end), role)]
        at = end
    return "".join([*painted, _between(lines, at, (len(lines) + 1, 0))])


LineAndColumn = tuple[int, int]


def _tokens(text: str) -> Iterator[tuple[str, LineAndColumn, LineAndColumn]]:
    """Yield role, begin and end of each token with a colour."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            role = _role_of(token)
            if role:
                yield role, token.start, token.end
    except (tokenize.TokenError, SyntaxError):
        return  # the rest of a text that is no code


def _role_of(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.NAME:
        is_operator = token.string == "ag__"
        return "keyword" if keyword.iskeyword(token.string) else "name" if is_operator else ""
    return {tokenize.STRING: "string", tokenize.COMMENT: "note"}.get(token.type, "")


def _between(lines: list[str], start: LineAndColumn, end: LineAndColumn) -> str:
    (first, left), (last, right) = start, end
    if first == last:
        return lines[first - 1][left:right]
    rest = lines[first : last - 1]
    tail = lines[last - 1][:right] if last <= len(lines) else ""
    return "".join([*[line[left:] for line in lines[first - 1 : first]], *rest, tail])
