"""Outcomes of runs: snapshots of all that a caller can observe."""

from __future__ import annotations

import contextlib
import inspect
import io
import itertools
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.backends.graph.tracing.trace_exceptions import is_interrupt
from autograph.checking.case import Case
from autograph.checking.differences import difference
from autograph.checking.heap_snapshot import HeapSnapshot
from autograph.checking.value_snapshot import ValueSnapshot, snapshot_of
from autograph.errors import AutographError
from runtime.core.context import is_internal_frame
from runtime.errors import InvalidArgumentError, OpError

_MOST_YIELDED = 1000
# The file and the line before a printed warning.
_POSITION = re.compile(r"^\S.*?:(\d+): (?=\w+:)", re.MULTILINE)
_KINDS_OF_TENSORS = re.compile(r"\b(Eager|Symbolic)Tensor\b")
Run = Callable[[tuple[Any, ...], Mapping[str, Any]], Any]


@dataclass(frozen=True)
class CallOutcome:
    """The outcome of one call.

    Attributes:
        result: its result; None if it raised an exception.
        error: its exception.
        printed: its output on standard output and standard error.
        arguments: the arguments after the call.
        changes: its other changes: globals, variables of enclosing functions, attributes.
    """

    result: ValueSnapshot | None
    error: BaseException | None
    printed: tuple[str, str]
    arguments: ValueSnapshot
    changes: Mapping[str, ValueSnapshot]

    def __str__(self) -> str:
        if self.error is not None:
            return f"raises {type(self.error).__name__}"
        return str(self.result)


def outcome_of(run: Run, case: Case, heap: HeapSnapshot) -> CallOutcome:
    """Make one call on copies of the arguments, and undo its changes.

    Raises:
        BaseException: a signal raised it, such as KeyboardInterrupt; an exception of the call is
            part of the outcome.
    """
    fresh = case.fresh()
    result, error = None, None
    with captured_output() as (stdout, stderr):
        try:
            result = snapshot_of(_items_of_generator(run(fresh.args, fresh.kwargs)))
        except KeyboardInterrupt:
            raise
        except BaseException as raised:
            if is_interrupt(raised):
                raise
            error = raised
    arguments, changes = snapshot_of((fresh.args, dict(fresh.kwargs))), heap.changes()
    heap.restore()
    return CallOutcome(result, error, (stdout.getvalue(), stderr.getvalue()), arguments, changes)


def _items_of_generator(result: Any) -> Any:
    """Return the items of a generator, up to a limit, and any other value unchanged."""
    if inspect.isgenerator(result):
        return tuple(itertools.islice(result, _MOST_YIELDED))
    if inspect.iscoroutine(result):
        result.close()  # otherwise Python warns that it is never awaited
    return result


@contextlib.contextmanager
def captured_output() -> Iterator[tuple[io.StringIO, io.StringIO]]:
    """Capture the output, and restore the random states of Python and NumPy afterwards."""
    stdout, stderr = io.StringIO(), io.StringIO()
    python, numpy = random.getstate(), np.random.get_state()
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
        try:
            yield stdout, stderr
        finally:
            random.setstate(python)
            np.random.set_state(numpy)


def outcome_differences(
    expected: CallOutcome, actual: CallOutcome, staged: bool
) -> tuple[str, ...]:
    """Return the differences of an outcome from the expected one, the important ones first."""
    return tuple(_differences(expected, actual, staged))


def is_about_output(difference: str) -> bool:
    """Return whether a difference is about the output."""
    return difference.startswith(("stdout:", "stderr:"))


def _differences(expected: CallOutcome, actual: CallOutcome, staged: bool) -> Iterator[str]:
    found = _error_difference(expected, actual)
    if found is not None:
        yield found
    if expected.result is not None and actual.result is not None:
        found = difference(expected.result, actual.result, staged)
        if found is not None:
            yield f"result: {found}"
    for name, wanted, given in zip(("stdout", "stderr"), expected.printed, actual.printed):
        if wanted != given:
            show = _text if name == "stdout" else _warning_text
            yield f"{name}: {show(given)} instead of {show(wanted)}"
    found = difference(expected.arguments, actual.arguments, staged)
    if found is not None:
        yield f"arguments after the call: {found}"
    yield from _change_differences(expected.changes, actual.changes, staged)


def _change_differences(
    expected: Mapping[str, ValueSnapshot], actual: Mapping[str, ValueSnapshot], staged: bool
) -> Iterator[str]:
    for path in dict.fromkeys((*expected, *actual)):
        if path not in actual:
            yield f"{path}: unchanged instead of {expected[path]}"
        elif path not in expected:
            yield f"{path}: changed to {actual[path]} instead of unchanged"
        else:
            found = difference(expected[path], actual[path], staged)
            if found is not None:
                yield f"{path}: {found}"


def _error_difference(expected: CallOutcome, actual: CallOutcome) -> str | None:
    wanted, given = expected.error, actual.error
    if wanted is None and given is None:
        return None
    if type(wanted) is type(given) and _is_same_message(wanted, given):
        return None
    if wanted is None:
        return f"raises {error_text(given)}"
    if given is None:
        return f"gives {actual} instead of raising {error_text(wanted)}"
    return f"raises {error_text(given)} instead of {error_text(wanted)}"


def _is_same_message(wanted: BaseException | None, given: BaseException | None) -> bool:
    """Return whether two exceptions of one class have the same message.

    Two InvalidArgumentErrors of one line do, since their messages have more details for eager
    tensors than for symbolic ones.
    """
    if isinstance(wanted, InvalidArgumentError) and line_of(wanted) == line_of(given):
        return True
    texts = [_KINDS_OF_TENSORS.sub("Tensor", message_of(each)) for each in (wanted, given)]
    return texts[0] == texts[1]


def line_of(error: BaseException | None) -> tuple[str, int] | None:
    """Return the file and line of the user's code that raised an exception."""
    if isinstance(error, (AutographError, OpError)) and error.origin is not None:
        origin: Any = error.origin
        return origin.filename, origin.line
    found, entry = None, error.__traceback__ if error is not None else None
    while entry is not None:
        if not is_internal_frame(entry.tb_frame):
            found = entry.tb_frame.f_code.co_filename, entry.tb_lineno
        entry = entry.tb_next
    return found


def message_of(error: BaseException | None) -> str:
    """Return the message of an exception without its location."""
    if isinstance(error, (AutographError, OpError)):
        return str(error.message)
    try:
        return str(error)
    except Exception:
        return ""


def error_text(error: BaseException | None) -> str:
    """Return an exception on one line."""
    first = message_of(error).partition("\n")[0]
    name = type(error).__name__
    return f"{name}: {first}" if first else name


def _text(printed: str, longest: int = 60) -> str:
    text = repr(printed)
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def _warning_text(printed: str) -> str:
    """Return printed warnings, with their lines but without the paths of their files."""
    return _text(_POSITION.sub(r"line \1: ", printed), 240)
