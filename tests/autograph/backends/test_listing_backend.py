"""The backend of the page "Write a backend": its listings compute their functions' results."""

from __future__ import annotations

import itertools
import math
import runpy
from collections.abc import Callable
from contextlib import nullcontext
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


def first_above(n: Any) -> Any:
    i = 0
    while i < n:
        if i * i > 20:
            return i
        i += 1
    return -1


def counts_down(n: Any) -> Any:
    count = 0
    while (before := n) * (n := n - 1) > 6:
        count += 1
    return count * 1000 + before * 10 + n


def swapped(n: Any) -> Any:
    a, b, count = n, 3, 0
    while a:
        a, b = b, a - a
        count += 1
    return count


class Box:
    v: Any = 1


def attribute(x: Any) -> Any:
    box = Box()
    box.v = 1
    if x > 3:
        box.v = x
    while box.v < 10:
        box.v += 4
    return box.v


def on_one_path_first(x: Any) -> Any:
    if x > 3:
        y = 1
    if x > 0:
        y = 2
    else:
        y = 5
    return y


def is_checked(x: Any) -> Any:
    try_again = x + 1
    assert x > 3, try_again
    assert x != 7
    return x


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
    first_above: ((2,), (9,)),
    counts_down: ((12,), (7,), (1,)),
    swapped: ((0,), (4,)),
    attribute: ((2,), (5,), (20,)),
    on_one_path_first: ((5,), (2,), (-1,)),
}


def _compiled(fn: Callable[..., Any], page: dict[str, Any]) -> Callable[..., Any]:
    names = fn.__code__.co_varnames[: fn.__code__.co_argcount]
    space: dict[str, Any] = {}
    exec(page["listing_of"](fn, *names), space)
    return space[fn.__name__]


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_a_listing_agrees_with_its_function(fn: Callable[..., Any], page: dict[str, Any]) -> None:
    listing = _compiled(fn, page)
    for case in PROGRAMS[fn]:
        copies = [list(each) if isinstance(each, list) else each for each in case]
        assert fn(*case) == listing(*copies)


def test_an_assertion_fails_when_the_listing_runs(page: dict[str, Any]) -> None:
    listing = _compiled(is_checked, page)
    assert 5 == listing(5)
    for case, arguments in ((3, (4,)), (7, ())):
        with pytest.raises(AssertionError) as found:
            listing(case)
        assert arguments == found.value.args


def read_after_the_loop(x: Any) -> Any:
    i = 0
    while i < x:
        y = i
        i += 1
    return y


def attribute_of_a_class(x: Any) -> Any:
    box = Box()
    if x > 3:
        box.v = x
    return box.v


def read_after_one_path(x: Any) -> Any:
    if x > 3:
        y = 1
    return y


def raises_on_one_path(x: Any) -> Any:
    if x > 3:
        raise ValueError("large")
    return x


def sets_an_item(x: Any) -> Any:
    items = [1, 2, 3]
    items[x] = 7
    return items[2]


def catches(x: Any) -> Any:
    try:
        return 10 // x
    except ZeroDivisionError:
        return 0


def manages(x: Any) -> Any:
    with nullcontext():
        y = x + 1
    return y


def never_ends(x: Any) -> Any:
    for i in itertools.count():
        if i * i > x:
            break
    return 1


def unpacks(x: Any) -> Any:
    a, b = x
    return a + b


def as_key(x: Any) -> Any:
    return {x: 1}


# A part of the error for each program that the page says is refused, and the line it names.
REFUSED: dict[Callable[..., Any], tuple[str, str]] = {
    read_after_the_loop: ("'y' is not a number around each iteration", "while i < x"),
    attribute_of_a_class: ("'box.v' is not a number on every path", "if x > 3"),
    read_after_one_path: ("'y' has no value on some paths", "return y"),
    raises_on_one_path: (r"one path raises ValueError\('large'\)", "if x > 3"),
    sets_an_item: ("an item of an object of Python's is set", r"items\[x\] = 7"),
    catches: ("`try` has no meaning", "try:"),
    manages: ("`with` has no meaning", "with nullcontext"),
    never_ends: ("no end", "for i in itertools"),
    unpacks: ("'unpack_items' has no meaning", "a, b = x"),
    as_key: ("Python needs the value of x", "return {x: 1}"),
}
# Of one expression each.
EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "Python needs the value of x": lambda x: print(x),
    "'text' has no meaning": lambda x: f"v{x}",
    "'star_items' has no meaning": lambda x: [*x],
    "'max' has no meaning": lambda x: max(x, 3, key=abs),
    "'math.sqrt' has no meaning": lambda x: math.sqrt(x),
}


@pytest.mark.parametrize("fn", REFUSED, ids=lambda fn: fn.__name__)
def test_a_program_without_a_listing_is_an_error_at_its_line(
    fn: Callable[..., Any], page: dict[str, Any]
) -> None:
    message, line = REFUSED[fn]
    with pytest.raises(StagingError, match=rf"(?s){message}.*{line}"):
        page["listing_of"](fn, "x")


@pytest.mark.parametrize("message", EXPRESSIONS)
def test_an_expression_without_a_listing_is_an_error(message: str, page: dict[str, Any]) -> None:
    with pytest.raises(StagingError, match=message):
        page["listing_of"](EXPRESSIONS[message], "x")


def test_a_match_is_refused(page: dict[str, Any]) -> None:
    def matched(x: Any) -> Any:
        match x:
            case 1:
                return 10
        return 30

    with pytest.raises(StagingError, match="'pattern_test' has no meaning"):
        page["listing_of"](matched, "x")


def test_a_value_that_only_one_path_gives_is_refused(page: dict[str, Any]) -> None:
    def mixed(x: Any) -> Any:
        y = "text" if x is None else 1
        if x > 0:
            y = "other"
        return y

    with pytest.raises(StagingError, match="'y' is not a number on every path"):
        page["listing_of"](mixed, "x")
