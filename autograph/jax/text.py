"""Text with traced values in it: `print`, f-strings, and messages of `assert` and `raise`.

    print(f"x = {x}")    ->    jax.debug.print("x = {}", x)

Python formats its own values. In the place of a traced value it puts a mark, and a text with marks
is a `TracedText`: a template with arrays.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

import jax

from autograph.errors import StagingError
from autograph.jax.internals import Tracer
from autograph.jax.location import location

_OPENS, _CLOSES = "\ue000", "\ue001"
_MARK = re.compile(f"{_OPENS}(\\d+):(.*?){_CLOSES}", re.DOTALL)
# A field of a template.
_FIELD = re.compile(r"(?<!\{)\{(?::[^{}]*)?\}(?!\})")
# The values that marks stand for, until the text is joined; marks of abandoned texts are few.
_MARKED: dict[int, Any] = {}


class Mark:
    """A stand-in that Python formats in the place of a traced value."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __format__(self, spec: str) -> str:
        _MARKED[id(self._value)] = self._value
        return f"{_OPENS}{id(self._value)}:{spec}{_CLOSES}"

    def __str__(self) -> str:
        return format(self, "")

    __repr__ = __str__


class TracedText:
    """A string that contains numbers known only at run time.

    Attributes:
        template: the text, with `{}` for each array.
        arrays: the arrays.
    """

    def __init__(self, template: str, arrays: tuple[Any, ...]) -> None:
        self.template, self.arrays = template, arrays

    def _refuse(self, *others: object) -> NoReturn:
        raise StagingError(
            "this text has a number in it that only a run knows, and a program of JAX has no "
            "texts: print it, or give it to `assert` or `raise`",
            location(),
        )

    __len__ = __getitem__ = __iter__ = __contains__ = __bool__ = __eq__ = _refuse
    __add__ = __radd__ = __mod__ = _refuse
    __hash__ = object.__hash__

    def __str__(self) -> str:
        return _FIELD.sub("<traced>", self.template).replace("{{", "{").replace("}}", "}")

    __repr__ = __str__


def marked(value: Any) -> Any:
    """Return the object that Python formats in place of a value."""
    if isinstance(value, Tracer):
        return Mark(value)
    if isinstance(value, TracedText):
        return _Remarked(value)
    if type(value) in (list, tuple):
        return type(value)(map(marked, value))
    if type(value) is dict:
        return {key: marked(each) for key, each in value.items()}
    return value


class _Remarked:
    """A traced string inside of another string."""

    def __init__(self, text: TracedText) -> None:
        self._text = text

    def __format__(self, spec: str) -> str:
        return self._text.template.format(*map(Mark, self._text.arrays))

    def __str__(self) -> str:
        return format(self, "")


def traced_text(text: str, is_kept: bool = True) -> Any:
    """Return a text itself, or a `TracedText` if it has marks."""
    if _OPENS not in text:
        return text
    arrays: list[Any] = []
    pieces = _MARK.split(text)
    plain = [piece.replace("{", "{{").replace("}", "}}") for piece in pieces[::3]]
    template = plain[0]
    for number, spec, after in zip(pieces[1::3], pieces[2::3], plain[1:]):
        arrays.append(_MARKED[int(number)])
        template += (f"{{:{spec}}}" if spec else "{}") + after
    for number in pieces[1::3]:
        _MARKED.pop(int(number), None)
    return TracedText(template, tuple(arrays))


def print_values(*values: Any, **options: Any) -> None:
    """Record that a run prints values, as `print` does."""
    pieces: list[str] = []
    arrays: list[Any] = []
    for value in values:
        if not isinstance(value, TracedText):
            value = traced_text(f"{marked(value)}")
        if isinstance(value, TracedText):
            pieces.append(value.template)
            arrays += value.arrays
        else:
            pieces.append(value.replace("{", "{{").replace("}", "}}"))
    if set(options) <= {"sep", "flush"}:
        separator = options.get("sep")
        between = " " if separator is None else separator.replace("{", "{{").replace("}", "}}")
        return jax.debug.print(between.join(pieces), *arrays)

    def show(*found: Any) -> None:
        given = iter(found)
        texts = [piece.format(*[next(given) for _ in range(_fields(piece))]) for piece in pieces]
        print(*texts, **options)

    return jax.debug.callback(show, *arrays)


def _fields(template: str) -> int:
    return len(_FIELD.findall(template))
