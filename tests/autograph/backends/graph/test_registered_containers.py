"""Registered containers join leaf by leaf, across branches and iterations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import BranchMismatch
from runtime import nest


class Pair:
    """A pair whose parts are not attributes that a graph could see."""

    def __init__(self, *parts: Any) -> None:
        self.__parts = parts

    def parts(self) -> tuple[Any, ...]:
        return self.__parts


@pytest.fixture(autouse=True, scope="module")
def registered() -> Iterator[None]:
    nest.register(Pair, lambda pair: pair.parts(), lambda _, parts: Pair(*parts))
    yield


def joined(x: Any) -> Any:
    pair = Pair(1, 2.5)
    if x > 0:
        pair = Pair(x, 1)
    for i in range(x):
        first, second = pair.parts()
        pair = Pair(first + i, second * 2)
    return pair.parts()


def mixed(x: Any) -> Any:
    pair = Pair(1, 2)
    if x > 0:
        pair = (x, 1)
    return pair


@pytest.mark.parametrize("x", [-1, 0, 1, 3])
def test_leaves_join_as_tuple_items_do(x: int) -> None:
    assert joined(x) == tuple(part.numpy() for part in ag.function(joined)(rt.constant(x)))


def test_a_different_class_on_one_path_is_refused_by_name() -> None:
    with pytest.raises(BranchMismatch, match="'pair' is a tuple in the main branch and a Pair"):
        ag.function(mixed)(rt.constant(1))
