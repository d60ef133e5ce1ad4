"""Reversed prefixes of rows: numbers recorded with TensorFlow 2.21."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as rt
from runtime.errors import InvalidArgumentError

A = [[1, 2, 3], [4, 5, 6]]


def test_prefixes_are_reversed() -> None:
    assert [[2, 1, 3], [6, 5, 4]] == rt.reverse_sequence(A, [2, 3], seq_axis=1).numpy().tolist()
    upright = rt.reverse_sequence(A, [2, 1, 0], seq_axis=0, batch_axis=1)
    assert [[4, 2, 3], [1, 5, 6]] == upright.numpy().tolist()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"seq_lengths": [2, 3]}, "needs a seq_axis"),
        ({"seq_lengths": [2, 9], "seq_axis": 1}, "from 0 to 3"),
        ({"seq_lengths": [-1, 2], "seq_axis": 1}, "from 0 to 3"),
        ({"seq_lengths": [2], "seq_axis": 1}, "1 seq_lengths for 2 rows"),
        ({"seq_lengths": [1, 2], "seq_axis": 1, "batch_axis": 1}, "two axes"),
        ({"seq_lengths": [1.0, 2], "seq_axis": 1}, "must be integers"),
        ({"seq_lengths": [1, 2], "seq_axis": -1}, "counted from 0"),
        ({"seq_lengths": [1, 2], "seq_axis": 2}, "rank 3 or more"),
    ],
)
def test_invalid_arguments_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        rt.reverse_sequence(A, **options)
