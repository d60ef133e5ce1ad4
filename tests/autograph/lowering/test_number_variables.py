"""A variable is a number only if every value assigned to it is one."""

from __future__ import annotations

import ast

import pytest

from autograph.lowering.number_variables import number_names


def numbers(text: str) -> set[str]:
    return set(number_names(ast.parse(text).body[0]))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("i = 0\n i += 1", {"i"}),
        ("i, j = 0, -1.5\n k = i * j", {"i", "j", "k"}),
        ("i = 0\n i = n", set()),
        ("i = j = 0\n j = ag__.ld(i) + 1", {"i", "j"}),
        ("i = ag__.Undefined('i')\n i = 1", set()),
        ("i = 'text'", set()),
        ("i = 0\n for i in n: pass", set()),
        ("i = 0\n def body():\n  nonlocal i\n  i = i + 1", {"i"}),
        ("i = 0\n def body():\n  nonlocal i\n  i = n", set()),
        ("nonlocal i\n i += 1", set()),
        ("global i\n i = 1", set()),
    ],
)
def test_a_variable_is_a_number_if_all_assignments_are(body: str, expected: set[str]) -> None:
    assert expected == numbers(f"def f(n):\n {body}\n")


def test_set_state_keeps_number_variables() -> None:
    state = "def set_state(vars_):\n  nonlocal i\n  (i,) = vars_"
    assert {"i"} == numbers(f"def f(n):\n i = 0\n {state}\n")
