"""Listeners for the calls of converted code, and the generator functions that a trace calls.

While a statement is staged, or a function traced, listeners watch the objects that its code may
change. At each call they learn which function runs. Generators run in Python in the first trace of
a function; if that fails, another trace stages them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from functools import lru_cache
from inspect import CO_GENERATOR, GEN_RUNNING, GEN_SUSPENDED, getgeneratorstate
from threading import get_ident
from types import CodeType
from typing import Any, NamedTuple, Protocol
from weakref import ref

from autograph.operators.frames import is_internal_code
from runtime.core.weak_tables import weakref_removing


class CallListener(Protocol):
    """A listener that is notified of calls for as long as it lives."""

    thread: int
    recorder: Any

    def note(self, callee: Any) -> None:
        """Record a user's callable that is about to run."""


# The listeners by identity. Outside of traces it is empty, and a call only tests that.
LISTENERS: dict[int, ref[Any]] = {}


class StateInputs(Protocol):
    """Numbers, list items and array elements in state that are inputs of a graph."""

    def check_use(self, function: Any, given: Iterable[object]) -> None:
        """Raise a StagingError if unconverted code reaches a container of inputs."""

    def is_substitute(self, value: object) -> bool:
        """Return whether a value is a tuple of inputs that replaces a tuple of the program."""


# The inputs of traces that have such inputs.
TRACE_INPUTS: dict[int, StateInputs] = {}


def check_use(function: Any, given: Iterable[object]) -> None:
    """Raise a StagingError if unconverted code reaches a container of inputs of a graph.

    Args:
        function: the function that is about to be called.
        given: its arguments.
    """
    for each in list(TRACE_INPUTS.values()):
        each.check_use(function, given)


def hold_inputs(*values: object) -> bool:
    """Return whether one of the values is a tuple of inputs that replaces one of the program."""
    return any(
        inputs.is_substitute(value) for inputs in list(TRACE_INPUTS.values()) for value in values
    )


def listen(listener: CallListener) -> None:
    """Notify `listener` of the calls of its thread from now on."""
    LISTENERS[id(listener)] = weakref_removing(listener, LISTENERS, id(listener))


def stop_listening(listener: CallListener) -> None:
    """Notify `listener` of no more calls."""
    LISTENERS.pop(id(listener), None)


def listeners() -> list[Any]:
    """Return the listeners of all threads."""
    found = [reference() for reference in list(LISTENERS.values())]
    return [each for each in found if each is not None]


def stop_listeners(recorder: Any) -> None:
    """Remove the listeners of a graph and its regions.

    An exception that outlives the trace may keep them alive.
    """
    for listener in listeners():
        if is_within(listener.recorder, recorder):
            stop_listening(listener)


def is_within(inner: Any, outer: Any) -> bool:
    """Return whether a graph is another one, or a region in it."""
    while inner is not None and inner is not outer:
        inner = inner.outer
    return inner is not None


def notify_call(callee: object) -> None:
    """Notify listeners of a callable that converted code of this thread is about to call.

    >>> class Names(list):
    ...     thread, recorder = get_ident(), None
    ...     def note(self, callee):
    ...         self.append(callee.__name__)
    >>> names = Names()
    >>> listen(names)
    >>> notify_call(len)
    >>> names
    ['len']
    """
    thread = get_ident()
    for listener in listeners():
        if listener.thread == thread:
            listener.note(callee)


CACHED_FUNCTION: Any = type(lru_cache(len))
"""The type of functions under `functools.lru_cache`, which keep their results."""


def result_notified(function: Callable[..., object]) -> Callable[..., object]:
    """Return a function with a cache that notifies listeners of each result: the cache holds it."""

    def call(*args: object, **kwargs: object) -> object:
        result = function(*args, **kwargs)
        thread = get_ident()
        for listener in listeners():
            if listener.thread == thread and (note := getattr(listener, "record_result", None)):
                note(f"{getattr(function, '__name__', 'function')}()", result)
        return result

    return call


def notify_output(call: str, values: Iterable[object] = ()) -> None:
    """Notify listeners that code of this thread writes output while it is traced.

    Args:
        call: the call that writes it, such as `print`.
        values: its arguments.
    """
    thread = get_ident()
    for listener in listeners():
        if listener.thread == thread and (note := getattr(listener, "record_output", None)):
            note(call, values)


class StagedGenerators(NamedTuple):
    """The generators that a trace stages; their consumers are loops of the graph.

    Attributes:
        codes: the code objects of their functions.
        listed: the code objects of generators whose items are computed ahead of time, since the
            program resumes them after a loop that a tensor may end.
        is_first: whether the trace is the first attempt.
        deferred_loop: whether an earlier attempt has left a long loop to a later one.
        failure: the error of the last attempt with staged generators, for the one without.
    """

    codes: frozenset[CodeType] = frozenset()
    listed: frozenset[CodeType] = frozenset()
    is_first: bool = True
    deferred_loop: bool = False
    failure: Exception | None = None

    @property
    def is_last(self) -> bool:
        """True if the trace is the last attempt, in which Python runs all generators."""
        return not self.is_first and not self.codes


@dataclass(slots=True, eq=False, repr=False)
class GeneratorCalls:
    """The generator functions that are called in a trace.

    Attributes:
        staged: the generators that the trace stages.
        in_python: the code objects of the others, each with a function that returns its consumer
            form, or None if it cannot be staged.
        driven: the generators that these functions have made.
        deferred_loop: whether the trace has left a long loop to another one.
        resumed: the code object of a staged generator that the program resumes after a loop, and
            that could be listed.
    """

    staged: StagedGenerators
    resumed: CodeType | None = None
    in_python: dict[CodeType, Callable[[], Any]] = field(default_factory=dict)
    driven: list[ref[Any]] = field(default_factory=list)
    deferred_loop: bool = False

    def has_pending_cleanup(self) -> bool:
        """Return whether a running generator that could be staged has effects when it is closed."""
        alive = [each for each in (made() for made in self.driven) if each is not None]
        self.driven = list(map(ref, alive))
        codes = [each.gi_code for each in alive if _has_begun(each)]
        found = [self.in_python[code]() for code in codes if code in self.in_python]
        return any(each is not None and each[-1].tidies_up for each in found)

    def is_endless(self, generator: Any) -> bool:
        """Return whether a generator that Python runs has no end, and could be staged."""
        found = self.in_python[generator.gi_code]() if generator.gi_code in self.in_python else None
        return found is not None and found[-1].is_endless

    def close(self) -> None:
        """Close the generators of a failed trace, before its changes are undone."""
        for each in (made() for made in self.driven):
            # A `finally` may raise an error about tensors of the failed trace.
            with suppress(Exception):
                each is None or each.gi_running or each.close()

    def next_attempt(self, error: Exception) -> StagedGenerators | None:
        """Return the generators to stage in another trace after an error; None for no other trace.

        These are the generators in whose frames the error was raised, or else all generators.

        Raises:
            Exception: the error of the last attempt with staged generators, if no more are left.
        """
        if self.resumed is not None and self.resumed not in self.staged.listed:
            listed, failure = self.staged.listed | {self.resumed}, self.staged.failure
            return self.staged._replace(listed=listed, failure=failure or error)
        is_last = self.staged.is_last
        found = self._to_stage(_codes_within(error)) or self._to_stage(self.in_python)
        deferred_loop = self.deferred_loop or self.staged.deferred_loop
        if found and not is_last:
            return self.staged._replace(
                codes=self.staged.codes | found,
                is_first=False,
                deferred_loop=deferred_loop,
            )
        if (is_last or self.staged.listed) and self.staged.failure is not None:
            raise self.staged.failure
        return (
            StagedGenerators(is_first=False, failure=error)
            if deferred_loop and not is_last
            else None
        )

    def _to_stage(self, codes: Iterable[CodeType]) -> frozenset[CodeType]:
        found = (code for code in codes if code in self.in_python)
        return frozenset(code for code in found if self.in_python[code]() is not None)


_GENERATOR_CALLS: ContextVar[GeneratorCalls | None] = ContextVar("generator_calls", default=None)


class recording_generators:
    """Record the generator functions that a trace calls.

    A class, not a generator: `contextlib` sets attributes of the exceptions that pass through it.
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


def defers_loop(endless: Iterable[Any] | None = None) -> bool:
    """Return whether a long loop is left to another trace, which stages generators.

    Args:
        endless: the generators that the loop iterates over, if it is left only for an endless one.
    """
    calls = generator_calls()
    if calls is None or calls.staged.is_last or not calls.in_python:
        return False
    if endless is not None and not any(map(calls.is_endless, endless)):
        return False
    calls.deferred_loop = True
    return True


def _codes_within(error: BaseException) -> Iterator[CodeType]:
    entry = error.__traceback__
    while entry is not None:
        yield entry.tb_frame.f_code
        entry = entry.tb_next


def masked_by_generator(errors: list[Exception]) -> Exception | None:
    """Return a tracing error that a user's generator has caught; clear the list.

    The traceback of such an error begins in the generator. Other code that catches tracing errors
    only tests whether a value is known.
    """
    found = [error for error in errors if _is_masked(error)]
    errors.clear()
    return found[0] if found else None


def _is_masked(error: Exception) -> bool:
    entry = error.__traceback__
    code = None if entry is None else entry.tb_frame.f_code
    return code is not None and bool(code.co_flags & CO_GENERATOR) and not is_internal_code(code)
