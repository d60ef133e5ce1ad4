"""Lists that may hold one item twice: a change of such an item is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import ContainerMutationError
from tests.parity.written import module_of

# What each iteration does to a list `few`, given the list `rows` from before the loop.
REPEATED = (
    "few.extend(rows)",
    "few += rows",
    "few = few + rows",
    "few.extend(rows[:])",
    "few.extend([row for row in rows])",
    "few.extend(row for row in rows)",
    "few = [*few, *rows]",
    "few[:] = few + rows",
    "few.append(rows[n - 1])",
    "few.insert(0, rows[0])",
    "few = [*few, rows[0]]",
)
NEW_IN_EACH = (
    "few.extend([[i]])",
    "few = list(rows)",
    "few = rows[:]",
    "few.extend([list(row) for row in rows])",
    "few.append([i])",
    "few.append(rows.pop()); rows.append([3])",
)
LOOP = """
def f(n):
    rows, few = [], []
    for i in range(n):
        rows.append([i])
    for i in range(n):
        {statement}
    few[n - 1].append(5)
    return few
"""


def changed_before_it_is_put_in(n):
    rows = []
    for _ in range(n):
        row = []
        if rows:
            rows[0].append(5)
        rows.append(row)
        rows.append(row)
    return rows


def in_two_lists(n):
    rows, same = [], []
    for i in range(n):
        rows.append([i])
        same.append(rows[-1])
    few = [row for row in same if row]
    few.append(rows[n % len(rows)])
    few[0].append(6)
    return few


def popped(n):
    rows = []
    for i in range(n):
        rows.append([i])
    rows[-1] = rows[n % len(rows)]
    rows.pop(0).append(7)
    return rows


def popped_in_iterations(n):
    rows = []
    for i in range(n):
        rows.append([i])
    for i in range(n):
        rows[0] = rows[i]
        rows.pop().append(5)
        rows.append([9])
    return rows


def extended_by_itself(n):
    rows = []
    for i in range(n):
        rows.append([i])
    rows.extend(rows)
    rows.pop(0).append(5)
    return rows


def from_before_the_loop(n):
    rows, row = [], []
    if n > 2:
        rows.append(row)
    else:
        row = [1]
    for _ in range(n):
        rows.append(row)
    if rows:
        rows[-1].append(5)
    return rows


def numbers_in(value: Any) -> Any:
    return [numbers_in(each) for each in value] if isinstance(value, list) else int(value)


@pytest.mark.parametrize(
    "f",
    [
        changed_before_it_is_put_in,
        in_two_lists,
        popped,
        popped_in_iterations,
        extended_by_itself,
        from_before_the_loop,
    ],
)
def test_a_change_of_an_item_that_is_there_twice_is_refused(f: Callable[[Any], Any]) -> None:
    with pytest.raises(ContainerMutationError, match="one object is in the list more than once"):
        ag.function(f)(rt.constant(3))


@pytest.mark.parametrize("statement", REPEATED)
def test_items_that_each_iteration_puts_in_are_there_twice(statement: str, tmp_path: Any) -> None:
    f = module_of(LOOP.format(statement=statement), tmp_path / "repeated.py").f
    with pytest.raises(ContainerMutationError, match="one object is in the list more than once"):
        ag.function(f)(rt.constant(3))


@pytest.mark.parametrize("statement", NEW_IN_EACH)
def test_items_that_are_new_in_each_iteration_can_be_changed(statement: str, tmp_path: Any) -> None:
    f = module_of(LOOP.format(statement=statement), tmp_path / "new_in_each.py").f
    for n in (1, 2, 3):
        assert f(n) == numbers_in(ag.function(f)(rt.constant(n)))
