"""Staged recursive functions agree with eager execution."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import ContainerMutationError, StagingError

Case = tuple[Any, ...]


def graph_of_agreeing(function: Callable[..., Any], *cases: Case) -> str:
    """Compare with the plain function on eager tensors; return the text of the first graph."""
    staged = ag.function(function)
    for case in cases:
        tensors = [rt.constant(value) for value in case]
        expected, actual = function(*tensors), staged(*tensors)
        rt.nest.assert_same_structure(expected, actual)
        for one, other in zip(rt.nest.flatten(expected), rt.nest.flatten(actual)):
            np.testing.assert_array_equal(np.asarray(one), np.asarray(other), err_msg=f"{case}")
    return str(staged.get_concrete_function(*map(rt.constant, cases[0])).graph.as_text())


def recursions(text: str) -> int:
    return text.count("= recursion(")


# -- what goes in ----------------------------------------------------------------------------------


def test_parameters_may_be_assigned() -> None:
    def down(n: Any, total: Any) -> Any:
        total = total + n
        n = n - 1
        if n <= 0:
            return total
        return down(n, total)

    assert recursions(graph_of_agreeing(lambda n: down(n, 0), (4,), (0,))) == 1


def test_defaults_keywords_and_stars() -> None:
    def add(n: Any, *, step: Any = 2, total: Any = 0) -> Any:
        return total if n == 0 else add(n - 1, total=total + step)

    def stars(*numbers: Any, **named: Any) -> Any:
        if numbers[0] <= 0:
            return numbers[1] + named["k"]
        return stars(numbers[0] - 1, numbers[1] * 2, k=named["k"] + 1)

    graph_of_agreeing(add, (3,), (0,))
    assert recursions(graph_of_agreeing(lambda n: stars(n, n, k=1), (3,), (0,))) == 1


def test_shapes_of_parameters_and_results_widen() -> None:
    def double(x: Any, n: Any) -> Any:
        return x if n == 0 else double(rt.concat([x, x], 0), n - 1)

    def count(n: Any) -> Any:
        if n == 0:
            return rt.zeros([0], rt.int32)
        return rt.concat([count(n - 1), rt.reshape(n, [1])], 0)

    text = graph_of_agreeing(double, ([1, 2], 3), ([1, 2], 0))
    assert "double(%x: int32[?], %n: int32):" in text
    assert "int32[?]" in graph_of_agreeing(count, (3,), (0,))


def test_quicksort() -> None:
    def quicksort(x: Any) -> Any:
        if rt.size(x) <= 1:
            return x
        rest = x[1:]
        low = quicksort(rt.boolean_mask(rest, rest < x[0]))
        return rt.concat([low, x[:1], quicksort(rt.boolean_mask(rest, rest >= x[0]))], 0)

    text = graph_of_agreeing(quicksort, ([3, 1, 2],), ([5, 4, 3, 9, 1, 1, 7],), ([1],))
    assert recursions(text) == 1


def test_numbers_adopt_the_dtypes_of_tensors() -> None:
    def power(x: Any, n: Any, result: Any = 1) -> Any:
        return result if n == 0 else power(x, n - 1, result * x)

    def half(n: Any) -> Any:
        return 1 if n == 0 else half(n - 1) * 0.5

    assert "%result: float32" in graph_of_agreeing(power, (1.5, 3), (2.0, 0))
    assert "weak float32" in graph_of_agreeing(half, (3,), (0,))


def test_a_changed_dtype_has_a_separate_recursion() -> None:
    def halve(x: Any, n: Any) -> Any:
        return x if n <= 0 else halve(x / 2, n - 1)

    text = graph_of_agreeing(halve, (8, 3), (8, 0))
    assert "halve(%x: float64, %n: int32):" in text


def test_new_dataclass_instances_are_arguments() -> None:
    @dataclass
    class Pair:
        first: Any
        second: Any

    def sum_up(n: Any, pair: Pair) -> Pair:
        if n == 0:
            return pair
        return sum_up(n - 1, Pair(pair.first + n, pair.second * 2))

    def main(n: Any) -> Any:
        pair = sum_up(n, Pair(n, n + 1))
        return pair.first, pair.second

    assert recursions(graph_of_agreeing(main, (3,), (0,))) == 1


def test_none_that_becomes_a_tensor() -> None:
    def last(n: Any, before: Any = None) -> Any:
        if n == 0:
            return 0 if before is None else before
        return last(n - 1, n)

    assert recursions(graph_of_agreeing(last, (3,), (0,))) == 1


# -- what comes out --------------------------------------------------------------------------------


def test_structures_are_returned() -> None:
    def build(n: Any) -> Any:
        if n <= 0:
            return {"a": rt.constant(0), "b": (1.0, 2)}
        rest = build(n - 1)
        return {"a": rest["a"] + n, "b": (rest["b"][0] * 2.0, 2)}

    assert recursions(graph_of_agreeing(build, (3,), (0,))) == 1


def test_none_on_some_paths() -> None:
    def find(n: Any) -> Any:
        if n > 5:
            return None
        return n if n == 3 else find(n - 1)

    staged = ag.function(find)
    assert [staged(rt.constant(n)) for n in (9, 6)] == [None, None]
    assert int(staged(rt.constant(5))) == 3


def test_a_list_grows_after_the_recursive_call() -> None:
    def collect(n: Any) -> Any:
        return [] if n == 0 else [*collect(n - 1)] + [n]

    def made(n: Any) -> Any:
        return rt.stack(collect(n))

    assert recursions(graph_of_agreeing(made, (3,), (1,))) == 1


def test_results_of_two_dtypes_are_joined_by_the_policy() -> None:
    def mixed(n: Any) -> Any:
        return rt.constant(1) if n == 0 else rt.cast(mixed(n - 1), rt.float32)

    assert ag.function(mixed)(rt.constant(2)).dtype == rt.float64
    with pytest.raises(StagingError, match="dtype int32 .* dtype float32"):
        ag.function(mixed, dtype_join="strict")(rt.constant(2))


# -- state and effects -----------------------------------------------------------------------------


def test_tensors_of_outer_functions_are_captured() -> None:
    def main(x: Any, n: Any) -> Any:
        doubled = x * 2.0

        def climb(i: Any) -> Any:
            return doubled if i <= 0 else climb(i - 1) + x

        return climb(n)

    text = graph_of_agreeing(main, (1.5, 3), (2.0, 0))
    assert "call(%subtract, %multiply, %x) {callee=climb}" in text


def test_variables_of_outer_functions_are_assigned() -> None:
    def main(n: Any) -> Any:
        total, calls = rt.constant(0), 0

        def walk(i: Any) -> None:
            nonlocal total, calls
            calls = calls + 1
            total = total + i
            if i > 0:
                walk(i - 1)
                walk(i - 2)

        walk(n)
        return total, calls

    graph_of_agreeing(main, (4,), (0,), (-1,))


def test_one_list_is_passed_on_and_changed() -> None:
    def walk(n: Any, out: list[Any]) -> None:
        out[0] = out[0] + n
        if n > 0:
            walk(n - 1, out)
        out[1] = out[1] + 1

    def main(n: Any) -> Any:
        out = [rt.constant(0), rt.constant(0)]
        walk(n, out)
        return out

    assert recursions(graph_of_agreeing(main, (4,), (0,))) == 1


def test_an_aliased_list_argument_stays_one_object() -> None:
    def main(n: Any) -> Any:
        held = [rt.constant(0)]

        def go(i: Any, same: list[Any]) -> None:
            same[0] = same[0] + i
            held[0] = held[0] + 1
            if i > 0:
                go(i - 1, same)

        go(n, held)
        return held

    graph_of_agreeing(main, (3,), (0,))


def test_local_lists_may_be_passed_but_not_changed() -> None:
    def shift(n: Any, pair: list[Any]) -> Any:
        return shift(n - 1, [pair[0] + n, pair[0]]) if n > 0 else pair

    def changing(n: Any, one: list[Any]) -> Any:
        one[0] = one[0] + n
        return changing(n - 1, [one[0]]) if n > 0 else one[0]

    graph_of_agreeing(lambda n: shift(n, [rt.constant(0), rt.constant(1)]), (4,), (0,))
    with pytest.raises(ContainerMutationError, match="'one' is changed by 'changing'"):
        ag.function(lambda n: changing(n, [rt.constant(0)]))(rt.constant(2))


def test_a_call_for_its_effects_alone() -> None:
    total = rt.Variable(0)

    def add_all(n: Any) -> None:
        if n > 0:
            total.assign_add(n)
            add_all(n - 1)

    staged = ag.function(add_all)
    for expected in (10, 20):
        staged(rt.constant(4))
        assert total.numpy() == expected


def test_prints_keep_their_order(capfd: pytest.CaptureFixture[str]) -> None:
    def count(n: Any) -> None:
        if n > 0:
            count(n - 1)
            rt.print(n)

    ag.function(count)(rt.constant(3))
    assert capfd.readouterr().err.split() == ["1", "2", "3"]


def test_user_exceptions_propagate_through_all_levels() -> None:
    def down(n: Any) -> Any:
        if n < 0:
            raise ValueError("below", n)
        return 0 if n == 0 else down(n - 2)

    graph_of_agreeing(down, (4,), (0,))
    with pytest.raises(ValueError, match="below") as error:
        ag.function(down)(rt.constant(3))
    assert int(error.value.args[1]) == -1


def test_recursion_that_only_an_exception_ends() -> None:
    def down(n: Any) -> Any:
        if n <= 0:
            raise KeyError(n)
        return down(n - 2)

    with pytest.raises(KeyError) as error:
        ag.function(down)(rt.constant(3))
    assert int(error.value.args[0]) == -1


# -- how they are reached --------------------------------------------------------------------------


def test_lambdas_and_wrapped_functions() -> None:
    def plain(fn: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(fn)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return fn(*args, **kwargs)

        return wrapper

    @plain
    def wrapped(n: Any) -> Any:
        return 0 if n <= 0 else 1 + wrapped(n - 1)

    factorial = lambda n: 1 if n <= 1 else n * factorial(n - 1)
    assert recursions(graph_of_agreeing(factorial, (5,), (0,))) == 1
    assert recursions(graph_of_agreeing(lambda n: wrapped(n), (4,), (0,))) == 1


def test_lambdas_on_one_line_are_distinct() -> None:
    # fmt: off
    first, second = (lambda n: 0 if n <= 0 else 1 + second(n - 1)), (lambda n: 0 if n <= 0 else 2 + first(n - 1))  # noqa: E501
    # fmt: on
    graph_of_agreeing(first, (5,), (4,), (0,))


def test_three_functions_that_call_each_other() -> None:
    def a(n: Any) -> Any:
        return 0 if n <= 0 else b(n - 1) + 1

    def b(n: Any) -> Any:
        return 1 if n <= 0 else c(n - 1) * 2

    def c(n: Any) -> Any:
        return 2 if n <= 0 else a(n - 2) + b(n - 3)

    graph_of_agreeing(a, (9,), (5,), (0,))


def test_one_recursion_in_the_body_of_another() -> None:
    def female(n: Any) -> Any:
        return 1 if n == 0 else n - male(female(n - 1))

    def male(n: Any) -> Any:
        return 0 if n == 0 else n - female(male(n - 1))

    text = graph_of_agreeing(female, (8,), (5,), (0,))
    assert "{name='female'}" in text and "{name='male'}" in text


def test_functions_that_are_traced_call_themselves_and_each_other() -> None:
    @ag.function
    def fibonacci(n: Any) -> Any:
        return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

    @ag.function
    def odd(n: Any) -> Any:
        return False if n == 0 else even(n - 1)

    @ag.function
    def even(n: Any) -> Any:
        return True if n == 0 else odd(n - 1)

    @ag.function(input_signature=[rt.TensorSpec((), rt.int32)])
    def factorial(n: Any) -> Any:
        return 1 if n < 2 else n * factorial(n - 1)

    assert int(fibonacci(rt.constant(10))) == 55
    assert [bool(even(rt.constant(n))) for n in range(4)] == [True, False, True, False]
    assert int(factorial(5)) == 120


def test_recursion_in_a_loop_test_and_in_boolean_operators() -> None:
    def climb(n: Any) -> Any:
        i = 0
        while n > 0 and i < climb(n - 1):
            i += 1
        return i + 1

    def even(n: Any) -> Any:
        return n == 0 or (n > 1 and even(n - 2))

    graph_of_agreeing(climb, (4,), (0,))
    graph_of_agreeing(even, (4,), (3,), (0,))
