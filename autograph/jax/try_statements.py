"""`try` statements: a handler runs where the condition of the exception is true.

    try:                           y = lax.cond(x < 0,
        if x < 0:                               lambda: 0.0,           the handler
            raise ValueError       ->           lambda: sqrt(x))       the body, without the `raise`
        y = sqrt(x)
    except ValueError:
        y = 0.0

The body is traced up to the first such exception. Then a conditional chooses between the handler,
with the variables as they are there, and the whole body, in which it is not raised.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jax

from autograph.backends.try_block import Handler, TryBlock, is_caught_by
from autograph.backends.with_block import WithBlock
from autograph.errors import StagingError
from autograph.jax.conditionals.conditional import staged_cond
from autograph.jax.heap import Heap
from autograph.jax.location import STACKS, location
from autograph.jax.raised_errors import OpenTry, Raised, Raises, open_try, passes_handlers
from autograph.operators.state import State


def staged_try(tried: TryBlock, state: State) -> None:
    """Execute a `try` statement.

    Raises:
        StagingError: a handler depends on a condition in a place where it cannot run.
    """
    try:
        if tried.handlers:
            _guarded(tried, state, 0)
        else:
            replace(tried, final=None).run()
    finally:
        if tried.final is not None:
            tried.final()


def staged_with(managed: WithBlock, state: State) -> None:
    """Execute a `with` statement; `contextlib.suppress` is a `try` with an empty handler."""
    if type(managed.manager) is not contextlib.suppress:
        return managed.run()
    kinds = vars(managed.manager)["_exceptions"]
    handler = Handler(lambda: kinds, lambda: None)
    return staged_try(TryBlock(lambda: managed.inside(None), [handler], flags=managed.flags), state)


def uncatchable(kinds: Callable[[], tuple[Any, ...]], reason: str) -> Any:
    """Return the context of a body whose handlers Python alone can run."""

    def catches(error: BaseException) -> bool:
        return any(kind is None or is_caught_by(type(error), kind) for kind in kinds())

    return open_try(OpenTry(catches, reason=reason))


def _guarded(tried: TryBlock, state: State, skips: int) -> None:
    """Execute the body, its handlers and the `else`.

    Args:
        skips: the number of conditional exceptions that the body does not raise.
    """
    parts = (tried.body, *(each.body for each in tried.handlers), tried.orelse)
    heap = Heap(parts, dict(zip(state.names, state.get())))
    start, pairs = state.get(), STACKS.pairs
    opened = OpenTry(tried.handler_of, skips)

    def undo() -> None:
        heap.restore()
        state.set(start)
        STACKS.pairs = pairs

    try:
        with open_try(opened):
            tried.body()
    except Raises as raised:
        if raised.within is not opened:
            raise
        found = raised
    except BaseException as error:
        handler = None if passes_handlers(error) else tried.handler_of(error)
        if handler is None:
            raise
        return handler.run(error)
    else:
        return None if tried.orelse is None else tried.orelse()  # type: ignore[return-value]
    changes = [(heap.objects[at], contents) for at, contents in heap.changes().items()]
    values, aliases = list(state.get()), STACKS.pairs
    for at, name in enumerate(state.names):
        if name in tried.flags:
            values[at] = start[at]
    undo()
    if opened.printed or _has_effects(tried.body, OpenTry(tried.handler_of, skips), undo):
        raise StagingError(
            "this `try` prints before an exception that only a run knows whether it is raised, and "
            "its body is traced twice: print before the `try`, or after it",
            location(),
        )

    def handling(raised: Raised) -> Callable[[], None]:
        def handle() -> None:
            for place, contents in changes:
                place.write(contents)
            state.set(tuple(values))
            STACKS.pairs = [pair.renewed() for pair in aliases]
            raised.enter()
            handler = tried.handler_of(raised.error)
            assert handler is not None
            try:
                raise raised.error
            except BaseException:
                handler.run(raised.error)

        return handle

    def go_on() -> None:
        _guarded(tried, state, skips + 1)

    otherwise = go_on if found.otherwise is None else handling(found.otherwise)
    what = "the exception in this `try`"
    staged_cond(found.test, handling(found.raised), otherwise, state, what, parts=parts)


def _has_effects(body: Callable[[], object], opened: OpenTry, undo: Callable[[], None]) -> bool:
    """Return whether a body prints, or calls Python, before the exception that it raises."""

    def traced() -> list[Any]:
        with open_try(opened), contextlib.suppress(Raises):
            body()
        undo()
        return []

    effects = jax.make_jaxpr(traced)().effects
    # Those of checks may be there twice.
    return any("Error" not in type(each).__name__ for each in effects)
