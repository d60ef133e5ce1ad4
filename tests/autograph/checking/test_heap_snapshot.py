"""Changes of globals, cells, objects and containers by a run are found and restored."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.checking.heap_snapshot import HeapSnapshot

LISTED = [1, [2]]
RING: deque[Any] = deque([1, [2]], maxlen=2)
TABLE: dict[str, Any] = {"a": 1}
ARRAY = np.zeros(2)
NUMBER = 1


class Thing:
    shared = 0

    def __init__(self) -> None:
        self.items = [1]


THING = Thing()


def changing() -> None:
    global NUMBER, MADE
    NUMBER = 2
    MADE = 3  # a global that was not there
    LISTED[1].append(3)  # type: ignore[union-attr]
    RING[1].append(3)
    RING.append(4)
    TABLE["b"] = 2
    ARRAY[0] = 5
    THING.items = []
    Thing.shared += 1


def calling() -> None:
    changing()


def counter() -> Callable[[], int]:
    count, seen = 0, []

    def step() -> int:
        nonlocal count
        count += 1
        seen.append(count)
        return count

    return step


PATHS = {
    *("global NUMBER", "global MADE", "global LISTED[1]", "global TABLE", "global ARRAY"),
    *("global RING", "global RING[1]"),
    *("global THING", "global Thing.shared"),
}


def test_every_change_is_found_and_restored() -> None:
    heap = HeapSnapshot(calling)
    changing()
    found = heap.changes()
    assert {*PATHS} <= {*found} | {"global Thing.shared", "Thing.shared"}
    assert "[2, 3]" == str(found["global LISTED[1]"])
    assert "deque([[2, 3], 4])" == str(found["global RING"])
    heap.restore()
    assert {} == heap.changes()
    assert deque([1, [2]]) == RING
    assert (1, [1, [2]], {"a": 1}, [0.0, 0.0]) == (NUMBER, LISTED, TABLE, ARRAY.tolist())
    assert ([1], 0) == (THING.items, Thing.shared)
    assert "MADE" not in globals()


def test_variables_of_an_outer_function() -> None:
    step = counter()
    heap = HeapSnapshot(step)
    assert [1, 2] == [step(), step()]
    assert {"count": "2", "seen": "[1, 2]"} == {k: str(v) for k, v in heap.changes().items()}
    heap.restore()
    assert 1 == step()


def test_unchanged_state_is_not_reported() -> None:
    heap = HeapSnapshot(calling)
    LISTED[0] = 1
    assert {} == heap.changes()
