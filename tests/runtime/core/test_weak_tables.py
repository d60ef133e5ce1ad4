"""Tables that drop dead keys without running Python code."""

from __future__ import annotations

import gc
import re
import sys
import threading
import time
import types
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import runtime as rt
from runtime.core.weak_tables import IdentityTable, OnceCache, weakref_removing

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


# -- values computed once --------------------------------------------------------------------------


def code_of(text: str) -> types.CodeType:
    return compile(text, "<same>", "exec")


def test_equal_codes_are_different_keys() -> None:
    one, two = code_of("x = 1"), code_of("x = 1")
    assert one == two
    table: IdentityTable[types.CodeType, str] = IdentityTable()
    table.put(one, "one")
    assert ("one", None) == (table.get(one), table.get(two))
    assert one in table and two not in table


def test_a_dead_key_removes_its_entry() -> None:
    table: IdentityTable[types.CodeType, str] = IdentityTable()
    key = code_of("y = 2")
    table.put(key, "value")
    assert 1 == len(table)
    del key
    gc.collect()
    assert 0 == len(table)


def test_put_replaces_values_and_clear_removes_them() -> None:
    table: IdentityTable[types.CodeType, str] = IdentityTable()
    key = code_of("z = 3")
    table.put(key, "old")
    table.put(key, "new")
    assert "new" == table.get(key)
    table.clear()
    assert table.get(key) is None


def test_a_replaced_entry_survives_collection() -> None:
    table: IdentityTable[types.CodeType, str] = IdentityTable()
    key = code_of("z = 3")
    table.put(key, "old")
    table.put(key, "new")
    gc.collect()
    assert "new" == table.get(key)


def test_a_value_is_computed_once_per_key_and_variant() -> None:
    table: OnceCache[types.CodeType, object] = OnceCache()
    key, other = code_of("a"), code_of("a")
    first = table.get_or_make(key, 1, object)
    assert first is table.get_or_make(key, 1, object)
    assert first is not table.get_or_make(key, 2, object)
    assert first is not table.get_or_make(other, 1, object)
    assert 3 == len(table)


def test_a_failure_is_not_remembered() -> None:
    table: OnceCache[types.CodeType, object] = OnceCache()
    key = code_of("a")

    def fail() -> object:
        raise RuntimeError("half done")

    with pytest.raises(RuntimeError):
        table.get_or_make(key, 1, fail)
    assert 0 == len(table)
    assert "made" == table.get_or_make(key, 1, lambda: "made")


def test_concurrent_threads_share_one_value() -> None:
    table: OnceCache[types.CodeType, object] = OnceCache()
    key = code_of("a")
    made: list[object] = []
    start = threading.Barrier(8)

    def make() -> object:
        time.sleep(0.01)
        made.append(object())
        return made[-1]

    def ask(into: list[object]) -> None:
        start.wait()
        into.append(table.get_or_make(key, 1, make))

    answers: list[object] = []
    threads = [threading.Thread(target=ask, args=(answers,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 == len(made)
    assert made * 8 == answers
