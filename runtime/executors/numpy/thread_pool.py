"""Runs parts of a plan in parallel, on one thread pool and on the caller's thread.

(a,), (b,) = side_by_side((part, x), (part_1, y))

The caller runs the first part, then the parts that no thread has started, and waits for the rest.
So a part that has parallel parts itself never waits for a free thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from runtime.core.errstate import ignore_warnings, restore_warnings
from runtime.core.fork_safety import fork_safe_lock, run_in_child
from runtime.core.lazy_imports import lazy_import
from runtime.executors.analysis.cost_model import cores

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

_new_pool = lazy_import("concurrent.futures:ThreadPoolExecutor")
_wait = lazy_import("concurrent.futures:wait")

# A function and its arguments.
Part: TypeAlias = "tuple[Any, ...]"


class PartResult(NamedTuple):
    """The results of a part, or its exception."""

    results: Sequence[Any] = ()
    error: BaseException | None = None


_lock = fork_safe_lock()
_pool: ThreadPoolExecutor | None = None


def side_by_side(*parts: Part) -> list[Sequence[Any]]:
    """Return the results of independent parts without effects, in order.

    Raises:
        BaseException: the error of the first part that raised one. No part is running then,
            unless it is a KeyboardInterrupt.
    """
    begun = [_begin(part) for part in parts[1:]]
    try:
        outcomes = [PartResult(parts[0][0](*parts[0][1:]))]
        # The threads start with the first parts, this thread with the last ones.
        own = {
            at: outcome_of(parts[1 + at])
            for at, future in reversed(list(enumerate(begun)))
            if future is None or future.cancel()
        }
        for at, future in enumerate(begun):
            outcome = own[at] if future is None or at in own else future.result()
            if outcome.error is not None:
                raise outcome.error
            outcomes.append(outcome)
    except BaseException as error:
        _end(begun, waits=not isinstance(error, KeyboardInterrupt))
        raise
    return [outcome.results for outcome in outcomes]


def outcome_of(part: Part) -> PartResult:
    """Run a part and return its outcome; a KeyboardInterrupt is raised instead."""
    token = ignore_warnings()
    try:
        return PartResult(part[0](*part[1:]))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return PartResult(error=error)
    finally:
        restore_warnings(token)


def _begin(part: Part) -> Future[PartResult] | None:
    """Submit a part to the pool; return None if no thread can be started."""
    try:
        return _started().submit(copy_context().run, outcome_of, part)
    except RuntimeError:
        return None


def _end(begun: Sequence[Future[PartResult] | None], waits: bool) -> None:
    going_on = [future for future in begun if future is not None and not future.cancel()]
    if waits:
        _wait(going_on)


def _started() -> ThreadPoolExecutor:
    global _pool
    pool = _pool
    if pool is None:
        with _lock:
            if _pool is None:
                # The calling thread works too.
                _pool = _new_pool(max(1, cores() - 1), "autograph")
            pool = _pool
    return pool


@run_in_child
def _forget() -> None:
    """Drop the pool in a forked process, which has only one thread."""
    global _pool
    _pool = None
