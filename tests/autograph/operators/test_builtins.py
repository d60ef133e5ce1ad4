"""Builtins go to the backend that owns a watched argument, and stay Python's otherwise."""

from __future__ import annotations

import builtins
import copy
import functools
import itertools
import math
import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from autograph.backends.protocol import Backends
from autograph.operators.builtins import CALLERS, OVERLOADS, builtin_replacements
from autograph.operators.math_names import OF_ITEMS, OF_NUMBERS, OF_POINTS
from tests.each import for_each


class Sym:
    """A value of a library that records."""


class Recording:
    """A backend that returns the calls it was asked for; no test here asks for statements."""

    name = "recording"

    def __init__(self) -> None:
        self.is_active = True

    def owned_types(self) -> tuple[type, ...]:
        return (Sym,)

    def recorder(self) -> object | None:
        return self if self.is_active else None

    def staging(self) -> bool:
        return self.is_active

    def stands_in(self, value: object) -> object | None:
        return None

    def call(
        self,
        word: str,
        args: Sequence[object],
        kwargs: Mapping[str, object],
        again: Callable[..., object] | None = None,
    ) -> object:
        return (word, *args, dict(kwargs))


BACKEND = Recording()
ANSWERS = builtin_replacements(Backends((BACKEND,)), lambda f: f)  # type: ignore[arg-type]
S = Sym()


def ask(function: Callable[..., object], *args: Any, **kwargs: Any) -> Any:
    return ANSWERS[function](*args, **kwargs)


def identity(x: Any) -> Any:
    return x


SYMBOLIC: list[tuple[Callable[..., object], tuple[Any, ...]]] = [
    (abs, (S,)),
    (all, (S,)),
    (all, ([True, S],)),
    (any, ((S,),)),
    (bool, (S,)),
    (callable, (S,)),
    (complex, (1.0, S)),
    (divmod, (3, S)),
    (bin, (S,)),
    (chr, (S,)),
    (hex, (S,)),
    (oct, (S,)),
    (ord, (S,)),
    (enumerate, (S,)),
    (enumerate, ([1], S)),
    (filter, (identity, S)),
    (float, (S,)),
    (format, (1.5, S)),
    (getattr, (S, "name")),
    (hasattr, (S, "name")),
    (setattr, (S, S, 1)),
    (delattr, (S, S)),
    (id, (S,)),
    (int, (S,)),
    (isinstance, (S, int)),
    (isinstance, (1, S)),
    (issubclass, (int, S)),
    (issubclass, (S, int)),
    (iter, (S,)),
    (len, (S,)),
    (list, (S,)),
    (map, (identity, [1], S)),
    (max, (S,)),
    (max, (1, S)),
    (max, ([1, S],)),
    (min, (S, 1)),
    (next, (S, 0)),
    (pow, (2, S)),
    (range, (S,)),
    (range, (0, S, 2)),
    (repr, (S,)),
    (ascii, (S,)),
    (reversed, (S,)),
    (set, (S,)),
    (frozenset, (S,)),
    (round, (S, 2)),
    (sorted, (S,)),
    (round, (2.5, S)),
    (str, (S,)),
    (sum, (S, 0)),
    (tuple, (S,)),
    (type, (S,)),
    (zip, ([1], S)),
    (functools.reduce, (identity, S)),
    *((function, (2, S)) for function in OF_NUMBERS),
    *((function, (S,)) for function in OF_ITEMS),
    *((function, ((1, S), (2, 3))) for function in OF_POINTS),
]


@for_each("function, args", SYMBOLIC)
def test_a_backend_value_dispatches(function: Callable[..., object], args: tuple[Any, ...]) -> None:
    name = {**OF_NUMBERS, **OF_ITEMS, **OF_POINTS}.get(function, function.__name__)
    assert (name, *args, {}) == ask(function, *args)


def test_every_overload_has_a_symbolic_case() -> None:
    assert set(OVERLOADS) == {function for function, _ in SYMBOLIC}


def test_keywords_reach_the_backend() -> None:
    assert ("sorted", S, {"reverse": True}) == ask(sorted, S, reverse=True)


def test_a_backend_value_in_a_generator_dispatches() -> None:
    name, rest, kwargs = ask(any, (value for value in (0, S, 1)))
    assert ("any", [S, 1], {}) == (name, list(rest), kwargs)
    assert ("max", [3, S, 4], {}) == ask(max, (value for value in (3, S, 4)))


def test_a_backend_value_returned_by_a_key_function_dispatches() -> None:
    calls = []

    def key(value: int) -> object:
        calls.append(value)
        return S if value == 2 else value

    name, values, kwargs = ask(max, [1, 2, 3], key=key)
    assert ("max", [1, 2, 3]) == (name, values)
    assert [1, S, 3] == [kwargs["key"](value) for value in values]
    assert [1, 2, 3] == calls


PYTHON: list[tuple[Callable[..., object], tuple[Any, ...], dict[str, Any]]] = [
    (abs, (-3,), {}),
    (all, ([1, 0],), {}),
    (any, ((0, 1),), {}),
    (bool, (), {}),
    (bool, ([],), {}),
    (divmod, (7, 3), {}),
    (float, ("1.5",), {}),
    (int, ("ff",), {"base": 16}),
    (int, ("ff", 16), {}),
    (len, ("abc",), {}),
    (max, ([1, 3, 2],), {"key": lambda v: -v, "default": 0}),
    (max, ([],), {"default": 9}),
    (min, (3, 1), {}),
    (pow, (2, 5, 7), {}),
    (range, (2, 8, 3), {}),
    (round, (2.567, 1), {}),
    (sorted, ([2, 1],), {"reverse": True}),
    (sum, ([1, 2],), {"start": 10}),
]


@pytest.mark.parametrize(("function", "args", "kwargs"), PYTHON)
def test_python_values_use_pythons_builtins(
    function: Callable[..., object], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    assert function(*args, **kwargs) == ask(function, *args, **kwargs)


@pytest.mark.parametrize("function", [enumerate, reversed, zip, map, filter])
def test_lazy_builtins_stay_lazy(function: type) -> None:
    args = ((3, 1),) if function in (enumerate, reversed, zip) else (identity, (3, 1))
    assert isinstance(ask(function, *args), function)
    assert list(function(*args)) == list(ask(function, *args))


def test_a_backend_that_does_not_record_leaves_python_alone() -> None:
    BACKEND.is_active = False
    try:
        with pytest.raises(TypeError, match="has no len"):
            ask(len, S)
    finally:
        BACKEND.is_active = True


@for_each("function", [f for f in OVERLOADS if f is not bool])
def test_wrong_calls_raise_pythons_error(function: Callable[..., object]) -> None:
    kwargs = {"no_such_option": 1}
    with pytest.raises(TypeError) as expected:
        function(**kwargs)
    with pytest.raises(TypeError) as found:
        ask(function, **kwargs)
    assert str(expected.value) == str(found.value)


def test_callers_get_the_converted_function() -> None:
    answers = builtin_replacements(Backends(()), lambda f: lambda x, y=0: 100 - f(x))  # type: ignore[operator]
    assert [99, 98] == list(answers[map](identity, [1, 2]))  # type: ignore[call-overload]
    assert 2 == answers[max]([2, 3], key=identity)
    assert [3, 1] == answers[sorted]([1, 3], key=identity)
    assert [1, 3] == answers[sorted]([3, 1], key=None)
    assert 2 == answers[min](1, 2, key=identity)
    assert 99 == answers[functools.reduce](identity, [1, 2])


def test_the_tables_name_builtins_and_functions_of_math_only() -> None:
    of_math = {**OF_NUMBERS, **OF_ITEMS, **OF_POINTS}
    known = {*of_math, functools.reduce}
    assert all(getattr(builtins, f.__name__, None) is f or f in known for f in OVERLOADS)
    assert all(f"math.{f.__name__}" == name for f, name in of_math.items())
    assert all(getattr(math, f.__name__) is f for f in of_math)
    assert {"reduce"} == {f.__name__ for f in CALLERS if not hasattr(builtins, f.__name__)}


@pytest.mark.parametrize("kind", [filter, itertools.filterfalse])
@pytest.mark.parametrize("take_apart", [copy.copy, lambda made: pickle.loads(pickle.dumps(made))])
def test_a_filter_is_copied_as_pythons(kind: Any, take_apart: Callable[[Any], Any]) -> None:
    def rest(make: Callable[..., Any]) -> list[Any]:
        made = make(math.isfinite, iter([1.0, math.inf, 3.0, math.nan]))
        next(made)
        return list(take_apart(made))

    assert rest(functools.partial(ask, kind)) == pytest.approx(rest(kind), nan_ok=True)
    assert type(take_apart(ask(kind, None, iter(())))) is kind
