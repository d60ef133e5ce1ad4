"""Lowered calls are the user's own, and possibly unbound variables are checked."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from autograph.conversion.renaming import code_tree
from autograph.converters.pipeline import convert_function
from autograph.lowering import lower
from autograph.lowering.operator_calls import operator_of
from autograph.options import STANDARD, ConversionOptions
from autograph.syntax import source_of, to_ast

DEFAULT, ONE, OTHER, NUMBER = [1], {"k": 1}, {"q": 2}, 3


def several(a: Any, b: Any = DEFAULT, *rest: Any, k: Any = 1, **more: Any) -> tuple[Any, ...]:
    return a, b, rest, k, more


class Things:
    def method(self, x: int, *, y: int = 2) -> tuple[Any, ...]:
        return self, x, y

    @staticmethod
    def static(x: int) -> int:
        return x


IT = Things()

CALLS: list[Callable[[], Any]] = [
    lambda: several(1),
    lambda: several(1, 2, 3, k=4, z=5),
    lambda: several(*[1, 2], *(3,), **ONE, z=5, **OTHER),
    lambda: several(*"abc", "d", k="e"),
    lambda: IT.method(1, y=3),
    lambda: IT.static(4),
    lambda: (lambda *a, k: (a, k))(1, k=2),
    lambda: [f(i) for f in (abs, str, IT.static) for i in (-1,)],
    lambda: sorted([3, 1, 2], key=lambda x: -x),
    lambda: dict(a=1, **ONE),
    lambda: several(several(1), k=several(2)),
]


@pytest.mark.parametrize("fn", CALLS, ids=map(str, range(len(CALLS))))
def test_a_call_agrees_with_python(fn: Callable[[], Any], converted: Callable[..., Any]) -> None:
    assert fn() == converted(fn)()


WRONG: list[Callable[[], Any]] = [
    lambda: several(),
    lambda: several(1, a=2),
    lambda: several(*3),  # type: ignore[misc]
    lambda: several(**3),  # type: ignore[arg-type]
    lambda: several(1, **ONE, **ONE),
    lambda: several(1, k=1, **ONE),
    lambda: several(1, **{1: 2}),  # type: ignore[arg-type]
    lambda: IT.method(),
    lambda: IT.method(1, 2),
    lambda: IT.static(1, z=2),
    lambda: IT.nothing(),
    lambda: len(1, 2),
    lambda: NUMBER(),  # type: ignore[operator]
    lambda: missing_here(1 / 0),  # type: ignore[name-defined]  # noqa: F821
]


@pytest.mark.parametrize("fn", WRONG, ids=map(str, range(len(WRONG))))
def test_a_wrong_call_raises_pythons_error(
    fn: Callable[[], Any], converted: Callable[..., Any]
) -> None:
    with pytest.raises(Exception) as expected:
        fn()
    with pytest.raises(Exception) as found:
        converted(fn)()
    assert (expected.type, str(expected.value)) == (found.type, str(found.value))


def test_function_arguments_and_keywords_are_evaluated_in_order(
    converted: Callable[..., Any],
) -> None:
    seen: list[Any] = []

    def note(value: Any) -> Any:
        seen.append(value)
        return value

    def run() -> Any:
        return note(several)(note(1), *note([2]), k=note(3), **note({"z": 4}))

    expected = run()
    order, seen[:] = list(seen), []
    assert expected == converted(run)()
    assert order == seen


def caller_name() -> str:
    return sys._getframe(1).f_code.co_name


def test_user_frames_are_adjacent(
    inlined: Callable[..., Any],
) -> None:
    def main() -> Any:
        return [caller_name() for _ in range(1)][0], caller_name(), (lambda: caller_name())()

    assert main() == inlined(main)()


def unbound(n: int) -> Any:
    if n:
        y = 1
    return y


def deleted(n: int) -> Any:
    y = 1
    del y
    return several(y)  # noqa: F821


@pytest.mark.parametrize("fn", [unbound, deleted])
def test_an_unbound_variable_raises_pythons_error(
    fn: Callable[[int], Any], converted: Callable[..., Any]
) -> None:
    assert refusal(fn) == refusal(converted(fn))


def refusal(fn: Callable[[int], Any]) -> tuple[type, str]:
    with pytest.raises(NameError) as caught:
        fn(0)
    return caught.type, str(caught.value)


def of_another(n: int) -> Any:
    def inner() -> Any:
        return y

    if n:
        y = 1
    return inner()


def test_an_unbound_outer_variable_raises_name_error(inlined: Callable[..., Any]) -> None:
    assert refusal(of_another) == refusal(inlined(of_another))


def words_in(fn: Callable[..., Any]) -> set[str]:
    """Return the words `fn` says in its compiled form."""
    source = source_of(fn)
    tree = to_ast(convert_function(source, STANDARD, {})).body[-1]
    lowered = lower(tree, source.definition, 1, Words(), STANDARD, {})
    return {held.name for held in lowered.constants.objects.values() if isinstance(held, Word)}


@dataclass(frozen=True)
class Word:
    name: str


class Words:
    """A vocabulary of words that know their names."""

    def scope(self, name: str, options: ConversionOptions) -> Any:
        return SimpleNamespace(callee=Word("callee"))

    def __getattr__(self, name: str) -> Any:
        return Word(name)


def certain(a: int, b: int) -> Any:
    total = a + b
    return several(total, b, k=a)


def uncertain(a: int) -> Any:
    if a:
        total = 1
    return several(total)


def test_only_possibly_unbound_variables_are_checked() -> None:
    assert "ld" not in words_in(certain)
    assert "ld" in words_in(uncertain)


def test_scopes_and_converted_calls_are_lowered() -> None:
    gone = {"FunctionScope", "converted_call", "with_function_scope", "STD", "ConversionOptions"}
    for fn in (certain, uncertain, CALLS[6], of_another):
        said = words_in(fn)
        assert "recorder" in said
        assert not gone & said


def test_generated_names_are_in_no_code(converted: Callable[..., Any]) -> None:
    for fn in (certain, of_another, *CALLS):
        for code in code_tree(converted(fn).__code__):
            names = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
            assert not names & {"ag__", "fscope", "lscope", "fscope_1"}


def test_operator_calls_are_recognised() -> None:
    texts = {
        "ag__.ld(x)": "ld",
        "ag.ld(x)": None,
        "ag__.ld": None,
        "ag__(x)": None,
        "a.ag__.b()": None,
    }
    found = {text: operator_of(ast.parse(text, mode="eval").body) for text in texts}
    assert texts == found
