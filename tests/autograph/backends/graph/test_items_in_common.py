"""Staged lists with items in common: an item is changed through one and read through another."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import ContainerMutationError
from tests.each import for_each
from tests.parity.written import module_of

COMMON = (
    "b = a[:]",
    "b += a",
    "b[:] = a",
    "b = [*a]",
    "b.extend(a)",
    "b = [row for row in a]",
)
THEN = ("", "for i in range(n): b.append([i])")
CHANGES = (
    "a[n // 2].append(8)",
    "for i in range(n): a[i].append(8)",
    "row = a.pop(); row.append(8)",
    "for i in range(n):\n        row = a.pop()\n    row.append(8)",
    "for i in range(n):\n        if i > 0: row = a.pop()\n    row.append(8)",
    "if n > 1: row = a.pop(0)\n    row.append(8)",
)
PROGRAM = """
def f(n):
    a, b, row = [], [], [0]
    for i in range(n + 1):
        a.append([i])
    {common}
    {then}
    {change}
    return b
"""


def staged(function: Callable[..., Any], n: int) -> Any:
    found = ag.function(function)(rt.constant(n))
    return rt.nest.map_structure(lambda leaf: leaf.numpy().item(), found)


@for_each("program", [*itertools.product(COMMON, THEN, CHANGES)])
def test_a_list_does_not_lack_a_change(program: tuple[str, str, str], tmp_path: Path) -> None:
    text = PROGRAM.format(**dict(zip(("common", "then", "change"), program)))
    with pytest.raises(ContainerMutationError, match="is an item of|more than once"):
        staged(module_of(text, tmp_path / "common.py").f, 3)


def put_twice_by_an_iteration(n):
    rows, row = [], [0]
    for i in range(n):
        for _ in range(i):
            rows.append(row)
        row = [i]
        if rows:
            row = rows.pop()
    row.append(8)
    return rows, row


def put_in_two_lists(n):
    rows, others, row = [[5]], [[6]], [0]
    for i in range(n):
        if i > 0:
            rows.append(row)
            others.append(row)
        row = rows.pop()
    row.append(8)
    return rows, others


def part_of_a_pair(n):
    pairs, pair = [], ([0], 1)
    for i in range(n + 1):
        pairs.append(([i], i))
    others = list(pairs)
    for _ in range(n):
        pair = pairs.pop()
    pair[0].append(8)
    return others


@pytest.mark.parametrize("f", [put_twice_by_an_iteration, put_in_two_lists, part_of_a_pair])
def test_an_item_that_a_loop_has_popped_may_be_in_a_list(f: Callable[..., Any]) -> None:
    with pytest.raises(ContainerMutationError, match="is an item of|more than once"):
        staged(f, 3)


def popped_from_one(n):
    rows, row = [], [0]
    for i in range(n + 1):
        rows.append([i])
    while len(rows) > 1:
        row = rows.pop()
    row.append(8)
    return rows, row


def popped_and_put_back(n):
    rows, row = popped_from_one(n)
    rows.append(row)
    row.append(9)
    return rows, row


def moved_to_another(n):
    rows, others = [], []
    for i in range(n + 1):
        rows.append([i])
    while len(rows) > 1:
        others.append(rows.pop())
    others.append([9])
    others[0].append(8)
    rows[0].append(7)
    return rows, others


@pytest.mark.parametrize("n", range(3))
@pytest.mark.parametrize("f", [popped_from_one, popped_and_put_back, moved_to_another])
def test_a_popped_item_leaves_its_list(f: Callable[..., Any], n: int) -> None:
    assert rt.nest.map_structure(int, f(n)) == staged(f, n)


TWICE = (
    "a = a + a[:1]",
    "a = a * 2",
    "a = [*a, *a]",
    "a = a[:] + a",
    "a[0:0] = a[:1]",
    "b.extend(a); b.extend(a); a = b",
)
ONCE = (
    "a = a[1:] + a[:1]",
    "a = a[n:] + [[9]] + a[:n]",
    "a = a[:n] + a[n + 1:]",
    "a = a[-1:] + a[:-1]",
    "a[1:] = a[1:][::-1]",
    "b = a[:1]; del a[:1]; a += b",
)
JOINED = """
def f(n):
    a, b = [], []
    for i in range(n + 2):
        a.append([i])
    {statement}
    a[n // 2].append(8)
    return a
"""


@for_each("statement", TWICE)
def test_a_list_that_is_joined_with_its_own_items_has_them_twice(
    statement: str, tmp_path: Path
) -> None:
    f = module_of(JOINED.format(statement=statement), tmp_path / "joined.py").f
    with pytest.raises(ContainerMutationError, match="one object is in the list more than once"):
        staged(f, 3)


@for_each("statement", ONCE)
def test_slices_without_a_common_item_are_joined(statement: str, tmp_path: Path) -> None:
    f = module_of(JOINED.format(statement=statement), tmp_path / "joined.py").f
    assert f(3) == staged(f, 3)
