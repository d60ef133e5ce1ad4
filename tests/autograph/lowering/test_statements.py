"""Statements on the Python branch, handed over to a backend, and bounded in size."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from autograph.backends.protocol import Thunk
from autograph.backends.python import PythonBackend
from autograph.conversion.renaming import code_tree
from autograph.operators.frames import is_body
from autograph.operators.state import State
from tests.autograph.lowering.conftest import converter
from tests.autograph.recorded import Active, from_text


def nested_loops(rows: Any, limit: int) -> Any:
    seen = []
    for row in rows:
        if not row:
            continue
        for x in row:
            if x > limit:
                break
            seen.append(x)
        else:
            seen.append("row")
            if len(seen) > 6:
                return seen, row
        while x > 0:
            x -= 1
            if x == 2:
                break
            elif x == 1:
                continue
            seen.append(-x)
    else:
        seen.append("all")
    return seen


def unbound(n: int) -> Any:
    if n > 1:
        y = n
    for z in range(n):  # noqa: B007
        pass
    return y, z


def deleted(n: int) -> Any:
    y = 1
    if n:
        del y
    return y


def targets(n: int) -> Any:
    data, found = {"k": [0, 0]}, []
    for data["k"][n % 2] in range(n):  # noqa: B020
        found.append(list(data["k"]))
    for a, (b, *c) in [(1, "xyz")] * n:
        found.append((a, b, c))
    for a in found:
        a = 5
    return found, data, a


# As text, since pytest adds to the assertions of a test.
asserting = from_text(
    """
def asserting(n):
    assert n > 1, f"n is {n}"
    assert (n > 2 and n < 9) or n == 2, ("two", n)
    assert n
    return n
"""
)["asserting"]


def matching(n: int) -> Any:
    match [n, {"k": n}]:
        case [1, _]:
            return "one"
        case [x, {"k": y}] if x == y and x > 2:
            return x + y
        case _:
            pass
    return None


def with_names(n: int) -> Any:
    value_, items_, get_state, if_body, loop_body = n, [n], 1, 2, 3
    for item in items_:  # noqa: B007
        if value_ > 0 or get_state:
            value_ -= 1
            items_ = items_ + [value_, if_body, loop_body]
    while value_ > 0 and items_:
        value_ = value_ - 1
    return value_, items_, get_state, if_body, loop_body, sorted(locals())


def in_class(n: int) -> Any:
    class Inner:
        size = n
        if n > 1:
            kind = "big" if n else "none"
        for k in range(n):
            last = k

        def method(self) -> Any:
            return [k for k in range(self.size) if k or n]

    return Inner().method(), [name for name in vars(Inner) if not name.startswith("__")]


def with_globals(n: int) -> Any:
    global COUNT
    COUNT = 0
    while COUNT < n:
        COUNT += 1
    return COUNT


def handled(n: int) -> Any:
    found = []
    for i in range(n):
        try:
            if i == 1:
                raise KeyError(i)
            if i == 2:
                return found
        except KeyError as error:
            found.append(error.args)
        finally:
            found.append("finally")
    return found


FUNCTIONS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (nested_loops, [([[1, 2], [], [5, 1], [3]], 4), ([[1, 2, 3], [4, 5]], 9), ([], 1)]),
    (unbound, [(0,), (1,), (2,)]),
    (deleted, [(0,), (1,)]),
    (targets, [(0,), (3,)]),
    (asserting, [(0,), (2,), (5,), (9,)]),
    (matching, [(1,), (2,), (3,)]),
    (with_names, [(0,), (3,)]),
    (in_class, [(0,), (3,)]),
    (with_globals, [(0,), (3,)]),
    (handled, [(1,), (2,), (4,)]),
]


def outcome(fn: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    try:
        return fn(*arguments)
    except Exception as error:
        return type(error), error.args


@pytest.mark.parametrize(("fn", "cases"), FUNCTIONS, ids=lambda v: getattr(v, "__name__", ""))
def test_statements_agree_with_python(
    fn: Callable[..., Any], cases: list[tuple[Any, ...]], converted: Callable[..., Any]
) -> None:
    made = converted(fn)
    assert [outcome(fn, case) for case in cases] == [outcome(made, case) for case in cases]


def test_the_python_branch_calls_no_generated_functions(inlined: Callable[..., Any]) -> None:
    made, bodies = inlined(nested_loops), []

    def profile(frame: Any, event: str, argument: object) -> None:
        if event == "call" and is_body(frame.f_code):
            bodies.append(frame.f_code)

    sys.setprofile(profile)
    try:
        made([[1, 2], [], [5, 1], [3]], 4)
    finally:
        sys.setprofile(None)
    assert [] == bodies
    assert any(map(is_body, code_tree(made.__code__)))


def closing(log: list[str]) -> list[str]:
    def items() -> Iterator[int]:
        try:
            yield from (1, 2, 3)
        finally:
            log.append("closed")

    for i in items():
        if i == 2:
            break
    log.append("left")
    for _ in items():
        pass
    return log


def test_a_generator_left_by_break_is_closed_at_once(inlined: Callable[..., Any]) -> None:
    assert ["closed", "left", "closed"] == inlined(closing)([])


class Thing:
    """Something that can be referred to weakly."""


def holding() -> bool:
    things = [Thing()]
    watched = weakref.ref(things[0])
    for thing in things:
        del thing
    del things
    gc.collect()
    return watched() is None


def test_a_loop_iterable_is_released_after_the_loop(inlined: Callable[..., Any]) -> None:
    assert holding() and inlined(holding)()


def asking() -> bool:
    thing = Thing()
    watched = weakref.ref(thing)
    if watched():
        del thing
    return watched() is None


def test_a_tested_value_is_released_after_the_test(inlined: Callable[..., Any]) -> None:
    assert asking() and inlined(asking)()


class Foreign:
    """A truth value of a backend."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __bool__(self) -> bool:
        return bool(self.value)


class Handed(PythonBackend):
    """Runs statements on foreign values as Python does, and notes the state handed to it."""

    def __init__(self) -> None:
        self.given: list[tuple[Any, ...]] = []

    def owned_types(self) -> tuple[type, ...]:
        return (Foreign,)

    def logical_not(self, value: object) -> object:
        return Foreign(not value)

    def cond(self, test: object, body: Thunk, orelse: Thunk, state: State) -> None:
        """As with a staged conditional, the truth values that come out are foreign."""
        self.given.append(("cond", state.outputs))
        super().cond(test, body, orelse, state)
        state.set(tuple(Foreign(v) if type(v) is bool else v for v in state.get()))

    def while_loop(
        self, test: Thunk, body: Thunk, state: State, opts: Mapping[str, object], first: object
    ) -> None:
        self.given.append(("while", state.names, state.get()))
        super().while_loop(test, body, state, opts, first)

    def for_rest(
        self, proceed: object, items: Any, extra_test: Thunk, body: Any, state: State
    ) -> None:
        self.given.append(("for", sorted(state.names)))
        super().for_rest(proceed, items, extra_test, body, state)


def turning(n: int, turn: int) -> Any:
    i, tests = 0, []

    def test(i: int) -> Any:
        tests.append(i)
        return i < n if i < turn else Foreign(i < n)

    while test(i):
        i += 1
    return i, tests


def test_a_while_loop_is_handed_over_with_its_state() -> None:
    backend = Handed()
    made = converter(backend).to_graph(turning)
    assert (5, [0, 1, 2, 3, 4, 5]) == made(5, 3) == turning(5, 3)
    assert [("while", ("i",), (3,))] == backend.given
    backend.given.clear()
    assert turning(2, 3) == made(2, 3)
    assert [] == backend.given


def breaking(n: int, turn: int) -> Any:
    seen = []
    for i in iter(range(100)):
        if i == n if i < turn else Foreign(i == n):
            break
        seen.append(i)
    return i, seen


def test_a_for_loop_is_handed_over_with_its_remaining_items() -> None:
    backend = Handed()
    made = converter(backend).to_graph(breaking)
    assert breaking(6, 4) == made(6, 4)
    names = [kind for kind, *_ in backend.given]
    assert ["cond", "for"] == names[:2]
    assert 1 == names.count("for")
    backend.given.clear()
    assert breaking(3, 4) == made(3, 4)
    assert [] == backend.given


def arms(n: int) -> str:
    """Return a chain of `elif`."""
    lines = ["    if x == 0:", "        y = 0"]
    for k in range(1, n):
        lines += [f"    elif x == {k}:", f"        y = {k}"]
    return "\n".join(["def f(x):", "    y = None", *lines, "    return y", ""])


def nest(header: str, n: int) -> str:
    """Return statements inside each other."""
    lines = [f"{'    ' * k}{header}" for k in range(1, n + 1)]
    return "\n".join(
        ["def f(x):", "    y = 0", *lines, "    " * (n + 1) + "y += 1", "    return y", ""]
    )


def repeated_statements(header: str, n: int) -> str:
    """Return statements one after the other."""
    return "\n".join(
        ["def f(x):", "    y = 0", *[f"    {header}\n        y += 1"] * n, "    return y", ""]
    )


def size(text: str) -> int:
    """Return how much code `f` is compiled to, all in all, and see that it runs."""
    space = from_text(text)
    made = converter(Active()).to_graph(space["f"])
    assert space["f"](3) == made(3)
    return sum(len(code.co_code) for code in code_tree(made.__code__))


def test_code_size_is_linear_in_the_arms_of_a_chain() -> None:
    sizes = [size(arms(n)) for n in (50, 100, 200)]
    assert sizes[1] < 2.5 * sizes[0] and sizes[2] < 2.5 * sizes[1]


@pytest.mark.parametrize("header", ["if x > 1:", "while y < x:", "for _ in range(1):"])
def test_code_size_does_not_double_with_each_nesting_level(header: str) -> None:
    sizes = [size(nest(header, n)) for n in (8, 16)]
    assert sizes[1] < 4 * sizes[0]
    sizes = [size(repeated_statements(header, n)) for n in (20, 40)]
    assert sizes[1] < 2.5 * sizes[0]
