"""Wrappers of this and other libraries are recognised, and nothing else is."""

from __future__ import annotations

import functools
import gc
import operator
import sys
import threading
import traceback
import weakref
from collections.abc import Callable
from types import FunctionType
from typing import Any, cast
from unittest.mock import Mock

import pytest

from autograph.conversion.convert import convert, is_converted, to_graph
from autograph.conversion.wrappers import (
    UnconvertedFunction,
    converting,
    exempting,
    wrapped_by,
)


def plain(x: int) -> int:
    return x + 1


IDENTITY = operator.attrgetter(
    "__name__", "__qualname__", "__module__", "__doc__", "__defaults__", "__kwdefaults__",
    "__annotations__", "__dict__", "__globals__", "__closure__",
)  # fmt: skip


def test_the_function_behind_a_wrapper_is_found() -> None:
    wrapper = converting(cast(FunctionType, plain), lambda fn: fn)
    exempt, waiting = wrapped_by(exempting(UnconvertedFunction(plain))), wrapped_by(wrapper)
    assert exempt is not None and waiting is not None
    assert plain is exempt.function
    assert plain.__code__ is waiting.function.__code__
    assert IDENTITY(plain) == IDENTITY(waiting.function)


@pytest.mark.parametrize(
    "value", [plain, len, None, 3, functools.wraps(plain)(lambda: 0), Mock(spec=plain)]
)
def test_other_values_are_no_wrappers(value: object) -> None:
    assert wrapped_by(value) is None


def test_a_function_is_converted_at_the_first_call_and_once() -> None:
    asked: list[Any] = []

    def prepare(fn: FunctionType) -> FunctionType:
        asked.append(fn.__code__)
        return cast(FunctionType, lambda x: x * 10)

    wrapper = converting(plain, prepare)
    assert [] == asked
    assert [10, 20] == [wrapper(1), wrapper(2)]
    assert [plain.__code__] == asked
    assert 3 == plain(2)


def test_a_conversion_that_failed_is_tried_again() -> None:
    answers: list[Any] = [KeyError("not yet"), lambda x: "later"]

    def prepare(fn: FunctionType) -> FunctionType:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return cast(FunctionType, answer)

    wrapper = converting(plain, prepare)
    with pytest.raises(KeyError):
        wrapper(1)
    assert "later" == wrapper(1)


def test_after_its_first_call_a_wrapper_is_the_converted_function() -> None:
    made = to_graph(plain)
    wrapper = converting(cast(FunctionType, plain), lambda fn: made)
    assert wrapped_by(wrapper) is not None
    assert 3 == wrapper(2)
    assert made.__code__ is wrapper.__code__
    assert wrapped_by(wrapper) is None
    assert is_converted(wrapper)


def test_a_form_with_other_cells_is_called_from_the_wrapper() -> None:
    added = 5
    wrapper = converting(cast(FunctionType, plain), lambda fn: lambda x: x + added)
    assert [6, 7] == [wrapper(1), wrapper(2)]
    added = 6
    assert 7 == wrapper(1)


def test_closures_of_one_code_are_converted_at_their_first_call() -> None:
    def adder(n: int) -> Callable[[int], int]:
        @convert
        def add(x: int) -> int:
            return x + n

        return add

    one, two = adder(1), adder(2)
    assert [11, 12, 11, 12] == [one(10), two(10), one(10), two(10)]


def test_eight_threads_call_a_wrapper_for_the_first_time() -> None:
    wrapper, start = convert(plain), threading.Barrier(8)
    results: list[int] = []

    def work() -> None:
        start.wait()
        results.append(wrapper(1))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [2] * 8 == results


def test_an_error_of_the_first_call_shows_the_users_frames() -> None:
    @convert
    def fail(x: int) -> None:
        raise KeyError(x)

    found = []
    for _ in range(2):
        with pytest.raises(KeyError) as caught:
            fail(1)
        entries = traceback.extract_tb(caught.value.__traceback__)
        found.append([(entry.name, entry.lineno) for entry in entries[1:]])
    # Python 3.10 restores, at the end of an `except` clause, the traceback as it was caught.
    assert found[1] == found[0][sys.version_info < (3, 11) :]
    assert ["fail"] == [name for name, _ in found[1]]


@pytest.mark.parametrize("calls", [0, 1, 2])
def test_a_wrapped_closure_is_freed_with_its_owner(calls: int) -> None:
    def make() -> Callable[[int], int]:
        @convert
        def down(n: int) -> int:
            return 0 if n == 0 else down(n - 1)

        return down

    fn = make()
    assert [0] * calls == [fn(3) for _ in range(calls)]
    watched = weakref.ref(fn)
    del fn
    gc.collect()
    assert watched() is None
