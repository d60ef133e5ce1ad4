"""Parameters used with Python numbers only, and the specs that explain_retrace suggests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autograph as ag
import runtime as rt
from autograph.functions.effect_analysis.parameter_uses import meeting_numbers

X = rt.constant(2.0)


def plus_one(x: Any, n: Any) -> Any:
    return n + 1


def times(x: Any, n: Any) -> Any:
    return x * n


def by_assignment(x: Any, n: Any) -> Any:
    m = 2 * n - 1
    return x, m // 3


def later(x: Any, n: Any) -> Any:
    m = n + 1
    return x * m


def compared(x: Any, n: Any) -> Any:
    return x > n


def counting(x: Any, n: Any) -> Any:
    for _ in rt.range(n):
        x = x * 2.0
    return x


def called(x: Any, n: Any) -> Any:
    return rt.maximum(x, n)


def returned(x: Any, n: Any) -> Any:
    return x, n


CASES = [(plus_one, "int32"), (times, "float32"), (by_assignment, "int32"), (later, "float32")]
CASES += [(compared, "float32"), (counting, "int32"), (called, "float32"), (returned, "int32")]


@pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
@pytest.mark.parametrize(("function", "dtype"), CASES)
def test_the_suggested_dtype_keeps_that_of_the_result(
    function: Callable[..., Any], dtype: str
) -> None:
    traced = ag.function(function)
    results = [traced(X, n) for n in (1, 2, 3)]
    assert f"rt.TensorSpec((), rt.{dtype})]" in str(ag.explain_retrace(traced))
    fixed = ag.function(
        function, input_signature=[rt.TensorSpec((), rt.float32), rt.TensorSpec((), dtype)]
    )
    for n, before in zip((1, 2, 3), results):
        after = fixed(X, rt.constant(n, dtype))
        assert rt.nest.flatten(before) == rt.nest.flatten(after) or all(
            a.dtype == b.dtype and float(a) == float(b)
            for a, b in zip(rt.nest.flatten(before), rt.nest.flatten(after))
        )
    assert 1 == fixed.experimental_get_tracing_count()


def scaled(x: Any, rate: Any) -> Any:
    return x * rate


def doubled(x: Any, rate: Any) -> Any:
    return x - rate * 2 * x


def halved(x: Any, rate: Any) -> Any:
    step = rate * 0.5
    return x - step * x


def beside(x: Any, rate: Any) -> Any:
    return x, rate * 2.0


def in_a_call(x: Any, rate: Any) -> Any:
    return rt.maximum(x, rate + 1)


FLOATS = [(scaled, "float64"), (doubled, "float64"), (halved, "float64")]
FLOATS += [(beside, "float32"), (in_a_call, "float64")]


@pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
@pytest.mark.parametrize(
    ("function", "dtype", "rates"),
    [
        *((*case, (0.25, 0.5, 1.5)) for case in FLOATS),
        # Ints among them that meet floats alone have no dtype in common with these.
        *((*case, (1, 0.5, 2)) for case in FLOATS if case[0] is not beside),
    ],
)
def test_a_float_adopts_the_dtype_of_its_operand(
    function: Callable[..., Any], dtype: str, rates: tuple[float, ...]
) -> None:
    x, traced = rt.constant(2.0, "float64"), ag.function(function)
    results = [traced(x, rate) for rate in rates]
    said = str(ag.explain_retrace(traced))
    assert f"rt.TensorSpec((), rt.{dtype})]" in said
    signature = [rt.TensorSpec((), rt.float64), rt.TensorSpec((), dtype)]
    fixed = ag.function(function, input_signature=signature)
    for rate, before in zip(rates, results):
        after = rt.nest.flatten(fixed(x, rt.constant(rate, dtype)))
        assert [
            (each.dtype, float(each)) for each in map(rt.convert_to_tensor, rt.nest.flatten(before))
        ] == [(each.dtype, float(each)) for each in after]


def test_a_function_without_source() -> None:
    function = eval("lambda x, n: n + 1")
    assert frozenset() == meeting_numbers(function, ["n"], (int,))
