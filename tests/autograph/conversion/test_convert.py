"""A converted function has the attributes of the user's function."""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable

import pytest

from autograph.conversion.convert import (
    convert,
    is_converted,
    to_graph,
)
from autograph.operators.frames import code_info_of

# What is true of the user's statements must be true of the converted ones.
pytestmark = pytest.mark.usefixtures("half")

DEFAULT = [1, 2]


def sample(a: int, b: list[int] = DEFAULT, *rest: float, key: str = "k", **more: object) -> str:
    """Describe the arguments."""
    if a > 1:
        return f"{a} {b} {rest} {key} {more}"
    return "small"


sample.mark = 7  # type: ignore[attr-defined]

IDENTITY = (
    "__name__", "__qualname__", "__module__", "__doc__", "__defaults__", "__kwdefaults__",
    "__annotations__", "__dict__", "__globals__",
)  # fmt: skip


@pytest.mark.parametrize("name", IDENTITY)
def test_a_converted_function_has_the_attributes_of_the_users(name: str) -> None:
    assert getattr(sample, name) == getattr(to_graph(sample), name)


def test_defaults_and_attributes_are_the_same_objects() -> None:
    made = to_graph(sample)
    assert made.__defaults__[0] is DEFAULT
    assert made.__kwdefaults__ is sample.__kwdefaults__
    made.other = 1
    assert 1 == sample.other  # type: ignore[attr-defined]
    assert inspect.signature(sample) == inspect.signature(made)
    assert sample(2, [0], 1.5, key="v", w=0) == made(2, [0], 1.5, key="v", w=0)
    assert sample(0) == made(0)


def test_the_code_object_has_the_users_name_file_and_line() -> None:
    code = to_graph(sample).__code__
    assert code_info_of(code) is not None
    for name in ("co_name", "co_qualname", "co_filename", "co_firstlineno"):
        assert getattr(sample.__code__, name, None) == getattr(code, name, None)


def test_a_wrapper_has_the_identity_of_the_users_function() -> None:
    wrapper = convert(sample)
    for name in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__"):
        assert getattr(sample, name) == getattr(wrapper, name)
    assert inspect.signature(sample) == inspect.signature(wrapper)
    assert 7 == wrapper.mark  # type: ignore[attr-defined]
    assert vars(sample) is vars(wrapper)
    assert inspect.getsource(sample) == inspect.getsource(wrapper)


def test_the_decorator_works_with_and_without_brackets() -> None:
    @convert
    def bare(x: int) -> int:
        return x + 1

    @convert()
    def called(x: int) -> int:
        return x + 1

    @convert(recursive=False)
    def add_one(x: int) -> int:
        return x + 1

    assert [3, 3, 3] == [bare(2), called(2), add_one(2)]
    assert all(is_converted(fn) for fn in (bare, called, add_one))


def test_decorating_twice_is_decorating_once() -> None:
    once = convert(sample)
    assert once is convert(once)


def counter() -> tuple[Callable[[], int], Callable[[], int], Callable[[int], None]]:
    count = 0

    def up() -> int:
        nonlocal count
        count += 1
        return count

    def look() -> int:
        return count

    def put(value: int) -> None:
        nonlocal count
        count = value

    return up, look, put


def test_a_converted_closure_shares_its_cells() -> None:
    up, look, put = counter()
    made = to_graph(up)
    assert 1 == made() == look()
    put(10)
    assert 11 == made()
    assert 12 == up() == look()


def test_closures_of_one_code_object_keep_their_own_cells() -> None:
    one, two = counter()[0], counter()[0]
    first, second = to_graph(one), to_graph(two)
    assert first.__code__ is second.__code__
    assert [1, 2, 1] == [first(), first(), second()]


def test_a_cell_may_be_filled_after_the_conversion() -> None:
    def ask() -> int:
        return late

    made = to_graph(ask)
    with pytest.raises(NameError, match="late"):
        made()
    late = 5
    assert 5 == made()


def test_a_global_may_be_bound_after_the_conversion() -> None:
    made = to_graph(lambda: NOT_YET)  # type: ignore[name-defined]  # noqa: F821
    with pytest.raises(NameError, match="NOT_YET"):
        made()
    globals()["NOT_YET"] = 3
    assert 3 == made()
    del globals()["NOT_YET"]


class Base:
    def describe(self, x: int) -> str:
        return f"base {x}"


class Derived(Base):
    __scale = 3

    def describe(self, x: int) -> str:
        if x > 0:
            return f"{super().describe(x)} {self.__twice(x)} {__class__.__name__}"  # type: ignore[name-defined]
        return "none"

    def __twice(self, x: int) -> int:
        return 2 * x * self.__scale

    @classmethod
    def named(cls, x: int) -> str:
        return f"{cls.__name__} {x}"

    @staticmethod
    def plain(x: int) -> int:
        return x + 1

    def __call__(self, x: int) -> str:
        return self.describe(x) if x else "called"

    @convert
    def decorated(self, x: int) -> int:
        return self.__twice(x)

    @convert()
    @classmethod
    def decorated_class(cls, x: int) -> str:
        return cls.named(x)

    @convert()
    @staticmethod
    def decorated_static(x: int) -> int:
        return Derived.plain(x)


def test_methods_of_every_kind_convert() -> None:
    it = Derived()
    calls = [(it.describe, 2), (it.describe, 0), (Derived.named, 1), (it, 2), (it, 0)]
    for method, argument in calls:
        made = to_graph(method)
        assert method(argument) == made(argument)  # type: ignore[operator]
        assert is_converted(made)
    assert 3 == to_graph(Derived.plain)(2)
    assert it.describe(4) == to_graph(Derived.describe)(it, 4)
    assert 12 == it.decorated(2)
    assert "Derived 2" == it.decorated_class(2) == Derived.decorated_class(2)
    assert 3 == it.decorated_static(2) == Derived.decorated_static(2)


def test_a_converted_method_is_bound_to_the_same_object() -> None:
    it = Derived()
    made = to_graph(it.describe)
    assert isinstance(made, types.MethodType)
    assert it is made.__self__


def test_a_converted_partial_is_a_partial() -> None:
    made = to_graph(functools.partial(sample, 2, key="z"))
    assert isinstance(made, functools.partial)
    assert sample(2, key="z") == made()


def test_two_lambdas_on_a_line_are_distinct() -> None:
    one, two = (lambda x: x + 1), (lambda x: x + 2)
    assert (11, 12) == (to_graph(one)(10), to_graph(two)(10))
    assert "<lambda>" == to_graph(one).__name__


def test_a_lambda_keeps_defaults_and_cells() -> None:
    base = 100
    fn = lambda x, y=5, *, z=lambda: 7: base + x + y + z()
    assert fn(1) == to_graph(fn)(1) == 113


def outermost(x: int) -> tuple[int, str, str]:
    def inner(y: int) -> Callable[[], int]:
        if y:
            return lambda: x + y
        return lambda: 0

    found = inner(3)
    return found(), inner.__qualname__, found.__qualname__


def test_nested_functions_are_converted_and_keep_their_names() -> None:
    assert outermost(4) == to_graph(outermost)(4)


def shown(*names: str) -> Callable[[], str]:
    """Return a function that tells the name of its caller."""
    return lambda: sys._getframe(1).f_code.co_name


def test_a_thunk_has_the_name_of_its_function() -> None:
    look = shown()

    def inner(yes: bool) -> object:
        first = yes and look()
        made = (lambda: yes and look()), (lambda: look())
        return first, *[fn() for fn in made]

    assert ("inner", "<lambda>", "<lambda>") == inner(True) == to_graph(inner)(True)


def even(n: int) -> bool:
    return True if n == 0 else odd(n - 1)


def odd(n: int) -> bool:
    return False if n == 0 else even(n - 1)


def depth(n: int) -> int:
    return 0 if n == 0 else 1 + depth(n - 1)


@convert
def decorated_depth(n: int) -> int:
    if n == 0:
        return 0
    return 1 + decorated_depth(n - 1)


def test_recursion_is_as_deep_as_in_python() -> None:
    assert 900 == to_graph(depth)(900)
    assert 900 == decorated_depth(900)
    assert to_graph(even)(450)
