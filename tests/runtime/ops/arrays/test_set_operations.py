"""Set operations on vectors agree with Python's sets."""

from __future__ import annotations

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, ShapeError

PAIRS = [
    ([3, 1, 1, 5], [5, 3, 4]),
    ([2.5, -1.0], [7.0]),
    ([b"b", b"a", b"b"], [b"a", b"c"]),
    ([1, 2], [1, 2]),
    ([4], [6, 6]),
]


@pytest.mark.parametrize(("a", "b"), PAIRS)
@pytest.mark.parametrize("staged", [False, True])
def test_set_operations_agree_with_python(a: list[object], b: list[object], staged: bool) -> None:
    wrap = ag.function if staged else lambda fn: fn
    x, y = rt.constant(a), rt.constant(b)
    expected = [
        sorted(each)  # type: ignore[type-var]
        for each in (set(a) & set(b), set(a) | set(b), set(a) - set(b), set(b) - set(a))
    ]
    got = [
        wrap(rt.sets.intersection)(x, y),
        wrap(rt.sets.union)(x, y),
        wrap(rt.sets.difference)(x, y),
        wrap(lambda x, y: rt.sets.difference(x, y, aminusb=False))(x, y),
    ]
    assert expected == [each.numpy().tolist() for each in got]
    assert [x.dtype] * 4 == [each.dtype for each in got]
    assert len(set(a)) == wrap(rt.sets.size)(x).numpy()


def test_empty_sets_stay_empty() -> None:
    none = rt.zeros([0], rt.int64)
    some = rt.constant([2, 1], rt.int64)
    assert [] == rt.sets.intersection(none, some).numpy().tolist()
    assert [1, 2] == rt.sets.union(none, some).numpy().tolist()
    assert [1, 2] == rt.sets.difference(some, none).numpy().tolist()
    assert 0 == rt.sets.size(none).numpy()


def test_invalid_sets_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"union: b has shape \(1, 2\): a set is a vector"):
        rt.sets.union([1], [[1, 2]])
    with pytest.raises(DTypeError, match="intersection: a is int32 and b is float32: cast"):
        rt.sets.intersection([1], np.float32([1]))
    with pytest.raises(ShapeError, match="size: a has shape"):
        rt.sets.size(3)
