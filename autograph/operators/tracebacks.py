"""Tracebacks that show the user's frames only.

Generated code runs under the user's own file and lines, so a traceback is right as soon as the
frames of `autograph` and `runtime` between the user's are removed:

    before                                      after
    user.py, line 9, in <module>                user.py, line 9, in <module>
    autograph/conversion/convert.py, ...
    user.py, line 4, in f                       user.py, line 4, in f
    autograph/operators/calls.py, ...
    user.py, line 1, in g                       user.py, line 2, in g
    autograph/operators/control_flow.py, ...
    user.py, line 2, in g

A branch or loop body is a function of its own in generated code; of the frames of one call only the
innermost is kept, since it stands at the call's current line.

The exception is never copied or wrapped: a handler gets the object that was raised.
Set the environment variable `AUTOGRAPH_TRACEBACKS=full` to see every frame.
"""

from __future__ import annotations

import builtins
import functools
import os
import sys
from collections.abc import Callable, Iterator
from types import CodeType, TracebackType
from typing import Any, TypeVar, cast

from autograph.operators.frames import is_body, is_ours

R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

# The kinds of frames, by the identity of their code, while a traceback is processed.
Kinds = dict[int, object]
_OURS, _BODY, _USERS = "ours", "body", "the user's"
_GROUPS: Any = getattr(builtins, "BaseExceptionGroup", ())
_TRACING = "while tracing"
_SHOW_ALL = os.environ.get("AUTOGRAPH_TRACEBACKS") == "full"


def shows_all_frames() -> bool:
    """Return whether the environment asks for the frames of these packages, too."""
    return _SHOW_ALL


def drop_internal_frames(error: BaseException) -> None:
    """Remove the frames of these packages from the traceback of `error`, in place.

    Exceptions it was raised from or during, and the members of an exception group, are treated the
    same. To be called in an `except` clause that ends in a bare `raise`: from Python 3.11 on the
    frame of that clause is left out as well; 3.10 keeps it, since it restores what it caught.
    """
    if _SHOW_ALL:
        return
    try:
        kinds: Kinds = {}
        for each in _chain(error):
            _clean(each, kinds)
    except RecursionError:
        return  # with hardly any stack left; frames further out will do it


def drop_frames_of_handled() -> None:
    """Remove the frames of these packages from the exception that is being handled.

    Generated code calls it first in every `except` clause of the user's.
    """
    error = sys.exc_info()[1]
    if error is not None:
        drop_internal_frames(error)


class ConversionBoundary:
    """The context manager around the body of a function that the user converts.

    Args:
        on_entry: called before the body.
    """

    def __init__(self, on_entry: Callable[[], None]) -> None:
        self._on_entry = on_entry

    def __enter__(self) -> None:
        self._on_entry()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is not None:
            drop_internal_frames(error)


def showing_users_frames(word: F) -> F:
    """Return the function `word`, whose exceptions leave with the user's frames only.

    It is for operators that are made once. While user code runs, `functools.wraps` may be converted
    itself, and come back here; `partial(call_with_user_errors, word)` does not.

    >>> showing_users_frames(max)(3, 5)
    5
    """

    @functools.wraps(word)
    def cleaned(*args: Any, **kwargs: Any) -> Any:
        try:
            return word(*args, **kwargs)
        except BaseException as error:
            drop_internal_frames(error)
            raise

    return cast(F, cleaned)


def call_with_user_errors(fn: Callable[..., R], *args: object, **kwargs: object) -> R:
    """Return `fn(*args, **kwargs)`; an exception leaves with the user's frames only.

    >>> call_with_user_errors(max, 3, 5)
    5
    """
    try:
        return fn(*args, **kwargs)
    except BaseException as error:
        drop_internal_frames(error)
        raise


def note_trace(error: BaseException, call: str) -> None:
    """Attach a line with the traced call; before Python 3.11 it is kept but not printed.

    There is one such line. For nested traces it names the outermost, which is the call that fails;
    an object that is raised again has the line of the last time.

    >>> error = ValueError("no")
    >>> note_trace(error, "g(n=3)"), note_trace(error, "f(x: float32[2])")
    (None, None)
    >>> error.__notes__
    ['while tracing f(x: float32[2])']
    """
    # The class is bypassed, since it may refuse attributes.
    notes = object.__getattribute__(error, "__dict__").get("__notes__")
    others = [each for each in notes if not _is_trace(each)] if isinstance(notes, list) else []
    BaseException.__setattr__(error, "__notes__", [*others, f"{_TRACING} {call}"])


def _is_trace(note: object) -> bool:
    return isinstance(note, str) and note.startswith(_TRACING)


def _clean(error: BaseException, kinds: Kinds) -> None:
    caught = error.__traceback__
    kept = _user_frames(caught, kinds)
    if caught is not None and caught is not kept:
        BaseException.with_traceback(error, kept)
        # Python 3.10 continues from the first entry it caught, and ignores the exception's own.
        caught.tb_next = kept


def _user_frames(first: TracebackType | None, kinds: Kinds) -> TracebackType | None:
    """Link the user's entries of a traceback to each other, innermost first.

    An exception may be cleaned once for every frame it passes, so a clean traceback must take
    little time.
    """
    kept, is_clean, entry = [], True, first
    while entry is not None:
        code = entry.tb_frame.f_code
        kind = kinds.get(id(code)) or _kind(code, kinds)
        if kind is not _OURS:
            kept.append(entry)
        is_clean = is_clean and kind is _USERS
        entry = entry.tb_next
    return first if is_clean else _linked(kept)


def _kind(code: CodeType, kinds: Kinds) -> object:
    kind = _OURS if is_ours(code) else _BODY if is_body(code) else _USERS
    return kinds.setdefault(id(code), kind)


def _linked(kept: list[TracebackType]) -> TracebackType | None:
    following: TracebackType | None = None
    for entry in reversed(kept):
        if following is not None and _goes_on_in(entry, following):
            continue
        # Python searches for a loop on every assignment, so a correct chain is left alone.
        if entry.tb_next is not following:
            entry.tb_next = following
        following = entry
    return following


def _goes_on_in(entry: TracebackType, following: TracebackType) -> bool:
    """Return whether `following` is in a body lifted out of the function of `entry`."""
    outer, inner = entry.tb_frame.f_code, following.tb_frame.f_code
    same = outer.co_name == inner.co_name and outer.co_filename == inner.co_filename
    return same and is_body(inner)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield `error` and all exceptions it refers to, each once."""
    waiting: list[BaseException | None] = [error]
    seen: set[int] = set()
    while waiting:
        each = waiting.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        waiting += [each.__cause__, each.__context__]
        if isinstance(each, _GROUPS):
            waiting += each.exceptions
