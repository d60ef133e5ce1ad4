"""Functions of `itertools` agree with Python's on iterables whose items only a run knows."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from itertools import takewhile
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.errors import StagedIterationError
from tests.each import for_each

_BEFORE = "from itertools import *\n"
_SPEC = rt.TensorSpec((None,), rt.int32)
_EXPRESSIONS = (
    "list(chain((v for v in x if v > 2), [1]))",
    "[v for v in chain([9], (v for v in x if v > 1), x, range(x[0]))]",
    "any(v > 3 for v in chain(x, x)), sorted(chain(x, x)), max(chain(x, [0]))",
    "list(chain.from_iterable([x, x]))",
    "list(chain.from_iterable(x * k for k in range(x[1], x[0])))",
    "list(islice((v for v in x if v > 2), 2)), sum(islice(x, 2)), list(islice(x, 1, None))",
    "list(islice(range(10), x[0])), list(islice([5, 6, 7, 8], x[1], x[0]))",
    "sum(islice(count(5), x[0]))",
    "list(takewhile(lambda v: v > 1, x)), list(dropwhile(lambda v: v > 1, x))",
    "list(takewhile(lambda v: v < x[0], [1, 2, 3, 4, 1]))",
    "sum(takewhile(lambda v: v < x[0], count()))",
    "next(dropwhile(lambda v: v < x[0], [1, 2, 3, 4, 1]), 0)",
    "list(accumulate(x)), list(accumulate(x, initial=5)), list(accumulate([*x, 7]))",
    "list(accumulate(x, max)), list(accumulate([3, 2, 5], func=lambda a, b: a * b, initial=x[0]))",
    "[a - b for a, b in pairwise(x)], [a - b for a, b in pairwise([v for v in x if v > 1])]",
    "list(starmap(max, zip(x, x[1:]))), list(starmap(max, zip(x, [2, 3])))",
    "list(compress(x, x > 1)), list(compress([1, 2, 3], [1, 0, 1]))",
    "list(map(lambda a, b: a + b, chain(x, x), range(5)))",
    "[a + b for a, b in zip(x, islice(x, 1, None))]",
    "[a * b * c for a, b, c in product(range(x[0]), [1, 2], range(2))]",
    "sum(a * b for a, b in product(range(x[1]), repeat=2))",
    "list(combinations(range(x[0] + 1), 2)), len(list(combinations([v for v in x if v > 5], 2)))",
    "list(combinations_with_replacement([v for v in x if v > 1], 2))",
    "[(a, b) for a, b in zip_longest(range(x[0]), [7, 8], fillvalue=0)]",
    "[(k, len(list(g))) for k, g in groupby([v for v in x if v > 0])]",
    "[(k, sum(g)) for k, g in groupby(x, key=lambda v: v % 2)]",
    "[k for k, g in groupby([x[0], x[1], x[2]])], [sum(g) for k, g in groupby(range(x[1] - 1))]",
    "[a * b for a, b in zip(count(), range(x[0]))], list(zip(range(x[0]), count(5, 3)))",
    "sum(map(lambda a, b: a * b, count(x[1]), range(x[0])))",
    "[a * [1, 2][at % 2] for at, a in enumerate(range(x[0]))]",
)
_WRONG = (
    ("islice(x, -x[0])", "Indices"),
    ("islice(x, -x[1])", "Stop argument"),
    ("islice([1, 2], -x[0], None)", "Indices"),
    ("islice(x, 0, 2, x[1] - 1)", "Step"),
)


def _function(expression: str) -> Callable[..., Any]:
    name = f"<iterator functions {expression}>"
    text = f"{_BEFORE}def f(x):\n    return {expression}\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    made: dict[str, Any] = {"__name__": "iterator_programs"}
    exec(compile(text, name, "exec"), made)
    return made["f"]


def _numbers(result: Any) -> list[int]:
    return [int(each) for each in rt.nest.flatten(result)]


@for_each("expression", _EXPRESSIONS)
def test_the_items_are_those_of_python(expression: str) -> None:
    function = _function(expression)
    for staged in (ag.function(function), ag.function(function, input_signature=[_SPEC])):
        for values in ([3, 1, 2, 4], [2, 1, 5], [3, 1, 1, 1, 6]):
            x = rt.constant(values)
            assert _numbers(function(x)) == _numbers(staged(x))


@for_each("expression, words", _WRONG)
def test_a_wrong_bound_is_the_error_of_python(expression: str, words: str) -> None:
    function = _function(f"list({expression})")
    x = rt.constant([3, 1, 2])
    for call in (function, ag.function(function), ag.function(function, input_signature=[_SPEC])):
        with pytest.raises(ValueError, match=f"^{words} for islice"):
            call(x)


def test_takewhile_leaves_the_items_after_the_first_one_it_drops() -> None:
    @ag.function
    def sums(x: Any) -> Any:
        items = iter([1, 2, 3, 4, 5])
        first = sum(takewhile(lambda v: v < 3, items))
        return first + x, sum(items)

    assert [4, 9] == _numbers(sums(rt.constant(1)))


@for_each(
    "expression, remedy",
    (
        ("[a + b for numbers in [count()] for a, b in zip(range(x[0]), numbers)]", "write count"),
        ("[a + b for a, b in zip(range(x[0]), cycle([1, 2]))]", "take its items by their place"),
        ("[a + b for a, b in zip(range(x[0]), repeat(3))]", "write the item in the body"),
    ),
)
def test_an_iterator_without_an_end_is_refused_beside_tensors(expression: str, remedy: str) -> None:
    with pytest.raises(StagedIterationError, match=remedy):
        ag.function(_function(expression))(rt.constant([3, 1, 2]))
