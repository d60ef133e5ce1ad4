"""Listeners for the calls of converted code, among them calls of generator functions.

While a statement is staged, or a function traced, the objects that its code may change are watched.
A function that this code calls is searched at the call. Generators run in Python in the first trace
of a function, and are staged in another trace if that fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar, Token
from dataclasses import dataclass, field, replace
from inspect import CO_GENERATOR, GEN_RUNNING, GEN_SUSPENDED, getgeneratorstate
from threading import get_ident
from types import CodeType
from typing import Any, Protocol
from weakref import ref

from autograph.operators.frames import is_ours
from runtime.core.weak_tables import dropping


class Listener(Protocol):
    """A listener that is notified of calls for as long as it lives."""

    thread: int
    recorder: Any

    def note(self, callee: Any) -> None:
        """Record a callable of the user's that is about to run."""


# The listeners by identity; empty outside of traces, which is all that a call checks then.
LISTENERS: dict[int, ref[Any]] = {}


class Inputs(Protocol):
    """Python's numbers, list items and array elements that are inputs of a graph."""

    def check_use(self, function: Any, given: Iterable[object]) -> None:
        """Raise a StagingError if code that is not converted would not see the inputs."""

    def has_made(self, value: object) -> bool:
        """Return whether a tuple was made anew, to hold inputs of the graph."""


# The inputs of traces that have such inputs.
LIFTED: dict[int, Inputs] = {}


def check_use(function: Any, given: Iterable[object]) -> None:
    """Raise a StagingError if code that is not converted would not see inputs of a graph.

    Args:
        function: the function that is about to be called.
        given: its arguments.
    """
    for each in list(LIFTED.values()):
        each.check_use(function, given)


def are_made_for_inputs(*values: object) -> bool:
    """Return whether one of the values is a tuple that was made anew to hold inputs."""
    return any(inputs.has_made(value) for inputs in list(LIFTED.values()) for value in values)


def listen(listener: Listener) -> None:
    """Notify `listener` of the calls of its thread from now on."""
    LISTENERS[id(listener)] = dropping(listener, LISTENERS, id(listener))


def listeners() -> list[Any]:
    """Return the listeners of all threads."""
    found = [reference() for reference in list(LISTENERS.values())]
    return [each for each in found if each is not None]


def stop(recorder: Any) -> None:
    """Remove the listeners that watch while `recorder`, or a part of it, records.

    An exception that is kept may keep them alive after the trace.
    """
    for listener in listeners():
        if is_within(listener.recorder, recorder):
            LISTENERS.pop(id(listener), None)


def is_within(inner: Any, outer: Any) -> bool:
    """Return whether a graph is another one or part of it."""
    while inner is not None and inner is not outer:
        inner = inner.outer
    return inner is not None


def tell(callee: object) -> None:
    """Notify listeners of a callable that converted code of this thread is about to call.

    >>> class Names(list):
    ...     thread, recorder = get_ident(), None
    ...     def note(self, callee):
    ...         self.append(callee.__name__)
    >>> names = Names()
    >>> listen(names)
    >>> tell(len)
    >>> names
    ['len']
    """
    thread = get_ident()
    for listener in listeners():
        if listener.thread == thread:
            listener.note(callee)


@dataclass(frozen=True, slots=True)
class StagedGenerators:
    """The generators that a trace stages; their consumers are loops of the graph.

    Attributes:
        codes: the code of their functions.
        is_first: whether the trace is the first try.
        gave_up: whether an earlier try has left a long loop to the next one, without unrolling it.
        failure: the error of the last try with staged generators, if this one has none again.
        listed: the code of those that are gone on with after a loop that a tensor may end: their
            items are made ahead, so that the place in them is known.
    """

    codes: frozenset[CodeType] = frozenset()
    listed: frozenset[CodeType] = frozenset()
    is_first: bool = True
    gave_up: bool = False
    failure: Exception | None = None

    @property
    def is_last(self) -> bool:
        """Return whether the trace is the last one, in which Python drives all generators."""
        return not self.is_first and not self.codes


@dataclass(slots=True)
class GeneratorCalls:
    """The generator functions that are called in a trace.

    Attributes:
        staged: the generators that the trace stages.
        in_python: the others, by their code, with a test whether they could be staged.
        driven: the generators that these functions have made.
        gave_up: whether a long loop was left to another trace.
        gone_on_with: the code of a staged generator that is gone on with, and could be listed.
    """

    staged: StagedGenerators
    gone_on_with: CodeType | None = None
    in_python: dict[CodeType, Callable[[], Any]] = field(default_factory=dict)
    driven: list[ref[Any]] = field(default_factory=list)
    gave_up: bool = False

    def tidies_up_later(self) -> bool:
        """Return whether a begun generator, which could be staged, does more at its end."""
        alive = [each for each in (made() for made in self.driven) if each is not None]
        self.driven = list(map(ref, alive))
        codes = [each.gi_code for each in alive if _has_begun(each)]
        found = [self.in_python[code]() for code in codes if code in self.in_python]
        return any(each is not None and each[-1].tidies_up for each in found)

    def is_endless(self, generator: Any) -> bool:
        """Return whether a generator of Python's has no end, and could be staged."""
        found = self.in_python[generator.gi_code]() if generator.gi_code in self.in_python else None
        return found is not None and found[-1].is_endless

    def close(self) -> None:
        """Close the generators of a failed trace, before its changes are undone."""
        for each in (made() for made in self.driven):
            # An error in a `finally` whose tensors are gone does not concern the program.
            with suppress(Exception):
                each is None or each.gi_running or each.close()

    def next_try(self, error: Exception) -> StagedGenerators | None:
        """Return the generators to stage in another trace after a failure; None if it is useless.

        These are the generators in which the error was raised; all, if it was in none.
        """
        if self.gone_on_with is not None and self.gone_on_with not in self.staged.listed:
            listed, failure = self.staged.listed | {self.gone_on_with}, self.staged.failure
            return replace(self.staged, listed=listed, failure=failure or error)
        is_last = self.staged.is_last
        found = self._to_stage(_codes_within(error)) or self._to_stage(self.in_python)
        gave_up = self.gave_up or self.staged.gave_up
        if found and not is_last:
            return replace(
                self.staged, codes=self.staged.codes | found, is_first=False, gave_up=gave_up
            )
        if (is_last or self.staged.listed) and self.staged.failure is not None:
            raise self.staged.failure
        return StagedGenerators(is_first=False, failure=error) if gave_up and not is_last else None

    def _to_stage(self, codes: Iterable[CodeType]) -> frozenset[CodeType]:
        found = (code for code in codes if code in self.in_python)
        return frozenset(code for code in found if self.in_python[code]() is not None)


_GENERATOR_CALLS: ContextVar[GeneratorCalls | None] = ContextVar("generator_calls", default=None)


class noting_generators:
    """Record the generator functions that a trace calls, some of which are staged.

    A class, since a generator would set attributes of the exceptions that come through it.
    """

    __slots__ = ("_calls", "_token")
    _token: Token[GeneratorCalls | None]

    def __init__(self, staged: StagedGenerators) -> None:
        self._calls = GeneratorCalls(staged)

    def __enter__(self) -> GeneratorCalls:
        self._token = _GENERATOR_CALLS.set(self._calls)
        return self._calls

    def __exit__(self, *error: object) -> None:
        _GENERATOR_CALLS.reset(self._token)


def generator_calls() -> GeneratorCalls | None:
    """Return the generator functions that the current trace has called; None outside of traces.

    >>> generator_calls() is None
    True
    """
    return _GENERATOR_CALLS.get()


def _has_begun(generator: Any) -> bool:
    return getgeneratorstate(generator) in (GEN_RUNNING, GEN_SUSPENDED)


def gives_up(endless: Iterable[Any] | None = None) -> bool:
    """Return whether a long loop is left to another trace, in which generators are staged.

    Args:
        endless: the generators that the loop draws from, if it is left only where one is endless.
    """
    calls = generator_calls()
    if calls is None or calls.staged.is_last or not calls.in_python:
        return False
    if endless is not None and not any(map(calls.is_endless, endless)):
        return False
    calls.gave_up = True
    return True


def _codes_within(error: BaseException) -> Iterator[CodeType]:
    entry = error.__traceback__
    while entry is not None:
        yield entry.tb_frame.f_code
        entry = entry.tb_next


def masked_by_generator(errors: list[Exception]) -> Exception | None:
    """Return an error of the tracing that a user's generator has caught; forget the others.

    Such an error has left all frames but that of the generator, which has continued. Other code
    that catches one only tests whether a value is known.
    """
    found = [error for error in errors if _is_masked(error)]
    errors.clear()
    return found[0] if found else None


def _is_masked(error: Exception) -> bool:
    entry = error.__traceback__
    code = None if entry is None else entry.tb_frame.f_code
    return code is not None and bool(code.co_flags & CO_GENERATOR) and not is_ours(code)
