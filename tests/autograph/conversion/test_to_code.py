"""`to_code` prints converted code; the two reference listings agree to the letter."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import runtime as tf
from autograph.conversion.convert import compiled_code, convert, do_not_convert, to_code
from autograph.errors import ConversionError, SourceError
from tests.reference_listings import MY_FUNCTION, SIMPLE_RELU


def simple_relu(x):  # type: ignore[no-untyped-def]
    if tf.greater(x, 0):
        return x
    else:
        return 0


def my_function(x):  # type: ignore[no-untyped-def]
    if tf.reduce_sum(x) <= 1:
        return x * x
    else:
        return x - 1


class Holder:
    def method(self, x: int) -> int:
        return x

    @staticmethod
    def static(x: int) -> int:
        return x

    def __call__(self, x: int) -> int:
        return x


class WithFunction:
    def __init__(self) -> None:
        self.python_function = simple_relu

    def __call__(self) -> None: ...


def generate(n: int) -> Iterator[int]:
    while n:
        yield n


def test_the_listings_of_the_documents_are_printed_to_the_letter() -> None:
    assert SIMPLE_RELU == to_code(simple_relu)
    assert MY_FUNCTION == to_code(my_function)


FORMS = [
    WithFunction(),
    convert(simple_relu),
    do_not_convert(simple_relu),
    functools.partial(simple_relu, 3),
    functools.partial(convert(simple_relu)),
    staticmethod(simple_relu),
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
def test_to_code_finds_the_function_behind_wrappers(form: Any) -> None:
    assert SIMPLE_RELU == to_code(form)


NAMED: list[tuple[Callable[..., Any], str]] = [
    (Holder().method, "def tf__method(self, x):"),
    (Holder.method, "def tf__method(self, x):"),
    (Holder.static, "def tf__static(x):"),
    (Holder(), "def tf____call__(self, x):"),
    (lambda x: x, "tf__lambda = (lambda x"),
    (generate, "def tf__generate(n):"),
]


@pytest.mark.parametrize(("fn", "beginning"), NAMED)
def test_every_kind_of_function_prints_under_its_name(
    fn: Callable[..., Any], beginning: str
) -> None:
    text = to_code(fn)
    assert text.startswith(beginning)
    assert text.endswith("\n") and not text.endswith("\n\n")
    ast.parse(text)


def test_recursive_shows_in_the_options() -> None:
    assert "recursive=False" in to_code(simple_relu, recursive=False)
    assert to_code(simple_relu) == SIMPLE_RELU


def test_the_text_is_the_same_every_time() -> None:
    assert 1 == len({to_code(my_function) for _ in range(3)})


def no_source() -> Callable[..., Any]:
    space: dict[str, Any] = {}
    exec("def hidden(): pass", space)
    found: Callable[..., Any] = space["hidden"]
    return found


BAD: list[tuple[Any, type[Exception], str]] = [
    (len, ConversionError, "cannot convert `len`: it is not written in Python"),
    (Holder, ConversionError, "cannot convert `Holder`: it is a class"),
    (7, ConversionError, "cannot convert 7: it is not a function"),
    (no_source(), SourceError, "hidden"),
]


@pytest.mark.parametrize(("value", "kind", "message"), BAD)
def test_values_without_code_are_refused(value: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        to_code(value)


def test_a_decorator_of_ours_is_looked_through() -> None:
    @tf.custom_gradient
    def cube(x: Any) -> Any:
        return x**3, lambda dy: dy

    assert to_code(cube).startswith("def tf__cube(x")


def test_the_compiled_form_has_the_users_statements_and_those_of_a_trace() -> None:
    def doubled_if(x: Any) -> Any:
        if x > 0:
            x = x * 2
        return x

    text = compiled_code(doubled_if)
    outside, inside = text.split("\n    else:\n", 1)
    assert "x = (x * 2)" in outside and "ag__.if_stmt" not in outside
    assert "ag__.if_stmt(value_, if_body, else_body" in inside
    compile(text, "compiled", "exec")
    assert "lambda" in compiled_code(lambda x: x + 1)
