"""State scenarios: containers whose items Python has to see: one trace for each length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.autograph.functions.state.growing_scenarios import Scenario

SIZED: dict[str, Callable[[], Scenario]] = {}


def registered(make: Callable[[], Scenario]) -> Callable[[], Scenario]:
    SIZED[make.__name__] = make
    return make


@registered
def a_set_iterated() -> Scenario:
    known: set[int] = set()

    def f(x: Any) -> Any:
        known.add(-len(known))
        total = 0.0
        for at, each in enumerate(known):
            total = total + at * each
        return x + total

    return f, known


@registered
def a_set_counted_by_a_library() -> Scenario:
    from collections import Counter

    known: set[int] = set()

    def f(x: Any) -> Any:
        known.add(len(known))
        return x + len(Counter(known)) + len({0, 1}.difference(known))

    return f, known


@registered
def a_dict_unpacked() -> Scenario:
    given: dict[int, Any] = {}

    def f(x: Any) -> Any:
        given[len(given)] = x
        return x + len({**given, 100: x})

    return f, given


@registered
def combinations_of_items() -> Scenario:
    from itertools import combinations

    items: list[int] = []

    def f(x: Any) -> Any:
        items.append(len(items))
        return x + len(list(combinations(items, 2)))

    return f, items


@registered
def an_error_on_a_path() -> Scenario:
    import json

    items: list[int] = []

    def f(x: Any) -> Any:
        items.append(len(items))
        if x > 1:
            x = x + len(json.dumps(items))
        return x

    return f, items


@registered
def printed_by_a_library() -> Scenario:
    import json

    log: list[int] = []

    def f(x: Any) -> Any:
        log.append(len(log))
        return x + len(json.dumps(log))

    return f, log


@registered
def shuffled_by_a_library() -> Scenario:
    import random

    log = [3, 4, 5]

    def f(x: Any) -> Any:
        log.append(len(log))
        random.Random(1).shuffle(log)
        return x + log[0]

    return f, log


@registered
def converted_to_a_set() -> Scenario:
    log = [7]

    def f(x: Any) -> Any:
        log.append(len(log))
        return x + len(set(log))

    return f, log


@registered
def mixed_numbers() -> Scenario:
    mixed: list[float] = [1]

    def f(x: Any) -> Any:
        mixed.append(len(mixed) / 2)
        return x + sum(mixed)

    return f, mixed


@registered
def truths_added_up() -> Scenario:
    flags = [True]

    def f(x: Any) -> Any:
        flags.append(len(flags) > 2)
        return x + sum(flags)

    return f, flags
