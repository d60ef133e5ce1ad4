"""Objects that code reaches only through a call or an object of a library are state as others."""

from __future__ import annotations

import collections
import concurrent.futures
import contextvars
import functools
import itertools
import queue
import sys
import threading
import unittest.mock
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import LeakError


class Box:
    """An object with a list and a number."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.total: Any = 0


HELD, OF_CLASS = Box(), Box()


class Registry:
    boxes: dict[str, Box] = {"a": OF_CLASS}


@ag.do_not_convert
def unconverted() -> Box:
    return HELD


@ag.do_not_convert
def of_registry(name: str) -> Box:
    return Registry.boxes.setdefault(name, Box())


@functools.lru_cache(None)
def cached(name: str) -> Box:
    return Box()


def endless(box: Box) -> Any:
    while True:
        yield box


CONTEXT: contextvars.ContextVar[Box] = contextvars.ContextVar("box")
CONTEXT.set(Box())
WAITING: queue.Queue[Box] = queue.Queue()
WAITING.put(Box())
BY_RANK: queue.PriorityQueue[tuple[int, Box]] = queue.PriorityQueue()
BY_RANK.put((1, Box()))
FUTURE: concurrent.futures.Future[Box] = concurrent.futures.Future()
FUTURE.set_result(Box())
EVENT: Any = threading.Event()
EVENT.box = Box()
MOCK = unittest.mock.MagicMock()
MOCK.box = Box()
REPEATED = itertools.repeat(Box())
CYCLE = itertools.cycle([Box()])
GENERATOR = endless(Box())
PROXY = weakref.proxy(HELD)
CHAINED = collections.ChainMap({"a": Box()}, {"b": Box()})

GETTERS: dict[str, Callable[[], Any]] = {
    "do_not_convert": lambda: unconverted(),
    "a registry": lambda: of_registry("a"),
    "lru_cache": lambda: cached("a"),
    "getattr": lambda: getattr(sys.modules[__name__], "HELD"),  # noqa: B009
    "globals": lambda: globals()["HELD"],
    "vars": lambda: vars(sys.modules[__name__])["HELD"],
    "a context variable": lambda: CONTEXT.get(),
    "a queue": lambda: WAITING.queue[0],
    "a heap": lambda: BY_RANK.queue[0][1],
    "a future": lambda: FUTURE.result(),
    "an event": lambda: EVENT.box,
    "a mock": lambda: MOCK.box,
    "repeat": lambda: next(REPEATED),
    "cycle": lambda: next(CYCLE),
    "a generator": lambda: next(GENERATOR),
    "a proxy": lambda: PROXY,
    "a chain of dicts": lambda: CHAINED["b"],
}


@pytest.mark.parametrize("name", GETTERS)
def test_an_object_is_state_wherever_it_is_held(name: str) -> None:
    get = GETTERS[name]

    def add(x: Any) -> Any:
        box = get()
        box.items.append(x)
        box.total = box.total + x
        return box.total * len(box.items)

    def results(function: Any) -> list[float]:
        box = get()
        box.items.clear()
        box.total = 0
        found = [float(function(rt.constant(x))) for x in (2.0, 3.0, 4.0)]
        return [*found, float(box.total), *map(float, box.items)]

    assert [2.0, 10.0, 27.0, 9.0, 2.0, 3.0, 4.0] == results(add) == results(ag.function(add))


def test_a_cached_object_made_while_tracing_is_state() -> None:
    made = functools.lru_cache(lambda: collections.Counter())

    @ag.function
    def count(n: Any) -> Any:
        for _ in rt.range(n):
            made()["a"] += 1
        return made()["a"]

    made()["a"] = 0
    assert [1, 3, 6] == [int(count(rt.constant(n))) for n in (1, 2, 3)]


@pytest.mark.parametrize(
    "leak",
    [lambda x: WAITING.put(x), lambda x: UNWATCHED.result().append(x)],
)
def test_a_container_of_a_library_keeps_no_tensor_of_a_graph(leak: Any) -> None:
    before = [*WAITING.queue], [*UNWATCHED.result()]

    def keep(x: Any) -> Any:
        leak(x)
        return x

    with pytest.raises(LeakError, match="WAITING|UNWATCHED"):
        ag.function(keep)(rt.constant(1.0))
    assert before == ([*WAITING.queue], [*UNWATCHED.result()])


UNWATCHED: concurrent.futures.Future[list[Any]] = concurrent.futures.Future()
UNWATCHED.set_result([])
