"""`and` and `or` of values that cannot be one: their truth, and nothing else."""

from __future__ import annotations

import pytest

import autograph as ag
import runtime as rt


def grown(n):
    items = []
    for i in range(n):
        items.append(i)
    return items


def test_a_test_needs_only_the_truth_value():
    @ag.function
    def f(n):
        items = grown(n)
        first = 1 if items and n > 2 else 2
        second = 10 if n > 2 or items else 20
        third = 100 if not (items and n > 2) else 200
        return first + second + third

    assert [122, 112, 211] == [int(f(rt.constant(n))) for n in (0, 1, 3)]


@pytest.mark.parametrize("use", [lambda v: v, lambda v: v + 1, lambda v: [v], lambda v: v == []])
def test_any_other_use_is_refused_at_the_line_of_the_operation(use):
    @ag.function
    def f(n):
        items = grown(n)
        return use(items and n > 2)

    with pytest.raises(ag.errors.StagingError, match="value of this `and`"):
        f(rt.constant(1))
