"""The traces in progress, one inside another, and tracing in isolation from them.

outer is traced
  inner is traced on its own, for a call in it    (`nested`)
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import MethodType, TracebackType
from typing import Any, TypeVar

from autograph.backends.graph.program.attribute_dicts import HANDLED
from autograph.backends.graph.program.attribute_reads import READS
from autograph.backends.graph.program.preexisting import BEFORE, BEFORE_ALL
from autograph.backends.graph.state.alias_state import ALIAS_STATE
from autograph.backends.graph.values.path_scope import AS_LEFT
from autograph.function.guards import Policy, stronger
from runtime.core.context import current_recorder
from runtime.graph.graph import Graph


@dataclass(eq=False)
class Tracing:
    """One trace in progress.

    Attributes:
        function: the user's function.
        in_region: whether it began inside a branch or a loop of another trace.
        undo_callbacks: functions that undo the traces made for calls in it, with their effects in
            Python, if it is made once more.
        always_raises: whether the function raises in every call.
        guard_policy: the strongest policy of the Functions that have become part of it.
    """

    function: Callable[..., object]
    in_region: bool
    undo_callbacks: list[Callable[[], None]] = field(default_factory=list)
    always_raises: bool = False
    guard_policy: Policy = "off"

    @property
    def code(self) -> object:
        """Return the code that identifies the function."""
        return _code_of(self.function)

    def undo_nested_traces(self) -> None:
        """Undo the traces made for calls in it."""
        for each in self.undo_callbacks:
            each()
        self.undo_callbacks.clear()


def request_guards(policy: Policy) -> None:
    """Make the surrounding trace keep the policy of a Function that is part of it."""
    this = innermost()
    if this is not None:
        this.guard_policy = stronger(policy, this.guard_policy)


_ACTIVE: ContextVar[tuple[Tracing, ...]] = ContextVar("active_traces", default=())


class tracing:
    """Mark a function as one that is traced, for the duration of a block.

    A class, since a generator would set attributes of the exceptions that come through it.
    """

    __slots__ = ("_this", "_token")

    def __init__(self, python_function: Callable[..., object]) -> None:
        self._this = Tracing(python_function, is_in_region(current_recorder()))

    def __enter__(self) -> Tracing:
        self._token = _ACTIVE.set((*_ACTIVE.get(), self._this))
        return self._this

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _ACTIVE.reset(self._token)


def innermost() -> Tracing | None:
    """Return the innermost trace in progress; None if there is none."""
    return _ACTIVE.get()[-1] if _ACTIVE.get() else None


def traced_functions() -> list[Callable[..., object]]:
    """Return the functions that are traced, outermost first."""
    return [each.function for each in _ACTIVE.get()]


def may_never_end(python_function: object) -> bool:
    """Return whether a call is one of a function being traced, under a condition of the graph.

    A trace of its own might never end, if Python alone does not end the recursion.

    >>> may_never_end(len)
    False
    """
    code, in_region = _code_of(python_function), is_in_region(current_recorder())
    for each in reversed(_ACTIVE.get()):
        if each.code is code and in_region:
            return True
        in_region = in_region or each.in_region
    return False


def is_in_region(recorder: object) -> bool:
    """Return whether a recorder is a branch, a loop's body or the like."""
    return isinstance(recorder, Graph) and recorder.outer is not None


def _code_of(function: Any) -> object:
    """Return the code that all methods and partials of one function share."""
    while True:
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, MethodType):
            function = function.__func__
        elif (inner := getattr(function, "python_function", None)) is not None:
            function = inner
        else:
            return getattr(function, "__code__", function)


# -- isolation -------------------------------------------------------------------------------------


Result = TypeVar("Result")

# The context that surrounding statements give to a call, with its values outside of statements.
_OUTSIDE: tuple[tuple[ContextVar[Any], object], ...] = (
    (HANDLED, ()),
    (BEFORE, ()),
    (BEFORE_ALL, ()),
    (AS_LEFT, False),
    (ALIAS_STATE, None),
    (READS, None),
)


def isolated(run: Callable[[], Result]) -> Result:
    """Return the result of a function, called outside of the statements being traced.

    >>> isolated(lambda: AS_LEFT.get())
    False
    """

    tokens = [(variable, variable.set(value)) for variable, value in _OUTSIDE]
    try:
        return run()
    finally:
        for variable, token in reversed(tokens):
            variable.reset(token)
