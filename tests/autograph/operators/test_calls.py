"""Calls agree with Python for every kind of callee, and reach converted code."""

from __future__ import annotations

import functools
import inspect
import json
import sys
import types
import unittest.mock
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from autograph.conversion.convert import STANDARD_CONVERTER, convert, do_not_convert, to_graph
from autograph.operators.calls import method_called
from autograph.operators.frames import code_info_of
from autograph.options import STANDARD, ConversionOptions
from runtime.core.internal_files import is_internal_file
from tests.autograph.recorded import recorded

VOCABULARY = STANDARD_CONVERTER.vocabulary
SCOPE = VOCABULARY.FunctionScope("test", "fscope", STANDARD)
NOT_RECURSIVE = VOCABULARY.FunctionScope("test", "fscope", ConversionOptions(recursive=False))


def call(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return VOCABULARY.converted_call(f, args, kwargs or None, SCOPE)


@do_not_convert
def raw_frames() -> list[types.FrameType]:
    """Every frame from that of the function that asks on, ours included."""
    frame: types.FrameType | None = sys._getframe(1)
    found: list[types.FrameType] = []
    while frame is not None:
        # `do_not_convert` is asked through a wrapper, except in a converted half.
        if found or not is_internal_file(frame.f_code.co_filename):
            found.append(frame)
        frame = frame.f_back
    return found


@do_not_convert
def runs_converted() -> bool:
    """Tell whether the function that asks runs as generated code."""
    outside = (f for f in raw_frames()[1:] if not is_internal_file(f.f_code.co_filename))
    return code_info_of(next(outside).f_code) is not None


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


CONVERTED: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], tuple[Any, ...]]] = [
    (function, (1,), {}, (1, 2, (), 3, {})),
    (function, (1, 5, 6, 7), {"c": 8, "d": 9}, (1, 5, (6, 7), 8, {"d": 9})),
    (Kinds().method, (4,), {}, (1, 4)),
    (Kinds.method, (Kinds(), 4), {}, (1, 4)),
    (Kinds.of_class, (4,), {}, (0, 4)),
    (Kinds.static, (4,), {}, (4,)),
    (functools.partial(function, 1, c=5), (2,), {}, (1, 2, (), 5, {})),
    (functools.partial(function, 1, c=5), (2,), {"c": 6}, (1, 2, (), 6, {})),
    (functools.partial(Kinds().method, x=3), (), {}, (1, 3)),
    (lambda x: (runs_converted(), x), (9,), {}, (9,)),
    (types.MethodType(functools.partial(function, 7), 8), (), {}, (7, 8, (), 3, {})),
]


@pytest.mark.usefixtures("half")
@pytest.mark.parametrize(("f", "args", "kwargs", "expected"), CONVERTED[:-1])
def test_user_functions_are_converted_in_all_calls(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    assert (False, *expected) == f(*args, **kwargs)
    assert (True, *expected) == call(f, *args, **kwargs)


def callable_object() -> Callable[[int], tuple[Any, ...]]:
    """Return an object of a class of its own, since converted code converts classes it meets."""

    class Callable:
        def __call__(self, x: int) -> tuple[Any, ...]:
            return runs_converted(), "called", x

    return Callable()


@pytest.mark.usefixtures("half")
def test_objects_that_can_be_called_run_converted() -> None:
    f = callable_object()
    assert (False, "called", 4) == f(4)
    assert (True, "called", 4) == call(f, 4)
    alone = callable_object()
    assert (False, "called", 4) == VOCABULARY.converted_call(alone, (4,), None, NOT_RECURSIVE)


@pytest.mark.usefixtures("half")
@pytest.mark.parametrize(("f", "args", "kwargs", "expected"), CONVERTED)
def test_callees_are_not_converted_without_recursive(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    result = VOCABULARY.converted_call(f, args, kwargs or None, NOT_RECURSIVE)
    assert (False, *expected) == result


@functools.lru_cache
def remembered(x: int) -> tuple[Any, ...]:
    return runs_converted(), x


class Answering:
    def __call__(self, x: int) -> int:
        return x


class Static:
    __call__ = staticmethod(function)


class Meta(type):
    def __call__(cls, *args: Any) -> Any:
        return runs_converted(), super().__call__(*args)


class WithMetaclass(metaclass=Meta):
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
def test_other_callables_are_not_converted(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    assert f(*args) == call(f, *args)


def test_objects_are_created_as_in_python() -> None:
    assert isinstance(call(Kinds), Kinds)
    converted, made = call(WithMetaclass, 3)
    assert (True, 3) == (converted, made.x)


@pytest.mark.usefixtures("half")
def test_generators_run_converted_too() -> None:
    assert [(False, 0), (False, 1)] == list(generate(2))
    assert [(True, 0), (True, 1)] == list(call(generate, 2))


def test_mocks_record_their_calls() -> None:
    mock = unittest.mock.MagicMock(return_value=5)
    assert 5 == call(mock, 1, k=2)
    mock.assert_called_once_with(1, k=2)


@pytest.mark.usefixtures("half")
def test_frames_of_wrappers_are_hidden() -> None:
    waiting, exempt = convert(names_of_frames), do_not_convert(names_of_frames)
    here = "test_frames_of_wrappers_are_hidden"
    scope = VOCABULARY.scope("test", STANDARD)
    for wrapped in (waiting, waiting, exempt):
        assert ["names_of_frames", here] == scope.callee(wrapped)()[:2]
    assert (True, 1, 2, (), 3, {}) == call(convert(function), 1)
    assert (False, 1, 2, (), 3, {}) == call(do_not_convert(function), 1)


def names_of_frames() -> list[str]:
    return [frame.f_code.co_name for frame in raw_frames()]


WRONG: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = [
    (function, (), {}),
    (Kinds().method, (), {}),
    (Kinds().method, (1, 2), {}),
    (Answering(), (1,), {"y": 2}),
    (Kinds.static, (1, 2, 3), {}),
    (len, (), {}),
    (3, (), {}),  # type: ignore[list-item]
    (None, (1,), {}),  # type: ignore[list-item]
]


@pytest.mark.usefixtures("half")
@pytest.mark.parametrize(("f", "args", "kwargs"), WRONG)
def test_wrong_arguments_raise_pythons_error(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    with pytest.raises(TypeError) as expected:
        f(*args, **kwargs)
    with pytest.raises(TypeError) as found:
        call(f, *args, **kwargs)
    assert str(expected.value) == str(found.value)


class Chain:
    """Calls on through every kind of callee Python calls without a frame of its own."""

    def method(self) -> list[str]:
        return functools.partial(self)()

    def __call__(self) -> list[str]:
        return (lambda: self.static())() if self else []

    @staticmethod
    def static() -> list[str]:
        return names_of_frames() or []


CHAIN = Chain()


def chained() -> list[str]:
    for _ in range(1):
        if CHAIN:
            return CHAIN.method()
    return []


@pytest.mark.usefixtures("half")
def test_user_frames_are_adjacent() -> None:
    names = ["names_of_frames", "static", "<lambda>", "__call__", "method", "chained"]
    here = "test_user_frames_are_adjacent"
    assert [*names, here] == to_graph(chained)()[:7] == chained()[:7]


@pytest.mark.usefixtures("half")
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


def test_functions_passed_to_builtins_are_converted() -> None:
    asked: list[bool] = []

    def odd(x: int) -> bool:
        asked.append(runs_converted())
        return x % 2 == 1

    def plus(a: int, b: int) -> int:
        asked.append(runs_converted())
        return a + b

    def run() -> Any:
        return (
            list(map(odd, [1, 2])),
            list(filter(odd, [1, 2, 3])),
            sorted([1, 2, 3], key=odd),
            max([2, 1], key=odd),
            min([2, 1], key=odd),
            functools.reduce(plus, [1, 2, 3]),
        )

    expected = run()
    assert [False] * 14 == asked
    asked.clear()
    assert expected == recorded(to_graph(run))
    assert [True] * 14 == asked


def test_only_a_plain_call_method_is_converted() -> None:
    assert method_called(Answering()) is Answering.__call__
    assert method_called(Kinds()) is None
    assert method_called(Static()) is None
    assert method_called(Kinds) is None
    assert method_called(WithMetaclass) is None
    assert method_called(len) is None


@pytest.mark.usefixtures("half")
def test_currentframe_returns_the_users_frame() -> None:
    def where() -> tuple[str, int]:
        frame = inspect.currentframe()
        assert frame is not None
        return frame.f_code.co_name, frame.f_lineno

    assert where() == to_graph(where)()
