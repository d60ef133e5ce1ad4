"""`try` as generated code calls it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from autograph.backends.protocol import Backend, Backends
from autograph.backends.tried import Body, Handler, Tried
from autograph.operators.state import GetState, Names, SetState, state_of
from autograph.operators.tracebacks import showing_users_frames as clean


class Tries:
    """The try statement.

    Args:
        backends: the first of them that stages anything stages this, too.
    """

    handler = Handler

    def __init__(self, backends: Backends) -> None:
        self._backends = backends.backends

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
        """Run `body()`, and what belongs to what becomes of it.

        `flags` are the symbols that are flags of jumps: what raises takes them back.
        """
        backend = self._staging()
        tried = Tried(body, handlers, orelse, final, frozenset(flags))
        if backend is None:
            return replace(tried, body=clean(body)).run()
        return backend.attempt(tried, state_of(get_state, set_state, symbol_names, nouts))

    def suppress_stmt(
        self,
        manager: Callable[[], Any],
        body: Body,
        flags: Names,
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        nouts: int,
    ) -> None:
        """Run `body()` inside of a `contextlib.suppress(...)`, which `manager` makes."""
        made, backend = manager(), self._staging()
        if backend is None:
            with made:
                body()
            return
        handler = Handler(lambda: made._exceptions, _do_nothing)
        tried = Tried(body, (handler,), flags=frozenset(flags))
        backend.attempt(tried, state_of(get_state, set_state, symbol_names, nouts))

    def _staging(self) -> Backend | None:
        return next((b for b in self._backends if b.active() and b.staging()), None)


def _do_nothing() -> None:
    return None
