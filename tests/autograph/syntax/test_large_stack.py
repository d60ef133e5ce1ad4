"""Deeply nested work runs on a larger stack."""

from __future__ import annotations

import sys
import threading

import pytest

from autograph.syntax.large_stack import RecursionDepthExceeded, with_large_stack


def depth(n: int) -> int:
    return 0 if n == 0 else 1 + depth(n - 1)


def test_shallow_work_runs_on_the_calling_thread() -> None:
    assert threading.current_thread() is with_large_stack(threading.current_thread)


def test_deep_work_is_done_on_a_larger_stack() -> None:
    limit, size = sys.getrecursionlimit(), threading.stack_size()
    assert 8 * limit == with_large_stack(lambda: depth(8 * limit))
    assert (limit, size) == (sys.getrecursionlimit(), threading.stack_size())


def test_consumed_work_is_repeated() -> None:
    calls: list[str] = []

    def first() -> int:
        calls.append("first")
        return depth(5000)

    def second() -> int:
        calls.append("second")
        return depth(5000)

    assert 5000 == with_large_stack(first, second)
    assert ["first", "second"] == calls


def test_errors_propagate() -> None:
    def work() -> None:
        depth(5000)
        raise KeyError(1)

    with pytest.raises(KeyError):
        with_large_stack(work)


def test_endless_work_is_a_recursion_error() -> None:
    def endless() -> int:
        return with_large_stack(endless) + 1

    with pytest.raises(RecursionDepthExceeded):
        with_large_stack(endless)


def test_work_inside_other_work_leaves_the_room_to_that() -> None:
    tried: list[str] = []

    def inner() -> int:
        try:
            return with_large_stack(lambda: depth(5000))
        except RecursionDepthExceeded:
            tried.append("gave up")
            return 0

    assert 5000 == with_large_stack(inner)
    assert [] == tried


def test_threads_may_need_room_at_once() -> None:
    results: list[int] = []
    limit = sys.getrecursionlimit()

    def work() -> None:
        results.append(with_large_stack(lambda: depth(3000)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [3000] * 4 == results
    assert limit == sys.getrecursionlimit()
