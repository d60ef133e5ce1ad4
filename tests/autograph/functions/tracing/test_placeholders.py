"""Outer arrays that the function changes are inputs of its graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.autograph.functions.state import known_array_scenarios as known_array_scenarios
from tests.autograph.functions.state import rebound_array_scenarios as rebound_array_scenarios
from tests.autograph.functions.state import used_array_scenarios as used_array_scenarios
from tests.autograph.functions.state.given_array_scenarios import INPUTS, KNOWN, Scenario

pytestmark = pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")


def comparable(value: Any) -> Any:
    """Return the contents of a value with the types and dtypes of all numbers in it."""
    if isinstance(value, (np.ndarray, rt.Tensor)):
        return (type(value), value.dtype, np.asarray(value).tolist())
    if isinstance(value, dict):
        return {key: comparable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)) or hasattr(value, "rotate"):
        return (type(value), [comparable(item) for item in value])
    return comparable(vars(value)) if hasattr(value, "__dict__") else (type(value), value)


def results(call: Callable[[Any], Any], state: object) -> list[object]:
    """Return the results of calls with tensors, and the state after each."""
    return [
        (float(call(rt.constant(float(x)))), comparable(state))  # type: ignore[arg-type]
        for x in (1, 3, 0, 5, 2)
    ]


@pytest.mark.parametrize("make", [*INPUTS.values(), *KNOWN.values()], ids=[*INPUTS, *KNOWN])
def test_calls_agree_with_the_plain_function(make: Callable[[], Scenario]) -> None:
    plain, state = make()
    expected = results(plain, state)
    function, state = make()
    assert results(ag.function(function), state) == expected


@pytest.mark.parametrize("make", INPUTS.values(), ids=INPUTS)
def test_one_trace_serves_all_contents_of_an_array(make: Callable[[], Scenario]) -> None:
    function, state = make()
    traced = ag.function(function)
    results(traced, state)
    assert traced.experimental_get_tracing_count() == 1


def test_stores_between_calls_are_seen() -> None:
    total = np.zeros(2)

    @ag.function
    def f(x: rt.Tensor) -> rt.Tensor:
        total[0] += 1
        return x + total[0] + total[1]

    assert float(f(rt.constant(1.0))) == 2.0
    total[:] = [10, 5]
    assert float(f(rt.constant(1.0))) == 17.0
    assert total.tolist() == [11, 5]
    assert f.experimental_get_tracing_count() == 1


def test_a_failed_call_stores_nothing() -> None:
    total = np.zeros(2)

    @ag.function
    def f(x: rt.Tensor) -> rt.Tensor:
        total[0] += 1
        rt.debugging.assert_positive(x)
        return x

    f(rt.constant(1.0))
    with pytest.raises(rt.errors.InvalidArgumentError):
        f(rt.constant(-1.0))
    assert total.tolist() == [1, 0]


def test_a_function_without_source_is_traced_for_each_content() -> None:
    space: dict[str, object] = {"np": np}
    exec("n = np.zeros(1)\ndef f(x):\n    n[0] += 1\n    return x + float(n[0])", space)
    traced = ag.function(space["f"])  # type: ignore[call-overload]
    assert [float(traced(rt.constant(0.0))) for _ in range(3)] == [1, 2, 3]
