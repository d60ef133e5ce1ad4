"""Translates TensorFlow's regular expressions into Python's.

TensorFlow's engine (RE2) has no lookaround and no backreferences; `$` is the very end of the text,
and `\\d \\w \\s \\b` only match ASCII. Python's extensions are rejected, so that a program means
the same there. The classes `[[:alpha:]]` are expanded; `\\pL` and `\\Q...\\E` are not supported.
"""

from __future__ import annotations

import re
from functools import lru_cache

from runtime.errors import ArgumentValueError, UnimplementedError

_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": "\\x00-\\x7f",
    "blank": "\\t ",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\t-\\r ",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}
_NAMED = re.compile(r"\[:(\^?)(\w+):\]")
_BACK = re.compile(r"\\(.)", re.S)


@lru_cache(maxsize=256)
def compiled(pattern: str) -> re.Pattern[str]:
    """Return Python's form of a pattern; it works on text.

    Raises:
        ArgumentValueError: it is no pattern, or one that RE2 refuses.

    >>> compiled("[[:upper:]]b$").pattern
    '[A-Z]b\\\\Z'
    """
    try:
        return re.compile(_translated(pattern), re.ASCII)
    except re.error as error:
        raise ArgumentValueError(f"Invalid pattern: {pattern}, error: {error.msg}") from None


def _translated(pattern: str) -> str:
    made, place, lines = [], 0, "(?m" in pattern
    while place < len(pattern):
        if pattern[place] == "[":
            part, place = _bracket(pattern, place)
        elif pattern[place] == "\\":
            part, place = _escape(pattern, place), place + 2
        else:
            part = pattern[place]
            if part == "$" and not lines:
                part = "\\Z"
            if pattern.startswith(
                ("(?=", "(?!", "(?<=", "(?<!", "(?P=", "(?P>", "(?(", "(?#"), place
            ):
                raise _refused(pattern, pattern[place : place + 3])
            place += 1
        made.append(part)
    return "".join(made)


def _escape(pattern: str, place: int) -> str:
    letter = pattern[place + 1 : place + 2]
    if letter.isdigit() and letter != "0":
        raise _refused(pattern, f"\\{letter}")
    if letter in ("p", "P", "Q", "C"):
        raise UnimplementedError(
            f"\\{letter} is not supported in patterns: list the letters, [a-z]"
        )
    return "\\Z" if letter == "z" else f"\\{letter}"


def _bracket(pattern: str, place: int) -> tuple[str, int]:
    """Return a bracket expression in Python's syntax, and the index of its end."""
    end = place + 1
    made = "["
    if pattern.startswith("^", end):
        made, end = "[^", end + 1
    if pattern.startswith("]", end):
        made, end = made + "\\]", end + 1
    while end < len(pattern) and pattern[end] != "]":
        named = _NAMED.match(pattern, end)
        if named:
            made += _named(pattern, named)
            end = named.end()
        elif pattern[end] == "\\":
            made, end = made + pattern[end : end + 2], end + 2
        else:
            made, end = made + ("\\[" if pattern[end] == "[" else pattern[end]), end + 1
    return made + "]" if end < len(pattern) else made, end + 1


def _named(pattern: str, found: re.Match[str]) -> str:
    negated, name = found.groups()
    if name not in _CLASSES or negated:
        raise _refused(pattern, found[0])
    return _CLASSES[name]


def _refused(pattern: str, part: str) -> ArgumentValueError:
    return ArgumentValueError(f"Invalid pattern: {pattern}, error: {part} is not understood")


def replaced(text: str, pattern: re.Pattern[str], rewrite: str, every: bool) -> str:
    """Return a text with the first match, or every one, rewritten.

    `\\1` to `\\9` are the groups and `\\0` the whole match. An empty match directly after
    another match does not count.

    >>> replaced("baac", compiled("a*"), "x", True)
    'xbxcx'
    """
    if _refers_to(rewrite) > pattern.groups:
        return text
    made: list[str] = []
    end = 0
    for found in pattern.finditer(text):
        if not found[0] and made and found.start() == end:
            continue
        made += [text[end : found.start()], _rewritten(found, rewrite)]
        end = found.end()
        if not every:
            break
    return "".join([*made, text[end:]])


def _rewritten(found: re.Match[str], rewrite: str) -> str:
    return _BACK.sub(lambda back: _part(found, back[1]), rewrite)


def _part(found: re.Match[str], letter: str) -> str:
    return (found[int(letter)] or "") if letter.isdigit() else letter


def _refers_to(rewrite: str) -> int:
    return max((int(letter) for letter in _BACK.findall(rewrite) if letter.isdigit()), default=0)
