"""The test whether a value is Python's, and the temporaries it uses."""

from __future__ import annotations

import ast
from types import SimpleNamespace
from typing import Any

import pytest

from autograph.lowering.conditions import (
    Temporaries,
    choice,
    is_python,
    is_python_variable,
    read_and_clear,
)

PLACE = ast.parse("somewhere", mode="eval").body


def run(node: ast.expr, **names: Any) -> tuple[Any, list[Any], dict[str, Any]]:
    """Return an expression's value, the arguments of `ag__.is_python`, and the names after it."""
    asked: list[Any] = []

    def python(value: Any) -> bool:
        asked.append(value)
        return value != "foreign"

    space: dict[str, Any] = {
        "ag__": SimpleNamespace(is_python=python, is_python_truth=python),
        **names,
    }
    result = eval(compile(ast.Expression(node), "f.py", "eval"), space)
    return result, asked, space


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize("value", [True, False])
def test_booleans_are_recognised_without_a_call(value: bool) -> None:
    assert (True, []) == run(is_python("t", expression("value"), PLACE), value=value)[:2]
    assert (True, []) == run(is_python_variable("t", PLACE), t=value)[:2]


@pytest.mark.parametrize("value", [1, 0, None, "text", [], "foreign"])
def test_other_values_are_tested_once(value: Any) -> None:
    expected = (value != "foreign", [value])
    assert expected == run(is_python("t", expression("value"), PLACE), value=value)[:2]
    assert expected == run(is_python_variable("t", PLACE), t=value)[:2]


def test_the_value_is_evaluated_once_and_stored() -> None:
    made: list[int] = []
    node = is_python("t", expression("make()"), PLACE)
    _, asked, space = run(node, make=lambda: made.append(1) or len(made))
    assert (1, [1], 1) == (len(made), asked, space["t"])


def test_a_choice_is_an_expression() -> None:
    for chosen in (True, False):
        node = choice(expression("test"), expression("'a'"), expression("1 / 0"), PLACE)
        if chosen:
            assert "a" == run(node, test=True)[0]
        else:
            with pytest.raises(ZeroDivisionError):
                run(node, test=False)


def test_reading_a_temporary_clears_it() -> None:
    value = [1]
    result, _, space = run(read_and_clear("t", PLACE), t=value)
    assert result is value
    assert space["t"] is None


def test_temporaries_are_unique_and_no_user_names() -> None:
    used = ["value_", "value__1", "items_", "x"]
    names = Temporaries(used)
    given = [names.fresh(base) for base in ("value_", "value_", "items_", "other_", "x")]
    assert ["value__2", "value__3", "items__1", "other_", "x_1"] == given


def test_temporaries_of_a_statement_are_reused() -> None:
    names = Temporaries([])
    first = names.fresh("value_")
    with names.reused_after_statement():
        second = names.fresh("value_")
        with names.lasting_names():
            lasting = names.fresh("value_")
        third = names.fresh("value_")
    with names.reused_after_statement(), names.lasting_names():
        later = names.fresh("value_")
    assert len({first, second, third, lasting, later}) == 5
    assert names.fresh("value_") == second
