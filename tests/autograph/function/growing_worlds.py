"""Containers outside of a function that grow and shrink: each maker gives a function and a state.

A function takes one number and looks at what it changes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import runtime as rt

World = tuple[Callable[[Any], object], object]
# Traced for what it finds at first, and once more for any number of items.
GROWING: dict[str, Callable[[], World]] = {}
# Traced for each number of items, as Python itself has to see them.
SEEN: dict[str, Callable[[], World]] = {}


def growing(make: Callable[[], World]) -> Callable[[], World]:
    GROWING[make.__name__] = make
    return make


def seen(make: Callable[[], World]) -> Callable[[], World]:
    SEEN[make.__name__] = make
    return make


@growing
def appending_the_length() -> World:
    log: list[int] = []

    def f(x: Any) -> Any:
        log.append(len(log))
        return x + len(log)

    return f, log


@growing
def inserting_at_the_front() -> World:
    newest: list[Any] = []

    def f(x: Any) -> Any:
        newest.insert(0, x)
        return newest[0] + len(newest)

    return f, newest


@growing
def popping() -> World:
    work = list(range(9))

    def f(x: Any) -> Any:
        return x * work.pop()

    return f, work


@growing
def deleting_the_first() -> World:
    work = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5]

    def f(x: Any) -> Any:
        del work[0]
        return x + work[0]

    return f, work


@growing
def summing_what_was_given() -> World:
    given: list[Any] = []

    def f(x: Any) -> Any:
        given.append(x)
        return sum(given)

    return f, given


@growing
def keeping_the_last_two() -> World:
    last: list[Any] = []

    def f(x: Any) -> Any:
        last.append(x)
        last[:] = last[-2:]
        return last[0]

    return f, last


@growing
def flushing_when_full() -> World:
    buffer: list[Any] = []

    def f(x: Any) -> Any:
        buffer.append(x)
        if len(buffer) > 2:
            buffer.clear()
        return len(buffer)

    return f, buffer


@growing
def pairs_of_a_number_and_a_tensor() -> World:
    history: list[tuple[int, Any]] = []

    def f(x: Any) -> Any:
        history.append((len(history), x))
        total = 0.0
        for at, value in history:
            total = total + at * value
        return total

    return f, history


@growing
def rows_as_one_tensor() -> World:
    rows: list[Any] = [rt.constant(0.0)]

    def f(x: Any) -> Any:
        rows.append(x)
        return rt.reduce_max(rt.stack(rows))

    return f, rows


@growing
def an_attribute() -> World:
    class Model:
        def __init__(self) -> None:
            self.losses: list[Any] = []

        def step(self, x: Any) -> Any:
            self.losses.append(x * x)
            return sum(self.losses) / len(self.losses)

    model = Model()
    return model.step, model.losses


@growing
def appended_on_a_path() -> World:
    large: list[int] = []

    def f(x: Any) -> Any:
        if x > 1:
            large.append(len(large))
        return x + len(large)

    return f, large


@growing
def extended_by_what_it_holds() -> World:
    doubled = [1]

    def f(x: Any) -> Any:
        doubled.extend([2 * each for each in doubled])
        return x + doubled[-1]

    return f, doubled


@growing
def sorted_in_place() -> World:
    order: list[int] = []

    def f(x: Any) -> Any:
        order.append(-len(order))
        order.sort()
        return x + order[0]

    return f, order


@growing
def texts_of_items() -> World:
    log: list[int] = []

    def f(x: Any) -> Any:
        log.append(3 * len(log))
        return len(f"{log[-1]} of {len(log)}")

    return f, log


@growing
def wide_numbers() -> World:
    wide = [2**40]

    def f(x: Any) -> Any:
        wide.append(wide[-1] + len(wide))
        return x + len(wide)

    return f, wide


@growing
def a_deque() -> World:
    waiting: deque[int] = deque([1])

    def f(x: Any) -> Any:
        first = waiting.popleft()
        waiting.extend([first, first + 1])
        return x + first

    return f, waiting


@growing
def a_deque_of_a_length() -> World:
    window: deque[Any] = deque(maxlen=3)

    def f(x: Any) -> Any:
        window.append(x)
        return sum(window) / len(window)

    return f, window


@seen
def printed_by_a_library() -> World:
    import json

    log: list[int] = []

    def f(x: Any) -> Any:
        log.append(len(log))
        return x + len(json.dumps(log))

    return f, log


@seen
def shuffled_by_a_library() -> World:
    import random

    log = [3, 4, 5]

    def f(x: Any) -> Any:
        log.append(len(log))
        random.Random(1).shuffle(log)
        return x + log[0]

    return f, log


@seen
def made_a_set() -> World:
    log = [7]

    def f(x: Any) -> Any:
        log.append(len(log))
        return x + len(set(log))

    return f, log


@seen
def mixed_numbers() -> World:
    mixed: list[float] = [1]

    def f(x: Any) -> Any:
        mixed.append(len(mixed) / 2)
        return x + sum(mixed)

    return f, mixed


@seen
def truths_added_up() -> World:
    flags = [True]

    def f(x: Any) -> Any:
        flags.append(len(flags) > 2)
        return x + sum(flags)

    return f, flags
