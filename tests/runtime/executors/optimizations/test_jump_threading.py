"""Flags of the user's jumps become jumps of the printed function."""

from __future__ import annotations

import pytest

import runtime as rt
from tests.runtime.executors.graphs import body_of, both


def index_of(xs, wanted):
    for at in rt.range(rt.size(xs)):
        if xs[at] == wanted:
            return at
    return -1


def first_above(n):
    i = 0
    while i < n:
        if i * i > 40:
            break
        i += 1
    return i


def odd_ones(n):
    total = 0
    for i in rt.range(n):
        if i % 2 == 0:
            continue
        total += i
    return total


def returned_from_an_inner_loop(n):
    for i in rt.range(n):
        for j in rt.range(n):
            if i * j == 6:
                return i - j
    return n * 0 - 100


def break_flag_tested_afterwards(n):
    i, early = 0, False
    while i < n:
        if i == 5:
            early = True
            break
        i += 1
    if early:
        i = i * 10
    return i


def with_two_ends(n):
    i = 0
    while True:
        if i > n:
            return i
        i += 3
        if i % 7 == 0:
            break
    return -i


def skips_and_leaves(n):
    total = 0
    for i in rt.range(n):
        if i == 3:
            continue
        if i == 7:
            break
        total = total * 2 + i
    else:
        total = -total
    return total


def two_bounded_conditions(n):
    xs, i = rt.constant([3, 1, 4, 1, 5]), 0
    while i < n and xs[i % 5] < 5 and xs[(i + 1) % 5] != 0:
        i += 1
    return i


def conditional_expression_condition(n):
    xs, i, left = rt.constant([3, 1, 4, 1, 5]), 0, 12
    while (xs[i % 5] > 0) if i < n else (left > 6):
        i += 1
        left -= 1
    return i, left


def conditional_flag_condition(n):
    xs, i, more = rt.constant([3, 1, 4, 1, 5]), 0, n > 3
    while (xs[i % 5] > 0) if i < n else more:
        i += 1
        more = i < n + 5
    return i, more


def disjunction_condition(n):
    xs, i = rt.constant([3, 1, 4, 1, 5]), 0
    while i < n or xs[i % 5] < 4:
        i += 1
    return i


@pytest.mark.parametrize(
    "function",
    [
        two_bounded_conditions,
        conditional_expression_condition,
        conditional_flag_condition,
        disjunction_condition,
        first_above,
        odd_ones,
        returned_from_an_inner_loop,
        break_flag_tested_afterwards,
        with_two_ends,
        skips_and_leaves,
    ],
)
@pytest.mark.parametrize("n", [0, 1, 4, 6, 9, 30])
def test_jumps_agree_with_flags(function, n):
    printed, interpreted = both(function, n)
    assert printed == interpreted


@pytest.mark.parametrize("wanted", [5, 7, 9, 4])
def test_a_search_with_jumps_agrees_with_flags(wanted):
    printed, interpreted = both(index_of, [5, 7, 9], wanted)
    assert printed == interpreted


def test_a_return_from_a_loop_is_a_return():
    body = body_of(index_of, [5, 7, 9], 7)
    assert "for " in body and body.count("return ") == 2
    assert "do_return" not in body and "retval" not in body.split("for ")[1]


def test_a_return_from_two_loops_is_a_return():
    body = body_of(returned_from_an_inner_loop, 5)
    assert body.count("return ") == 2 and "do_return" not in body


def test_a_break_is_a_break_and_leaves_no_flag():
    body = body_of(first_above, 9)
    assert "break_" not in body and ("break\n" in body or body.count("return") == 2)


def test_a_continue_leaves_no_flag():
    assert "continue_" not in body_of(odd_ones, 9)


def test_a_loop_is_left_at_the_first_test_that_fails():
    body = body_of(two_bounded_conditions, 9)
    assert "while i < n:" in body and body.count("break") == 2 and "cond" not in body
    assert "while True:" in body_of(disjunction_condition, 9)
