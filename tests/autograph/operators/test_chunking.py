"""Runs of many alternatives."""

from __future__ import annotations

import pytest

from autograph.operators.chunking import MOST_INSIDE, RUN, in_runs


@pytest.mark.parametrize("count", [0, 1, RUN, MOST_INSIDE, MOST_INSIDE + 1, 500])
def test_chunks_hold_all_items_in_order_and_are_bounded(count: int) -> None:
    runs = in_runs(tuple(range(count)))
    assert list(range(count)) == [each for run in runs for each in run]
    assert all(len(run) <= (MOST_INSIDE if count <= MOST_INSIDE else RUN) for run in runs)
    assert (count <= MOST_INSIDE) == (len(runs) == 1)
