"""Calls leave the state in attributes, variables and containers that the plain function leaves.

Each case makes its scenario twice. In one, the plain functions are called on eager tensors; in the
other, the same functions are staged. After every call the visible state of both is equal.
"""

from __future__ import annotations

from collections import deque
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.functions.trace_cache.cache import TraceCache
from tests.autograph.functions.state import array_scenarios as array_scenarios
from tests.autograph.functions.state import buffer_scenarios as buffer_scenarios
from tests.autograph.functions.state import container_scenarios as container_scenarios
from tests.autograph.functions.state import counter_scenarios as counter_scenarios
from tests.autograph.functions.state import identity_scenarios as identity_scenarios
from tests.autograph.functions.state import kinds_scenarios as kinds_scenarios
from tests.autograph.functions.state import made_scenarios as made_scenarios
from tests.autograph.functions.state import python_scenarios as python_scenarios
from tests.autograph.functions.state import queue_scenarios as queue_scenarios
from tests.autograph.functions.state import rebinding_scenarios as rebinding_scenarios
from tests.autograph.functions.state import referred_scenarios as referred_scenarios
from tests.autograph.functions.state import shared_scenarios as shared_scenarios
from tests.autograph.functions.state.state_scenarios import SCENARIOS, Scenario
from tests.suite_length import sample


def seen(value: Any, symbolic: list[Any], depth: int = 8) -> Any:
    """Return the visible contents of a value, numbers and eager tensors alike."""
    if isinstance(value, rt.Tensor):
        if not hasattr(value, "_array"):
            symbolic.append(value)
            return str(value)
        return np.asarray(value._array).tolist()
    if isinstance(value, (int, float, str, bytes, type(None))):
        return value
    if depth == 0:
        return type(value).__name__
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (Fraction, Decimal, timedelta)):
        return repr(value)
    if isinstance(value, dict):
        return [(key, seen(item, symbolic, depth - 1)) for key, item in value.items()]
    if isinstance(value, (list, tuple, deque)):
        items = [seen(item, symbolic, depth - 1) for item in value]
        return (type(value).__name__, items)
    if callable(value) and not hasattr(value, "state"):
        return seen(vars(value), symbolic, depth - 1)
    return (type(value).__name__, seen(vars(value), symbolic, depth - 1))


def outcome(call: Any, args: tuple[Any, ...]) -> Any:
    try:
        return call(*args)
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"


def run(make: Any, staged: bool, times: int = 1) -> list[Any]:
    """Return the observations after each step of the scenario's script, run so many times.

    It is not gone through again where each call has made a trace: there is nothing to be known by.
    """
    function, looked_at, script = make()
    call = ag.function(function) if staged else function
    log: list[Any] = []
    for _ in range(times):
        for step in script:
            log.append(seen_after(call, step, looked_at))
        calls = sum(not callable(step) for step in script)
        if staged and call.experimental_get_tracing_count() >= calls:
            break
    return log


def seen_after(call: Any, step: Any, looked_at: Any) -> Any:
    """Return the observations of a scenario after a step of its script."""
    result = outcome(step, ()) if callable(step) else outcome(call, step)
    symbolic: list[Any] = []
    state = looked_at
    if isinstance(state, Scenario):
        state = state.get()
    elif isinstance(state, list) and state and callable(state[0]):
        state = [each() for each in state]
    entry = (seen(result, symbolic), seen(state, symbolic))
    assert not symbolic
    return entry


@pytest.mark.parametrize("make", sample([*SCENARIOS.values()], 5), ids=sample([*SCENARIOS], 5))
def test_calls_leave_the_state_of_the_plain_function(make):
    assert run(make, staged=False) == run(make, staged=True)


@pytest.mark.filterwarnings("ignore::autograph.errors.RetracingWarning")
@pytest.mark.parametrize("make", sample([*SCENARIOS.values()], 11), ids=sample([*SCENARIOS], 11))
def test_fast_calls_agree_with_slow_calls(make, monkeypatch):
    quick = run(make, staged=True, times=3)
    monkeypatch.setattr(TraceCache, "remember_stateful_call", lambda *given: None)
    assert run(make, staged=True, times=3) == quick


# How often a function is traced in the calls of its script, where one trace serves them.
_TRACES = {
    **dict.fromkeys(
        (n for n, m in SCENARIOS.items() if m.__module__ == buffer_scenarios.__name__), 1
    ),
    "a_buffer_replaced": 2,  # the form of the buffer there was before is another one
    "a_count_in_a_list": 1,
    "a_count_that_is_not_looked_at": 1,
    "counts_in_a_global": 1,
    "counts_deep_inside": 1,
    "a_moving_average_in_a_list": 1,
    "a_number_counted_in_a_branch": 1,
    "numbers_counted_in_loops": 1,
    "a_deque_that_is_full": 1,
    "a_count_tested_in_python": 1,
    "numbers_in_a_pair": 1,
    "numbers_in_a_named_tuple": 1,
    "numbers_in_a_pair_inside_of_a_pair": 1,
    "pairs_in_a_list_and_a_dict": 1,
    "a_pair_on_two_paths": 1,
    "a_count_with_two_names": 1,
    "a_log_that_sounds_like_a_function": 1,
    "a_key_created_by_get": 2,  # where there is no such key, and where there is one
}


@pytest.mark.parametrize("name", _TRACES)
def test_one_trace_serves_all_calls(name: str) -> None:
    function, _, script = SCENARIOS[name]()
    call = ag.function(function)
    for step in script:
        step() if callable(step) else call(*step)
    assert _TRACES[name] == call.experimental_get_tracing_count()
