"""Containers that a path may lack: they are made where they are missing, and change afterwards."""

from __future__ import annotations

import linecache
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from tests.each import for_each

_SPEC = rt.TensorSpec((None,), rt.int32)
# Ways to append to a list that is made where it is missing, with its length afterwards.
_GROUPS = (
    ("g['a'].append(i)", "len(g['a'])"),
    ("g.setdefault('a', []).append(i)", "sum(g.get('a', [7]))"),
    ("if 'a' not in g: g['a'] = []\n            g['a'].append(i)", "[len(v) for v in g.values()]"),
    ("a = [i] if a is None else [*a, i]", "0 if a is None else len(a)"),
    ("g['a'] = g.get('a', []) + [i]", "[sum(v) for v in g.values()]"),
    ("if a is None: a = []\n            a.append(i)", "0 if a is None else len(a)"),
    ("if g.get('a') is None: g['a'] = [3]\n            g['a'].append(i)", "len(g)"),
)
_READS = (
    *(
        "list(l)",
        "sum(l)",
        "[v for v in l]",
        "len(l)",
        "l == [7]",
        "l + [1]",
        "1 in l",
        "sorted(l)",
    ),
    *(
        "tuple(l)",
        "[*l]",
        "list(reversed(l))",
        "l * 2",
        "any(v == 1 for v in l)",
        "min(l)",
        "l[-1]",
    ),
    *("l[-1]", "list(enumerate(l))", "list(iter(l))", "[p for p, in zip(l)]", "l[1:]"),
    "list(map(abs, l))",
)
_ALIASES = (
    "a = l = None\n    if x[0] > 0:\n        a = [7]\n        l = a",
    "a = None\n    if x[0] > 0:\n        l = a = [7]",
    "a = l = None\n    for v in x:\n        a = [7]\n        l = a",
)


def _function(body: str) -> Callable[..., Any]:
    name = f"<optional containers {body}>"
    text = f"def f(x):\n    {body}\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    made: dict[str, Any] = {}
    exec(compile(text, name, "exec"), {"defaultdict": defaultdict, "__name__": "made"}, made)
    return made["f"]


def _numbers(result: Any) -> list[int]:
    return [int(each) for each in rt.nest.flatten(result)]


@for_each("change, result", _GROUPS)
def test_a_loop_makes_a_list_where_it_is_missing(change: str, result: str) -> None:
    for test in ("True", "v > 0"):
        function = _function(
            "a, g = None, defaultdict(list)\n    for i, v in enumerate(x):\n"
            f"        if {test}:\n            {change}\n    return {result}"
        )
        staged = ag.function(function, input_signature=[_SPEC])
        for values in ([1, 1, 0, 2], [0, 0], [0, 5]):
            assert _numbers(function(rt.constant(values))) == _numbers(staged(rt.constant(values)))


@for_each("aliases, read", [(aliases, read) for aliases in _ALIASES for read in _READS])
def test_a_changed_list_is_not_read_by_its_other_name(aliases: str, read: str) -> None:
    changed = "if a is None: a = []\n    a.append(1)"
    staged = ag.function(_function(f"{aliases}\n    {changed}\n    return {read}"))
    with pytest.raises(ag.errors.ContainerMutationError, match="'a' is a different list"):
        staged(rt.constant([1, 2]))


def test_an_alias_in_the_next_iteration_is_refused() -> None:
    @ag.function
    def joined(x: Any) -> Any:
        first = second = None
        for v in x:
            if first is None:
                first = []
            first.append(v)
            if second is None:
                second = []
            first = second
        return first, second

    with pytest.raises(ag.errors.ContainerMutationError, match="'first' is a different list"):
        joined(rt.constant([1, 2]))
