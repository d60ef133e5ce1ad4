"""`explain` of every kind of callable."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import autograph as ag
from autograph.conversion.explanation import Explanation
from autograph.errors import ConversionError


def helper(x: Any) -> Any:
    return x


def mixed(xs: Any, n: int) -> Any:
    total = 0
    for x in xs:
        if x > n and helper(x):
            total += x

    class Kept:
        size = n if n else 0

    return sum(xs), json.dumps(total)


class Shape:
    def area(self, x: Any) -> Any:
        return self.side(x) if x else 0

    def side(self, x: Any) -> Any:
        return x

    @staticmethod
    def fixed(x: Any) -> Any:
        return helper(x)

    def __call__(self, x: Any) -> Any:
        while x:
            x = x - 1


def generated(n: int) -> Iterator[int]:
    while n:
        yield n


def first_line(function: Callable[..., Any]) -> int:
    return inspect.getsourcelines(function)[1]


def test_the_text_shows_the_outcome_of_each_source_line() -> None:
    start = first_line(mixed)
    rows = {
        0: "               def mixed(xs: Any, n: int) -> Any:",
        1: "                   total = 0",
        2: "  staged           for x in xs:",
        3: "  staged call          if x > n and helper(x):",
        4: "                           total += x",
        5: "",
        6: "                   class Kept:",
        7: "  python               size = n if n else 0",
        8: "",
        9: "  call             return sum(xs), json.dumps(total)",
    }
    digits = len(str(start + 9))
    listing = [f"{start + at:>{digits}}{row}" for at, row in rows.items()]
    indent = " " * (digits + len("  python               size = "))
    remark = "a class body runs in its own namespace"
    assert [
        "`mixed` is converted: it is Python code of yours",
        "",
        __file__,
        *listing[:8],
        f"{indent}{'^' * len('n if n else 0')} {remark}",
        *listing[8:],
        "",
        "1 part of it stays Python",
        "",
        "it calls",
        "  helper      converted: it is Python code of yours",
        "  sum         left alone: it is Python's own, and has a meaning for tensors, too",
        "  json.dumps  left alone: it is from the standard library",
    ] == str(ag.explain(mixed)).splitlines()


def test_the_parts_can_be_read_by_programs() -> None:
    explanation = ag.explain(mixed)
    assert isinstance(explanation, Explanation) and explanation.is_converted
    assert [first_line(mixed) + 7] == [entry.line for entry in explanation.kept]
    assert ["helper", "sum", "json.dumps"] == [each.written for each in explanation.callees]
    assert [True, False, False] == [each.is_converted for each in explanation.callees]
    assert 10 == len(explanation.lines)
    assert "python" == explanation.lines[7].margin
    assert set(explanation.kept) < set(explanation.entries)
    with pytest.raises(AttributeError):
        explanation.name = "other"  # type: ignore[misc]


def constructs(fn: Any) -> list[str]:
    return [entry.construct for entry in ag.explain(fn).entries]


def test_methods_partials_lambdas_and_objects_are_explained() -> None:
    assert ["conditional expression", "call"] == constructs(Shape.area)
    assert ["conditional expression", "call"] == constructs(Shape().area)
    assert ["call"] == constructs(Shape.fixed) == constructs(Shape.__dict__["fixed"])
    assert ["`while`"] == constructs(Shape())
    assert ["`for`"] == constructs(functools.partial(mixed, n=1))[:1]
    assert ["`not`"] == constructs(lambda x: not x)


def test_the_callees_of_a_bound_method_are_its_objects() -> None:
    assert [] == list(ag.explain(Shape.area).callees)
    (callee,) = ag.explain(Shape().area).callees
    assert ("self.side", True) == (callee.written, callee.is_converted)


def test_a_wrapper_is_explained_by_its_function() -> None:
    expected = str(ag.explain(mixed))
    assert expected == str(ag.explain(ag.function(mixed)))
    assert expected == str(ag.explain(ag.convert(mixed)))
    assert expected == str(ag.explain(functools.partial(ag.convert(mixed), n=1)))


def test_a_bound_method_that_converts_itself_is_explained_by_its_function() -> None:
    class Square(Shape):
        @ag.convert()
        def corner(self, x: Any) -> Any:
            return self.side(x)

        @ag.do_not_convert
        def left(self, x: Any) -> Any:
            return x

    explanation = ag.explain(Square().corner)
    assert explanation.is_converted and "self.side" == explanation.callees[0].written
    assert () == ag.explain(Square().left).lines


def test_a_converted_function_has_its_own_heading_and_the_same_lines() -> None:
    for form in (ag.to_graph(mixed), called(ag.convert(mixed))):
        explanation = ag.explain(form)
        assert "`mixed` is converted: this is its converted form" == explanation.heading
        assert ag.explain(mixed).lines == explanation.lines


def called(function: Any) -> Any:
    function([1], 0)
    return function


def test_an_exempt_function_is_shown_as_it_would_be_converted() -> None:
    said = str(ag.explain(json.dumps))
    assert said.startswith("`dumps` is left alone: it is from the standard library\n")
    assert "asked for by name" in said and "def dumps(obj" in said
    said = str(ag.explain(helper))
    assert "asked for by name" not in said


@pytest.mark.parametrize(
    "value, said",
    [
        (len, "`len` is left alone: it is not written in Python"),
        (ag.do_not_convert(mixed), "`mixed` is left alone: it is marked with `do_not_convert`"),
    ],
)
def test_unconvertible_values_have_a_reason_and_no_lines(value: Any, said: str) -> None:
    assert said == str(ag.explain(value))
    assert () == ag.explain(value).lines == ag.explain(value).kept


def test_a_function_without_source_is_reported() -> None:
    namespace: dict[str, Any] = {}
    exec(compile("def made(x):\n    return x", "<text>", "exec"), namespace)
    said = str(ag.explain(namespace["made"]))
    assert said == "`made` is left alone: its source cannot be found"


def test_an_unconvertible_function_has_a_reason() -> None:
    def refused(ag__: Any, ag__of_the_user: Any) -> Any:
        return ag__

    explanation = ag.explain(refused)
    assert not explanation.is_converted
    assert "the name 'ag__of_the_user' belongs to generated code" in explanation.reason
    assert f"test_explain.py:{first_line(refused)}" in explanation.reason


def test_loops_kept_in_generators_have_a_reason() -> None:
    (row,) = ag.explain(generated).kept
    assert "`while` stays Python: it holds a `yield`" == str(row)


def test_explain_refuses_values_that_are_not_callable() -> None:
    with pytest.raises(ConversionError, match="cannot explain 3: it is not a function"):
        ag.explain(3)  # type: ignore[arg-type]
