"""Garbage collection is off during a computation and restored afterwards."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from threading import Barrier, Thread

import pytest

import autograph as ag
import runtime as rt
from runtime.core.garbage_collection import without_gc


@pytest.fixture(autouse=True)
def _on_before_and_after() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


def test_collection_is_off_in_nested_calls_and_restored() -> None:
    states = without_gc(lambda: [without_gc(gc.isenabled), gc.isenabled()])
    assert states == [False, False]
    assert gc.isenabled()


def test_collection_is_restored_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        without_gc(lambda: 1 // 0)
    assert gc.isenabled()


def test_disabled_collection_stays_disabled() -> None:
    gc.disable()
    assert not without_gc(gc.isenabled)
    assert not gc.isenabled()


def test_the_last_of_several_threads_restores_collection() -> None:
    inside, seen = Barrier(2), []

    def first() -> None:
        without_gc(inside.wait)
        inside.wait()

    thread = Thread(target=first)
    thread.start()

    def second() -> None:
        inside.wait()
        inside.wait()
        thread.join()
        seen.append(gc.isenabled())

    without_gc(second)
    assert seen == [False]
    assert gc.isenabled()


def test_user_code_runs_with_collection() -> None:
    states = []

    @ag.function
    def record_gc_state(x: rt.Tensor) -> rt.Tensor:
        states.append(gc.isenabled())
        return x + 1

    assert int(record_gc_state(rt.constant(1))) == 2
    assert states == [True]
    assert gc.isenabled()


# -- objects set aside -----------------------------------------------------------------------------

ASIDE = """
import gc, os
from runtime.core.garbage_collection import OldObjectsSetAside
before, old = gc.get_threshold(), []
around = [old]
with OldObjectsSetAside():
    other = [old]
    with OldObjectsSetAside():
        pass
    print([each is other for each in gc.get_referrers(old) if type(each) is list])
    print(gc.get_freeze_count() > 0)
print(gc.get_freeze_count(), gc.get_threshold() == before, gc.is_tracked(around))
try:
    with OldObjectsSetAside():
        raise ValueError
except ValueError:
    print(gc.get_freeze_count(), gc.get_threshold() == before)
gc.freeze()
with OldObjectsSetAside():
    pass
print(gc.get_freeze_count() > 0, gc.get_threshold() == before)
"""


OF_ANOTHER_THREAD = """
import gc, os, threading
from runtime.core.garbage_collection import OldObjectsSetAside
before, is_aside, is_done = gc.get_threshold(), threading.Event(), threading.Event()
def trace():
    with OldObjectsSetAside():
        is_aside.set()
        is_done.wait()
thread = threading.Thread(target=trace)
thread.start()
is_aside.wait()
child = os.fork()
if not child:
    os._exit(0 if gc.get_freeze_count() == 0 and gc.get_threshold() == before else 1)
_, status = os.waitpid(child, 0)
is_done.set()
thread.join()
print(status, gc.get_freeze_count(), gc.get_threshold() == before)
"""


def test_a_forked_child_restores_changes_of_a_thread() -> None:
    command = [sys.executable, "-W", "ignore", "-c", OF_ANOTHER_THREAD]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    assert told.stdout.splitlines() == ["0 0 True"]


def test_old_objects_are_set_aside_and_put_back() -> None:
    told = subprocess.run([sys.executable, "-c", ASIDE], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines() == ["[True]", "True", "0 True True", "0 True", "True True"]
