"""Runs a function in each mode: plain, converted, converted while a graph records, and staged."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import MethodType
from typing import Any

from autograph.checking.case import Case
from autograph.checking.heap_snapshot import HeapSnapshot
from autograph.checking.outcome import CallOutcome, outcome_of
from autograph.conversion.convert import to_graph
from autograph.conversion.rules import function_behind
from autograph.conversion.wrappers import wrapped_by
from autograph.errors import ConversionError, SignatureError
from autograph.functions.eager import SWITCH
from autograph.functions.function import Function
from autograph.functions.tracing.trace_target import staged_form
from runtime.core.context import recording
from runtime.graph.graph import Graph

EAGER, CONVERTED, FORCED, STAGED = "eager", "converted", "forced", "staged"
REUSED = "reused"


class ExecutionModes:
    """One function, which can be run in every mode.

    Args:
        function: any callable.

    Attributes:
        plain: the Python function without decorators of autograph.
    """

    def __init__(self, function: Any) -> None:
        if not callable(function):
            raise SignatureError(f"check() takes a function, not {function!r}")
        self.plain = plain_form(function)
        self._function = function if isinstance(function, Function) else Function(self.plain)
        self._converted: Callable[..., Any] | None = None
        self._reused = self.untraced()

    def outcomes(self, case: Case) -> dict[str, CallOutcome]:
        """Return the outcomes of a case by mode, without `forced` if tensors are involved."""
        heap = HeapSnapshot(self.plain)
        found = {
            EAGER: outcome_of(self.eager, case, heap),
            CONVERTED: outcome_of(self.converted, case, heap),
        }
        graph = Graph("check")
        if case.is_python:
            with recording(graph):
                forced = outcome_of(self.converted, case, heap)
            if not graph.nodes and not graph.captures:  # otherwise it made tensors
                found[FORCED] = forced
        function = self.untraced()
        with _switched(eagerly=False):
            found[STAGED] = outcome_of(lambda args, kwargs: function(*args, **kwargs), case, heap)
            found[REUSED] = self._outcome_reused(case, heap, found[STAGED])
        return found

    def _outcome_reused(self, case: Case, heap: HeapSnapshot, staged: CallOutcome) -> CallOutcome:
        """Return the outcome of a case in the Function that ran the earlier cases."""
        function, traces = self._reused, self._reused.experimental_get_tracing_count()
        outcome = outcome_of(lambda args, kwargs: function(*args, **kwargs), case, heap)
        if function.experimental_get_tracing_count() > traces:
            return outcome
        # A reused trace does not repeat the output of the trace itself.
        return replace(outcome, printed=staged.printed)

    def untraced(self) -> Function:
        """Return a Function like it without traces."""
        return self._function.untraced()

    def eager(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Call the plain function; Functions that it calls run eagerly."""
        with _switched(eagerly=True):
            return self.plain(*args, **kwargs)

    def converted(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Call the converted function."""
        if self._converted is None:
            self._converted = _converted_form(self.plain)
        return self._converted(*args, **kwargs)


@contextmanager
def _switched(eagerly: bool) -> Iterator[None]:
    """Make Functions run eagerly, or not, whatever the user has set."""
    before, SWITCH.on = SWITCH.on, eagerly
    try:
        yield
    finally:
        SWITCH.on = before


def _converted_form(function: Any) -> Callable[..., Any]:
    try:
        return staged_form(function)
    except ConversionError:  # a generator function, which can be converted but not staged
        return to_graph(function)


def plain_form(function: Any) -> Any:
    """Return the Python function without decorators of autograph.

    >>> plain_form(Function(plain_form)) is plain_form
    True
    """
    if isinstance(function, Function):
        return plain_form(function.python_function)
    wrapper = wrapped_by(function_behind(function))
    if wrapper is None or inspect.isclass(function):
        return function
    if isinstance(function, MethodType):
        return MethodType(wrapper.function, function.__self__)
    return wrapper.function
