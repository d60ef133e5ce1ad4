"""Staging of `with`: `__exit__` sees the exceptions of a run.

    with m as x:                 x = m.__enter__()
        f(x)                     try:
                       ->            f(x)
                                 except:
                                     if not m.__exit__(kind, error, traceback): raise
                                 else:
                                     m.__exit__(None, None, None)

This holds for managers of the user's, whose code is converted. A library's manager, such as a lock
or a name scope, is entered and left by Python while the graph is recorded. Of `contextlib`,
`suppress` and `closing` are staged, and an `ExitStack` with code of the user's is refused where a
run may raise.
"""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace
from types import FunctionType
from typing import Any

from autograph.backends.graph.control.conditional import NO_STATE, do_nothing, staged_if
from autograph.backends.graph.exceptions.caught_exception import class_of
from autograph.backends.graph.exceptions.try_except import staged_try
from autograph.backends.graph.source.library_boundary import is_library_file
from autograph.backends.graph.source.source_location import user_location
from autograph.backends.graph.values.optional_value import present
from autograph.backends.graph.values.truth import truth
from autograph.backends.try_block import Handler, TryBlock
from autograph.backends.with_block import WithBlock
from autograph.errors import StagingError
from autograph.operators.frames import code_info_of
from autograph.operators.state import State
from autograph.operators.user_classes import mro_of, own_attributes


def staged_with(managed: WithBlock, state: State) -> None:
    """Execute a `with` statement, as a node if its body may raise at run time."""
    none = "'NoneType' object does not support the context manager protocol"
    managed = replace(managed, manager=present(managed.manager, none))
    manager = managed.manager
    ends = _method(manager, "__exit__")
    if ends is contextlib.suppress.__exit__:
        handler = Handler(lambda: manager._exceptions, do_nothing)
        tried = TryBlock(lambda: managed.inside(None), (handler,), flags=managed.flags)
        return staged_try(tried, state, bodies=[managed.body])
    if managed.refused or isinstance(manager, contextlib.ExitStack):
        return _run_unless_raised(managed, state)
    if not (_is_converted(ends) or isinstance(manager, contextlib.closing)):
        return managed.run()
    value = _method(manager, "__enter__")(manager)

    def leave() -> None:
        error = sys.exc_info()[1]
        assert error is not None, "a handler runs while an exception is handled"
        _raise_unless(ends(manager, class_of(error), error, error.__traceback__))

    def end() -> None:
        ends(manager, None, None, None)

    def inside() -> None:
        managed.inside(value)

    tried = TryBlock(inside, (Handler(None, leave),), orelse=end, flags=managed.flags)
    staged_try(tried, state, [(type(manager).__name__, manager)], [managed.body])


def _run_unless_raised(managed: WithBlock, state: State) -> None:
    """Run a `with` whose `__exit__` cannot see run-time exceptions; refuse nodes that may raise."""
    place, reasons = user_location(), [managed.refused] if managed.refused else []

    def inside() -> None:
        with managed.manager as value:
            managed.inside(value)
            if any(map(_calls_users, getattr(managed.manager, "_exit_callbacks", ()))):
                reasons.append(_OF_STACK)

    def leave() -> None:
        if reasons:
            raise StagingError(reasons[0], place)
        raise  # the handled exception

    tried = TryBlock(inside, (Handler(None, leave),), flags=managed.flags)
    staged_try(tried, state, bodies=[managed.body])


def _calls_users(callback: tuple[bool, Any]) -> bool:
    """Return whether a callback of an ExitStack is the user's code."""
    function = callback[1]
    owner = getattr(function, "__self__", None)
    function = getattr(function, "__wrapped__", function)
    code = getattr(function, "__code__", getattr(getattr(owner, "gen", None), "gi_code", None))
    return code is not None and not is_library_file(code.co_filename)


def _raise_unless(swallowed: object) -> None:
    """Raise the handled exception again, unless the manager has suppressed it."""
    if type(swallowed) is bool or swallowed is None:
        if not swallowed:
            raise  # the handled exception
        return
    staged_if(truth(swallowed, "the result of `__exit__`"), do_nothing, _again, NO_STATE)


def _again() -> None:
    raise  # the handled exception


def _method(manager: Any, name: str) -> Any:
    """Return a method of a manager's class, as `with` looks it up; None if there is none."""
    kinds = mro_of(type(manager))
    return next(
        (own_attributes(kind)[name] for kind in kinds if name in own_attributes(kind)), None
    )


def _is_converted(method: object) -> bool:
    return isinstance(method, FunctionType) and code_info_of(method.__code__) is not None


_OF_STACK = (
    "an ExitStack calls your callbacks at its end, even after an exception that is raised when the "
    "graph runs, and its callbacks are not known then: write a `with` for each, or a `try` with "
    "`finally`"
)
