"""String formatting as generated code calls it: f-strings, `%`, `str`, `repr` and the like.

    f"{a} and {b:.1f}"    ->    ag__.joined(f"{ag__.text(a)} and {ag__.text(b):.1f}")

Python formats its own values. In the place of an owned value it puts a mark, and `joined` converts
a text with marks to a value of the backend.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from types import FrameType
from typing import Any

from autograph.backends.lazy_iterator import LazyIterator
from autograph.backends.protocol import Backends
from autograph.operators.call_listeners import notify_output
from autograph.operators.frames import code_info_of
from autograph.operators.tracebacks import drop_internal_frames
from autograph.operators.user_classes import own_attributes, shown_parts
from autograph.options import TEXT_METHODS
from runtime.core.internal_files import is_internal_file

_CONTAINERS = (list, tuple, dict, deque)
_DEEPEST = 8
# `wrapper` is the function of `reprlib.recursive_repr`, which dataclasses use.
_HANDS_ON = frozenset({*TEXT_METHODS, "wrapper"})
_SIMPLE = (str, int, float, bool, type(None))
_PLAIN = (*_SIMPLE, *_CONTAINERS)


class StringFormatting:
    """The operators for strings, and the replacements of string methods and `print`.

    Args:
        backends: the possible owners of formatted values.
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends

    def text(self, value: object) -> object:
        """Return the object that Python formats in place of `value`; Python values stay."""
        backend = self._owner(value)
        return value if backend is None else backend.call("text", (value,), {})

    def sized(self, value: object) -> object:
        """Return the object that Python formats by a spec with values in it: `f"{x:{width}}"`."""
        backend = self._backends.recording() if self._owner(value) is None else None
        return self.text(value) if backend is None else backend.call("sized", (value,), {})

    def joined(self, text: str, is_kept: bool = True) -> object:
        """Return the value for a text that Python has built.

        Args:
            text: the text, perhaps with marks.
            is_kept: whether the program may keep the value; otherwise it is printed at once.
        """
        for backend in self._backends.backends:
            if backend.recorder() is not None:
                return backend.call("joined", (text, is_kept), {})
        return text

    def marked(self, value: object) -> object:
        """Return the result of a user's `__str__` or `__repr__` as a Python string.

        It has a mark for a value of a backend if an operator will find the mark. Unconverted code,
        such as a logger, gets the name that the value has while tracing.
        """
        if self._backends.of(value) is None:
            return value
        caller = sys._getframe(1).f_back
        return f"{self.text(value)}" if _finds_marks(caller) else str(value)

    def joining(self, method: Callable[..., str]) -> Callable[..., object]:
        """Return the replacement of a `__str__` or `__repr__`, which returns its value."""
        return lambda *args, **kwargs: self.joined(method(*args, **kwargs))

    def printing(self, function: Callable[..., object], staged: bool) -> Callable[..., object]:
        """Return the replacement of `print`.

        Args:
            function: `print` itself.
            staged: whether values of a backend are printed at run time; otherwise their names are
                printed at once, while tracing.
        """

        def answer(*values: Any, **options: Any) -> object:
            if self._backends.recorder() is None:
                return function(*values, **options)
            if staged:
                values = tuple(map(self.shown, values))
                backend = self._first_owner(values)
                if backend is not None:
                    return backend.call("print", values, options)
            notify_output("print", values)
            return function(*map(self._shown_when_printed, values), **options)

        return partial(_clean, answer)

    def shown(self, value: Any) -> Any:
        """Return the printed form of an object: its text, if that has marks in it."""
        if type(value) in _PLAIN or self._owner(value) is not None:
            return value
        return self.joined(str(value), is_kept=False)

    def _shown_when_printed(self, value: Any) -> Any:
        if "objects_behind" in own_attributes(type(value)):
            return repr(value)  # only a run knows which object it is
        if type(value) in _SIMPLE or self._backends.of(value) is not None:
            return value
        return _DeferredStr(value, self)

    def left_of_percent(self, left: object) -> object:
        """Return the operand before `%`; a string becomes one that checks the other operand."""
        if type(left) is not str or self._backends.recorder() is None:
            return left
        return _Template(left, self)

    def percent(self, template: str, values: Any) -> object:
        """Return `template % values`."""
        held = values if isinstance(values, tuple) else (values,)
        held = tuple(held[0].values()) if len(held) == 1 and isinstance(held[0], dict) else held
        backend = self._first_owner(held)
        return (
            self.joined(template % values)
            if backend is None
            else backend.call("str.__mod__", (template, values), {})
        )

    def method_of_text(self, method: Any) -> Callable[..., object]:
        """Return the replacement of a bound method of a string, such as `text.join`."""
        name = method.__name__
        if name == "format":
            return partial(_clean, self._format, method)
        if name == "join":
            return partial(_clean, self._join, method)
        return method if self._backends.recorder() is None else partial(_clean, self._call, method)

    def _call(self, method: Any, *args: Any, **kwargs: Any) -> object:
        backend = self._backends.of_any(args)
        if backend is None or kwargs:
            return method(*args, **kwargs)
        return backend.call(f"str.{method.__name__}", (method.__self__, *args), {})

    def _format(self, method: Any, *args: Any, **kwargs: Any) -> object:
        backend = self._first_owner((*args, *kwargs.values()))
        if backend is None:
            return self.joined(method(*args, **kwargs))
        return backend.call("str.format", (method.__self__, *args), kwargs)

    def _join(self, method: Any, *args: Any, **kwargs: Any) -> object:
        if self._backends.recorder() is None or len(args) != 1 or kwargs:
            return method(*args, **kwargs)
        values: Any = args[0]
        if isinstance(values, LazyIterator):
            values = self._backends.operand(values.listed())
        backend = self._backends.of(values)
        if backend is not None:
            return backend.call("str.join", (method.__self__, values), {})
        try:
            parts = values if type(values) in (list, tuple) else iter(values)
        except TypeError:
            return method(values)
        parts = list(parts)
        backend = self._backends.of_any(parts)
        return (
            method(parts)
            if backend is None
            else backend.call("str.join", (method.__self__, parts), {})
        )

    def _first_owner(self, values: Iterable[object], depth: int = 0) -> Any:
        owners = (self._owner(value, depth) for value in values)
        return next((owner for owner in owners if owner is not None), None)

    def _owner(self, value: object, depth: int = 0) -> Any:
        """Return the backend of a value, or of the first part that its text shows."""
        backend = self._backends.of(value)
        if backend is not None or depth > _DEEPEST or self._backends.recorder() is None:
            return backend
        if type(value) in _CONTAINERS:
            items: Any = value.values() if type(value) is dict else value
            return self._first_owner(items, depth + 1)
        if type(value) in _PLAIN:
            return None
        return self._first_owner(shown_parts(value).values(), depth + 1)


def _finds_marks(frame: FrameType | None) -> bool:
    """Return whether the text returned to a frame reaches converted code or an operator."""
    # A `__repr__` of Python or its library only passes on the texts of the parts.
    while frame is not None and frame.f_code.co_name in _HANDS_ON and not _is_known(frame):
        frame = frame.f_back
    return frame is not None and _is_known(frame)


def _is_known(frame: FrameType) -> bool:
    return code_info_of(frame.f_code) is not None or is_internal_file(frame.f_code.co_filename)


def _clean(function: Callable[..., object], *args: Any, **kwargs: Any) -> object:
    try:
        return function(*args, **kwargs)
    except BaseException as error:
        drop_internal_frames(error)
        raise


class _DeferredStr:
    """An object for `print` whose `__str__` runs when Python calls it."""

    __slots__ = ("_value", "_texts")

    def __init__(self, value: Any, texts: StringFormatting) -> None:
        self._value, self._texts = value, texts

    def __str__(self) -> str:
        return str(self._texts.joined(str(self._value), is_kept=False))


class _Template(str):
    """A string before `%` while a graph is recorded."""

    _texts: StringFormatting

    def __new__(cls, text: str, texts: StringFormatting) -> _Template:
        template = super().__new__(cls, text)
        template._texts = texts
        return template

    def __mod__(self, values: Any) -> Any:
        return _clean(self._texts.percent, str(self), values)
