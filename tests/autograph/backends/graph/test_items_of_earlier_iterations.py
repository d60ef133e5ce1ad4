"""A variable at the start of an iteration is an item that the one before has put in a list.

The iteration changes the item in the list: the graph's variable lacks the change, so that a read of
it, or a change, is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import ContainerMutationError


class Box:
    def __init__(self, v: Any) -> None:
        self.v = v


def changed_and_read(n):
    a, row = [[1]], [0]
    for i in rt.range(n):
        a[-1].append(i)
        row = row + [i]
        a.append(row)
        row.append(5)
    return a


def changed_on_a_path(n):
    a, row = [], [0]
    for i in rt.range(n):
        if i > 0:
            a[-1].append(i)
        row = row + [i]
        a.append(row)
    return a


def length_after_a_change(n):
    a, row = [], [0]
    s = 0
    for i in rt.range(n):
        if i > 0:
            a[-1].append(i)
            s += len(row)
        row = [i]
        a.append(row)
    return a, s


def changed_in_an_inner_loop(n):
    a, row, s = [[9]], [0], 0
    for i in rt.range(n):
        for b in a:
            b.append(i)
        s += len(row)
        row = [i]
        a.append(row)
    return a, s


def number_replaced(n):
    a, row, s = [[9]], [0], 0
    for i in rt.range(n):
        a[-1][0] = i
        s += row[0]
        row = [i]
        a.append(row)
    return a, s


def dict_in_the_list(n):
    a, row, s = [[9]], {"v": 0}, 0
    a = [{"v": 3}]
    for i in rt.range(n):
        a[-1]["v"] += i
        s += row["v"]
        row = {"v": i}
        a.append(row)
    return a[-1]["v"], s


def object_in_the_list(n):
    row, s = Box(3), 0
    a = [Box(4)]
    for i in rt.range(n):
        a[-1].v += i
        s += row.v
        row = Box(i)
        a.append(row)
    return a[-1].v, s


def item_picked_at_the_end(n):
    a, s = [[9]], 0
    row = [4]
    i = 0
    while i < n:
        i += 1
        a[-1].append(i)
        a[-1].append(len(row))
        a.append([i])
        row = a[-1]
    return a, s


def read_two_iterations_later(n):
    a, row, prev, s = [[7]], [0], [1], 0
    for i in rt.range(n):
        a[0].append(i)
        s += len(prev)
        prev = row
        row = [i]
        a.append(row)
    return a, s


def changed_two_iterations_later(n):
    a, row, prev, s = [[7]], [0], [1], 0
    for i in rt.range(n):
        prev.append(i)
        prev = row
        row = [i]
        a.append(row)
    return a, s


def read_in_an_inner_loop(n):
    a, row, s = [[9]], [0], 0
    i = 0
    while i < n:
        for j in rt.range(2):
            a[-1].append(j)
            s += len(row)
        row = [i]
        a.append(row)
        i += 1
    return a, s


def read_before_the_change(n):
    a, row, s = [[9]], [0], 0
    for i in rt.range(n):
        s += len(row)
        a[-1].append(i)
        row = [i]
        a.append(row)
    return a, s


def never_read(n):
    a, row = [], [0]
    for i in rt.range(n):
        if i > 0:
            a[-1].append(i)
        row = [i]
        a.append(row)
    return a


def changed_after_it_was_put(n):
    a, row, s = [], [0], 0
    for i in rt.range(n):
        s += len(row)
        row = [i]
        a.append(row)
        a[-1].append(i)
    return a, s


def the_same_item(n):
    a, s = [[9]], 0
    row = a[0]
    i = 0
    while i < n:
        i += 1
        a[-1].append(i)
        s += len(row)
        row = a[-1]
    return a, s


def another_list(n):
    a, b, row = [[9]], [[1]], [0]
    for i in rt.range(n):
        b[-1].append(i)
        row = row + [i]
        a.append(row)
        row.append(3)
    return a, b


def only_read(n):
    a, b, s = [[7]], [0], 0
    for i in rt.range(n):
        b = b + [i]
        a.append(b)
        s += len(b)
    return a, b, s


REFUSED = [
    changed_and_read,
    changed_on_a_path,
    length_after_a_change,
    changed_in_an_inner_loop,
    number_replaced,
    dict_in_the_list,
    object_in_the_list,
    item_picked_at_the_end,
    read_two_iterations_later,
    changed_two_iterations_later,
    read_in_an_inner_loop,
]
ACCEPTED = [
    read_before_the_change,
    never_read,
    changed_after_it_was_put,
    the_same_item,
    another_list,
    only_read,
]


@pytest.mark.parametrize("function", REFUSED)
def test_a_stale_variable_is_refused(function: Callable[[Any], Any]) -> None:
    with pytest.raises(ContainerMutationError):
        ag.function(function)(rt.constant(3))


@pytest.mark.parametrize("function", ACCEPTED)
def test_others_agree_with_python(function: Callable[[Any], Any]) -> None:
    staged = ag.function(function)
    for n in (0, 1, 2, 5):
        expected, found = function(rt.constant(n)), staged(rt.constant(n))
        assert repr(rt.nest.map_structure(int, expected)) == repr(rt.nest.map_structure(int, found))
