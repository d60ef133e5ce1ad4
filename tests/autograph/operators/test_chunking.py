"""Runs of many alternatives."""

from __future__ import annotations

import pytest

from autograph.operators.chunking import CHUNK, MOST_NESTED, chunks_of


@pytest.mark.parametrize("count", [0, 1, CHUNK, MOST_NESTED, MOST_NESTED + 1, 500])
def test_chunks_hold_all_items_in_order_and_are_bounded(count: int) -> None:
    runs = chunks_of(tuple(range(count)))
    assert list(range(count)) == [each for run in runs for each in run]
    assert all(len(run) <= (MOST_NESTED if count <= MOST_NESTED else CHUNK) for run in runs)
    assert (count <= MOST_NESTED) == (len(runs) == 1)
