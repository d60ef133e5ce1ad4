"""The stack of the calls being traced, from which recursion is detected."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar, Token
from dataclasses import dataclass
from types import FunctionType
from typing import Protocol

from autograph.backends.graph.tracing.arguments import ArgumentsByParameter, ArgumentSpecs
from autograph.operators.frames import original_of
from runtime.core.context import current_recorder
from runtime.graph.graph import Graph


class RecursiveCall(Protocol):
    """A recursive function whose body is being traced; `RecursiveFunction` implements it."""

    def takes(self, arguments: ArgumentsByParameter) -> bool:
        """Return whether a call with these arguments is a call of the body that is traced."""

    def widen_for(self, arguments: ArgumentsByParameter) -> None:
        """Widen the body to calls with other Python numbers."""

    def call(self, arguments: ArgumentsByParameter) -> object:
        """Record a call of the function by itself; return its result."""


@dataclass(eq=False, repr=False)
class ActiveCall:
    """A call that is being traced.

    Attributes:
        converted: the converted function.
        arguments: its arguments.
        graph: the graph that its body is recorded in.
        recursive: the recursive function that the body belongs to, if it is one.
        is_endless: whether the function calls itself without a branch in between, so that only an
            exception ends the recursion.
        inside: the number of nested calls of the function without a branch in between.
        unrolled: the number of nested calls of the function that were each traced separately.
        argument_specs: the common specs of its arguments and those of the nested calls, once it is
            the first call of a recursive function.
        in_vain: the error that reports endless tracing of this call or of those around it.
    """

    converted: FunctionType
    arguments: ArgumentsByParameter
    graph: Graph
    recursive: RecursiveCall | None = None
    is_endless: bool = False
    inside: int = 0
    unrolled: int = 0
    argument_specs: ArgumentSpecs | None = None
    in_vain: Exception | None = None

    def is_of(self, converted: FunctionType) -> bool:
        """Return whether `converted` is the called function: the same code and closure."""
        mine = self.converted
        if original_of(mine.__code__) is not original_of(converted.__code__):
            return False
        cells, others = mine.__closure__ or (), converted.__closure__ or ()
        return all(a is b for a, b in zip(cells, others))


_ACTIVE_CALLS: ContextVar[tuple[ActiveCall, ...] | None] = ContextVar("trail", default=None)

active_calls = _ACTIVE_CALLS.get
"""Return the calls being traced, outermost first; None outside the trace of a Function."""


class entering_calls:
    """Push `calls` on the trace call stack for the duration of a block.

    A class, since a generator would set attributes of the exceptions that come through it.
    """

    __slots__ = ("_calls", "_token")
    _token: Token[tuple[ActiveCall, ...] | None]

    def __init__(self, *calls: ActiveCall) -> None:
        self._calls = calls

    def __enter__(self) -> None:
        self._token = _ACTIVE_CALLS.set((*(_ACTIVE_CALLS.get() or ()), *self._calls))

    def __exit__(self, *exception: object) -> None:
        _ACTIVE_CALLS.reset(self._token)


def calls_around(graph: Graph, is_wanted: Callable[[ActiveCall], bool]) -> list[ActiveCall]:
    """Return the calls whose bodies, branches and loops include `graph`, innermost first."""
    around = set[int]()
    outer: Graph | None = graph
    while outer is not None:
        around.add(id(outer))
        outer = outer.outer
    found = [call for call in active_calls() or () if id(call.graph) in around and is_wanted(call)]
    return found[::-1]


def is_in_recursion() -> bool:
    """Return whether the recorded graph is inside the body of a recursive function."""
    bodies = {id(call.graph) for call in active_calls() or () if call.recursive is not None}
    graph = current_recorder() if bodies else None
    while isinstance(graph, Graph) and id(graph) not in bodies:
        graph = graph.outer
    return isinstance(graph, Graph)
