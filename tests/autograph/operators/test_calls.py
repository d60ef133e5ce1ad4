"""`converted_call` does what the call does, for every kind of callee."""

from __future__ import annotations

import functools
import inspect
import json
import sys
import traceback
import types
import unittest.mock
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from autograph.conversion.convert import STANDARD_CONVERTER, convert, do_not_convert, to_graph
from autograph.operators.calls import method_called
from autograph.operators.frames import is_internal_file, part_of
from autograph.options import STANDARD, ConversionOptions

VOCABULARY = STANDARD_CONVERTER.vocabulary
SCOPE = VOCABULARY.FunctionScope("test", "fscope", STANDARD)
NOT_RECURSIVE = VOCABULARY.FunctionScope("test", "fscope", ConversionOptions(recursive=False))


def call(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return VOCABULARY.converted_call(f, args, kwargs or None, SCOPE)


def runs_converted() -> bool:
    return any(part_of(frame.f_code) for frame in callers())


def callers() -> Iterator[types.FrameType]:
    """The frames of the function that asks: its own, and bodies lifted out of it."""
    frame = sys._getframe(2)
    while is_internal_file(frame.f_code.co_filename):
        assert frame.f_back is not None
        frame = frame.f_back
    yield frame


def function(a: int, b: int = 2, *rest: int, c: int = 3, **more: int) -> tuple[Any, ...]:
    return runs_converted(), a, b, rest, c, more


class Kinds:
    made = 0

    def __init__(self) -> None:
        self.made = 1

    def method(self, x: int) -> tuple[Any, ...]:
        return runs_converted(), self.made, x

    @classmethod
    def of_class(cls, x: int) -> tuple[Any, ...]:
        return runs_converted(), cls.made, x

    @staticmethod
    def static(x: int) -> tuple[Any, ...]:
        return runs_converted(), x

    def __call__(self, x: int) -> tuple[Any, ...]:
        return runs_converted(), "called", x


CONVERTED: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], tuple[Any, ...]]] = [
    (function, (1,), {}, (1, 2, (), 3, {})),
    (function, (1, 5, 6, 7), {"c": 8, "d": 9}, (1, 5, (6, 7), 8, {"d": 9})),
    (Kinds().method, (4,), {}, (1, 4)),
    (Kinds.method, (Kinds(), 4), {}, (1, 4)),
    (Kinds.of_class, (4,), {}, (0, 4)),
    (Kinds.static, (4,), {}, (4,)),
    (Kinds(), (4,), {}, ("called", 4)),
    (functools.partial(function, 1, c=5), (2,), {}, (1, 2, (), 5, {})),
    (functools.partial(function, 1, c=5), (2,), {"c": 6}, (1, 2, (), 6, {})),
    (functools.partial(Kinds().method, x=3), (), {}, (1, 3)),
    (lambda x: (runs_converted(), x), (9,), {}, (9,)),
    (types.MethodType(functools.partial(function, 7), 8), (), {}, (7, 8, (), 3, {})),
]


@pytest.mark.parametrize(("f", "args", "kwargs", "expected"), CONVERTED[:-1])
def test_functions_of_the_users_run_converted_however_they_are_reached(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    assert (False, *expected) == f(*args, **kwargs)
    assert (True, *expected) == call(f, *args, **kwargs)


@pytest.mark.parametrize(("f", "args", "kwargs", "expected"), CONVERTED)
def test_nothing_is_converted_below_a_function_that_is_not_recursive(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    result = VOCABULARY.converted_call(f, args, kwargs or None, NOT_RECURSIVE)
    assert (False, *expected) == result


@functools.lru_cache
def remembered(x: int) -> tuple[Any, ...]:
    return runs_converted(), x


class Static:
    __call__ = staticmethod(function)


class Meta(type):
    def __call__(cls, *args: Any) -> Any:
        return runs_converted(), super().__call__(*args)


class Made(metaclass=Meta):
    def __init__(self, x: int) -> None:
        self.x = x


def generate(n: int) -> Iterator[Any]:
    for i in range(n):
        yield runs_converted(), i


AS_THEY_ARE: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (len, ([1, 2],)),
    ([3, 1, 2].index, (1,)),
    ("a-b".split, ("-",)),
    (dict, ([(1, 2)],)),
    (Kinds.__init__, (Kinds(),)),
    (json.dumps, ({"a": 1},)),
    (remembered, (4,)),
    (Static(), (4,)),
    (str.upper, ("a",)),
    ((3).__add__, (4,)),
    (functools.partial(max, 3), (5,)),
    (functools.partial(isinstance, 3), (int,)),
]


@pytest.mark.parametrize(("f", "args"), AS_THEY_ARE)
def test_everything_else_is_called_as_it_is(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    assert f(*args) == call(f, *args)


def test_objects_are_made_as_in_python() -> None:
    assert isinstance(call(Kinds), Kinds)
    converted, made = call(Made, 3)
    assert (False, 3) == (converted, made.x)


def test_generators_are_left_alone() -> None:
    assert [(False, 0), (False, 1)] == list(call(generate, 2))


def test_mocks_are_called_and_remember_it() -> None:
    mock = unittest.mock.MagicMock(return_value=5)
    assert 5 == call(mock, 1, k=2)
    mock.assert_called_once_with(1, k=2)


def test_wrappers_are_stepped_over() -> None:
    wrapped = convert(function)
    names = [entry.name for entry in call(stack_of, wrapped)]
    assert "converted" not in names
    assert (True, 1, 2, (), 3, {}) == call(wrapped, 1)


def stack_of(f: Callable[..., Any]) -> Any:
    return traceback.extract_stack() if f(1) else []


WRONG: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = [
    (function, (), {}),
    (Kinds().method, (), {}),
    (Kinds().method, (1, 2), {}),
    (Kinds(), (1,), {"y": 2}),
    (Kinds.static, (1, 2, 3), {}),
    (len, (), {}),
    (3, (), {}),  # type: ignore[list-item]
    (None, (1,), {}),  # type: ignore[list-item]
]


@pytest.mark.parametrize(("f", "args", "kwargs"), WRONG)
def test_wrong_arguments_are_refused_in_pythons_words(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    with pytest.raises(TypeError) as expected:
        f(*args, **kwargs)
    with pytest.raises(TypeError) as found:
        call(f, *args, **kwargs)
    assert str(expected.value) == str(found.value)


def test_one_frame_of_ours_stands_between_two_of_the_users() -> None:
    def inner() -> list[str]:
        return [frame.f_code.co_name for frame in raw_frames()][:3]

    def outer() -> list[str]:
        return inner()

    assert ["inner", "converted_call", "outer"] == to_graph(outer)()


@do_not_convert
def raw_frames() -> list[types.FrameType]:
    """Every frame from the converted caller's on, ours included."""
    frame = sys._getframe(2)
    found = []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back  # type: ignore[assignment]
    return found


def test_the_order_of_evaluation_is_pythons() -> None:
    seen: list[str] = []

    def note(name: str, value: Any = None) -> Any:
        seen.append(name)
        return value

    def run() -> Any:
        return note("f", dict)(note("a", [(1, 2)]), **note("k", {"x": 1}), y=note("y", 2))

    expected = run()
    order, seen[:] = list(seen), []
    assert expected == to_graph(run)()
    assert order == seen


def test_functions_given_to_builtins_are_converted() -> None:
    def odd(x: int) -> bool:
        assert runs_converted()
        return x % 2 == 1

    def run() -> Any:
        return (
            list(map(odd, [1, 2])),
            list(filter(odd, [1, 2, 3])),
            sorted([1, 2, 3], key=odd),
            max([2, 1], key=odd),
            functools.reduce(lambda a, b: a + b, [1, 2, 3]),
        )

    assert ([True, False], [1, 3], [2, 1, 3], 1, 6) == to_graph(run)()


def test_only_a_plain_call_method_counts() -> None:
    assert method_called(Kinds()) is Kinds.__call__
    assert method_called(Static()) is None
    assert method_called(Kinds) is None
    assert method_called(Made) is None
    assert method_called(len) is None


def test_a_frame_asked_for_by_a_library_is_the_users() -> None:
    def where() -> tuple[str, int]:
        frame = inspect.currentframe()
        assert frame is not None
        return frame.f_code.co_name, frame.f_lineno

    assert where() == to_graph(where)()
