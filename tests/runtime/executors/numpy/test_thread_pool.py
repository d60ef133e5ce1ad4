"""Parallel parts on threads: with one caller and with many, and after a fork."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from contextvars import ContextVar
from typing import Any

import numpy as np
import pytest

from runtime.core.errstate import ignore_warnings, restore_warnings
from runtime.executors.numpy import thread_pool as pool
from runtime.executors.numpy.thread_pool import side_by_side

_HELD: ContextVar[str] = ContextVar("held", default="nothing")


def doubled(x: Any) -> tuple[Any]:
    return (2 * x,)


def failing(error: BaseException, seconds: float = 0.0) -> tuple[Any]:
    time.sleep(seconds)
    raise error


def nested(depth: int) -> tuple[int]:
    if not depth:
        return (1,)
    return (sum(each for (each,) in side_by_side(*[(nested, depth - 1)] * 3)),)


def test_parts_return_their_results_in_order() -> None:
    assert [(2 * n,) for n in range(20)] == side_by_side(*[(doubled, n) for n in range(20)])


def test_two_are_at_work_at_once() -> None:
    meet = threading.Barrier(2, timeout=20)
    assert {0, 1} == {at for (at,) in side_by_side(*[(lambda: (meet.wait(),),)] * 2)}


def test_parts_have_parts_with_few_threads() -> None:
    assert [(3**5,)] * 4 == side_by_side(*[(nested, 5)] * 4)


def test_many_callers_share_the_pool() -> None:
    found: list[Any] = []
    callers = [threading.Thread(target=lambda: found.append(nested(4))) for _ in range(8)]
    for each in callers:
        each.start()
    for each in callers:
        each.join(60)
    assert [(3**4,)] * 8 == found


@pytest.mark.parametrize("slow", [0.0, 0.05])
def test_the_error_of_the_first_part_wins(slow: float) -> None:
    first, second = ValueError("first"), KeyError("second")
    with pytest.raises(ValueError, match="first"):
        side_by_side((doubled, 1), (failing, first, slow), (failing, second))
    with pytest.raises(ValueError, match="first"):
        side_by_side((failing, first, slow), (failing, second))
    with pytest.raises(SystemExit):
        side_by_side((doubled, 1), (failing, SystemExit()), (failing, second))


def test_an_error_waits_for_running_parts() -> None:
    ended = threading.Event()

    def slow() -> tuple[Any]:
        time.sleep(0.05)
        ended.set()
        return (1,)

    begun = threading.Event()

    def waits_then_fails() -> tuple[Any]:
        begun.wait(0.02)
        raise ValueError("at once")

    with pytest.raises(ValueError, match="at once"):
        side_by_side((waits_then_fails,), (slow,))
    was = ended.is_set()
    time.sleep(0.1)
    assert ended.is_set() is was


def test_threads_are_as_the_caller() -> None:
    _HELD.set("something")
    meet = threading.Barrier(2, timeout=20)

    def look() -> tuple[Any, ...]:
        meet.wait()
        return _HELD.get(), np.geterr()["divide"], float(np.float64(1.0) / np.float64(0.0))

    token = ignore_warnings()
    try:
        found = side_by_side((look,), (look,))
    finally:
        restore_warnings(token)
    assert [("something", "ignore", np.inf)] * 2 == found


def test_without_threads_the_caller_runs_all_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def submit(self, *given: Any) -> Any:
            raise RuntimeError("cannot schedule new futures after shutdown")

    monkeypatch.setattr(pool, "_pool", Full())
    assert [(2,), (4,)] == side_by_side((doubled, 1), (doubled, 2))


@pytest.mark.parametrize(
    "way", sorted({"fork", "spawn"} & {*multiprocessing.get_all_start_methods()})
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_process_has_its_own_threads(way: str) -> None:
    side_by_side((doubled, 1), (doubled, 2))
    child = multiprocessing.get_context(way).Process(target=_runs_side_by_side)
    child.start()
    child.join()
    assert 0 == child.exitcode


def _runs_side_by_side() -> None:
    # Two parts that wait for each other end only where each has a thread.
    both = threading.Barrier(2, timeout=5)
    try:
        found = side_by_side((_wait_for_both, both), (_wait_for_both, both))
    except threading.BrokenBarrierError:
        os._exit(1)
    os._exit(0 if sorted(found) == [(0,), (1,)] else 2)


def _wait_for_both(both: threading.Barrier) -> tuple[int]:
    return (both.wait(),)
