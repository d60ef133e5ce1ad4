"""`rt.print` prints staged values as plain Python prints them."""

from __future__ import annotations

import io
import traceback
from collections.abc import Callable
from contextlib import redirect_stderr
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt


class Shown:
    """Shows its value in a form of its own."""

    def __init__(self, held: Any) -> None:
        self.held = held

    def __repr__(self) -> str:
        return f"Shown({self.held})"


def caught(n: Any) -> Any:
    try:
        return 10 // n
    except ZeroDivisionError as error:
        rt.print("caught", error, [error, 1], {"k": error})
        return n


def caught_of_two(n: Any) -> Any:
    try:
        if n < 2:
            raise ValueError("small", n)
        raise KeyError(7)
    except Exception as error:
        rt.print(error)
        rt.print(error, n, sep=": ", end="!\n")
    return n


def caught_assertion(n: Any) -> Any:
    try:
        if n < 3:
            raise AssertionError(f"{n} is too small")
    except AssertionError as error:
        rt.print(error)
    return n


def in_an_f_string(n: Any) -> Any:
    try:
        return 10 // n
    except ZeroDivisionError as error:
        rt.print(f"{[error]} {(error, n)}")
        return n


def an_object(n: Any) -> Any:
    rt.print(Shown(n), [Shown(n + 1)])
    return n


def one_of_two_objects(n: Any) -> Any:
    found = Shown(n) if n > 1 else Shown(n + 5)
    rt.print("found", found)
    return n


def perhaps_none(n: Any) -> Any:
    found = None
    if n > 1:
        found = rt.fill([7], n)
    rt.print(found)
    rt.print([found], {"found": found}, sep="; ")
    return n


def texts(n: Any) -> Any:
    text = "many" if n > 1 else "few"
    rt.print(text)
    rt.print(text, [text, "a"], f"{text} of {n}", (text,))
    return n


def tensors_of_texts(n: Any) -> Any:
    text = rt.where(n > 1, "many", "few")
    rt.print(text)
    rt.print(text, [text], Shown(n))
    return n


def a_list_that_grew(n: Any) -> Any:
    grown = []
    for i in range(n):
        grown.append(i * n)
    rt.print("grown", grown, (grown, n), {"grown": grown}, len(grown))
    rt.print(grown)
    return n


def a_list_of_texts(n: Any) -> Any:
    grown = []
    for i in range(n):
        grown.append((f"<{i}>", i))
    rt.print(grown)
    return n


def one_of_two_functions(n: Any) -> Any:
    rt.print(min if n > 1 else max)
    return n


def plain_values(n: Any) -> Any:
    rt.print(1, True, None, 2.5, "a", [1, "a"], {"a": 1}, b"a", int, rt.int32, range(3), n, [n])
    rt.print(n.shape, rt.fill([9], n), rt.fill([9], n), Shown(n), summarize=1)
    return n


PROGRAMS = (
    caught,
    caught_of_two,
    caught_assertion,
    in_an_f_string,
    an_object,
    one_of_two_objects,
    perhaps_none,
    texts,
    tensors_of_texts,
    a_list_that_grew,
    a_list_of_texts,
    one_of_two_functions,
    plain_values,
)


def asserts_an_object(n: Any) -> Any:
    rt.assert_(n > 1, Shown(n))
    return n


def asserts_a_text(n: Any) -> Any:
    text = "many" if n > 0 else "few"
    rt.assert_(n > 1, message=f"{text}: {n}")
    return n


def asserts_a_list(n: Any) -> Any:
    grown = []
    for i in range(n):
        grown.append(i)
    rt.assert_(n > 1, ["n", n, grown, Shown(n)])
    return n


def printed(function: Callable[..., Any], *arguments: Any) -> str:
    errors = io.StringIO()
    with redirect_stderr(errors):
        function(*arguments)
    return errors.getvalue()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_a_graph_prints_the_same_text_as_plain_python(program: Callable[..., Any]) -> None:
    function = ag.function(program)
    for n in (0, 1, 2, 3):
        given = rt.constant(np.int32(n))
        assert printed(program, given) == printed(function, given)


def test_printing_a_dict_with_staged_keys_is_refused_with_its_line() -> None:
    @ag.function
    def keys(n: Any) -> Any:
        found = {}
        if n > 1:
            found["many"] = n
        rt.print(found)
        return n

    with pytest.raises(ag.errors.StagingError, match="by its name in the graph"):
        keys(rt.constant(2))


@pytest.mark.parametrize("program", (asserts_an_object, asserts_a_text, asserts_a_list))
def test_an_assertion_in_a_graph_has_the_message_of_plain_python(
    program: Callable[..., Any],
) -> None:
    function = ag.function(program)
    for n in (0, 1):
        given = rt.constant(np.int32(n))
        with pytest.raises(AssertionError) as plain:
            program(given)
        with pytest.raises(AssertionError) as staged:
            function(given)
        assert str(plain.value) == str(staged.value)
        assert program.__name__ == traceback.extract_tb(staged.value.__traceback__)[-1].name
    assert 2 == int(function(rt.constant(2)))
