"""The stack of the traces in progress, and isolation of a nested trace from the outer one.

outer is traced
  inner is traced for a call in it, with a graph of its own    (`nested`)
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import MethodType, TracebackType
from typing import Any, TypeVar

from autograph.backends.graph.objects.attribute_reads import HANDLED, READS
from autograph.backends.graph.objects.object_lifetimes import BEFORE, BEFORE_ALL
from autograph.backends.graph.state.alias_state import ALIAS_STATE
from autograph.backends.graph.values.value_scope import INSPECTING_PATH
from autograph.functions.state.guards import Policy, stronger
from runtime.core.context import current_recorder
from runtime.core.tensor import SymbolicTensor
from runtime.graph.graph import Graph


@dataclass(eq=False, repr=False)
class Tracing:
    """One trace in progress.

    Attributes:
        function: the user's function.
        in_region: whether it began inside a region of another trace.
        undo_callbacks: functions that undo the nested traces made in it, if it is repeated.
        always_raises: whether the function raises in every call.
        guard_policy: the strongest guard policy of the Functions that were traced inline.
        arrays: the inputs that stand for NumPy arrays.
    """

    function: Callable[..., object]
    in_region: bool
    undo_callbacks: list[Callable[[], None]] = field(default_factory=list)
    always_raises: bool = False
    guard_policy: Policy = "off"
    arrays: list[SymbolicTensor] = field(default_factory=list)

    @property
    def code(self) -> object:
        """The code of the function, which all methods and partials of it share."""
        return _code_of(self.function)

    def undo_nested_traces(self) -> None:
        """Undo the nested traces made in it."""
        for each in self.undo_callbacks:
            each()
        self.undo_callbacks.clear()


def request_guards(policy: Policy) -> None:
    """Apply the guard policy of a Function that is traced inline to the surrounding trace."""
    this = innermost()
    if this is not None:
        this.guard_policy = stronger(policy, this.guard_policy)


_ACTIVE: ContextVar[tuple[Tracing, ...]] = ContextVar("active_traces", default=())


class tracing:
    """Put a trace on the stack for the duration of a block.

    A class, not a generator: `contextlib` sets attributes of the exceptions that pass through it.
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
    """Return the functions of the traces in progress, outermost first."""
    return [each.function for each in _ACTIVE.get()]


def may_never_end(python_function: object) -> bool:
    """Return whether a call is a recursive one under a condition of the graph.

    A nested trace for it would not end: only a run decides when the recursion ends.

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
    """Return whether a recorder is a region of another graph."""
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

# The context variables that staged statements set, with their values outside of statements.
_OUTSIDE: tuple[tuple[ContextVar[Any], object], ...] = (
    (HANDLED, ()),
    (BEFORE, ()),
    (BEFORE_ALL, ()),
    (INSPECTING_PATH, False),
    (ALIAS_STATE, None),
    (READS, None),
)


def isolated(run: Callable[[], Result]) -> Result:
    """Call a function as if it were outside of the statements that are being staged.

    >>> isolated(lambda: INSPECTING_PATH.get())
    False
    """

    tokens = [(variable, variable.set(value)) for variable, value in _OUTSIDE]
    try:
        return run()
    finally:
        for variable, token in reversed(tokens):
            variable.reset(token)
