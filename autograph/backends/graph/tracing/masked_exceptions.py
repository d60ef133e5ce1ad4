"""Exceptions of a user's method that Python's own code catches, as the end of an iteration.

    hasattr(o, "root")      AttributeError out of a property means no
    next(it, -1)            StopIteration out of `__next__` means the end
    for v in o              IndexError out of `__getitem__` means the end, without an `__iter__`
    o.get(k)                KeyError out of `__getitem__` means no, in `collections.abc.Mapping`

At run time that code does not run. So such an exception is refused where it would be recorded.
"""

from __future__ import annotations

import dis
import linecache
import sys
from types import FrameType

from autograph.backends.graph.source.source_location import user_location
from autograph.errors import StagingError
from autograph.operators.frames import is_internal_code
from runtime.core.context import line_of

# The module in which a trace begins: frames further out do not belong to it.
ROOT = "autograph.functions.tracing.trace"
_TRIES = "autograph.backends.graph.exceptions.try_except"
_BUILTINS = "autograph.operators.builtin_overloads"
_BY_INDEX = "autograph.backends.graph.state.iterator_consumption"
_LIBRARY = ("collections", "collections.abc", "_collections_abc")
# Methods that catch a LookupError, or the end of an iterator.
_CATCHING = frozenset(
    "__contains__ __getitem__ __iter__ __missing__ clear count get index pop popitem remove "
    "setdefault".split()
)
_SUBSCRIPTS = ("BINARY_SUBSCR", "BINARY_SLICE", "BINARY_OP")
# Those that take items up to the end; that of `+=` has another name before Python 3.11.
_ITERATING = frozenset(
    "FOR_ITER UNPACK_SEQUENCE CONTAINS_OP LIST_EXTEND BINARY_OP INPLACE_ADD".split()
)
# A line with one of these keywords reads an item itself, and does not iterate.
_ITEM = ("__getitem__", "getitem", "itemgetter")


def refuse_masked(error: BaseException) -> None:
    """Refuse an exception that Python's own code would catch, which is about to be recorded.

    Raises:
        StagingError: Python's code would catch it; the run would not.
    """
    inside: FrameType | None = None
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") != ROOT:
        if _is_try_for(frame, error):
            return
        message = _by_library(frame, error) or _by_attribute(frame, error)
        message = message or _by_property(frame, error)
        if inside is not None and not is_internal_code(inside.f_code):
            message = message or _by_iterating(frame, inside, error)
        if message is not None:
            raise StagingError(message, user_location())
        inside, frame = frame, frame.f_back


def _is_try_for(frame: FrameType, error: BaseException) -> bool:
    """Return whether a frame stages a `try` of the user's that catches an exception."""
    if frame.f_code.co_name != "_traced" or frame.f_globals.get("__name__") != _TRIES:
        return False
    return bool(frame.f_locals["self"].catches((error.__class__,)))


def _by_library(frame: FrameType, error: BaseException) -> str | None:
    name = frame.f_code.co_name
    if frame.f_globals.get("__name__") not in _LIBRARY or name not in _CATCHING:
        return None
    if not isinstance(error, (LookupError, StopIteration)):
        return None
    return (
        f"`{name}` of Python's `collections` catches this {error.__class__.__name__}, "
        "which may be raised at run time: "
        f"write the method in the class itself, with `try: ... except {error.__class__.__name__}:`"
    )


def _by_attribute(frame: FrameType, error: BaseException) -> str | None:
    if not isinstance(error, AttributeError) or frame.f_globals.get("__name__") != _BUILTINS:
        return None
    name = frame.f_code.co_name
    if name == "has_attribute":
        word = "hasattr()"
    elif name == "get_attribute" and len(frame.f_locals["args"]) > 2:
        word = "getattr() with a default"
    else:
        return None
    return (
        f"{word} catches this AttributeError, which may be raised at run time: "
        "write `try: ... except AttributeError:` around the attribute"
    )


def _by_property(frame: FrameType, error: BaseException) -> str | None:
    """Return the reason why a property must not raise it: Python then asks `__getattr__`."""
    if not isinstance(error, AttributeError) or is_internal_code(frame.f_code):
        return None
    kind, name = type(_first_argument(frame)), frame.f_code.co_name
    found = next((vars(each)[name] for each in kind.__mro__ if name in vars(each)), None)
    if not isinstance(found, property) or not hasattr(kind, "__getattr__"):
        return None
    return (
        f"`__getattr__` of {kind.__name__} is asked where the property '{name}' raises this "
        f"{error.__class__.__name__}, and whether it does is known only when the graph runs: "
        "write the other answer into the property"
    )


def _by_iterating(frame: FrameType, inside: FrameType, error: BaseException) -> str | None:
    """Return the reason why an item cannot be read this way; `frame` has called `inside`."""
    name = inside.f_code.co_name
    if name == "__getitem__" and isinstance(error, IndexError) and _goes_over(frame):
        kind = type(_first_argument(inside)).__name__
        return (
            f"Python iterates over this {kind} by index, up to an IndexError, "
            "and where that comes is known only when the graph runs: "
            "give the class an `__iter__`, as in `return iter(self.items)`"
        )
    if name == "__next__" and isinstance(error, StopIteration) and _takes_the_end(frame):
        return (
            "the caller of this iterator catches its StopIteration, and whether it is raised is "
            "known only when the graph runs: write `try: ... = next(...) except StopIteration:`"
        )
    return None


def _goes_over(frame: FrameType) -> bool:
    """Return whether a frame that reads an item by index iterates over all items."""
    if frame.f_globals.get("__name__") == _BY_INDEX:
        return True
    if _opcode(frame) in _SUBSCRIPTS:
        return False
    line = _users_line(frame)
    return not any(each in line for each in _ITEM)


def _takes_the_end(frame: FrameType) -> bool:
    """Return whether a frame that takes an item of an iterator goes on at its end."""
    variables = frame.f_locals
    if is_internal_code(frame.f_code) and variables.get("name") == "next":
        return len(variables.get("args", ())) > 1
    return _opcode(frame) in _ITERATING or (
        is_internal_code(frame.f_code) and frame.f_code.co_name in ("answer", "answer_for_first")
    )


def _users_line(frame: FrameType | None) -> str:
    """Return the user's line that runs in a frame, or that has called the frame."""
    while frame is not None and is_internal_code(frame.f_code):
        frame = frame.f_back
    return "" if frame is None else linecache.getline(frame.f_code.co_filename, line_of(frame))


def _opcode(frame: FrameType) -> str:
    """Return the name of the instruction that a frame is executing."""
    code, at = frame.f_code.co_code, frame.f_lasti
    while at > 0 and dis.opname[code[at]] == "CACHE":
        at -= 2
    return dis.opname[code[at]]


def _first_argument(frame: FrameType) -> object:
    names = frame.f_code.co_varnames
    return frame.f_locals.get(names[0]) if names else None
