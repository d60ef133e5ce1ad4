"""`try` and `with` as generated code calls them.

Some `try` statements stay Python's own while a graph is recorded. Their handlers catch exceptions
of the trace, but not those of a run, so the backend refuses nodes that may raise one of these.
The handlers of the program do not catch such a refusal.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
from types import FunctionType, TracebackType
from typing import Any

from autograph.backends.protocol import Backend, Backends
from autograph.backends.try_block import Body, Handler, TryBlock
from autograph.backends.with_block import WithBlock
from autograph.errors import AutographError, ConversionError, StagingError
from autograph.operators.call_listeners import notify_call
from autograph.operators.state import GetState, Names, SetState, state_of
from autograph.operators.tracebacks import drop_internal_frames
from autograph.operators.tracebacks import with_user_frames as clean

Turned = Callable[[FunctionType], "tuple[FunctionType, str] | None"]
_OfGenerator: Any = contextlib._GeneratorContextManager


class _YieldCallback:
    """Runs the body of a `with` at the `yield` of the context manager's generator.

    Args:
        takes: whether the body takes the yielded value.
    """

    def __init__(self, takes: bool) -> None:
        self._takes, self.is_done = takes, False

    def __call__(self, body: Callable[..., object], value: object) -> None:
        self.is_done = True
        notify_call(body)
        if self._takes:
            body(value)
        else:
            body()


class Tries:
    """The operators for `try`, `with` and `raise`.

    Args:
        backends: the first one that stages anything stages the statement.
        inverted: returns the inverted form of a context manager's generator.
    """

    handler = Handler

    def __init__(self, backends: Backends, inverted: Turned = lambda made: None) -> None:
        self._turned, self._of = inverted, backends.of
        self._backends, self._meet = backends.backends, backends.register_type

    def try_stmt(
        self,
        body: Body,
        handlers: Sequence[Handler],
        orelse: Callable[[], object] | None,
        final: Callable[[], object] | None,
        flags: Names,
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        nouts: int,
    ) -> None:
        """Run `body()`, and then the handlers, `else` and `finally` for its outcome.

        `flags` are the symbols that are flags of jumps, which an exception resets.
        """
        backend = self._staging()
        tried = TryBlock(body, handlers, orelse, final, frozenset(flags))
        if backend is None:
            return replace(tried, body=clean(body)).run()
        return backend.try_stmt(tried, state_of(get_state, set_state, symbol_names, nouts))

    def with_stmt(
        self,
        manager: Any,
        body: Callable[..., object],
        target: str | None,
        flags: Names,
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        nouts: int,
    ) -> None:
        """Run `body()` between the beginning and the end of a context manager.

        `target` is the target of `as`, as the user writes it; without one, `body` takes nothing.
        """
        backend = self._staging()
        managed = WithBlock(
            manager, body, target is not None, frozenset(flags), clean=drop_internal_frames
        )
        if backend is None:
            return managed.run()
        try:
            around = self._around(managed)
        except ConversionError as error:
            managed, around = replace(managed, refused=error.message), None
        if around is not None:
            return around()
        self._meet(type(manager))
        return backend.with_stmt(managed, state_of(get_state, set_state, symbol_names, nouts))

    def raised(self, value: Any) -> Any:
        """Return the exception to raise for a value or cause; the value may be one of several."""
        if isinstance(value, (BaseException, type)):
            return value
        backend = self._of(value)
        return value if backend is None else backend.call("raised", (value,), {})

    def _around(self, managed: WithBlock) -> Callable[[], None] | None:
        """Return a function that runs the body inside of the manager's inverted generator.

        None if the manager is no such generator.
        """
        manager = managed.manager
        if type(manager) is not _OfGenerator or not hasattr(manager, "func"):
            return None
        inverted = self._turned(manager.func)
        if inverted is None:
            return None
        function, name = inverted
        manager.gen.close()
        yielded = _YieldCallback(managed.takes)
        # A partial shows the body: its changes are searched in called functions.
        body = partial(yielded, managed.body)

        def run() -> None:
            notify_call(function)
            function(*manager.args, **manager.kwds, **{name: body})
            if not yielded.is_done:
                raise RuntimeError("generator didn't yield")

        return run

    def _staging(self) -> Backend | None:
        return _staging(self._backends)


def _staging(backends: Iterable[Backend]) -> Backend | None:
    """Return the first backend that has recorded anything."""
    return next((b for b in backends if b.recorder() is not None and b.staging()), None)


# -- uncatchable -----------------------------------------------------------------------------------


_WHAT = {
    "star": "`except*` catches exceptions that are raised while the function is traced, and this "
    "one may be raised when the graph runs: write `except` in place of `except*`, or raise outside "
    "of the `try`",
    "yield": "a `try` with a `yield` or `await` in it, or with a jump past one, catches exceptions "
    "that are raised while the function is traced, and this one may be raised when the graph runs: "
    "write a `try` of its own around this, without the `yield` or the jump",
}
# The refusals in the body of each open statement, innermost last.
_REFUSED: ContextVar[tuple[list[AutographError], ...]] = ContextVar("refused", default=())


class UncatchableErrors:
    """The operators for `try` statements that stay Python's own.

    Args:
        backends: the first one that stages anything refuses nodes.
    """

    def __init__(self, backends: Backends) -> None:
        self._backends = backends.backends
        self.refusals = _Refusals()

    def uncatchable(self, kinds: Callable[[], tuple[Any, ...]], what: str) -> Any:
        """Return the context manager for statements whose handlers only Python can execute.

        Args:
            kinds: returns the classes of the handlers.
            what: the reason, a key of `_WHAT`.
        """
        backend = _staging(self._backends)
        if backend is None:
            return nullcontext()
        return _RefusalRecorder(backend.call("uncatchable", (kinds, _WHAT[what]), {}))

    @staticmethod
    def pass_refusal() -> None:
        """Raise the current exception again if it is a refusal."""
        error = sys.exc_info()[1]
        if isinstance(error, StagingError) or getattr(error, "_is_of_body", False):
            raise error  # type: ignore[misc]


class _RefusalRecorder:
    """Records the refusals that are raised in a body."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __enter__(self) -> None:
        self._inner.__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._inner.__exit__(kind, error, traceback)
        if isinstance(error, AutographError):
            error.__dict__["_is_of_body"] = True
            for each in _REFUSED.get()[-1:]:
                each.append(error)


class _Refusals:
    """A context manager around a statement that raises the first refusal from its body."""

    def __enter__(self) -> None:
        _REFUSED.set((*_REFUSED.get(), []))

    def __exit__(self, *error: object) -> None:
        *outer, own = _REFUSED.get()
        _REFUSED.set(tuple(outer))
        if own:
            raise own[0] from None
