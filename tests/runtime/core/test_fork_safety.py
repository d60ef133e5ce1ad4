"""Forking while other threads hold the locks of both packages."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from runtime.core import fork_safety
from runtime.core.fork_safety import cached_property, fork_safe_lock, reset_in_child

ROOT = Path(__file__).resolve().parents[3]

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning"),
]


def in_a_child(check: Any) -> int:
    """Return how a forked child ends that calls `check`: 0 if that is true, 9 if it hangs."""
    child = os.fork()
    if child == 0:
        threading.Timer(60, os._exit, [9]).start()
        os._exit(0 if check() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class held:
    """Hold a lock by another thread."""

    def __init__(self, lock: Any) -> None:
        self._lock, self._taken, self._end = lock, threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._hold)

    def _hold(self) -> None:
        with self._lock:
            self._taken.set()
            self._end.wait()

    def __enter__(self) -> None:
        self._thread.start()
        self._taken.wait()

    def __exit__(self, *exception: object) -> None:
        self._end.set()
        self._thread.join()


def test_a_lock_of_another_thread_is_free_in_a_child_and_held_in_the_parent() -> None:
    lock = fork_safe_lock()
    with held(lock):
        assert 0 == in_a_child(lambda: lock.acquire(timeout=10))
        assert not lock.acquire(blocking=False)


def test_a_lock_of_the_thread_that_forks_is_still_its_own() -> None:
    lock = fork_safe_lock()

    def check() -> bool:
        lock.release()
        lock.release()
        with pytest.raises(RuntimeError):
            lock.release()
        return True

    with lock, lock:
        assert 0 == in_a_child(check)


def test_a_lock_is_forgotten_with_its_last_reference() -> None:
    lock = fork_safe_lock()
    identity = id(lock)
    assert identity in fork_safety._RESETS
    del lock
    gc.collect()
    assert identity not in fork_safety._RESETS


def test_resets_run_before_locks_are_released() -> None:
    class Thing:
        was_held = False

    lock, thing = fork_safe_lock(), Thing()

    def reset(one: Thing) -> None:
        one.was_held = fork_safety.is_held_by_other(lock)

    reset_in_child(thing, reset)
    with held(lock):
        assert 0 == in_a_child(lambda: thing.was_held)
    assert not thing.was_held
    assert 1 == in_a_child(lambda: thing.was_held)


def test_a_cached_property_is_computed_once() -> None:
    class Thing:
        made = 0

        @cached_property
        def number(self) -> int:
            self.made += 1
            return self.made

    thing = Thing()
    assert [1, 1] == [thing.number, thing.number]
    assert 1 == vars(thing)["number"]
    assert isinstance(vars(Thing)["number"], cached_property)


MADE_ELSEWHERE = re.compile(
    r"\b(?:Lock|RLock|Condition|Semaphore|BoundedSemaphore|register_at_fork)\(|"
    r"^from functools import .*\bcached_property\b|@functools\.cached_property",
    re.MULTILINE,
)


def test_locks_are_created_in_one_module() -> None:
    files = [
        each
        for package in ("autograph", "runtime")
        for each in (ROOT / package).rglob("*.py")
        if each.name != "fork_safety.py"
    ]
    found = {
        (str(each.relative_to(ROOT)), made)
        for each in files
        for made in MADE_ELSEWHERE.findall(each.read_text("utf-8"))
    }
    # What makes the user's own properties is told from others, and never called here.
    of_users = ("autograph/backends/attribute_fallback.py", "from functools import cached_property")
    assert {of_users} == found


def run(program: str, folder: Path) -> tuple[int, str, str]:
    """Return the exit status of a program in a process of its own, and its output."""
    file = folder / "program.py"
    file.write_text(program.format(root=str(ROOT)))
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=900)
    return done.returncode, done.stdout, done.stderr


# Every lock there is is held by a thread while a child does all this for the first time.
ALL_HELD = """
import os, sys, threading, warnings
sys.path.insert(0, {root!r})
warnings.simplefilter("ignore", DeprecationWarning)
import numpy as np
import autograph as ag, runtime as rt
from autograph.functions.trace_cache.trace_lock import TraceLock
from runtime.core import fork_safety

class Money:
    def __init__(self, n): self.n = n
    def __add__(self, other):
        return Money(self.n + other.n if rt.reduce_sum(other.n) > 0 else self.n)

def step(x, v):
    total = x
    for i in rt.range(3):
        if rt.reduce_sum(total) > 10.0:
            total = total / 2.0
        total = total + rt.random.uniform((2,))
    v.assign_add(1.0)
    return (Money(total) + Money(x)).n

@ag.function
def early(x):
    return x + 1.0 if rt.reduce_sum(x) > 0 else x

early(rt.constant([1.0]))
rt.random.set_seed(1)
data = rt.data.Dataset.range(6).shuffle(3, seed=1).map(lambda n: n * 2)
rt.nn.layers.Dense(1)

def work():
    late = ag.function(step)
    v = rt.Variable(1.0)
    late(rt.constant([1.0, 2.0]), v)
    late(rt.constant([1.0, 2.0, 3.0])[:2], v)
    early(rt.constant([1.0, 2.0]))
    with rt.GradientTape() as tape:
        tape.watch(x := rt.constant([3.0, 4.0]))
        y = late(x, v)
    tape.gradient(y, x)
    ag.to_code(step)
    model = rt.nn.Sequential([rt.nn.layers.Dense(2), rt.nn.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(np.ones((4, 2), "float32"), np.ones((4, 1), "float32"), verbose=0)
    assert 6 == len(list(data)) and 3.0 < float(v.numpy())

ready, stop = threading.Event(), threading.Event()
def hold():
    for reference, _ in list(fork_safety._RESETS.values()):
        thing = reference()
        if isinstance(thing, TraceLock):
            thing.take()
        elif hasattr(thing, "acquire"):
            assert thing.acquire(timeout=10)
    ready.set()
    stop.wait()

threading.Thread(target=hold, daemon=True).start()
ready.wait()
child = os.fork()
if child == 0:
    import faulthandler
    faulthandler.dump_traceback_later(100, exit=True)
    work()
    import gc
    os._exit(0 if gc.isenabled() else 3)
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_child_works_when_every_lock_was_held(tmp_path: Path) -> None:
    assert (0, "", "") == run(ALL_HELD, tmp_path)


# A child is forked at any moment of what other threads do, and traces.
WHILE_TRACING = """
import gc, os, sys, threading, time, warnings
sys.path.insert(0, {root!r})
warnings.simplefilter("ignore")
import autograph as ag, runtime as rt

def f(x):
    for i in rt.range(3):
        if rt.reduce_sum(x) > 10.0:
            x = x / 2.0
        x = x + 1.0
    return x

ended = threading.Event()
def trace():
    while not ended.is_set():
        ag.function(f)(rt.constant([1.0, 2.0]))
for _ in range(3):
    threading.Thread(target=trace, daemon=True).start()
time.sleep(1.0)
wrong = 0
for _ in range(15):
    child = os.fork()
    if child == 0:
        import faulthandler
        faulthandler.dump_traceback_later(60, exit=True)
        result = ag.function(f)(rt.constant([1.0, 2.0])).numpy().tolist()
        os._exit(0 if result == [4.0, 5.0] and gc.isenabled() else 3)
    wrong += os.waitpid(child, 0)[1] != 0
    time.sleep(0.01)
print(wrong, flush=True)
os._exit(0)
"""


def test_a_child_traces_when_other_threads_were_tracing(tmp_path: Path) -> None:
    assert (0, "0\n", "") == run(WHILE_TRACING, tmp_path)
