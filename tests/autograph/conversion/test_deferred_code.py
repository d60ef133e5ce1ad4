"""A deferred function has the user's signature and passes all arguments on."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, cast

import pytest

from autograph.conversion.convert import convert
from autograph.conversion.deferred_code import with_deferred_code
from autograph.conversion.renaming import code_tree
from autograph.operators.frames import code_info_of, is_placeholder


class Start:
    """Gives `other` in the place of a function, and notes the calls of its methods."""

    def __init__(self, other: Callable[..., Any]) -> None:
        self.other = other
        self.events: list[str] = []

    def target(self) -> FunctionType:
        self.events.append("target")
        return cast(FunctionType, self.other)

    def drop_frames(self) -> None:
        self.events.append("drop")


CELL = 5


def none() -> None: ...
def several(a: int, b: int = 2, *c: int, d: int, e: int = 5, **f: int) -> None: ...
def positional(a: int, /, b: int, c: int = 3) -> None: ...
def keywords(*, a: int, b: int = 2) -> None: ...
def rest(*args: int, **kwargs: int) -> None: ...
def odd(START: int, factory: int, waiting: int, FREE: int = 3, BaseException: int = 4) -> None: ...


def with_cells() -> Callable[[int], Any]:
    z, a = 1, 2

    def inside(m: int) -> Any:
        return z, m, a

    return inside


class Owner:
    def method(self, __private: int, __class: int = 2) -> Any:
        return super().__init__()  # type: ignore[misc]


INSIDE = with_cells()

PASSED: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], Any]] = [
    (none, (), {}, ((), {})),
    (several, (1,), {"d": 4}, ((1, 2), {"d": 4, "e": 5})),
    (several, (1, 2, 3, 4), {"d": 5, "z": 6}, ((1, 2, 3, 4), {"d": 5, "e": 5, "z": 6})),
    (several, (), {"a": 1, "b": 3, "d": 4, "e": 6}, ((1, 3), {"d": 4, "e": 6})),
    (positional, (1,), {"b": 2}, ((1, 2, 3), {})),
    (keywords, (), {"a": 1}, ((), {"a": 1, "b": 2})),
    (rest, (1, 2), {"args": 3}, ((1, 2), {"args": 3})),
    (odd, (1, 2), {"waiting": 4}, ((1, 2, 4, 3, 4), {})),
    (INSIDE, (7,), {}, ((7,), {})),
    (Owner.method, (1, 2), {}, ((1, 2, 2), {})),
]


def given(*args: Any, **kwargs: Any) -> Any:
    return args, kwargs


@pytest.mark.parametrize(("fn", "args", "kwargs", "expected"), PASSED)
def test_arguments_are_passed_on_as_they_are_bound(
    fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], expected: Any
) -> None:
    start = Start(given)
    assert expected == with_deferred_code(fn, start)(*args, **kwargs)
    assert ["target"] == start.events


FUNCTIONS = list(dict.fromkeys(fn for fn, *_ in PASSED))


@pytest.mark.parametrize("fn", FUNCTIONS)
def test_a_deferred_function_has_the_signature_and_names_of_its_source(fn: Any) -> None:
    made = with_deferred_code(fn, Start(given))
    assert inspect.signature(fn).replace(return_annotation=int) == inspect.signature(
        convert(fn)
    ).replace(return_annotation=int)
    for name in ("__name__", "__qualname__", "__defaults__", "__kwdefaults__", "__globals__"):
        assert getattr(fn, name) == getattr(made, name)
    names = ("co_name", "co_qualname", "co_filename", "co_firstlineno", "co_freevars")
    theirs, ours = fn.__code__, made.__code__
    assert [getattr(theirs, n, None) for n in names] == [getattr(ours, n, None) for n in names]
    assert theirs.co_flags == ours.co_flags
    assert [*map(id, fn.__closure__ or ())] == [*map(id, made.__closure__ or ())]


@pytest.mark.parametrize("fn", [several, positional, keywords, none, Owner.method])
def test_wrong_arguments_raise_pythons_type_error(fn: Any) -> None:
    start = Start(given)
    for args, kwargs in (((), {}), ((1, 2, 3, 4), {"z": 1}), ((), {"a": 1, "c": 2})):
        try:
            fn(*args, **kwargs)
        except TypeError as error:
            with pytest.raises(TypeError) as found:
                with_deferred_code(fn, start)(*args, **kwargs)
            assert str(error) == str(found.value)
    assert [] == [event for event in start.events if event == "drop"]


def test_an_error_is_shown_as_the_users_and_is_the_same() -> None:
    error = KeyboardInterrupt()

    def fail(*args: Any) -> None:
        raise error

    start = Start(fail)
    with pytest.raises(KeyboardInterrupt) as caught:
        with_deferred_code(cast(FunctionType, none), start)()
    assert caught.value is error
    assert ["target", "drop"] == start.events


def test_parameter_names_do_not_hide_errors() -> None:
    start = Start(lambda *args: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        with_deferred_code(cast(FunctionType, odd), start)(1, 2, 3)
    assert ["target", "drop"] == start.events


def test_deferred_code_has_no_generated_names() -> None:
    start = Start(given)
    code: CodeType = with_deferred_code(cast(FunctionType, INSIDE), start).__code__
    part = code_info_of(code)
    assert part is not None and part.start is start and is_placeholder(code)
    for each in code_tree(code):
        assert not {"START", "FREE"} & {*each.co_names, *each.co_varnames, *each.co_freevars}


def test_the_code_can_be_replaced_by_code_with_the_same_cells() -> None:
    made = with_deferred_code(cast(FunctionType, INSIDE), Start(given))
    assert ((3,), {}) == made(3)
    made.__code__ = INSIDE.__code__
    assert (1, 3, 2) == made(3)


def test_methods_with_super_are_deferred() -> None:
    class Base:
        def who(self, x: int) -> Any:
            return "base", x

    class Derived(Base):
        @convert
        def who(self, __x: int) -> Any:
            return super().who(__x), __class__.__name__  # type: ignore[name-defined]

    it = Derived()
    assert [(("base", 1), "Derived")] * 2 == [it.who(1), it.who(1)]
