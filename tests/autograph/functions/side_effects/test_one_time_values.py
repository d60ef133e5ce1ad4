"""Random numbers and times of Python's that a trace has once: one warning for each line."""

from __future__ import annotations

import datetime
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from tests.autograph.functions.side_effects.test_effects_in_statements import effects_told as told

NUMBERS = np.random.default_rng(0)


def drawn(x: Any) -> Any:
    return x * random.random()


@pytest.mark.parametrize(
    ("function", "text", "instead"),
    [
        (drawn, "random.random()", "rt.random"),
        (lambda x: x * random.randint(1, 3), "random.randint()", "rt.random"),
        (lambda x: x * np.random.rand(), "np.random.rand()", "rt.random"),
        (lambda x: x * NUMBERS.normal(), "NUMBERS.normal()", "rt.random"),
        (lambda x: x * time.time(), "time.time()", "rt.timestamp()"),
        (lambda x: x * time.perf_counter_ns(), "time.perf_counter_ns()", "rt.timestamp()"),
        (lambda x: x + datetime.datetime.now().second, "datetime.datetime.now()", "rt.timestamp()"),
    ],
)
def test_a_value_that_the_trace_keeps_warns_once(
    function: Callable[..., Any], text: str, instead: str
) -> None:
    (found,) = told(function, rt.constant(1.0))
    assert str(found.message).startswith(f"{text} was computed while tracing, and all calls of")
    assert instead in str(found.message)
    assert (__file__, function.__code__.co_firstlineno) in [
        (found.filename, found.lineno),
        (found.filename, found.lineno - 1),
    ]


def test_a_nested_function_warns_once() -> None:
    inner = ag.function(drawn)
    assert 1 == len(told(lambda x: inner(x) + 1, rt.constant(1.0)))


def test_numbers_that_stay_the_same_in_python_do_not_warn() -> None:
    assert [] == told(lambda x: x * np.random.default_rng(3).normal(), rt.constant(1.0))
    assert [] == told(lambda x: x * random.Random(3).random(), rt.constant(1.0))

    def seeds(x: Any) -> Any:
        random.seed(3)
        return x

    assert [] == told(seeds, rt.constant(1.0))


def test_initial_values_of_variables_do_not_warn() -> None:
    class Scaled:
        def __init__(self) -> None:
            self.scale: rt.Variable | None = None

        def __call__(self, x: Any) -> Any:
            if self.scale is None:
                self.scale = rt.Variable(np.random.rand())
            return rt.cast(self.scale, rt.float32) * x

    assert [] == told(Scaled().__call__, rt.constant(1.0))
