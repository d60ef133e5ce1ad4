"""State scenarios: outer containers grow and shrink; each maker returns a function and its state.

A function takes one number and looks at what it changes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import runtime as rt

Scenario = tuple[Callable[[Any], object], object]
# Traced for what it finds at first, and once more for any number of items.
GROWING: dict[str, Callable[[], Scenario]] = {}


def growing(make: Callable[[], Scenario]) -> Callable[[], Scenario]:
    GROWING[make.__name__] = make
    return make


@growing
def appending_the_length() -> Scenario:
    log: list[int] = []

    def f(x: Any) -> Any:
        log.append(len(log))
        return x + len(log)

    return f, log


@growing
def inserting_at_the_front() -> Scenario:
    newest: list[Any] = []

    def f(x: Any) -> Any:
        newest.insert(0, x)
        return newest[0] + len(newest)

    return f, newest


@growing
def popping() -> Scenario:
    work = list(range(9))

    def f(x: Any) -> Any:
        return x * work.pop()

    return f, work


@growing
def deleting_the_first() -> Scenario:
    work = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5]

    def f(x: Any) -> Any:
        del work[0]
        return x + work[0]

    return f, work


@growing
def summing_what_was_given() -> Scenario:
    given: list[Any] = []

    def f(x: Any) -> Any:
        given.append(x)
        return sum(given)

    return f, given


@growing
def keeping_the_last_two() -> Scenario:
    last: list[Any] = []

    def f(x: Any) -> Any:
        last.append(x)
        last[:] = last[-2:]
        return last[0]

    return f, last


@growing
def flushing_when_full() -> Scenario:
    buffer: list[Any] = []

    def f(x: Any) -> Any:
        buffer.append(x)
        if len(buffer) > 2:
            buffer.clear()
        return len(buffer)

    return f, buffer


@growing
def pairs_of_a_number_and_a_tensor() -> Scenario:
    history: list[tuple[int, Any]] = []

    def f(x: Any) -> Any:
        history.append((len(history), x))
        total = 0.0
        for at, value in history:
            total = total + at * value
        return total

    return f, history


@growing
def rows_as_one_tensor() -> Scenario:
    rows: list[Any] = [rt.constant(0.0)]

    def f(x: Any) -> Any:
        rows.append(x)
        return rt.reduce_max(rt.stack(rows))

    return f, rows


@growing
def an_attribute() -> Scenario:
    class Model:
        def __init__(self) -> None:
            self.losses: list[Any] = []

        def step(self, x: Any) -> Any:
            self.losses.append(x * x)
            return sum(self.losses) / len(self.losses)

    model = Model()
    return model.step, model.losses


@growing
def appended_on_a_path() -> Scenario:
    large: list[int] = []

    def f(x: Any) -> Any:
        if x > 1:
            large.append(len(large))
        return x + len(large)

    return f, large


@growing
def extended_by_what_it_holds() -> Scenario:
    doubled = [1]

    def f(x: Any) -> Any:
        doubled.extend([2 * each for each in doubled])
        return x + doubled[-1]

    return f, doubled


@growing
def sorted_in_place() -> Scenario:
    order: list[int] = []

    def f(x: Any) -> Any:
        order.append(-len(order))
        order.sort()
        return x + order[0]

    return f, order


@growing
def texts_of_items() -> Scenario:
    log: list[int] = []

    def f(x: Any) -> Any:
        log.append(3 * len(log))
        return len(f"{log[-1]} of {len(log)}")

    return f, log


@growing
def wide_numbers() -> Scenario:
    wide = [2**40]

    def f(x: Any) -> Any:
        wide.append(wide[-1] + len(wide))
        return x + len(wide)

    return f, wide


@growing
def a_deque() -> Scenario:
    waiting: deque[int] = deque([1])

    def f(x: Any) -> Any:
        first = waiting.popleft()
        waiting.extend([first, first + 1])
        return x + first

    return f, waiting


@growing
def a_deque_of_a_length() -> Scenario:
    window: deque[Any] = deque(maxlen=3)

    def f(x: Any) -> Any:
        window.append(x)
        return sum(window) / len(window)

    return f, window


@growing
def a_set_of_numbers() -> Scenario:
    known: set[int] = set()

    def f(x: Any) -> Any:
        known.add(len(known))
        return x + len(known)

    return f, known


@growing
def members_tested() -> Scenario:
    known = {1}

    def f(x: Any) -> Any:
        if len(known) + 1 in known:
            x = x + 10
        known.add(len(known) + 2)
        return x + sum(known) + max(known)

    return f, known


@growing
def members_removed() -> Scenario:
    known = set(range(8))

    def f(x: Any) -> Any:
        known.discard(len(known) - 1)
        known.update([20, 21])
        known.remove(20)
        known.discard(21)
        return x + len(known)

    return f, known


@growing
def a_set_in_an_attribute() -> Scenario:
    class Tracker:
        def __init__(self) -> None:
            self.turns: set[int] = set()

        def note(self, x: Any) -> Any:
            self.turns.add(3 * len(self.turns))
            return x * len(self.turns)

    tracker = Tracker()
    return tracker.note, tracker.turns


@growing
def a_dict_by_number() -> Scenario:
    given: dict[int, Any] = {}

    def f(x: Any) -> Any:
        given[len(given)] = x
        return given[0] + given[len(given) - 1]

    return f, given


@growing
def a_dict_iterated() -> Scenario:
    given: dict[int, Any] = {}

    def f(x: Any) -> Any:
        given[len(given)] = x
        total = 0.0
        for key, value in given.items():
            total = total + key * value
        return total

    return f, given


@growing
def keys_looked_up() -> Scenario:
    squares: dict[int, int] = {}

    def f(x: Any) -> Any:
        squares[len(squares)] = len(squares) * len(squares)
        return x + squares.get(2, -1) + sum(squares.values())

    return f, squares


@growing
def two_keys_in_each_call() -> Scenario:
    log: dict[int, Any] = {}

    def f(x: Any) -> Any:
        log[len(log)] = x
        log[len(log)] = x + 1
        return x + len(log)

    return f, log


@growing
def texts() -> Scenario:
    lines = ["begin"]

    def f(x: Any) -> Any:
        lines.append(f"line {len(lines)}")
        return x + len(lines) + len(lines[-1])

    return f, lines


@growing
def last_two() -> Scenario:
    recent: deque[Any] = deque()

    def f(x: Any) -> Any:
        recent.append(x)
        while len(recent) > 2:
            recent.popleft()
        return sum(recent) + len(recent)

    return f, recent


@growing
def some_taken_back() -> Scenario:
    waiting: list[Any] = []

    def f(x: Any) -> Any:
        waiting.append(x)
        waiting.append(x + 2)
        total = 0 * x
        while waiting and total < 4:
            total += waiting.pop()
        return total

    return f, waiting


@growing
def first_moved_to_the_end() -> Scenario:
    turns: deque[Any] = deque()

    def f(x: Any) -> Any:
        turns.append(x)
        turns.append(turns.popleft() + x)
        return x + len(turns)

    return f, turns


@growing
def ends_swapped_by_methods() -> Scenario:
    turns: deque[Any] = deque()

    def f(x: Any) -> Any:
        turns.append(x)
        add = turns.appendleft
        turns.extend([x, turns.popleft()])
        add(turns.pop())
        turns.extendleft([x, turns[-1]])
        turns.rotate(2)
        return x + len(turns) + turns[0]

    return f, turns
