"""Exceptions of the user's code while tracing: which of them become nodes, and their locations.

A run may not take the path on which an exception leaves a traced body. So the exception becomes a
node that raises it. Errors about the tracing itself propagate.
"""

from __future__ import annotations

import dis
import functools
import re
import sys
from collections.abc import Iterator
from types import CodeType, FrameType, TracebackType

from autograph.backends.graph.objects.attribute_reads import HANDLED
from autograph.backends.graph.source.library_boundary import is_library_file
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.tracing.masked_exceptions import ROOT, refuse_masked
from autograph.errors import AutographError, StagingError
from autograph.operators.call_listeners import TRACE_INPUTS
from autograph.operators.frames import is_body, is_internal_code
from autograph.operators.tracebacks import drop_internal_frames, note_similar_name
from runtime.core.context import Origin, origin_of
from runtime.core.lazy_imports import lazy_import
from runtime.core.tensor import SymbolicTensor
from runtime.diagnostics.exceptions import CaughtPlaceholder, lines_of
from runtime.errors import InvalidArgumentError, OpError
from runtime.ops.effects.raising import raise_error
from runtime.ops.effects.try_ops import Reraise, raise_again

# Imported on first use: few programs use JAX.
_error_of_jax = lazy_import("autograph.backends.graph.tracing.jax_calls:error_of_jax")
# Errors about the tracing or the machine, unless a `raise` of the user's raises them.
_ABOUT_TRACING = (AutographError, OpError, RecursionError, MemoryError)
# The module of the stand-ins for the user's iterators.
_GOING_OVER = "autograph.operators.iteration"
_RAISE = dis.opmap["RAISE_VARARGS"]
_OF_PYTHON = re.compile(r"'\w+' object (is|does) not|unsupported operand")


def becomes_node(error: BaseException) -> bool:
    """Return whether an exception that left a traced body becomes a node that raises it.

    >>> becomes_node(KeyError("k")), becomes_node(SystemExit()), becomes_node(KeyboardInterrupt())
    (True, True, False)
    """
    if isinstance(error, CaughtPlaceholder):
        return True
    if is_interrupt(error):
        return False
    if _may_need_python_value(error):
        return False
    if isinstance(error, InvalidArgumentError):
        # The op may be on a path that eager code does not take.
        return True
    if "jax" in sys.modules and _error_of_jax(error) is not None:
        return False
    if is_unconverted_use(error):
        return False
    if isinstance(error, (Exception, SystemExit)) and not isinstance(error, _ABOUT_TRACING):
        return True
    return _was_raised_by_user(error)


def _may_need_python_value(error: BaseException) -> bool:
    """Return whether only a placeholder, in place of a number in state, may be the cause."""
    return bool(TRACE_INPUTS) and not (_was_raised_by_user(error) and _left_users_code(error))


def check_cause(error: BaseException) -> None:
    """Refuse an exception on a path that only a placeholder of state may have raised.

    A handler around the path must not catch it: the next trace has the values of Python.

    Raises:
        StagingError: the exception is such a one.
    """
    if _may_need_python_value(error) and may_be_caught(error):
        raise StagingError(
            f"{type(error).__name__} is raised on a path that only a run takes, where a number in "
            "state is an input of the graph",
            user_location(),
        ) from error


def is_unconverted_use(error: BaseException) -> bool:
    """Return whether code that is not converted has raised an error about a symbolic tensor.

    Python's own error about an operator or a method is the user's, as for any other object.

    >>> is_unconverted_use(TypeError("'SymbolicTensor' object is not callable"))
    False
    """
    if type(error) is not TypeError or SymbolicTensor.__name__ not in (text := str(error)):
        return False
    is_users = _was_raised_by_user(error) and _left_users_code(error)
    return not (is_users or _OF_PYTHON.match(text))


def may_be_caught(error: BaseException) -> bool:
    """Return whether handlers of the user's may catch an exception that was raised while tracing.

    They must not catch errors about the tracing, but they may catch those of ops.
    """
    if isinstance(error, CaughtPlaceholder):
        return True
    if is_interrupt(error) or is_unconverted_use(error):
        return False
    if isinstance(error, AutographError) or getattr(error, "is_of_tracing", False):
        return _was_raised_by_user(error)
    return isinstance(error, Exception) or becomes_node(error)


def stage_error(error: BaseException) -> None:
    """Record that `error` is raised here, with the calls that led to it.

    Raises:
        StagingError: Python's own code would catch it.
        ContainerMutationError: it is raised again, and a container in it has changed.
    """
    if isinstance(error, StopIteration) and _is_iterated_by_python():
        raise StagingError(
            "an iterator ends under a condition that is a tensor, so that Python, "
            "which iterates over it, would never see the end while tracing: iterate over "
            "rt.range(...), a tensor or a list, or write a `while` loop",
            user_location(),
        )
    refuse_masked(error)
    if isinstance(error, CaughtPlaceholder):
        error.check_unchanged()
        sources = getattr(error, "sources", ())
        kinds = tuple(dict.fromkeys(kind for each in sources for kind in each.kinds))
        raise_again(error.caught, Reraise(kinds, tuple(sources)))
        return
    drop_internal_frames(error)
    note_similar_name(error, is_shown_elsewhere=True)
    if isinstance(error, OpError) and error.origin is None and not _was_raised_by_user(error):
        # An op that cannot be recorded raised it at this line, and names no line itself.
        error.origin = next(reversed(lines_of(error.__traceback__)), None)
    is_again = any(error is each for each in HANDLED.get())
    # A handled exception already names its source.
    raise_error(error, () if is_again else calls_before(error.__traceback__), is_again)


def calls_here() -> list[Origin]:
    """Return the locations of the calls that led to this line of the user's, outermost first."""
    return calls_before(None)[:-1]


def _is_iterated_by_python() -> bool:
    """Return whether Python is asking for an item of the user's iterator."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") != ROOT:
        if frame.f_globals.get("__name__") == _GOING_OVER and frame.f_code.co_name == "__next__":
            return True
        frame = frame.f_back
    return False


def _was_raised_by_user(error: BaseException) -> bool:
    """Return whether a `raise` in the user's code raised an error."""
    entry = error.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    if entry is None or is_internal_code(entry.tb_frame.f_code):
        return False
    code, at = entry.tb_frame.f_code.co_code, entry.tb_lasti
    return 0 <= at < len(code) and code[at] == _RAISE


def _left_users_code(error: BaseException) -> bool:
    """Return whether the function that raised an error is no library's."""
    entry = error.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    return entry is not None and not is_library_file(entry.tb_frame.f_code.co_filename)


def calls_before(first: TracebackType | None) -> list[Origin]:
    """Return the locations of the calls that led to a traceback's first entry, outermost first.

    Without a traceback, these are the calls that led here; the last one is the user's current line.
    """
    calls: list[Origin] = []
    inside = first is not None and is_body(first.tb_frame.f_code)
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") != ROOT:
        code = frame.f_code
        if first is not None and frame is first.tb_frame:
            calls.clear()  # the exception is raised again in a function that it has left
            inside = is_body(code)
        elif not is_internal_code(code):
            if not inside:
                calls.append(origin_of(frame))
            inside = is_body(code)
        frame = frame.f_back
    return calls[::-1] if frame is not None else []


def is_interrupt(error: BaseException) -> bool:
    """Return whether a signal handler written in Python has raised an exception.

    A timer or Ctrl-C may stop a trace at any point. Its exception belongs to no path of the
    program.

    >>> is_interrupt(ValueError())
    False
    """
    entry, codes = error.__traceback__, None
    while entry is not None:
        codes = set(_codes_of_handlers()) if codes is None else codes
        if entry.tb_frame.f_code in codes:
            return True
        entry = entry.tb_next
    return False


def _codes_of_handlers() -> Iterator[CodeType]:
    signal = sys.modules.get("signal")
    # Only the module `signal` sets a handler written in Python.
    for number in signal.valid_signals() if signal else ():
        handler = signal.getsignal(number)  # type: ignore[union-attr]
        while isinstance(handler, functools.partial):
            handler = handler.func
        handler = getattr(handler, "__func__", handler)
        code = getattr(handler, "__code__", None)
        if isinstance(code, CodeType):
            yield code
