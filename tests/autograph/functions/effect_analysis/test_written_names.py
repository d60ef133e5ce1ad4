"""Names whose objects code changes, found without `dis` and compared with it."""

from __future__ import annotations

import argparse
import ast
import dis
import inspect
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

import pytest

from autograph.functions.effect_analysis import written_names as module
from autograph.functions.effect_analysis.resolved_names import BETWEEN
from autograph.functions.effect_analysis.state_uses import CHANGING, READING
from autograph.functions.effect_analysis.written_names import changed_names
from autograph.syntax.code_comparison import nested_codes
from runtime.ops import op

counted = 0


def stores(o: Any, items: Any, at: Any) -> Any:
    o.calls = 1
    del o.old
    items[0] = o
    o.rows[at] = items
    del o.columns["k"]
    local = items
    return local


def calls(o: Any, log: Any, seen: Any) -> Any:
    log.append(o)
    o.found.update(seen)
    return seen.copy(), o.index(seen)


def of_others() -> Callable[[], None]:
    kept: list[int] = []
    last = 0

    def inner() -> None:
        global counted
        nonlocal last
        counted = last
        last = 1
        kept.append(2)

    return inner


CASES: list[tuple[Any, set[str]]] = [
    (stores, {"calls", "old", "items", "rows", "columns"}),
    (calls, {"log", "found"}),
    (of_others(), {"counted", "last", "kept"}),
    (of_others, {"counted", "last", "kept"}),
    (lambda items: [items.pop() for _ in range(3)], {"items"}),
]


@pytest.mark.parametrize("function, names", CASES)
def test_changed_names_of_a_function(function: FunctionType, names: set[str]) -> None:
    # A cell is also stored into where its variable begins.
    assert names == changed_names([function])


def test_names_with_extended_arguments() -> None:
    # From the 256th name on an instruction has another one before it.
    source = "def f(o):\n" + "".join(f"    o.a{at} = o.b{at}\n" for at in range(300))
    space: dict[str, Any] = {}
    exec(source + "    items.append(1)\n    rows[0] = 1\n", space)
    expected = {f"a{at}" for at in range(300)} | {"items", "rows"}
    assert expected == changed_names([space["f"]])


@pytest.mark.parametrize("source", [op, ast, inspect, dis, argparse])
def test_names_agree_with_dis(source: Any) -> None:
    compiled = compile(inspect.getsource(source), source.__file__, "exec")
    codes = list(nested_codes(compiled))
    assert set() != set().union(*map(module._written_names, codes))
    for code in codes:
        assert set(_changed_names_by_dis(code)) == module._written_names(code)


def _changed_names_by_dis(code: CodeType) -> Iterator[str]:
    steps = list(_steps(code))
    for (this, name), (following, attribute), (after, _) in zip(
        steps, [*steps[1:], ("", "")], [*steps[2:], ("", ""), ("", "")]
    ):
        changes = following in ("LOAD_ATTR", "LOAD_METHOD") and attribute in CHANGING
        if this in ("STORE_ATTR", "STORE_GLOBAL", "STORE_DEREF", "DELETE_ATTR"):
            yield str(name)
        elif this in READING and (changes or after in ("STORE_SUBSCR", "DELETE_SUBSCR")):
            yield str(name)


def _steps(code: CodeType) -> Iterator[tuple[str, object]]:
    for each in dis.get_instructions(code):
        if isinstance(each.argval, tuple) and each.opname.endswith("LOAD_FAST"):
            names = each.argval if each.opname.startswith("LOAD") else each.argval[1:]
            yield from (("LOAD_FAST", name) for name in names)
        elif each.opname not in (*BETWEEN, "EXTENDED_ARG"):
            yield each.opname, each.argval
