"""Whole numbers that stand for Python's: exact, or refused where the dtype cannot hold them."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt

LIMIT = 2**31
OPERATORS: list[Callable[[int, int], int]] = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.floordiv,
    operator.pow,
    operator.lshift,
]


def apply_in_a_loop(compute: Callable[[Any, Any], Any], x: int, y: int, n: Any) -> Any:
    first, second = x, y
    result = 0
    for i in range(n):
        first, second = x + i, y + i
        result = compute(first, second)
    return result


@pytest.mark.parametrize("compute", OPERATORS)
def test_a_python_number_is_exact_or_refused(compute: Callable[[int, int], int]) -> None:
    rng = random.Random(compute.__name__)
    staged = ag.function(apply_in_a_loop)
    fits = []
    for bits in (4, 4, 16, 16, 31, 31):
        most = bits if compute in (operator.pow, operator.lshift) else 2 ** (bits - 1)
        x, y = rng.randrange(1, 2 ** (bits - 1)), rng.randrange(1, most)
        exact = compute(x + 1, y + 1)
        fits.append(-LIMIT <= exact < LIMIT)
        if fits[-1]:
            assert int(staged(compute, x, y, rt.constant(2))) == exact
        else:
            with pytest.raises(rt.errors.IntegerOverflowError, match="rt.int64"):
                staged(compute, x, y, rt.constant(2))
    assert any(fits)


def test_an_overflow_raises_at_the_users_line() -> None:
    @ag.function
    def doubled(n):  # type: ignore[no-untyped-def]
        power = 1
        while n > 0:
            power = power * 2
            n -= 1
        return power

    assert int(doubled(rt.constant(30))) == 2**30
    with pytest.raises(OverflowError, match="test_exact_integers.py:58, in doubled"):
        doubled(rt.constant(31))
    assert int(doubled(rt.constant(3))) == 8


def test_tensors_wrap_around_as_numpy_arrays_do() -> None:
    @ag.function
    def doubled(x):  # type: ignore[no-untyped-def]
        while x > 0:
            x = x * 2
        return x

    assert int(doubled(rt.constant(1))) == -LIMIT


def added(x: Any, n: Any) -> Any:
    return x + n


def multiplied_from_the_left(x: Any, n: Any) -> Any:
    return n * x


def compared(x: Any, n: Any) -> Any:
    return x < n


def branched(x: Any, n: Any) -> Any:
    if x < 100:
        x = x - n
    return x


def joined(x: Any, n: Any) -> Any:
    return n if x < 100 else x


def selected(x: Any, n: Any) -> Any:
    return rt.where(x > 0, n, x)


def made_a_tensor(x: Any, n: Any) -> Any:
    return x + rt.constant([n, 1], x.dtype)


def cast(x: Any, n: Any) -> Any:
    return x + rt.cast(n, x.dtype)


def put_in_a_list(x: Any, n: Any) -> Any:
    items = [x, x]
    for i in rt.range(2):
        items[i] = n
    return items[1] + x


def appended(x: Any, n: Any) -> Any:
    items = [x]
    for _ in rt.range(2):
        items.append(n)
    return items[-1] + x


MEETINGS = [
    added,
    multiplied_from_the_left,
    compared,
    branched,
    joined,
    selected,
    made_a_tensor,
    cast,
    put_in_a_list,
    appended,
]
NUMBERS = [5, -1, 127, 128, 255, 300, LIMIT - 1, LIMIT, -LIMIT - 1, 2**40, -(2**62)]


class Kept:
    """A function of a tensor and of a number that it keeps between calls."""

    def __init__(self, meet: Callable[[Any, Any], Any]) -> None:
        self.number, self.meet = 1, meet

    def __call__(self, x: Any) -> Any:
        self.number = self.number + 1
        return self.meet(x, self.number)


def outcome(function: Callable[[Any], Any], kept: Kept, number: int, x: rt.Tensor) -> Any:
    """Return dtype and values, or the class of the error; a number as a tensor of x's dtype."""
    kept.number = number - 1
    try:
        result = function(x)
        result = rt.constant(result, x.dtype) if type(result) is int else result
    except (rt.errors.DTypeValueError, rt.errors.IntegerOverflowError) as error:
        return type(error).__name__
    return result.dtype.name, result.numpy().tolist()


@pytest.mark.parametrize("executor", ["numpy", "interpreter", "jax"])
@pytest.mark.parametrize("meet", MEETINGS, ids=lambda each: each.__name__)
def test_a_kept_number_fits_the_tensor_beside_it_or_is_refused(meet: Any, executor: str) -> None:
    if executor == "jax":
        pytest.importorskip("jax")
    errors = []
    for dtype in (rt.int8, rt.uint8, rt.int32, rt.float32):
        if executor == "jax" and dtype in (rt.uint8, rt.float32):
            continue
        x = rt.constant(3, dtype)
        kept, eager = Kept(meet), Kept(meet)
        staged = ag.function(kept.__call__, executor=executor)
        staged(x), staged(x)
        for number in NUMBERS:
            expected, actual = outcome(eager, eager, number, x), outcome(staged, kept, number, x)
            refused = "IntegerOverflowError" if type(expected) is str else expected
            assert refused == actual, (dtype, number)
            errors.append(type(expected) is str)
        assert len(staged.traces.traces()) <= 2
    assert meet is cast or (any(errors) and not all(errors))


def test_no_handler_of_the_program_catches_a_number_that_does_not_fit() -> None:
    @ag.function
    def guarded(x, n, at):  # type: ignore[no-untyped-def]
        total = 1
        for _ in rt.range(n):
            total = total * 10
        try:
            result = rt.constant([1, 2], rt.int8)[at] + x + total
        except Exception:
            result = rt.constant(-1, rt.int8)
        return result

    x = rt.constant(1, rt.int8)
    assert int(guarded(x, rt.constant(2), rt.constant(1))) == 103
    assert int(guarded(x, rt.constant(2), rt.constant(5))) == -1
    for n, message in ((3, "1000 does not fit int8"), (12, "does not fit into int32")):
        with pytest.raises(rt.errors.IntegerOverflowError, match=message):
            guarded(x, rt.constant(n), rt.constant(1))


def test_a_number_that_always_fits_is_not_checked() -> None:
    @ag.function
    def sums(x, n):  # type: ignore[no-untyped-def]
        low, high = x, x
        for i in range(n):
            low = low + i % 100
            high = high + i % 200
        return low, high

    x = rt.constant(1, rt.int8)
    assert [int(each) for each in sums(x, rt.constant(3))] == [4, 4]
    source = sums.get_concrete_function(x, rt.constant(3)).executable.source
    assert source.count("checked_exact_cast_int32(") == 1
    with pytest.raises(rt.errors.IntegerOverflowError, match="128 does not fit int8"):
        sums(x, rt.constant(129))


def test_a_cast_that_the_program_writes_wraps_around() -> None:
    @ag.function
    def wrapped(n):  # type: ignore[no-untyped-def]
        total = 1
        for _ in rt.range(n):
            total = total * 10
        return rt.cast(total, rt.int8), rt.cast(n, rt.int8)

    assert [int(each) for each in wrapped(rt.constant(4))] == [16, 4]
    assert [int(each) for each in wrapped(rt.constant(3))] == [1000 - 1024, 3]


def test_a_number_that_leaves_int64_gets_other_advice_than_int64() -> None:
    @ag.function
    def tripled(n):  # type: ignore[no-untyped-def]
        total = 2**40
        while n > 0:
            total = total * 3
            n -= 1
        return total

    with pytest.raises(rt.errors.IntegerOverflowError, match=r"into int64.*rt\.float64\), which"):
        tripled(rt.constant(60))
