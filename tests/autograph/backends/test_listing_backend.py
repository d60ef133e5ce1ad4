"""The backend of the page "Write a backend": its listings compute what their functions do."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from typing import Any

import pytest

from autograph.errors import StagingError
from tests import pages

PAGE = pages.ROOT / "docs" / "contributing" / "backend.md"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the names that the page's code defines."""
    file = tmp_path_factory.mktemp("page") / "listing.py"
    blocks = pages.python_blocks(PAGE.read_text(encoding="utf-8"))
    file.write_text("\n".join(block.source for block in blocks), encoding="utf-8")
    return runpy.run_path(str(file))


def sign(x: Any) -> Any:
    if x > 0:
        return 1
    elif x < 0:
        return -1
    return 0


def no_result(x: Any) -> Any:
    if x > 2:
        return x


def greatest_divisor(a: Any, b: Any) -> Any:
    while b:
        a, b = b, a % b
    return a


def primes_below(n: Any) -> Any:
    count, i = 0, 2
    while i < n:
        j, prime = 2, True
        while j * j <= i:
            if i % j == 0:
                prime = False
                break
            j += 1
        if prime:
            count += 1
        i += 1
    return count


def total_of_odd(n: Any) -> Any:
    total = 0
    for i in range(n):
        if i % 2 == 0:
            continue
        if total > 20:
            break
        total += i
    else:
        total = total * 100
    return total


def first_square_above(n: Any) -> Any:
    for i in range(8):
        if i * i > n:
            return i
    return -1


def between(x: Any) -> Any:
    return 0 < x <= 5 and not x == 3 or x in [10, 11]


def picked(i: Any) -> Any:
    items = [5, 6, 7]
    return items[i] if i < 3 else max(i, 20)


def doubled(n: Any) -> Any:
    return sign(n) * 2 + abs(n)


def halved_in_place(xs: Any) -> Any:
    for i in range(len(xs)):
        xs[i] = xs[i] // 2
    return xs


PROGRAMS: dict[Callable[..., Any], tuple[tuple[Any, ...], ...]] = {
    sign: ((3,), (-3,), (0,)),
    no_result: ((3,), (1,)),
    greatest_divisor: ((12, 18), (7, 0)),
    primes_below: ((2,), (30,)),
    total_of_odd: ((0,), (4,), (30,)),
    first_square_above: ((5,), (100,)),
    between: ((0,), (3,), (5,), (10,), (12,)),
    picked: ((0,), (2,), (9,), (30,)),
    doubled: ((4,), (-4,)),
    halved_in_place: (([4, 9],), ([],)),
}


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_a_listing_computes_what_its_function_does(
    fn: Callable[..., Any], page: dict[str, Any]
) -> None:
    names = fn.__code__.co_varnames[: fn.__code__.co_argcount]
    text = page["listing_of"](fn, *names)
    space: dict[str, Any] = {}
    exec(text, space)
    for case in PROGRAMS[fn]:
        copies = [list(each) if isinstance(each, list) else each for each in case]
        assert fn(*case) == space[fn.__name__](*copies), text


def test_a_value_that_only_one_path_gives_is_refused(page: dict[str, Any]) -> None:
    def mixed(x: Any) -> Any:
        y = "text" if x is None else 1
        if x > 0:
            y = "other"
        return y

    with pytest.raises(StagingError, match="'y' is not a number on every path"):
        page["listing_of"](mixed, "x")
