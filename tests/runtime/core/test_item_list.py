"""Persistent lists: chunks are shared by threads and by derived lists."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from runtime.core.item_list import CHUNK, Item, ItemList


def item(value: int) -> Item:
    return (np.array(value),)


def shown(made: ItemList) -> list[int]:
    return [leaf.item() for (leaf,) in made]


def test_a_chunk_with_later_items_is_copied_on_append() -> None:
    one = ItemList([item(1)])
    two, other = one.appended(item(2)), one.appended(item(3))
    assert one._chunks is two._chunks is not other._chunks
    assert [[1], [1, 2], [1, 3]] == [shown(one), shown(two), shown(other)]


def test_a_shorter_list_shares_the_chunks_and_does_not_write_into_them() -> None:
    long = ItemList(map(item, range(3)))
    short = long.shortened(2)
    assert short._chunks is long._chunks
    assert [0, 1, 9] == shown(short.appended(item(9)))
    assert [0, 1, 7, 8] == shown(short.extended([item(7), item(8)]))
    assert [0, 1, 2] == shown(long)


def test_a_concurrent_append_before_ours_is_handled() -> None:
    """Between a look at the end of the buffer and writing there, somebody else wrote."""

    class Slow(list[Any]):
        def append(self, value: Any) -> None:
            super().append([item(100)] if isinstance(value, list) else item(100))
            super().append(value)

    for size in (1, CHUNK - 1, CHUNK, CHUNK + 1):
        one = ItemList(map(item, range(size)))
        one._chunks = Slow(map(Slow, one._chunks))
        two = one.appended(item(-1))
        assert [*range(size), -1] == shown(two)
        assert [*range(size), -1, -2, -3] == shown(two.extended([item(-2), item(-3)]))
        assert [*range(size)] == shown(one)
        one.appended(item(200)), one.appended(item(300))
        assert [*range(size), -1] == shown(two)


def test_a_concurrent_append_that_fills_the_chunk_is_handled() -> None:
    """It saw room at the end of a chunk that is full when it writes there."""

    class Full(list[Item]):
        def append(self, value: Item) -> None:
            super().append(value)
            super().append(item(100))

    one = ItemList(map(item, range(CHUNK - 1)))
    one._chunks = [Full(one._chunks[0])]
    assert [*range(CHUNK + 2)] == shown(one.extended(map(item, range(CHUNK - 1, CHUNK + 2))))


def test_a_copied_chunk_does_not_grow() -> None:
    one = ItemList([item(1)])
    one.appended(item(2))
    one.appended(item(3))
    assert 2 == len(one._chunks[0])


def test_diverging_lists_of_several_chunks() -> None:
    trunk = ItemList(map(item, range(3 * CHUNK - 2)))
    grown = trunk.extended(map(item, range(5)))
    changed = trunk.replaced(CHUNK, item(-1)).extended(map(item, range(7)))
    short = grown.shortened(2 * CHUNK).appended(item(-2))
    base = [*range(3 * CHUNK - 2)]
    assert base == shown(trunk) and [*base, 0, 1, 2, 3, 4] == shown(grown)
    assert [*base[:CHUNK], -1, *base[CHUNK + 1 :], *range(7)] == shown(changed)
    assert [*base[: 2 * CHUNK], -2] == shown(short)


def test_threads_that_append_to_one_list() -> None:
    start = ItemList([item(0)])

    def grow(base: int) -> list[int]:
        made = start
        for value in range(base, base + 50):
            made = made.appended(item(value))
        return shown(made)

    with ThreadPoolExecutor(8) as pool:
        grown = list(pool.map(grow, range(100, 900, 100)))
    assert [[0, *range(base, base + 50)] for base in range(100, 900, 100)] == grown


def test_copies_and_the_empty_list() -> None:
    one = ItemList([item(1)])
    longer = one.appended(item(2))
    assert [1] == shown(copy.deepcopy(one)) and [1, 2] == shown(longer)
    assert "[]" == repr(ItemList()) and 0 == len(ItemList())
    assert "[()]" == repr(ItemList([()]))
