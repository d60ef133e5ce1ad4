"""The traces in progress, one inside of another, and tracing in isolation from them.

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
from autograph.backends.graph.state.alias_state import NOTED
from autograph.backends.graph.values.path_scope import AS_LEFT
from autograph.function.guards import Policy, stronger
from runtime.core.context import current_recorder
from runtime.graph.graph import Graph


@dataclass(eq=False)
class Tracing:
    """One trace that is going on.

    Attributes:
        function: the user's function.
        in_region: whether it began while a branch or a loop of another trace was recorded.
        takes_back: what takes back traces made for calls in it, should it be made once more: what
            Python did in them is undone with it.
        always_raises: whether the function was found to raise in every call.
        guard_policy: the strongest of the Functions that have become part of it.
    """

    function: Callable[..., object]
    in_region: bool
    takes_back: list[Callable[[], None]] = field(default_factory=list)
    always_raises: bool = False
    guard_policy: Policy = "off"

    @property
    def code(self) -> object:
        """Return the code that identifies the function."""
        return _code_of(self.function)

    def take_back(self) -> None:
        """Take back what was traced for calls in it."""
        for each in self.takes_back:
            each()
        self.takes_back.clear()


def ask_for_guards(policy: Policy) -> None:
    """Have the trace around a Function that is a part of it keep that Function's policy."""
    this = innermost()
    if this is not None:
        this.guard_policy = stronger(policy, this.guard_policy)


_GOING_ON: ContextVar[tuple[Tracing, ...]] = ContextVar("traces_going_on", default=())


class tracing:
    """Have a function be one of those that are traced.

    A class, since a generator would set attributes of the exceptions that come through it.
    """

    __slots__ = ("_this", "_token")

    def __init__(self, python_function: Callable[..., object]) -> None:
        self._this = Tracing(python_function, is_in_region(current_recorder()))

    def __enter__(self) -> Tracing:
        self._token = _GOING_ON.set((*_GOING_ON.get(), self._this))
        return self._this

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _GOING_ON.reset(self._token)


def innermost() -> Tracing | None:
    """Return the trace that is going on; None if there is none."""
    return _GOING_ON.get()[-1] if _GOING_ON.get() else None


def functions_around() -> list[Callable[..., object]]:
    """Return the functions that are traced, outermost first."""
    return [each.function for each in _GOING_ON.get()]


def may_never_end(python_function: object) -> bool:
    """Return whether a call is one of a function being traced, under a condition of the graph.

    Tracing it on its own could go on for ever, where Python alone does not end it.

    >>> may_never_end(len)
    False
    """
    code, in_region = _code_of(python_function), is_in_region(current_recorder())
    for each in reversed(_GOING_ON.get()):
        if each.code is code and in_region:
            return True
        in_region = in_region or each.in_region
    return False


def is_in_region(recorder: object) -> bool:
    """Return whether what records is a branch, a loop's body or the like."""
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


Given = TypeVar("Given")

# Facts that the statements around a call give about it, and their values without statements.
_OUTSIDE: tuple[tuple[ContextVar[Any], object], ...] = (
    (HANDLED, ()),
    (BEFORE, ()),
    (BEFORE_ALL, ()),
    (AS_LEFT, False),
    (NOTED, None),
    (READS, None),
)


def isolated(run: Callable[[], Given]) -> Given:
    """Return the result of a function that is called outside of the statements being traced.

    >>> isolated(lambda: AS_LEFT.get())
    False
    """

    tokens = [(variable, variable.set(value)) for variable, value in _OUTSIDE]
    try:
        return run()
    finally:
        for variable, token in reversed(tokens):
            variable.reset(token)
