"""State scenarios that no graph can carry: queues, semaphores, events, locks, the environment."""

from __future__ import annotations

import io
import os
import queue
import threading
from types import SimpleNamespace

from tests.autograph.functions.state.state_scenarios import scenario, t

CALLS = [(t(value),) for value in (5.0, 2.0, 7.0, 1.0)]


@scenario
def how_long_a_queue_is():
    q = queue.Queue()

    def f(x):
        q.put(q.qsize())
        return x * q.qsize()

    return f, [q.qsize, lambda: list(q.queue)], CALLS


@scenario
def a_queue_that_is_full():
    q = queue.Queue(2)

    def f(x):
        try:
            q.put_nowait(1)
        except queue.Full:
            return x * 100.0
        return x * q.qsize()

    return f, [q.qsize], CALLS


@scenario
def a_queue_read_and_written():
    q = queue.LifoQueue()
    q.put(1)

    def f(x):
        n = q.get()
        q.put(n + 1)
        return x * n

    return f, [lambda: list(q.queue)], CALLS


@scenario
def a_simple_queue():
    q = queue.SimpleQueue()

    def f(x):
        q.put(1)
        return x * q.qsize()

    return f, [q.qsize], CALLS


@scenario
def a_semaphore_that_runs_out():
    semaphore = threading.Semaphore(2)

    def f(x):
        return x if semaphore.acquire(blocking=False) else x * 10.0

    return f, [lambda: semaphore._value], CALLS


@scenario
def an_event_that_is_set_and_cleared():
    event = threading.Event()

    def f(x):
        if event.is_set():
            event.clear()
            return x * 100.0
        event.set()
        return x

    return f, [event.is_set], CALLS


@scenario
def a_lock_around_a_count():
    m = SimpleNamespace(lock=threading.Lock(), n=0)

    def f(x):
        with m.lock:
            m.n += 1
        return x * m.n

    return f, [lambda: m.n, m.lock.locked], CALLS


@scenario
def a_lock_held_between_calls():
    lock = threading.Lock()

    def f(x):
        if lock.locked():
            lock.release()
            return x * 2.0
        lock.acquire()
        return x

    return f, [lock.locked], CALLS


@scenario
def a_count_in_the_environment():
    os.environ["AUTOGRAPH_COUNT"] = "0"

    def f(x):
        count = int(os.environ["AUTOGRAPH_COUNT"])
        os.environ["AUTOGRAPH_COUNT"] = str(count + 1)
        return x * count

    return f, [lambda: os.environ["AUTOGRAPH_COUNT"]], CALLS


@scenario
def a_text_in_memory_that_is_read():
    file = io.StringIO()

    def f(x):
        file.write("a")
        return x * len(file.getvalue())

    return f, [file.getvalue], CALLS


@scenario
def a_place_in_bytes_in_memory():
    m = SimpleNamespace(file=io.BytesIO())

    def f(x):
        m.file.write(b"ab")
        return x * m.file.tell()

    return f, [lambda: m.file.getvalue()], CALLS


@scenario
def an_object_that_changes_its_class():
    class Idle:
        n = 0

        def step(self, x):
            self.__class__ = Busy
            self.n += 1
            return x * self.n

    class Busy(Idle):
        def step(self, x):
            self.__class__ = Idle
            self.n += 10
            return x * self.n

    m = Idle()
    return lambda x: m.step(x), [lambda: type(m).__name__, lambda: m.n], CALLS
