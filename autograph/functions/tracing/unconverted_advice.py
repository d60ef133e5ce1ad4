"""Adds advice to errors of unconverted code that got a symbolic tensor."""

from __future__ import annotations

import itertools
import linecache
import re
import sys
from inspect import CO_GENERATOR
from types import CellType, FrameType, FunctionType
from typing import TYPE_CHECKING

from autograph.backends.graph.source.source_location import SourceLocation
from autograph.backends.graph.tracing.trace_exceptions import is_unconverted_use
from autograph.conversion.convert import explain
from autograph.conversion.rules import INSTALLED_FOLDERS, STANDARD_FOLDERS
from autograph.errors import (
    AutographError,
    StagedIterationError,
    UnconvertedUseError,
)
from autograph.operators.frames import code_info_of, original_of
from autograph.syntax.large_stack import with_large_stack
from runtime.core.lazy_imports import lazy_import
from runtime.errors import GraphError, SymbolicTensorError

_walked = lazy_import("traceback:walk_tb")
_error_of_jax = lazy_import("autograph.backends.graph.tracing.jax_calls:error_of_jax")

_OF_FILES = "write the file after the call, or write rt.print(..., output_stream='file://PATH')"
_OF_PATHS = "read the file with rt.io.read_file(path), or give it a Python string"
_OF_OTHERS = "give it the result of the function, or convert its module with include=(...)"
# By the first words of Python's error.
_REMEDIES = {"write()": _OF_FILES, "expected str, bytes or os.PathLike": _OF_PATHS}
# Modules that are a part of the interpreter have a file of no folder.
_OF_LIBRARIES = (*STANDARD_FOLDERS, *INSTALLED_FOLDERS, "<frozen ")
_GUESS = ", or let autograph convert "
_EXEMPTION = re.compile(r"\s*@[\w.]*\bdo_not_convert\b")

if TYPE_CHECKING:
    from autograph.converters.report import Entry


def add_advice(error: Exception) -> None:
    """Add to the error the statement around it that stayed Python, and the reason.

    Nothing is added if all code around it was converted, or its source is not found.
    """
    if not isinstance(error, (SymbolicTensorError, GraphError, StagedIterationError)):
        return
    frames = list(_walked(error.__traceback__))
    if not frames:
        return
    last, line = frames[-1]
    for frame, _ in reversed(frames):
        # A nested function is reported with the outer one.
        if frame.f_code.co_filename != last.f_code.co_filename:
            continue
        found = _innermost(unconverted_parts(frame), line)
        # Other errors have their own reason, except in a generator.
        has_reason = not isinstance(error, SymbolicTensorError)
        if has_reason and not frame.f_code.co_flags & CO_GENERATOR:
            return
        if found is not None:
            error.message = f"{without_guess(error.message)}; {_advice(found)}"
            return
        if _is_exempt(frame):
            name = frame.f_code.co_name
            message = without_guess(error.message)
            error.message = f"{message}; {name} is marked with do_not_convert: remove that"
            return


def without_guess(message: str) -> str:
    """Return a message without the advice for code of which the reason is not known."""
    return message.partition(_GUESS)[0]


def unconverted_error(error: Exception) -> UnconvertedUseError | None:
    """Return the error for a library's use of a symbolic tensor; None for other errors.

    It is a TypeError of Python's, or asks for the value of the tensor. Of a function of JAX, any
    error about one. None, too, for an exception that the user's code raises.
    """
    if "jax" in sys.modules and (refusal := _error_of_jax(error)) is not None:
        return refusal
    told = str(error)
    place_of_use = getattr(error, "origin", None)
    is_of_library = getattr(place_of_use, "filename", "").startswith(_OF_LIBRARIES)
    if isinstance(error, SymbolicTensorError) and is_of_library:
        told = error.message.partition(", but while tracing")[0]
    elif not is_unconverted_use(error):
        return None
    frames = list(_walked(error.__traceback__))
    mine = [each for each in frames if not each[0].f_code.co_filename.startswith(_OF_LIBRARIES)]
    if not mine:
        return None
    code, line = mine[-1][0].f_code, mine[-1][1]
    place = SourceLocation(code.co_filename, line, code.co_name)
    remedies = (each for words, each in _REMEDIES.items() if told.startswith(words))
    remedy = next(remedies, _OF_OTHERS)
    return UnconvertedUseError(
        f"code that is not converted was given a tensor, which has no value while tracing ({told})"
        f": {remedy}",
        place,
    )


def unconverted_parts(frame: FrameType) -> tuple[Entry, ...]:
    """Return the unconverted parts of the function that a frame runs."""
    code = original_of(frame.f_code)
    cells = tuple(CellType() for _ in code.co_freevars)
    function = FunctionType(code, frame.f_globals, code.co_name, None, cells)
    try:
        return with_large_stack(lambda: explain(function)).kept
    except (AutographError, SyntaxError, OSError, ValueError, RecursionError):
        return ()


def _is_exempt(frame: FrameType) -> bool:
    """Return whether a decorator of the function that a frame runs is `do_not_convert`."""
    code = frame.f_code
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 : frame.f_lineno]
    head = itertools.takewhile(lambda line: not line.lstrip().startswith("def "), lines)
    return code_info_of(code) is None and any(map(_EXEMPTION.match, head))


def _innermost(entries: tuple[Entry, ...], line: int) -> Entry | None:
    """Return the entry with the fewest lines that contains a line."""
    around = [e for e in entries if e.origin.line <= line <= (e.origin.end_line or e.origin.line)]
    return min(around, key=lambda e: (e.origin.end_line or 0) - e.origin.line, default=None)


def _advice(entry: Entry) -> str:
    return f"{entry.construct} of line {entry.line} stays Python: {entry.reason}"
