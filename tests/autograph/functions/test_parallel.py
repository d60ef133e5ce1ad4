"""`ag.function(parallel=..., passes=...)`: valid values, and equal results for all of them."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.errors import ConversionError
from runtime.errors import ArgumentValueError
from tests.runtime.executors.large_graphs import everything_counts

RANDOM = np.random.default_rng(3)
X, Y = (rt.constant(RANDOM.normal(size=(24, 24))) for _ in range(2))
WEIGHTS = [rt.Variable(RANDOM.normal(size=(24, 24))) for _ in range(3)]


@pytest.fixture(autouse=True)
def _counted() -> Iterator[None]:
    with everything_counts():
        yield


def heads(x: Any, y: Any) -> Any:
    query, key, value = (x @ weight for weight in WEIGHTS)
    scores = rt.nn.softmax(query @ rt.transpose(key))
    return rt.reduce_sum((scores @ value) * y, axis=0)


def choosing(x: Any, y: Any) -> Any:
    a, b = rt.tanh(x @ y), rt.sin(y)
    if rt.reduce_sum(b) > 0.0:
        a, b = rt.exp(-rt.abs(a)) + y, rt.cos(b * 2.0) - x
    for _ in rt.range(3):
        a, b = rt.tanh(a + x) * 0.5, rt.sin(b + y) * 0.5
    return a - b


def inner(x: Any, y: Any) -> Any:
    return rt.tanh(x) * y + rt.sin(y) * x


def outer(x: Any, y: Any) -> Any:
    return INNER(x, y) + INNER(y, x)


def changing(x: Any, y: Any) -> Any:
    WEIGHTS[0].assign_add(x)
    a, b = rt.tanh(WEIGHTS[0] @ y), rt.sin(WEIGHTS[1] @ x)
    WEIGHTS[0].assign_sub(x)
    return a + b


def gradients(x: Any, y: Any) -> Any:
    with rt.GradientTape() as tape:
        tape.watch([x, y])
        z = rt.reduce_sum(choosing(x, y)) + rt.reduce_sum(heads(x, y))
    return tape.gradient(z, [x, y, *WEIGHTS])


INNER = ag.function(inner, parallel=2)
FUNCTIONS = [heads, choosing, inner, outer, changing, gradients]


def bits(result: Any) -> Any:
    return [each.numpy().tobytes() for each in rt.nest.flatten(result)]


def in_parts(function: Any) -> bool:
    concrete = function.get_concrete_function(X, Y)
    return "side_by_side(" in concrete.executable.source


@pytest.mark.parametrize("function", FUNCTIONS)
def test_results_agree_with_one_thread(function: Any) -> None:
    alone, parts = ag.function(function, parallel=False), ag.function(function, parallel=3)
    assert bits(alone(X, Y)) == bits(parts(X, Y))
    assert (in_parts(alone), in_parts(parts)) == (False, True)


@pytest.mark.parametrize("function", [heads, choosing, inner, outer])
@pytest.mark.parametrize("persistent", [False, True])
def test_gradients_agree_with_one_thread(function: Any, persistent: bool) -> None:
    def gradients(parallel: Any) -> Any:
        called = ag.function(function, parallel=parallel)
        with rt.GradientTape(persistent=persistent) as tape:
            tape.watch([X, Y])
            result = called(X, Y)
        return result, tape.gradient(result, [X, Y])

    assert bits(gradients(3)) == bits(gradients(False))


def test_gradients_run_in_parallel(monkeypatch: pytest.MonkeyPatch) -> None:
    from runtime.executors.numpy.printed_function import printed_function

    made: list[str] = []
    before = printed_function.__globals__["PrintedFunction"]

    class Noting(before):  # type: ignore[misc, valid-type]
        def __init__(self, text: Any, *more: Any) -> None:
            made.append(text.source)
            super().__init__(text, *more)

    monkeypatch.setitem(printed_function.__globals__, "PrintedFunction", Noting)
    called = ag.function(choosing, parallel=2)
    with rt.GradientTape() as tape:
        tape.watch([X, Y])
        result = called(X, Y)
    tape.gradient(result, [X, Y])
    assert any("_gradient(" in source and "side_by_side(" in source for source in made)


def test_datasets_run_such_functions() -> None:
    rows = np.stack([X.numpy(), Y.numpy(), X.numpy()])

    def mapped(parallel: Any) -> list[Any]:
        called = ag.function(choosing, parallel=parallel)
        return [
            bits(each)
            for each in rt.data.Dataset.from_tensor_slices(rows).map(lambda x: called(x, Y))
        ]

    assert mapped(2) == mapped(False)


def test_threads_call_one_function() -> None:
    called, wanted = ag.function(choosing, parallel=3), bits(ag.function(choosing)(X, Y))
    found: list[Any] = []

    def calls() -> None:
        found.extend(bits(called(X, Y)) for _ in range(10))

    threads = [threading.Thread(target=calls) for _ in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert found == [wanted] * 60


@pytest.mark.parametrize("wrong", ["yes", 0, -1, 1.5, 0.0, [2], b"2"])
def test_invalid_values_of_parallel_are_refused(wrong: Any) -> None:
    with pytest.raises(ConversionError, match="parallel must be None, True, False or a number"):
        ag.function(choosing, parallel=wrong)


@pytest.mark.parametrize("right", [None, True, False, 1, 2, np.int32(4)])
def test_valid_values_of_parallel(right: Any) -> None:
    wanted = bits(ag.function(choosing, parallel=False)(X, Y))
    assert bits(ag.function(choosing, parallel=right)(X, Y)) == wanted


def constant_sum(x: Any, y: Any) -> Any:
    return x * 1.0 + (rt.constant(2.0) + rt.constant(3.0)), INNER(x, y)


def text_of(passes: Any) -> str:
    f = ag.function(constant_sum, passes=passes, parallel=False)
    x = rt.constant([1.0, 2.0])
    assert bits(f(x, x)) == bits(ag.function(constant_sum)(x, x))
    return str(f.get_concrete_function(x, x).executable.source)


def test_passes_are_chosen() -> None:
    everything, nothing = text_of(None), text_of(())
    assert "call_inner" not in everything and "call_inner" in nothing
    assert "f2_0 + f3_0" not in everything and "f2_0 + f3_0" in nothing
    assert "call_inner" not in text_of("inline")
    assert "call_inner" in text_of("-inline") and "call_inner" in text_of(
        ["constant_folding", "simplify"]
    )
    assert text_of(iter(["-constant_folding", "-inline"])) == text_of(
        ["-inline", "-constant_folding"]
    )


@pytest.mark.parametrize(
    "wrong",
    ["folding", ["constant_folding", "nothing"], 3, ["constant_folding", "-inline"], [None]],
)
def test_unknown_passes_are_refused(wrong: Any) -> None:
    with pytest.raises(ArgumentValueError, match="^passes") as raised:
        ag.function(constant_sum, passes=wrong)
    if wrong == "folding":
        assert "'folding' is not one of inline, constant_folding, simplify" in str(raised.value)


def test_a_function_keeps_its_options() -> None:
    f = ag.function(constant_sum, passes="-inline", parallel=2)
    x = rt.constant([1.0, 2.0])
    assert "call_inner" in f.untraced().get_concrete_function(x, x).executable.source
    options = pickle.loads(pickle.dumps(f._options))
    assert (options.passes, options.parallel) == (f._options.passes, 2)
