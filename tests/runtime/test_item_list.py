"""The list as a value: buffers shared by threads and by lists made from one another."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from runtime.item_list import Item, ItemList


def item(value: int) -> Item:
    return (np.array(value),)


def shown(made: ItemList) -> list[int]:
    return [leaf.item() for (leaf,) in made]


def test_a_buffer_is_copied_when_it_goes_on_after_the_list() -> None:
    one = ItemList([item(1)])
    two, other = one.appended(item(2)), one.appended(item(3))
    assert one._buffer is two._buffer is not other._buffer
    assert [[1], [1, 2], [1, 3]] == [shown(one), shown(two), shown(other)]


def test_a_shorter_list_shares_the_buffer_and_does_not_write_into_it() -> None:
    long = ItemList(map(item, range(3)))
    short = long.shortened(2)
    assert short._buffer is long._buffer
    assert [0, 1, 9] == shown(short.appended(item(9)))
    assert [0, 1, 7, 8] == shown(short.extended([item(7), item(8)]))
    assert [0, 1, 2] == shown(long)


def test_another_thread_may_be_quicker() -> None:
    """Between a look at the end of the buffer and writing there, somebody else wrote."""

    class Slow(list[Item]):
        def append(self, value: Item) -> None:
            super().append(item(100))
            super().append(value)

        def extend(self, values: object) -> None:
            super().extend([item(100), *values])  # type: ignore[misc]

    for grown in (lambda x: x.appended(item(2)), lambda x: x.extended([item(2)])):
        one = ItemList([item(1)])
        one._buffer = Slow(one._buffer)
        assert [1, 2] == shown(grown(one))
        assert [1] == shown(one)


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
