"""Runs recursive work on trees that nest deeper than Python's stack allows.

A sum of a thousand terms is a tree a thousand levels deep, which Python itself compiles without
trouble. What walks over such a tree in Python does so on a stack of its own, and so does what is
called with hardly any stack left.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

from runtime.core.fork_safety import fork_safe_lock, run_in_child

T = TypeVar("T")

_FRAMES = 40_000
_STACK_BYTES = 256 * 1024 * 1024

_lock = fork_safe_lock()
_here = threading.local()
# The limit of recursion and the stack size to restore after the larger stack.
_usual: list[tuple[int, int]] = []


class RecursionDepthExceeded(RecursionError):
    """Work nests deeper than even the larger stack allows."""


def with_large_stack(work: Callable[[], T], again: Callable[[], T] | None = None) -> T:
    """Return the result of `work`; if the stack is too small for it, it runs on a larger one.

    Args:
        work: may be called a second time, in another thread.
        again: what to do the second time, where `work` uses something up.

    Raises:
        RecursionDepthExceeded: the larger stack is too small as well, or cannot be had. Inside
            of other work on a larger stack, a plain RecursionError leaves the decision to that.

    >>> def depth_of(n):
    ...     return 0 if n == 0 else 1 + depth_of(n - 1)
    >>> with_large_stack(lambda: depth_of(5000))
    5000
    """
    if getattr(_here, "is_working", False):
        return work()  # the outer call is repeated as a whole
    _here.is_working = True
    try:
        return work()
    except RecursionError:
        pass
    finally:
        _here.is_working = False
    try:
        return _on_larger_stack(again or work)
    except RecursionError as error:
        raise RecursionDepthExceeded(str(error)) from None


def _on_larger_stack(work: Callable[[], T]) -> T:
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        _here.is_working = True
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    with _lock:
        _run_in_thread(run)
    if errors:
        raise errors[0]
    return results[0]


def _run_in_thread(run: Callable[[], None]) -> None:
    """Run in a thread with a large stack; restore the limit, which all threads share."""
    limit, stack = sys.getrecursionlimit(), threading.stack_size(_STACK_BYTES)
    _usual.append((limit, stack))
    try:
        thread = threading.Thread(target=run, name="autograph-conversion", daemon=True)
        sys.setrecursionlimit(max(limit, _FRAMES))
        try:
            thread.start()
            thread.join()
        except RuntimeError as error:
            raise RecursionError("no thread with a larger stack can be started") from error
    finally:
        _put_back()


@run_in_child
def _put_back() -> None:
    while _usual:
        limit, stack = _usual.pop()
        threading.stack_size(stack)
        sys.setrecursionlimit(limit)
