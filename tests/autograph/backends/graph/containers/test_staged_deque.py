"""Deques that take items whose number only a run knows agree with Python's."""

from __future__ import annotations

import linecache
from collections import deque
from collections.abc import Callable
from typing import Any

import autograph as ag
import runtime as rt
from tests.each import for_each

# Iterables of a tensor `x`.
_ITERABLES = (
    "iter(x)",
    "range(x[0])",
    "range(len(x))",
    "[v for v in x if v > 1]",
    "(v for v in x if v > 1)",
    "(i for i in range(4) if x[0] > i)",
    "map(abs, x)",
    "filter(lambda v: v > 1, x)",
    "reversed(range(x[0]))",
    "deque(v for v in x if v > 1)",
)
_WAYS = (
    "q = deque({})",
    "q = deque({}, 2)",
    "q = deque(maxlen=2, iterable={})",
    "q = deque([7, 8, 9], 3); q.extend({})",
    "q = deque([7, 8, 9], 3); q.extendleft({})",
    "q = deque([7, 8, 9], 3); q += {}",
    "q = deque([7]); q += {}; q.extendleft({}); q += q",
    "q = deque((v for v in x if v > 0), 3); q += {}; q += [5]",
)


def _function(way: str) -> Callable[..., Any]:
    name = f"<deque program {way}>"
    text = f"def f(x):\n    {way}\n    return list(q), len(q), q.maxlen\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    made: dict[str, Any] = {}
    exec(compile(text, name, "exec"), {"deque": deque, "__name__": "deque_programs"}, made)
    return made["f"]


def _numbers(result: Any) -> list[Any]:
    return [each if each is None else int(each) for each in rt.nest.flatten(result)]


@for_each("way", [way.replace("{}", of) for way in _WAYS for of in _ITERABLES])
def test_a_deque_takes_the_items_of_an_iterable(way: str) -> None:
    function = _function(way)
    staged = ag.function(function, input_signature=[rt.TensorSpec((None,), rt.int32)])
    for values in ([3, 1, 2, 4], [0, 1], [1, 5, 2]):
        x = rt.constant(values)
        assert _numbers(function(x)) == _numbers(staged(x))


def test_a_list_takes_the_items_of_a_generator_by_an_augmented_assignment() -> None:
    @ag.function
    def grown(x: Any) -> Any:
        items = [7]
        items += (v for v in x if v > 1)
        items += (v for v in x if v > 2)
        return items

    assert [7, 3, 2, 3] == _numbers(grown(rt.constant([3, 1, 2])))
