"""Functions that may refer to themselves, found by the names in their code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autograph.backends.graph.source.name_references import refers_to_itself


def straight(n: Any) -> Any:
    return n + len("n")


def down(n: Any) -> Any:
    return down(n - 1)


def inside(n: Any) -> Any:
    return [lambda: inside(n)]


def first(n: Any) -> Any:
    return second(n)


def second(n: Any) -> Any:
    return straight(n) + third(n)


def third(n: Any) -> Any:
    return first(n)


def calls_a_recursive_one(n: Any) -> Any:
    return down(n)


class Walker:
    def walk(self, n: Any) -> Any:
        return self.walk(n - 1)

    def stay(self, n: Any) -> Any:
        return n


class Parser:
    def sum(self, n: Any) -> Any:
        return self.product(n) + self.product(n)

    def product(self, n: Any) -> Any:
        return self.nested(n)

    def nested(self, n: Any) -> Any:
        return self.sum(n) if n > 0 else straight(n)


by_another_name = lambda n: by_another_name(n - 1)


def closure() -> Callable[..., Any]:
    def nested(n: Any) -> Any:
        return nested(n - 1)

    return nested


@pytest.mark.parametrize(
    "function",
    [down, inside, first, second, third, Walker.walk, Parser.sum, by_another_name, closure()],
)
def test_self_references_are_found(function: Any) -> None:
    assert refers_to_itself(function)
    assert refers_to_itself(function)  # as remembered


@pytest.mark.parametrize("function", [straight, calls_a_recursive_one, Walker.stay, closure])
def test_other_functions_have_no_self_reference(function: Any) -> None:
    assert not refers_to_itself(function)
