"""Stored attributes are read without the code of the user's class."""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
import runtime as rt
from runtime.core.stored_attributes import stored_attributes


class Watched:
    def __init__(self) -> None:
        self.size = 3

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(name)


class Named:
    __slots__ = ("size",)


class Answers:
    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        return "no dict"


def test_no_code_of_the_class_runs() -> None:
    assert stored_attributes(Watched()) == {"size": 3}


@pytest.mark.parametrize("value", [Named(), Answers(), 3])
def test_values_without_a_dict_store_no_attributes(value: object) -> None:
    assert stored_attributes(value) == {}


def test_an_object_whose_dict_is_computed_is_staged() -> None:
    kept = Answers()

    @ag.function
    def f(x: rt.Tensor) -> rt.Tensor:
        if x > 0 and kept is not None:
            x = x + 1
        return x

    assert f(rt.constant(1.0)).numpy() == 2


def test_a_class_stores_its_own_attributes() -> None:
    class Derived(Watched):
        size = 4

    assert "size" in stored_attributes(Derived) and "__init__" not in stored_attributes(Derived)
