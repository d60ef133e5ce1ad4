"""Tracing one body of a statement into a graph of its own."""

from __future__ import annotations

from collections.abc import Callable

import runtime as rt
from autograph.backends.graph.plans import UNREACHED
from autograph.backends.maybe import Maybe
from autograph.backends.undefined import Undefined, unbound_message
from runtime.context import current_recorder
from runtime.graph.graph import Graph
from runtime.ops.io import check


def new_region(name: str) -> Graph:
    """Return an empty graph inside the one being recorded."""
    outer = current_recorder()
    assert isinstance(outer, Graph), "a statement is staged only while a graph is recorded"
    return Graph(name, outer=outer)


def guard(variable: Maybe) -> None:
    """Record that `variable` is read: an error when the graph runs and it has no value there."""
    if variable.absent == "undefined":
        check(variable.defined, UnboundLocalError, unbound_message(variable.name))
    else:
        message = f"'{variable.name}' is None here: no value was returned on the path taken"
        check(variable.defined, TypeError, message)


def run_body(body: Callable[[], None]) -> bool:
    """Trace `body` into the current graph; return whether its end is reached.

    Reading a variable that has no value does not stop the trace: the path is recorded as one that
    raises UnboundLocalError, since it may never be taken.
    """
    try:
        body()
    except UnboundLocalError as error:
        if not _raised_by_read(error):
            raise
        check(rt.constant(False), UnboundLocalError, str(error))
        return False
    return True


def outcome(reached: bool, values: tuple[object, ...]) -> tuple[object, ...]:
    """Return the values a body ends with; none matters where the end is not reached."""
    return values if reached else (UNREACHED,) * len(values)


def _raised_by_read(error: BaseException) -> bool:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code is Undefined.read.__code__
