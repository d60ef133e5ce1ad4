"""Wrappers are recognised, whoever made them, and nothing else is."""

from __future__ import annotations

import functools
import gc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from autograph.conversion.convert import convert
from autograph.conversion.wrappers import (
    Converting,
    Exempt,
    converting,
    exempting,
    standing_behind,
)


def plain(x: int) -> int:
    return x + 1


def test_what_stands_behind_a_wrapper_is_found() -> None:
    exempt, standing = exempting(Exempt(plain)), Converting(plain, lambda fn: fn)  # type: ignore[arg-type]
    assert plain is standing_behind(exempt).function  # type: ignore[union-attr]
    assert standing is standing_behind(converting(standing))


@pytest.mark.parametrize("value", [plain, len, None, 3, functools.wraps(plain)(lambda: 0)])
def test_nothing_stands_behind_anything_else(value: object) -> None:
    assert standing_behind(value) is None


def test_a_function_is_converted_at_the_first_call_and_once() -> None:
    asked: list[Callable[..., Any]] = []

    def prepare(fn: Callable[..., Any]) -> Callable[..., Any]:
        asked.append(fn)
        return lambda x: fn(x) * 10

    wrapper = converting(Converting(plain, prepare))  # type: ignore[arg-type]
    assert [] == asked
    assert [20, 30] == [wrapper(1), wrapper(2)]
    assert [plain] == asked


def test_a_conversion_that_failed_is_tried_again() -> None:
    answers: list[Any] = [KeyError("not yet"), lambda x: "later"]

    def prepare(fn: Callable[..., Any]) -> Callable[..., Any]:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[no-any-return]

    wrapper = converting(Converting(plain, prepare))  # type: ignore[arg-type]
    with pytest.raises(KeyError):
        wrapper(1)
    assert "later" == wrapper(1)


def test_a_wrapped_closure_is_freed_with_its_owner() -> None:
    def make() -> Callable[[int], int]:
        @convert
        def down(n: int) -> int:
            return 0 if n == 0 else down(n - 1)

        return down

    fn = make()
    assert 0 == fn(3)
    watched = weakref.ref(fn)
    del fn
    gc.collect()
    assert watched() is None
