"""Tracebacks that show the user's frames only.

Generated code has the user's file and lines, so a traceback is right once the frames of `autograph`
and `runtime` are removed:

    before                                      after
    user.py, line 9, in <module>                user.py, line 9, in <module>
    autograph/conversion/convert.py, ...
    user.py, line 4, in f                       user.py, line 4, in f
    autograph/operators/calls.py, ...
    user.py, line 1, in g                       user.py, line 2, in g
    autograph/operators/control_flow.py, ...
    user.py, line 2, in g

A branch or loop body is a function of its own in generated code. Of several frames of one call,
only the innermost is kept: it is at the current line.

The exception is never copied or wrapped: a handler gets the object that was raised. The environment
variable `AUTOGRAPH_TRACEBACKS=full` keeps all frames.
"""

from __future__ import annotations

import builtins
import functools
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, TracebackType
from typing import Any, TypeVar, cast

from autograph.operators.frames import code_info_of, frames_of_call, is_body, is_internal_code
from runtime.core.internal_files import shows_all_frames
from runtime.core.lazy_imports import lazy_import

nearest = lazy_import("runtime.core.name_suggestions:nearest")

R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

# The kind of each frame, by the identity of its code, while one traceback is processed.
Kinds = dict[int, object]
_OURS, _BODY, _USERS = "ours", "body", "the user's"
_GROUPS: Any = getattr(builtins, "BaseExceptionGroup", ())
_TRACING = "while tracing"
_MEANT = "Did you mean:"
_IGNORES_SHARED = sys.version_info < (3, 13)


def drop_internal_frames(error: BaseException) -> None:
    """Remove the frames of these packages from the traceback of `error`, in place.

    The same is done to its causes and contexts, and to the members of an exception group. Call it
    in an `except` clause that ends in a bare `raise`: from Python 3.11 on, the frame of that clause
    is dropped, too; 3.10 restores the traceback that the clause caught.
    """
    if shows_all_frames():
        return
    try:
        kinds: Kinds = {}
        for each in _chain(error):
            _clean(each, kinds)
    except RecursionError:
        return  # the stack is nearly full; outer frames drop them


def drop_frames_of_handled() -> None:
    """Remove the frames of these packages from the exception that is being handled.

    Generated code calls it at the beginning of each of the user's `except` clauses.
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


def with_user_frames(word: F) -> F:
    """Return the function `word`, whose exceptions have tracebacks of the user's frames only.

    It is for operators that are made once. While user code runs, `functools.wraps` may be converted
    itself, and come back here; `partial(call_with_user_errors, word)` does not.

    >>> with_user_frames(max)(3, 5)
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
    """Attach a note with the traced call; before Python 3.11 it is not printed.

    It replaces an earlier note: for nested traces the note names the outermost call, and for an
    exception that is raised again the latest one.

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


def note_similar_name(error: BaseException, is_shown_elsewhere: bool = False) -> None:
    """Attach a note with the variable that is most like a name which is not defined.

    Python itself looks for one in the frame that raised the error. There is nothing to do if it
    finds it: a statement's body has not all variables of its function, nor has a run of a graph.

    Args:
        error: any exception; only a NameError gets a note.
        is_shown_elsewhere: whether a graph will raise the error again, when it runs.
    """
    name = getattr(error, "name", None) if type(error) is NameError else None
    entry = error.__traceback__
    if entry is None or not isinstance(name, str):
        return
    while entry.tb_next is not None:
        entry = entry.tb_next
    frame = entry.tb_frame
    notes = object.__getattribute__(error, "__dict__").get("__notes__", [])
    similar = nearest(name, [*_variables(frame), *dir(builtins)])
    if similar is None or hasattr(builtins, similar) or any(map(_is_suggestion, notes)):
        return
    if is_shown_elsewhere or _is_unseen(similar, frame.f_code):
        BaseException.__setattr__(error, "__notes__", [f"{_MEANT} {similar!r}?", *notes])


def _is_unseen(name: str, code: CodeType) -> bool:
    """Return whether Python does not suggest a variable that generated code can read."""
    if is_body(code):
        return True
    # Before 3.13, Python suggests no variables that functions share.
    shared = (*code.co_cellvars, *code.co_freevars) if _IGNORES_SHARED else ()
    return name in shared and code_info_of(code) is not None


def _variables(frame: FrameType) -> Iterator[str]:
    """Yield the user's variables that a frame, or the call to which it belongs, can read."""
    for each in frames_of_call(frame):
        part = code_info_of(each.f_code)
        yield from (name for name in each.f_locals if part is None or name in part.names)
    yield from frame.f_globals


def _is_suggestion(note: object) -> bool:
    return isinstance(note, str) and note.startswith(_MEANT)


def _is_trace(note: object) -> bool:
    return isinstance(note, str) and note.startswith(_TRACING)


def _clean(error: BaseException, kinds: Kinds) -> None:
    caught = error.__traceback__
    kept = _user_frames(caught, kinds)
    if type(error) is NameError:
        note_similar_name(error)
    if caught is not None and caught is not kept:
        BaseException.with_traceback(error, kept)
        # Python 3.10 continues from the first entry it caught, and ignores the exception's own.
        caught.tb_next = kept


def _user_frames(first: TracebackType | None, kinds: Kinds) -> TracebackType | None:
    """Return the first of the user's entries of a traceback, which are linked to each other.

    An exception may be cleaned in each frame that it passes, so a clean traceback takes little
    time.
    """
    kept, is_clean, entry = [], True, first
    kind: object = None
    while entry is not None:
        code, before = entry.tb_frame.f_code, kind
        kind = kinds.get(id(code)) or _kind(code, kinds)
        if before is _OURS and entry.tb_frame.f_globals.get("__name__") == "contextlib":
            kind = _OURS  # its frame is between two of these packages
        if kind is not _OURS:
            kept.append(entry)
        is_clean = is_clean and kind is _USERS
        entry = entry.tb_next
    return first if is_clean else _linked(kept)


def _kind(code: CodeType, kinds: Kinds) -> object:
    kind = _OURS if is_internal_code(code) else _BODY if is_body(code) else _USERS
    return kinds.setdefault(id(code), kind)


def _linked(kept: list[TracebackType]) -> TracebackType | None:
    following: TracebackType | None = None
    for entry in reversed(kept):
        if following is not None and _goes_on_in(entry, following):
            if not _is_around_another(following, entry.tb_lineno):
                continue
            following = following.tb_next
        # Each assignment makes Python search for a cycle, so a correct link is not assigned.
        if entry.tb_next is not following:
            entry.tb_next = following
        following = entry
    return following


def _at_line(entry: TracebackType, line: int) -> TracebackType | None:
    """Return an entry of the same frame, at a line that may be in the body of a statement.

    Python takes the line from the position of the instruction if that has one: the instructions
    that make the variables which a body shares have none.
    """
    at = entry.tb_lasti
    positions: Any = getattr(entry.tb_frame.f_code, "co_positions", None)
    if positions is not None:
        without = (2 * index for index, place in enumerate(positions()) if place[0] is None)
        at = next(without, -1)
    return None if at < 0 else TracebackType(None, entry.tb_frame, at, line)


def end_at(error: BaseException, place: object) -> None:
    """Let the traceback of an error end at the line that its message names, in place.

    A staged statement is at its first line when its mistake is found.
    """
    last, before = error.__traceback__, None
    while last is not None and last.tb_next is not None:
        last, before = last.tb_next, last
    file, line = getattr(place, "filename", None), getattr(place, "line", None)
    if last is None or line is None or shows_all_frames():
        return
    code = last.tb_frame.f_code
    is_inside = code.co_firstlineno < line <= _last_line(code)
    if code.co_filename != file or line == last.tb_lineno or not is_inside:
        return
    shown = _at_line(last, line)
    if shown is not None and before is not None:
        before.tb_next = shown
    elif shown is not None:
        BaseException.with_traceback(error, shown)


def _last_line(code: CodeType) -> int:
    """Return the last line of a function and those inside of it."""
    lines = [line for _, _, line in code.co_lines() if line is not None]
    inside = (_last_line(each) for each in code.co_consts if isinstance(each, CodeType))
    return max([*lines, *inside], default=0)


def _goes_on_in(entry: TracebackType, following: TracebackType) -> bool:
    """Return whether `following` is in the body of a statement in the function of `entry`."""
    outer, inner = entry.tb_frame.f_code, following.tb_frame.f_code
    same = outer.co_name == inner.co_name and outer.co_filename == inner.co_filename
    return same and is_body(inner)


def _is_around_another(body: TracebackType, line: int) -> bool:
    """Return whether the body of a statement shows no more than its function, at a line, does.

    Notebooks print the parameters of a frame; those of a comprehension's body are not the user's.
    """
    has_parameters = body.tb_frame.f_code.co_argcount > 0
    return has_parameters and body.tb_next is not None and body.tb_lineno == line


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
