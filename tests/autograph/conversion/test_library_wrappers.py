"""The user's functions are converted inside the functions a library puts around them."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.conversion.library_wrappers import LibraryWrappers, is_library_wrapper


@contextlib.contextmanager
def magnitude(x: Any) -> Iterator[Any]:
    """How large."""
    if x > 0:
        y = x
    else:
        y = -x
    try:
        yield y
    finally:
        LEFT.append("left")


@contextlib.asynccontextmanager
async def later(x: Any) -> AsyncIterator[Any]:
    yield x if x > 0 else -x


@contextlib.contextmanager
def plain() -> Iterator[None]:
    yield


@plain()
def sign(x: Any) -> Any:
    if x > 0:
        return 1
    return -1


LEFT: list[str] = []


def test_a_generator_context_manager_is_staged() -> None:
    @ag.function
    def doubled(x: Any) -> Any:
        with magnitude(x) as y:
            return y * 2

    LEFT.clear()
    assert [6, 8] == [int(doubled(rt.constant(x))) for x in (-3, 4)]
    assert ["left"] == LEFT


def test_an_asynchronous_context_manager_is_staged() -> None:
    async def work(x: Any) -> Any:
        async with later(x) as y:
            return y + 1

    @ag.function
    def driven(x: Any) -> Any:
        try:
            work(x).send(None)
        except StopIteration as stop:
            return stop.value

    assert [4, 5] == [int(driven(rt.constant(x))) for x in (-3, 4)]


def test_a_function_decorated_with_a_context_manager_is_staged() -> None:
    staged = ag.function(lambda x: sign(x))
    assert [-1, 1] == [int(staged(rt.constant(x))) for x in (-3, 4)]


@pytest.mark.parametrize(
    ("fn", "expected"),
    [
        (magnitude, True),
        (sign, True),
        (functools.singledispatch(sign), True),
        (functools.wraps(len)(lambda: 0), False),
        (lambda: LEFT, False),
    ],
)
def test_is_library_wrapper_recognises_wrappers(fn: Any, expected: bool) -> None:
    assert expected == is_library_wrapper(fn)


def around(inner: Any, k: int = 1, *, m: int = 2) -> Any:
    other = "left alone"

    @functools.wraps(inner)
    def outer(x: int = k, *, y: int = m) -> Any:
        return inner(x + y), other

    return outer


def test_only_the_cell_of_the_wrapped_function_changes() -> None:
    def inner(x: int) -> int:
        return x

    fn = around(inner)
    made = LibraryWrappers(lambda found: lambda x: (found, x)).instantiate(fn)  # type: ignore[arg-type]
    assert ((inner, 3), "left alone") == made()
    assert ((inner, 9), "left alone") == made(4, y=5)
    assert (3, "left alone") == fn()
    assert (fn.__name__, fn.__qualname__) == (made.__name__, made.__qualname__)


def test_functions_found_by_singledispatch_are_converted() -> None:
    shown: Any = functools.singledispatch(lambda x: ("object", x))
    shown.register(int)(lambda x: ("int", x))

    def marking(found: Any) -> Any:
        return lambda x: ("converted", *found(x))

    made = LibraryWrappers(marking).instantiate(shown)
    assert [("converted", "int", 3), ("converted", "object", "a")] == [made(3), made("a")]
    assert ("int", 3) == shown(3)


def test_an_unchanged_wrapper_is_returned_as_is() -> None:
    fn = around(test_an_unchanged_wrapper_is_returned_as_is)
    assert fn is LibraryWrappers(lambda found: found).instantiate(fn)
    around_builtin = around(len)
    assert around_builtin is LibraryWrappers(lambda found: around).instantiate(around_builtin)  # type: ignore[arg-type,return-value]
