"""The lock of tracing is reentrant, waits, and does not deadlock."""

from __future__ import annotations

import threading

from autograph.functions.trace_cache.trace_lock import TraceLock


def in_thread(work):
    """Run in a thread that has to come to an end; return the thread and its list of results."""
    results = []
    thread = threading.Thread(target=lambda: results.append(work()))
    thread.start()
    return thread, results


def test_the_lock_is_reentrant():
    lock = TraceLock()
    with lock as outer, lock as inner:
        assert outer and inner
    _, results = waited(in_thread(lock.take))
    assert results == [True]


def waited(started):
    thread, results = started
    thread.join(timeout=20)
    assert not thread.is_alive()
    return thread, results


def test_another_thread_waits_for_the_lock():
    lock, order = TraceLock(), []

    def work():
        with lock:
            order.append("second")

    with lock:
        started = in_thread(work)
        started[0].join(timeout=0.05)
        order.append("first")
    waited(started)
    assert order == ["first", "second"]


def test_two_threads_do_not_deadlock():
    first, second, both_have_one = TraceLock(), TraceLock(), threading.Barrier(2)

    def work(own, other):
        with own:
            both_have_one.wait(timeout=20)
            with other as taken:
                return taken

    for _ in range(20):
        started = [in_thread(lambda: work(first, second)), in_thread(lambda: work(second, first))]
        results = [result for each in started for result in waited(each)[1]]
        assert sorted(results) in ([False, True], [False, False])
    with first, second:
        pass


def test_a_ring_of_threads_does_not_deadlock():
    locks, all_have_one = [TraceLock() for _ in range(5)], threading.Barrier(5)

    def work(at):
        with locks[at]:
            all_have_one.wait(timeout=20)
            with locks[(at + 1) % 5] as taken:
                return taken

    for _ in range(10):
        started = [in_thread(lambda at=at: work(at)) for at in range(5)]
        results = [result for each in started for result in waited(each)[1]]
        assert len(results) == 5 and results.count(False) >= 1
