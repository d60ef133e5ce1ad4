"""Runs recursive functions on trees that nest too deeply for Python's usual stack.

A sum of a thousand terms is a tree of a thousand levels, which Python compiles. A function that
visits such a tree runs in a thread with a larger stack; so does one that is called with little
stack left.
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
_thread = threading.local()
# The recursion limit and the stack size to restore after the work on the larger stack.
_saved_limits: list[tuple[int, int]] = []


class RecursionDepthExceeded(RecursionError):
    """The work nests too deeply for the larger stack, too."""


def with_large_stack(work: Callable[[], T], retry: Callable[[], T] | None = None) -> T:
    """Return the result of `work`; if the stack is too small for it, it runs on a larger one.

    Args:
        work: the function; it may be called a second time, in another thread.
        retry: the function to call the second time, if `work` has changed its input.

    Raises:
        RecursionDepthExceeded: the larger stack is too small as well, or cannot be made.
        RecursionError: the stack is too small in a call inside another one, which starts again.

    >>> def depth_of(n):
    ...     return 0 if n == 0 else 1 + depth_of(n - 1)
    >>> with_large_stack(lambda: depth_of(5000))
    5000
    """
    if getattr(_thread, "is_working", False):
        return work()  # the outer call is repeated as a whole
    _thread.is_working = True
    try:
        return work()
    except RecursionError:
        pass
    finally:
        _thread.is_working = False
    try:
        return _on_larger_stack(retry or work)
    except RecursionError as error:
        raise RecursionDepthExceeded(str(error)) from None


def _on_larger_stack(work: Callable[[], T]) -> T:
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        _thread.is_working = True
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
    """Run in a thread with a large stack; then restore the limits, which all threads share."""
    limit, stack = sys.getrecursionlimit(), threading.stack_size(_STACK_BYTES)
    _saved_limits.append((limit, stack))
    try:
        thread = threading.Thread(target=run, name="autograph-conversion", daemon=True)
        sys.setrecursionlimit(max(limit, _FRAMES))
        try:
            thread.start()
            thread.join()
        except RuntimeError as error:
            raise RecursionError("no thread with a larger stack can be started") from error
    finally:
        _restore_limits()


@run_in_child
def _restore_limits() -> None:
    while _saved_limits:
        limit, stack = _saved_limits.pop()
        threading.stack_size(stack)
        sys.setrecursionlimit(limit)
