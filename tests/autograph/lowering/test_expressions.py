"""Boolean and conditional expressions: values, evaluations and truth tests in every branch."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from autograph.conversion.renaming import code_tree
from tests.autograph.lowering.conftest import converter
from tests.autograph.recorded import Active, from_text


class Value:
    """Notes the tests of its truth and its comparisons."""

    def __init__(self, name: str, truth: bool, log: list[str]) -> None:
        self.name, self.truth, self.log = name, truth, log

    def __bool__(self) -> bool:
        self.log.append(f"bool {self.name}")
        return self.truth

    def __lt__(self, other: Value) -> Value:
        self.log.append(f"{self.name} < {other.name}")
        return Value(f"({self.name} < {other.name})", self.truth, self.log)

    __gt__ = __le__ = __ne__ = __lt__  # type: ignore[assignment]


EXPRESSIONS: list[Callable[..., Any]] = [
    lambda a, b, c: a() and b() and c(),
    lambda a, b, c: a() or b() or c(),
    lambda a, b, c: (a() or b()) and c(),
    lambda a, b, c: (a() and b()) or c(),
    lambda a, b, c: a() and (b() or c()),
    lambda a, b, c: (a() and b()) and c(),
    lambda a, b, c: not a(),
    lambda a, b, c: not (a() or b()),
    lambda a, b, c: not (not a() and b()) or c(),
    lambda a, b, c: a() if b() else c(),
    lambda a, b, c: a() if b() and c() else b(),
    lambda a, b, c: (a() or b()) if c() else not a(),
    lambda a, b, c: (a() if b() else c()) or a(),
    lambda a, b, c: a() < b() < c(),
    lambda a, b, c: a() < b() <= c() != a(),
    lambda a, b, c: not a() < b() < c(),
    lambda a, b, c: (a() < b() < c()) and a(),
    lambda a, b, c: a() is b() is not c(),
    lambda a, b, c: [x().name for x in (a, b, c) if x() and not b()],
    lambda a, b, c: {x().name: x() or b() for x in (a, b, c) if not x()}.keys(),
    lambda a, b, c: [x and y for x, y in zip((a(), b()), (b(), c()))],
    lambda a, b, c: (lambda d: d and a())(b() or c()),
    lambda a, b, c: a() or a() or a() or a() or a() or a() or a() or b() or c(),
    lambda a, b, c: a() and b() and a() and b() and a() and b() and a() and b() and c(),
    lambda a, b, c: a() < b() < c() < a() < b() < c() < a() < b() < c() < a(),
    lambda a, b, c: (d := a()) and d or (e := b()) and e,
]


def outcome(fn: Callable[..., Any], truths: tuple[bool, ...]) -> tuple[Any, list[str]]:
    """Return the value by its name, and the log of the operations on the way to it."""
    log: list[str] = []
    values = [Value(name, truth, log) for name, truth in zip("abc", truths)]

    def operand(value: Value) -> Callable[[], Value]:
        return lambda: [value, log.append(value.name)][0]  # type: ignore[func-returns-value]

    return named(fn(*map(operand, values))), log


def named(value: Any) -> Any:
    if isinstance(value, list):
        return [named(item) for item in value]
    return getattr(value, "name", value)


def without_truth_tests(log: list[str]) -> list[str]:
    return [entry for entry in log if not entry.startswith("bool ")]


# As text, since pytest adds to the assertions of a test.
deciding = from_text(
    """
def deciding(a, b, c):
    if a() or (b() and c()):
        return "if"
    elif not (a() or c()):
        return "elif"
    while (a() and b()) or not c() or (a() if b() else c()):
        return "while"
    assert not (a() and c()) or b() < c() < a(), "no"
    return "end"
"""
)["deciding"]


def test_each_operand_is_tested_once(
    inlined: Callable[..., Any],
) -> None:
    made = inlined(deciding)
    for truths in itertools.product([True, False], repeat=3):
        assert outcome(deciding, truths) == outcome(made, truths)


@pytest.mark.parametrize("fn", EXPRESSIONS, ids=map(str, range(len(EXPRESSIONS))))
def test_an_expression_agrees_with_python(
    fn: Callable[..., Any], inlined: Callable[..., Any]
) -> None:
    made = inlined(fn)
    for truths in itertools.product([True, False], repeat=3):
        assert outcome(fn, truths) == outcome(made, truths)


@pytest.mark.parametrize("fn", EXPRESSIONS, ids=map(str, range(len(EXPRESSIONS))))
def test_each_operand_is_dispatched_at_most_once(
    fn: Callable[..., Any], converted: Callable[..., Any]
) -> None:
    made = converted(fn)
    for truths in itertools.product([True, False], repeat=3):
        expected, found = outcome(fn, truths), outcome(made, truths)
        assert (expected[0], without_truth_tests(expected[1])) == (
            found[0],
            without_truth_tests(found[1]),
        )


def test_the_users_may_use_the_names_of_temporaries(converted: Callable[..., Any]) -> None:
    def f(value_: Any, value__1: Any, items_: Any) -> Any:
        value__2 = (value_ and value__1) or items_
        chained = value_ < value__1 < items_
        return value_, value__1, items_, value__2, chained, [value_ or i for i in items_ or ()]

    for arguments in ((1, 0, 3), (0, "", [1, 2]), ([], [1], [2])):
        try:
            expected = f(*arguments)
        except TypeError as error:
            with pytest.raises(TypeError, match=str(error)):
                converted(f)(*arguments)
        else:
            assert expected == converted(f)(*arguments)


def test_an_interleaved_generator_does_not_clobber_temporaries(
    converted: Callable[..., Any],
) -> None:
    class Running:
        def __init__(self, items: Any) -> None:
            self.items = items

        def __bool__(self) -> bool:
            next(self.items)
            return False

    def f(numbers: Any) -> Any:
        items = (number and (number > 1 or number) for number in numbers)
        running = Running(items)
        first = running or 3
        second = running and 4
        return first, second is running

    assert f([1, 2, 3]) == converted(f)([1, 2, 3]) == (3, True)


def test_operands_after_a_failing_one_are_not_evaluated(converted: Callable[..., Any]) -> None:
    done: list[str] = []

    def note(name: str) -> int:
        done.append(name)
        return 1 if name != "b" else 1 // 0

    with pytest.raises(ZeroDivisionError):
        converted(lambda: note("a") and note("b") and note("c"))()
    assert ["a", "b"] == done


def size(text: str) -> int:
    """Return how much code a function `f` is compiled to, all in all."""
    made = converter(Active()).to_graph(from_text(text)["f"])
    return sum(len(code.co_code) for code in code_tree(made.__code__))


SHAPES = {
    "operands": lambda n: " and ".join(f"a{k}" for k in range(n)),
    "comparisons": lambda n: " < ".join(f"a{k}" for k in range(n)),
    "nested": lambda n: "(" * n + "a0" + "".join(f" or a{k}) and b{k}" for k in range(n)),
    "conditionals": lambda n: " ".join(f"a{k} if b{k} else" for k in range(n)) + " 0",
    "negations": lambda n: "not " * n + "a0",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_code_does_not_grow_faster_than_the_expression(shape: str) -> None:
    sizes = [size(f"def f(x):\n    return {SHAPES[shape](n)}\n") for n in (20, 40)]
    assert sizes[1] < 3 * sizes[0]
