"""Tables by identity: equal keys are distinct, dead keys are freed, values are computed once."""

from __future__ import annotations

import gc
import threading
import time
import types

import pytest

from autograph.conversion.cache import OnceCache
from runtime.core.weak_tables import IdentityTable


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
