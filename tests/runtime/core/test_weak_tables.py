"""Tables that drop dead keys without running Python code."""

from __future__ import annotations

import gc
import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import runtime as rt
from runtime.core.weak_tables import IdentityTable, weakref_removing

ROOT = Path(__file__).resolve().parents[3]


class Thing:
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Thing)

    def __hash__(self) -> int:
        return 1


def test_equal_keys_are_distinct_and_removed_one_by_one() -> None:
    table: IdentityTable[Thing, int] = IdentityTable()
    first, second = Thing(), Thing()
    table.put(first, 1)
    table.put(second, 2)
    table.put(first, 3)
    assert [3, 2, 2] == [table.get(first), table.get(second), len(table)]
    del first
    assert [2] == list(table.by_id.values())
    assert [second] == table.keys()
    assert 2 == table.get_or_put(second, 5)
    table.clear()
    assert 5 == table.get_or_put(second, 5)


def test_an_end_in_a_cycle_is_seen() -> None:
    table: IdentityTable[Thing, int] = IdentityTable()
    thing: Any = Thing()
    thing.itself = thing
    table.put(thing, 1)
    del thing
    gc.collect()
    assert ([], 0) == (table.keys(), len(table))


def python_calls(work: Any) -> list[str]:
    """Return the functions of Python that are called while `work` runs."""
    found: list[str] = []

    def note(frame: FrameType, event: str, arg: object) -> None:
        if event == "call":
            found.append(frame.f_code.co_qualname if hasattr(frame.f_code, "co_qualname") else "?")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found[1:]


def test_removal_of_dead_keys_runs_no_python_code() -> None:
    table: IdentityTable[Any, int] = IdentityTable()
    entries: dict[str, int] = {"a": 1}
    things: list[Any] = [rt.Graph("one"), rt.Graph("two")]
    for each in things:
        table.put(each, 1)
    del each
    kept = weakref_removing(things[0], entries, "a")
    assert [] == python_calls(things.clear)
    assert (0, {}) == (len(table), entries)
    assert kept() is None


CALLBACKS = re.compile(
    r"WeakKeyDictionary|WeakValueDictionary|WeakSet|"
    r"\bref\([\w.]+, (?!partial)|weakref\.finalize\("
)
# The C callbacks of a cache of traces stand in a list.
MAY = {"autograph/functions/trace_cache/cache.py": 1}


def test_callbacks_of_weak_references_are_written_in_c() -> None:
    found = {}
    for package in ("autograph", "runtime"):
        for path in (ROOT / package).rglob("*.py"):
            count = len(CALLBACKS.findall(path.read_text("utf-8")))
            if count and path.name != "weak_tables.py":
                found[str(path.relative_to(ROOT))] = count
    assert MAY == found
